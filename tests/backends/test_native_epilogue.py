"""What follows a product or a convolution gives what it gives alone, on nan as well."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.nn import functional as F

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


def trained(backend, sizes, batch, steps=3):
    """Weights and loss of a linear layer after some steps of SGD, and what runs its products."""
    paddle.seed(3)
    layer = paddle.nn.Linear(*sizes)
    sgd = paddle.optimizer.SGD(0.3, parameters=layer.parameters())
    generator = np.random.default_rng(1)
    x, y = (
        paddle.to_tensor(generator.standard_normal((batch, n)).astype("float32")) for n in sizes
    )

    @paddle.jit.to_static
    def step(x, y):
        loss = ((layer(x) - y) ** 2).mean()
        loss.backward()
        sgd.step()
        sgd.clear_grad()
        return loss

    with config.override(backend=backend):
        losses = [float(step(x, y)) for _ in range(steps)]
        table = step.explain()
    return [layer.weight.numpy(), np.array(losses)], table


# Whole and cut tiles; one thread and many; a batch beyond one block of k; weights beyond a cache.
UPDATED = [((20, 64), 8), ((131, 70), 33), ((784, 128), 64), ((300, 129), 70), ((64, 48), 500)]


@pytest.mark.parametrize(("sizes", "batch"), [*UPDATED, ((600, 700), 16)])
def test_an_update_by_a_product(sizes, batch):
    found, wanted = trained("native", sizes, batch)[0], trained("numpy", sizes, batch)[0]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


def test_weights_and_their_update_are_multiplied_by_loops_of_our_own():
    table = trained("native", (784, 128), 64)[1]
    products = [line for line in table.splitlines() if "matmul" in line]
    assert len(products) == 2 and all("tiled" in line for line in products)
    assert "subtract" in products[1]
