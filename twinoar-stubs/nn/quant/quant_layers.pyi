"""Layers of rounded values that are made with the kinds of rounding, by Paddle's older names."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
import twinoar.nn
import twinoar.nn.quant.quant_layers
from typing import Any, Literal, overload

import numpy as _numpy

class FakeQuantAbsMax(twinoar.nn.Layer):
    """Rounds values by their largest magnitude."""
    def __init__(self, name: builtins.str | None = None, quant_bits: Any = 8, dtype: Any = 'float32', quant_on_weight: builtins.bool = False, reduce_type: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> Any:
        """x rounded."""
class FakeQuantChannelWiseAbsMax(twinoar.nn.Layer):
    """Rounds weights by the largest magnitude of each channel."""
    def __init__(self, name: builtins.str | None = None, channel_num: Any = None, quant_bits: Any = 8, quant_axis: Any = 0, dtype: Any = 'float32', quant_on_weight: builtins.bool = False, reduce_type: builtins.str | None = None) -> None: ...
    def forward(self, input: Any) -> Any:
        """x rounded."""
class FakeQuantMAOutputScaleLayer(twinoar.nn.Layer):
    """A layer whose result is rounded by a moving average of its largest magnitudes."""
    def __init__(self, layer: twinoar.nn.Layer, weight_bits: Any = 8, activation_bits: Any = 8, moving_rate: Any = ..., name: builtins.str | None = None, reduce_type: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer returns, rounded."""
class FakeQuantMovingAverageAbsMax(twinoar.nn.Layer):
    """Rounds values by a moving average of largest magnitudes."""
    def __init__(self, name: builtins.str | None = None, moving_rate: Any = ..., quant_bits: Any = 8, dtype: Any = 'float32', reduce_type: builtins.str | None = None) -> None: ...
    @property
    def is_unseen(self) -> builtins.bool:
        """True while no data has moved the scale."""
    def forward(self, input: Any) -> Any:
        """x rounded; in training the states move first."""
class MAOutputScaleLayer(twinoar.nn.Layer):
    """A layer, and a moving average of the largest magnitudes of what it returns."""
    def __init__(self, layer: twinoar.nn.Layer, moving_rate: Any = ..., name: builtins.str | None = None, dtype: Any = 'float32', reduce_type: builtins.str | None = None) -> None: ...
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer returns."""
from twinoar.nn.quant import QuantStub as MovingAverageAbsMaxScale
from twinoar.nn.quant import QuantStub as QuantStub
class QuantizedColumnParallelLinear(twinoar.nn.Layer):
    """Is not served: it needs a layer that is divided among devices"""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class QuantizedConv2D(twinoar.nn.Layer):
    """`nn.Conv2D` of rounded values; its arguments are those of `Quantized`."""
    def __init__(self, layer: twinoar.nn.Layer, *arguments: Any, **named: Any) -> None: ...
    def forward(self, input: Any) -> twinoar.Tensor:
        """The convolution of rounded images with rounded filters."""
    axis: builtins.int
    weight: Any
    bias: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class QuantizedConv2DTranspose(twinoar.nn.Layer):
    """`nn.Conv2DTranspose` of rounded values; its arguments are those of `Quantized`."""
    axis: builtins.int
    def __init__(self, layer: twinoar.nn.Layer, *arguments: Any, **named: Any) -> None: ...
    def forward(self, input: Any, output_size: Any = None) -> twinoar.Tensor:
        """The transposed convolution of rounded images with rounded filters."""
    weight: Any
    bias: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class QuantizedLinear(twinoar.nn.Layer):
    """`nn.Linear` of rounded values; its arguments are those of `Quantized`."""
    axis: builtins.int
    def forward(self, input: Any) -> twinoar.Tensor:
        """y = x W + b of rounded x and W."""
    def __init__(self, layer: twinoar.nn.Layer, weight_bits: Any = 8, activation_bits: Any = 8, moving_rate: Any = ..., weight_quantize_type: builtins.str = 'abs_max', activation_quantize_type: builtins.str = 'abs_max', weight_pre_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, act_pre_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, weight_quant_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, act_quant_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None) -> None: ...
    weight: Any
    bias: Any
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class QuantizedMatmul(twinoar.nn.Layer):
    """The product of two rounded matrices; its arguments are those of `Quantized`."""
    def __init__(self, layer: twinoar.nn.Layer | None = None, weight_bits: Any = 8, activation_bits: Any = 8, moving_rate: Any = ..., weight_quantize_type: builtins.str = 'abs_max', activation_quantize_type: builtins.str = 'abs_max', weight_pre_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, act_pre_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, weight_quant_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None, act_quant_layer: collections.abc.Callable[[], twinoar.nn.Layer] | None = None) -> None: ...
    def forward(self, x: Any, y: Any, transpose_x: builtins.bool = False, transpose_y: builtins.bool = False, name: Any = None) -> twinoar.Tensor:
        """x times y, both rounded."""
    def __call__(self, *inputs: Any, **kwargs: Any) -> twinoar.Tensor: ...
class QuantizedRowParallelLinear(twinoar.nn.quant.quant_layers.QuantizedColumnParallelLinear):
    """Is not served: it needs a layer that is divided among devices"""
