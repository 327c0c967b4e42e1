"""The public functions of ops/math: of one element."""

import numpy as np
import pytest

import twinoar
from twinoar.autograd.api import grad
from twinoar.eager.tensor import to_tensor
from twinoar.ops.math import trigonometry
from twinoar.ops.math.rounding import round

POWERS = ["exp", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal", "erf"]
ANGLES = ["sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh"]
FLOATING = [
    *(getattr(twinoar, name) for name in POWERS),
    *(getattr(trigonometry, name) for name in ANGLES),
]
KEEPING = [
    getattr(twinoar, n) for n in ["abs", "sign", "floor", "ceil", "round", "trunc", "square"]
]


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
@pytest.mark.parametrize("function", FLOATING, ids=lambda f: f.__name__)
def test_functions_of_integers_come_as_float32(function, dtype):
    assert function(to_tensor([1, 2], dtype=dtype)).dtype == "float32"


@pytest.mark.parametrize("dtype", ["int32", "int64", "float16", "bfloat16", "float64"])
@pytest.mark.parametrize("function", KEEPING, ids=lambda f: f.__name__)
def test_rounding_and_signs_keep_the_dtype(function, dtype):
    assert function(to_tensor([1, 2], dtype=dtype)).dtype == dtype


@pytest.mark.parametrize(
    ("decimals", "expected"),
    [(0, [0.0, 2.0, 2.0, -2.0, 126.0]), (-1, [0.0, 0.0, 0.0, -0.0, 130.0])],
)
def test_round_takes_halves_to_even(decimals, expected):
    assert round(to_tensor([0.5, 1.5, 2.5, -1.5, 126.0]), decimals).tolist() == expected


def test_round_to_decimals():
    found = round(to_tensor([0.125, 1.2345, -155.0]), decimals=2)
    np.testing.assert_allclose(found.numpy(), [0.12, 1.23, -155.0], rtol=1e-6)


@pytest.mark.parametrize("name", ["sign", "floor", "ceil", "round", "trunc"])
def test_gradients_of_steps_are_zero_and_not_missing(name):
    x = to_tensor([1.3, -0.2], stop_gradient=False)
    assert grad(getattr(twinoar, name)(x).sum(), [x])[0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("name", "expected"), [("abs", 0.0), ("sqrt", np.inf), ("rsqrt", -np.inf), ("square", 0.0)]
)
def test_slope_at_zero(name, expected):
    x = to_tensor(0.0, stop_gradient=False)
    assert grad(getattr(twinoar, name)(x), [x])[0].item() == expected


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [
        ("log", 0.0, -np.inf),
        ("log", -1.0, np.nan),
        ("sqrt", -1.0, np.nan),
        ("rsqrt", 0.0, np.inf),
        ("reciprocal", 0.0, np.inf),
        ("exp", 1000.0, np.inf),
        ("erfinv", 1.0, np.inf),
        ("erfinv", 2.0, np.nan),
        ("asin", 2.0, np.nan),
        ("atanh", 1.0, np.inf),
        ("acosh", 0.0, np.nan),
    ],
)
def test_values_at_the_edge_of_the_domain_come_silently(name, x, expected):
    function = getattr(twinoar, name, None) or getattr(trigonometry, name)
    np.testing.assert_equal(function(to_tensor(x)).item(), expected)


def test_atan2_of_integers_comes_as_float64():
    found = trigonometry.atan2(to_tensor([1]), to_tensor([1]))
    assert found.dtype == "float64" and found.item() == pytest.approx(np.pi / 4)


@pytest.mark.parametrize("name", ["exp_", "sqrt_", "tanh_", "floor_", "round_", "square_", "erf_"])
def test_in_place_variants(name):
    x = to_tensor([0.25, 0.5])
    expected = getattr(x, name[:-1])().tolist()
    assert getattr(x, name)() is x
    assert x.tolist() == expected
