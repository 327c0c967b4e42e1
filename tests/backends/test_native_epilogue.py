"""What follows a product or a convolution gives what it gives alone, on nan as well."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.nn import functional as F

pytest.importorskip("llvmlite")

FOLLOWING = {
    "bias": lambda x, b: x + b,
    "relu": lambda x, b: F.relu(x + b),
    "sigmoid": lambda x, b: F.sigmoid(x + b),
    "tanh": lambda x, b: paddle.tanh(x * b),
    "silu": lambda x, b: F.silu(x - b),
    "maximum": lambda x, b: paddle.maximum(x, b),
    "minimum": lambda x, b: paddle.minimum(x, b),
}


def results(function, backend, arrays):
    with config.override(backend=backend), paddle.no_grad():
        compiled = paddle.jit.to_static(lambda *xs: function(*xs))
        return compiled(*map(paddle.to_tensor, arrays)).numpy()


def agree(function, arrays):
    with np.errstate(all="ignore"):
        wanted = results(function, "numpy", arrays)
    assert np.isnan(wanted).any(), "the sample has nothing to show"
    np.testing.assert_allclose(results(function, "native", arrays), wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", FOLLOWING)
def test_after_a_product(name):
    generator = np.random.default_rng(0)
    x, w, b = (
        generator.standard_normal(s).astype("float32") for s in ((256, 128), (128, 256), 256)
    )
    x[3, 5], x[4, 1], x[5, 1] = np.nan, np.inf, -np.inf
    agree(lambda x, w, b: FOLLOWING[name](paddle.matmul(x, w), b), (x, w, b))


def test_after_a_convolution():
    generator = np.random.default_rng(0)
    x = generator.standard_normal((2, 8, 12, 12)).astype("float32")
    w = generator.standard_normal((16, 8, 3, 3)).astype("float32")
    v = generator.standard_normal((4, 16, 3, 3)).astype("float32")
    x[0, 0, 5, 5] = np.nan
    agree(lambda x, w, v: F.conv2d(F.relu(F.conv2d(x, w)), v), (x, w, v))
