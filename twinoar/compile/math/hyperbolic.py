"""sinh, cosh, tanh and their inverses.

N. Higham, "Accuracy and Stability of Numerical Algorithms", second edition (2002), section 1.14, on
forms that do not cancel.
"""

from __future__ import annotations

import math

from twinoar.compile.math.coefficients import LN2, TANH
from twinoar.compile.math.exponential import RANGE, exp_near_0, expm1_near_0, reduced
from twinoar.compile.math.floats import (
    at_most,
    format_of,
    inverse_power,
    nearest,
    polynomial,
    power_of_two,
    with_sign,
)
from twinoar.compile.math.logarithm import log1p
from twinoar.core.loop.expression import Expr, const, lt, select
from twinoar.core.loop.language import abs, fma, sqrt

ONE_FROM = {"float32": 9.02, "float64": 19.07}  # tanh rounds to 1 from here
ALONE_FROM = 2.0**64  # e^x is not changed by e^-x far below
SQUARE_TO = 2.0**500  # squares of greater float64 may overflow


def tanh(x: Expr) -> Expr:
    """tanh(n log(2) / 2 + r) by the theorem of addition; t = tanh(r) is a polynomial.

    It is (S - 1 + (S + 1) t) / (S + 1 + (S - 1) t) with S = 2^n, written so that dividend and
    divisor have their rounding in common. r is from -1/8 to 3/8 of log(2).
    """
    size = at_most(ONE_FROM[x.dtype.name], abs(x))
    n, biased = nearest(fma(size, 2 / math.log(2), -0.25), 1.0, format_of(x).bias)
    r = fma(n, -LN2[x.dtype.name][0] / 2, size)
    t = fma(polynomial(r * r, TANH), r * r * r, r)
    power = power_of_two(biased, format_of(x))
    dividend = fma(power + 1.0, t, power - 1.0)
    return with_sign(dividend / (dividend + fma(t, -2.0, 2.0)), x)


def sinh(x: Expr) -> Expr:
    """(e^x - e^-x) / 2 = h + h / (2 h + 1) with h = (e^|x| - 1) / 2."""
    r, a, b = reduced(abs(x), 0.0, RANGE[x.dtype.name][1] + 1.0)
    half = fma(expm1_near_0(r), a, a - inverse_power(b)) * (b * 0.5)
    finite = at_most(ALONE_FROM, half)
    return with_sign(half + finite / fma(finite, 2.0, 1.0), x)


def cosh(x: Expr) -> Expr:
    """(e^x + e^-x) / 2 = h + 1 / (4 h) with h = e^|x| / 2."""
    r, a, b = reduced(abs(x), 0.0, RANGE[x.dtype.name][1] + 1.0)
    half = exp_near_0(r) * a * (b * 0.5)
    return half + 0.25 / half


def asinh(x: Expr) -> Expr:
    """log(|x| + sqrt(x^2 + 1)) with the sign of x."""
    size = abs(x)
    is_large = lt(SQUARE_TO, size)
    bounded = select(is_large, 1.0, size)
    square = bounded * bounded
    sum_less_one = bounded + square / (1.0 + sqrt(square + 1.0))
    return with_sign(_log1p_doubled(is_large, size, sum_less_one), x)


def acosh(x: Expr) -> Expr:
    """log(x + sqrt(x^2 - 1)), nan below 1."""
    is_large = lt(SQUARE_TO, x)
    above = select(is_large, 1.0, x) - 1.0
    sum_less_one = above + sqrt(above * (above + 2.0))
    return select(lt(x, 1.0), math.nan, _log1p_doubled(is_large, x, sum_less_one))


def _log1p_doubled(is_large: Expr, x: Expr, otherwise: Expr) -> Expr:
    """log(2 x) where that is large, log1p(otherwise) elsewhere."""
    result = log1p(select(is_large, x, otherwise))
    return result + select(is_large, LN2[x.dtype.name][0], const(0, x.dtype))


def atanh(x: Expr) -> Expr:
    """log((1 + x) / (1 - x)) / 2, nan beyond 1."""
    size = abs(x)
    return with_sign(log1p(size * 2.0 / (1.0 - size)) * 0.5, x)
