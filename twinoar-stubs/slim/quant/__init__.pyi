"""Quantization of networks that are trained already, by PaddleSlim's names where it has them."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
import twinoar.slim.quant
from typing import Any, Literal, overload

import numpy as _numpy

class Joint:
    """Channels that some parameters make, and that others multiply, and nothing else reads."""
    def scale(self, factors: _numpy.ndarray[Any, Any]) -> None:
        """Divide channels by positive factors where they are made, multiply where they are read."""
    def __init__(self, makers: builtins.tuple[Any, ...], readers: builtins.tuple[Any, ...], is_norm: builtins.bool, is_direct: builtins.bool) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    is_direct: builtins.bool
    is_norm: builtins.bool
    makers: builtins.tuple[Any, ...]
    readers: builtins.tuple[Any, ...]
class Quantized:
    """One layer whose weight was rounded: its name, bytes before and after."""
    def __init__(self, name: builtins.str, before: Any, after: Any, error: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    after: builtins.int
    before: builtins.int
    error: builtins.float
    name: builtins.str
class WeightOnlyLinear(twinoar.nn.Layer):
    """A Linear that keeps its weight as integers; see `nn.quant.weight_only_linear`."""
    def __init__(self, integers: Any, scales: Any, bias: Any = None, bits: Any = 8, group_size: Any = -1, factors: Any = None) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """input: [*,K]"""
    def extra_repr(self) -> builtins.str:
        """What is shown of it."""
    bits: builtins.int
    group_size: builtins.int
    bias: Any
    in_features: Any
    out_features: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
from . import advanced as advanced
def correct_biases(model: twinoar.nn.Layer, reference: twinoar.nn.Layer, batches: collections.abc.Sequence[Any]) -> builtins.list[builtins.str]:
    """Change biases so that the mean of each channel on some data is that of another network."""
def equalize(model: twinoar.nn.Layer, inputs: Any, rounds: Any = 10, tolerance: Any = ...) -> builtins.int:
    """Make the largest weights of each channel alike in the layers before and after it, in place."""
def fold_batch_norms(model: twinoar.nn.Layer, inputs: Any) -> builtins.int:
    """Put each batch norm that follows a convolution into its weights, and Identity in its place."""
def joints(model: twinoar.nn.Layer, inputs: Any) -> builtins.list[twinoar.slim.quant.Joint]:
    """The joints of a network, in the order in which it runs."""
from twinoar.quantization import observers as observers
def quantize_weights(model: twinoar.nn.Layer, bits: Any = 8, group_size: Any = -1, method: builtins.str = 'nearest', batches: collections.abc.Sequence[Any] = ..., names: collections.abc.Collection[builtins.str] | None = None) -> builtins.list[twinoar.slim.quant.Quantized]:
    """Put a WeightOnlyLinear in the place of each Linear of a network, in eval mode."""
