"""The first k elements of lines in order: those below the k-th of what was seen are collected.

As soon as twice k are together they are put in order, and the k-th is the new bound. Elements in
any order but the worst seldom pass it, and most are left out by the least key of several.
"""

from __future__ import annotations

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import Array, Launcher, cast, procedure
from twinoar.ops.index._keys import PLACE_BITS, bits_of, key_of, keys_of, moved, put_out, word_of
from twinoar.ops.index._sort import BLOCK, GROUPS, LONG, MANY, SHORT, merge_sort, sort_lines

SEEN = 32  # elements that are looked at together
APART = 256  # a block has so many times k elements, or it would collect too many of the wrong ones
FEW = 16  # where a share of 1 / FEW is wanted, all are put in order


def topk_lines(p: Launcher, x: Array, k: int, axis: int, *, largest: bool) -> None:
    """Launch the first k of each line along an axis, and where they were, into the two results."""
    axis %= max(1, x.ndim)
    lines = bits_of(x).along(axis)
    before, n, after = lines.shape
    if n <= SHORT or FEW * k > n:
        sort_lines(p, x, axis, descending=largest)
        return
    count = before * after
    if not count:
        return
    keys = keys_of(x, n, descending=largest)
    line = lines.reshape(before, n) if after == 1 else lines
    values, indices = bits_of(p.results[0]).along(axis), p.results[1].along(axis)
    is_long = n >= LONG and count < MANY
    blocks = max(1, min(GROUPS, n // max(BLOCK, APART * k))) if is_long else 1
    groups = count * blocks if is_long else min(count, GROUPS)
    room = 2 * k + SEEN
    words = p.scratch((groups, 2, room), int64)
    places = p.scratch((groups, 2, room), keys.place) if keys.paired else words
    if blocks == 1:
        given = (line, lines, values, indices, words, places, k)
        p.launch(_of_lines, groups, *given, keys=keys, work=2 * x.size)
        return
    found = p.scratch((count, 2, blocks * k), int64)
    found_places = p.scratch((count, 2, blocks * k), keys.place) if keys.paired else found
    among = (line, words, places, found, found_places, blocks, k)
    p.launch(_of_blocks, groups, *among, keys=keys, work=2 * x.size)
    last = (lines, values, indices, found, found_places)
    p.launch(_of_found, count, *last, keys=keys, work=4 * found.size)


@procedure
def element(x, line, k):
    """Element k of a line; lines stand as [count, n] or [before, n, after]."""
    return x[line, k] if len(x.shape) == 2 else x[line // x.shape[2], k, line % x.shape[2]]


@procedure
def _first_k(x, line, start, stop, words, places, group, k, *, keys):
    """Collect the first k elements from start before stop of a line as words, in order."""
    room = words.shape[2]
    held = min(stop - start, room)
    for at in range(start, start + held):
        words[group, 0, at - start] = word_of(element(x, line, at), at, keys=keys)
        if keys.paired:
            places[group, 0, at - start] = cast(at, places)
    bound = _lowered(words, places, group, held, k, keys=keys)
    seen = start + held
    held = k
    while seen < stop:
        until = min(seen + SEEN, stop)
        least = key_of(element(x, line, seen), keys=keys)
        for at in range(seen, until):
            least = min(least, key_of(element(x, line, at), keys=keys))
        if cast(least, int64) < bound:
            for at in range(seen, until):
                bits = element(x, line, at)
                if cast(key_of(bits, keys=keys), int64) < bound:
                    words[group, 0, held] = word_of(bits, at, keys=keys)
                    if keys.paired:
                        places[group, 0, held] = cast(at, places)
                    held += 1
            if held > room - SEEN:
                bound = _lowered(words, places, group, held, k, keys=keys)
                held = k
        seen = until
    if held > k:
        bound = _lowered(words, places, group, held, k, keys=keys)


@procedure
def _lowered(words, places, group, held, k, *, keys):
    """Put words in order, of which the first k stay; the key of the last of those."""
    which = merge_sort(words, places, group, held, keys=keys)
    if which == 1:
        for at in range(k):
            moved(words, places, group, 1, at, 0, at, keys=keys)
    last = words[group, 0, k - 1]
    return last if keys.paired else (last >> PLACE_BITS) - keys.half


@procedure
def _of_lines(group, x, lines, values, indices, words, places, k, *, keys):
    n, groups = lines.shape[1], words.shape[0]
    count = lines.shape[0] * lines.shape[2]
    for line in range(group * count // groups, (group + 1) * count // groups):
        _first_k(x, line, 0, n, words, places, group, k, keys=keys)
        for at in range(k):
            put_out(line, at, words, places, group, 0, at, lines, values, indices, keys=keys)


@procedure
def _of_blocks(row, x, words, places, found, found_places, blocks, k, *, keys):
    n = x.shape[1]
    line, block = row // blocks, row % blocks
    start, stop = block * n // blocks, (block + 1) * n // blocks
    _first_k(x, line, start, stop, words, places, row, k, keys=keys)
    for at in range(k):
        found[line, 0, block * k + at] = words[row, 0, at]
        if keys.paired:
            found_places[line, 0, block * k + at] = places[row, 0, at]


@procedure
def _of_found(line, lines, values, indices, found, found_places, *, keys):
    which = merge_sort(found, found_places, line, found.shape[2], keys=keys)
    for at in range(values.shape[1]):
        put_out(line, at, found, found_places, line, which, at, lines, values, indices, keys=keys)
