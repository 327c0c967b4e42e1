"""The cipher Philox4x32-10: random words of a counter and a key, for ints and for elements.

Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
SC'11. Which counters a draw takes is told in `twinoar.ops.random.philox`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)  # section 3.3 and table 2
WEYL = (0x9E3779B9, 0xBB67AE85)
MASK = (1 << 32) - 1

Words = tuple[Any, Any, Any, Any]


class Wide(NamedTuple):
    """64 bits as two words, each an int64 in [0, 2**32): arrays, or elements."""

    low: Any
    high: Any


def block_of(counter: Words, key: tuple[Any, Any], shr: Callable[[Any, int], Any]) -> Words:
    """One block: the cipher of four words under a key of two, ints or elements of int64.

    shr: of such a number, to the right. A product may wrap: what counts are its 64 bits.
    """
    a, b, c, d = counter
    for count in range(ROUNDS):
        k, j = (
            word + (step * count & MASK) & MASK if count else word
            for word, step in zip(key, WEYL, strict=True)
        )
        first, second = a * MULTIPLIERS[0], c * MULTIPLIERS[1]
        a, b = shr(second, 32) & MASK ^ b ^ k, second & MASK
        c, d = shr(first, 32) & MASK ^ d ^ j, first & MASK
    return a, b, c, d
