"""Lines in order: merged where they are short, by the digits of their keys where they are long.

Sorting by digits from the last on (LSD radix sort: Knuth, "The Art of Computer Programming" 3,
5.2.5) takes a count and a move for each digit; a digit that all keys share is left out. The blocks
of a long line count side by side, and then each knows where its elements go (Zagha and Blelloch,
"Radix sort for vector multiprocessors", 1991). Equal elements keep their order in each step.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import Array, Launcher, cast, local, procedure
from twinoar.ops.index._keys import PLACE_BITS, Keys, bits_of, keys_of, moved, put_out, word_of

SHORT = 192  # elements that merging puts in order sooner than digits
RUN = 8  # elements that a network of exchanges, or insertion, puts in order sooner than merging
NETWORK = (  # Batcher's for 8 (Knuth, 5.3.4), which may turn around equal ones: no words are
    (0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (1, 2), (5, 6), (0, 4), (1, 5),
    (2, 6), (3, 7), (2, 4), (3, 5), (1, 2), (3, 4), (5, 6),
)  # fmt: skip
DIGIT = 8  # bits of a digit: places to write to at once, which the first cache holds
BUCKETS = 1 << DIGIT
LONG = 1 << 17  # elements of a line that is cut into blocks
BLOCK = 1 << 15  # elements of a block at least
MANY = 8  # lines that keep most threads busy
GROUPS = 64  # parts of the work that have memory of their own; more than there are threads


def sort_lines(p: Launcher, x: Array, axis: int, *, descending: bool) -> None:
    """Launch x in order along an axis, and where its elements were, into the two results.

    These may be shorter: they get the first elements.
    """
    axis %= max(1, x.ndim)
    lines = bits_of(x).along(axis)
    values, indices = bits_of(p.results[0]).along(axis), p.results[1].along(axis)
    before, n, after = lines.shape
    count = before * after
    if not count * n:
        return
    keys = keys_of(x, n, descending=descending)
    given: dict[str, Any] = {"keys": keys}
    groups = min(count, GROUPS)
    words = p.scratch((groups, 2, n), int64)
    places = p.scratch((groups, 2, n), keys.place) if keys.paired else words
    work = 8 * x.size
    digits = digits_of(keys, n)
    if n < LONG or count >= MANY:
        given["digits"] = digits
        p.launch(_sorted, groups, lines, values, indices, words, places, **given, work=work)
        return
    blocks = min(GROUPS, -(-n // BLOCK))
    counts = p.scratch((count, blocks, BUCKETS), int64)
    which = p.scratch((count, len(digits) + 1), int64)
    work = x.size
    p.launch(_keyed, count * blocks, lines, words, places, which, blocks, **given, work=work)
    for number, shift, turned in digits:
        digit = {"number": number, "shift": shift, "turned": turned}
        p.launch(_counted, count * blocks, words, which, counts, **digit, work=work)
        p.launch(_offset, count, words, which, counts, **digit, work=counts.size)
        p.launch(
            _distributed, count * blocks, words, places, which, counts, **digit, **given, work=work
        )
    results = (values, indices, words, places, which, blocks)
    p.launch(_written, count * blocks, lines, *results, **given, work=work)


def digits_of(keys: Keys, n: int) -> tuple[tuple[int, int, int], ...]:
    """The digits that lines of n are sorted by, from the last on; none of short ones.

    Of each its number, how far it is shifted, and what of it is turned around, a sign.
    """
    if n <= SHORT:
        return ()
    first = 0 if keys.paired else PLACE_BITS
    sign = keys.width - DIGIT if keys.paired else -1
    return tuple(
        (n, first + at, BUCKETS // 2 if at == sign else 0)
        for n, at in enumerate(range(0, keys.width, DIGIT))
    )


@procedure
def merge_sort(words, places, group, n, *, keys):
    """Put the first of a group's two lines of n words in order; in which of them they are then."""
    exchanged = 0 if keys.paired else n - n % RUN
    for first in range(0, exchanged, RUN):
        for low, high in NETWORK:
            one, other = words[group, 0, first + low], words[group, 0, first + high]
            words[group, 0, first + low] = min(one, other)
            words[group, 0, first + high] = max(one, other)
    for first in range(exchanged, n, RUN):
        for k in range(first + 1, min(n, first + RUN)):
            new = words[group, 0, k]
            place = places[group, 0, k]
            at = k
            while at > first and words[group, 0, at - 1] > new:
                moved(words, places, group, 0, at - 1, 0, at, keys=keys)
                at -= 1
            words[group, 0, at] = new
            if keys.paired:
                places[group, 0, at] = place
    which = 0
    width = cast(RUN, int64)
    while width < n:
        pair = 0
        while pair < n:
            _merge(
                words,
                places,
                group,
                which,
                pair,
                min(pair + width, n),
                min(pair + 2 * width, n),
                keys=keys,
            )
            pair += 2 * width
        which = 1 - which
        width = 2 * width
    return which


@procedure
def _merge(words, places, group, which, start, middle, stop, *, keys):
    """Two neighbors in order become one in the other line; of equal ones the left comes first."""
    left = start
    right = middle
    last = max(stop - 1, 0)
    for k in range(start, stop):
        takes_left = (left < middle) & (
            (right >= stop)
            | (words[group, which, min(left, last)] <= words[group, which, min(right, last)])
        )
        source = left if takes_left else right
        moved(words, places, group, which, source, 1 - which, k, keys=keys)
        left += cast(takes_left, int64)
        right += 1 - cast(takes_left, int64)


@procedure
def _digit(word, *, shift, turned):
    return ((word >> shift) & (BUCKETS - 1)) ^ turned


@procedure
def _sorted(group, x, values, indices, words, places, *, keys, digits):
    count, groups = x.shape[0] * x.shape[2], words.shape[0]
    for line in range(group * count // groups, (group + 1) * count // groups):
        which = words_in_order(line, x, words, places, group, keys=keys, digits=digits)
        for k in range(values.shape[1]):
            put_out(line, k, words, places, group, which, k, x, values, indices, keys=keys)


@procedure
def words_in_order(line, x, words, places, group, *, keys, digits):
    """Make words of a line of x in order; in which of a group's two lines they are then.

    digits: see `digits_of`; none, if they are merged.
    """
    n, after = x.shape[1], x.shape[2]
    counts = local(max(1, BUCKETS * len(digits)), int64)
    for k in range(BUCKETS * len(digits)):
        counts[k] = 0
    for k in range(n):
        word = word_of(x[line // after, k, line % after], k, keys=keys)
        words[group, 0, k] = word
        if keys.paired:
            places[group, 0, k] = cast(k, places)
        for number, shift, turned in digits:
            counts[number * BUCKETS + _digit(word, shift=shift, turned=turned)] += 1
    which = cast(0, int64)
    if not digits:
        which = merge_sort(words, places, group, n, keys=keys)
    for digit in digits:
        which = _by_digit(words, places, counts, group, which, n, keys=keys, digit=digit)
    return which


@procedure
def _by_digit(words, places, counts, group, which, n, *, keys, digit):
    number, shift, turned = digit
    target = which
    first = _digit(words[group, which, 0], shift=shift, turned=turned)
    if counts[number * BUCKETS + first] < n:
        target = 1 - which
        so_far = cast(0, int64)
        for bucket in range(BUCKETS):
            own = counts[number * BUCKETS + bucket]
            counts[number * BUCKETS + bucket] = so_far
            so_far += own
        for k in range(n):
            at = number * BUCKETS + _digit(words[group, which, k], shift=shift, turned=turned)
            moved(words, places, group, which, k, target, counts[at], keys=keys)
            counts[at] += 1
    return target


@procedure
def _keyed(row, x, words, places, which, blocks, *, keys):
    n, after = x.shape[1], x.shape[2]
    line, block = row // blocks, row % blocks
    if block == 0:
        which[line, 0] = 0
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        words[line, 0, k] = word_of(x[line // after, k, line % after], k, keys=keys)
        if keys.paired:
            places[line, 0, k] = cast(k, places)


@procedure
def _counted(row, words, which, counts, *, number, shift, turned):
    """How often a block of a line has each digit."""
    n, blocks = words.shape[2], counts.shape[1]
    line, block = row // blocks, row % blocks
    source = which[line, number]
    for bucket in range(BUCKETS):
        counts[line, block, bucket] = 0
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        counts[line, block, _digit(words[line, source, k], shift=shift, turned=turned)] += 1


@procedure
def _offset(line, words, which, counts, *, number, shift, turned):
    """Where the elements of a block with each digit go, and which line of words they are in then.

    Nowhere if all have the same digit.
    """
    n, source = words.shape[2], which[line, number]
    first = _digit(words[line, source, 0], shift=shift, turned=turned)
    so_far = 0
    of_first = 0
    for bucket in range(BUCKETS):
        for block in range(counts.shape[1]):
            own = counts[line, block, bucket]
            counts[line, block, bucket] = so_far
            so_far += own
            if bucket == first:
                of_first += own
    which[line, number + 1] = source if of_first == n else 1 - source


@procedure
def _distributed(row, words, places, which, counts, *, keys, number, shift, turned):
    n, blocks = words.shape[2], counts.shape[1]
    line, block = row // blocks, row % blocks
    source, target = which[line, number], which[line, number + 1]
    if source == target:
        return
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        digit = _digit(words[line, source, k], shift=shift, turned=turned)
        at = counts[line, block, digit]
        counts[line, block, digit] = at + 1
        moved(words, places, line, source, k, target, at, keys=keys)


@procedure
def _written(row, x, values, indices, words, places, which, blocks, *, keys):
    n = values.shape[1]
    line, block = row // blocks, row % blocks
    source = which[line, which.shape[1] - 1]
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        put_out(line, k, words, places, line, source, k, x, values, indices, keys=keys)
