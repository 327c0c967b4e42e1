"""Regions of images by weights of rows and columns."""

from __future__ import annotations

import numpy as np

import twinoar as paddle
from twinoar.ops.vision._region import weighed_regions

RANDOM = np.random.RandomState(0)
X = RANDOM.randn(2, 3, 6, 7).astype("float32")
ROWS, COLUMNS = np.zeros((3, 2, 6), "float32"), np.zeros((3, 4, 7), "float32")
ROWS[:2, :, 2:5], COLUMNS[:, :, 1:3] = RANDOM.randn(2, 2, 3), RANDOM.randn(3, 4, 2)
IMAGE = np.array([1, 0, 1])


def test_regions_and_their_gradients_are_those_of_whole_images() -> None:
    x = paddle.to_tensor(X, stop_gradient=False)
    rows, columns, image = (paddle.to_tensor(a) for a in (ROWS, COLUMNS, IMAGE))
    out = weighed_regions(x, rows, columns, image)
    expected = np.einsum("rph,rchw,rqw->rcpq", ROWS, X[IMAGE], COLUMNS)
    np.testing.assert_allclose(out.numpy(), expected, rtol=1e-5, atol=1e-6)
    (gradient,) = paddle.grad((out**2).sum(), x, create_graph=True)
    spread = np.einsum("rph,rcpq,rqw->rchw", ROWS, 2 * expected, COLUMNS)
    whole = np.stack([spread[1], spread[0] + spread[2]])
    np.testing.assert_allclose(gradient.numpy(), whole, rtol=1e-4, atol=1e-5)
    (second,) = paddle.grad((gradient * x).sum(), x)  # of a quadratic form: twice its gradient
    np.testing.assert_allclose(second.numpy(), 2 * whole, rtol=1e-4, atol=1e-5)
