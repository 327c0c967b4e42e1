"""References in extended precision, and the distance from them."""

from __future__ import annotations

from typing import Any

import numpy as np

WIDE = np.longdouble
Array = np.ndarray[Any, Any]
ROOT_PI = np.sqrt(4 * np.arctan(WIDE(1)))
NEAR = 2.0  # erf by its series up to here
SERIES_TERMS, FRACTION_TERMS = 60, 160


def ulps(result: Array, expected: Array, of: Array | None = None) -> Array:
    """The error in units in the last place of results; inf where one is nan or of another sign.

    Overflow is without error where what is expected is beyond the greatest number. of: numbers of
    which the units are, and signs may differ then; `expected` unless given.
    """
    info = np.finfo(result.dtype)
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(expected if of is None else of)
        unit = np.ldexp(WIDE(1), np.maximum(exponent - 1, info.minexp) - info.nmant)
        error = np.abs(result - expected) / unit
        greatest = WIDE(info.max) + np.ldexp(WIDE(1), info.maxexp - info.nmant - 2)
        overflows = np.isinf(result) & (np.abs(expected) >= greatest)
    error = np.where((result == expected) | overflows, 0, error)
    differ = np.isnan(error)
    if of is None:
        differ |= np.signbit(result) != np.signbit(expected)
    return np.where(np.isnan(result) & np.isnan(expected), 0, np.where(differ, np.inf, error))


def erf_wide(x: Array) -> Array:
    """erf by a series whose terms have one sign: M. Abramowitz, I. Stegun, 7.1.6."""
    size = np.abs(x)
    near = np.where(size < NEAR, x, 0)
    term = total = near
    for n in range(1, SERIES_TERMS):
        term = term * (2 * near * near / (2 * n + 1))
        total = total + term
    series = total * np.exp(-near * near) * 2 / ROOT_PI
    return np.where(size < NEAR, series, np.copysign(1 - _tail(size), x))


def erfc_wide(x: Array) -> Array:
    """1 - erf(x), which loses no more than 8 bits, and a continued fraction where x is greater."""
    return np.where(x >= NEAR, _tail(x), 1 - erf_wide(x))


def _tail(x: Array) -> Array:
    """erfc by its continued fraction for x >= NEAR: M. Abramowitz, I. Stegun, 7.1.14."""
    far = np.where(np.isnan(x), x, np.clip(x, NEAR, 100))
    fraction = far
    for n in range(FRACTION_TERMS, 0, -1):
        fraction = far + WIDE(n) / 2 / fraction
    short = far.astype(np.float32).astype(WIDE)  # its square is exact
    power = np.exp(-short * short) * np.exp(-(far - short) * (far + short))
    return power / fraction / ROOT_PI
