"""What is slow as one kernel is written out as several, which say the same."""

import numpy as np
import pytest

import twinoar as paddle

pytestmark = pytest.mark.usefixtures("strict")


DTYPES = ["float16", "bfloat16", "float32", "float64", "int8", "int64", "bool"]


def numbers(dtype, *shape):
    """Few different numbers, so that the extreme stands more than once."""
    return paddle.to_tensor(np.random.default_rng(7).integers(-3, 4, shape)).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("axis", [0, 1, -2, 2])
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_positions_along_any_axis_are_those_of_the_first(name, axis, dtype):
    x = numbers(dtype, 9, 8, 7)
    found = paddle.jit.to_static(lambda x: getattr(paddle, name)(x, axis))(x)
    wanted = getattr(np, name)(x.astype("float64").numpy(), axis=axis)
    assert np.array_equal(found.numpy(), wanted)


@pytest.mark.parametrize("axis", [0, 1])
def test_positions_pass_nan_over_and_zeros_are_equal(axis):
    x = np.array([[np.nan, -0.0, 0.0], [-np.inf, 0.0, -0.0], [np.nan, -np.inf, np.nan]], "float32")
    found = paddle.jit.to_static(lambda x: (x.argmax(axis), x.argmin(axis)))(paddle.to_tensor(x))
    largest, smallest = np.where(np.isnan(x), -np.inf, x), np.where(np.isnan(x), np.inf, x)
    assert np.array_equal(found[0].numpy(), largest.argmax(axis))
    assert np.array_equal(found[1].numpy(), smallest.argmin(axis))


def test_positions_along_an_axis_whose_size_varies():
    largest = paddle.jit.to_static(
        lambda x: x.argmax(0, keepdim=True), input_spec=[paddle.static.InputSpec([None, 5])]
    )
    for rows in (1, 4, 37):
        x = np.random.default_rng(rows).standard_normal((rows, 5)).astype("float32")
        assert np.array_equal(largest(paddle.to_tensor(x)).numpy(), x.argmax(0)[None])


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_along_columns_is_that_along_rows(name):
    x = paddle.randn([6, 5, 4])
    over = getattr(paddle.nn.functional, name)
    columns = paddle.jit.to_static(lambda x: over(x, 1))(x)
    rows = over(x.transpose([0, 2, 1]), 2).transpose([0, 2, 1])
    assert np.allclose(columns.numpy(), rows.numpy(), rtol=1e-5, atol=1e-6)
