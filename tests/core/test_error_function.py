"""erf, erfc and erfinv on arrays, held against the standard library's."""

import math

import numpy as np
import pytest

from twinoar.core.loop.error_function import erf_of, erfc_of, erfinv_of

POINTS = np.concatenate([np.linspace(-7, 7, 2001), np.logspace(-300, 0, 200)])


def units_apart(found, expected):
    """Distance in units in the last place of the expected numbers."""
    return np.max(np.abs(found - expected) / np.spacing(np.abs(expected)))


def test_erf_is_right_to_four_units_in_the_last_place():
    assert units_apart(erf_of(POINTS), np.array([math.erf(x) for x in POINTS])) <= 4


def test_erfc_is_right_where_it_is_tiny():
    points = np.linspace(-7, 26, 2001)
    assert units_apart(erfc_of(points), np.array([math.erfc(x) for x in points])) <= 8


def test_erf_in_float32_is_right_to_one_unit():
    points = np.linspace(-5, 5, 4001).astype(np.float32)
    expected = np.array([math.erf(x) for x in points.tolist()]).astype(np.float32)
    assert units_apart(erf_of(points), expected) <= 1


@pytest.mark.parametrize("y", [1e-300, 1e-10, 0.3, 0.5, 0.9, 0.999, 1 - 1e-12, 1 - 2**-53])
@pytest.mark.parametrize("sign", [-1, 1])
def test_erfinv_inverts_erf_to_the_last_digits(y, sign):
    x = erfinv_of(np.array([sign * y]))[0]
    assert math.erf(x) == pytest.approx(sign * y, rel=5e-16, abs=0)
    assert math.erfc(abs(x)) == pytest.approx(1 - y, rel=2e-14, abs=0)


def test_special_values():
    x = np.array([np.inf, -np.inf, np.nan, 0.0])
    np.testing.assert_array_equal(erf_of(x), [1, -1, np.nan, 0])
    np.testing.assert_array_equal(erfc_of(x), [0, 2, np.nan, 1])
    np.testing.assert_array_equal(
        erfinv_of(np.array([1, -1, 2, np.nan, 0])), [np.inf, -np.inf, np.nan, np.nan, 0]
    )


@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3), (40000,)])
def test_shapes_and_dtypes_are_kept(shape):
    found = erf_of(np.full(shape, 0.5, np.float16))
    assert found.shape == shape and found.dtype == np.float16
