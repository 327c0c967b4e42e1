"""What random numbers are made of: `twinoar.ops.random.philox` and `numbers` say what it is."""

from __future__ import annotations

from twinoar.core.loop import language
from twinoar.core.loop.expression import Expr, eq, select
from twinoar.core.loop.language import shr
from twinoar.ops.random import numbers
from twinoar.ops.random.philox import MASK, block_of


def random_bits(seed: Expr, draw: Expr, block: Expr, lane: Expr) -> Expr:
    """A word of a block of a draw, int64 in [0, 2**32)."""
    counter = tuple(half for x in (block, draw) for half in (x & MASK, shr(x, 32) & MASK))
    words = block_of(counter, (seed & MASK, shr(seed, 32) & MASK), shr)
    if lane.value is not None:
        return words[lane.value]
    found = words[3]
    for nth in (2, 1, 0):
        found = select(eq(lane, nth), words[nth], found)
    return found


def bell(radius: Expr, turn: Expr) -> Expr:
    """sqrt(-2 log(radius)) cos(2 pi turn)."""
    return numbers.bell(language, radius, turn)


def scaled(x: Expr, scale: Expr, offset: Expr) -> Expr:
    """x * scale + offset, rounded twice."""
    return numbers.scaled(x, scale, offset)
