"""Running values along an axis: what the first elements make together, for each number of them.

A row is a line of elements. A few long lines are cut into blocks, and these into parts, of which a
thread computes those of a block in turns, so that none waits for the element before: totals of
parts, then what stands before each part, then the elements. (Blelloch, "Prefix sums and their
applications", 1990.) Where a line is cut depends on its length alone, so results do not depend on
how many threads there are.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.loop.language import compute_dtype
from twinoar.core.loop.procedure import Array, Launcher, Procedure, cast, local, procedure

PARTS = tuple(range(4))  # of a block
# Elements of a block: 64 KiB, which a core's cache keeps from one pass to the next. Parts begin at
# places that are no multiples of 4 KiB apart, as those would share lines of the cache.
BLOCK = len(PARTS) * 4112
MANY = 64  # lines that keep all threads busy


def scan(
    p: Launcher, x: Array, axis: int, combine: Procedure, first: float, *, reverse: bool = False
) -> None:
    """Launch the running values of `x` into the first result.

    combine: (what was so far, an element) -> what is now, associative; `first` changes nothing.
    reverse: from the end of the axis.
    """
    axis %= max(1, x.ndim)
    lines, out = x.along(axis), p.results[0].along(axis)
    before, n, after = lines.shape
    given: dict[str, Any] = {"combine": combine, "reverse": reverse}
    blocks = -(-n // BLOCK)
    if after > 1:
        p.launch(_columns, before, lines, out, **given, first=first)
    elif blocks < 2 or before >= MANY:
        p.launch(_line, before, lines, out, **given, first=first)
    else:
        totals = p.scratch((before, blocks * len(PARTS)), compute_dtype(out.dtype))
        p.launch(_total, before * blocks, lines, totals, **given, first=first, work=x.size)
        p.launch(_before, before, totals, combine=combine, first=first)
        p.launch(_block, before * blocks, lines, totals, out, **given, work=x.size)


@procedure
def add(x, y):
    """The sum."""
    return x + y


@procedure
def multiply(x, y):
    """The product."""
    return x * y


@procedure
def _line(row, x, out, *, combine, first, reverse):
    n = x.shape[1]
    so_far = cast(first, out)
    for k in range(n):
        at = n - 1 - k if reverse else k
        so_far = combine(so_far, cast(x[row, at, 0], out))
        out[row, at, 0] = so_far


@procedure
def _columns(row, x, out, *, combine, first, reverse):
    """Lines side by side: each step takes one element of all of them."""
    n = x.shape[1]
    for k in range(n):
        at = n - 1 - k if reverse else k
        last = at + 1 if reverse else at - 1
        if k == 0:
            for c in range(x.shape[2]):
                out[row, at, c] = combine(cast(first, out), cast(x[row, at, c], out))
        else:
            for c in range(x.shape[2]):
                out[row, at, c] = combine(out[row, last, c], cast(x[row, at, c], out))


@procedure
def part_bounds(block, part, n):
    """Where a part of a block begins and ends; the last has what is left over."""
    size = (min(n, (block + 1) * BLOCK) - block * BLOCK) // len(PARTS)
    start = block * BLOCK + part * size
    return start, min(n, (block + 1) * BLOCK) if part == PARTS[-1] else start + size


@procedure
def _total(row, x, totals, *, combine, first, reverse):
    n = x.shape[1]
    blocks = totals.shape[1] // len(PARTS)
    line, block = row // blocks, row % blocks
    found = local(len(PARTS), totals.dtype)
    for part in PARTS:
        found[part] = cast(first, totals)
    start, stop = part_bounds(block, 0, n)
    for k in range(stop - start):
        for part in PARTS:
            at = start + part * (stop - start) + k
            new = x[line, n - 1 - at if reverse else at, 0]
            found[part] = combine(found[part], cast(new, totals))
    rest, end = part_bounds(block, PARTS[-1], n)
    for at in range(rest + stop - start, end):
        new = x[line, n - 1 - at if reverse else at, 0]
        found[PARTS[-1]] = combine(found[PARTS[-1]], cast(new, totals))
    for part in PARTS:
        totals[line, block * len(PARTS) + part] = found[part]


@procedure
def _before(row, totals, *, combine, first):
    """Each total of a part becomes what stands before that part."""
    so_far = cast(first, totals)
    for part in range(totals.shape[1]):
        total = totals[row, part]
        totals[row, part] = so_far
        so_far = combine(so_far, total)


@procedure
def _block(row, x, totals, out, *, combine, reverse):
    n = x.shape[1]
    blocks = totals.shape[1] // len(PARTS)
    line, block = row // blocks, row % blocks
    so_far = local(len(PARTS), totals.dtype)
    for part in PARTS:
        so_far[part] = totals[line, block * len(PARTS) + part]
    start, stop = part_bounds(block, 0, n)
    for k in range(stop - start):
        for part in PARTS:
            at = start + part * (stop - start) + k
            place = n - 1 - at if reverse else at
            so_far[part] = combine(so_far[part], cast(x[line, place, 0], totals))
            out[line, place, 0] = so_far[part]
    rest, end = part_bounds(block, PARTS[-1], n)
    for at in range(rest + stop - start, end):
        place = n - 1 - at if reverse else at
        so_far[PARTS[-1]] = combine(so_far[PARTS[-1]], cast(x[line, place, 0], totals))
        out[line, place, 0] = so_far[PARTS[-1]]
