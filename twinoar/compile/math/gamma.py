"""lgamma, digamma and trigamma: the logarithm of the gamma function and its derivatives.

M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions" (1964), chapter 6. From 1 on each is
a polynomial of (x - k) / (x + k), in which the poles lie far from the interval, with the zeros of
the function as factors; then the asymptotic series (6.1.40, 6.3.18, 6.4.11), as polynomials. Below
1 the recurrences (6.1.15, 6.3.5, 6.4.6) take one step, and negative arguments are reflected
(6.1.17, 6.3.7, 6.4.7). There the error is counted in the units of the greater of the two terms, so
that next to a zero of the function few digits may be right.
"""

from __future__ import annotations

import math

from twinoar.compile.math.floats import at_least, at_most, polynomial
from twinoar.compile.math.logarithm import log
from twinoar.compile.math.special_coefficients import (
    COTANGENT,
    DIGAMMA,
    DIGAMMA_CENTER,
    DIGAMMA_FAR,
    DIGAMMA_ROOT,
    DIGAMMA_TAIL,
    LGAMMA,
    LGAMMA_CENTER,
    LGAMMA_CONSTANT,
    LGAMMA_FAR,
    LGAMMA_TAIL,
    SINE_OF_TURN,
    TRIGAMMA,
    TRIGAMMA_TAIL,
)
from twinoar.core.loop.expression import Expr, div, eq, lt, select
from twinoar.core.loop.language import abs, fma, round

LARGEST = 2.0**1023  # a whole number; lgamma overflows long before


def lgamma(x: Expr) -> Expr:
    """log(|gamma(x)|) of a float64; infinite at 0, -1, -2, ...

    gamma(-y) is pi / (sin(pi y) gamma(1 + y)), and gamma(1 + y) is y gamma(y).
    """
    y = at_most(LARGEST, abs(x))
    is_left, is_small = lt(x, 0.0), lt(y, 1.0)
    found, logarithm = _log_gamma_from_1(y, is_small)
    added = select(is_left, logarithm, 0.0)
    found = found + select(is_small, added - logarithm, added)
    r = _to_whole(y)
    reflected = -(log(abs(r) * polynomial(r * r, SINE_OF_TURN)) + found)
    return select(is_left, select(eq(r, 0.0), math.inf, reflected), found)


def _log_gamma_from_1(y: Expr, is_small: Expr) -> tuple[Expr, Expr]:
    """lgamma(y), or lgamma(y + 1) where y is small; log(y)."""
    z = select(is_small, y + 1.0, y)
    less_1 = select(is_small, y, y - 1.0)
    q = (z - LGAMMA_CENTER) / (z + LGAMMA_CENTER)
    near = less_1 * (less_1 - 1.0) * polynomial(q, LGAMMA)
    logarithm, inverse = log(y), div(1.0, y)
    rest = fma(inverse, polynomial(inverse * inverse, LGAMMA_TAIL), LGAMMA_CONSTANT)
    far = fma(y - 0.5, logarithm - 1.0, rest)
    return select(lt(LGAMMA_FAR, y), far, near), logarithm


def digamma(x: Expr) -> Expr:
    """The derivative of lgamma, of a float64; nan at -1, -2, ..., at 0 the infinity on its side."""
    is_left, is_small, y, less_1 = _parted(x)
    high, low = DIGAMMA_ROOT["float64"]
    z = less_1 + 1.0
    q = (z - DIGAMMA_CENTER) / (z + DIGAMMA_CENTER)
    near = ((less_1 - (high - 1.0)) - low) * polynomial(q, DIGAMMA)
    inverse = div(1.0, y)
    square = inverse * inverse
    far = log(y) + fma(inverse, -0.5, square * polynomial(square, DIGAMMA_TAIL))
    found = select(lt(DIGAMMA_FAR, y), far, near) - select(is_small, inverse, 0.0)
    r = _to_whole(x)
    reflected = select(eq(r, 0.0), math.nan, found - _cotangent_of_turn(r))
    return select(is_left, reflected, found)


def trigamma(x: Expr) -> Expr:
    """The derivative of digamma, of a float64; infinite at 0, -1, -2, ..."""
    is_left, is_small, y, less_1 = _parted(x)
    z = less_1 + 1.0
    t = div(1.0, z + DIGAMMA_CENTER)
    near = polynomial((z - DIGAMMA_CENTER) * t, TRIGAMMA) * t
    inverse = div(1.0, y)
    square = inverse * inverse
    rest = square * fma(inverse, polynomial(square, TRIGAMMA_TAIL), 0.5)
    far = inverse + rest
    found = select(lt(DIGAMMA_FAR, y), far, near) + select(is_small, square, 0.0)
    r = _to_whole(at_least(-LARGEST, x))
    sine = r * polynomial(r * r, SINE_OF_TURN)
    return select(is_left, div(1.0, sine * sine) - found, found)


def _parted(x: Expr) -> tuple[Expr, Expr, Expr, Expr]:
    """Whether x is negative; if not, whether below 1; y, which is x or 1 - x; z - 1.

    z is y, or y + 1 where that is small; z - 1 is exact where z is asked for.
    """
    is_left = lt(x, 0.0)
    y = select(is_left, 1.0 - x, x)
    is_small = lt(y, 1.0)
    return is_left, is_small, y, select(is_left, -x, select(is_small, x, x - 1.0))


def _to_whole(x: Expr) -> Expr:
    """How far x is from the nearest whole number."""
    return x - round(x)


def _cotangent_of_turn(r: Expr) -> Expr:
    """pi cot(pi r) for |r| <= 1/2: that of 1/2 - |r|, inverted, where |r| is above 1/4."""
    is_steep = lt(0.25, abs(r))
    u = select(is_steep, select(lt(r, 0.0), -0.5 - r, 0.5 - r), r)
    part = polynomial(u * u, COTANGENT)
    scaled = u * math.pi**2
    return select(is_steep, scaled, part) / select(is_steep, part, u)
