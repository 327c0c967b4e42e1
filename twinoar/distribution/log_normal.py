"""The log-normal distribution."""

from __future__ import annotations

from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.distribution.element_transform import ExpTransform
from twinoar.distribution.real_line import Normal
from twinoar.distribution.transform import TransformedDistribution
from twinoar.ops.math.exponential import exp, expm1
from twinoar.ops.math.root import square


class LogNormal(TransformedDistribution):
    """exp(x) of normal numbers x of mean loc and standard deviation scale.

    loc, scale: numbers, lists, arrays or tensors, which broadcast.
    """

    def __init__(self, loc: Any, scale: Any):
        self._normal = Normal(loc, scale)
        self.loc, self.scale = self._normal.loc, self._normal.scale
        super().__init__(self._normal, [ExpTransform()])

    @property
    def mean(self) -> Tensor:
        """exp(loc + scale^2 / 2)."""
        return exp(self.loc + 0.5 * square(self.scale))

    @property
    def variance(self) -> Tensor:
        """(exp(scale^2) - 1) exp(2 loc + scale^2)."""
        return expm1(square(self.scale)) * exp(2.0 * self.loc + square(self.scale))

    def entropy(self) -> Tensor:
        """The normal distribution's, and loc."""
        return self._normal.entropy() + self.loc
