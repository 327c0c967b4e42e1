"""The public functions of ops.extreme."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError
from twinoar.jit import to_static
from twinoar.ops.reduce import extreme
from twinoar.ops.reduce.extreme import amax, amin, argmax, argmin, max, min

X = np.array([[1.0, 5.0], [7.0, 7.0]], np.float32)


@pytest.mark.parametrize(
    ("axis", "keepdim", "shape"),
    [(None, False, []), (None, True, [1, 1]), (1, False, [2]), ([0, 1], True, [1, 1])],
)
@pytest.mark.parametrize("name", ["max", "min", "amax", "amin"])
def test_axis_and_keepdim(name, axis, keepdim, shape):
    assert getattr(extreme, name)(to_tensor(X), axis, keepdim).shape == shape


@pytest.mark.parametrize("function", [max, amax])
def test_equal_elements_share_the_gradient_of_the_largest(function):
    x = to_tensor([[3.0, 3.0], [3.0, 0.0]], stop_gradient=False)
    slopes = grad(function(x, axis=1).sum(), [x])[0]
    assert slopes.tolist() == [[0.5, 0.5], [1.0, 0.0]]


@pytest.mark.parametrize("function", [min, amin])
def test_equal_elements_share_the_gradient_of_the_smallest(function):
    x = to_tensor([1.0, 3.0, 1.0], stop_gradient=False)
    assert grad(function(x), [x])[0].tolist() == [0.5, 0.0, 0.5]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("function", [max, min])
def test_nan_is_every_extreme(function):
    assert np.isnan(function(to_tensor([1.0, float("nan"), 3.0])).item())


@pytest.mark.parametrize("function", [max, min, argmax, argmin])
def test_no_elements_have_no_extreme(function):
    with pytest.raises(ShapeError, match="of no elements is not defined"):
        function(to_tensor(np.zeros((2, 0), np.float32)), axis=1)
    assert function(to_tensor(np.zeros((2, 0), np.float32)), axis=0).shape == [0]


def test_position_of_the_first_of_equals():
    x = to_tensor(X)
    assert argmax(x).item() == 2 and argmin(x).item() == 0
    assert argmax(x, axis=1).tolist() == [1, 0]
    assert argmax(x, axis=-1, keepdim=True).tolist() == [[1], [0]]
    assert argmax(x, keepdim=True).tolist() == [[2]]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(
    ("elements", "largest", "least"),
    [
        ([np.nan, 1.0, 2.0], 2, 1),
        ([1.0, np.nan, 2.0], 2, 0),
        ([1.0, -np.inf, np.nan], 0, 1),
        ([np.nan, np.inf, np.nan], 1, 0),
        ([np.nan, np.nan, -np.inf], 0, 2),
        ([np.nan, np.nan], 0, 0),
    ],
)
@pytest.mark.parametrize("run", [lambda f: f, to_static], ids=["eager", "to_static"])
def test_nan_is_named_where_there_is_no_number(run, elements, largest, least, dtype):
    x = to_tensor(np.array([elements], dtype))
    assert run(lambda x: argmax(x, axis=1))(x).tolist() == [largest]
    assert run(lambda x: argmin(x))(x).item() == least


@pytest.mark.parametrize("axis", [None, 0, -1])
def test_position_without_dimensions(axis):
    assert argmax(to_tensor(3.0), axis=axis).item() == 0


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_position_dtype(dtype):
    assert argmax(to_tensor(X), dtype=dtype).dtype == dtype


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"dtype": "float32"}, DTypeError, "dtype must be int32 or int64"),
        ({"axis": 2}, AxisError, "axis must be in"),
        ({"axis": [0, 1]}, ArgumentError, "expected one axis"),
    ],
)
def test_position_refuses(arguments, error, match):
    with pytest.raises(error, match=match):
        argmin(to_tensor(X), **arguments)
