"""Running extrema and where they stand, in the passes of `_scan`.

Keys are compared, several at once: most often none of them is a new extreme. Of equal elements the
last one counts; nan passes all numbers, and no number passes it.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import Array, Launcher, cast, local, procedure
from twinoar.ops.index._keys import bits_of, key_of, keys_of
from twinoar.ops.reduce._scan import BLOCK, MANY

SEEN = 32  # elements that are looked at together


def running_extreme(p: Launcher, x: Array, axis: int, *, least: bool) -> None:
    """Launch the running maxima of `x`, or minima, and their places into the two results."""
    axis %= max(1, x.ndim)
    lines = bits_of(x).along(axis)
    results = [bits_of(p.results[0]).along(axis), p.results[1].along(axis)]
    before, n, after = lines.shape
    if not x.size:
        return
    given: dict[str, Any] = {"keys": keys_of(x, n, descending=False), "least": least}
    blocks = n // BLOCK
    if after > 1:
        p.launch(_columns, before, lines, *results, **given)
    elif blocks < 2 or before >= MANY:
        p.launch(_line, before, lines, *results, **given)
    else:
        places = p.scratch((before, blocks), int64)
        rows = before * blocks
        p.launch(_total, rows, lines, places, **given, work=x.size)
        p.launch(_before, before, lines, places, **given)
        p.launch(_block, rows, lines, places, *results, **given, work=x.size)


@procedure
def _rank(bits, *, keys, least):
    """A key that is at least that of what it takes the place of: nan has the greatest one."""
    key = key_of(bits, keys=keys)
    if least:
        turned = ~key
        key = turned if not keys.infinity else key if key == keys.greatest else turned
    return key


@procedure
def _line(row, x, out, indices, *, keys, least):
    place = local(1, int64)
    place[0] = 0
    _follow(x, row, 0, x.shape[1], place, out, indices, keys=keys, least=least, writes=True)


@procedure
def _follow(x, line, start, stop, place, out, indices, *, keys, least, writes):
    """Let place[0] be where the extreme up to `stop` stands; write each step of that if asked."""
    at = place[0]
    so_far = x[line, at, 0]
    best = _rank(so_far, keys=keys, least=least)
    for first in range(start, stop, SEEN):
        until = min(first + SEEN, stop)
        greatest = _rank(x[line, first, 0], keys=keys, least=least)
        for k in range(first, until):
            greatest = max(greatest, _rank(x[line, k, 0], keys=keys, least=least))
        if greatest < best:
            if writes:
                for k in range(first, until):
                    out[line, k, 0] = so_far
                    indices[line, k, 0] = cast(at, indices)
        else:
            for k in range(first, until):
                new = x[line, k, 0]
                rank = _rank(new, keys=keys, least=least)
                at = k if rank >= best else at
                so_far = new if rank >= best else so_far
                best = max(best, rank)
                if writes:
                    out[line, k, 0] = so_far
                    indices[line, k, 0] = cast(at, indices)
    place[0] = at


@procedure
def _columns(row, x, out, indices, *, keys, least):
    """Lines side by side: each step takes one element of all of them."""
    for c in range(x.shape[2]):
        out[row, 0, c] = x[row, 0, c]
        indices[row, 0, c] = cast(0, indices)
    for k in range(1, x.shape[1]):
        for c in range(x.shape[2]):
            new, so_far = x[row, k, c], out[row, k - 1, c]
            rank, best = _rank(new, keys=keys, least=least), _rank(so_far, keys=keys, least=least)
            is_passed = rank >= best
            out[row, k, c] = new if is_passed else so_far
            indices[row, k, c] = cast(k, indices) if is_passed else indices[row, k - 1, c]


@procedure
def _total(row, x, places, *, keys, least):
    """Where the extreme of each block stands."""
    n, blocks = x.shape[1], places.shape[1]
    line, block = row // blocks, row % blocks
    place = local(1, int64)
    start = block * n // blocks
    place[0] = start
    stop = (block + 1) * n // blocks
    _follow(x, line, start, stop, place, x, places, keys=keys, least=least, writes=False)
    places[line, block] = place[0]


@procedure
def _before(row, x, places, *, keys, least):
    """The place of each block becomes that for all before it."""
    place = cast(0, int64)
    for block in range(places.shape[1]):
        own = places[row, block]
        places[row, block] = place
        new, so_far = x[row, own, 0], x[row, place, 0]
        if _rank(new, keys=keys, least=least) >= _rank(so_far, keys=keys, least=least):
            place = own


@procedure
def _block(row, x, places, out, indices, *, keys, least):
    n, blocks = x.shape[1], places.shape[1]
    line, block = row // blocks, row % blocks
    place = local(1, int64)
    place[0] = places[line, block]
    start, stop = block * n // blocks, (block + 1) * n // blocks
    _follow(x, line, start, stop, place, out, indices, keys=keys, least=least, writes=True)
