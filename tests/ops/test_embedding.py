"""The public functions of ops.embedding."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.core.builder import trace
from twinoar.core.dtype import float32, int64
from twinoar.core.spec import Spec
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError, UnsupportedError
from twinoar.ops.embedding import embedding, one_hot

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


def test_what_embedding_does_not_serve_is_refused():
    with pytest.raises(AxisError, match="padding_idx must be in"):
        embedding(to_tensor([0]), to_tensor(WEIGHT), padding_idx=4)
    with pytest.raises(UnsupportedError, match="max_norm"):
        embedding(to_tensor([0]), to_tensor(WEIGHT), max_norm=1.0)


def test_one_hot_counts_classes_itself_in_eager_mode():
    found = one_hot(to_tensor([[1], [2]]))
    assert found.tolist() == [[[0, 1, 0]], [[0, 0, 1]]] and found.dtype is float32
    with pytest.raises(ArgumentError, match="num_classes is not known"):
        trace(lambda x: one_hot(x), Spec((2,), int64))
