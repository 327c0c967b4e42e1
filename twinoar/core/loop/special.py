"""Modified Bessel functions on NumPy arrays.

All work in float64 and round once to the dtype of x. Sources are sections of the NIST Digital
Library of Mathematical Functions (DLMF, dlmf.nist.gov).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

SERIES_TO = 30.0  # Bessel functions: the power series up to here, the asymptotic one beyond
SERIES_TERMS = 90
ASYMPTOTIC_TERMS = 30


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
