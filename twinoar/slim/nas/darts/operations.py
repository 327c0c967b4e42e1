"""The operations that DARTS chooses from, each of C channels.

Source: Liu et al. 2019, "DARTS: Differentiable Architecture Search", arXiv 1806.09055, section 3.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar import nn
from twinoar.ops.shape.concat import concat

PRIMITIVES = (
    "none",
    "max_pool_3x3",
    "avg_pool_3x3",
    "skip_connect",
    "sep_conv_3x3",
    "sep_conv_5x5",
    "dil_conv_3x3",
    "dil_conv_5x5",
)


class Zero(nn.Layer):
    """Nothing: zeros, of every `stride`-th row and column."""

    def __init__(self, stride: int):
        super().__init__()
        self.stride = stride

    def forward(self, x: Any) -> Any:
        """0 x."""
        return x[:, :, :: self.stride, :: self.stride] * 0.0


class FactorizedReduce(nn.Layer):
    """Half the rows and columns: two products over channels, of the even and of the odd ones.

    x: [N,C,H,W]. channels: [N,channels,H / 2,W / 2] is returned, rounded up.
    """

    def __init__(self, inner: int, channels: int, affine: bool = True):
        super().__init__()
        half = channels // 2
        self.even = nn.Conv2D(inner, half, 1, stride=2, bias_attr=False)
        self.odd = nn.Conv2D(inner, channels - half, 1, stride=2, bias_attr=False)
        self.norm = batch_norm(channels, affine)

    def forward(self, x: Any) -> Any:
        """Both, side by side."""
        x = nn.functional.relu(x)
        shifted = nn.functional.pad(x, [0, 1, 0, 1])[:, :, 1:, 1:]
        return self.norm(concat([self.even(x), self.odd(shifted)], 1))


def batch_norm(channels: int, affine: bool) -> nn.Layer:
    """Batch normalization, with a gain and a shift where affine."""
    attr = None if affine else False
    return nn.BatchNorm2D(channels, weight_attr=attr, bias_attr=attr)


def relu_conv_norm(inner: int, channels: int, affine: bool = True) -> nn.Layer:
    """A product over channels, between ReLU and batch normalization."""
    product = nn.Conv2D(inner, channels, 1, bias_attr=False)
    return nn.Sequential(nn.ReLU(), product, batch_norm(channels, affine))


def _by_channel(channels: int, size: int, stride: int, dilation: int, affine: bool) -> list[Any]:
    """A convolution of each channel, a product over channels, normalization."""
    padding = dilation * (size // 2)
    window: dict[str, Any] = {"stride": stride, "padding": padding, "dilation": dilation}
    return [
        nn.ReLU(),
        nn.Conv2D(channels, channels, size, groups=channels, bias_attr=False, **window),
        nn.Conv2D(channels, channels, 1, bias_attr=False),
        batch_norm(channels, affine),
    ]


def _separable(size: int) -> Callable[[int, int, bool], nn.Layer]:
    def make(channels: int, stride: int, affine: bool) -> nn.Layer:
        first = _by_channel(channels, size, stride, 1, affine)
        return nn.Sequential(*first, *_by_channel(channels, size, 1, 1, affine))

    return make


def _dilated(size: int) -> Callable[[int, int, bool], nn.Layer]:
    def make(channels: int, stride: int, affine: bool) -> nn.Layer:
        return nn.Sequential(*_by_channel(channels, size, stride, 2, affine))

    return make


def _skip(channels: int, stride: int, affine: bool) -> nn.Layer:
    return nn.Identity() if stride == 1 else FactorizedReduce(channels, channels, affine)


def _pool(kind: type) -> Callable[[int, int, bool], nn.Layer]:
    def make(channels: int, stride: int, affine: bool) -> nn.Layer:
        return nn.Sequential(kind(3, stride, 1), batch_norm(channels, affine))

    return make


OPERATIONS: dict[str, Callable[[int, int, bool], nn.Layer]] = {
    "none": lambda channels, stride, affine: Zero(stride),
    "max_pool_3x3": _pool(nn.MaxPool2D),
    "avg_pool_3x3": _pool(nn.AvgPool2D),
    "skip_connect": _skip,
    "sep_conv_3x3": _separable(3),
    "sep_conv_5x5": _separable(5),
    "dil_conv_3x3": _dilated(3),
    "dil_conv_5x5": _dilated(5),
}
