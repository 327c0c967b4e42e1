"""Spectral normalization: its gradient holds the two vectors, as in Miyato et al., equation 12."""

import numpy as np
import pytest

from twinoar.autograd.api import grad
from twinoar.eager.tensor import to_tensor
from twinoar.ops.norm.spectral_norm import spectral_norm

random = np.random.default_rng(1)


@pytest.mark.parametrize(("shape", "dim"), [((4, 3), 0), ((2, 3, 2, 2), 1)])
def test_the_gradient_is_the_slope_with_vectors_held(shape, dim):
    weight, g = (random.standard_normal(shape) for _ in range(2))
    matrix = np.moveaxis(weight, dim, 0).reshape(shape[dim], -1)
    u, v = (random.standard_normal(n) for n in matrix.shape)
    for _ in range(3):
        v = matrix.T @ u / np.linalg.norm(matrix.T @ u)
        u = matrix @ v / np.linalg.norm(matrix @ v)

    def normed(w):
        rows = np.moveaxis(w, dim, 0).reshape(shape[dim], -1)
        return (w / (u @ rows @ v) * g).sum()

    x, first, second = to_tensor(weight, stop_gradient=False), to_tensor(u), to_tensor(v)
    out = spectral_norm(x, first, second, dim, power_iters=0)
    (slope,) = grad([(out * to_tensor(g)).sum()], [x])
    expected = np.zeros(shape)
    for place in np.ndindex(shape):
        step = np.zeros(shape)
        step[place] = 1e-6
        expected[place] = (normed(weight + step) - normed(weight - step)) / 2e-6
    np.testing.assert_allclose(slope.numpy(), expected, rtol=1e-5, atol=1e-7)


def test_many_steps_find_the_greatest_singular_value():
    weight = random.standard_normal((5, 3))
    vectors = [to_tensor(random.standard_normal(n)) for n in (5, 3)]
    out = spectral_norm(to_tensor(weight), *vectors, power_iters=200)
    assert np.linalg.norm(out.numpy(), 2) == pytest.approx(1.0)
