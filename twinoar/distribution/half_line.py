"""Distributions of positive numbers: exponential, gamma, chi-squared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.distribution.distribution import ExponentialFamily, open_uniform, parameters
from twinoar.ops.math.exponential import exp, log, log1p
from twinoar.ops.math.gamma import digamma, lgamma
from twinoar.ops.math.root import reciprocal, square
from twinoar.ops.random.gamma import standard_gamma
from twinoar.ops.shape.expand import broadcast_to


class Exponential(ExponentialFamily):
    """The exponential distribution: rate exp(-rate x).

    rate: a number or a tensor.

    >>> twinoar.distribution.Exponential(2.0).mean.item()
    0.5
    """

    def __init__(self, rate: Any):
        (self.rate,) = parameters(rate)
        super().__init__(self.rate.spec.shape)

    @property
    def mean(self) -> Tensor:
        """1 / rate."""
        return reciprocal(self.rate)

    @property
    def variance(self) -> Tensor:
        """1 / rate^2."""
        return reciprocal(square(self.rate))

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of rate."""
        return -log(open_uniform(self._extended(shape), self.rate.dtype)) / self.rate

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        return log(self.rate) - self.rate * self._value(value)

    def entropy(self) -> Tensor:
        """1 - log(rate)."""
        return 1.0 - log(self.rate)

    def cdf(self, value: Any) -> Tensor:
        """The probability of what is at most `value`."""
        return 1.0 - exp(-self.rate * self._value(value))

    def icdf(self, value: Any) -> Tensor:
        """What is exceeded with the probability 1 - value."""
        return -log1p(-self._value(value)) / self.rate


class Gamma(ExponentialFamily):
    """The gamma distribution: rate^a x^(a - 1) exp(-rate x) / gamma(a), with a the concentration.

    concentration, rate: numbers or tensors, which broadcast.

    >>> twinoar.distribution.Gamma(3.0, 2.0).mean.item()
    1.5
    """

    def __init__(self, concentration: Any, rate: Any):
        self.concentration, self.rate = parameters(concentration, rate)
        super().__init__(self.rate.spec.shape)

    @property
    def mean(self) -> Tensor:
        """concentration / rate."""
        return self.concentration / self.rate

    @property
    def variance(self) -> Tensor:
        """concentration / rate^2."""
        return self.concentration / square(self.rate)

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of concentration and rate."""
        return standard_gamma(broadcast_to(self.concentration, self._extended(shape))) / self.rate

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        a, x = self.concentration, self._value(value)
        return a * log(self.rate) + (a - 1.0) * log(x) - self.rate * x - lgamma(a)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        a = self.concentration
        return a - log(self.rate) + lgamma(a) + (1.0 - a) * digamma(a)


class Chi2(Gamma):
    """The chi-squared distribution of df degrees of freedom: gamma of df / 2 and rate 1 / 2.

    df: a number or a tensor.
    """

    def __init__(self, df: Any):
        (self.df,) = parameters(df)
        super().__init__(self.df * 0.5, 0.5)
