"""The public functions of ops.gather, ops.gather_nd and ops.position."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.eager.tensor import to_tensor
from twinoar.errors import AxisError, DTypeError, ShapeError
from twinoar.ops.index._position import add_at
from twinoar.ops.index.gather import gather, index_add, index_select, scatter
from twinoar.ops.index.gather_nd import gather_nd, index_put, scatter_nd_add

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("index", "axis", "expected"),
    [
        ([1, 0, 1], None, X[[1, 0, 1]]),
        ([[1], [0]], None, X[[1, 0]]),
        (1, 0, X[1]),
        ([2, -1], 1, X[:, [2, 2]]),
        ([0, 3], to_tensor(-1), X[:, :, [0, 3]]),
    ],
)
def test_gather_takes_vectors_columns_and_numbers(index, axis, expected):
    np.testing.assert_array_equal(gather(to_tensor(X), to_tensor(index), axis).numpy(), expected)


def test_gather_refuses():
    with pytest.raises(AxisError, match="index 2 is out of range for dimension 0 of size 2"):
        gather(to_tensor(X), to_tensor([2]))
    with pytest.raises(ShapeError, match="at most 1 dimension"):
        gather(to_tensor(X), to_tensor([[1, 0]]))
    with pytest.raises(DTypeError, match="must hold integers"):
        gather(to_tensor(X), to_tensor([1.0]))


def test_index_select_is_numpys_take():
    found = index_select(to_tensor(X), to_tensor([2, 0]), axis=1)
    np.testing.assert_array_equal(found.numpy(), X.take([2, 0], 1))


def test_scatter_overwrites_or_adds():
    x, index = to_tensor(np.ones((3, 2), np.float32)), to_tensor([2, 1, 0, 1])
    updates = to_tensor(np.arange(8, dtype=np.float32).reshape(4, 2))
    assert scatter(x, index, updates).tolist() == [[4, 5], [6, 7], [0, 1]]
    assert scatter(x, index, updates, overwrite=False).tolist() == [[4, 5], [8, 10], [0, 1]]
    x.scatter_(index.reshape([4, 1]), updates)
    assert x.tolist() == [[4, 5], [6, 7], [0, 1]]


def test_index_add_scales_and_has_gradients():
    x = to_tensor(np.ones((3, 2), np.float32), stop_gradient=False)
    value = to_tensor(np.ones((2, 2), np.float32), stop_gradient=False)
    out = index_add(x, to_tensor([1, 1]), 0, value, alpha=2)
    assert out.tolist() == [[1, 1], [5, 5], [1, 1]]
    gx, gv = grad(out, [x, value])
    assert gx.tolist() == [[1, 1]] * 3 and gv.tolist() == [[2, 2]] * 2


def test_coordinates():
    x = to_tensor(X)
    assert gather_nd(x, to_tensor([[1, 2, 3], [0, 0, -4]])).tolist() == [23, 0]
    added = scatter_nd_add(to_tensor([0.0, 0.0]), to_tensor([[1], [1]]), to_tensor([1.0, 2.0]))
    assert added.tolist() == [0.0, 3.0]
    with pytest.raises(AxisError, match="index 3 is out of range for dimension 1 of size 3"):
        gather_nd(x, to_tensor([[0, 3]]))


def test_index_put_sets_and_accumulates():
    x, rows = to_tensor(np.zeros((3, 2), np.float32)), to_tensor([0, 2, 0])
    assert index_put(x, (rows,), to_tensor(1.0), True).tolist() == [[2, 2], [0, 0], [1, 1]]
    assert index_put(x, (rows, to_tensor([1])), 5.0).tolist() == [[0, 5], [0, 0], [0, 5]]
    x.index_put_((rows,), to_tensor([7.0, 8.0]))
    assert x.tolist() == [[7, 8], [0, 0], [7, 8]]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
def test_sums_at_repeated_positions_are_numpys(dtype):
    rng = np.random.default_rng(0)
    index = rng.integers(-4, 4, (50, 3)), rng.integers(0, 5, 3)
    values = rng.integers(0, 9, (50, 3, 2)).astype(dtype)
    out = np.zeros((4, 5, 2), dtype)
    expected = out.copy()
    np.add.at(expected, index, values)
    add_at(out, index, values)
    np.testing.assert_array_equal(out, expected)


def test_sums_of_half_floats_are_made_in_float32():
    out = np.zeros(1, np.float16)
    add_at(out, (np.zeros(5000, np.int64),), np.ones(5000, np.float16))
    assert out[0] == 5000  # float16 alone sticks at 2048
