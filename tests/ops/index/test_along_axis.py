"""The public functions of ops.along_axis; reductions are held against values made by hand."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops.index.along_axis import index_sample, put_along_axis, take_along_axis

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_take_broadcasts_unless_told_not_to():
    x, index = to_tensor(X), to_tensor([[2]])
    assert take_along_axis(x, index, 1).tolist() == [[2], [5]]
    assert take_along_axis(x, index, 1, broadcast=False).tolist() == [[2]]


def test_take_is_numpys():
    index = np.array([[0, -1], [1, 1]])
    found = take_along_axis(to_tensor(X), to_tensor(index), -1)
    np.testing.assert_array_equal(found.numpy(), np.take_along_axis(X, index, -1))


def test_put_takes_numbers_and_tensors_that_broadcast():
    x = to_tensor(np.zeros((2, 3), np.float32))
    assert put_along_axis(x, to_tensor([[0]]), 9.0, 1).tolist() == [[9, 0, 0], [9, 0, 0]]
    put = put_along_axis(x, to_tensor([[1], [2]]), to_tensor([4]), 1)
    assert put.tolist() == [[0, 4, 0], [0, 0, 4]]


# Onto twos: values 1, 2, 3 at 0, 0, 1 of the first row, and 4, 5, 6 at 1, 2, 2 of the second.
REDUCTIONS = {
    ("add", True): [[5, 5, 2], [2, 6, 13]],
    ("add", False): [[3, 3, 2], [2, 4, 11]],
    ("mul", True): [[4, 6, 2], [2, 8, 60]],
    ("multiply", False): [[2, 3, 2], [2, 4, 30]],
    ("mean", True): [[5 / 3, 2.5, 2], [2, 3, 13 / 3]],
    ("mean", False): [[1.5, 3, 2], [2, 4, 5.5]],
    ("amin", True): [[1, 2, 2], [2, 2, 2]],
    ("amin", False): [[1, 3, 2], [2, 4, 5]],
    ("amax", True): [[2, 3, 2], [2, 4, 6]],
    ("amax", False): [[2, 3, 2], [2, 4, 6]],
}


@pytest.mark.parametrize(("reduce", "include_self"), REDUCTIONS)
def test_put_combines(reduce, include_self):
    x = to_tensor(np.full((2, 3), 2, np.float32))
    values = to_tensor(np.arange(1, 7, dtype=np.float32).reshape(2, 3))
    index = to_tensor([[0, 0, 1], [1, 2, 2]])
    found = put_along_axis(x, index, values, 1, reduce, include_self)
    np.testing.assert_allclose(found.numpy(), REDUCTIONS[reduce, include_self], rtol=1e-6)


def test_wrong_calls_are_refused():
    with pytest.raises(ShapeError, match="as many dimensions"):
        take_along_axis(to_tensor(X), to_tensor([0]), 1)
    with pytest.raises(AxisError, match="index 3 is out of range for dimension 1 of size 3"):
        take_along_axis(to_tensor(X), to_tensor([[3]]), 1)
    with pytest.raises(ArgumentError, match="reduce must be one of"):
        put_along_axis(to_tensor(X), to_tensor([[0]]), 1.0, 1, "median")


def test_index_sample_picks_in_each_row():
    assert index_sample(to_tensor(X), to_tensor([[0, 0], [2, 1]])).tolist() == [[0, 0], [5, 4]]


@pytest.mark.parametrize(
    ("a", "v", "reduce", "include_self", "ga", "gv"),
    [
        ([1.0, 1.0, 2.0], [1.0, 1.0, 2.0], "amax", True, [1 / 3, 0.0, 1.0], [1 / 3, 1 / 3, 1.0]),
        ([9.0, 1.0, 2.0], [1.0, 1.0, 2.0], "amax", False, [0.0, 0.0, 1.0], [0.5, 0.5, 1.0]),
        ([1.0, 1.0, 2.0], [1.0, 1.0, 2.0], "amin", True, [1 / 3, 1.0, 1.0], [1 / 3, 1 / 3, 0.0]),
        ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], "multiply", True, [20.0, 6.0, 1.0], [5.0, 4.0, 2.0]),
        ([0.0, 0.0, 0.0], [4.0, 5.0, 0.0], "multiply", True, [20.0, 0.0, 1.0], [0.0, 0.0, 0.0]),
        ([9.0, 9.0, 3.0], [0.0, 5.0, 0.0], "multiply", False, [0.0, 0.0, 1.0], [5.0, 0.0, 1.0]),
        ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], "mean", True, [1 / 3, 0.5, 1.0], [1 / 3, 1 / 3, 0.5]),
        ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], "mean", False, [0.0, 0.0, 1.0], [0.5, 0.5, 1.0]),
    ],
)
def test_gradients_of_reductions_with_zeros_and_equals(a, v, reduce, include_self, ga, gv) -> None:
    x, values = (paddle.to_tensor(k, stop_gradient=False) for k in (a, v))
    index = paddle.to_tensor([0, 0, 1])
    paddle.put_along_axis(x, index, values, 0, reduce, include_self).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), ga, rtol=1e-6)
    np.testing.assert_allclose(values.grad.numpy(), gv, rtol=1e-6)


def test_values_without_an_index_are_left_out() -> None:
    values = paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], stop_gradient=False)
    index = paddle.to_tensor([[0, 2]])
    found = paddle.put_along_axis(paddle.zeros([2, 3]), index, values, 1, "add", True, False)
    assert found.tolist() == [[1.0, 0.0, 2.0], [0.0, 0.0, 0.0]]
    found.sum().backward()
    assert values.grad.tolist() == [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
