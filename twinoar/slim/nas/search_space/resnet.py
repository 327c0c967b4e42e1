"""The space around ResNet: channels and depths of its four stages.

Source: He et al. 2015, arXiv 1512.03385.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.slim.nas.search_space.base import (
    SEARCHSPACE,
    Arch,
    BlockSpace,
    Ends,
    Points,
    SearchSpaceBase,
    convolve,
)

EXPANSION = 4  # of a bottleneck's last convolution
CHOICES = (  # channels and depth of each stage
    [48, 64, 96, 128, 160, 192, 224],
    [2, 3, 4, 5, 6],
    [64, 96, 128, 160, 192, 256, 320],
    [2, 3, 4, 5, 6, 7],
    [128, 160, 192, 256, 320, 384],
    [2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24],
    [192, 256, 384, 512, 640],
    [2, 3, 4, 5, 6, 7],
)
CHANNELS = np.array([48, 64, 96, 128, 160, 192, 224, 256, 320, 384, 512, 640])
TIMES = np.array([0, 1, 2, 3, 4, 6, 7, 8, 10, 12, 14, 16])
WINDOWS = np.array([3, 5])


@SEARCHSPACE.register
class ResNetSpace(SearchSpaceBase):
    """ResNet of bottlenecks: channels and depth of each of its four stages.

    >>> ResNetSpace().range_table()
    [7, 5, 7, 6, 6, 13, 5, 6]
    """

    def init_tokens(self) -> list[int]:
        """Near ResNet-50."""
        return [1, 1, 2, 2, 3, 4, 3, 1]

    def range_table(self) -> list[int]:
        """Channels and depth of each stage."""
        return [len(choices) for choices in CHOICES]

    def token2arch(self, tokens: Sequence[int] | None = None) -> Arch:
        """`net(input, return_block=None, end_points=None)` of an image, [N,C,H,W]: its features.

        With end_points, which counts halvings, what there is then, and values after as many as
        return_block names, by these.
        """
        given = self.init_tokens() if tokens is None else list(tokens)
        picks = [choices[token] for choices, token in zip(CHOICES, given, strict=True)]
        stages = list(zip(picks[::2], picks[1::2], strict=True))

        def net(input: Any, return_block: Points = None, end_points: Points = None) -> Any:
            x = convolve(input, stages[0][0], 5, "resnet_conv0", 2, act="relu")
            ends = Ends(return_block, end_points, 1)
            for stage, (filters, depth) in enumerate(stages):
                for n in range(depth):
                    stride = 2 if n == 0 and stage else 1
                    if ends.before(stride, x):
                        return x, ends.found
                    x = _bottleneck(x, filters, stride, f"resnet_depth{n}_block{stage}")
            return (x, ends.found) if ends.after(x) else x

        return net


@SEARCHSPACE.register
class ResNetBlockSpace(BlockSpace):
    """Bottlenecks as a part of a network.

    Of each the channels of its three convolutions, the window of the second, and how often the
    first and the third, of 1 x 1, are repeated. The second has as many channels as the third, as in
    PaddleSlim, so that a third which is repeated 0 times leaves what fits.

    >>> ResNetBlockSpace(32, 16, 2).range_table()
    [12, 12, 12, 2, 12, 12, 12, 12, 12, 2, 12, 12]
    """

    per_block = (CHANNELS, CHANNELS, CHANNELS, WINDOWS, TIMES, TIMES)

    def token2arch(self, tokens: Sequence[int] | None = None) -> Arch:
        """`part(input, return_mid_layer=False, return_block=None)`, as of MobileNetV2BlockSpace."""
        blocks = self.chosen(self.init_tokens() if tokens is None else tokens)

        def part(input: Any, return_mid_layer: bool = False, return_block: Points = None) -> Any:
            x, ends = input, Ends(return_block, None, 0)
            for n, (before, _, after, size, first, last, stride) in enumerate(blocks):
                ends.before(stride, x)
                name = f"resnet{n + 1}"
                short = x
                if x.shape[1] != after or stride != 1:
                    short = convolve(x, after, 1, f"{name}_shortcut", stride)
                for i in range(first):
                    x = convolve(x, before, 1, f"{name}_bottleneck_conv0_{i}", act="relu")
                x = convolve(x, after, size, f"{name}_bottleneck_conv1", stride, act="relu")
                for i in range(last):
                    x = convolve(x, after, 1, f"{name}_bottleneck_conv2_{i}")
                x = x + short
            return (x, ends.found) if return_mid_layer else (x,)

        return part


def _bottleneck(x: Any, filters: int, stride: int, name: str) -> Any:
    y = convolve(x, filters, 1, f"{name}_bottleneck_conv0", act="relu")
    y = convolve(y, filters, 3, f"{name}_bottleneck_conv1", stride, act="relu")
    y = convolve(y, filters * EXPANSION, 1, f"{name}_bottleneck_conv2")
    if x.shape[1] != filters * EXPANSION or stride != 1:
        x = convolve(x, filters * EXPANSION, 1, f"{name}_shortcut_conv", stride)
    return x + y
