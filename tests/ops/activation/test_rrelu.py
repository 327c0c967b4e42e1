"""Slopes at random below zero."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError

F = paddle.nn.functional


def test_slopes_lie_between_their_bounds_and_differ() -> None:
    paddle.seed(2)
    slopes = -F.rrelu(-paddle.ones([1000]), 0.2, 0.4).numpy()
    assert slopes.min() >= 0.2
    assert slopes.max() < 0.4
    assert len(np.unique(slopes)) > 900
    assert abs(slopes.mean() - 0.3) < 0.01


def test_the_gradient_has_the_slope_of_the_result() -> None:
    x = paddle.to_tensor([-2.0, -1.0, 3.0], stop_gradient=False)
    y = F.rrelu(x)
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), y.numpy() / x.numpy(), rtol=1e-6)


def test_a_layer_has_the_mean_slope_when_it_does_not_train() -> None:
    layer = paddle.nn.RReLU(0.1, 0.3).eval()
    np.testing.assert_allclose(layer(paddle.to_tensor([-1.0, 1.0])).numpy(), [-0.2, 1.0])


def test_bounds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ArgumentError, match="lower <= upper"):
        F.rrelu(paddle.ones([1]), 0.5, 0.1)
