"""A backward in two halves is the whole one, and the first half leaves weights alone."""

import weakref

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.autograd.halves import backward_in_halves
from twinoar.errors import GradientError


def network():
    paddle.seed(1)
    body = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.GELU(), nn.Linear(8, 4), nn.Tanh())
    return body, nn.Embedding(5, 4)


def output(body, table, x):
    """A weight also meets what does not come from x."""
    return body(x) + table(paddle.to_tensor([0, 1, 2])) * body[0].bias.sum()


def given():
    numbers = np.random.default_rng(0)
    x, g = (paddle.to_tensor(numbers.standard_normal((3, 4)).astype("float32")) for _ in "xg")
    x.stop_gradient = False
    return x, g


def test_both_halves_are_one_backward():
    body, table = network()
    parameters = [*body.parameters(), *table.parameters()]
    x, g = given()
    paddle.autograd.backward([output(body, table, x)], [g])
    expected = [v.grad.numpy() for v in (x, *parameters)]
    for v in (x, *parameters):
        v.clear_gradient(False)
    (first,), rest = backward_in_halves([output(body, table, x)], [g], [x])
    assert all(p.grad is None for p in parameters)
    assert {id(p) for p in rest()} == {id(p) for p in parameters}
    found = [first.numpy(), *(p.grad.numpy() for p in parameters)]
    for ours, whole in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, whole)
    assert x.grad is None


def test_an_input_that_reaches_nothing_has_no_gradient():
    x, w = (paddle.to_tensor([v], stop_gradient=False) for v in (2.0, 3.0))
    (first,), rest = backward_in_halves([w * w], [None], [x])
    rest()
    assert first is None
    assert w.grad.item() == 6.0


def test_no_inputs_leave_all_to_the_second_half():
    w = paddle.to_tensor([3.0], stop_gradient=False)
    found, rest = backward_in_halves([w * w], [None], [])
    assert found == []
    rest()
    assert w.grad.item() == 6.0


def test_hooks_are_called_once():
    calls = []
    x, w = (paddle.to_tensor([v], stop_gradient=False) for v in (2.0, 3.0))
    h = x * w
    h.register_hook(lambda g: calls.append(g.item()) or g * 10)
    (first,), rest = backward_in_halves([h * 2], [None], [x])
    rest()
    assert (calls, first.item(), w.grad.item()) == ([2.0], 60.0, 40.0)


def test_the_second_half_frees_the_graph():
    x, w = (paddle.to_tensor([v], stop_gradient=False) for v in (2.0, 3.0))
    h = paddle.tanh(x * w)
    kept = weakref.ref(h._data)
    y = h * w
    del h
    _, rest = backward_in_halves([y], [None], [x])
    assert kept() is not None
    rest()
    assert kept() is None
    with pytest.raises(GradientError, match="freed"):
        backward_in_halves([y], [None], [x])


def test_a_py_layer_goes_back_once():
    calls = []

    class Scaled(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            return x * w

        @staticmethod
        def backward(ctx, g):
            calls.append(1)
            x, w = ctx.saved_tensor()
            return g * w, g * x

    x, w = (paddle.to_tensor([v], stop_gradient=False) for v in (2.0, 3.0))
    (first,), rest = backward_in_halves([Scaled.apply(x, w)], [None], [x])
    rest()
    assert (first.item(), w.grad.item(), len(calls)) == (3.0, 2.0, 1)
