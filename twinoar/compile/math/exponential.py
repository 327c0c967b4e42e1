"""exp, exp2, expm1 and sigmoid.

W. J. Cody, W. Waite, "Software Manual for the Elementary Functions" (1980), chapters 6 and 10: with
n the whole number nearest to x / log(2) and r = x - n log(2), e^x is 2^n e^r, and a polynomial
serves for e^r. 2^n is made as a product of two powers, a b, so that results below the least normal
number are rounded once, and those near the greatest do not overflow early.
"""

from __future__ import annotations

import math

from twinoar.compile.math.coefficients import COTH, EXP, EXP2, LN2, LOG2_E
from twinoar.compile.math.floats import (
    at_least,
    at_most,
    format_of,
    inverse_power,
    nearest,
    polynomial,
    power_of_two,
)
from twinoar.core.loop.expression import Expr, eq, select
from twinoar.core.loop.language import fma, shr

# Powers of 2 up to which results round to 0, and from which they overflow.
RANGE = {"float32": (-150.5, 128.5), "float64": (-1075.5, 1024.5)}


def _halves(biased: Expr, x: Expr) -> tuple[Expr, Expr]:
    """a and b with a * b = 2^n, of bits that have n + 2 * bias."""
    form = format_of(x)
    half = shr(biased, 1)
    return power_of_two(half, form), power_of_two(biased - half, form)


def reduced(x: Expr, low: float, high: float) -> tuple[Expr, Expr, Expr]:
    """r, a, b with e^x = e^r a b and |r| <= log(2) / 2; 2^low and 2^high are the limits of e^x."""
    x = at_most(high * math.log(2), at_least(low * math.log(2), x))
    n, biased = nearest(x, 1 / math.log(2), 2 * format_of(x).bias)
    first, second = LN2[x.dtype.name]
    r = fma(n, -second, fma(n, -first, x))
    return r, *_halves(biased, x)


def exp(x: Expr, rest: Expr | None = None) -> Expr:
    """e^(x + rest); `rest`, where there is one, is far smaller than x."""
    r, a, b = reduced(x, *RANGE[x.dtype.name])
    r = r if rest is None else r + rest
    return exp_near_0(r) * a * b


def exp_flushing(x: Expr) -> Expr:
    """e^x for x <= 88 (float32) or 709; 0 where it is less than the least normal number.

    14 operations in place of 20: nothing overflows, and one power of 2 is enough.
    """
    form = format_of(x)
    x = at_least(-form.bias * math.log(2), x)  # from where on the power is 0
    n, biased = nearest(x, 1 / math.log(2), form.bias)
    first, second = LN2[x.dtype.name]
    r = fma(n, -second, fma(n, -first, x))
    return exp_near_0(r) * power_of_two(biased, form)


def exp_near_0(r: Expr) -> Expr:
    """e^r for |r| <= log(2) / 2."""
    return fma(r, fma(r, polynomial(r, EXP), 1.0), 1.0)


def expm1_near_0(r: Expr) -> Expr:
    """e^r - 1 for |r| <= log(2) / 2."""
    return fma(polynomial(r, EXP), r * r, r)


def exp2(x: Expr, rest: Expr | None = None) -> Expr:
    """2^(x + rest); `rest`, where there is one, is far smaller than x."""
    low, high = RANGE[x.dtype.name]
    x = at_most(high, at_least(low, x))
    n, biased = nearest(x, 1.0, 2 * format_of(x).bias)
    r = x - n if rest is None else (x - n) + rest
    a, b = _halves(biased, x)
    return fma(r, polynomial(r, EXP2), 1.0) * a * b


def expm1(x: Expr) -> Expr:
    """e^x - 1, precise where x is small: ((e^r - 1) a + (a - 1 / b)) b."""
    r, a, b = reduced(x, *RANGE[x.dtype.name])
    result = fma(expm1_near_0(r), a, a - inverse_power(b)) * b
    return select(eq(x, 0.0), x, result)  # of -0 as well


def sigmoid(x: Expr) -> Expr:
    """1 / (1 + e^-x) = a / (a + b 2^n), where e^-x = 2^(n - f), a and b = c + f and c - f.

    c = f coth(f log(2) / 2). Divisor and dividend are made 2^-shift of that, so that the power is a
    normal number where the result is not. a - 2 f takes the place of b, which makes up for the
    rounding of a.
    """
    form = format_of(x)
    shift, (low, _) = form.bias // 2, RANGE[x.dtype.name]
    x = at_most(shift * math.log(2), at_least(low * math.log(2), x))
    n, biased = nearest(x, -1 / math.log(2), form.bias - shift)
    first, second = LOG2_E[x.dtype.name]
    f = fma(x, second, fma(x, first, n))
    a = polynomial(f * f, COTH) + f
    dividend = a * 2.0**-shift
    return dividend / fma(fma(f, -2.0, a), power_of_two(biased, form), dividend)
