"""Operators that Paddle keeps apart."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import incubate
from twinoar.errors import ArgumentError

SCORES = np.random.default_rng(0).standard_normal((1, 2, 3, 3)).astype("float32")


def test_the_upper_triangle_gets_no_weight():
    x = paddle.to_tensor(SCORES)
    mask = np.triu(np.full((1, 1, 3, 3), -1e9, "float32"), 1)
    found = incubate.softmax_mask_fuse_upper_triangle(x)
    np.testing.assert_allclose(found, incubate.softmax_mask_fuse(x, paddle.to_tensor(mask)))
    assert not np.triu(found.numpy(), 1).any()


@pytest.mark.parametrize("reduction, wanted", [("sum", 6.0), (1, 2.0), (2, [1.0, 2.0, 3.0])])
def test_identity_loss_reduces_by_name_or_number(reduction, wanted):
    assert incubate.identity_loss(paddle.to_tensor([1.0, 2.0, 3.0]), reduction).tolist() == wanted


def test_an_unknown_reduction_is_refused():
    with pytest.raises(ArgumentError, match="must be sum, mean or none, received 'most'"):
        incubate.identity_loss(paddle.ones([1]), "most")


def test_the_older_names_of_graphs_take_their_older_order():
    x, src, dst = (paddle.to_tensor(v) for v in ([[1.0], [2.0]], [0, 1], [1, 1]))
    assert incubate.graph_send_recv(x, src, dst, pool_type="mean").tolist() == [[0.0], [1.5]]
    row, colptr = paddle.to_tensor([1, 0]), paddle.to_tensor([0, 1, 2])
    found = incubate.graph_sample_neighbors(row, colptr, src, None, None, 1)
    assert [t.tolist() for t in found] == [[1, 0], [1, 1]]
    assert incubate.graph_reindex(src, row, dst)[0].tolist() == [1, 0]
