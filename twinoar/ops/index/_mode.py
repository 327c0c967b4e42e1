"""The commonest element of each line: the longest run of equal ones in their order."""

from __future__ import annotations

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, procedure
from twinoar.ops.index._keys import PLACE_BITS, bits_of, keys_of, put_out
from twinoar.ops.index._sort import GROUPS, digits_of, words_in_order


def mode_lines(p: Launcher, x: Array, axis: int) -> None:
    """Launch the commonest elements along an axis, and where they stand last, into the results."""
    axis %= x.ndim
    lines = bits_of(x).along(axis)
    before, n, after = lines.shape
    if not n:
        p.launch(_nothing, before * after)
        return
    values, indices = bits_of(p.results[0]), p.results[1]
    keys = keys_of(x, n, descending=False)
    groups = min(before * after, GROUPS)
    words = p.scratch((groups, 2, n), int64)
    places = p.scratch((groups, 2, n), keys.place) if keys.paired else words
    out = values.reshape(before, 1, after), indices.reshape(before, 1, after)
    given = (lines, *out, words, places)
    p.launch(_found, groups, *given, keys=keys, digits=digits_of(keys, n), work=8 * x.size)


@procedure
def _nothing(line):
    fail()


@procedure
def _found(group, x, values, indices, words, places, *, keys, digits):
    n, count, groups = x.shape[1], x.shape[0] * x.shape[2], words.shape[0]
    shift = 0 if keys.paired else PLACE_BITS
    for line in range(group * count // groups, (group + 1) * count // groups):
        which = words_in_order(line, x, words, places, group, keys=keys, digits=digits)
        longest = cast(0, int64)
        found = cast(0, int64)
        run = cast(0, int64)
        for k in range(n):
            key, last = words[group, which, k] >> shift, words[group, which, max(k - 1, 0)] >> shift
            run = run + 1 if key == last else cast(1, int64)
            found = k if run > longest else found
            longest = max(longest, run)
        put_out(line, 0, words, places, group, which, found, x, values, indices, keys=keys)
