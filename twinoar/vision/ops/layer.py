"""A convolution with what usually follows it, as one layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.nn import BatchNorm2D, Conv2D, Layer, ReLU, Sequential

Size = int | Sequence[int]


class ConvNormActivation(Sequential):
    """A convolution, a normalization, an activation.

    padding: by default what keeps the size where stride is 1. norm_layer, activation_layer: make
    the layers that follow, norm_layer of the number of channels; None leaves one out. bias: of the
    convolution, by default only without a normalization. x: [N,C,H,W].

    >>> ConvNormActivation(3, 8, stride=2)(twinoar.zeros([1, 3, 6, 6])).shape
    [1, 8, 3, 3]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Size = 3,
        stride: Size = 1,
        padding: Size | None = None,
        groups: int = 1,
        norm_layer: Callable[..., Layer] | None = BatchNorm2D,
        activation_layer: Callable[..., Layer] | None = ReLU,
        dilation: int = 1,
        bias: bool | None = None,
    ) -> None:
        if padding is None:
            padding = _same(kernel_size, dilation)
        if bias is None:
            bias = norm_layer is None
        layers: list[Any] = [
            Conv2D(
                in_channels,
                out_channels,
                kernel_size,
                stride,
                padding,
                dilation=dilation,
                groups=groups,
                bias_attr=None if bias else False,
            )
        ]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer())
        super().__init__(*layers)


def _same(kernel_size: Size, dilation: int) -> Size:
    if isinstance(kernel_size, int):
        return (kernel_size - 1) // 2 * dilation
    return [(side - 1) // 2 * dilation for side in kernel_size]
