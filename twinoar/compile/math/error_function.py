"""erf, erfc and erfinv.

erfc(x) is e^(-x^2) / x, but for a factor that varies little and is a polynomial of 1 / (x + 2):
M. Shepherd, J. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc(x) in 0 <= x < inf",
Mathematics of Computation 36 (1981), 249-253. erfinv(x) / x is a polynomial of log(1 - x^2), and
of the root of it where x is near 1: M. Giles, "Approximating the erfinv function", GPU Computing
Gems 2 (2011).
"""

from __future__ import annotations

import math

from twinoar.compile.math.coefficients import (
    ERF,
    ERF_LARGE,
    ERF_MIDDLE,
    ERFC,
    ERFC_SHIFT,
    ERFINV,
    ERFINV_CENTER,
    ERFINV_SPLIT,
    ERFINV_TAIL,
    ERFINV_TAIL_CENTER,
)
from twinoar.compile.math.exponential import exp
from twinoar.compile.math.floats import at_most, polynomial, two_product, with_sign
from twinoar.compile.math.logarithm import log
from twinoar.core.dtype import float32
from twinoar.core.loop.expression import Expr, div, eq, le, lt, select
from twinoar.core.loop.language import abs, fma, sqrt

ZERO_FROM = 28.0  # erfc rounds to 0 from here


def erf(x: Expr) -> Expr:
    """The error function: a polynomial of x^2 below 1, one of |x| or 1 - erfc(|x|) above."""
    size = abs(x)
    small = fma(x, polynomial(x * x, ERF), x)
    large = _near_one(size) if x.dtype is float32 else 1.0 - _tail(size)
    return select(lt(size, 1.0), small, with_sign(large, x))


def erfc(x: Expr) -> Expr:
    """1 - erf(x), precise where it is small."""
    size = abs(x)
    small = fma(-x, polynomial(x * x, ERF), 1.0 - x)
    tail = _tail(size)
    return select(lt(size, 1.0), small, select(lt(x, 0.0), 2.0 - tail, tail))


def _near_one(x: Expr) -> Expr:
    """erf(x) for x >= 1; 1 from the end of the polynomial's interval on."""
    result = polynomial(x - ERF_MIDDLE, ERF_LARGE)
    return select(le(2 * ERF_MIDDLE - 1, x), 1.0, result)


def _tail(x: Expr) -> Expr:
    """erfc(x) for x >= 1."""
    x = at_most(ZERO_FROM, x)
    t = div(1.0, x + ERFC_SHIFT)
    factor = t * polynomial((x - ERFC_SHIFT) * t, ERFC)
    square, lost = two_product(x, x)
    return exp(-square, -lost) * factor


def erfinv(x: Expr) -> Expr:
    """y with erf(y) = x, nan beyond 1."""
    w = -log((1.0 - x) * (1.0 + x))
    central = polynomial(w - ERFINV_CENTER, ERFINV)
    tail = polynomial(sqrt(w) - ERFINV_TAIL_CENTER, ERFINV_TAIL)
    factor = select(lt(w, ERFINV_SPLIT), central, tail)
    return x * select(eq(abs(x), 1.0), math.inf, factor)
