"""Gradients of complex numbers through what runs the gradient of something else."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle


class Scaled(paddle.autograd.PyLayer):
    """(1 + 2i) x^2, with a gradient of its own."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * (1 + 2j)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensor()
        return g * paddle.conj(2 * x * (1 + 2j))


def branching(x):
    if paddle.real(x).sum() > 0:
        return x * x * (1 + 2j)
    return x * 3


def looping(x):
    i, y = paddle.to_tensor(0), x
    while i < 2:
        y = y * x * (1 + 1j)
        i = i + 1
    return y


FUNCTIONS = {"exp": paddle.exp, "layer": Scaled.apply, "if": branching, "while": looping}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("part", [paddle.real, paddle.imag])
@pytest.mark.parametrize("place", ["eager", "inside", "outside"])
def test_gradients_are_those_of_the_parts(name: str, part, place: str) -> None:
    """What takes the part stands in the Program, or behind it."""
    function = FUNCTIONS[name]
    call = function if place == "eager" else paddle.jit.to_static(function)
    whole = paddle.jit.to_static(lambda x: part(function(x)).sum())
    data, step = np.array([0.3 + 1j, 0.7 - 0.2j]), 1e-6

    def found(x):
        return whole(x) if place == "inside" else part(call(x)).sum()

    x = paddle.to_tensor(data, stop_gradient=False)
    (g,) = paddle.grad(found(x), x)
    for k in range(2):
        for direction in (1, 1j):
            moved = [data.copy(), data.copy()]
            moved[0][k] += step * direction
            moved[1][k] -= step * direction
            up, down = (part(function(paddle.to_tensor(m))).sum().item() for m in moved)
            of_part = g.numpy()[k].real if direction == 1 else g.numpy()[k].imag
            np.testing.assert_allclose(of_part, (up - down) / (2 * step), rtol=1e-5)
