"""Random bits by counter: Philox4x32-10, of a key and a position alone.

Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
SC'11. A key is (seed, draw), [2], int64; each draw of a seed has a number of its own. Block b, in
[0, 2**64), is the cipher of the counter (b mod 2**32, b >> 32, draw mod 2**32, draw >> 32) under
the key (seed mod 2**32, seed >> 32): four words of 32 bits. No element needs what came before it,
so any part of a draw can be computed alone, in any order. What element p takes:

    narrow   word p mod 4 of block p >> 2
    wide     words 2k and 2k + 1 of block p >> 1, where k = p mod 2
    tries    for try t, the words of block p + t * 2**40: draws that reject some
"""

from __future__ import annotations

from collections.abc import Callable
from operator import rshift
from typing import Any

import numpy as np

from twinoar.core.loop import language as loop
from twinoar.core.loop.expression import Expr
from twinoar.core.loop.philox import MASK, MULTIPLIERS, ROUNDS, WEYL, Wide, block_of

TRY = 1 << 40  # blocks between two tries of an element
CHUNK = 1 << 13  # blocks that NumPy computes at once: they stay in the cache

FEW = 12  # blocks that take less time one by one

_FACTORS = np.array(MULTIPLIERS, np.uint64)[:, None]
_STEPS = (np.arange(ROUNDS, dtype=np.uint64)[:, None] * np.array(WEYL, np.uint64))[:, :, None]
_HALF, _LOW = np.array(32, np.uint64), np.array(MASK, np.uint64)


def blocks_of(counter: np.ndarray, key: tuple[int, int]) -> np.ndarray:
    """The same of counters, [4,n]: [4,n], uint32."""
    schedule = _STEPS + np.array(key, np.uint64)[:, None] & _LOW
    factors, others = counter[0::2].astype(np.uint64), counter[1::2].astype(np.uint64)
    for step in schedule:
        product = factors * _FACTORS
        others ^= step
        np.right_shift(product, _HALF, factors)
        factors = factors[::-1] ^ others
        product &= _LOW
        others = product[::-1]
    return np.stack([factors[0], others[0], factors[1], others[1]]).astype(np.uint32)


def blocks_at(key: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The blocks of a key with these numbers, [n], int64: [4,n], uint32."""
    seed, draw = (int(k) for k in key)
    keys, later = (seed & MASK, seed >> 32 & MASK), (draw & MASK, draw >> 32 & MASK)
    if numbers.size <= FEW:
        each = ((n & MASK, n >> 32 & MASK, *later) for n in numbers.tolist())
        found = [block_of(counter, keys, rshift) for counter in each]
        return np.array(found, np.uint32).reshape(-1, 4).T
    counter = np.empty((4, numbers.size), np.uint32)
    counter[0], counter[1] = numbers & MASK, numbers >> 32
    counter[2], counter[3] = later
    return blocks_of(counter, keys)


def words(key: np.ndarray, count: int, first: int = 0) -> np.ndarray:
    """`count` words of a key, one block after the other, from block `first` on: uint32."""
    numbers = np.arange(first, first - (-count // 4))
    return np.ascontiguousarray(blocks_at(key, numbers).T).reshape(-1)[:count]


def filled(
    key: np.ndarray, count: int, each: int, dtype: Any, make: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """`count` numbers of a key, in pieces that stay in the cache.

    each: the words of an element, 1 or 2. make: numbers of words, [n], int64, or [n,2].
    """
    out = np.empty(count, dtype)
    step = 4 * CHUNK // each
    for at in range(0, count, step):
        part = out[at : at + step]
        blocks = -(-part.size * each // 4)
        taken = words(key, 4 * blocks, at * each // 4).astype(np.int64)
        part[...] = make(taken if each == 1 else taken.reshape(-1, 2))[: part.size]
    return out


def wide_of(words: np.ndarray) -> Wide:
    """Pairs of words, [n,2], as wide words."""
    return Wide(words[:, 0], words[:, 1])


# In the loop language. key: a Reader.


def lane(key: Any, block: Any, nth: int) -> Expr:
    """A word of a block, an int64 in [0, 2**32)."""
    return loop.random_bits(key[0], key[1], block, nth)


def chosen_pair(key: Any, block: Any, is_second: Any) -> tuple[Expr, Expr]:
    """Words 0 and 1 of a block, or 2 and 3."""
    first, second = (
        loop.select(is_second, lane(key, block, nth + 2), lane(key, block, nth)) for nth in (0, 1)
    )
    return first, second


def word(key: Any, position: Any) -> Expr:
    """The narrow word of the element at a position."""
    is_odd, is_second = (loop.eq(loop.and_(position, bit), bit) for bit in (1, 2))
    even, odd = chosen_pair(key, loop.shr(position, 2), is_second)
    return loop.select(is_odd, odd, even)


def pair(key: Any, block: Any, nth: int) -> Wide:
    """A wide word of a block: its first, or its second."""
    return Wide(lane(key, block, 2 * nth), lane(key, block, 2 * nth + 1))


def wide_word(key: Any, position: Any) -> Wide:
    """The wide word of the element at a position."""
    is_odd = loop.eq(loop.and_(position, 1), 1)
    return Wide(*chosen_pair(key, loop.shr(position, 1), is_odd))
