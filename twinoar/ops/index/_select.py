"""Elements at given places of the order of a line, found without putting it in order.

The range of the keys of a line is divided into equal parts, whose elements are counted; those of
the part in which the wanted one lies are collected, and divided again (radix selection: Alabi et
al., "Fast k-selection algorithms for graphics processing units", 2012). Among few the wanted one is
that which so many others precede.
"""

from __future__ import annotations

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, local, procedure
from twinoar.ops.index._keys import PLACE_BITS, bits_of, key_of, keys_of, moved, put_out, word_of
from twinoar.ops.index._sort import GROUPS
from twinoar.ops.index._topk import element

FEW = 32  # elements of which each is compared with each
NEAR = 4096  # elements that are divided among fewer parts


def select_lines(p: Launcher, x: Array, ranks: Array, axis: int) -> None:
    """Launch the elements at places of the order of lines along an axis, and where they were.

    ranks: [m], or [*, m, *] with its own for each line.
    """
    lines = bits_of(x).along(axis)
    before, n, after = lines.shape
    values, indices = bits_of(p.results[0]).along(axis), p.results[1].along(axis)
    count = before * after
    if not count or not values.size:
        return
    keys = keys_of(x, n, descending=False)
    line = lines.reshape(before, n) if after == 1 else lines
    wanted = ranks if ranks.ndim == 1 else ranks.along(axis)
    groups = min(count, GROUPS)
    words = p.scratch((groups, 2, n), int64)
    places = p.scratch((groups, 2, n), keys.place) if keys.paired else words
    given = (line, lines, wanted, values, indices, words, places)
    digit = 8 if n < NEAR else 11
    p.launch(_selected, groups, *given, keys=keys, digit=digit, work=4 * x.size)


@procedure
def _selected(group, x, lines, ranks, values, indices, words, places, *, keys, digit):
    n, after, groups = lines.shape[1], lines.shape[2], words.shape[0]
    count = lines.shape[0] * after
    counts = local(1 << digit, int64)
    for line in range(group * count // groups, (group + 1) * count // groups):
        least = key_of(element(x, line, 0), keys=keys)
        greatest = key_of(element(x, line, 0), keys=keys)
        for k in range(n):
            own = key_of(element(x, line, k), keys=keys)
            least = min(least, own)
            greatest = max(greatest, own)
        low = cast(least, int64)
        shift = _shift(cast(greatest, int64) - low, digit)
        for part in range(1 << digit):
            counts[part] = 0
        for k in range(n):
            key = cast(key_of(element(x, line, k), keys=keys), int64)
            counts[_part(key, low, shift, digit=digit)] += 1
        collected = -1
        held = 0
        for r in range(values.shape[1]):
            shared = len(ranks.shape) == 1
            rank = ranks[r] if shared else ranks[line // after, r, line % after]
            rank += n if rank < 0 else 0
            if rank < 0 or rank >= n:
                fail()
                return
            part = 0
            while rank >= counts[part]:
                rank -= counts[part]
                part += 1
            if part != collected:
                collected = part
                held = 0
                for k in range(n):
                    bits = element(x, line, k)
                    key = cast(key_of(bits, keys=keys), int64)
                    words[group, 0, held] = word_of(bits, k, keys=keys)
                    if keys.paired:
                        places[group, 0, held] = cast(k, places)
                    held += cast(_part(key, low, shift, digit=digit) == part, int64)
            start = low + (cast(part, int64) << shift)
            _narrowed(
                words,
                places,
                group,
                held,
                rank,
                start,
                shift,
                line,
                r,
                lines,
                values,
                indices,
                keys=keys,
                digit=digit,
            )


@procedure
def _shift(size, digit):
    """By how many bits numbers up to `size`, without a sign, become numbers of a digit."""
    found = cast(0, size)
    if size < 0:
        found = cast(64 - digit, size)
    while size >> found >= 1 << digit:
        found += 1
    return found


@procedure
def _part(key, low, shift, *, digit):
    return ((key - low) >> shift) & ((1 << digit) - 1)


@procedure
def _key(words, group, which, k, *, keys):
    word = words[group, which, k]
    return word if keys.paired else (word >> PLACE_BITS) - keys.half


@procedure
def _narrowed(
    words, places, group, held, rank, low, shift, line, r, lines, values, indices, *, keys, digit
):
    """Write the word of a rank among those collected, which stay where they are."""
    counts = local(1 << digit, int64)
    source = 0
    number = held + 0
    while number > FEW and shift > 0:
        shift = max(shift - digit, cast(0, int64))
        for part in range(1 << digit):
            counts[part] = 0
        for k in range(number):
            key = _key(words, group, source, k, keys=keys)
            counts[_part(key, low, shift, digit=digit)] += 1
        part = 0
        while rank >= counts[part]:
            rank -= counts[part]
            part += 1
        kept = 0
        for k in range(number):
            key = _key(words, group, source, k, keys=keys)
            moved(words, places, group, source, k, 1, kept, keys=keys)
            kept += cast(_part(key, low, shift, digit=digit) == part, int64)
        low = low + (cast(part, int64) << shift)
        source = 1
        number = kept
    found = rank
    if shift > 0:  # else all are equal, and stand as they did
        for k in range(number):
            own = words[group, source, k]
            earlier = cast(0, int64)
            for other in range(number):
                is_equal = (words[group, source, other] == own) & (other < k)
                earlier += cast((words[group, source, other] < own) | is_equal, int64)
            if earlier == rank:
                found = k
    put_out(line, r, words, places, group, source, found, lines, values, indices, keys=keys)
