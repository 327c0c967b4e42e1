"""Steps of the incomplete gamma functions, written once for elements and for NumPy's arrays.

As in `twinoar.core.loop.draws`, `s` is the loop language or `ARRAYS`; all is float64. P and Q are
the regularized functions, the lower and the upper one. Sources are sections of the NIST Digital
Library of Mathematical Functions (DLMF, dlmf.nist.gov).
"""

from __future__ import annotations

import math
from functools import cache
from math import comb
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from twinoar.core.loop import draws
from twinoar.core.loop.draws import series
from twinoar.core.loop.error_function import erfc_of
from twinoar.core.loop.gamma import digamma_of, log_gamma_of, polygamma_of
from twinoar.core.loop.rejection import deviance

if TYPE_CHECKING:
    from fractions import Fraction

ARRAYS = SimpleNamespace(
    **vars(draws.ARRAYS), erfc=erfc_of, exp=np.exp, expm1=np.expm1, lgamma=log_gamma_of, log=np.log
)
SERIES_TO, SERIES_TERMS = 0.05, 12
STIRLING_FROM = 10.0
STIRLING_TERMS = 8
UNIFORM_FROM, UNIFORM_WITHIN = 50.0, 0.3  # of a; and of |x - a| / a
UNIFORM_TERMS = (18, 15, 13, 11, 9, 7, 6, 4, 3)  # of the powers 0, -1, ... of a
LOW = 1.5  # below, the power series serves for any a


@cache
def _bernoulli(n: int) -> Fraction:
    if n == 0:
        return _fraction(1)
    return -sum((comb(n + 1, k) * _bernoulli(k) for k in range(n)), _fraction(0)) / (n + 1)


def _fraction(n: int) -> Fraction:
    from fractions import Fraction  # which takes long to import

    return Fraction(n)


@cache
def _stirling_series() -> tuple[Fraction, ...]:
    """log(gamma(a)) - (a - 1/2) log(a) + a - log(2 pi) / 2 in powers of 1 / a: DLMF 5.11.1."""
    found = [_fraction(0)]
    for k in range(1, STIRLING_TERMS + 1):
        found += [_bernoulli(2 * k) / (2 * k * (2 * k - 1)), _fraction(0)]
    return tuple(found)


def log_power(s: Any, a: Any, x: Any) -> Any:
    """log(x^a e^-x / gamma(a + 1)) for a from STIRLING_FROM on."""
    inverse = 1.0 / a
    odd = [float(c) for c in _stirling_series()[1::2]]
    rest = inverse * series(inverse * inverse, odd)
    return 0.0 - deviance(s, a, x) - s.log(a * (2 * math.pi)) * 0.5 - rest


def log_of_next(s: Any, a: Any) -> Any:
    """log(gamma(a + 1)); by its series where that is small, DLMF 5.7.3."""
    near = a * series(a, _slopes_at_1())
    return s.select(s.lt(a, SERIES_TO), near, s.lgamma(a + 1.0))


@cache
def _slopes_at_1() -> list[float]:
    """The series of log(gamma(1 + a)) / a."""
    one = np.ones(1)
    slopes = [digamma_of(one), *(polygamma_of(one, n) for n in range(1, SERIES_TERMS))]
    return [float(slope[0]) / math.factorial(n) for n, slope in enumerate(slopes, 1)]


def uniform(s: Any, a: Any, x: Any) -> Any:
    """Q where x is above a, else P, for large a and x near it: DLMF 8.12.3, 8.12.4, 8.12.7."""
    excess = deviance(s, a, x)
    below = s.lt(x, a)
    size = s.sqrt(excess / a * 2.0)
    eta = s.select(below, 0.0 - size, size)
    inverse = 1.0 / a
    rows = [series(eta, row) for row in uniform_coefficients()]
    rest = s.exp(0.0 - excess) * s.sqrt(inverse * (0.5 / math.pi)) * series(inverse, rows)
    return s.erfc(s.sqrt(excess)) * 0.5 + s.select(below, 0.0 - rest, rest)


@cache
def uniform_coefficients() -> list[list[float]]:
    """c of DLMF 8.12.7: a row of powers of eta for each power of 1 / a. By 8.12.10 and 8.12.11."""
    size = max(UNIFORM_TERMS) + 2 * len(UNIFORM_TERMS) + 2
    inverse = _inverse_of_mu(size)
    row, rows = inverse[1:], []
    for k, count in enumerate(UNIFORM_TERMS):
        if k:  # the slope of the row before over eta, plus (-1)^k g / mu; 1 / eta cancels
            g = (-1) ** k * _scaled_gamma(len(UNIFORM_TERMS))[k]
            row = [(j + 2) * row[j + 2] + g * inverse[j + 1] for j in range(len(row) - 2)]
        rows.append([float(c) for c in row[:count]])
    return rows


def _inverse_of_mu(size: int) -> list[Fraction]:
    """eta / mu in powers of eta, where eta^2 / 2 = mu - log(1 + mu): DLMF 8.12.1."""
    mu = [_fraction(0), _fraction(1)]
    for k in range(2, size + 1):  # from mu mu' = eta (1 + mu)
        known = sum(mu[i] * (k + 1 - i) * mu[k + 1 - i] for i in range(2, k))
        mu.append((mu[k - 1] - known) / (k + 1))
    found = [_fraction(1)]
    for k in range(1, size):
        found.append(-sum((mu[i + 1] * found[k - i] for i in range(1, k + 1)), _fraction(0)))
    return found


def _scaled_gamma(count: int) -> list[Fraction]:
    """g of DLMF 5.11.3: the exponential of Stirling's series."""
    exponent, found = _stirling_series(), [_fraction(1)]
    for k in range(1, count):
        total = sum((i * exponent[i] * found[k - i] for i in range(1, k + 1)), _fraction(0))
        found.append(total / k)
    return found
