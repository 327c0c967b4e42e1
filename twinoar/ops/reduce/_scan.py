"""Running values along an axis: what the first elements make together, for each number of them.

A row is a line of elements. A few long lines are cut into blocks: totals of blocks side by side,
then what stands before each block, then the elements. (Blelloch, "Prefix sums and their
applications", 1990.) Where a line is cut depends on its length alone, so results do not depend on
how many threads there are.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.loop.procedure import Array, Launcher, Procedure, cast, procedure

BLOCK = 1 << 14  # elements of a block: 64 KiB, which a core's cache keeps from one pass to the next
MANY = 64  # lines that keep all threads busy


def scan(
    p: Launcher, x: Array, axis: int, combine: Procedure, first: int, *, reverse: bool = False
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
        totals = p.scratch((before, blocks), out.dtype)
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
def _total(row, x, totals, *, combine, first, reverse):
    blocks, n = totals.shape[1], x.shape[1]
    line, block = row // blocks, row % blocks
    total = cast(first, totals)
    for k in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
        at = n - 1 - k if reverse else k
        total = combine(total, cast(x[line, at, 0], totals))
    totals[line, block] = total


@procedure
def _before(row, totals, *, combine, first):
    """Each total of a block becomes what stands before that block."""
    so_far = cast(first, totals)
    for block in range(totals.shape[1]):
        total = totals[row, block]
        totals[row, block] = so_far
        so_far = combine(so_far, total)


@procedure
def _block(row, x, totals, out, *, combine, reverse):
    blocks, n = totals.shape[1], x.shape[1]
    line, block = row // blocks, row % blocks
    so_far = totals[line, block]
    for k in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
        at = n - 1 - k if reverse else k
        so_far = combine(so_far, cast(x[line, at, 0], out))
        out[line, at, 0] = so_far
