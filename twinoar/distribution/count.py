"""Distributions of whole numbers: Bernoulli, geometric, Poisson, binomial."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import int64
from twinoar.core.interpreter import recording, using
from twinoar.core.values import Value as Tensor
from twinoar.distribution.distribution import (
    Distribution,
    ExponentialFamily,
    broadcast_all,
    clipped,
    open_uniform,
    parameters,
    tensor,
)
from twinoar.errors import ArgumentError
from twinoar.ops.create.range import arange
from twinoar.ops.index.mask import where
from twinoar.ops.math.cast import astype
from twinoar.ops.math.exponential import exp, log, log1p
from twinoar.ops.math.gamma import lgamma
from twinoar.ops.math.root import reciprocal, sqrt
from twinoar.ops.math.rounding import ceil, floor
from twinoar.ops.math.select import maximum
from twinoar.ops.random.categorical import bernoulli
from twinoar.ops.random.gamma import binomial, poisson
from twinoar.ops.reduce.extreme import max as greatest
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.expand import broadcast_to
from twinoar.ops.shape.reshape import reshape

SMALLEST_RATE = 1e-30  # has a logarithm
DEVIATIONS, REST = 30.0, 30.0  # how far the support of Poisson's distribution is summed


def log_odds(probs: Any) -> Any:
    """log(p / (1 - p)), finite at 0 and 1."""
    p = clipped(probs)
    return log(p) - log1p(-p)


def entropy_over(distribution: Any, last: Any) -> Any:
    """The entropy of a distribution over 0, 1, ..., `last`, a number or a tensor of one."""
    dims = len(distribution.batch_shape)
    values = reshape(arange(0, last + 1, dtype=distribution.dtype), [-1] + [1] * dims)
    logs = distribution.log_prob(values)
    possible = logs > -math.inf
    return -total(exp(logs) * where(possible, logs, 0.0), 0)


class Bernoulli(ExponentialFamily):
    """1 with the probability probs, else 0.

    probs: a number or a tensor, in [0, 1].

    >>> round(twinoar.distribution.Bernoulli(0.25).prob(twinoar.to_tensor(1.0)).item(), 4)
    0.25
    """

    def __init__(self, probs: Any, name: str | None = None):
        (self.probs,) = parameters(probs)
        super().__init__(self.probs.spec.shape)

    @property
    def logits(self) -> Tensor:
        """log(probs / (1 - probs)), finite."""
        return log_odds(self.probs)

    @property
    def mean(self) -> Tensor:
        """probs."""
        return self.probs

    @property
    def variance(self) -> Tensor:
        """probs (1 - probs)."""
        return self.probs * (1.0 - self.probs)

    def sample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`: zeros and ones."""
        return bernoulli(broadcast_to(self.probs, self._extended(shape)))

    def rsample(self, shape: Sequence[int] = (), temperature: float = 1.0) -> Tensor:
        """Draws of `shape` with a gradient, before the sigmoid that makes soft zeros and ones of
        them. Source: arXiv 1611.00712.
        """
        u = open_uniform(self._extended(shape), self.probs.dtype)
        return (self.logits + log(u) - log1p(-u)) / temperature

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the probability of `value`."""
        x, p = self._value(value), clipped(self.probs)
        return x * log(p) + (1.0 - x) * log1p(-p)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        p = clipped(self.probs)
        return -(p * log(p) + (1.0 - p) * log1p(-p))

    def cdf(self, value: Any) -> Tensor:
        """The probability of what is at most `value`."""
        x = self._value(value)
        return where(x < 0.0, 0.0 * self.probs, where(x < 1.0, 1.0 - self.probs, 1.0))


class Geometric(Distribution):
    """How many trials of probability probs fail before one succeeds.

    probs: a number or a tensor, in (0, 1].
    """

    def __init__(self, probs: Any):
        (self.probs,) = parameters(probs)
        super().__init__(self.probs.spec.shape)

    @property
    def mean(self) -> Tensor:
        """1 / probs - 1."""
        return reciprocal(self.probs) - 1.0

    @property
    def variance(self) -> Tensor:
        """(1 - probs) / probs^2."""
        return self.mean / self.probs

    @property
    def stddev(self) -> Tensor:
        """The square root of the variance."""
        return sqrt(self.variance)

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`; being whole, they have a gradient of zero."""
        u = open_uniform(self._extended(shape), self.probs.dtype)
        return floor(log(u) / log1p(-clipped(self.probs)))

    def log_pmf(self, k: Any) -> Tensor:
        """The logarithm of the probability of k."""
        return self._value(k) * log1p(-self.probs) + log(self.probs)

    def pmf(self, k: Any) -> Tensor:
        """The probability of k."""
        return exp(self.log_pmf(k))

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the probability of `value`."""
        return self.log_pmf(value)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        failed = 1.0 - self.probs
        return -(failed * log(failed) + self.probs * log(self.probs)) / self.probs

    def cdf(self, k: Any) -> Tensor:
        """The probability of at most k."""
        return 1.0 - (1.0 - self.probs) ** (self._value(k) + 1.0)


class Poisson(Distribution):
    """The Poisson distribution: rate^k exp(-rate) / k!.

    rate: a number or a tensor.
    """

    def __init__(self, rate: Any):
        (self.rate,) = parameters(rate)
        super().__init__(self.rate.spec.shape)

    @property
    def mean(self) -> Tensor:
        """rate."""
        return self.rate

    @property
    def variance(self) -> Tensor:
        """rate."""
        return self.rate

    def sample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, without a gradient."""
        with using(recording(False)):
            return poisson(broadcast_to(self.rate, self._extended(shape)))

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the probability of `value`."""
        k = self._value(value)
        return k * log(maximum(self.rate, SMALLEST_RATE)) - self.rate - lgamma(k + 1.0)

    def entropy(self) -> Tensor:
        """The entropy, in nats: a sum over 30 standard deviations and more."""
        rate = greatest(self.rate)
        return entropy_over(self, ceil(rate + DEVIATIONS * sqrt(rate) + REST))


class Binomial(Distribution):
    """How many of total_count trials of probability probs succeed.

    total_count: an integer or a tensor of integers. probs: a number or a tensor, in [0, 1].
    Raises ArgumentError for a negative count.
    """

    def __init__(self, total_count: Any, probs: Any):
        if isinstance(total_count, int) and total_count < 0:
            raise ArgumentError(f"total_count must be at least 0, received {total_count}")
        (given,) = parameters(probs)
        self.total_count, self.probs = broadcast_all(tensor(total_count, int64), given)
        super().__init__(self.probs.spec.shape)

    @property
    def mean(self) -> Tensor:
        """total_count probs."""
        return self._count * self.probs

    @property
    def variance(self) -> Tensor:
        """total_count probs (1 - probs)."""
        return self.mean * (1.0 - self.probs)

    @property
    def _count(self) -> Any:
        return astype(self.total_count, self.probs.dtype)

    def sample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, of the dtype of probs, without a gradient."""
        sizes = self._extended(shape)
        count, probs = broadcast_to(self.total_count, sizes), broadcast_to(self.probs, sizes)
        return astype(binomial(count, probs), self.probs.dtype)

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the probability of `value`."""
        k, n, p = self._value(value), self._count, clipped(self.probs)
        ways = lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)
        return ways + k * log(p) + (n - k) * log1p(-p)

    def entropy(self) -> Tensor:
        """The entropy, in nats: a sum over all counts."""
        return entropy_over(self, greatest(self._count))
