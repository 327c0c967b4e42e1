"""The Kullback-Leibler divergences of pairs of distributions."""

from __future__ import annotations

from typing import Any

from twinoar.distribution.categorical import Categorical
from twinoar.distribution.continuous_bernoulli import ContinuousBernoulli
from twinoar.distribution.count import Bernoulli, Binomial, Geometric, Poisson
from twinoar.distribution.distribution import clipped, kl_divergence, register_kl, sum_rightmost
from twinoar.distribution.half_line import Exponential, Gamma
from twinoar.distribution.independent import Independent
from twinoar.distribution.log_normal import LogNormal
from twinoar.distribution.multivariate_normal import MultivariateNormal, squared_length
from twinoar.distribution.real_line import Cauchy, Laplace, Normal, Uniform
from twinoar.distribution.simplex import Beta, Dirichlet
from twinoar.errors import ArgumentError
from twinoar.ops.activation.softmax import log_softmax
from twinoar.ops.index.mask import where
from twinoar.ops.linalg.linear_system import triangular_solve
from twinoar.ops.math.compare import equal_all
from twinoar.ops.math.exponential import exp, log, log1p
from twinoar.ops.math.gamma import digamma, lgamma
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.root import square
from twinoar.ops.math.sign import abs as absolute
from twinoar.ops.reduce.reduction import sum as total


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Any, q: Any) -> Any:
    a, b = clipped(p.probs), clipped(q.probs)
    return a * (log(a) - log(b)) + (1.0 - a) * (log1p(-a) - log1p(-b))


@register_kl(Binomial, Binomial)
def _binomial(p: Any, q: Any) -> Any:
    if not equal_all(p.total_count, q.total_count):
        raise ArgumentError("binomial distributions must have one total_count to be compared")
    return p._count * _bernoulli(p, q)


@register_kl(Beta, Beta)
def _beta(p: Any, q: Any) -> Any:
    return _dirichlet(p._shares, q._shares)


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Any, q: Any) -> Any:
    a, b = p.concentration, q.concentration
    spread = digamma(a) - digamma(total(a, -1, keepdim=True))
    return q._normalizer() - p._normalizer() + total((a - b) * spread, -1)


@register_kl(Categorical, Categorical)
def _categorical(p: Any, q: Any) -> Any:
    logs = log_softmax(p.logits, -1)
    return total(exp(logs) * (logs - log_softmax(q.logits, -1)), -1, keepdim=True)


@register_kl(Cauchy, Cauchy)
def _cauchy(p: Any, q: Any) -> Any:
    apart = square(p.scale + q.scale) + square(p.loc - q.loc)
    return log(apart) - log(4.0 * p.scale * q.scale)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: Any, q: Any) -> Any:
    odds = log(q.probs) - log1p(-q.probs)
    return -p.entropy() - q._log_constant() - log1p(-q.probs) - p.mean * odds


@register_kl(Exponential, Exponential)
def _exponential(p: Any, q: Any) -> Any:
    ratio = q.rate / p.rate
    return ratio - 1.0 - log(ratio)


@register_kl(Gamma, Gamma)
def _gamma(p: Any, q: Any) -> Any:
    a, b = p.concentration, q.concentration
    return (
        (a - b) * digamma(a)
        - lgamma(a)
        + lgamma(b)
        + b * (log(p.rate) - log(q.rate))
        + a * (q.rate / p.rate - 1.0)
    )


@register_kl(Geometric, Geometric)
def _geometric(p: Any, q: Any) -> Any:
    a, b = clipped(p.probs), clipped(q.probs)
    return log(a) - log(b) + (1.0 - a) / a * (log1p(-a) - log1p(-b))


@register_kl(Independent, Independent)
def _independent(p: Any, q: Any) -> Any:
    if p._count != q._count:
        raise ArgumentError("the two must have one reinterpreted_batch_rank to be compared")
    return sum_rightmost(kl_divergence(p.base, q.base), p._count)


@register_kl(Laplace, Laplace)
def _laplace(p: Any, q: Any) -> Any:
    apart = absolute(p.loc - q.loc)
    near = (p.scale * exp(-apart / p.scale) + apart) / q.scale
    return near + log(q.scale) - log(p.scale) - 1.0


@register_kl(LogNormal, LogNormal)
def _log_normal(p: Any, q: Any) -> Any:
    return _normal(p, q)


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p: Any, q: Any) -> Any:
    relative = triangular_solve(q.scale_tril, p.scale_tril, upper=False)
    distance = squared_length(q.scale_tril, p.loc - q.loc)
    determinants = q.half_log_determinant() - p.half_log_determinant()
    return determinants + 0.5 * (total(square(relative), [-2, -1]) + distance - p._size)


@register_kl(Normal, Normal)
def _normal(p: Any, q: Any) -> Any:
    ratio = square(p.scale / q.scale)
    return 0.5 * (ratio + square((p.loc - q.loc) / q.scale) - 1.0 - log(ratio))


@register_kl(Poisson, Poisson)
def _poisson(p: Any, q: Any) -> Any:
    return p.rate * (log(p.rate) - log(q.rate)) - p.rate + q.rate


@register_kl(Uniform, Uniform)
def _uniform(p: Any, q: Any) -> Any:
    inside = logical_and(q.low <= p.low, p.high <= q.high)
    return where(inside, log(q.high - q.low) - log(p.high - p.low), float("inf"))
