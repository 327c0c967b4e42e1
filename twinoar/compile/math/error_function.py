"""erf."""

from __future__ import annotations

from twinoar.compile.math.coefficients import ERF, ERF_LARGE, ERF_MIDDLE
from twinoar.compile.math.floats import at_most, polynomial, with_sign
from twinoar.core.expr import Expr, lt, select
from twinoar.core.loop import abs, fma


def erf(x: Expr) -> Expr:
    """The error function: a polynomial of x^2 below 1, one of |x| from there on."""
    size = abs(x)
    small = fma(x, polynomial(x * x, ERF), x)
    return select(lt(size, 1.0), small, with_sign(_large(size), x))


def _large(x: Expr) -> Expr:
    """erf(x) for x >= 1."""
    end = 2 * ERF_MIDDLE - 1
    return polynomial(at_most(end, x) - ERF_MIDDLE, ERF_LARGE)
