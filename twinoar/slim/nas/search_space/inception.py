"""The space around Inception-A: four branches side by side.

Source: Szegedy et al. 2016, "Inception-v4, Inception-ResNet and the Impact of Residual Connections
on Learning", arXiv 1602.07261, figure 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.nn import functional
from twinoar.ops.shape.concat import concat
from twinoar.slim.nas.search_space.base import (
    SEARCHSPACE,
    Arch,
    BlockSpace,
    Ends,
    Points,
    convolve,
)

CHANNELS = np.array(
    [
        *(3, 4, 8, 12, 16, 24, 32, 48, 64, 80, 96, 128),
        *(144, 160, 192, 224, 256, 320, 384, 448, 480, 512, 1024),
    ]
)
WINDOWS = np.array([3, 5])
POOLS = (functional.avg_pool2d, functional.max_pool2d)


@SEARCHSPACE.register
class InceptionABlockSpace(BlockSpace):
    """Blocks of four branches as a part of a network.

    Of each the channels of its seven convolutions, the window of those that have one, and how the
    first branch pools. Sizes are halved as block_mask says; PaddleSlim passes over it.

    >>> InceptionABlockSpace(32, 16, 1).range_table()
    [23, 23, 23, 23, 23, 23, 23, 2, 2]
    """

    per_block = (*[CHANNELS] * 7, WINDOWS, np.array([0, 1]))

    def token2arch(self, tokens: Sequence[int] | None = None) -> Arch:
        """`part(input, return_mid_layer=False, return_block=None)`, as of MobileNetV2BlockSpace."""
        blocks = self.chosen(self.init_tokens() if tokens is None else tokens)

        def part(input: Any, return_mid_layer: bool = False, return_block: Points = None) -> Any:
            x, ends = input, Ends(return_block, None, 0)
            for n, (*channels, size, pool, stride) in enumerate(blocks):
                ends.before(stride, x)
                x = _branches(x, channels, int(size), POOLS[pool], stride, f"inceptionA_{n + 1}")
            return (x, ends.found) if return_mid_layer else (x,)

        return part


def _branches(x: Any, channels: Sequence[int], size: int, pool: Any, stride: int, name: str) -> Any:
    """What is pooled, and convolutions of one, two and three steps, side by side."""

    def step(y: Any, at: int, window: int, by: int, part: str) -> Any:
        return convolve(y, channels[at], window, f"{name}_conv{part}", by, act="relu")

    pooled = step(pool(x, size, stride=1, padding="SAME"), 0, 1, stride, "1")
    short = step(x, 1, 1, stride, "2")
    middle = step(step(x, 2, 1, 1, "3_1"), 3, size, stride, "3_2")
    long = step(step(x, 4, 1, 1, "4_1"), 5, size, 1, "4_2")
    return concat([pooled, short, middle, step(long, 6, size, stride, "4_3")], 1)
