"""The operations that DARTS chooses from, each of C channels."""

# Written by tools/stubs.py.

import builtins
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class FactorizedReduce(twinoar.nn.Layer):
    """Half the rows and columns: two products over channels, of the even and of the odd ones."""
    def __init__(self, inner: Any, channels: Any, affine: builtins.bool = True) -> None: ...
    def forward(self, x: Any) -> Any:
        """Both, side by side."""
    even: Any
    odd: Any
    norm: Any
OPERATIONS: builtins.dict
PRIMITIVES: builtins.tuple
class Zero(twinoar.nn.Layer):
    """Nothing: zeros, of every `stride`-th row and column."""
    def __init__(self, stride: Any) -> None: ...
    def forward(self, x: Any) -> Any:
        """0 x."""
    stride: builtins.int
def batch_norm(channels: Any, affine: builtins.bool) -> twinoar.nn.Layer:
    """Batch normalization, with a gain and a shift where affine."""
def relu_conv_norm(inner: Any, channels: Any, affine: builtins.bool = True) -> twinoar.nn.Layer:
    """A product over channels, between ReLU and batch normalization."""
