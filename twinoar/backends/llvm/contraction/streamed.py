"""The kernel that runs a Contraction of few rows, and which Contractions it is for.

A product of r rows does 2 r operations with each element of B. One core multiplies and adds some
100 times 10^9 a second and reads 20 to 30 times 10^9 bytes from memory, so up to about 8 rows of
float32 the time is that of reading B, which tiles that are made to reuse it read in pieces.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from twinoar.backends.llvm.contraction import rows as kernels
from twinoar.backends.llvm.contraction.launch import Launch, Memory
from twinoar.backends.llvm.contraction.rows import Weight
from twinoar.backends.llvm.contraction.table import Contraction, are_neighbors
from twinoar.backends.llvm.contraction.tile import Shape
from twinoar.backends.llvm.jit import Code, load
from twinoar.compile.target import Target
from twinoar.core.dtype import DType

STREAMED_ROWS = 8
RESULT_BYTES = 32 * 1024  # of C, to which steps of k are added while it stays in the caches
SERIAL_READS = 50_000  # elements of B; fewer are not divided among threads


def is_streamed(c: Contraction) -> bool:
    """True for few rows, and a B that can be read as it lies."""
    return 0 < c.sizes[1] <= STREAMED_ROWS and (_is_across(c) or _is_along(c))


def is_of_few_rows(launch: Launch) -> bool:
    """True for a launch that reads B once, from here: its iterations are blocks of columns."""
    return launch.name in (kernels.ACROSS, kernels.ALONG)


def streamed(
    c: Contraction, a: Memory, b: Memory, out: Memory, shape: Shape, target: Target
) -> Launch:
    """The kernel for a Contraction that `is_streamed`, with columns of C side by side.

    a, out: elements of the Shape. b: of any floating dtype.
    """
    together = kernels.together(c.sizes[1])
    if _is_along(c):
        weight = Weight(b.dtype)
        code = _along(shape, weight, together, target)
        return _launch(c, (a, b, out), (kernels.ALONG, code), shape, target)
    code = _across(shape, b.dtype, together, target)
    return _launch(c, (a, b, out), (kernels.ACROSS, code), shape, target)


def scaled(
    c: Contraction,
    memories: tuple[Memory, Memory, Memory, Memory],
    weight: Weight,
    group_size: int,
    shape: Shape,
    target: Target,
) -> Launch:
    """The kernel for integers with scales, whose steps of k are neighbors, as those of A are.

    memories: a, b, out and scales, [groups of k,columns], which lie in a row. group_size: steps of
    k, at least 1.
    """
    a, b, out, scales = memories
    code = _along(shape, weight, kernels.together(c.sizes[1]), target)
    return _launch(c, (a, b, out), (kernels.ALONG, code), shape, target, (scales, group_size))


def _is_along(c: Contraction) -> bool:
    """True where steps of k are neighbors, and not only because there is but one."""
    if c.sizes[3] == 1 < c.sizes[2] and are_neighbors(c.b_columns):
        return False
    return are_neighbors(c.b_inner) and are_neighbors(c.a_inner)


def _is_across(c: Contraction) -> bool:
    return are_neighbors(c.b_columns)


def _launch(
    c: Contraction,
    memories: tuple[Memory, Memory, Memory],
    kernel: tuple[str, Code],
    shape: Shape,
    target: Target,
    scales: tuple[Memory | int, int] = (0, 0),
) -> Launch:
    batches, rows, columns, inner = c.sizes
    a, b, out = memories
    (name, code), size = kernel, shape.dtype.itemsize
    is_parallel = batches * columns * inner >= SERIAL_READS
    parts = target.threads if is_parallel else 1
    block = _block(c, shape, parts // math.gcd(parts, batches))
    starts = np.stack([c.a_batch * size, c.b_batch * b.dtype.itemsize, c.c_batch * size], axis=1)
    words = (
        out, a, b, starts.reshape(-1), c.a_rows * size, c.a_inner * size,
        c.c_rows * size, c.b_inner * b.dtype.itemsize, c.b_columns * b.dtype.itemsize,
        rows, columns, inner, block, -(-columns // block), *scales,
    )  # fmt: skip
    return Launch(name, code, words, batches * -(-columns // block), is_parallel)


def _block(c: Contraction, shape: Shape, parts: int) -> int:
    """The columns of a block: an equal number for each part, whole vectors, few enough for C."""
    _, rows, columns, _ = c.sizes
    most = max(shape.columns, RESULT_BYTES // (rows * shape.dtype.itemsize))
    pieces = parts * -(-columns // (parts * most))
    return shape.lanes * -(-columns // (pieces * shape.lanes))


@functools.cache
def _across(shape: Shape, weight: DType, rows: int, target: Target) -> Code:
    return load(kernels.across(shape, weight, rows, target), [kernels.ACROSS], target=target)


@functools.cache
def _along(shape: Shape, weight: Weight, rows: int, target: Target) -> Code:
    return load(kernels.along(shape, weight, rows, target), [kernels.ALONG], target=target)
