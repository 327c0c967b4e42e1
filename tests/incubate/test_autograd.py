"""Gradients and changes along a direction, eagerly and in a Program."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.incubate import autograd

X, V = np.array([1.0, 2.0, 3.0], "float32"), np.array([1.0, 0.5, -1.0], "float32")


def eagerly(function):
    x, v = paddle.to_tensor(X, stop_gradient=False), paddle.to_tensor(V)
    return [r.numpy() for r in function(x, v)]


def in_a_program(function):
    paddle.enable_static()
    try:
        with static.program_guard(static.Program(), static.Program()):
            x, v = static.data("x", [3]), static.data("v", [3])
            x.stop_gradient = False
            results = function(x, v)
            return static.Executor().run(feed={"x": X, "v": V}, fetch_list=list(results))
    finally:
        paddle.disable_static()


WAYS = pytest.mark.parametrize("way", [eagerly, in_a_program])


@WAYS
def test_gradients_begin_with_what_is_given(way):
    plain, weighted = way(lambda x, v: (autograd.grad(x**3, x), autograd.grad([x**3], [x], [v])[0]))
    np.testing.assert_allclose(plain, 3 * X**2, rtol=1e-6)
    np.testing.assert_allclose(weighted, 3 * X**2 * V, rtol=1e-6)


@WAYS
def test_gradients_of_gradients(way):
    (second,) = way(lambda x, v: (autograd.grad(autograd.grad(x**3, x), x),))
    np.testing.assert_allclose(second, 6 * X, rtol=1e-6)


@WAYS
def test_changes_along_a_direction(way):
    ones, along, first, second = way(
        lambda x, v: (
            autograd.forward_grad(x**3, x),
            autograd.forward_grad(x**3, x, v),
            *autograd.forward_grad([x * x, (x * x).sum()], [x], [v]),
        )
    )
    np.testing.assert_allclose(ones, 3 * X**2, rtol=1e-6)
    np.testing.assert_allclose(along, 3 * X**2 * V, rtol=1e-6)
    np.testing.assert_allclose(first, 2 * X * V, rtol=1e-6)
    np.testing.assert_allclose(second, (2 * X * V).sum(), rtol=1e-6)


def test_what_does_not_depend_on_an_input_does_not_change():
    x = paddle.to_tensor(X, stop_gradient=False)
    other = paddle.to_tensor(X, stop_gradient=False)
    y = other * 2
    assert autograd.forward_grad(y, x).tolist() == [0.0, 0.0, 0.0]
    assert autograd.grad([y], [x, other])[0] is None


def test_prim_is_a_setting_without_effect():
    assert not autograd.prim_enabled()
    autograd.enable_prim()
    assert autograd.prim_enabled()
    autograd.prim2orig()
    autograd.disable_prim()
    assert not autograd.prim_enabled()
