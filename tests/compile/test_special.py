"""Gamma and Bessel functions are as precise as they say, in float32 and float64."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.compile.decimal_functions import expected
from tests.compile.wide_functions import ulps
from twinoar.compile.evaluation import elements, reader_of
from twinoar.compile.math import expand, gamma
from twinoar.compile.math import special_coefficients as tables
from twinoar.core.loop.language import Reader

Array = np.ndarray[Any, Any]
BOUND = {"float32": 2.0, "float64": 4.0}  # units in the last place
BESSEL_BOUND = {"float32": 3.0, "float64": 4.0}
GAMMA, BESSEL = ("digamma", "lgamma", "trigamma"), ("i0", "i0e", "i1", "i1e")
ROOT = sum(tables.DIGAMMA_ROOT["float64"])
COUNT, AROUND = 400, 20
CENTERS = (0.5, 1.0, ROOT, 1.5, 2.0, 2.5, 4.0, 6.0, 12.0, 40.0)
OVERFLOW = {"float32": 89.0, "float64": 710.0}


def evaluated(name: str, x: Array) -> Array:
    """A function by its expansion."""
    reader = reader_of(x)
    return elements(Reader(x.shape, reader.dtype, lambda i: expand(name, reader[i])))


def positive(dtype: str) -> Array:
    """Numbers of all exponents, of everyday size, and around places where something changes."""
    rng, kind = np.random.default_rng(0), np.dtype(dtype)
    info = np.finfo(kind)
    anywhere = 2.0 ** rng.uniform(-110, 110, COUNT)
    everyday = [rng.uniform(0, size, COUNT) for size in (1, 3, 10, 60)]
    steps = (np.arange(-AROUND, AROUND) * info.eps)[:, None]
    around = (np.array(CENTERS) * (1 + steps)).ravel()
    ends = np.array([info.smallest_subnormal, info.tiny, 1e-30, 1e30])
    return np.unique(np.concatenate([anywhere, *everyday, around, ends]).astype(kind))


def negative(dtype: str) -> Array:
    """Numbers between the poles, and next to them."""
    rng = np.random.default_rng(0)
    near = -rng.integers(0, 30, COUNT) - 10.0 ** rng.uniform(-30, -1, COUNT)
    x = np.concatenate([-rng.uniform(0, size, COUNT) for size in (1, 5, 100)])
    x = np.concatenate([x, near, -np.abs(near)]).astype(dtype)
    return np.unique(x[x != np.round(x)])


@pytest.mark.parametrize("dtype", BOUND)
@pytest.mark.parametrize("name", GAMMA)
def test_gamma_functions_of_positive_numbers_are_within_the_bound(name: str, dtype: str) -> None:
    x = positive(dtype)
    assert ulps(evaluated(name, x), expected(name, x)).max() <= BOUND[dtype]


@pytest.mark.parametrize("dtype", BOUND)
@pytest.mark.parametrize("name", GAMMA)
def test_gamma_functions_of_negative_numbers_are_within_the_bound(name: str, dtype: str) -> None:
    # in units of the greater of the terms: the value at 1 - x, and what reflection adds to it
    x = negative(dtype)
    right, other = expected(name, x), expected(name, 1 - x.astype(np.longdouble))
    added = right - other if name == "digamma" else right + other
    greater = np.maximum(np.abs(other), np.abs(added))
    assert ulps(evaluated(name, x), right, greater).max() <= BOUND[dtype]


@pytest.mark.parametrize("dtype", BOUND)
@pytest.mark.parametrize("name", BESSEL)
def test_bessel_functions_are_within_the_bound(name: str, dtype: str) -> None:
    x = positive(dtype)
    x = np.concatenate([x, np.linspace(0, OVERFLOW[dtype], COUNT).astype(dtype)])
    x = x if name.endswith("e") else x[x <= OVERFLOW[dtype]]
    x = np.concatenate([x, -x[::3]])
    assert ulps(evaluated(name, x), expected(name, x)).max() <= BESSEL_BOUND[dtype]


INF, NAN = math.inf, math.nan
SPECIAL = {
    "digamma": [(0, -INF), (-0.0, INF), (-1, NAN), (-7, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)],
    "i0": [(0, 1), (-0.0, 1), (INF, INF), (-INF, INF), (1e30, INF), (NAN, NAN)],
    "i0e": [(0, 1), (-0.0, 1), (INF, 0), (-INF, 0), (NAN, NAN)],
    "i1": [(0, 0), (-0.0, 0), (INF, INF), (-INF, -INF), (-1e30, -INF), (NAN, NAN)],
    "i1e": [(0, 0), (-0.0, 0), (INF, 0), (-INF, -0.0), (NAN, NAN)],
    "lgamma": [
        *((x, INF) for x in (0, -0.0, -1, -7, INF, -INF, -1e20, -3e38)),
        *((1, 0), (2, 0), (NAN, NAN)),
    ],
    "trigamma": [
        *((x, INF) for x in (0, -0.0, -1, -7, -INF)),
        *((INF, 0), (NAN, NAN)),
    ],
}


@pytest.mark.parametrize("dtype", BOUND)
@pytest.mark.parametrize("name", SPECIAL)
def test_special_values_are_exact(name: str, dtype: str) -> None:
    given, wanted = np.array(SPECIAL[name], dtype).T
    result = evaluated(name, np.ascontiguousarray(given))
    np.testing.assert_array_equal(result, wanted)
    signed = ~np.isnan(wanted)
    assert np.array_equal(np.signbit(result[signed]), np.signbit(wanted[signed]))


def test_the_bound_would_not_hold_for_another_coefficient(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = gamma.LGAMMA["float64"]
    monkeypatch.setitem(gamma.LGAMMA, "float64", (first * (1 + 2e-15), *others))
    x = positive("float64")
    assert ulps(evaluated("lgamma", x), expected("lgamma", x)).max() > BOUND["float64"]
