"""Incomplete gamma functions as procedures: what `_incomplete` does, for one element.

All work in float64; where float32 is wanted they leave their series sooner.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from twinoar.core.dtype import float32, float64
from twinoar.core.loop import incomplete_gamma as steps
from twinoar.core.loop.procedure import Array, Launcher, Procedure, cast, procedure
from twinoar.core.op.declare import loop
from twinoar.ops.math._incomplete import STEPS, TINY

PRECISION = {float32: 2.0**-30, float64: 2.0**-53}  # of the last term, over all
BLOCK = 1024  # elements that a thread takes at a time


def by_blocks(called: Procedure) -> Callable[[Launcher, Array, Array], None]:
    """A `procedure` rule: of each pair of elements what `called` returns, in float64."""

    def rule(p: Launcher, x: Array, y: Array) -> None:
        out = p.results[0].reshape(-1)
        p.launch(
            _block, -(-out.size // BLOCK), x.reshape(-1), y.reshape(-1), out, of_two=called,
            work=100 * out.size, precision=PRECISION.get(out.dtype, PRECISION[float32]),
        )  # fmt: skip

    return rule


@procedure
def _block(row, x, y, out, *, of_two, precision):
    for k in range(row * BLOCK, min(out.shape[0], (row + 1) * BLOCK)):
        out[k] = cast(of_two(cast(x[k], float64), cast(y[k], float64), precision), out)


@procedure
def lower(a, x, precision):
    """P."""
    return _part(a, x, precision, False)


@procedure
def upper(a, x, precision):
    """Q."""
    return _part(a, x, precision, True)


@procedure
def _part(a, x, precision, is_upper_wanted):
    part, is_upper = cast(math.nan, float64), False
    if a >= 0.0 and x >= 0.0 and not (a == x and (a == 0.0 or a == math.inf)):
        if x == 0.0 or a == math.inf:
            part = 0.0
        elif a == 0.0 or x == math.inf:
            part = 1.0
        elif a >= steps.UNIFORM_FROM and abs(x - a) < steps.UNIFORM_WITHIN * a:
            part, is_upper = steps.uniform(loop, a, x), x >= a
        elif x >= max(a + 1.0, steps.LOW):
            part, is_upper = _power(a, x) * a * _fraction(a, x, precision), True
        elif is_upper_wanted and x < steps.LOW and a < _few(x):
            first = a * loop.log(x) - steps.log_of_next(loop, a)
            rest = loop.exp(first) * a * _small_series(a, x)
            part, is_upper = 0.0 - loop.expm1(first) - rest, True
        else:
            part = _power(a, x) * _series(a, x, precision)
    return part if is_upper == is_upper_wanted else 1.0 - part


@procedure
def _few(x):
    """The a below which Q is a small part."""
    found = 1.1 * x
    if x < 0.5:
        found = -0.4 / loop.log(x)
    return found


@procedure
def _power(a, x):
    """x^a e^-x / gamma(a + 1)."""
    logarithm = cast(0.0, float64)
    if a < steps.STIRLING_FROM:
        logarithm = a * loop.log(x) - x - steps.log_of_next(loop, a)
    else:
        logarithm = steps.log_power(loop, a, x)
    return loop.exp(logarithm)


@procedure
def _series(a, x, precision):
    term, total, k = cast(1.0, float64), cast(1.0, float64), cast(1.0, float64)
    while term > total * precision and k < STEPS:
        term *= x / (a + k)
        total += term
        k += 1.0
    return total


@procedure
def _small_series(a, x):
    term, total = cast(1.0, float64), cast(0.0, float64)
    for k in tuple(range(1, 24)):
        term *= x * (-1.0 / k)
        total += term / (a + k)
    return total


@procedure
def _fraction(a, x, precision):
    b = x + 1.0 - a
    c, d = cast(1.0 / TINY, float64), 1.0 / b
    total, change, k = 1.0 / b, cast(0.0, float64), cast(1.0, float64)
    while abs(change - 1.0) > 2.0 * precision and k < STEPS:
        numerator = k * (a - k)
        b += 2.0
        d = 1.0 / _not_zero(numerator * d + b)
        c = _not_zero(b + numerator / c)
        change = c * d
        total *= change
        k += 1.0
    return total


@procedure
def _not_zero(x):
    return TINY if abs(x) < TINY else x
