"""What random numbers are made of: `twinoar.core.loop.philox` and `draws` say what it is."""

from __future__ import annotations

from twinoar.core.loop import draws, language
from twinoar.core.loop.expression import Expr, eq, select
from twinoar.core.loop.language import shr
from twinoar.core.loop.philox import MASK, block_of


def random_bits(seed: Expr, draw: Expr, block: Expr, lane: Expr) -> Expr:
    """A word of a block of a draw, int64 in [0, 2**32)."""
    words = block_of((*_halves(block), *_halves(draw)), _halves(seed), shr)
    found: Expr = words[3 if lane.value is None else lane.value]
    if lane.value is not None:
        return found
    for nth in (2, 1, 0):
        found = select(eq(lane, nth), words[nth], found)
    return found


def _halves(x: Expr) -> tuple[Expr, Expr]:
    return x & MASK, shr(x, 32) & MASK


def bell(radius: Expr, turn: Expr) -> Expr:
    """sqrt(-2 log(radius)) cos(2 pi turn)."""
    found: Expr = draws.bell(language, radius, turn)
    return found


def scaled(x: Expr, scale: Expr, offset: Expr) -> Expr:
    """x * scale + offset, rounded twice."""
    found: Expr = draws.scaled(x, scale, offset)
    return found
