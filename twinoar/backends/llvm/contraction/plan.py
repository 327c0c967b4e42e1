"""The kernels that run a Contraction: what is packed, how work is divided, with which arguments."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from twinoar.backends.llvm.contraction import pack
from twinoar.backends.llvm.contraction.finish import Step
from twinoar.backends.llvm.contraction.launch import Launch, Memory
from twinoar.backends.llvm.contraction.pack import COPY, DEPTH, PANELS
from twinoar.backends.llvm.contraction.product import NAME, product
from twinoar.backends.llvm.contraction.rows import Weight
from twinoar.backends.llvm.contraction.streamed import SERIAL_READS, is_streamed, streamed
from twinoar.backends.llvm.contraction.streamed import scaled as scaled_rows
from twinoar.backends.llvm.contraction.table import Contraction, are_neighbors, offsets, spread
from twinoar.backends.llvm.contraction.tile import ROWS, Shape, fitted, shape_of
from twinoar.backends.llvm.contraction.window import Rows
from twinoar.backends.llvm.jit import Code, load
from twinoar.compile.part import Temporary
from twinoar.compile.target import Target
from twinoar.core.dtype import DType
from twinoar.core.loop.language import compute_dtype

Steps = Sequence[tuple[Step, Memory | int]]  # what finishes sums, with operands, 0 for none

ROW_BLOCK, INNER_BLOCK = 384, 384  # what A and a panel of B may fill of the caches
EVEN = 4  # pieces of each part that make it of no account if one part has one more
FEW_ROWS = 96  # with fewer rows B is read from where it lies, where that is possible
# Less is not divided among threads, unless SERIAL_READS are read of B, for which few rows wait.
SERIAL_OPERATIONS, SERIAL_ELEMENTS = 1_500_000, 30_000
SPARE = 16  # elements between rows that are read as columns: else these fall into few cache lines
FLAT = 1024  # elements of a row where a copy has no rows of its own


def contracted(
    c: Contraction, a: Memory, b: Memory, out: Memory, target: Target, scale: Memory | None = None
) -> list[Launch]:
    """The kernels that compute out = A B, in order; no kernel where C has no elements.

    scale: of an update, out = out - scale A B, which is for a Contraction that `can_update`.
    """
    if 0 in c.sizes[:3]:
        return []
    shape = shape_of(compute_dtype(out.dtype), target)
    c, is_turned = _oriented(c)
    if is_turned:
        a, b = b, a
    c, out, after = _side_by_side(c, out, shape.dtype, target)
    before: list[Launch] = []
    if a.dtype is not shape.dtype and c.sizes[3]:
        c, a, before = _widened(c, a, shape.dtype, target)
    if scale is None and is_streamed(c):
        return [*before, streamed(c, a, b, out, shape, target), *after]
    if _is_readable(c, b, shape):
        strides = int(c.b_inner[1] - c.b_inner[0]), shape.columns
        b = b.further(int(c.b_inner[0] + c.b_columns[0]))
    else:
        c, b, strides, packing = packed(c, b, shape, target)
        before.append(packing)
    return [*before, _product(c, (a, b, out), strides, shape, target, scale), *after]


def scaled(
    c: Contraction,
    memories: tuple[Memory, Memory, Memory, Memory],
    weight: Weight,
    group_size: int,
    target: Target,
) -> list[Launch]:
    """The kernels that compute C from integers B with scales, of a Weight, in order.

    memories: a, b, out and scales, [groups of k,columns], which lie in a row. Steps of k, of which
    group_size share a scale, are neighbors in A and in B.
    """
    a, b, out, scales = memories
    shape = shape_of(compute_dtype(out.dtype), target)
    c, out, after = _side_by_side(c, out, shape.dtype, target)
    before: list[Launch] = []
    if a.dtype is not shape.dtype:
        c, a, before = _widened(c, a, shape.dtype, target)
    return [*before, scaled_rows(c, (a, b, out, scales), weight, group_size, shape, target), *after]


def finished(
    c: Contraction, a: Memory, b: Memory, out: Memory, target: Target, steps: Steps
) -> list[Launch]:
    """The kernels that compute what steps make of A B, in order.

    C has one batch, and its columns are neighbors, from the first element of `out` on, which is of
    the dtype that is computed with, as A is.
    """
    if 0 in c.sizes[:3]:
        return []
    shape = fitted(shape_of(out.dtype, target), c.sizes[2], target)
    c, b, strides, packing = packed(c.by_place(), b, shape, target)
    return [packing, _product(c, (a, b, out), strides, shape, target, None, steps)]


def can_update(c: Contraction, dtype: DType) -> bool:
    """True where a product can be subtracted from what its result of `dtype` holds."""
    if 0 in c.sizes or dtype is not compute_dtype(dtype) or c.sizes[3] > INNER_BLOCK:
        return False
    return are_neighbors(_oriented(c)[0].c_columns)


def _oriented(c: Contraction) -> tuple[Contraction, bool]:
    """The Contraction, turned where its rows of C should be columns; and whether it is."""
    by_place = c.by_place()
    if _is_better_turned(by_place) or _is_vector(by_place):
        return by_place.turned(), True
    return c, False


def copied(rows: Rows, source: Memory, target: Memory, processor: Target) -> Launch:
    """A copy row by row."""
    source, size = source.further(rows.first), source.dtype.itemsize
    sources = np.where(rows.sources < 0, -1, rows.sources * size)
    words = (
        target, source, rows.targets * target.dtype.itemsize, sources,
        rows.before, rows.count, rows.total, rows.step * size,
    )  # fmt: skip
    is_parallel = len(sources) * rows.total >= SERIAL_ELEMENTS
    code = _copy_code(source.dtype, target.dtype, processor)
    return Launch(COPY, code, words, len(sources), is_parallel)


def packed(
    c: Contraction, b: Memory, shape: Shape, processor: Target
) -> tuple[Contraction, Memory, tuple[int, int], Launch]:
    """B as panels: the Contraction that reads it there, where it is, its strides, what packs it."""
    starts, which = np.unique(c.b_batch, return_inverse=True)
    _, _, columns, inner = c.sizes
    count = -(-columns // shape.columns)
    width = min(shape.columns, -(-columns // shape.lanes) * shape.lanes)
    panel = inner * width
    elements = len(starts) * count * panel
    target = Memory(Temporary(max(1, elements) * shape.dtype.itemsize, "panels"), shape.dtype)
    along = 1 if are_neighbors(c.b_columns) else 2 if are_neighbors(c.b_inner) else 0
    blocks, size = -(-inner // DEPTH), b.dtype.itemsize
    words = (
        target, b, starts * size, c.b_inner * size, c.b_columns * size,
        inner, columns, width, count, blocks, along,
    )  # fmt: skip
    is_parallel = elements >= SERIAL_ELEMENTS
    code = _panels_code(b.dtype, shape, processor)
    launch = Launch(PANELS, code, words, len(starts) * count * blocks, is_parallel)
    reads = replace(c, b_batch=which.reshape(-1) * (count * panel))
    return reads, target, (width, panel), launch


def block_words(
    c: Contraction,
    memories: tuple[Memory | int, Memory | int, Memory | int],
    b_strides: tuple[int, int],
    size: int,
    steps: Steps,
) -> tuple[Memory | np.ndarray | int, ...]:
    """The words of a product whose rows are one block, as a part of another kernel."""
    _, rows, columns, inner = c.sizes
    a, b, out = memories
    inner_block = max(1, -(-inner // max(1, -(-inner // INNER_BLOCK))))
    return (
        a, b, out, np.zeros(3, np.int64), c.a_rows * size, c.a_inner * size, c.c_rows * size,
        rows, columns, inner, rows, columns, inner_block, 1, 1, b_strides[0] * size,
        b_strides[1] * size, 0, *(memory for _, memory in steps),
    )  # fmt: skip


def one_panel(
    b: Memory, inner: np.ndarray, columns: np.ndarray, shape: Shape, processor: Target
) -> tuple[Memory, int, Launch]:
    """B as a single panel, in whole vectors; the elements from one k to the next, what packs it."""
    width = -(-len(columns) // shape.lanes) * shape.lanes
    home = Temporary(len(inner) * width * shape.dtype.itemsize, "panels")
    target, blocks, size = Memory(home, shape.dtype), -(-len(inner) // DEPTH), b.dtype.itemsize
    along = 1 if are_neighbors(columns) else 2 if are_neighbors(inner) else 0
    words = (
        target, b, np.zeros(1, np.int64), inner * size, columns * size, len(inner), len(columns),
        width, 1, blocks, along,
    )  # fmt: skip
    code = _panels_code(b.dtype, shape, processor)
    return target, width, Launch(PANELS, code, words, blocks, False)


def _is_better_turned(c: Contraction) -> bool:
    """True where the rows of C lie as columns should, and turning costs less than a copy of C."""
    if are_neighbors(c.c_columns) or not are_neighbors(c.c_rows):
        return False
    _, rows, columns, inner = c.sizes
    return inner * rows <= 2 * (rows * columns + inner * columns)


def _is_vector(c: Contraction) -> bool:
    """True for a matrix times a vector, whose one column is a row as well."""
    _, rows, columns, _ = c.sizes
    return columns == 1 < rows and are_neighbors(c.c_rows) and is_streamed(c.turned())


def _side_by_side(
    c: Contraction, out: Memory, dtype: DType, target: Target
) -> tuple[Contraction, Memory, list[Launch]]:
    """C where its columns are neighbors, elements of `dtype`, and what copies it to its place."""
    if not are_neighbors(c.c_columns):
        return through_scratch(c, out, dtype, target)
    out = out.further(int(c.c_columns[0]))
    return (c, out, []) if out.dtype is dtype else through_scratch(c, out, dtype, target)


def through_scratch(
    c: Contraction, out: Memory, dtype: DType, target: Target
) -> tuple[Contraction, Memory, list[Launch]]:
    """C computed in scratch memory, with its columns side by side, and copied to its place.

    Its rows lie there as they do in C, in whatever order they are computed.
    """
    batches, rows, columns, _ = c.sizes
    width = columns + SPARE
    scratch = Memory(Temporary(batches * rows * width * dtype.itemsize, "result"), dtype)
    batch = offsets((batches, rows * width))
    in_place = np.sort(c.c_rows)
    if are_neighbors(c.c_columns):
        targets = spread(c.c_batch, in_place)
        moves = Rows(targets, offsets((batches * rows, width)), 0, columns, columns, 1)
    else:
        run = _run(in_place)
        targets = spread(c.c_batch, in_place[::run], c.c_columns)
        sources = spread(batch, offsets((rows // run, run * width), (columns, 1)))
        moves = Rows(targets, sources, 0, run, run, width)
    inside = c.into(np.argsort(np.argsort(c.c_rows)) * width, np.arange(columns), batch)
    return inside, scratch, [copied(moves, scratch, out, target)]


def _run(table: np.ndarray) -> int:
    """The length of the pieces, all equal, inside of which offsets are neighbors."""
    breaks = np.flatnonzero(np.diff(table) != 1) + 1
    return math.gcd(len(table), *map(int, breaks))


def _widened(
    c: Contraction, a: Memory, dtype: DType, processor: Target
) -> tuple[Contraction, Memory, list[Launch]]:
    """A as elements of `dtype`, at the same offsets from where the first of them lies."""
    tables = (c.a_batch, c.a_rows, c.a_inner)
    first = sum(int(t.min()) for t in tables)
    count = sum(int(t.max()) for t in tables) - first + 1
    target = Memory(Temporary(count * dtype.itemsize, "widened"), dtype)
    launches = []
    for start, rows, width in ((0, count // FLAT, FLAT), (count // FLAT * FLAT, 1, count % FLAT)):
        if rows and width:
            places = offsets((rows, width))
            moves = Rows(places, places, 0, width, width, 1)
            source = a.further(first + start)
            launches.append(copied(moves, source, target.further(start), processor))
    return replace(c, a_batch=c.a_batch - first), target, launches


def _is_readable(c: Contraction, b: Memory, shape: Shape) -> bool:
    """True where tiles can read B from where it lies, and gain little from packing it."""
    _, rows, columns, _ = c.sizes
    steps = np.unique(np.diff(c.b_inner))
    if b.dtype is not shape.dtype or columns % shape.lanes or len(steps) != 1:
        return False
    is_dense = 0 <= steps[0] <= shape.columns
    return (rows <= FEW_ROWS or is_dense) and are_neighbors(c.b_columns)


def _product(
    c: Contraction,
    memories: tuple[Memory, Memory, Memory],
    b_strides: tuple[int, int],
    shape: Shape,
    target: Target,
    scale: Memory | None,
    steps: Steps = (),
) -> Launch:
    batches, rows, columns, inner = c.sizes
    is_parallel = c.operations >= SERIAL_OPERATIONS or columns * inner >= SERIAL_READS
    row_block, column_block = blocks(
        c, shape, target.threads if is_parallel else 1, scale is not None
    )
    row_blocks, column_blocks = -(-rows // row_block), -(-columns // column_block)
    inner_block = max(1, -(-inner // max(1, -(-inner // INNER_BLOCK))))
    size = shape.dtype.itemsize
    starts = np.stack([c.a_batch, c.b_batch, c.c_batch], axis=1) * size
    words = (
        *memories, starts.reshape(-1), c.a_rows * size, c.a_inner * size, c.c_rows * size,
        rows, columns, inner, row_block, column_block, inner_block, row_blocks, column_blocks,
        b_strides[0] * size, b_strides[1] * size, 0 if scale is None else scale,
        *(memory for _, memory in steps),
    )  # fmt: skip
    code = _product_code(shape, scale is not None, target, tuple([step for step, _ in steps]))
    return Launch(NAME, code, words, batches * row_blocks * column_blocks, is_parallel)


def blocks(c: Contraction, shape: Shape, parts: int, updates: bool) -> tuple[int, int]:
    """Rows and columns of a block: as fit the caches, the same work for all parts, read seldom.

    updates: C is weights, whose columns the product that reads them gives to the same thread.
    """
    batches, rows, columns, _ = c.sizes
    tiles, panels = -(-rows // ROWS), -(-columns // shape.columns)
    pieces = -(-rows // ROW_BLOCK)
    more = parts // math.gcd(parts, batches * pieces)
    # Each piece of the columns reads all of A again, each piece of the rows all of B.
    by_columns = updates or more * rows + pieces * columns < rows + more * pieces * columns
    if by_columns and (panels % more == 0 or panels >= EVEN * more):
        return ROWS * -(-tiles // pieces), shape.columns * -(-panels // more)
    return ROWS * -(-tiles // min(tiles, more * pieces)), columns


@functools.cache
def _product_code(
    shape: Shape, updates: bool, target: Target, steps: tuple[Step, ...] = ()
) -> Code:
    return load(product(shape, updates, target, steps), [NAME], target=target)


@functools.cache
def _panels_code(source: DType, shape: Shape, target: Target) -> Code:
    return load(pack.panels(source, shape, target), [PANELS], target=target)


@functools.cache
def _copy_code(source: DType, target: DType, processor: Target) -> Code:
    return load(pack.copy(source, target, processor), [COPY], target=processor)
