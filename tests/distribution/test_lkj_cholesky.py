"""Triangles of correlations: their density, and draws against the moments of correlations."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.distribution import LKJCholesky
from twinoar.errors import ArgumentError, TypeMismatchError

METHODS = ["onion", "cvine"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("dim", "concentration"), [(2, 1.0), (3, 0.3), (4, 1.0), (4, 2.5)])
def test_each_correlation_has_the_variance_of_its_beta_distribution(method, dim, concentration):
    paddle.seed(5)
    drawn = LKJCholesky(dim, concentration, method).sample([20_000]).numpy()
    assert (np.triu(drawn, 1) == 0).all()
    correlations = drawn @ drawn.transpose(0, 2, 1)
    np.testing.assert_allclose(correlations[:, range(dim), range(dim)], 1.0, atol=1e-5)
    below = np.tril_indices(dim, -1)
    found = correlations[:, below[0], below[1]]
    # (r + 1) / 2 is of Beta(a, a) with a = concentration - 1 + dim / 2; its fourth moment < 1.
    expected = 1.0 / (2 * concentration + dim - 1)
    np.testing.assert_allclose((found**2).mean(0), expected, atol=0.012)
    np.testing.assert_allclose(found.mean(0), 0.0, atol=0.02)


@pytest.mark.parametrize("concentration", [0.5, 1.0, 3.0])
def test_the_density_of_two_variables_integrates_to_one(concentration):
    angles = (np.arange(20_000) + 0.5) * np.pi / 20_000
    triangles = np.zeros([len(angles), 2, 2])
    triangles[:, 0, 0], triangles[:, 1, 0] = 1.0, np.cos(angles)
    triangles[:, 1, 1] = np.sin(angles)
    made = LKJCholesky(2, paddle.to_tensor(concentration, "float64"))
    density = made.prob(paddle.to_tensor(triangles)).numpy()
    # over the entry below the diagonal, whose step is sin(angle) d(angle)
    total = (density * np.sin(angles)).sum() * np.pi / len(angles)
    np.testing.assert_allclose(total, 1.0, rtol=1e-3 if concentration < 1 else 1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_shapes(method):
    made = LKJCholesky(3, paddle.to_tensor([1.0, 2.0]), method)
    assert (made.batch_shape, made.event_shape) == ((2,), (3, 3))
    assert made.sample().shape == [2, 3, 3]
    assert made.sample([4, 5]).shape == [4, 5, 2, 3, 3]
    assert made.log_prob(paddle.eye(3)).shape == [2]
    assert LKJCholesky(3, 1.5, method).sample([4]).shape == [4, 3, 3]


@pytest.mark.parametrize("method", METHODS)
def test_draws_have_the_gradient_of_concentration(method):
    paddle.seed(3)
    concentration = paddle.to_tensor(2.0, stop_gradient=False)
    drawn = LKJCholesky(3, concentration, method).rsample([2000])
    drawn[..., 1, 0].square().mean().backward()
    expected = -2.0 / (2 * 2.0 + 3 - 1) ** 2  # of 1 / (2 concentration + dim - 1)
    np.testing.assert_allclose(concentration.grad.item(), expected, rtol=0.15)


@pytest.mark.parametrize(
    ("args", "error", "what"),
    [
        ((1,), ArgumentError, "dim must be 2 or more"),
        ((2.5,), TypeMismatchError, "dim must be an integer"),
        ((3, -1.0), ArgumentError, "concentration must be positive"),
        ((3, 1.0, "tree"), ArgumentError, "sample_method must be one of"),
    ],
)
def test_wrong_arguments_are_refused(args, error, what):
    with pytest.raises(error, match=what):
        LKJCholesky(*args)
