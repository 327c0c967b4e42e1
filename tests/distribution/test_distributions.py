"""Densities against integrals over them, draws against moments, both modes against each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

import twinoar as paddle
from twinoar import distribution as d
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError

REAL, POSITIVE, UNIT = (-60.0, 60.0), (1e-6, 60.0), (1e-6, 1 - 1e-6)
# name: (a distribution of float64 numbers, where almost all of it lies)
CONTINUOUS = {
    "Beta": (lambda t: d.Beta(t(2.0), t(3.0)), UNIT),
    "Chi2": (lambda t: d.Chi2(t(3.0)), POSITIVE),
    "ContinuousBernoulli": (lambda t: d.ContinuousBernoulli(t(0.2)), UNIT),
    "Exponential": (lambda t: d.Exponential(t(1.5)), POSITIVE),
    "Gamma": (lambda t: d.Gamma(t(3.0), t(2.0)), POSITIVE),
    "Gumbel": (lambda t: d.Gumbel(t(0.5), t(1.5)), REAL),
    "Laplace": (lambda t: d.Laplace(t(0.5), t(1.5)), REAL),
    "LogNormal": (lambda t: d.LogNormal(t(0.2), t(0.4)), POSITIVE),
    "Normal": (lambda t: d.Normal(t(0.5), t(2.0)), REAL),
    "StudentT": (lambda t: d.StudentT(t(30.0), t(0.5), t(1.5)), REAL),
    "Uniform": (lambda t: d.Uniform(t(0.5), t(1.5)), (0.5, 1.5)),
}
COUNTS = {
    "Bernoulli": (lambda t: d.Bernoulli(t(0.3)), 1),
    "Binomial": (lambda t: d.Binomial(6, t(0.3)), 6),
    "Geometric": (lambda t: d.Geometric(t(0.4)), 200),
    "Poisson": (lambda t: d.Poisson(t(2.5)), 100),
}
BOTH = CONTINUOUS | COUNTS


@pytest.fixture(autouse=True)
def fixed_seed():
    paddle.seed(1234)


def wide(x):
    return paddle.to_tensor(x, "float64")


def weighted(name, points=200_001):
    """(values, their probabilities): of counts each, of real numbers small intervals."""
    made = BOTH[name][0](wide)
    if name in COUNTS:
        values = np.arange(COUNTS[name][1] + 1.0)
        return made, values, made.prob(wide(values)).numpy()
    low, high = CONTINUOUS[name][1]
    edges = np.linspace(low, high, points)
    values = (edges[1:] + edges[:-1]) / 2
    return made, values, made.prob(wide(values)).numpy() * (edges[1] - edges[0])


@pytest.mark.parametrize("name", BOTH)
def test_probabilities_sum_to_one_and_give_mean_variance_and_entropy(name):
    made, values, weights = weighted(name)
    assert weights.sum() == pytest.approx(1.0, abs=1e-5)
    mean = (weights * values).sum()
    assert made.mean.item() == pytest.approx(mean, abs=1e-4)
    assert made.variance.item() == pytest.approx((weights * (values - mean) ** 2).sum(), rel=1e-3)
    logs = made.log_prob(wide(values)).numpy()
    entropy = -(weights * np.where(weights > 0, logs, 0)).sum()
    assert made.entropy().item() == pytest.approx(entropy, abs=1e-4)


@pytest.mark.parametrize("name", BOTH)
def test_draws_have_the_mean_and_the_variance(name):
    made = BOTH[name][0](wide)
    drawn = made.sample([20_000]).numpy()
    assert drawn.mean() == pytest.approx(made.mean.item(), abs=0.05 * made.variance.item() ** 0.5)
    assert drawn.var() == pytest.approx(made.variance.item(), rel=0.15)


@pytest.mark.parametrize("name", [n for n in CONTINUOUS if hasattr(CONTINUOUS[n][0](wide), "cdf")])
def test_the_distribution_function_is_the_integral_and_has_its_inverse(name):
    made, values, weights = weighted(name)
    sums = weights.cumsum()
    step = len(values) // 7
    np.testing.assert_allclose(made.cdf(wide(values))[::step], sums[::step], atol=1e-3)
    if hasattr(made, "icdf"):
        u = wide([0.1, 0.5, 0.8])
        np.testing.assert_allclose(made.cdf(made.icdf(u)), u, rtol=1e-9)


@pytest.mark.parametrize("name", ["Beta", "Gamma", "Laplace", "LogNormal", "Normal", "Uniform"])
def test_draws_with_a_gradient_move_as_their_mean_does(name):
    pairs = {
        "Beta": (d.Beta, 2.0, 3.0), "Gamma": (d.Gamma, 3.0, 2.0), "Laplace": (d.Laplace, 0.5, 1.5),
        "LogNormal": (d.LogNormal, 0.2, 0.4), "Normal": (d.Normal, 0.5, 2.0),
        "Uniform": (d.Uniform, 0.5, 1.5),
    }  # fmt: skip
    kind, first, second = pairs[name]
    drawn, exact = wide(first), wide(first)
    drawn.stop_gradient = exact.stop_gradient = False
    kind(drawn, wide(second)).rsample([4000]).mean().backward()
    kind(exact, wide(second)).mean.backward()
    assert drawn.grad.item() == pytest.approx(exact.grad.item(), rel=0.1)


# Programs draw actions and codes with these and expect the gradient, since Paddle 2 gave it first.
DIFFERENTIABLE = ("LogNormal", "Normal", "StudentT", "Uniform")


@pytest.mark.parametrize("name", CONTINUOUS)
def test_sample_has_a_gradient_where_paddle_gives_it_one(name):
    parameters = []

    def parameter(x):
        parameters.append(paddle.to_tensor(x, stop_gradient=False))
        return parameters[-1]

    drawn = BOTH[name][0](parameter).sample([2])
    assert drawn.stop_gradient == (name not in DIFFERENTIABLE)


@pytest.mark.parametrize("name", BOTH)
def test_a_program_gives_what_eager_mode_gives(name):
    made = BOTH[name][0](paddle.to_tensor)
    at = np.array([1.0, 0.75, 1.0] if name in CONTINUOUS else [1.0, 0.0, 1.0], "float32")
    eager = [made.log_prob(paddle.to_tensor(at)).numpy(), made.entropy().numpy()]
    paddle.enable_static()
    try:
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            x = paddle.static.data("x", [3], "float32")
            symbolic = BOTH[name][0](lambda v: paddle.full([], v))
            asked = [symbolic.log_prob(x), symbolic.entropy(), symbolic.sample([2, 3])]
        found = paddle.static.Executor().run(program, feed={"x": at}, fetch_list=asked)
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found[0], eager[0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[1], eager[1], rtol=1e-5, atol=1e-6)
    assert found[2].shape == (2, 3)


@pytest.mark.parametrize("name", ["Beta", "Gamma", "Gumbel", "Normal", "Geometric", "Poisson"])
def test_a_converted_function_gives_the_same(name):
    def log_prob(p, x):
        return {
            "Beta": d.Beta, "Gamma": d.Gamma, "Gumbel": d.Gumbel, "Normal": d.Normal,
        }.get(name, lambda a, b: getattr(d, name)(a))(p, 2.0).log_prob(x)  # fmt: skip

    p, x = paddle.to_tensor([0.3, 0.6]), paddle.to_tensor([1.0, 0.5])
    converted = paddle.jit.to_static(log_prob)
    np.testing.assert_allclose(converted(p, x), log_prob(p, x), rtol=1e-6)


def test_the_normal_divergence_is_the_mean_of_the_difference_of_logarithms():
    p, q = d.Normal(wide(0.5), wide(1.0)), d.Normal(wide(0.0), wide(2.0))
    values = np.linspace(-30, 30, 100_001)
    apart = p.log_prob(wide(values)) - q.log_prob(wide(values))
    expected = np.trapezoid((p.prob(wide(values)) * apart).numpy(), values)
    assert p.kl_divergence(q).item() == pytest.approx(expected, rel=1e-6)


def test_the_geometric_divergence_is_the_sum_over_its_support():
    p, q, k = d.Geometric(wide(0.3)), d.Geometric(wide(0.4)), wide(np.arange(300.0))
    expected = (p.pmf(k) * (p.log_pmf(k) - q.log_pmf(k))).sum().item()
    assert d.kl_divergence(p, q).item() == pytest.approx(expected, rel=1e-9)


def test_uniform_divergence_is_infinite_where_the_other_has_nothing():
    narrow, broad = d.Uniform(1.0, 2.0), d.Uniform(0.0, 4.0)
    assert d.kl_divergence(narrow, broad).item() == pytest.approx(math.log(4), rel=1e-6)
    assert d.kl_divergence(broad, narrow).item() == math.inf


def test_a_divergence_without_a_rule_is_refused_and_can_be_declared():
    class Own(d.Distribution):
        pass

    with pytest.raises(UnsupportedError, match="no divergence of Own from Own"):
        d.kl_divergence(Own(), Own())
    d.register_kl(Own, Own)(lambda p, q: 7)
    assert d.kl_divergence(Own(), Own()) == 7


def test_what_a_distribution_lacks_is_named():
    with pytest.raises(UnsupportedError, match="Categorical has no mean"):
        _ = d.Categorical([0.5, 0.5]).mean
    with pytest.raises(ArgumentError, match="Cauchy distribution has no variance"):
        _ = d.Cauchy(0.0, 1.0).variance


def test_categorical_draws_with_softmax_odds():
    drawn = d.Categorical(paddle.to_tensor([0.0, math.log(3.0)])).sample([20_000])
    assert drawn.dtype == paddle.int64
    assert drawn.astype("float32").mean().item() == pytest.approx(0.75, abs=0.02)


def test_multinomial_draws_sum_to_the_count():
    drawn = d.Multinomial(7, paddle.to_tensor([[0.2, 0.8], [1.0, 0.0]])).sample([5])
    assert drawn.shape == [5, 2, 2]
    assert drawn.sum(-1).tolist() == [[7.0, 7.0]] * 5
    assert drawn[:, 1, 1].tolist() == [0.0] * 5


def test_vectors_have_the_covariances_that_were_asked_for():
    matrix = [[2.0, 0.5], [0.5, 1.0]]
    made = d.MultivariateNormal(wide([1.0, 2.0]), covariance_matrix=wide(matrix))
    np.testing.assert_allclose(np.cov(made.sample([20_000]).numpy().T), matrix, atol=0.1)
    np.testing.assert_allclose(made.covariance_matrix, matrix, rtol=1e-12)
    with pytest.raises(ArgumentError, match="received 2"):
        d.MultivariateNormal([0.0], paddle.eye(1), paddle.eye(1))


@pytest.mark.parametrize("given", [None, "1"])
def test_a_parameter_that_is_no_number_is_refused(given):
    with pytest.raises(TypeMismatchError, match=f"expects numbers or tensors, received {given!r}"):
        d.Normal(given, 1.0)


def test_outside_of_a_uniform_distribution_the_bounds_have_slopes_that_are_numbers() -> None:
    low, high = (paddle.to_tensor(v, stop_gradient=False) for v in (0.0, 2.0))
    found = d.Uniform(low, high).log_prob(paddle.to_tensor([-1.0, 0.5, 3.0]))
    found.sum().backward()
    assert found.tolist() == [-math.inf, pytest.approx(-math.log(2)), -math.inf]
    assert (low.grad.item(), high.grad.item()) == (1.5, -1.5)
