"""i0, i0e, i1 and i1e: the modified Bessel functions I of the orders 0 and 1.

J. Blair, "Rational Chebyshev approximations for the modified Bessel functions I0(x) and I1(x)",
Mathematics of Computation 28 (1974), 581-583, has the two forms, for which polynomials serve here:
(x / 2)^n (1 + t P(t)) with t = x^2 / 4, and e^x / sqrt(x) P(1 / x). float32 results are within 3
units in the last place.
"""

from __future__ import annotations

from twinoar.compile.math.exponential import expm1_near_0, reduced
from twinoar.compile.math.floats import at_most, polynomial, two_product
from twinoar.compile.math.special_coefficients import BESSEL_SPLIT, I0, I0_FAR, I1, I1_FAR
from twinoar.core.loop.expression import Expr, div, lt, select
from twinoar.core.loop.language import abs, fma, sqrt

INFINITE_FROM = {"float32": 96.0, "float64": 720.0}
POWERS = {"float32": 150.0, "float64": 1100.0}  # of 2, between which e^x is then


def i0(x: Expr) -> Expr:
    """The function of order 0."""
    return _unscaled(abs(x), 0)


def i0e(x: Expr) -> Expr:
    """The function of order 0 times e^-|x|."""
    return _scaled(abs(x), 0)


def i1(x: Expr) -> Expr:
    """The function of order 1."""
    return _odd(_unscaled(abs(x), 1), x)


def i1e(x: Expr) -> Expr:
    """The function of order 1 times e^-|x|."""
    return _odd(_scaled(abs(x), 1), x)


def _odd(value: Expr, x: Expr) -> Expr:
    return select(lt(x, 0.0), -value, value)


def _unscaled(x: Expr, order: int) -> Expr:
    """I(x) for x >= 0."""
    x = at_most(INFINITE_FROM[x.dtype.name], x)
    near, lost, far = _parts(x, order)
    return select(lt(x, _split(x)), fma(near, lost, near), _times_exp(far, x))


def _scaled(x: Expr, order: int) -> Expr:
    """I(x) e^-x for x >= 0."""
    near, lost, far = _parts(x, order)
    return select(lt(x, _split(x)), _times_exp(near, -x, lost), far)


def _split(x: Expr) -> float:
    return BESSEL_SPLIT[x.dtype.name]


def _parts(x: Expr, order: int) -> tuple[Expr, Expr, Expr]:
    """I(x) for x >= 0, but for a factor of which the logarithm follows; I(x) e^-x for large x.

    What rounding loses of t changes I by a factor of about e^(lost / (x / 2)) where it matters.
    """
    half, inverse = x * 0.5, div(1.0, x)
    t, lost = two_product(half, half)
    near = fma(t, polynomial(t, I0), 1.0) if order == 0 else fma(half * t, polynomial(t, I1), half)
    far = polynomial(inverse - 0.5 / _split(x), I1_FAR if order else I0_FAR) / sqrt(x)
    return near, lost * at_most(1.0, inverse * 2.0), far


def _times_exp(value: Expr, x: Expr, rest: Expr | float = 0.0) -> Expr:
    """value e^(x + rest), for |x| below INFINITE_FROM; it may be finite where e^x is not."""
    r, a, b = reduced(x, -POWERS[x.dtype.name], POWERS[x.dtype.name])
    return fma(value, expm1_near_0(r + rest), value) * a * b
