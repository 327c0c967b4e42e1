"""Layers of rounded values that are made with the kinds of rounding, by Paddle's older names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.public import exported
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.nn import functional
from twinoar.nn.layer import Layer
from twinoar.nn.quant.convolution import ConvolutionOf
from twinoar.nn.quant.fake_quant import (
    FakeQuantAbsMax,
    FakeQuantChannelWiseAbsMax,
    FakeQuantMovingAverageAbsMax,
    MovingAverageAbsMaxScale,
)
from twinoar.ops.linalg.matmul import matmul

QuantStub = MovingAverageAbsMaxScale
Made = Callable[[], Layer] | None
OF_WEIGHTS = ("abs_max", "channel_wise_abs_max", "moving_average_abs_max")
OF_INPUTS = ("abs_max", "moving_average_abs_max")


def _rounding(kind: str, name: str | None, bits: int, rate: float, weight: Any, axis: int) -> Layer:
    """A layer that rounds a weight, or where that is None an input. Raises ArgumentError."""
    allowed = OF_INPUTS if weight is None else OF_WEIGHTS
    if kind not in allowed:
        raise ArgumentError(f"expected one of {', '.join(allowed)}, received {kind!r}")
    if kind == "abs_max":
        return FakeQuantAbsMax(name, bits, quant_on_weight=weight is not None)
    if kind == "moving_average_abs_max":
        return FakeQuantMovingAverageAbsMax(name, rate, bits)
    count = weight.shape[axis]
    return FakeQuantChannelWiseAbsMax(name, count, bits, axis, quant_on_weight=True)


class Quantized(Layer):
    """A layer with the weight and bias of another, which rounds its weight and its input.

    layer: the layer it stands for. weight_bits, activation_bits: bits of the integers. moving_rate:
    how much of the past stays in moving averages. weight_quantize_type: "abs_max",
    "channel_wise_abs_max" or "moving_average_abs_max". activation_quantize_type: the first or the
    last. weight_pre_layer, act_pre_layer: make layers that are called before. weight_quant_layer,
    act_quant_layer: make layers that round instead. Raises ArgumentError.
    """

    axis = 0  # of channels in the weight

    def __init__(
        self,
        layer: Layer,
        weight_bits: int = 8,
        activation_bits: int = 8,
        moving_rate: float = 0.9,
        weight_quantize_type: str = "abs_max",
        activation_quantize_type: str = "abs_max",
        weight_pre_layer: Made = None,
        act_pre_layer: Made = None,
        weight_quant_layer: Made = None,
        act_quant_layer: Made = None,
    ):
        super().__init__()
        self.weight, self.bias = layer.weight, layer.bias
        if weight_quant_layer is None:
            weight = self.weight
            of_weight: Layer = _rounding(
                weight_quantize_type, weight.name, weight_bits, moving_rate, weight, self.axis
            )
        else:
            of_weight = weight_quant_layer()
        self._fake_quant_weight = of_weight
        self._fake_quant_input = (
            _rounding(
                activation_quantize_type, layer.full_name(), activation_bits, moving_rate, None, 0
            )
            if act_quant_layer is None
            else act_quant_layer()
        )
        self._act_preprocess = None if act_pre_layer is None else act_pre_layer()
        self._weight_preprocess = None if weight_pre_layer is None else weight_pre_layer()

    def _rounded(self, input: Any) -> tuple[Any, Any]:
        """The input and the weight, rounded."""
        weight = self.weight
        if self._act_preprocess is not None:
            input = self._act_preprocess(input)
        if self._weight_preprocess is not None:
            weight = self._weight_preprocess(weight)
        return self._fake_quant_input(input), self._fake_quant_weight(weight)


class QuantizedLinear(Quantized):
    """`nn.Linear` of rounded values; its arguments are those of `Quantized`.

    >>> layer = twinoar.nn.Linear(4, 2)
    >>> layer = QuantizedLinear(layer, weight_quantize_type="channel_wise_abs_max")
    >>> layer(twinoar.ones([3, 4])).shape
    [3, 2]
    """

    axis = 1

    def forward(self, input: Any) -> Any:
        """y = x W + b of rounded x and W."""
        input, weight = self._rounded(input)
        return functional.linear(input, weight, self.bias)


class QuantizedConv2D(Quantized, ConvolutionOf):
    """`nn.Conv2D` of rounded values; its arguments are those of `Quantized`."""

    def __init__(self, layer: Layer, *arguments: Any, **named: Any):
        super().__init__(layer, *arguments, **named)
        self._take(layer)

    def forward(self, input: Any) -> Any:
        """The convolution of rounded images with rounded filters."""
        return self._convolved(*self._rounded(input))


class QuantizedConv2DTranspose(Quantized):
    """`nn.Conv2DTranspose` of rounded values; its arguments are those of `Quantized`."""

    axis = 1

    def __init__(self, layer: Layer, *arguments: Any, **named: Any):
        super().__init__(layer, *arguments, **named)
        self._groups, self._stride, self._dilation = layer._groups, layer._stride, layer._dilation
        self._padding, self._output_padding = layer._padding, layer.output_padding
        self._data_format = layer._data_format

    def forward(self, input: Any, output_size: Any = None) -> Any:
        """The transposed convolution of rounded images with rounded filters."""
        input, weight = self._rounded(input)
        return functional.conv2d_transpose(
            input,
            weight,
            self.bias,
            stride=self._stride,
            padding=self._padding,
            output_padding=self._output_padding if output_size is None else 0,
            groups=self._groups,
            dilation=self._dilation,
            output_size=output_size,
            data_format=self._data_format,
        )


class QuantizedMatmul(Layer):
    """The product of two rounded matrices; its arguments are those of `Quantized`.

    >>> QuantizedMatmul()(twinoar.ones([2, 3]), twinoar.ones([3, 4])).shape
    [2, 4]
    """

    def __init__(
        self,
        layer: Layer | None = None,
        weight_bits: int = 8,
        activation_bits: int = 8,
        moving_rate: float = 0.9,
        weight_quantize_type: str = "abs_max",
        activation_quantize_type: str = "abs_max",
        weight_pre_layer: Made = None,
        act_pre_layer: Made = None,
        weight_quant_layer: Made = None,
        act_quant_layer: Made = None,
    ):
        super().__init__()
        for side in ("x", "y"):
            made = (
                _rounding(activation_quantize_type, None, activation_bits, moving_rate, None, 0)
                if act_quant_layer is None
                else act_quant_layer()
            )
            setattr(self, f"_fake_quant_{side}", made)
            before = None if act_pre_layer is None else act_pre_layer()
            setattr(self, f"_act_preprocess_{side}", before)

    def forward(
        self, x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, name: Any = None
    ) -> Any:
        """x times y, both rounded."""
        if self._act_preprocess_x is not None:
            x, y = self._act_preprocess_x(x), self._act_preprocess_y(y)
        return matmul(self._fake_quant_x(x), self._fake_quant_y(y), transpose_x, transpose_y)


class MAOutputScaleLayer(Layer):
    """A layer, and a moving average of the largest magnitudes of what it returns.

    layer: the layer. moving_rate: how much of the past stays. name: what names of the states begin
    with. dtype: of the states. reduce_type: None. Only results that are one tensor of floats count.
    """

    def __init__(
        self,
        layer: Layer,
        moving_rate: float = 0.9,
        name: str | None = None,
        dtype: Any = "float32",
        reduce_type: str | None = None,
    ):
        super().__init__()
        self._layer = layer
        name = name or layer.full_name()
        self._ma_output_scale = MovingAverageAbsMaxScale(name, moving_rate, dtype, reduce_type)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer returns."""
        out = self._layer(*inputs, **kwargs)
        return self._ma_output_scale(out) if _is_float(out) else out


class FakeQuantMAOutputScaleLayer(Layer):
    """A layer whose result is rounded by a moving average of its largest magnitudes.

    layer: the layer. activation_bits: bits of the integers. moving_rate: how much of the past
    stays. name: what names of the states begin with. weight_bits: without effect. reduce_type:
    None.
    """

    def __init__(
        self,
        layer: Layer,
        weight_bits: int = 8,
        activation_bits: int = 8,
        moving_rate: float = 0.9,
        name: str | None = None,
        reduce_type: str | None = None,
    ):
        super().__init__()
        self._layer = layer
        name = name or layer.full_name()
        self._fake_quant_output = FakeQuantMovingAverageAbsMax(
            name, moving_rate, activation_bits, reduce_type=reduce_type
        )

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer returns, rounded."""
        out = self._layer(*inputs, **kwargs)
        return self._fake_quant_output(out) if _is_float(out) else out


class QuantizedColumnParallelLinear(Layer):
    """Is not served: it needs a layer that is divided among devices. Raises UnsupportedError."""

    def __init__(self, *args: Any, **kwargs: Any):
        raise UnsupportedError(
            f"{type(self).__name__} is for layers that are divided among devices",
            cure="quantize a Linear: QuantizedLinear",
        )


class QuantizedRowParallelLinear(QuantizedColumnParallelLinear):
    """Is not served: it needs a layer that is divided among devices. Raises UnsupportedError."""


def _is_float(x: Any) -> bool:
    return isinstance(x, Value) and x.dtype.is_floating


OTHERS = (
    "UnsupportedError",
    "Value",
    "ArgumentError",
    "ConvolutionOf",
    "Layer",
    "Quantized",
    "matmul",
)
__all__ = exported(globals(), "QuantStub", but=OTHERS)
