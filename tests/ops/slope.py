"""The gradient of a function of one tensor, real or complex, against finite differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import twinoar as paddle

STEP = 1e-6
TOLERANCE = 1e-5


def weighted(y: paddle.Tensor) -> paddle.Tensor:
    """A real number that depends on all that y holds, each part in its own way."""
    parts = paddle.as_real(y) if y.is_complex() else y
    flat = parts.flatten()
    weights = np.random.default_rng(3).standard_normal(flat.shape)
    return (flat * flat * paddle.to_tensor(weights)).sum()


def require_slope(function: Callable, x: np.ndarray) -> None:
    """Fail unless the gradient of `weighted(function(x))` is its slope."""

    def value(at: np.ndarray) -> float:
        return weighted(function(paddle.to_tensor(at))).item()

    leaf = paddle.to_tensor(x, stop_gradient=False)
    weighted(function(leaf)).backward()
    slope = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        for direction in (1, 1j) if x.dtype.kind == "c" else (1,):
            step = np.zeros_like(x)
            step[i] = STEP * direction
            slope[i] += direction * (value(x + step) - value(x - step)) / (2 * STEP)
    np.testing.assert_allclose(leaf.grad.numpy(), slope, TOLERANCE, TOLERANCE)
