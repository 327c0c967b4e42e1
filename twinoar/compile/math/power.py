"""pow and rsqrt."""

from __future__ import annotations

import math

from twinoar.compile.math.exponential import exp2
from twinoar.compile.math.floats import two_product, with_sign
from twinoar.compile.math.logarithm import log2, log2_twice
from twinoar.core.dtype import float32, float64
from twinoar.core.loop.expression import Expr, cast, const, div, eq, lt, not_, select
from twinoar.core.loop.language import abs, and_, floor, fma, or_, power, sqrt

EXPONENTS = 2048.0  # 2 to a power beyond it is 0 or inf in float64
WHOLE_EXPONENTS = (1, 2, 3, 4, -1, -2)  # within 2 units in the last place by multiplication


def rsqrt(x: Expr) -> Expr:
    """1 / sqrt(x)."""
    return div(1.0, sqrt(x))


def pow(x: Expr, y: Expr) -> Expr:
    """x^y: 1 for x = 1 or y = 0, whatever the other is, and nan for x < 0 unless y is whole."""
    special = _by_constant(x, y.value)
    if special is not None:
        return special
    whole = eq(floor(y), y)
    odd = and_(whole, not_(eq(floor(y * 0.5), y * 0.5)))
    result = select(eq(abs(x), 1.0), 1.0, _magnitude(abs(x), y))
    result = select(odd, with_sign(result, x), result)
    undefined = and_(and_(lt(x, 0.0), not_(whole)), lt(-math.inf, x))
    result = select(undefined, math.nan, result)
    return select(or_(eq(x, 1.0), eq(y, 0.0)), 1.0, result)


def _by_constant(x: Expr, exponent: float | None) -> Expr | None:
    """x to a constant power that needs no logarithm; else None."""
    if exponent == 0:
        return const(1, x.dtype)
    if exponent in WHOLE_EXPONENTS:
        n = int(exponent)
        return power(x if n > 0 else div(1.0, x), n if n > 0 else -n)
    if exponent is not None and math.fabs(exponent) == 0.5:
        root = abs(sqrt(select(eq(x, -math.inf), math.inf, x)))  # of -0 and -inf as well
        return root if exponent > 0 else div(1.0, root)
    return None


def _magnitude(x: Expr, y: Expr) -> Expr:
    """x^y = 2^(y log2(x)) for x >= 0; in twice the precision of x, which large exponents need."""
    if x.dtype is float32:
        return cast(exp2(log2(cast(x, float64)) * cast(y, float64)), float32)
    logarithm, rest = log2_twice(x)
    product, lost = two_product(logarithm, y)
    is_finite = lt(abs(product), EXPONENTS)
    return exp2(product, select(is_finite, fma(rest, y, lost), 0.0))
