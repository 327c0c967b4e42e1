"""The public functions of ops.embedding."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.dtype import float32, int64
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.sequence.embedding import embedding, one_hot

WEIGHT = np.arange(1, 9, dtype=np.float32).reshape(4, 2)


@pytest.mark.parametrize("padding_idx", [3, -1])
def test_the_padding_row_gives_zeros_and_gets_no_gradient(padding_idx):
    weight = to_tensor(WEIGHT, stop_gradient=False)
    out = embedding(to_tensor([0, 3, 1, 0]), weight, padding_idx=padding_idx)
    assert out.tolist() == [[1, 2], [0, 0], [3, 4], [1, 2]]
    (g,) = grad(out, weight)
    assert g.tolist() == [[2, 2], [1, 1], [0, 0], [0, 0]]


def test_shapes_of_numbers():
    weight = to_tensor(WEIGHT)
    assert embedding(to_tensor(1), weight).tolist() == [3, 4]
    assert embedding(to_tensor(np.zeros((2, 3), np.int32)), weight, sparse=True).shape == [2, 3, 2]


@pytest.mark.parametrize("number", [4, -1])
def test_numbers_out_of_range_are_refused(number):
    with pytest.raises(AxisError, match=f"x holds {number}"):
        embedding(to_tensor([number]), to_tensor(WEIGHT))
    with pytest.raises(AxisError, match=f"x holds {number}"):
        one_hot(to_tensor([number]), 4)


def test_a_padding_row_that_is_not_there_is_refused():
    with pytest.raises(AxisError, match="padding_idx must be in"):
        embedding(to_tensor([0]), to_tensor(WEIGHT), padding_idx=4)


@pytest.mark.parametrize("norm_type", [1.0, 2.0, np.inf])
def test_rows_that_are_named_and_long_are_cut_in_the_table(norm_type):
    weight = to_tensor(WEIGHT, stop_gradient=False)
    out = embedding(to_tensor([0, 3, 3]), weight, max_norm=4.0, norm_type=norm_type)
    norms = np.linalg.norm(WEIGHT, norm_type, axis=1, keepdims=True)
    expected = np.where(
        [[True], [False], [False], [True]], WEIGHT / np.maximum(norms / 4, 1), WEIGHT
    )
    np.testing.assert_allclose(weight.numpy(), expected, rtol=1e-6)
    np.testing.assert_array_equal(out.numpy(), weight.numpy()[[0, 3, 3]])
    assert grad(out, weight)[0].tolist() == [[1, 1], [0, 0], [0, 0], [2, 2]]


def test_gradients_of_rows_may_be_divided_by_how_often_they_are_named():
    weight = to_tensor(WEIGHT, stop_gradient=False)
    out = embedding(to_tensor([0, 3, 3]), weight, scale_grad_by_freq=True)
    np.testing.assert_array_equal(out.numpy(), WEIGHT[[0, 3, 3]])
    assert grad(out, weight)[0].tolist() == [[1, 1], [0, 0], [0, 0], [1, 1]]


def test_one_hot_counts_classes_itself_in_eager_mode():
    found = one_hot(to_tensor([[1], [2]]))
    assert found.tolist() == [[[0, 1, 0]], [[0, 0, 1]]] and found.dtype is float32
    with pytest.raises(ArgumentError, match="num_classes is not known"):
        trace(lambda x: one_hot(x), Spec((2,), int64))
