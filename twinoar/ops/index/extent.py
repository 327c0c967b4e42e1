"""How many places whole numbers ask for: the greatest and one, or their sum; and runs of so many.

What `bincount`, `segment_sum` and `repeat_interleave` read before they know how large results are.
"""

from __future__ import annotations

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import Array, Launcher, Procedure, cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, primitive
from twinoar.errors import ArgumentError
from twinoar.ops.index._position import check_index
from twinoar.ops.reduce._counting import blocks_of

WRONG = -1  # what a block tells of a number that is refused; as any that is negative
LAST = (1 << 63) - 1


def extent_of(numbers: np.ndarray, name: str) -> int:
    """One more than the greatest number, 0 for none. Raises ArgumentError for a negative one."""
    if not numbers.size:
        return 0
    if numbers.min() < 0:
        raise ArgumentError(f"{name} must not hold negative numbers, received {numbers.min()}")
    return int(numbers.max()) + 1


def total_of(counts: np.ndarray, name: str) -> int:
    """Their sum. Raises ArgumentError for a negative count, or a sum that no int64 holds."""
    if counts.size and counts.min() < 0:
        raise ArgumentError(f"{name} must not be negative, received {counts.min()}")
    total = int(counts.sum(dtype=np.int64))
    if counts.sum(dtype=np.float64) > LAST / 2:  # where it is not one that int64 has cut off
        total = sum(counts.ravel().tolist())
    if total > LAST:
        raise ArgumentError(f"{name} must have a sum that an int64 holds, received {total}")
    return total


def _number_of(x: Spec) -> Spec:
    check_index(x, "x")
    return Spec((), int64)


@primitive(infer=_number_of, kernel=lambda x: np.array(extent_of(x, "x"), np.int64))
def extent(x: Tensor) -> Tensor:
    """One more than the greatest of numbers from 0 on, [], int64; 0 where there is none."""


@extent.procedure
def _(p, x):
    _in_blocks(p, x, _greatest, _extent)


@extent.samples
def _(s):
    yield s(np.array([3, 0, 7, 1]))
    yield s(np.array([[255], [0]], np.uint8))
    yield s(s.ints(0, 1, 0))
    yield s.bad(
        ArgumentError, "negative numbers, received -2", np.array([1, -2]), static_error=False
    )


def _in_blocks(p: Launcher, x: Array, each: Procedure, whole: Procedure) -> None:
    """Launch `each` for blocks of x, and `whole` for what they found."""
    blocks = blocks_of(x.size)
    found = p.scratch((blocks,), int64)
    p.launch(each, blocks, x.reshape(-1), found)
    p.launch(whole, 1, found, p.results[0].reshape(1))


@procedure
def _greatest(block, x, found):
    n, blocks = x.shape[0], found.shape[0]
    least = cast(0, int64)
    greatest = cast(-1, int64)
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        own = cast(x[k], int64)
        least = min(least, own)
        greatest = max(greatest, own)
    found[block] = (
        WRONG if least < 0 else greatest + 1
    )  # one that is negative, of the last there is


@procedure
def _extent(row, found, out):
    greatest = cast(0, int64)
    for block in range(found.shape[0]):
        if found[block] < 0:
            fail()
        greatest = max(greatest, found[block])
    out[0] = greatest


@primitive(infer=_number_of, kernel=lambda x: np.array(total_of(x, "counts")))
def total_count(x: Tensor) -> Tensor:
    """The sum of counts, [], int64."""


@total_count.procedure
def _(p, x):
    _in_blocks(p, x, _block_total, _total)


@total_count.samples
def _(s):
    yield s(np.array([3, 0, 7, 1]))
    yield s(np.array([200, 100], np.uint8))
    yield s(s.ints(0, 1, 0))
    yield s.bad(ArgumentError, "negative, received -2", np.array([1, -2]), static_error=False)
    yield s.bad(ArgumentError, "an int64 holds", np.array([LAST, 1]), static_error=False)


@procedure
def _block_total(block, x, found):
    n, blocks = x.shape[0], found.shape[0]
    least = cast(0, int64)
    total = cast(0, int64)
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        own = cast(x[k], int64)
        total += own
        least = min(least, min(own, total))  # a sum that is too large is negative once
    found[block] = WRONG if least < 0 else total


@procedure
def _total(row, found, out):
    total = cast(0, int64)
    for block in range(found.shape[0]):
        total += found[block]
        if (found[block] < 0) | (total < 0):
            fail()
    out[0] = total


@primitive(infer=lambda ends, size: Spec((size,), int64))
def run_positions(ends: Tensor, size: int) -> Tensor:
    """Which of runs, of which it is told where each ends, each of `size` elements is in.

    ends: [k], int64, ascending; the last is `size`. Returns [size], int64.
    """


@run_positions.kernel
def _(ends, size):
    return np.searchsorted(ends, np.arange(size), "right")


@run_positions.procedure
def _(p, ends):
    (out,) = p.results
    blocks = blocks_of(out.size)
    p.launch(_runs, blocks, ends, out, blocks, work=2 * out.size)


@run_positions.samples
def _(s):
    yield s(np.array([2, 2, 5]), 5)
    yield s(np.arange(0, 100_000, 7), 99_995)
    yield s(np.zeros(3, np.int64), 0)


@procedure
def _runs(block, ends, out, blocks):
    n, runs = out.shape[0], ends.shape[0]
    at = block * n // blocks
    stop = (block + 1) * n // blocks
    low = cast(0, int64)
    high = runs
    while low < high:  # the first run that ends behind `at`
        middle = (low + high) // 2
        is_before = ends[middle] <= at
        low = middle + 1 if is_before else low
        high = high if is_before else middle
    while at < stop:
        end = min(ends[low], stop) if low < runs else stop
        while at < end:
            out[at] = low
            at += 1
        low += 1
