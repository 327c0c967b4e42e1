"""Distributions of shares that sum to 1: Dirichlet, and beta for two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.distribution.distribution import ExponentialFamily, parameters
from twinoar.errors import ShapeError
from twinoar.ops.math.exponential import log
from twinoar.ops.math.gamma import digamma, lgamma
from twinoar.ops.math.root import square
from twinoar.ops.random.gamma import standard_gamma
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import stack
from twinoar.ops.shape.expand import broadcast_to


class Dirichlet(ExponentialFamily):
    """Shares x of density proportional to the product of x^(concentration - 1).

    concentration: [...,K], positive; draws are [...,K]. Raises ShapeError where it has no
    dimension.

    >>> shares = twinoar.distribution.Dirichlet(twinoar.to_tensor([1.0, 1.0, 2.0]))
    >>> shares.mean.tolist(), round(shares.sample().sum().item(), 4)
    ([0.25, 0.25, 0.5], 1.0)
    """

    def __init__(self, concentration: Any):
        (self.concentration,) = parameters(concentration)
        shape = self.concentration.spec.shape
        if not shape:
            raise ShapeError("concentration must have a dimension, received a single number")
        super().__init__(shape[:-1], shape[-1:])

    @property
    def mean(self) -> Tensor:
        """concentration by its sum."""
        return self.concentration / total(self.concentration, -1, keepdim=True)

    @property
    def variance(self) -> Tensor:
        """mean (1 - mean) / (sum of concentration + 1)."""
        whole = total(self.concentration, -1, keepdim=True)
        return self.mean * (1.0 - self.mean) / (whole + 1.0)

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of concentration."""
        drawn = standard_gamma(broadcast_to(self.concentration, self._extended(shape)))
        return drawn / total(drawn, -1, keepdim=True)

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`, [...,K]."""
        powers = total((self.concentration - 1.0) * log(self._value(value)), -1)
        return powers - self._normalizer()

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        a = self.concentration
        whole, count = total(a, -1), a.spec.shape[-1]
        spread = (whole - count) * digamma(whole) - total((a - 1.0) * digamma(a), -1)
        return self._normalizer() + spread

    def _normalizer(self) -> Any:
        """The logarithm of the beta function of many arguments."""
        return total(lgamma(self.concentration), -1) - lgamma(total(self.concentration, -1))


class Beta(ExponentialFamily):
    """Numbers in (0, 1) of density proportional to x^(alpha - 1) (1 - x)^(beta - 1).

    alpha, beta: numbers or tensors, which broadcast.

    >>> twinoar.distribution.Beta(1.0, 3.0).mean.item()
    0.25
    """

    def __init__(self, alpha: Any, beta: Any):
        self.alpha, self.beta = parameters(alpha, beta)
        super().__init__(self.alpha.spec.shape)
        self._shares = Dirichlet(stack([self.alpha, self.beta], -1))

    @property
    def mean(self) -> Tensor:
        """alpha / (alpha + beta)."""
        return self.alpha / (self.alpha + self.beta)

    @property
    def variance(self) -> Tensor:
        """alpha beta / ((alpha + beta)^2 (alpha + beta + 1))."""
        whole = self.alpha + self.beta
        return self.alpha * self.beta / (square(whole) * (whole + 1.0))

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of alpha and beta."""
        return self._shares.rsample(shape)[..., 0]

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        x = self._value(value)
        return self._shares.log_prob(stack([x, 1.0 - x], -1))

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return self._shares.entropy()
