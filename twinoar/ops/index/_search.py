"""Places in ascending sequences, found by halves, for several values in turns.

The range is halved as often for each value, and a step chooses without a branch, so none waits for
the memory that another one needs. nan stands behind all numbers.
"""

from __future__ import annotations

from twinoar.core.dtype import int64
from twinoar.core.loop.procedure import Array, Launcher, cast, local, procedure
from twinoar.ops.index._keys import bits_of, key_of, keys_of

TURNS = tuple(range(8))  # values that are looked for in turns
CHUNK = 1 << 10  # values of a row


def search_lines(p: Launcher, sequences: Array, values: Array | float, *, right: bool) -> None:
    """Launch the places of values among the elements of vectors of one dtype into the first result.

    sequences: [n], or [*,n] for values [*,m]; values may be a number. right: behind equal elements.
    """
    if not isinstance(values, Array):
        number, values = values, p.scratch((1,), sequences.dtype)
        p.launch(_given, 1, values, number)
    n = sequences.shape[-1]
    lines = sequences.size // n if n else 1
    each = values.size // max(1, lines)
    if not values.size:
        return
    chunks = -(-each // CHUNK)
    p.launch(
        _searched, lines * chunks, bits_of(sequences).reshape(lines, n),
        bits_of(values).reshape(lines, each), p.results[0].reshape(lines, each), chunks,
        keys=keys_of(sequences, 1, descending=False), right=right,
        work=values.size * (2 + n.bit_length()),
    )  # fmt: skip


@procedure
def _given(row, values, number):
    values[row] = cast(number, values)


@procedure
def _searched(row, sequences, values, out, chunks, *, keys, right):
    line, chunk = row // chunks, row % chunks
    start, stop = chunk * CHUNK, min((chunk + 1) * CHUNK, values.shape[1])
    n = sequences.shape[1]
    wanted = local(len(TURNS), int64)
    place = local(len(TURNS), int64)
    for first in range(start, stop, len(TURNS)):
        for turn in TURNS:
            at = min(first + turn, stop - 1)
            wanted[turn] = cast(key_of(values[line, at], keys=keys), int64)
            place[turn] = 0
        rest = n + 0
        while rest > 1:
            half = rest // 2
            for turn in TURNS:
                at = place[turn] + half - 1
                found = cast(key_of(sequences[line, at], keys=keys), int64)
                is_before = found <= wanted[turn] if right else found < wanted[turn]
                place[turn] = place[turn] + half if is_before else place[turn]
            rest -= half
        for turn in TURNS:
            if rest == 1:
                found = cast(key_of(sequences[line, place[turn]], keys=keys), int64)
                is_before = found <= wanted[turn] if right else found < wanted[turn]
                place[turn] += cast(is_before, int64)
            if first + turn < stop:
                out[line, first + turn] = cast(place[turn], out)
