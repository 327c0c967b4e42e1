"""`paddle.onnx`: what runs here, as files that the runtimes of ONNX read, and their models here."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import os
import twinoar.nn
import twinoar.onnx
import twinoar.static
from typing import Any, Literal, overload

import numpy as _numpy

class ImportedLayer(twinoar.nn.Layer):
    """The Layer of an ONNX model."""
    def __init__(self, model: Any) -> None: ...
    @property
    def input_spec(self) -> builtins.list[twinoar.static.InputSpec]:
        """What the model says of its inputs: `paddle.jit.save(layer, path, layer.input_spec)`."""
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs of the model."""
    model: Any
    inputs: Any
def export(layer: Any, path: builtins.str, input_spec: collections.abc.Sequence | None = None, opset_version: Any = 9, external_data: builtins.bool | None = None, **configs: Any) -> None:
    """Write a Layer, or a function under `to_static`, as the ONNX model `path + '.onnx'`."""
def load(source: builtins.str | os.PathLike | builtins.bytes) -> twinoar.onnx.ImportedLayer:
    """The Layer that computes what the ONNX model in a file, or in bytes, computes."""
