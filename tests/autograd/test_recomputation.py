"""A function that runs again for its gradient gives the same, and keeps less."""

import gc
import weakref

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.autograd import recompute
from twinoar.errors import TypeMismatchError

X = np.random.default_rng(0).standard_normal((4, 8)).astype("float32")


def plainly(function, *args, **kwargs):
    return function(*args, **kwargs)


def trained(call):
    """The loss, the gradients, and what is drawn afterwards."""
    paddle.seed(0)
    blocks = [nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.GELU()) for _ in range(3)]
    paddle.seed(7)
    h = paddle.to_tensor(X)
    for block in blocks:
        h = call(block, h)
    loss = (h * h).mean()
    loss.backward()
    gradients = [p.grad.numpy() for block in blocks for p in block.parameters()]
    return [loss.numpy(), *gradients, paddle.randn([2]).numpy()]


def test_loss_gradients_masks_and_later_random_numbers_are_the_same():
    for found, expected in zip(trained(recompute), trained(plainly), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_nothing_that_the_function_computes_is_kept():
    kept = []

    def function(x):
        hidden = paddle.tanh(x)
        kept.append(weakref.ref(hidden))
        return (hidden * hidden).sum()

    x = paddle.to_tensor(X, stop_gradient=False)
    loss = recompute(function, x)
    gc.collect()
    assert kept[0]() is None
    loss.backward()
    assert len(kept) == 2
    expected = 2 * np.tanh(X) * (1 - np.tanh(X) ** 2)
    np.testing.assert_allclose(x.grad.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_arguments_and_results_may_be_nested():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    product, number = recompute(
        lambda pair, k: (pair["a"] * pair["b"], k), {"a": x, "b": x * 2}, k=3
    )
    product.sum().backward()
    assert number == 3 and x.grad.tolist() == [4.0, 8.0]


def test_results_without_use_have_no_part_in_the_gradient():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    first, _ = recompute(lambda x: (x * 2, x * 3), x)
    first.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_under_no_grad_nothing_is_recorded():
    with paddle.no_grad():
        out = recompute(nn.Linear(8, 8), paddle.to_tensor(X))
    assert out.stop_gradient


def test_converted_functions_compute_it_once():
    layer = nn.Linear(8, 8)

    @paddle.jit.to_static
    def function(x):
        return recompute(layer, x).sum()

    function(paddle.to_tensor(X)).backward()
    np.testing.assert_allclose(layer.bias.grad.numpy(), np.full(8, 4), rtol=1e-6)


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeMismatchError, match="takes a function or a Layer, received Tensor"):
        recompute(paddle.to_tensor(X))
