"""asin, acos, atan, atan2.

W. J. Cody, W. Waite, "Software Manual for the Elementary Functions" (1980), chapters 10 and 11.
"""

from __future__ import annotations

from twinoar.compile.math.coefficients import ASIN, ATAN, HALF_PI
from twinoar.compile.math.floats import bits, polynomial, with_sign
from twinoar.core.loop.expression import Expr, const, eq, lt, select
from twinoar.core.loop.language import abs, fma, sqrt


def _asin_part(size: Expr) -> tuple[Expr, Expr, Expr]:
    """Whether size > 1/2; then asin(sqrt((1 - size) / 2)), else asin(size), as a sum."""
    is_large = lt(0.5, size)
    square = select(is_large, fma(size, -0.5, 0.5), size * size)
    root = select(is_large, sqrt(square), size)
    return is_large, root, polynomial(square, ASIN) * (square * root)


def asin(x: Expr) -> Expr:
    """The angle whose sine is x; above 1/2 it is pi / 2 - 2 asin(sqrt((1 - x) / 2))."""
    is_large, root, rest = _asin_part(abs(x))
    high, low = HALF_PI[x.dtype.name]
    gap = fma(root, -2.0, high)
    lost = fma(root, -2.0, high - gap)
    complement = gap - (fma(rest, 2.0, -low) - lost)
    return with_sign(select(is_large, complement, root + rest), x)


def acos(x: Expr) -> Expr:
    """The angle whose cosine is x, pi / 2 - asin(x)."""
    is_large, root, rest = _asin_part(abs(x))
    high, low = HALF_PI[x.dtype.name]
    part = root + rest
    small = high - (with_sign(part, x) - low)
    large = select(lt(x, 0.0), 2 * high - fma(part, 2.0, -2 * low), part * 2.0)
    return select(is_large, large, small)


def _atan_of_quotient(x: Expr, y: Expr) -> Expr:
    """The angle of the point (x, y), both not negative: atan(y / x), or pi / 2 - atan(x / y)."""
    is_steep = lt(x, y)
    lesser, greater = select(is_steep, x, y), select(is_steep, y, x)
    quotient = select(eq(lesser, greater), 1.0, lesser / greater)
    t = select(eq(greater, 0.0), lesser, quotient)  # nan if one is
    square = t * t
    angle = fma(polynomial(square, ATAN), square * t, t)
    high, low = HALF_PI[x.dtype.name]
    return select(is_steep, high - (angle - low), angle)


def atan(x: Expr) -> Expr:
    """The angle whose tangent is x."""
    return with_sign(_atan_of_quotient(const(1, x.dtype), abs(x)), x)


def atan2(y: Expr, x: Expr) -> Expr:
    """The angle of the point (x, y), between -pi and pi."""
    angle = _atan_of_quotient(abs(x), abs(y))
    high, low = HALF_PI[x.dtype.name]
    is_left = lt(bits(x), 0)
    angle = select(is_left, 2 * high - (angle - 2 * low), angle)
    return with_sign(angle, y)
