"""Calls of our own products of integers of 8 bits: the kernels that run one.

Images lie with channels last, matrices row by row; what lies otherwise, has a border, or numbers of
other bits than a processor multiplies, is copied first. Weights become panels, once where no run
changes them.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twinoar.backends.llvm.contraction import depthwise, integers, table, window
from twinoar.backends.llvm.contraction.dot import dot_of
from twinoar.backends.llvm.contraction.ending import Ending
from twinoar.backends.llvm.contraction.integers import Grouped
from twinoar.backends.llvm.contraction.launch import Launch, Memory
from twinoar.backends.llvm.contraction.pack import PANELS
from twinoar.backends.llvm.contraction.plan import (
    SERIAL_OPERATIONS,
    blocks,
    copied,
    through_scratch,
)
from twinoar.backends.llvm.contraction.table import (
    Contraction,
    Lie,
    are_neighbors,
    offsets,
    spread,
)
from twinoar.backends.llvm.contraction.tile import Shape, shape_of
from twinoar.backends.llvm.contraction.window import Rows
from twinoar.backends.llvm.jit import Code, load
from twinoar.backends.native.own_images import images_copied, images_lie, is_depthwise
from twinoar.compile.part import Temporary
from twinoar.compile.storage import View
from twinoar.compile.target import Target
from twinoar.core.dtype import DType, float32, int8, int16, uint8
from twinoar.core.op.library import Convolution, Matmul, Scaled

Added = tuple[
    Memory | int, np.ndarray, np.ndarray
]  # the residual: where its batches, its rows begin
SLACK = 64  # bytes behind a copy: of its last numbers the neighbors are read as well


def integer_launches(
    asked: Scaled, operands: Sequence[Any], result: View, target: Target
) -> list[Launch]:
    """The kernels that compute a result from its operands, in order; see Scaled for these."""
    call = _Call(asked, operands, result, target)
    if isinstance(asked.product, Convolution):
        return _convolution(call, asked.product)
    assert isinstance(asked.product, Matmul)
    return _matrices(call)


class _Call:
    """A call, and what all kernels of it are given."""

    def __init__(self, asked: Scaled, operands: Sequence[Any], result: View, target: Target):
        self.asked, self.target, self.result = asked, target, result
        self.x, self.weight, self.scale, self.bias, self.residual, self.factor = operands
        self.dot, self.shape = dot_of(target), shape_of(float32, target)
        self.dtype: DType = self.x.base.dtype
        self.ending = Ending(
            each=self.scale.shape[0] > 1,
            bias=self.bias is not None,
            residual=None if self.residual is None else self.residual.base.dtype,
            activation=asked.activation,
            factor=self.factor is not None,
            result=result.base.dtype,
        )

    @property
    def read_as(self) -> DType:
        """What x is copied to where its products are of wider numbers."""
        return int16 if self.dot.group < 4 else self.dtype

    def placed(self, c: Contraction) -> tuple[Contraction, Memory, list[Launch]]:
        """C where its columns are neighbors, and what copies it to its place."""
        out = _memory(self.result)
        if are_neighbors(c.c_columns):
            return c, out.further(int(c.c_columns[0])), []
        return through_scratch(c, out, out.dtype, self.target)

    def numbers(self, added: Memory | int) -> tuple[Memory | int, ...]:
        """The words that the ending reads."""
        bias, factor = (0 if v is None else _memory(v) for v in (self.bias, self.factor))
        return _memory(self.scale), bias, added, factor

    def added_bytes(self, places: np.ndarray) -> np.ndarray:
        """Places of the residual in bytes."""
        return places * (1 if self.ending.residual is None else self.ending.residual.itemsize)


def _memory(view: View) -> Memory:
    return Memory(view.base, view.base.dtype, view.offset * view.base.dtype.itemsize)


# Convolutions.


def _convolution(call: _Call, asked: Convolution) -> list[Launch]:
    weight, y = Lie(call.weight.shape, call.weight.strides), images_lie(call.result, asked)
    alone = is_depthwise(asked, weight.shape)
    group, dtype = (1, call.dtype) if alone else (call.dot.group, call.read_as)
    image, a, before = _image(call, asked, weight, group, dtype)
    added, copies = _residual(call, asked)
    before += copies
    c = window.forward(asked, image, weight, y)
    a_inner, b_inner = _grouped(*_runs(asked, image, weight), group)
    c = replace(c, a_inner=a_inner)
    if alone:
        channels, one = weight.shape[0], np.zeros(1, np.int64)
        c = replace(
            c, b_batch=one, b_columns=offsets((channels, weight.strides[0])), c_batch=one,
            c_columns=offsets((channels, y.strides[1])),
        )  # fmt: skip
        return [*before, *_depthwise(call, c, b_inner, a, added)]
    return [*before, *_product(call, c, b_inner, a, added)]


def _image(
    call: _Call, asked: Convolution, weight: Lie, group: int, dtype: DType
) -> tuple[Lie, Memory, list[Launch]]:
    """x with its border, channels side by side, as numbers of `dtype`; and what copies it so."""
    image, given = images_lie(call.x, asked), _memory(call.x)
    border = window.forward_border(asked)
    is_near = image.shape[1] == 1 or image.strides[1] == 1
    length = weight.shape[1] if not _are_joined(asked, image) else weight.shape[1] * weight.shape[3]
    if is_near and given.dtype is dtype and not any(map(any, border)) and length % group == 0:
        return image, given, []
    return _copied(call, image, given, border, dtype)


def _copied(
    call: _Call, image: Lie, given: Memory, border: window.Border, dtype: DType
) -> tuple[Lie, Memory, list[Launch]]:
    """An image with channels last and a border, and the copy."""
    return images_copied(image, given, border, dtype, call.target, SLACK)


def _residual(call: _Call, asked: Convolution) -> tuple[Added, list[Launch]]:
    """What is added to images, and what copies it to where channels are side by side."""
    if call.residual is None:
        return (0, np.zeros(asked.groups, np.int64), np.zeros(1, np.int64)), []
    lie, memory = images_lie(call.residual, asked), _memory(call.residual)
    before: list[Launch] = []
    if lie.shape[1] > 1 and lie.strides[1] != 1:
        none = ((0, 0), (0, 0))
        lie, memory, before = _copied(call, lie, memory, none, memory.dtype)
    batch = offsets((asked.groups, lie.shape[1] // asked.groups * lie.strides[1]))
    return (memory, batch, offsets(*(lie.axis(d) for d in (0, 2, 3)))), before


def _are_joined(asked: Convolution, image: Lie) -> bool:
    """True where the pixels of a row of a window are neighbors, with all their channels."""
    return asked.groups == 1 and asked.dilation[1] == 1 and image.strides[3] == image.shape[1]


def _runs(asked: Convolution, image: Lie, weight: Lie) -> tuple[np.ndarray, int, np.ndarray]:
    """Of neighbors in images: where each run of k begins, how long it is, and its weights.

    These are offsets, [runs, length].
    """
    _, channels, *places = weight.shape
    steps = [s * d for s, d in zip(image.strides[2:], asked.dilation, strict=True)]
    by_channel = offsets(*(weight.axis(d) for d in (2, 3, 1)))
    if _are_joined(asked, image):
        return offsets((places[0], steps[0])), channels * places[1], by_channel
    starts = offsets((places[0], steps[0]), (places[1], steps[1]))
    return starts, channels, by_channel


def _grouped(
    starts: np.ndarray, length: int, weights: np.ndarray, group: int
) -> tuple[np.ndarray, np.ndarray]:
    """Where groups of k begin in A, and where each k lies in B: -1 for what fills the last one."""
    padded = -(-length // group) * group
    inner = np.full((len(starts), padded), -1, np.int64)
    inner[:, :length] = weights.reshape(len(starts), length)
    return spread(starts, np.arange(0, padded, group)), inner.reshape(-1)


# Matrices.


def _matrices(call: _Call) -> list[Launch]:
    x, a, before = _rows(call.x, call.dot.group, call.read_as, call.target)
    weight, out = call.weight, Lie(call.result.shape, call.result.strides)
    lead = len(out.shape) - 2
    y = Lie((*[1] * lead, *weight.shape), (*[0] * lead, *weight.strides))
    inner = offsets((weight.shape[0], weight.strides[0]))
    starts, inner = _grouped(np.zeros(1, np.int64), len(inner), inner, call.dot.group)
    c = replace(table.matmul(x, y, out), a_inner=starts)
    added: Added = (0, np.zeros(1, np.int64), np.zeros(1, np.int64))
    if call.residual is not None:
        lie, memory, copies = _rows(call.residual, 1, call.residual.base.dtype, call.target)
        before += copies
        added = memory, added[1], offsets(*map(lie.axis, range(lead + 1)))
    return [*before, *_product(call, c, inner, a, added)]


def _rows(view: View, group: int, dtype: DType, target: Target) -> tuple[Lie, Memory, list[Launch]]:
    """A view whose last dimension is one of neighbors of `dtype`, and what copies it so."""
    lie, given = Lie(view.shape, view.strides), _memory(view)
    width, step = lie.axis(-1)
    if given.dtype is dtype and (width == 1 or step == 1) and width % group == 0:
        return lie, given, []
    strides = tuple(map(int, np.cumprod([1, *view.shape[:0:-1]])[::-1]))
    dense = Lie(view.shape, strides)
    home = Memory(Temporary(dense.count * dtype.itemsize + SLACK, "rows"), dtype)
    targets, sources = (offsets(*map(x.axis, range(len(x.shape) - 1))) for x in (dense, lie))
    first = int(sources.min())
    moves = Rows(targets, sources - first, 0, width, width, step, first)
    return dense, home, [copied(moves, given, home, target)]


# Kernels.


def _product(
    call: _Call, c: Contraction, b_inner: np.ndarray, a: Memory, added: Added
) -> list[Launch]:
    """The kernels of a product. b_inner: where each k lies in B."""
    c, out, after = call.placed(c)
    shape, dot, target = call.shape, call.dot, call.target
    batches, rows, columns, depth = c.sizes
    flips = dot.flips(call.dtype, call.asked.nonnegative)
    whole = -(-columns // shape.lanes) * shape.lanes
    b, column, packing = _panels(call, c, b_inner, (shape.columns, whole), dot.group, flips)
    is_parallel = c.operations * dot.group >= SERIAL_OPERATIONS
    row_block, column_block = blocks(c, shape, target.threads if is_parallel else 1, False)
    row_blocks, column_blocks = -(-rows // row_block), -(-columns // column_block)
    size = a.dtype.itemsize
    starts = np.stack(
        [
            c.a_batch * size, np.arange(batches) * (whole * column), c.c_batch * out.dtype.itemsize,
            call.added_bytes(added[1]),
        ], axis=1,
    )  # fmt: skip
    words = (
        out, a, b, *call.numbers(added[0]), starts.reshape(-1), c.a_rows * size,
        c.a_inner * size, c.c_rows * out.dtype.itemsize, call.added_bytes(added[2]), rows,
        columns, depth, row_block, column_block, row_blocks, column_blocks, column,
    )  # fmt: skip
    code = _product_code(Grouped(shape, dot, bool(flips)), call.ending, target)
    iterations = batches * row_blocks * column_blocks
    return [packing, Launch(integers.NAME, code, words, iterations, is_parallel), *after]


def _depthwise(
    call: _Call, c: Contraction, b_inner: np.ndarray, a: Memory, added: Added
) -> list[Launch]:
    """The kernels of a depthwise convolution, whose weights are one panel."""
    c, out, after = call.placed(c)
    _, rows, channels, places = c.sizes
    b, _, packing = _panels(call, c, b_inner, (channels, channels), 1, 0)
    is_parallel = c.operations >= SERIAL_OPERATIONS
    parts = call.target.threads if is_parallel else 1
    row_block = -(-rows // min(rows, parts))
    size = a.dtype.itemsize
    words = (
        out, a, b, *call.numbers(added[0]), c.a_rows * size, c.a_inner * size,
        c.c_rows * out.dtype.itemsize, call.added_bytes(added[2]), rows, channels, places,
        row_block,
    )  # fmt: skip
    is_unsigned = call.dtype is uint8
    code = _depthwise_code(call.shape, call.ending, is_unsigned, call.target)
    iterations = -(-rows // row_block)
    return [packing, Launch(depthwise.NAME, code, words, iterations, is_parallel), *after]


def _panels(
    call: _Call,
    c: Contraction,
    b_inner: np.ndarray,
    widths: tuple[int, int],
    group: int,
    added: int,
) -> tuple[Memory, int, Launch]:
    """B as panels, the bytes of a column there, and what packs them.

    widths: of a panel, but for the last one, and of all. added: to A.
    """
    columns, depth = len(c.b_columns), len(b_inner) // group
    width, whole = widths
    count, column = -(-columns // width), integers.column_bytes(depth, group)
    target = Memory(Temporary(len(c.b_batch) * whole * column + SLACK, "panels"), int8)
    words = (
        target, _memory(call.weight), c.b_batch, b_inner, c.b_columns, depth, columns, width,
        whole, count, added,
    )  # fmt: skip
    code = _panels_code(group, call.target)
    return target, column, Launch(PANELS, code, words, len(c.b_batch) * count, True)


@functools.cache
def _product_code(grouped: Grouped, ending: Ending, target: Target) -> Code:
    return load(integers.integer_product(grouped, ending, target), [integers.NAME], target=target)


@functools.cache
def _depthwise_code(shape: Shape, ending: Ending, is_unsigned: bool, target: Target) -> Code:
    text = depthwise.integer_depthwise(shape, ending, is_unsigned, target)
    return load(text, [depthwise.NAME], target=target)


@functools.cache
def _panels_code(group: int, target: Target) -> Code:
    text = integers.integer_panels(group, target.offset_bytes, target)
    return load(text, [PANELS], target=target)
