"""Fully connected layers with weights of 4 bits."""

# Written by tools/stubs.py.

import builtins
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class FP4Linear(twinoar.nn.Layer):
    """A Linear with a weight in FP4: floats of 4 bits, and a scale for each block."""
    kind: Any
    def __init__(self, linear: twinoar.nn.Linear, block_size: Any = 64, use_double_quant: builtins.bool = False) -> None: ...
    def quantize(self) -> None:
        """Keep the weight as codes, and drop it"""
    def forward(self, x: Any) -> Any:
        """x W + b"""
    def extra_repr(self) -> builtins.str:
        """The sizes."""
    linear: twinoar.nn.Linear
    in_features: Any
    out_features: Any
    block_size: builtins.int
    double_quant: builtins.bool
    quantizer: Any
    quant_weight: Any
class NF4Linear(twinoar.nn.Layer):
    """A Linear with a weight in NF4: quantiles of a normal distribution, a scale for each block."""
    kind: Any
    def __init__(self, linear: twinoar.nn.Linear, block_size: Any = 64, use_double_quant: builtins.bool = False) -> None: ...
    def quantize(self) -> None:
        """Keep the weight as codes, and drop it"""
    def forward(self, x: Any) -> Any:
        """x W + b"""
    def extra_repr(self) -> builtins.str:
        """The sizes."""
    linear: twinoar.nn.Linear
    in_features: Any
    out_features: Any
    block_size: builtins.int
    double_quant: builtins.bool
    quantizer: Any
    quant_weight: Any
