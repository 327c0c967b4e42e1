"""The error function, its complement and its inverse of arrays, which NumPy does not have."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
SMALL, LARGE = 0.46875, 4.0  # where the intervals meet
ONE_FROM = 6.0  # erf(6) rounds to 1 in float64
ZERO_FROM = 28.0  # erfc(28) rounds to 0
BLOCK = 1 << 14  # elements worked on at a time, so that intermediate results stay in the cache
INVERSE_SQRT_PI = 1 / math.sqrt(math.pi)
HALLEY_STEPS = 3
# |x| <= SMALL: erf(x) = x P(x^2) / Q(x^2), highest power first
SMALL_P = (
    1.85777706184603153e-1, 3.16112374387056560e00, 1.13864154151050156e02, 3.77485237685302021e02,
    3.20937758913846947e03,
)  # fmt: skip
SMALL_Q = (
    1.0, 2.36012909523441209e01, 2.44024637934444173e02, 1.28261652607737228e03,
    2.84423683343917062e03,
)  # fmt: skip
# SMALL <= x <= LARGE: erfc(x) = exp(-x^2) P(x) / Q(x)
MIDDLE_P = (
    2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e00, 6.61191906371416295e01,
    2.98635138197400131e02, 8.81952221241769090e02, 1.71204761263407058e03, 2.05107837782607147e03,
    1.23033935479799725e03,
)  # fmt: skip
MIDDLE_Q = (
    1.0, 1.57449261107098347e01, 1.17693950891312499e02, 5.37181101862009858e02,
    1.62138957456669019e03, 3.29079923573345963e03, 4.36261909014324716e03, 3.43936767414372164e03,
    1.23033935480374942e03,
)  # fmt: skip
# x >= LARGE: erfc(x) = exp(-x^2) / x (1 / sqrt(pi) - x^-2 P(x^-2) / Q(x^-2))
LARGE_P = (
    1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
    1.60837851487422766e-2, 6.58749161529837803e-4,
)  # fmt: skip
LARGE_Q = (
    1.0, 2.56852019228982242e00, 1.87295284992346725e00, 5.27905102951428412e-1,
    6.05183413124413191e-2, 2.33520497626869185e-3,
)  # fmt: skip
# |x| <= LARGE, to 2e-9 of erf(x): erf(x) = x P(x^2) / Q(x^2). Least squares, reweighted towards the
# largest relative error; enough for float32, where erf(LARGE) rounds to 1.
SINGLE_P = (
    -1.320225719462e-08, 4.684784838400e-06, 3.796089737497e-04, 3.849605105398e-03,
    5.431689445741e-02, 1.852030430354e-01, 1.128379169379e+00,
)  # fmt: skip
SINGLE_Q = (
    6.311064655367e-05, 1.307568700581e-03, 1.546207731320e-02, 1.139583482886e-01,
    4.974653372777e-01, 1.000000000000e+00,
)  # fmt: skip
# Giles: erfinv(y) is near y P(w - 2.5) for w < 5, y P(sqrt(w) - 3) for w < 16, w = -log(1 - y^2)
GILES_CENTER = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
    -0.00417768164, 0.246640727, 1.50140941,
)  # fmt: skip
GILES_TAIL = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
    0.00943887047, 1.00167406, 2.83297682,
)  # fmt: skip


def erf_of(x: Array) -> Array:
    """The error function of each element; float64 to 4 units in the last place, others to 1."""
    return _in_blocks(_erf if x.dtype == np.float64 else _erf_single, x)


def erfc_of(x: Array) -> Array:
    """1 - erf(x), accurate where it is tiny."""
    return _in_blocks(_erfc, x)


def erfinv_of(y: Array) -> Array:
    """The x with erf(x) = y: infinite at -1 and 1, nan beyond."""
    return _in_blocks(_erfinv, y)


def _in_blocks(function: Callable[[Array], Array], x: Array) -> Array:
    """`function`, from float64 to float64, applied to any floating array."""
    flat = np.ascontiguousarray(x).reshape(-1)
    out = np.empty_like(flat)
    with np.errstate(all="ignore"):
        for start in range(0, flat.size, BLOCK):
            part = slice(start, start + BLOCK)
            out[part] = function(flat[part].astype(np.float64))
    return out.reshape(np.shape(x))


def _erf(x: Array) -> Array:
    out = np.sign(x)  # of what is beyond all intervals; nan stays
    size = np.abs(x)
    near = size <= SMALL
    out[near] = _erf_small(x[near])
    far = (size > SMALL) & (size < ONE_FROM)
    out[far] *= 1.0 - _erfc_positive(size[far])
    return out


def _erf_single(x: Array) -> Array:
    x = np.clip(x, -LARGE, LARGE)
    y = x * x
    return x * (_horner(SINGLE_P, y) / _horner(SINGLE_Q, y))


def _erfc(x: Array) -> Array:
    out = 1.0 - np.sign(x)
    near = np.abs(x) <= SMALL
    out[near] = 1.0 - _erf_small(x[near])
    right = x > SMALL
    out[right] = _erfc_positive(x[right])
    left = (x < -SMALL) & (x > -ONE_FROM)
    out[left] = 2.0 - _erfc_positive(-x[left])
    return out


def _erf_small(x: Array) -> Array:
    y = x * x
    return x * (_horner(SMALL_P, y) / _horner(SMALL_Q, y))


def _erfc_positive(x: Array) -> Array:
    """erfc for x > SMALL."""
    x = np.minimum(x, ZERO_FROM)
    out = _horner(MIDDLE_P, x) / _horner(MIDDLE_Q, x)
    large = x > LARGE
    if large.any():
        far = x[large]
        y = 1.0 / (far * far)
        out[large] = (INVERSE_SQRT_PI - y * (_horner(LARGE_P, y) / _horner(LARGE_Q, y))) / far
    # exp(-x^2) loses digits of x^2: with x = a + b, a to 1/16, it is exp(-a^2) exp(-b (2 a + b))
    rounded = np.floor(x * 16.0) / 16.0
    rest = (x - rounded) * (x + rounded)
    decay: Array = np.exp(-rounded * rounded) * np.exp(-rest)
    return out * decay


def _erfinv(y: Array) -> Array:
    size = np.abs(y)
    w = -np.log((1.0 - size) * (1.0 + size))
    center, tail = _horner(GILES_CENTER, w - 2.5), _horner(GILES_TAIL, np.sqrt(w) - 3.0)
    # erfc(x) is near exp(-x^2) / (x sqrt(pi)) for large x
    beyond = -np.log(1.0 - size)
    beyond = np.sqrt(beyond - 0.5 * np.log(math.pi * beyond))
    x = np.where(w < 5.0, size * center, np.where(w < 16.0, size * tail, beyond))
    central = size <= 0.5
    for _ in range(HALLEY_STEPS):
        # erf(x) - y; beyond a half from 1 - y, which is exact there
        miss = np.where(central, _erf(x) - size, (1.0 - size) - _erfc(x))
        step = miss / (2.0 * INVERSE_SQRT_PI * np.exp(-x * x))
        x -= step / (1.0 + x * step)
    return np.copysign(np.where(size < 1.0, x, np.where(size == 1.0, np.inf, np.nan)), y)


def _horner(coefficients: tuple[float, ...], x: Array) -> Array:
    """The polynomial with `coefficients`, highest power first."""
    out = coefficients[0] * x
    for c in coefficients[1:-1]:
        out += c
        out *= x
    out += coefficients[-1]
    return out
