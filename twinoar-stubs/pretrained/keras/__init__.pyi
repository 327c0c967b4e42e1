"""Models of Keras as layers that train: sequential and functional ones of common layers."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.nn
import twinoar.pretrained.keras
from typing import Any, Literal, overload

import numpy as _numpy

class KerasModel(twinoar.nn.Layer):
    """A sequential or functional model: layers, and calls of them in order."""
    def __init__(self, inputs: builtins.list[Any], outputs: builtins.list[Any], is_single: builtins.bool) -> None: ...
    def keep(self, layer: twinoar.nn.Layer, info: Any) -> None:
        """Add a layer."""
    def kept(self) -> collections.abc.Iterator[builtins.tuple[Any, twinoar.pretrained.keras._Info]]:
        """The layers in order, with what they are called."""
    def forward(self, *operands: Any) -> Any: ...
    inputs: builtins.list[Any]
    outputs: builtins.list[Any]
    is_single: builtins.bool
    layers: Any
    infos: builtins.dict[builtins.str, twinoar.pretrained.keras._Info]
    calls: builtins.list[Any]
def load(path: builtins.str) -> twinoar.pretrained.keras.KerasModel:
    """The model in a `.keras` file, or an `.h5` file of a whole model, as a Layer in eval mode."""
def load_weights(model: twinoar.pretrained.keras.KerasModel, path: builtins.str) -> None:
    """Put what a `.weights.h5` file holds, or another file of the same model, into a model."""
class _Info:
    """What a layer is called in the JSON, in groups of weights, and where its arrays lie there."""
    def __init__(self, name: builtins.str, group: builtins.str, places: builtins.tuple[builtins.str, ...]) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    name: builtins.str
    group: builtins.str
    places: builtins.tuple[builtins.str, ...]
