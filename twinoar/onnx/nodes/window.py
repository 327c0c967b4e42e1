"""Windows that slide over the last dimensions: their sizes, and their elements."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import twinoar as paddle


@dataclass
class Window:
    """A window over some dimensions. before, after: what is added to each."""

    kernel: list[int]
    strides: list[int]
    dilations: list[int]
    before: list[int]
    after: list[int]
    is_ceiled: bool = False

    @property
    def rank(self) -> int:
        """How many dimensions it covers."""
        return len(self.kernel)

    @property
    def spans(self) -> list[int]:
        """How far it reaches in each dimension."""
        return [d * (k - 1) + 1 for d, k in zip(self.dilations, self.kernel, strict=True)]

    def counts(self, sizes: list[int]) -> list[int]:
        """How many windows there are in each dimension."""
        found = []
        for n, size in enumerate(sizes):
            room = size + self.before[n] + self.after[n] - self.spans[n]
            stride = self.strides[n]
            count = (math.ceil(room / stride) if self.is_ceiled else room // stride) + 1
            if self.is_ceiled and (count - 1) * stride >= size + self.before[n]:
                count -= 1  # it would begin behind the last element
            found.append(count)
        return found

    def padded(self, x: Any, fill: float) -> Any:
        """`x` with what the windows reach beyond it."""
        sizes = list(x.shape[-self.rank :])
        counts = self.counts(sizes)
        for n, size in enumerate(sizes):
            axis = len(x.shape) - self.rank + n
            end = (counts[n] - 1) * self.strides[n] + self.spans[n]
            after = max(end - size - self.before[n], 0)
            for amount, is_first in ((self.before[n], True), (after, False)):
                if amount:
                    shape = [*x.shape[:axis], amount, *x.shape[axis + 1 :]]
                    part = paddle.full(shape, fill, x.dtype)
                    x = paddle.concat([part, x] if is_first else [x, part], axis)
        return x

    def elements(self, x: Any, fill: float) -> Iterator[Any]:
        """The first elements of all windows, then the second, and so on."""
        counts = self.counts(list(x.shape[-self.rank :]))
        x = self.padded(x, fill)
        axes = list(range(len(x.shape) - self.rank, len(x.shape)))
        for offset in np.ndindex(*self.kernel):
            starts = [o * d for o, d in zip(offset, self.dilations, strict=True)]
            ends = [
                a + (c - 1) * s + 1 for a, c, s in zip(starts, counts, self.strides, strict=True)
            ]
            yield paddle.strided_slice(x, axes, starts, ends, self.strides)


def window(
    sizes: list[int],
    kernel: list[int],
    strides: list[int] | None,
    dilations: list[int] | None,
    pads: list[int] | None,
    auto_pad: str,
    ceil_mode: int = 0,
) -> Window:
    """The window that attributes of a node describe, over dimensions of these sizes."""
    rank = len(kernel)
    strides, dilations = strides or [1] * rank, dilations or [1] * rank
    pads = pads or [0] * (2 * rank)
    found = Window(kernel, strides, dilations, pads[:rank], pads[rank:], bool(ceil_mode))
    if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        totals = [
            max((math.ceil(d / s) - 1) * s + span - d, 0)
            for d, s, span in zip(sizes, strides, found.spans, strict=True)
        ]
        less, more = [t // 2 for t in totals], [t - t // 2 for t in totals]
        found.before, found.after = (less, more) if auto_pad == "SAME_UPPER" else (more, less)
    elif auto_pad == "VALID":
        found.before = found.after = [0] * rank
    return found
