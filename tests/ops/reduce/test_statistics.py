"""The public functions of ops.statistics."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.autograd.api import grad
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.index.quantile import median
from twinoar.ops.reduce.statistics import count_nonzero, nanmean, nansum, std, var

NAN = float("nan")
X = np.array([[3.0, 1.0, 2.0], [2.0, 2.0, 5.0]])


@pytest.mark.parametrize(
    ("arguments", "divisor"),
    [
        ({}, 2),
        ({"unbiased": True}, 2),
        ({"unbiased": False}, 3),
        ({"correction": 0}, 3),
        ({"correction": 2}, 1),
    ],
)
def test_divisor_of_the_variance(arguments, divisor):
    squares = ((X - X.mean(1, keepdims=True)) ** 2).sum(1)
    found = var(to_tensor(X), axis=1, **arguments)
    np.testing.assert_allclose(found.numpy(), squares / divisor)
    found = std(to_tensor(X), axis=1, **arguments)
    np.testing.assert_allclose(found.numpy(), np.sqrt(squares / divisor))


def test_variance_takes_paddle_s_positions():
    assert var(to_tensor(X), 1, False, True).shape == [2, 1]
    assert std(to_tensor(X), 1, False, True).shape == [2, 1]


def test_variance_refuses_two_corrections():
    with pytest.raises(ArgumentError, match="received both"):
        var(to_tensor(X), unbiased=True, correction=0)


@pytest.mark.filterwarnings("error")
def test_variance_of_one_element_is_nan():
    assert np.isnan(var(to_tensor([2.0])).item())


def test_variance_over_an_unknown_size():
    program = trace(lambda x: var(x, axis=0), Spec.parse("f32[N,2]"))
    assert program.main.outputs[0].spec == Spec((2,))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, 2.0),
        ({"axis": 1}, [2.0, 2.0]),
        ({"axis": 0}, [2.5, 1.5, 3.5]),
        ({"axis": 0, "keepdim": True}, [[2.5, 1.5, 3.5]]),
        ({"keepdim": True}, [[2.0]]),
        ({"mode": "min"}, 2.0),
    ],
)
def test_median(arguments, expected):
    assert median(to_tensor(X), **arguments).tolist() == expected


def test_lower_median_along_an_axis_comes_with_its_position():
    values, places = median(to_tensor(X), axis=1, mode="min")
    assert values.tolist() == [2.0, 2.0] and places.tolist() == [2, 1]


def test_median_of_integers_is_a_float():
    out = median(to_tensor([1, 2, 3, 4]))
    assert out.item() == 2.5 and out.dtype == "float32"


def test_median_with_nan_is_nan():
    x = to_tensor([[NAN, 1.0, 2.0], [3.0, 1.0, 2.0]])
    np.testing.assert_array_equal(median(x, axis=1).numpy(), np.array([NAN, 2.0], np.float32))


def test_gradient_of_the_median_goes_to_the_middle():
    x = to_tensor([4.0, 1.0, 3.0, 2.0], stop_gradient=False)
    assert grad(median(x), [x])[0].tolist() == [0.0, 0.0, 0.5, 0.5]


def test_median_refuses():
    with pytest.raises(ArgumentError, match="mode must be 'avg' or 'min'"):
        median(to_tensor(X), mode="max")
    with pytest.raises(AxisError, match="axis must be in"):
        median(to_tensor(X), axis=2)


def test_nan_is_left_out():
    x = to_tensor([[1.0, NAN], [3.0, 5.0]], stop_gradient=False)
    assert nansum(x, axis=0).tolist() == [4.0, 5.0]
    assert nanmean(x, axis=0, keepdim=True).tolist() == [[2.0, 5.0]]
    assert grad(nanmean(x), [x])[0].tolist()[0][1] == 0.0


@pytest.mark.parametrize("dtype", ["bool", "int32", "float32", "bfloat16"])
def test_count_nonzero(dtype):
    out = count_nonzero(to_tensor([[0, 1], [1, 1]], dtype=dtype), axis=1, keepdim=True)
    assert out.tolist() == [[1], [2]] and out.dtype == "int64"


@pytest.mark.parametrize("name", ["median", "nanmedian"])
@pytest.mark.parametrize(
    ("shape", "axis", "expected"), [([0], None, []), ([0, 2], None, []), ([2, 0], 1, [2])]
)
def test_the_middle_of_no_elements_is_nan(name, shape, axis, expected):
    x = to_tensor(np.zeros(shape, "float32"), stop_gradient=False)
    found = getattr(paddle, name)(x, axis)
    assert found.shape == expected
    assert np.isnan(found.numpy()).all()
    assert grad(found.sum(), [x])[0].shape == shape
    lower = getattr(paddle, name)(x, axis, mode="min")
    assert np.isnan((lower if axis is None else lower[0]).numpy()).all()


def test_the_lower_median_says_where_the_first_nan_is():
    value, place = median(to_tensor([1.0, NAN, 2.0, NAN]), axis=0, mode="min")
    assert np.isnan(value.item())
    assert place.item() == 1


@pytest.mark.parametrize("dtype", ["int32", "bool", "float32", "float64"])
def test_the_median_of_nothing_is_nan(dtype: str) -> None:
    x = paddle.zeros([2, 0], dtype)
    for found in (paddle.median(x), paddle.median(x, axis=1)):
        assert np.isnan(found.numpy()).all()


def test_a_median_of_a_size_that_varies_does_not_overflow() -> None:
    median = paddle.jit.to_static(
        paddle.median, input_spec=[paddle.static.InputSpec([None], "float32")]
    )
    assert median(paddle.to_tensor([3e38])).item() == np.float32(3e38)
    assert median(paddle.to_tensor([1.0, 4.0])).item() == 2.5
