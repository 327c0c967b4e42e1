"""Channels, pixels and windows that change places, as layers."""

from __future__ import annotations

from typing import Any

from twinoar.nn import functional
from twinoar.nn.function_layer import FunctionLayer

IMAGES = {"data_format": "NCHW"}


class PixelShuffle(FunctionLayer, of=functional.pixel_shuffle, untold=IMAGES):
    """Groups of channels become squares of pixels: [N,C r^2,H,W] becomes [N,C,H r,W r].

    >>> twinoar.nn.PixelShuffle(2)(twinoar.ones([1, 8, 2, 3])).shape
    [1, 2, 4, 6]
    """


class PixelUnshuffle(FunctionLayer, of=functional.pixel_unshuffle, untold=IMAGES):
    """Squares of pixels become groups of channels: [N,C,H,W] becomes [N,C r^2,H/r,W/r].

    >>> twinoar.nn.PixelUnshuffle(2)(twinoar.ones([1, 2, 4, 6])).shape
    [1, 8, 2, 3]
    """


class ChannelShuffle(FunctionLayer, of=functional.channel_shuffle, untold=IMAGES):
    """The first channel of each group, then the second of each, and so on.

    >>> x = twinoar.arange(4).astype("float32").reshape([1, 4, 1, 1])
    >>> twinoar.nn.ChannelShuffle(2)(x).flatten().tolist()
    [0.0, 2.0, 1.0, 3.0]
    """


class Unfold(FunctionLayer, of=functional.unfold):
    """The windows of images as columns: `functional.unfold` with its arguments kept.

    >>> twinoar.nn.Unfold(2)(twinoar.ones([1, 3, 4, 4])).shape
    [1, 12, 9]
    """

    def __init__(
        self,
        kernel_sizes: Any,
        dilations: Any = 1,
        paddings: Any = 0,
        strides: Any = 1,
        name: str | None = None,
    ):
        super().__init__(
            kernel_sizes=kernel_sizes,
            strides=strides,
            paddings=paddings,
            dilations=dilations,
            name=name,
        )


class Fold(FunctionLayer, of=functional.fold):
    """Images as sums of columns: `functional.fold` with its arguments kept.

    >>> twinoar.nn.Fold([4, 4], 2)(twinoar.ones([1, 12, 9])).shape
    [1, 3, 4, 4]
    """

    def __init__(
        self,
        output_sizes: Any,
        kernel_sizes: Any,
        dilations: Any = 1,
        paddings: Any = 0,
        strides: Any = 1,
        name: str | None = None,
    ):
        super().__init__(
            output_sizes=output_sizes,
            kernel_sizes=kernel_sizes,
            strides=strides,
            paddings=paddings,
            dilations=dilations,
            name=name,
        )
