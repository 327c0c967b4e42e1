"""The elements that a mask chooses, close together: blocks count side by side, then each writes.

An element is put at the next place of a small piece whether it is chosen or not, and the place
moves on if it is: no branch is guessed wrong. How many blocks there are does not depend on threads.
"""

from __future__ import annotations

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import Array, Launcher, cast, local, procedure

BLOCKS = 64
PIECE = 1024  # elements that are put close together in a cache


def count_chosen(p: Launcher, mask: Array, before: Array, count: Array) -> None:
    """Launch how many elements are chosen before each block of a mask, and how many in all.

    mask: bool. before: [BLOCKS], int64. count: [], int64.
    """
    flat = mask.reshape(-1)
    p.launch(_counted, BLOCKS, flat, before, work=mask.size)
    p.launch(_summed, 1, before, count.reshape(1))


@procedure
def _counted(block, mask, before):
    n = mask.shape[0]
    total = cast(0, int64)
    for k in range(block * n // BLOCKS, (block + 1) * n // BLOCKS):
        total += cast(mask[k], int64)
    before[block] = total


@procedure
def _summed(row, before, count):
    total = cast(0, int64)
    for block in range(BLOCKS):
        own = before[block]
        before[block] = total
        total += own
    count[0] = total


def write_chosen(p: Launcher, mask: Array, before: Array, values: Array | None, out: Array) -> None:
    """Launch the elements of `values` that a mask chooses, or their coordinates where it is None.

    out: [count], or [count, ndim] for coordinates. Where `before` belongs to another mask, as when
    times are measured on made-up numbers, nothing is written outside of it, and the rest is 0.
    """
    flat = mask.reshape(-1)
    if values is not None:
        p.launch(_write_values, BLOCKS, flat, before, values.reshape(-1), out, work=4 * mask.size)
        return
    given = (flat, before, mask, out)
    axes = tuple(range(mask.ndim - 1, 0, -1))
    p.launch(_write_positions, BLOCKS, *given, axes=axes, work=4 * mask.size)


@procedure
def _write_values(block, mask, before, values, out):
    n = mask.shape[0]
    stop = (block + 1) * n // BLOCKS
    found = local(PIECE, out.dtype)
    at = max(before[block], 0)
    for start in range(block * n // BLOCKS, stop, PIECE):
        own = cast(0, int64)
        for k in range(start, min(start + PIECE, stop)):
            found[own] = values[k]
            own += cast(mask[k], int64)
        for j in range(min(own, out.shape[0] - at)):
            out[at + j] = found[j]
        at += own
    if block == BLOCKS - 1:
        for j in range(at, out.shape[0]):
            out[j] = cast(0, out)


@procedure
def _write_positions(block, mask, before, shaped, out, *, axes):
    n = mask.shape[0]
    stop = (block + 1) * n // BLOCKS
    found = local(PIECE, int64)
    at = max(before[block], 0)
    for start in range(block * n // BLOCKS, stop, PIECE):
        own = cast(0, int64)
        for k in range(start, min(start + PIECE, stop)):
            found[own] = k
            own += cast(mask[k], int64)
        for j in range(min(own, out.shape[0] - at)):
            place = found[j]
            for axis in axes:
                out[at + j, axis] = place % shaped.shape[axis]
                place = place // shaped.shape[axis]
            out[at + j, 0] = place
        at += own
    if block == BLOCKS - 1:
        for j in range(at, out.shape[0]):
            for axis in range(out.shape[1]):
                out[j, axis] = 0
