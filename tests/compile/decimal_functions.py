"""Special functions to 40 digits by their plain series, one number at a time."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

CONTEXT = decimal.Context(prec=60, Emin=-(10**6), Emax=10**6)
FAR = 40  # asymptotic series from here: 15 terms give 40 digits
TERMS = 15
MACHIN = ((4, 5), (-1, 239))  # pi / 4 = 4 atan(1 / 5) - atan(1 / 239)
BESSEL_FAR = 150


@cache
def bernoulli(n: int) -> Fraction:
    """The Bernoulli number B_n."""
    if n == 0:
        return Fraction(1)
    return -sum((comb(n + 1, k) * bernoulli(k) for k in range(n)), Fraction(0)) / (n + 1)


def as_decimal(x: Fraction) -> Decimal:
    """A fraction to 60 digits."""
    return Decimal(x.numerator) / x.denominator


@cache
def pi() -> Decimal:
    """pi by Machin's formula."""
    total = Decimal(0)
    for factor, n in MACHIN:
        for k in range(50):
            total += Decimal(4 * factor * (-1) ** k) / ((2 * k + 1) * Decimal(n) ** (2 * k + 1))
    return total


def raised(x: Decimal) -> tuple[list[Decimal], Decimal]:
    """x, x + 1, ... below FAR, and the first number that is not."""
    passed = []
    while x < FAR:
        passed.append(x)
        x += 1
    return passed, x


def tail(x: Decimal, coefficient: Callable[[int], Fraction]) -> Decimal:
    """The sum of coefficient(n) x^-n for n = 2, 4, ..."""
    return sum((as_decimal(coefficient(n)) / x**n for n in range(2, 2 * TERMS + 1, 2)), Decimal(0))


def lgamma(x: Decimal) -> Decimal:
    """log(|gamma(x)|): M. Abramowitz, I. Stegun, 6.1.15 and 6.1.40."""
    if x in (1, 2):
        return Decimal(0)
    passed, y = raised(x)
    product = Decimal(1)
    for p in passed:
        product *= p
    rest = y * tail(y, lambda n: bernoulli(n) / (n * (n - 1)))
    far = (y - Decimal("0.5")) * y.ln() - y + (2 * pi()).ln() / 2 + rest
    return far - abs(product).ln()


def digamma(x: Decimal) -> Decimal:
    """The derivative of `lgamma`: 6.3.5 and 6.3.18."""
    passed, y = raised(x)
    far = y.ln() - 1 / (2 * y) - tail(y, lambda n: bernoulli(n) / n)
    return far - sum((1 / p for p in passed), Decimal(0))


def trigamma(x: Decimal) -> Decimal:
    """The derivative of `digamma`: 6.4.6 and 6.4.12."""
    passed, y = raised(x)
    far = (1 + tail(y, bernoulli)) / y + 1 / (2 * y * y)
    return far + sum((1 / (p * p) for p in passed), Decimal(0))


def bessel(x: Decimal, order: int, is_scaled: bool) -> Decimal:
    """I by its power series, 9.6.10, or by 9.7.1 where x is large; times e^-|x| if scaled."""
    size = abs(x)
    power = -size if is_scaled else Decimal(0)
    if size > BESSEL_FAR:
        power += size
        total = term = 1 / (2 * pi() * size).sqrt()
        for k in range(1, 40):
            term *= Decimal((2 * k - 1) ** 2 - 4 * order**2) / (8 * k * size)
            total += term
    else:
        total = term = (size / 2) ** order if order else Decimal(1)
        k = 0
        while term > total * Decimal("1e-40"):
            k += 1
            term *= size * size / (4 * k * (k + order))
            total += term
    return total * power.exp() * (-1 if order and x < 0 else 1)


def gammainc(a: Decimal, x: Decimal) -> Decimal:
    """The regularized lower incomplete gamma function by its series, 6.5.29."""
    total, term, k = Decimal(1), Decimal(1), 0
    while term > total * Decimal("1e-50"):
        k += 1
        term *= x / (a + k)
        total += term
    return total * (a * x.ln() - x - lgamma(a + 1)).exp()


def exactly(x: np.floating[Any]) -> Decimal:
    """A float of any size as a decimal number."""
    numerator, denominator = x.as_integer_ratio()
    return Decimal(numerator) / denominator


FUNCTIONS: dict[str, Callable[[Decimal], Decimal]] = {
    "digamma": digamma,
    "i0": lambda x: bessel(x, 0, False),
    "i0e": lambda x: bessel(x, 0, True),
    "i1": lambda x: bessel(x, 1, False),
    "i1e": lambda x: bessel(x, 1, True),
    "lgamma": lgamma,
    "trigamma": trigamma,
}


def expected(name: str, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A function of FUNCTIONS of finite numbers, in extended precision."""
    with decimal.localcontext(CONTEXT):
        found = [str(FUNCTIONS[name](exactly(v))) for v in x]
    return np.array([np.longdouble(text) for text in found])


def expected_of_gammainc(
    a: np.ndarray[Any, Any], x: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The regularized incomplete gamma functions, lower and upper, as float64."""
    with decimal.localcontext(CONTEXT):
        pairs = zip(a.tolist(), x.tolist(), strict=True)
        lower = [gammainc(Decimal(p), Decimal(q)) for p, q in pairs]
        return np.array([float(p) for p in lower]), np.array([float(1 - p) for p in lower])
