"""What random numbers are made of: `twinoar.core.loop.philox` and `draws` say what it is."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from twinoar.core.loop import draws, language, rejection
from twinoar.core.loop.expression import Expr, eq, select
from twinoar.core.loop.language import shr
from twinoar.core.loop.philox import MASK, block_of


def _halves(x: Expr) -> tuple[Expr, Expr]:
    """The lower and the upper 32 bits of an int64."""
    return x & MASK, shr(x, 32) & MASK


def random_bits(seed: Expr, draw: Expr, block: Expr, lane: Expr) -> Expr:
    """A word of a block of a draw, int64 in [0, 2**32)."""
    words = block_of((*_halves(block), *_halves(draw)), _halves(seed), shr)
    found: Expr = words[3 if lane.value is None else lane.value]
    if lane.value is not None:
        return found
    for nth in (2, 1, 0):
        found = select(eq(lane, nth), words[nth], found)
    return found


def _expanded(definition: Callable[..., Any]) -> Callable[..., Expr]:
    """A function of draws, or of tries, of elements of the loop language."""

    @functools.wraps(definition)
    def function(*operands: Expr) -> Expr:
        found: Expr = definition(language, *operands)
        return found

    return function


DRAWS: dict[str, Callable[..., Expr]] = {
    "random_bits": random_bits,
    "scaled": draws.scaled,
    **{
        f.__name__: _expanded(f)
        for f in (
            *(draws.bell, rejection.waiting_time, rejection.decay),
            *(rejection.power_of_rest, rejection.power_of_unit),
            *(rejection.binomial_quick, rejection.binomial_try),
            *(rejection.gamma_quick, rejection.gamma_try),
            *(rejection.poisson_quick, rejection.poisson_try),
        )
    },
}
