"""Draws from the gamma, Poisson and binomial distributions: their moments, and a gradient."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.ops.random.gamma import binomial, gamma_sensitivity, poisson, standard_gamma

COUNT = 20_000


@pytest.fixture(autouse=True)
def fixed_seed():
    paddle.seed(1234)


@pytest.mark.parametrize("shape", [0.5, 1.0, 7.0])
def test_gamma_draws_have_their_mean_and_variance(shape):
    drawn = standard_gamma(paddle.full([COUNT], shape)).numpy()
    assert drawn.mean() == pytest.approx(shape, rel=0.05)
    assert drawn.var() == pytest.approx(shape, rel=0.1)


@pytest.mark.parametrize("shape", [0.5, 1.0, 7.0])
def test_gamma_draws_grow_with_their_shape_as_the_mean_does(shape):
    x = paddle.full([2000], shape, "float64")
    x.stop_gradient = False
    standard_gamma(x).mean().backward()
    assert x.grad.numpy().sum() == pytest.approx(1.0, rel=0.1)


def test_the_gradient_of_an_exponential_draw_keeps_its_distribution_function():
    # by the difference quotient of P(x, drawn) around x = 1, at P = 0.5
    x = paddle.ones([1], "float64")
    x.stop_gradient = False
    drawn = standard_gamma(x)
    drawn.backward()
    z, slope, step = drawn.item(), x.grad.item(), 1e-4
    grid = np.linspace(0, 1, 200_001)[1:] ** 4

    def cumulated(shape, upper):
        density = (grid * upper) ** (shape - 1) * np.exp(-grid * upper)
        whole = float(np.exp(paddle.lgamma(paddle.to_tensor(shape, "float64")).item()))
        return np.trapezoid(density * upper, grid) / whole

    change = cumulated(1 + step, z + slope * step) - cumulated(1 - step, z - slope * step)
    assert abs(change) < 1e-6


@pytest.mark.parametrize("count", [3, COUNT])
@pytest.mark.parametrize("shape", [0.3, 5.0, 400.0, 1e5])
def test_draws_move_with_their_shape_so_that_probabilities_stay(shape, count):
    x = paddle.full([count], shape, "float64")
    drawn = standard_gamma(x)
    moved = drawn + gamma_sensitivity(x, drawn) * (step := 1e-4 * shape)
    change = paddle.gammainc(x + step, moved) - paddle.gammainc(x, drawn)
    assert abs(change.numpy()).max() < 1e-6


def test_poisson_draws_have_equal_mean_and_variance():
    drawn = poisson(paddle.full([COUNT], 4.0)).numpy()
    assert drawn.mean() == pytest.approx(4.0, rel=0.05)
    assert drawn.var() == pytest.approx(4.0, rel=0.1)


def test_binomial_draws_are_whole_numbers_of_their_mean():
    drawn = binomial(paddle.full([COUNT], 10, "int64"), paddle.to_tensor(0.3))
    assert drawn.dtype == paddle.int64
    assert drawn.numpy().mean() == pytest.approx(3.0, rel=0.05)


def test_the_same_seed_draws_the_same_numbers():
    first = standard_gamma(paddle.ones([3]))
    paddle.seed(1234)
    assert standard_gamma(paddle.ones([3])).tolist() == first.tolist()
