"""What makes weights codes of 4 bits, and codes weights."""

# Written by tools/stubs.py.

import abc
import builtins
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

class FP4Quantizer:
    """Codes of floats of 4 bits"""
    table: _numpy.ndarray[Any, Any]
    state: Any
    def __init__(self, block_size: Any = 64, double_quant: builtins.bool = False) -> None: ...
    def quantize(self, x: Any) -> twinoar.Tensor:
        """Codes of a weight, two in a byte: [ceil(count / 2),1], uint8; `state` has the scales."""
    def dequantize(self, x: Any) -> Any:
        """What codes stand for: [count], float32, with a 0 after an odd count of weights."""
    def matmul(self, x: Any, y: Any, bias: Any = None) -> Any:
        """x W + bias of the codes y of a weight W"""
    block_size: builtins.int
    double_quant: builtins.bool
class NF4Quantizer:
    """Codes of quantiles of a normal distribution, as trained weights are distributed."""
    table: _numpy.ndarray[Any, Any]
    state: Any
    def __init__(self, block_size: Any = 64, double_quant: builtins.bool = False) -> None: ...
    def quantize(self, x: Any) -> twinoar.Tensor:
        """Codes of a weight, two in a byte: [ceil(count / 2),1], uint8; `state` has the scales."""
    def dequantize(self, x: Any) -> Any:
        """What codes stand for: [count], float32, with a 0 after an odd count of weights."""
    def matmul(self, x: Any, y: Any, bias: Any = None) -> Any:
        """x W + bias of the codes y of a weight W"""
    block_size: builtins.int
    double_quant: builtins.bool
