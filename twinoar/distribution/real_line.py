"""Distributions on the real line: uniform, normal, Laplace, Cauchy, Gumbel, Student's t."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.values import Value as Tensor
from twinoar.distribution.distribution import (
    Distribution,
    ExponentialFamily,
    open_uniform,
    parameters,
)
from twinoar.errors import ArgumentError
from twinoar.ops.index.mask import where
from twinoar.ops.math.cast import astype
from twinoar.ops.math.exponential import exp, log, log1p
from twinoar.ops.math.gamma import digamma, lgamma
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.root import sqrt, square
from twinoar.ops.math.sign import abs as absolute
from twinoar.ops.math.sign import sign
from twinoar.ops.math.trigonometry import atan, tan
from twinoar.ops.random.gamma import standard_gamma
from twinoar.ops.random.uniform import gaussian, uniform
from twinoar.ops.shape.expand import broadcast_to

EULER = float(np.euler_gamma)


class Uniform(Distribution):
    """Equal density between low and high, and none at these.

    low, high: numbers, lists, arrays or tensors, which broadcast.

    >>> twinoar.distribution.Uniform(0.0, 4.0).prob(twinoar.to_tensor([1.0, 5.0])).tolist()
    [0.25, 0.0]
    """

    def __init__(self, low: Any, high: Any, name: str | None = None):
        self.low, self.high = parameters(low, high)
        super().__init__(self.low.spec.shape)

    @property
    def mean(self) -> Tensor:
        """(low + high) / 2."""
        return (self.low + self.high) * 0.5

    @property
    def variance(self) -> Tensor:
        """(high - low)^2 / 12."""
        return square(self.high - self.low) / 12.0

    def rsample(self, shape: Sequence[int] = (), seed: int = 0) -> Tensor:
        """Draws of `shape`, with the gradient of low and high."""
        drawn = uniform(self._extended(shape), self.low.dtype, 0.0, 1.0, seed)
        return self.low + drawn * (self.high - self.low)

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Tensor:
        """What `rsample` gives, with its gradient, as in Paddle; `detach()` ends that.

        seed: other than 0, the same each time.
        """
        return self.rsample(shape, seed)

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        return log(self._inside(value)) - log(self.high - self.low)

    def prob(self, value: Any) -> Tensor:
        """The density at `value`."""
        return self._inside(value) / (self.high - self.low)

    def _inside(self, value: Any) -> Tensor:
        """1 between the bounds, 0 elsewhere."""
        x = self._value(value)
        return astype(logical_and(self.low < x, x < self.high), x.dtype)

    probs: Any = prob

    def entropy(self) -> Tensor:
        """log(high - low)."""
        return log(self.high - self.low)


class Normal(ExponentialFamily):
    """The normal distribution of mean loc and standard deviation scale.

    loc, scale: numbers, lists, arrays or tensors, which broadcast.

    >>> normal = twinoar.distribution.Normal(loc=0.0, scale=2.0)
    >>> round(normal.entropy().item(), 4), normal.sample([2, 3]).shape
    (2.1121, [2, 3])
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None):
        self.loc, self.scale = parameters(loc, scale)
        super().__init__(self.loc.spec.shape)

    @property
    def mean(self) -> Tensor:
        """loc."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """scale^2."""
        return square(self.scale)

    def rsample(self, shape: Sequence[int] = (), seed: int = 0) -> Tensor:
        """Draws of `shape`, with the gradient of loc and scale."""
        drawn = gaussian(self._extended(shape), seed=seed, dtype=self.loc.dtype)
        return self.loc + drawn * self.scale

    def sample(self, shape: Sequence[int] = (), seed: int = 0) -> Tensor:
        """What `rsample` gives, with its gradient, as in Paddle; `detach()` ends that.

        seed: other than 0, the same each time.
        """
        return self.rsample(shape, seed)

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        z = (self._value(value) - self.loc) / self.scale
        return -0.5 * square(z) - log(self.scale) - 0.5 * math.log(2 * math.pi)

    def entropy(self) -> Tensor:
        """log(scale) + (1 + log(2 pi)) / 2."""
        return log(self.scale) + 0.5 * (1 + math.log(2 * math.pi))


class Laplace(Distribution):
    """The Laplace distribution around loc: exp(-abs(x - loc) / scale) / (2 scale).

    loc, scale: numbers or tensors, which broadcast.
    """

    def __init__(self, loc: Any, scale: Any):
        self.loc, self.scale = parameters(loc, scale)
        super().__init__(self.loc.spec.shape)

    @property
    def mean(self) -> Tensor:
        """loc."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """2 scale^2."""
        return 2.0 * square(self.scale)

    @property
    def stddev(self) -> Tensor:
        """sqrt(2) scale."""
        return math.sqrt(2) * self.scale

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of loc and scale."""
        return self.icdf(open_uniform(self._extended(shape), self.loc.dtype))

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        return -absolute(self._value(value) - self.loc) / self.scale - log(2.0 * self.scale)

    def entropy(self) -> Tensor:
        """1 + log(2 scale)."""
        return 1.0 + log(2.0 * self.scale)

    def cdf(self, value: Any) -> Tensor:
        """The probability of what is at most `value`."""
        z = (self._value(value) - self.loc) / self.scale
        return 0.5 - 0.5 * sign(z) * (exp(-absolute(z)) - 1.0)

    def icdf(self, value: Any) -> Tensor:
        """What is exceeded with the probability 1 - value."""
        u = self._value(value) - 0.5
        return self.loc - self.scale * sign(u) * log1p(-2.0 * absolute(u))


class Cauchy(Distribution):
    """The Cauchy distribution around loc, half of it within scale; it has no mean.

    loc, scale: numbers or tensors, which broadcast.
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None):
        self.loc, self.scale = parameters(loc, scale)
        super().__init__(self.loc.spec.shape)

    @property
    def mean(self) -> Tensor:
        """Raises ArgumentError: there is none."""
        raise self._undefined("mean")

    @property
    def variance(self) -> Tensor:
        """Raises ArgumentError: there is none."""
        raise self._undefined("variance")

    @property
    def stddev(self) -> Tensor:
        """Raises ArgumentError: there is none."""
        raise self._undefined("stddev")

    def _undefined(self, what: str) -> ArgumentError:
        return ArgumentError(f"a Cauchy distribution has no {what}", cure="use loc and scale")

    def sample(self, shape: Sequence[int] = (), name: str | None = None) -> Tensor:
        """Draws of `shape`, without a gradient."""
        return super().sample(shape)

    def rsample(self, shape: Sequence[int] = (), name: str | None = None) -> Tensor:
        """Draws of `shape`, with the gradient of loc and scale."""
        drawn = open_uniform(self._extended(shape), self.loc.dtype)
        return self.loc + self.scale * tan((drawn - 0.5) * math.pi)

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        z = (self._value(value) - self.loc) / self.scale
        return -log1p(square(z)) - log(self.scale) - math.log(math.pi)

    def entropy(self) -> Tensor:
        """log(4 pi scale)."""
        return log(self.scale) + math.log(4 * math.pi)

    def cdf(self, value: Any) -> Tensor:
        """The probability of what is at most `value`."""
        return atan((self._value(value) - self.loc) / self.scale) / math.pi + 0.5


class Gumbel(Distribution):
    """The Gumbel distribution, of greatest values: its distribution function is exp(-exp(-z)),
    z = (x - loc) / scale.

    loc, scale: numbers or tensors, which broadcast.
    """

    def __init__(self, loc: Any, scale: Any):
        self.loc, self.scale = parameters(loc, scale)
        super().__init__(self.loc.spec.shape)

    @property
    def mean(self) -> Tensor:
        """loc + scale * Euler's constant."""
        return self.loc + self.scale * EULER

    @property
    def variance(self) -> Tensor:
        """scale^2 pi^2 / 6."""
        return square(self.scale) * (math.pi**2 / 6)

    @property
    def stddev(self) -> Tensor:
        """The square root of the variance."""
        return sqrt(self.variance)

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of loc and scale."""
        drawn = open_uniform(self._extended(shape), self.loc.dtype)
        return self.loc - self.scale * log(-log(drawn))

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        z = (self._value(value) - self.loc) / self.scale
        return -(z + exp(-z)) - log(self.scale)

    def entropy(self) -> Tensor:
        """log(scale) + 1 + Euler's constant."""
        return log(self.scale) + (1 + EULER)

    def cdf(self, value: Any) -> Tensor:
        """The probability of what is at most `value`."""
        return exp(-exp(-(self._value(value) - self.loc) / self.scale))


class StudentT(Distribution):
    """Student's t distribution of df degrees of freedom, moved by loc and scaled by scale.

    df, loc, scale: numbers or tensors, which broadcast.
    """

    def __init__(self, df: Any, loc: Any, scale: Any, name: str | None = None):
        self.df, self.loc, self.scale = parameters(df, loc, scale)
        super().__init__(self.df.spec.shape)

    @property
    def mean(self) -> Tensor:
        """loc; nan where df is at most 1."""
        return where(self.df > 1.0, self.loc, math.nan)

    @property
    def variance(self) -> Tensor:
        """scale^2 df / (df - 2); infinite where df is at most 2, nan where it is at most 1."""
        finite = square(self.scale) * self.df / where(self.df > 2.0, self.df - 2.0, 1.0)
        return where(self.df > 2.0, finite, where(self.df > 1.0, math.inf, self.df * math.nan))

    def sample(self, shape: Sequence[int] = ()) -> Tensor:
        """What `rsample` gives, with its gradient, as in Paddle."""
        return self.rsample(shape)

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of the parameters."""
        sizes = self._extended(shape)
        chi2 = 2.0 * standard_gamma(broadcast_to(self.df * 0.5, sizes))
        drawn = gaussian(sizes, dtype=self.loc.dtype) * sqrt(self.df / chi2)
        return self.loc + self.scale * drawn

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        z = (self._value(value) - self.loc) / self.scale
        half = (self.df + 1.0) * 0.5
        normalizer = (
            log(self.scale) + 0.5 * log(self.df * math.pi) + lgamma(self.df * 0.5) - lgamma(half)
        )
        return -half * log1p(square(z) / self.df) - normalizer

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        half = (self.df + 1.0) * 0.5
        beta = lgamma(self.df * 0.5) + math.lgamma(0.5) - lgamma(half)
        spread = half * (digamma(half) - digamma(self.df * 0.5))
        return log(self.scale) + spread + 0.5 * log(self.df) + beta
