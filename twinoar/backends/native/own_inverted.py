"""Inverted residuals in a loop of our own: three convolutions of which the second is depthwise."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from twinoar.backends.llvm.contraction import inverted, window
from twinoar.backends.llvm.contraction.channelwise import Filter
from twinoar.backends.llvm.contraction.finish import Step
from twinoar.backends.llvm.contraction.launch import Launch, Memory
from twinoar.backends.llvm.contraction.plan import Steps, block_words, one_panel, packed
from twinoar.backends.llvm.contraction.table import Contraction, Lie, offsets
from twinoar.backends.llvm.contraction.tile import Shape, fitted, shape_of
from twinoar.backends.llvm.jit import Code, load
from twinoar.backends.native.own_images import (
    bordered,
    channelwise_words,
    filter_of,
    images_lie,
    in_scratch,
    memory_of,
    step_of,
)
from twinoar.compile.part import Temporary
from twinoar.compile.pipeline import Post
from twinoar.compile.storage import View
from twinoar.compile.target import Target
from twinoar.core.op.library import Inverted

Words = tuple[Memory | np.ndarray | int, ...]

STRIP_PIXELS = 96  # of the result in a strip: some sixteen rows of tiles
ROOM_BYTES = 256 << 10  # of wide rows, a quarter of a second cache
BOUNDS: dict[str, tuple[Step, ...]] = {
    "relu": (Step("max"),),
    "relu6": (Step("max"), Step("min", number=6.0)),
    "hardswish": (Step("hardswish"),),
}


def inverted_launches(
    asked: Inverted,
    operands: Sequence[View],
    result: View,
    target: Target,
    posts: Sequence[Post] = (),
) -> list[Launch]:
    """The kernels that compute a result from its operands, in order; `posts` finish its elements.

    The result lies with channels last, without gaps.
    """
    return _Call(asked, operands, result, target, posts).launches()


class _Call:
    """A call on its way to launches. before: what packs and copies."""

    def __init__(
        self,
        asked: Inverted,
        operands: Sequence[View],
        result: View,
        target: Target,
        posts: Sequence[Post],
    ):
        self.asked, self.target = asked, target
        self.x, self.weight, self.bias, self.depthwise, self.each_bias, self.narrow = operands
        self.result, self.steps = result, [step_of(p, result) for p in posts]
        self.shape = shape_of(result.base.dtype, target)
        widths = self.weight.shape[0], self.narrow.shape[0]
        self.shapes = tuple([fitted(self.shape, n, target) for n in widths])
        self.size = self.shape.dtype.itemsize
        lie, memory = images_lie(result, asked.widen), memory_of(result)
        self.out, self.memory, self.after = in_scratch(lie, memory, target)
        self.wide = self._wide()
        kernel, across = self.depthwise.shape[2:], (self.wide.shape[3], self.out.shape[3])
        self.filter, self.ends = filter_of(asked.each, kernel, *across)
        self.before: list[Launch] = []

    def _wide(self) -> Lie:
        """The image between the first two convolutions, if it were whole."""
        asked, x = self.asked.widen, images_lie(self.x, self.asked.widen)
        channels, _, *kernel = self.weight.shape
        edges = zip(asked.padding[::2], asked.padding[1::2], strict=True)
        height, width = (
            (n + sum(edge) - (k - 1) * d - 1) // s + 1
            for n, edge, k, d, s in zip(
                x.shape[2:], edges, kernel, asked.dilation, asked.strides, strict=True
            )
        )
        row = width * channels
        return Lie((x.shape[0], channels, height, width), (height * row, 1, row, channels))

    def launches(self) -> list[Launch]:
        """What packs and copies, and the kernel."""
        (n, _, height, width), (_, channels, high, wide) = self.out.shape, self.wide.shape
        each = self.asked.each
        reach = (self.depthwise.shape[2] - 1) * each.dilation[0] + 1
        rows = min(height, -(-STRIP_PIXELS // width))
        row_bytes = wide * channels * self.size
        held = max((rows - 1) * each.strides[0] + reach, min(high, ROOM_BYTES // row_bytes))
        strips = -(-height // rows)
        is_parallel = n * strips > 1
        parts = self.target.threads if is_parallel else 1
        second = held * row_bytes + 64 - held * row_bytes % 64
        whole = second + rows * width * channels * self.size
        part_bytes = whole + 128 - whole % 64
        room = Memory(Temporary(part_bytes * parts, "room"), self.shape.dtype)
        widen, narrow = self._widen(held), self._narrow(rows)
        words = (
            room, part_bytes, second, held, row_bytes, widen[4], narrow[6], strips, rows, high,
            wide, height, width, each.strides[0], each.padding[0], reach,
            *widen, *self._each(rows), *narrow,
        )  # fmt: skip
        shapes = self.shapes[0], self.shape, self.shapes[1]
        code = _code(shapes, self.filter, self.target, self._finish())
        launch = Launch(inverted.NAME, code, words, n * strips, is_parallel)
        return [*self.before, launch, *self.after]

    def _finish(self) -> inverted.Three:
        bounds = (Step("add", "column"), *BOUNDS[self.asked.activation])
        return bounds, bounds, tuple([step for step, _ in self.steps])

    def _bounded(self, bias: View) -> Steps:
        """A bias, and the activation."""
        steps: list[tuple[Step, Memory | int]] = [(Step("add", "column"), memory_of(bias))]
        return steps + [(step, 0) for step in BOUNDS[self.asked.activation]]

    def _widen(self, held: int) -> Words:
        """The words of the first convolution, whose results lie in the room."""
        asked = self.asked.widen
        image, a, copies = bordered(
            images_lie(self.x, asked), memory_of(self.x), window.forward_border(asked), self.target
        )
        self.before += copies
        filters = Lie(self.weight.shape, self.weight.strides)
        c = window.forward(asked, image, filters, self.wide).by_place()
        channels, pixels = self.wide.shape[1], held * self.wide.shape[3]
        return self._product(
            self.shapes[0],
            c,
            offsets((pixels, channels)),
            a,
            memory_of(self.weight),
            0,
            self._bounded(self.bias),
        )

    def _narrow(self, rows: int) -> Words:
        """The words of the last, which reads what the second gives."""
        _, filters, height, width = self.out.shape
        channels, pixels = self.wide.shape[1], self.out.shape[0] * height * width
        weight = Lie(self.narrow.shape, self.narrow.strides)
        c = Contraction(
            a_batch=offsets(),
            a_rows=offsets((rows * width, channels)),
            a_inner=offsets((channels, 1)),
            b_batch=offsets(),
            b_inner=offsets(weight.axis(1)),
            b_columns=offsets(weight.axis(0)),
            c_batch=offsets(),
            c_rows=offsets(*(self.out.axis(d) for d in (0, 2, 3))),
            c_columns=offsets((filters, 1)),
        )
        assert len(c.c_rows) == pixels
        return self._product(
            self.shapes[1], c, c.c_rows, 0, memory_of(self.narrow), self.memory, self.steps
        )

    def _product(
        self,
        shape: Shape,
        c: Contraction,
        c_rows: np.ndarray,
        a: Memory | int,
        b: Memory,
        out: Memory | int,
        steps: Steps,
    ) -> Words:
        reads, b, strides, packing = packed(c, b, shape, self.target)
        self.before.append(packing)
        reads = reads.into(c_rows, reads.c_columns, reads.c_batch)
        return block_words(reads, (a, b, out), strides, self.size, steps)

    def _each(self, rows: int) -> Words:
        """The words of the second, whose images are a strip."""
        n, channels, height, width = self.out.shape[0], self.wide.shape[1], rows, self.out.shape[3]
        y = Lie((n, channels, height, width), (0, 1, width * channels, channels))
        inner = offsets(*((self.depthwise.shape[d], self.depthwise.strides[d]) for d in (2, 3)))
        columns = offsets((channels, self.depthwise.strides[0]))
        b, step, packing = one_panel(
            memory_of(self.depthwise), inner, columns, self.shape, self.target
        )
        self.before.append(packing)
        return channelwise_words(
            self.asked.each,
            (self.wide, y),
            self.ends,
            (0, 0, b),
            step,
            self._bounded(self.each_bias),
        )


@functools.cache
def _code(
    shapes: tuple[Shape, Shape, Shape], filter: Filter, target: Target, steps: inverted.Three
) -> Code:
    return load(inverted.inverted(shapes, filter, target, steps), [inverted.NAME], target=target)
