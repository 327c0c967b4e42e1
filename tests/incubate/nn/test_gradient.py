"""Parts of backward passes, against what automatic gradients give."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.incubate.nn import functional as F

RANDOM = np.random.default_rng(9)


def normal(*shape):
    return paddle.to_tensor(RANDOM.standard_normal(shape).astype("float32"), stop_gradient=False)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (0, 2)])
@pytest.mark.parametrize("column", [False, True])
def test_the_parts_of_swiglu_are_its_gradients(shape, column):
    o1, g = normal(*shape, 8), normal(*shape, 4)
    shares = normal(*shape, 1) if column else normal(*shape)
    product = F.swiglu(o1) * (shares if column else shares.unsqueeze(-1))
    product.backward(g)
    back, by_share, again = F.fused_swiglu_weighted_bwd(o1, g, shares)
    for found, wanted in ((back, o1.grad), (by_share, shares.grad), (again, product)):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def test_the_dtypes_of_swiglu_stay():
    found = F.fused_swiglu_weighted_bwd(
        normal(3, 8).astype("bfloat16"), normal(3, 4).astype("bfloat16"), normal(3)
    )
    assert [x.dtype for x in found] == [paddle.bfloat16, paddle.float32, paddle.bfloat16]


@pytest.mark.parametrize("column", [False, True])
def test_the_gradient_of_logits_is_that_of_the_cross_entropy(column):
    logits = normal(2, 3, 5)
    label = paddle.to_tensor([[0, 4, -100], [1, 1, 2]])
    weights = normal(2, 3)
    losses = paddle.nn.functional.cross_entropy(logits, label, reduction="none")
    (losses * weights).sum().backward()
    given = (label.unsqueeze(-1), weights.unsqueeze(-1)) if column else (label, weights)
    softmax = paddle.nn.functional.softmax(logits)
    found = F.cross_entropy_with_softmax_bwd_w_downcast(given[0], softmax, given[1])
    assert found.dtype == paddle.bfloat16
    np.testing.assert_allclose(found.astype("float32"), logits.grad, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("shape", [(4,), (2, 3), (0,)])
def test_the_gradient_of_an_embedding_is_added_in_place(shape):
    table, kept = normal(5, 3), paddle.ones([5, 3])
    ids = paddle.to_tensor(RANDOM.integers(0, 5, shape))
    out = paddle.nn.functional.embedding(ids, table)
    g = normal(*out.shape).astype("bfloat16")
    out.backward(g.astype("float32"))
    found = F.embedding_grad_add_to_(ids, kept, g)
    assert found is kept
    np.testing.assert_allclose(kept, table.grad + 1.0, rtol=1e-6)


@pytest.mark.parametrize("dtype", [None, "int32", "int64"])
@pytest.mark.parametrize("shape", [(30,), (5, 6), (0,), ()])
def test_integers_are_counted(shape, dtype):
    x = RANDOM.integers(0, 9, shape).astype("int32")
    found = F.int_bincount(paddle.to_tensor(x), 2, 7, dtype)
    assert found.tolist() == [int((x == k).sum()) for k in range(2, 7)]
    assert found.dtype == paddle.to_tensor(np.zeros(1, dtype or "int32")).dtype


def test_what_does_not_fit_is_told():
    with pytest.raises(ShapeError, match="2 \\* D"):
        F.fused_swiglu_weighted_bwd(normal(3, 7), normal(3, 4), normal(3))
    with pytest.raises(ShapeError, match="one for each row"):
        F.fused_swiglu_weighted_bwd(normal(3, 8), normal(3, 4), normal(2))
    with pytest.raises(DTypeError, match="label must be integers"):
        F.cross_entropy_with_softmax_bwd_w_downcast(normal(3), normal(3, 4), normal(3))
    with pytest.raises(ShapeError, match="loss_grad must be one"):
        label = paddle.to_tensor([0, 1, 2])
        F.cross_entropy_with_softmax_bwd_w_downcast(label, normal(3, 4), normal(2))
    with pytest.raises(ShapeError, match="a row of main_grad_"):
        F.embedding_grad_add_to_(paddle.to_tensor([1]), paddle.ones([2, 2]), normal(2, 2))
    with pytest.raises(ArgumentError, match="must not be less"):
        F.int_bincount(paddle.to_tensor([1]), 3, 2)
    with pytest.raises(DTypeError, match="must hold integers"):
        F.int_bincount(normal(3), 0, 2)
