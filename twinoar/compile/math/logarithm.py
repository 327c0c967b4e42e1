"""log, log2, log10 and log1p.

x is m 2^e with m between sqrt(1/2) and sqrt(2), and log(m) is a polynomial of m - 1: J.-M. Muller,
"Elementary Functions", third edition (2016), chapter 6.
"""

from __future__ import annotations

import math

from twinoar.compile.math.coefficients import ATANH, LN2, LOG, LOG2_E, LOG10_2, LOG10_E, THIRD
from twinoar.compile.math.floats import (
    Format,
    bits,
    format_of,
    horner,
    polynomial,
    two_product,
    two_sum,
)
from twinoar.core.loop.expression import Expr, const, eq, le, lt, select
from twinoar.core.loop.language import bitcast, fma, shl, shr

Parts = tuple[float, float]  # a number as a sum

ROOT_HALF = math.sqrt(0.5)


def _exponent(x: Expr, form: Format) -> Expr:
    """e, an integer, of a normal number m 2^e."""
    return shr(bits(x) - form.bits(ROOT_HALF), form.fraction)


def _fraction(x: Expr, exponent: Expr, form: Format) -> Expr:
    """m of a normal number m 2^e."""
    return bitcast(bits(x) - shl(exponent, form.fraction), form.dtype)


def _as_float(n: Expr, form: Format) -> Expr:
    """A small integer as a float."""
    return bitcast(n + form.bits(form.whole), form.dtype) - form.whole


def _split(x: Expr) -> tuple[Expr, Expr]:
    """f and e, floats, of a positive number (1 + f) 2^e."""
    form = format_of(x)
    is_small = lt(x, form.least_normal)
    normal = select(is_small, x * 2.0**form.fraction, x)
    exponent = _exponent(normal, form)
    e = _as_float(exponent, form) - select(is_small, float(form.fraction), const(0, x.dtype))
    return _fraction(normal, exponent, form) - 1.0, e


def _sum(f: Expr, e: Expr, scale: Parts, unit: Parts) -> Expr:
    """scale * log(1 + f) + unit * e; what is small is added first."""
    small = horner(f, [scale[0] * c for c in LOG[f.dtype.name]]) * (f * f)
    for factor, part in ((f, scale[1]), (e, unit[1])):
        small = fma(factor, part, small) if part else small
    return fma(e, unit[0], fma(f, scale[0], small))


def _special(x: Expr, result: Expr) -> Expr:
    """The result, or what the logarithm is of 0, negative numbers, inf and nan."""
    result = select(lt(x, math.inf), result, x)
    return select(le(x, 0.0), select(eq(x, 0.0), const(-math.inf, x.dtype), math.nan), result)


def _logarithm(x: Expr, scale: Parts, unit: Parts) -> Expr:
    """The logarithm to a base b: `scale` is 1 / log(b), and `unit` is log(2) / log(b)."""
    return _special(x, _sum(*_split(x), scale, unit))


def log(x: Expr) -> Expr:
    """The natural logarithm."""
    return _logarithm(x, (1.0, 0.0), LN2[x.dtype.name])


def log2(x: Expr) -> Expr:
    """The logarithm to the base 2."""
    return _logarithm(x, LOG2_E[x.dtype.name], (1.0, 0.0))


def log10(x: Expr) -> Expr:
    """The logarithm to the base 10."""
    return _logarithm(x, LOG10_E[x.dtype.name], LOG10_2[x.dtype.name])


def log1p(x: Expr) -> Expr:
    """log(1 + x), precise where x is small: what is lost in the sum u = 1 + x is added to m - 1."""
    form = format_of(x)
    u = x + 1.0
    lost = (x - (u - 1.0)) + (1.0 - (u - (u - 1.0)))
    exponent = _exponent(u, form)
    scale = bitcast(form.bits(1.0) - shl(exponent, form.fraction), form.dtype)
    lost = select(lt(u, 2.0**form.fraction), lost * scale, 0.0)
    f = (_fraction(u, exponent, form) - 1.0) + lost
    result = _sum(f, _as_float(exponent, form), (1.0, 0.0), LN2[x.dtype.name])
    return select(eq(x, 0.0), x, _special(u, result))  # of -0 as well


def log2_twice(x: Expr) -> tuple[Expr, Expr]:
    """log2 of a float64 that is not negative, as a sum with twice its precision.

    log(1 + f) = 2 atanh(s) = 2 (s + s^3 (1 / 3 + s^2 P(s^2))) with s = f / (2 + f).
    """
    f, e = _split(x)
    divisor, lost = two_sum(f, const(2, x.dtype))
    s = f / divisor
    s_rest = fma(-s, lost, fma(-s, divisor, f)) / divisor
    z, z_rest = two_product(s, s)
    z_rest = fma(s, s_rest * 2.0, z_rest)
    small = fma(z, polynomial(z, ATANH), THIRD["float64"][1])
    third, third_rest = two_sum(const(THIRD["float64"][0], x.dtype), small)
    y, y_rest = two_product(z, third)
    y_rest = fma(z, third_rest, fma(z_rest, third, y_rest))
    product, rest = two_product(s, y)
    rest = fma(s, y_rest, fma(s_rest, y, rest)) + s_rest
    total, lost = two_sum(s, product)
    scale = [2 * c for c in LOG2_E["float64"]]
    result, rest_scaled = two_product(total, const(scale[0], x.dtype))
    rest = fma(total, scale[1], fma(lost + rest, scale[0], rest_scaled))
    result, lost = two_sum(e, result)
    return _special(x, result), lost + rest
