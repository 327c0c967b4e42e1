"""The logarithm of the gamma function and the derivatives of that, of arrays.

All work in float64 and round once to the dtype of x. digamma and polygamma go up to arguments of at
least `FAR` by their recurrences, and end in the asymptotic series there (Abramowitz and Stegun,
"Handbook of Mathematical Functions", 6.3.18 and 6.4.11).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
quiet = np.errstate(all="ignore")  # infinity and nan are results like any other
FAR = 12.0
EXACT_ORDER = 20  # factorials of more are not exact in float64
WHOLE = 4  # beyond, (x - k)^-22 does not matter beside that of the nearest k
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)  # B2, B4, ...


def _log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):  # at 0, -1, ..., and where the result is too large
        return math.inf


_each_log_gamma = np.frompyfunc(_log_gamma, 1, 1)


def log_gamma_of(x: Array) -> Array:
    """The logarithm of the size of the gamma function."""
    return np.asarray(_each_log_gamma(x.astype(np.float64))).astype(x.dtype)


@quiet
def digamma_of(x: Array) -> Array:
    """The derivative of `log_gamma_of`; at 0 the infinity on its side, nan at -1, -2, ..."""
    given = x.astype(np.float64)
    y = np.where(given < 0, 1.0 - given, given)
    out = np.zeros_like(y)
    while (near := y < FAR).any():  # psi(y) = psi(y + 1) - 1 / y
        out = np.where(near, out - 1.0 / y, out)
        y = np.where(near, y + 1.0, y)
    out += np.log(y) - 0.5 / y
    for n, b in enumerate(BERNOULLI, 1):
        out -= b / (2 * n) * y ** (-2 * n)
    out = np.where(given < 0, out - _cotangent(given, 0), out)
    return np.where(_pole(given) & (given != 0), np.nan, out).astype(x.dtype)


@quiet
def polygamma_of(x: Array, n: int) -> Array:
    """The derivative of order `n` > 0 of `digamma_of`; at 0, -1, -2, ... infinite, as right of 0.

    It is (-1)^(n+1) n! zeta(n + 1, x), where Hurwitz' zeta is a sum up to a point far enough, and
    Euler and Maclaurin's formula from there.
    """
    given = x.astype(np.float64)
    y = np.where(given < 0, 1.0 - given, np.where(given == 0, 1.0, given))
    unit, rest = parts_of_factorial(n)
    s, zeta = n + 1, np.zeros_like(y)
    while (near := y < FAR + n).any():  # zeta(s, y) = zeta(s, y + 1) + y^-s
        zeta = np.where(near, zeta + (unit / y) ** s, zeta)
        y = np.where(near, y + 1.0, y)
    tail = 1 / (s - 1) + 0.5 / y
    factor = s / y**2
    for k, b in enumerate(BERNOULLI, 1):
        tail = tail + b / math.factorial(2 * k) * factor
        factor = factor * (s + 2 * k - 1) * (s + 2 * k) / y**2
    sign = (-1.0) ** (n + 1)
    out = sign * rest * (zeta + unit * (unit / y) ** n * tail)
    cotangent = _cotangent(given, n)
    reflected = -np.where(np.isinf(cotangent), cotangent, sign * out + cotangent)
    out = np.where(given < 0, reflected, out)
    return np.where(_pole(given), sign * np.inf, out).astype(x.dtype)


def parts_of_factorial(n: int) -> tuple[float, float]:
    """u and r with u^(n + 1) r = n!; terms of high order would overflow or vanish without u."""
    if n <= EXACT_ORDER:
        return 1.0, float(math.factorial(n))
    return math.exp(math.lgamma(n + 1) / (n + 1)), 1.0


def _pole(x: Array) -> Array:
    found: Array = (x <= 0) & (x == np.floor(x))
    return found


def _cotangent(x: Array, n: int) -> Array:
    """The derivative of order n of pi cot(pi x).

    The reflection of the gamma function gives: psi_n(x) = (-1)^n psi_n(1 - x) minus this. It is a
    polynomial of the cotangent, and (-1)^n n! times the sum of (x - k)^-(n + 1) over all whole k,
    of which a few near x are enough for high orders.
    """
    r = x - np.round(x)
    if n > EXACT_ORDER:
        unit, rest = parts_of_factorial(n)
        others = sum((r / (r - k)) ** (n + 1) for k in range(-WHOLE, WHOLE + 1))
        return np.asarray((-1.0) ** n * rest * (unit / r) ** (n + 1) * others)
    *lower, leading = cotangent_polynomial(n)
    cotangent = 1.0 / np.tan(np.pi * r)
    total: Any = np.full_like(cotangent, leading)
    for coefficient in reversed(lower):  # Horner's way, which keeps infinities
        total = total * cotangent + coefficient
    return np.asarray(total)


def cotangent_polynomial(n: int) -> list[float]:
    """The coefficients of the derivative of order n of pi cot(pi x), a polynomial of cot(pi x)."""
    polynomial = np.polynomial.Polynomial([0.0, np.pi])
    for _ in range(n):
        polynomial = polynomial.deriv() * np.polynomial.Polynomial([-np.pi, 0.0, -np.pi])
    found: list[float] = polynomial.coef.tolist()
    return found
