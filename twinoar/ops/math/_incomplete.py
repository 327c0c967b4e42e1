"""Incomplete gamma functions on NumPy arrays.

The lower function P by its power series (DLMF 8.7.1), the upper one Q by its continued fraction
(8.9.2, in Lentz's way, 3.10.iii), or either by expansions for large parameters (8.12). What is near
1 is the complement of the other, but for Q where x and a are small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.loop import incomplete_gamma as steps
from twinoar.core.loop.incomplete_gamma import ARRAYS
from twinoar.core.loop.special import in_float64

Array = np.ndarray[Any, Any]

STEPS = 5000  # more than any argument takes
TINY = 1e-300
PRECISION = 2.0**-53  # of the last term, over all


@in_float64
def gammainc_of(a: Array, x: Array) -> Array:
    """The regularized lower incomplete gamma function, DLMF 8.2.4."""
    return _incomplete(a, x)[0]


@in_float64
def gammaincc_of(a: Array, x: Array) -> Array:
    """The regularized upper incomplete gamma function, DLMF 8.2.4."""
    return _incomplete(a, x)[1]


def _incomplete(a: Array, x: Array) -> tuple[Array, Array]:
    """P and Q."""
    shape, a, x = a.shape, a.ravel(), x.ravel()
    is_plain = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    lower = np.where((x == 0) | (np.isinf(a) & (a > x)), 0.0, 1.0)
    wrong = ~((a >= 0) & (x >= 0)) | ((a == 0) & (x == 0)) | (np.isinf(a) & np.isinf(x))
    lower = np.where(wrong, np.nan, lower)
    upper = 1 - lower
    is_uniform = (a >= steps.UNIFORM_FROM) & (np.abs(x - a) < steps.UNIFORM_WITHIN * a)
    is_low = x < np.maximum(a + 1, steps.LOW)
    for where, function, is_lower in (
        (is_uniform & (x < a), _uniform, True),
        (is_uniform & (x >= a), _uniform, False),
        (~is_uniform & is_low, _low, True),
        (~is_uniform & ~is_low, _high, False),
    ):
        places = np.flatnonzero(is_plain & where)
        if places.size:
            found = function(a[places], x[places])
            lower[places] = found if is_lower else 1 - found
            upper[places] = 1 - found if is_lower else found
    places = np.flatnonzero(is_plain & (x < steps.LOW))
    few = places[a[places] < _few(x[places])]
    upper[few] = _upper_of_few(a[few], x[few])
    return lower.reshape(shape), upper.reshape(shape)


def _power(a: Array, x: Array) -> Array:
    """x^a e^-x / gamma(a + 1)."""
    small = a * np.log(x) - x - steps.log_of_next(ARRAYS, a)
    large = steps.log_power(ARRAYS, np.maximum(a, steps.STIRLING_FROM), x)
    return np.exp(np.where(a < steps.STIRLING_FROM, small, large))


def _uniform(a: Array, x: Array) -> Array:
    return np.asarray(steps.uniform(ARRAYS, a, x))


def _low(a: Array, x: Array) -> Array:
    return _power(a, x) * _series(a, x)


def _high(a: Array, x: Array) -> Array:
    return _power(a, x) * a * _fraction(a, x)


def _few(x: Array) -> Array:
    """The a below which Q is a small part, x up to LOW."""
    return np.where(x < 0.5, -0.4 / np.log(x), 1.1 * x)


def _upper_of_few(a: Array, x: Array) -> Array:
    first = a * np.log(x) - steps.log_of_next(ARRAYS, a)
    return np.asarray(-np.expm1(first) - np.exp(first) * a * _small_series(a, x))


def _each_until_settled(
    step: Callable[..., tuple[Array, ...]], *state: Array, settled: Callable[..., Array]
) -> Array:
    """`step(k, *state)` for k = 1, 2, ... for each element until it is settled; the last of state.

    Elements that are settled leave, so that a slow one costs no more than itself.
    """
    shape = state[0].shape
    state = tuple(part.ravel() for part in state)
    out, places = state[-1].copy(), np.arange(state[-1].size)
    for k in range(1, STEPS):
        if not places.size:
            break
        state = step(k, *state)
        is_open = ~settled(*state)
        if not is_open.all():
            out[places] = state[-1]
            state, places = tuple(part[is_open] for part in state), places[is_open]
    out[places] = state[-1]
    return out.reshape(shape)


def _series(a: Array, x: Array) -> Array:
    """The sum of x^k / ((a + 1) ... (a + k))."""

    def step(k: int, a: Array, x: Array, term: Array, total: Array) -> tuple[Array, ...]:
        term = term * x / (a + k)
        return a, x, term, total + term

    return _each_until_settled(step, a, x, np.ones_like(a), np.ones_like(a), settled=_is_small)


def _small_series(a: Array, x: Array) -> Array:
    """The sum of (-x)^k / (k! (a + k)) for k from 1 on, x up to LOW."""
    term, total = np.ones_like(a), np.zeros_like(a)
    for k in range(1, 24):
        term = term * -x / k
        total = total + term / (a + k)
    return total


def _is_small(a: Array, x: Array, term: Array, total: Array) -> Array:
    return ~(np.abs(term) > np.abs(total) * PRECISION)


def _fraction(a: Array, x: Array) -> Array:
    """The continued fraction of Q over x^a e^-x / gamma(a)."""

    def step(k: int, a: Array, b: Array, c: Array, d: Array, _: Array, total: Array) -> Any:
        numerator = -k * (k - a)
        b = b + 2
        d = 1 / _not_zero(numerator * d + b)
        c = _not_zero(b + numerator / c)
        return a, b, c, d, d * c, total * (d * c)

    def settled(*state: Array) -> Array:
        return ~(np.abs(state[-2] - 1) > np.finfo(np.float64).eps)

    b = x + 1 - a
    first = 1 / b
    huge = np.full_like(x, 1 / TINY)
    return _each_until_settled(step, a, b, huge, first, first, first, settled=settled)


def _not_zero(x: Array) -> Array:
    return np.where(np.abs(x) < TINY, TINY, x)
