"""Bessel and incomplete gamma functions on NumPy arrays.

All work in float64 and round once to the dtype of x. Sources are sections of the NIST Digital
Library of Mathematical Functions (DLMF, dlmf.nist.gov).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.loop.gamma import log_gamma_of

Array = np.ndarray[Any, Any]

SERIES_TO = 30.0  # Bessel functions: the power series up to here, the asymptotic one beyond
SERIES_TERMS = 90
ASYMPTOTIC_TERMS = 30
GAMMA_STEPS = 2000
TINY = 1e-300


def in_float64(function: Callable[..., Array]) -> Callable[..., Array]:
    """`function` on float64 arrays of one shape; the result in the dtype of the first."""

    @functools.wraps(function)
    def rounded(x: Array, *others: Any) -> Array:
        wide = np.broadcast_arrays(x, *others)
        with np.errstate(all="ignore"):
            out = function(*(np.asarray(a, np.float64) for a in wide))
        return np.asarray(out).astype(x.dtype)

    return rounded


def _bessel(order: int, scaled: bool) -> Callable[[Array], Array]:
    """The modified Bessel function I, times exp(-|x|) if `scaled`."""

    @in_float64
    def function(x: Array) -> Array:
        size = np.abs(x).reshape(-1)
        is_far = size > SERIES_TO
        out = _bessel_near(np.where(is_far, 0.0, size), order, scaled)
        if is_far.any():
            out[is_far] = _bessel_far(size[is_far], order, scaled)
        out = out.reshape(x.shape)
        return np.where(x < 0, -out, out) if order else out

    return function


def _bessel_near(x: Array, order: int, scaled: bool) -> Array:
    """The power series, DLMF 10.25.2, of as many terms as the largest element needs."""
    quarter = x * x / 4
    series = term = np.ones_like(x) if order == 0 else x / 2
    for k in range(1, SERIES_TERMS):
        term = term * quarter / (k * (k + order))
        series = series + term
        if not np.any(term > series * np.finfo(np.float64).eps):
            break
    return series * np.exp(-x) if scaled else series


def _bessel_far(x: Array, order: int, scaled: bool) -> Array:
    """The asymptotic series, DLMF 10.40.1."""
    term = total = np.ones_like(x)
    for k in range(1, ASYMPTOTIC_TERMS):
        term = term * ((2 * k - 1) ** 2 - 4 * order**2) / (8 * k * x)
        total = total + term
    out = total / (math.sqrt(2 * math.pi) * np.sqrt(x))  # 2 pi x may overflow
    if scaled:
        return out
    # in two steps, as exp(x) is infinite before the function is
    return np.where(np.isinf(x), x, out * np.exp(x / 2) * np.exp(x / 2))


i0_of, i0e_of = _bessel(0, False), _bessel(0, True)
i1_of, i1e_of = _bessel(1, False), _bessel(1, True)


@in_float64
def gammainc_of(a: Array, x: Array) -> Array:
    """The regularized lower incomplete gamma function, DLMF 8.2.4."""
    return _incomplete(a, x)[0]


@in_float64
def gammaincc_of(a: Array, x: Array) -> Array:
    """The regularized upper incomplete gamma function, DLMF 8.2.4."""
    return _incomplete(a, x)[1]


def _incomplete(a: Array, x: Array) -> tuple[Array, Array]:
    """Lower and upper: by the series 8.7.1 where x < a + 1, the continued fraction 8.9.2 beyond."""
    factor = np.exp(-x + a * np.log(x) - log_gamma_of(a))
    is_low = x < a + 1
    lower = factor * _gamma_series(a, np.where(is_low, x, 0.0))
    upper = factor * _gamma_fraction(a, np.where(is_low, a + 2, x))
    lower = np.where(is_low, lower, 1 - upper)
    lower = np.where((x == 0) & (a > 0), 0.0, np.where((a == 0) & (x > 0), 1.0, lower))
    lower = np.where(np.isinf(x) & np.isfinite(a), 1.0, lower)
    wrong = (x < 0) | (a < 0) | ((x == 0) & (a == 0)) | np.isnan(x) | np.isnan(a)
    lower = np.where(wrong, np.nan, lower)
    is_exact = ~is_low & np.isfinite(x) & ~wrong & (a > 0)
    return lower, np.where(is_exact, upper, 1 - lower)


def _each_until_settled(
    step: Callable[..., tuple[Array, ...]], *state: Array, settled: Callable[..., Array]
) -> Array:
    """`step(k, *state)` for k = 1, 2, ... for each element until it is settled; the last of state.

    Elements that are settled leave, so that a slow one costs no more than itself.
    """
    shape = state[0].shape
    state = tuple(part.ravel() for part in state)
    out, places = state[-1].copy(), np.arange(state[-1].size)
    for k in range(1, GAMMA_STEPS):
        if not places.size:
            break
        state = step(k, *state)
        is_open = ~settled(*state)
        if not is_open.all():
            out[places] = state[-1]
            state, places = tuple(part[is_open] for part in state), places[is_open]
    out[places] = state[-1]
    return out.reshape(shape)


def _gamma_series(a: Array, x: Array) -> Array:
    """The sum of x^k / (a (a + 1) ... (a + k))."""

    def step(k: int, a: Array, x: Array, term: Array, total: Array) -> tuple[Array, ...]:
        term = term * x / (a + k)
        return a, x, term, total + term

    def settled(a: Array, x: Array, term: Array, total: Array) -> Array:
        return ~(np.abs(term) > np.abs(total) * np.finfo(np.float64).eps)

    return _each_until_settled(step, a, x, 1 / a, 1 / a, settled=settled)


def _gamma_fraction(a: Array, x: Array) -> Array:
    """The continued fraction of the upper function, by Lentz's method (DLMF 3.10.iii)."""

    def step(k: int, a: Array, b: Array, c: Array, d: Array, _: Array, total: Array) -> Any:
        numerator = -k * (k - a)
        b = b + 2
        d = 1 / _not_zero(numerator * d + b)
        c = _not_zero(b + numerator / c)
        return a, b, c, d, d * c, total * (d * c)

    def settled(*state: Array) -> Array:
        moved: Array = np.abs(state[-2] - 1) > np.finfo(np.float64).eps
        return ~moved

    b = x + 1 - a
    first = 1 / b
    huge = np.full_like(x, 1 / TINY)
    return _each_until_settled(step, a, b, huge, first, first, first, settled=settled)


def _not_zero(x: Array) -> Array:
    return np.where(np.abs(x) < TINY, TINY, x)
