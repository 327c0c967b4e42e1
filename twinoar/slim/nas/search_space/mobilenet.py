"""Spaces around MobileNet, the first and the second, whole and in blocks.

Sources: Howard et al. 2017, arXiv 1704.04861; Sandler et al. 2018, arXiv 1801.04381.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from twinoar.nn import functional as F
from twinoar.slim.nas.search_space.base import (
    SEARCHSPACE,
    Arch,
    BlockSpace,
    Ends,
    Points,
    SearchSpaceBase,
    convolve,
    limited,
)

HEADS = np.array([3, 4, 8, 12, 16, 24, 32])
SIZES = np.array([3, 5])  # of windows
EXPANSIONS = np.array([1, 2, 3, 4, 6])
REPEATS = np.array([1, 2, 3, 4, 5, 6])
ALL = [3, 4, 8, 12, 16, 24, 32, 48, 64, 80, 96, 128, 144, 160, 192, 224, 256, 320, 384, 512]
SECOND = (
    np.array([3, 4, 8, 12, 16, 24, 32, 48]),
    np.array([8, 12, 16, 24, 32, 48, 64, 80]),
    np.array([16, 24, 32, 48, 64, 80, 96, 128]),
    np.array([24, 32, 48, 64, 80, 96, 128, 144, 160, 192]),
    np.array([32, 48, 64, 80, 96, 128, 144, 160, 192, 224]),
    np.array([64, 80, 96, 128, 144, 160, 192, 224, 256, 320, 384, 512]),
)
ENTERING = 32  # channels that the first stage is expanded from, as PaddleSlim counts them
STRIDES_OF_SECOND = (2, 2, 2, 1, 2, 1)
FIRST = (
    np.array([3, 4, 8, 12, 16, 24, 32, 48]),
    np.array([8, 12, 16, 24, 32, 48, 64, 80]),
    np.array([16, 24, 32, 48, 64, 80, 96, 128, 144, 160]),
    np.array([24, 32, 48, 64, 80, 96, 128, 144, 160, 192]),
    np.array([32, 48, 64, 80, 96, 128, 144, 160, 192, 224, 256, 320]),
    np.array([64, 80, 96, 128, 144, 160, 192, 224, 256, 320, 384]),
    np.array([64, 80, 96, 128, 144, 160, 192, 224, 256, 320, 384, 512, 1024, 1048]),
    np.array([128, 144, 160, 192, 224, 256, 320, 384, 512, 576, 640, 704, 768]),
    np.array([160, 192, 224, 256, 320, 384, 512, 640, 768, 832, 1024, 1048]),
)
STRIDES_OF_FIRST = (1, 2, 1, 2, 1, 2)  # before the blocks that are repeated
REPEATED, DEPTH = 6, 19  # which pair that is, and where its count stands among the tokens


@SEARCHSPACE.register
class MobileNetV2Space(SearchSpaceBase):
    """MobileNetV2: channels, expansions, repetitions and windows of its six stages.

    >>> space = MobileNetV2Space()
    >>> len(space.init_tokens()) == len(space.range_table()) == 25
    True
    """

    def init_tokens(self) -> list[int]:
        """Those of MobileNetV2 itself, nearly."""
        return [4, 4, 5, 1, 0, 4, 4, 2, 0, 4, 4, 3, 0, 4, 5, 2, 0, 4, 7, 2, 0, 4, 9, 0, 0]

    def range_table(self) -> list[int]:
        """The head, then expansion, channels, repetitions and window of each stage."""
        stages = [(len(EXPANSIONS), len(c), len(REPEATS), len(SIZES)) for c in SECOND]
        return [len(HEADS), *(n for stage in stages for n in stage)]

    def token2arch(self, tokens: Sequence[int] | None = None) -> Arch:
        """A function of an image, [N,C,H,W]: `net(input, scale=1.0, return_block=None,
        end_points=None, output_stride=None)`.

        It returns pooled values, [N,C,1,1]; with end_points, which counts halvings, what there is
        then, and values after as many as return_block names, by these. output_stride: the most by
        which sizes are divided.
        """
        given = self.init_tokens() if tokens is None else list(tokens)
        blocks: list[Any] = [(1, HEADS[given[0]], 1, 3)]
        for n, channels in enumerate(SECOND):
            e, c, r, k = given[1 + 4 * n : 5 + 4 * n]
            blocks.append((EXPANSIONS[e], channels[c], REPEATS[r], SIZES[k]))

        def net(
            input: Any,
            scale: float = 1.0,
            return_block: Points = None,
            end_points: Points = None,
            output_stride: int | None = None,
        ) -> Any:
            before = int(ENTERING * scale)
            x = convolve(input, before, 3, "mobilenetv2_conv1", 2, act="relu6")
            ends, wide = Ends(return_block, end_points, 1), None
            strides = limited((1, *STRIDES_OF_SECOND), output_stride)
            for n, ((e, c, r, k), stride) in enumerate(zip(blocks, strides, strict=True)):
                if ends.before(stride, wide):
                    return x, ends.found
                name, filters = f"mobilenetv2_conv{n}", int(c * scale)
                x, wide = _stage(x, before, filters, e, r, stride, k, name)
                before = filters
            if ends.after(wide):
                return x, ends.found
            last = int(1280 * scale) if scale > 1.0 else 1280
            x = convolve(x, last, 1, f"mobilenetv2_conv{len(blocks)}", act="relu6")
            return F.adaptive_avg_pool2d(x, 1)

        return net


@SEARCHSPACE.register
class MobileNetV1Space(SearchSpaceBase):
    """MobileNet: channels and windows of its pairs of convolutions, and how often one is repeated.

    >>> space = MobileNetV1Space()
    >>> len(space.init_tokens()) == len(space.range_table()) == 29
    True
    """

    def init_tokens(self) -> list[int]:
        """Those of MobileNet itself, nearly."""
        pairs = [6, 6, 0, 6, 7, 0, 7, 6, 0, 6, 10, 0, 10, 8, 0, 8, 11, 0]
        return [6, *pairs, 4, 11, 8, 0, 8, 10, 0, 10, 10, 0]

    def range_table(self) -> list[int]:
        """The head; channels and window of each pair; in between how often one is repeated."""
        found = [len(HEADS)]
        for n, (a, b) in enumerate(_pairs_of_first()):
            found += [len(REPEATS)] if n == REPEATED else []
            found += [len(a), len(b), len(SIZES)]
        return found

    def token2arch(self, tokens: Sequence[int] | None = None) -> Arch:
        """A function of an image, with the arguments of MobileNetV2Space."""
        given = self.init_tokens() if tokens is None else list(tokens)
        triples = given[1:DEPTH] + given[DEPTH + 1 :]
        picks = [
            (a[triples[3 * n]], b[triples[3 * n + 1]], SIZES[triples[3 * n + 2]])
            for n, (a, b) in enumerate(_pairs_of_first())
        ]
        repeated = [picks[REPEATED]] * int(REPEATS[given[DEPTH]])
        blocks = [*picks[:REPEATED], *repeated, *picks[REPEATED + 1 :]]
        halving = (*STRIDES_OF_FIRST, *(1 for _ in repeated), 2, 1)

        def net(
            input: Any,
            scale: float = 1.0,
            return_block: Points = None,
            end_points: Points = None,
            output_stride: int | None = None,
        ) -> Any:
            x = convolve(input, int(HEADS[given[0]]), 3, "mobilenetv1_conv1", 2)
            ends = Ends(return_block, end_points, 1)
            strides = limited(halving, output_stride)
            for n, ((first, second, k), stride) in enumerate(zip(blocks, strides, strict=True)):
                if ends.before(stride, x):
                    return x, ends.found
                x = _separable(x, first, second, k, stride, scale, f"mobilenetv1_{n + 1}")
            if ends.after(x):
                return x, ends.found
            return F.adaptive_avg_pool2d(x, 1)

        return net


@SEARCHSPACE.register
class MobileNetV2BlockSpace(BlockSpace):
    """Stages of MobileNetV2 as a part of a network: expansion, channels, repetitions, window."""

    per_block = (np.array([1, 2, 3, 4, 5, 6]), np.array(ALL), REPEATS, SIZES)

    def token2arch(self, tokens: Sequence[int] | None = None) -> Arch:
        """`part(input, return_mid_layer=False, return_block=None)`: a tuple of what it gives, and
        with return_mid_layer of values by how often sizes were halved."""
        blocks = self.chosen(self.init_tokens() if tokens is None else tokens)

        def part(input: Any, return_mid_layer: bool = False, return_block: Points = None) -> Any:
            x, wide, before, ends = input, None, ENTERING, Ends(return_block, None, 0)
            for n, (e, c, r, k, stride) in enumerate(blocks):
                ends.before(stride, wide)
                x, wide = _stage(x, before, int(c), e, r, stride, k, f"mobilenetv2_{n + 1}")
                before = int(c)
            ends.after(wide)
            return (x, ends.found) if return_mid_layer else (x,)

        return part


@SEARCHSPACE.register
class MobileNetV1BlockSpace(BlockSpace):
    """Pairs of convolutions of MobileNet as a part of a network: channels of both, window."""

    per_block = (
        np.array([*ALL, 576, 640, 768, 1024, 1048]),
        np.array([*ALL, 576, 640, 768, 1024, 1048]),
        SIZES,
    )

    def token2arch(self, tokens: Sequence[int] | None = None) -> Arch:
        """`part(input, return_mid_layer=False, return_block=None)`, as of MobileNetV2BlockSpace."""
        blocks = self.chosen(self.init_tokens() if tokens is None else tokens)

        def part(input: Any, return_mid_layer: bool = False, return_block: Points = None) -> Any:
            x, ends = input, Ends(return_block, None, 0)
            for n, (first, second, k, stride) in enumerate(blocks):
                ends.before(stride, x)
                x = _separable(x, first, second, k, stride, 1.0, f"mobilenetv1_{n + 1}")
            return (x, ends.found) if return_mid_layer else (x,)

        return part


def _pairs_of_first() -> list[tuple[np.ndarray, np.ndarray]]:
    return [*pairwise(FIRST), (FIRST[-1], FIRST[-1])]


def _stage(
    x: Any, before: int, filters: int, expansion: int, repeats: int, stride: int, size: int,
    name: str,
) -> tuple[Any, Any]:  # fmt: skip
    """Inverted residuals, and what the last has between its convolutions."""
    wide = None
    for n in range(int(repeats)):
        unit = f"{name}_{n + 1}"
        inside = round((filters if n else before) * expansion)
        y = convolve(x, inside, 1, f"{unit}_expand", act="relu6")
        step = 1 if n else stride
        wide = convolve(y, inside, size, f"{unit}_dwise", step, groups=inside, act="relu6")
        y = convolve(wide, filters, 1, f"{unit}_linear")
        x = x + y if n else y
    return x, wide


def _separable(
    x: Any, first: int, second: int, size: int, stride: int, scale: float, name: str
) -> Any:
    """A convolution of each channel by itself, and one of 1 x 1."""
    groups = x.shape[1]
    wanted = int(first * scale)
    filters = wanted - wanted % groups if wanted > groups else groups
    y = convolve(x, filters, size, f"{name}_dw", stride, groups=groups)
    return convolve(y, int(second * scale), 1, f"{name}_sep")
