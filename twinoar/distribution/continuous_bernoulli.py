"""The continuous Bernoulli distribution (arXiv 1907.06845)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.distribution.distribution import Distribution, clipped, open_uniform, parameters
from twinoar.ops.index.mask import where
from twinoar.ops.math.exponential import log, log1p
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.root import square
from twinoar.ops.math.sign import abs as absolute
from twinoar.ops.math.trigonometry import atanh


class ContinuousBernoulli(Distribution):
    """Numbers in [0, 1] of density proportional to probs^x (1 - probs)^(1 - x).

    probs: a number or a tensor, in (0, 1). lims: between these, near a half, where the formulas
    divide 0 by 0, Taylor's series in probs - 1 / 2 take their place.
    """

    def __init__(self, probs: Any, lims: tuple[float, float] = (0.499, 0.501)):
        (given,) = parameters(probs)
        self.probs, self.lims = clipped(given), tuple(lims)
        super().__init__(self.probs.spec.shape)

    def _outside(self) -> tuple[Any, Any]:
        """Whether probs is outside lims, and probs there; a safe number elsewhere."""
        low, high = self.lims
        outside = (self.probs < low) | (self.probs > high)
        return outside, where(outside, self.probs, low)

    @property
    def mean(self) -> Tensor:
        """probs / (2 probs - 1) + 1 / (2 atanh(1 - 2 probs))."""
        outside, p = self._outside()
        exact = p / (2.0 * p - 1.0) + 0.5 / atanh(1.0 - 2.0 * p)
        x = self.probs - 0.5
        return where(outside, exact, 0.5 + (1 / 3 + 16 / 45 * square(x)) * x)

    @property
    def variance(self) -> Tensor:
        """probs (probs - 1) / (1 - 2 probs)^2 + 1 / (2 atanh(1 - 2 probs))^2."""
        outside, p = self._outside()
        exact = p * (p - 1.0) / square(1.0 - 2.0 * p) + square(0.5 / atanh(1.0 - 2.0 * p))
        x = square(self.probs - 0.5)
        return where(outside, exact, 1 / 12 - (1 / 15 - 128 / 945 * x) * x)

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of probs."""
        return self.icdf(open_uniform(self._extended(shape), self.probs.dtype))

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`."""
        x = self._value(value)
        return x * log(self.probs) + (1.0 - x) * log1p(-self.probs) + self._log_constant()

    def _log_constant(self) -> Any:
        """The logarithm of what makes the density whole."""
        outside, p = self._outside()
        exact = log(2.0 * absolute(atanh(1.0 - 2.0 * p))) - log(absolute(1.0 - 2.0 * p))
        x = square(self.probs - 0.5)
        return where(outside, exact, math.log(2.0) + (4 / 3 + 104 / 45 * x) * x)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        odds = log(self.probs) - log1p(-self.probs)
        return -self._log_constant() - log1p(-self.probs) - self.mean * odds

    def cdf(self, value: Any) -> Tensor:
        """The probability of what is at most `value`."""
        x = self._value(value)
        outside, p = self._outside()
        exact = (p**x * (1.0 - p) ** (1.0 - x) + p - 1.0) / (2.0 * p - 1.0)
        inner = where(outside, exact, x)
        return where(x <= 0.0, 0.0 * inner, where(x >= 1.0, 1.0 + 0.0 * inner, inner))

    def icdf(self, value: Any) -> Tensor:
        """What is exceeded with the probability 1 - value."""
        u = self._value(value)
        outside, p = self._outside()
        exact = (log1p(-p + u * (2.0 * p - 1.0)) - log1p(-p)) / (log(p) - log1p(-p))
        inside = logical_and(u > 0.0, u < 1.0)
        return where(logical_and(outside, inside), exact, u)
