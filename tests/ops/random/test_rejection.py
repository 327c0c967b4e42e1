"""Gamma, Poisson and binomial draws have the probabilities of their distributions."""

import math

import numpy as np
import pytest

import twinoar as paddle
from tests.ops.random.test_statistics import chi_squared, chi_squared_limit, distance
from twinoar.core.loop.draws import ARRAYS
from twinoar.core.loop.rejection import decay, power_of_rest, power_of_unit
from twinoar.errors import ArgumentError

COUNT = 300_000
KOLMOGOROV = 1.95 / math.sqrt(COUNT)


@pytest.fixture(autouse=True)
def fixed_seed():
    paddle.seed(77)


def erlang(shape):
    """The distribution function of a gamma distribution of a whole shape."""

    def cdf(x):
        terms = [np.exp(k * np.log(np.maximum(x, 1e-300)) - x - math.lgamma(k + 1))
                 for k in range(shape)]  # fmt: skip
        return 1 - sum(terms)

    return cdf


GAMMA = {0.5: np.vectorize(lambda x: math.erf(math.sqrt(x)))} | {
    n: erlang(n) for n in (1, 2, 7, 100)
}


@pytest.mark.parametrize("shape", GAMMA)
def test_gamma_draws_have_the_distribution(shape):
    drawn = paddle.standard_gamma(paddle.full([COUNT], float(shape), "float64")).numpy()
    assert distance(drawn, GAMMA[shape]) < KOLMOGOROV


def log_poisson(k, mean):
    return k * math.log(mean) - mean - math.lgamma(k + 1)


def log_binomial(k, n, p):
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return ways + k * math.log(p) + (n - k) * math.log1p(-p)


def check_whole(drawn, log_probability, middle, spread):
    """Chi-squared of whole draws, what is rare taken together."""
    first, last = max(0, math.floor(middle - 6 * spread - 3)), math.ceil(middle + 6 * spread + 3)
    expected = np.array([math.exp(log_probability(k)) for k in range(first, last + 1)]) * COUNT
    counts = np.bincount((drawn - first).astype(np.int64), minlength=expected.size)
    assert counts.size == expected.size
    often = expected > 8
    pooled = np.append(counts[often], counts[~often].sum())
    rest = max(expected[~often].sum(), 1e-9)
    found = chi_squared(pooled, np.append(expected[often], max(rest, 1.0)))
    assert found < chi_squared_limit(int(often.sum()))


@pytest.mark.parametrize("mean", [0.01, 0.7, 4.0, 9.99, 10.0, 12.5, 60.0, 2000.0])
def test_poisson_draws_have_the_probabilities(mean):
    drawn = paddle.poisson(paddle.full([COUNT], mean, "float64")).numpy()
    check_whole(drawn, lambda k: log_poisson(k, mean), mean, math.sqrt(mean))


BINOMIAL = [(1, 0.3), (9, 0.5), (40, 0.02), (40, 0.97), (19, 0.5), (20, 0.5), (25, 0.4),
            (100, 0.35), (1000, 0.8), (100_000, 0.0003), (1_000_000, 0.001)]  # fmt: skip


@pytest.mark.parametrize(("n", "p"), BINOMIAL)
def test_binomial_draws_have_the_probabilities(n, p):
    count = paddle.full([COUNT], n, "int64")
    drawn = paddle.binomial(count, paddle.full([COUNT], p, "float64")).numpy()
    assert drawn.min() >= 0 and drawn.max() <= n
    check_whole(
        drawn, lambda k: log_binomial(k, n, p) if k <= n else -math.inf,
        n * p, math.sqrt(n * p * (1 - p)),
    )  # fmt: skip


@pytest.mark.parametrize("size", [1e6, 1e12, 1e15])
def test_draws_of_large_means_have_their_spread(size):
    few = 20_000
    half = paddle.full([few], 0.25, "float64")
    drawn = {
        "poisson": (paddle.poisson(paddle.full([few], size, "float64")), size, size),
        "gamma": (paddle.standard_gamma(paddle.full([few], size, "float64")), size, size),
        "binomial": (
            paddle.binomial(paddle.full([few], int(4 * size), "int64"), half), size, 0.75 * size,
        ),
    }  # fmt: skip
    for x, mean, variance in drawn.values():
        centered = (x.numpy().astype(np.float64) - mean) / math.sqrt(variance)
        assert abs(centered.mean()) < 3.3 / math.sqrt(few)
        assert abs(centered.var() - 1) < 3.3 * math.sqrt(2 / few)
        assert abs((centered**4).mean() - 3) < 3.3 * math.sqrt(96 / few)


def test_what_needs_no_chance_is_exact():
    zero, one = paddle.zeros([3], "float64"), paddle.ones([3], "float64")
    assert paddle.standard_gamma(zero).tolist() == paddle.poisson(zero).tolist() == [0.0] * 3
    counts = paddle.to_tensor([0, 7, 10**12])
    assert paddle.binomial(counts, zero).tolist() == [0, 0, 0]
    assert paddle.binomial(counts, one).tolist() == [0, 7, 10**12]


@pytest.mark.parametrize("wrong", [-1.0, math.nan, math.inf])
@pytest.mark.parametrize("count", [1, 1000])
def test_parameters_that_are_none_are_refused(wrong, count):
    x = paddle.full([count], wrong)
    for draw in (paddle.standard_gamma, paddle.poisson):
        with pytest.raises(ArgumentError, match="must not be negative"):
            draw(x)
    with pytest.raises(ArgumentError, match="in \\[0, 1\\]"):
        paddle.binomial(paddle.full([count], 3, "int64"), x)


def test_powers_are_precise():
    rng = np.random.default_rng(0)
    x, p, u = rng.uniform(0, 700, 9999), rng.uniform(0, 0.5, 9999), rng.uniform(1e-9, 1, 9999)
    n = np.floor(rng.uniform(0, 900, 9999))
    np.testing.assert_allclose(decay(ARRAYS, x), np.exp(-x), rtol=4e-16)
    np.testing.assert_allclose(power_of_rest(ARRAYS, p, n), np.exp(n * np.log1p(-p)), rtol=5e-13)
    np.testing.assert_allclose(power_of_unit(ARRAYS, u, n / 50), u ** (n / 50), rtol=5e-13)
    assert decay(ARRAYS, np.array([709.0, 1e300, math.inf])).tolist() == [0, 0, 0]
