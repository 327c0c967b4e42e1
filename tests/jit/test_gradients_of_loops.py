"""First and second derivatives through branches and loops on tensors are those of plain Python."""

import functools

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.errors import GradientError
from twinoar.jit import to_static

X = np.random.default_rng(3).standard_normal((3, 4))
W = np.random.default_rng(4).standard_normal((4, 4)) * 0.5


def cell(x, w, n):
    i = paddle.zeros([], "int64")
    while i < n:
        x = paddle.tanh(x @ w) * x
        i = i + 1
    return x


def counted(x, w, n):
    for _ in range(n):
        x = paddle.sin(x @ w)
    return x


def grows(x, w, n):
    items = x[:1]
    while paddle.shape(items)[0] < n + 1:
        items = paddle.concat([items, paddle.tanh(items[-1:] @ w) * items[-1:]])
    return items


def shrinks_and_sums(x, w, n):
    total = paddle.zeros([4], "float64")
    x = paddle.concat([x, x, x])
    i = paddle.zeros([], "int64")
    while i < n:
        x = paddle.concat([x[2:], x[:1] * x[1:2]])
        total = total + paddle.sin(x @ w).mean(axis=0)
        i = i + 1
    return total * total + x.sum()


def branches_inside(x, w, n):
    i = paddle.zeros([], "int64")
    up = paddle.to_tensor(True)
    while i < n:
        if up:
            x = x * paddle.tanh(x @ w)
        else:
            x = x - 0.5 * x**3
        up = paddle.logical_not(up)
        i = i + 1
    return x


def loops_inside(x, w, n):
    if n > 0:
        i = paddle.zeros([], "int64")
        while i < n:
            j = paddle.zeros([], "int64")
            while j < i + 1:
                x = paddle.sin(x) * x
                j = j + 1
            x = x @ w
            i = i + 1
    else:
        x = x * x * w.sum()
    return x


def starts_from_a_constant(x, w, n):
    h = paddle.zeros([4], "float64")
    i = paddle.zeros([], "int64")
    while i < n:
        before = h * 2.0
        h = paddle.tanh(before @ w + x[0]) * paddle.cos(h)
        i = i + 1
    return h * h


def partly_without_gradient(x, w, n):
    i = paddle.zeros([], "int64")
    while i < n:
        with paddle.no_grad():
            scale = x.abs().max()
        x = paddle.tanh(x @ w) * x / (scale + x.detach() ** 2 + 1.0)
        i = i + 1
    return x


LOOPS = [
    cell, counted, grows, shrinks_and_sums, branches_inside, loops_inside, starts_from_a_constant,
    partly_without_gradient,
]  # fmt: skip


@functools.cache
def converted(function, backend):
    """One Program, compiled once for all numbers of iterations."""
    return to_static(function)


def derivatives(function, n):
    """The value, the first gradients, and those of a weighted sum of these."""
    x, w = (paddle.to_tensor(a, stop_gradient=False) for a in (X, W))
    out = function(x, w, n)
    first = _grads(paddle.sin(out).sum(), [x, w], create_graph=True)
    weighted = sum((g * paddle.cos(g)).sum() for g in first)
    second = _grads(weighted, [x, w]) if not weighted.stop_gradient else []
    return [t.numpy() for t in (out, *first, *second)]


def _grads(y, xs, **options):
    """Gradients; zeros where there is none, as Programs give them where eager mode gives None."""
    found = paddle.grad(y, xs, allow_unused=True, **options)
    return [paddle.zeros_like(x) if g is None else g for g, x in zip(found, xs, strict=True)]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("function", LOOPS)
def test_first_and_second_derivatives_are_those_of_python(function, n, backend):
    expected = derivatives(function, n)
    with config.override(backend=backend):
        found = derivatives(converted(function, backend), paddle.to_tensor(n))
    for a, b in zip(found, expected, strict=False):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
    for second in found[len(expected) :]:
        np.testing.assert_array_equal(second, 0.0)


@pytest.mark.parametrize("function", [cell, grows])
def test_derivatives_are_slopes(function):
    step = 1e-5
    direction = np.random.default_rng(5).standard_normal(X.shape)

    def slopes(t, order):
        x = paddle.to_tensor(X + t * direction, stop_gradient=False)
        y = to_static(function)(x, paddle.to_tensor(W), paddle.to_tensor(3)).sum()
        for _ in range(order):
            y = (paddle.grad(y, x, create_graph=True)[0] * direction).sum()
        return y.item()

    with config.override(backend="numpy"):
        for order in (1, 2):
            rise = slopes(step, order - 1) - slopes(-step, order - 1)
            assert slopes(0.0, order) == pytest.approx(rise / (2 * step), rel=1e-6)


@pytest.mark.parametrize("inside", [False, True])
def test_a_third_derivative_is_refused(inside):
    def third(x, y):
        for _ in range(3):
            (y,) = paddle.grad(y.sum(), x, create_graph=True)
        return y

    @to_static
    def looped(x, n):
        y = cell(x, x, n)
        return third(x, y) if inside else y

    x = paddle.to_tensor(W, stop_gradient=False)
    with pytest.raises(GradientError, match="first and second derivatives, and no third"):
        third(x, looped(x, paddle.to_tensor(2)))


def test_what_is_computed_again_for_gradients_has_no_effects():
    printed = []

    def note(a):
        printed.append(float(a.sum()))

    @to_static
    def noted(x, n):
        i = paddle.zeros([], "int64")
        while i < n:
            if i < n:
                paddle.static.py_func(note, x, None)
            x = paddle.sin(x)
            i = i + 1
        return x

    x = paddle.ones([2])
    x.stop_gradient = False
    with config.override(backend="numpy"):
        y = noted(x, paddle.to_tensor(3))
        (g,) = paddle.grad(y.sum(), x, create_graph=True)
        paddle.grad(g.sum(), x)
    assert len(printed) == 3


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_a_loop_may_ask_for_the_size_of_what_it_carries_in_its_test(backend):
    def shortened(x, w, n):
        while x.shape[0] > n:
            x = paddle.tanh(x @ w)[: x.shape[0] - 1]
        return x * 2.0

    found = []
    with config.override(backend=backend):
        for function in (to_static(shortened), shortened):
            x, w = (paddle.to_tensor(a, stop_gradient=False) for a in (np.eye(4), np.eye(4) * 0.5))
            y = function(x, w, paddle.to_tensor(2))
            (y * y).sum().backward()
            found.append([y.numpy(), x.grad.numpy(), w.grad.numpy()])
    for x, y in zip(*found, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-12)
