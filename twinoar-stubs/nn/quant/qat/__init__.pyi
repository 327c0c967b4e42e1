"""`paddle.nn.quant.qat`: layers whose inputs and weights pass through quanters."""

# Written by tools/stubs.py.

import builtins
import twinoar
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class QuantedConv2D(twinoar.nn.Layer):
    """`nn.Conv2D` whose weight and input pass through quanters."""
    def __init__(self, layer: Any, q_config: Any) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The convolution of rounded images with rounded filters."""
    def weights_to_quanters(self) -> builtins.list[builtins.tuple[builtins.str, builtins.str]]:
        """The weight and its quanter."""
    def activation_quanters(self) -> builtins.list[builtins.str]:
        """The quanter of the input."""
    weight: Any
    bias: Any
    weight_quanter: Any
    activation_quanter: Any
    converted: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class QuantedLinear(twinoar.nn.Layer):
    """`nn.Linear` whose weight and input pass through quanters."""
    def __init__(self, layer: Any, q_config: Any) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """y = x W + b of rounded x and W."""
    def weights_to_quanters(self) -> builtins.list[builtins.tuple[builtins.str, builtins.str]]:
        """The weight and its quanter."""
    def activation_quanters(self) -> builtins.list[builtins.str]:
        """The quanter of the input."""
    name: Any
    weight: Any
    bias: Any
    weight_quanter: Any
    activation_quanter: Any
    converted: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
