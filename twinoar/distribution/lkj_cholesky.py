"""The distribution of correlations, by the triangles whose products they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from twinoar.core.values import Value as Tensor
from twinoar.distribution.distribution import Distribution, parameters
from twinoar.distribution.simplex import Beta
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.ops._sizes import sizes
from twinoar.ops.create.fill import ones, zeros
from twinoar.ops.create.range import arange
from twinoar.ops.index.diagonal import diag_embed, diagonal, eye, tril
from twinoar.ops.math.exponential import log
from twinoar.ops.math.gamma import lgamma
from twinoar.ops.math.root import sqrt, square
from twinoar.ops.math.select import maximum
from twinoar.ops.math.special import multigammaln
from twinoar.ops.random.uniform import gaussian
from twinoar.ops.reduce.cumulative_sum import cumprod
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.expand import broadcast_to
from twinoar.ops.shape.reshape import unsqueeze

METHODS = ("onion", "cvine")
TINY = 1e-30  # less than the length of any drawn direction


class LKJCholesky(Distribution):
    """Lower triangles L with L L^T a matrix of correlations, of density proportional to the
    determinant of that to the power of concentration - 1.

    dim: the size of the matrices, 2 or more. concentration: positive; 1 makes all matrices equally
    likely, and more brings them closer to the identity. sample_method: "onion" draws row by row,
    "cvine" partial correlations. Raises ArgumentError, TypeMismatchError. Source: Lewandowski,
    Kurowicka, Joe: Generating random correlation matrices (2009).

    >>> triangles = twinoar.distribution.LKJCholesky(3, 1.5)
    >>> round(triangles.log_prob(twinoar.eye(3)).item(), 4)
    -1.0269
    """

    def __init__(
        self,
        dim: int = 2,
        concentration: Any = 1.0,
        sample_method: Literal["onion", "cvine"] = "onion",
    ):
        if not isinstance(dim, int):
            raise TypeMismatchError(f"dim must be an integer, received {dim!r}")
        if dim < 2:
            raise ArgumentError(f"dim must be 2 or more, received {dim}")
        if isinstance(concentration, (int, float)) and concentration <= 0:
            raise ArgumentError(f"concentration must be positive, received {concentration}")
        if sample_method not in METHODS:
            raise ArgumentError(f"sample_method must be one of {METHODS}, received {sample_method}")
        (self.concentration,) = parameters(concentration)
        self.dim, self.sample_method = dim, sample_method
        super().__init__(self.concentration.spec.shape, (dim, dim))

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, [*shape,...,dim,dim], with the gradient of concentration."""
        draw = self._onion if self.sample_method == "onion" else self._cvine
        return draw((*sizes(shape), *self._batch_shape))

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`, [...,dim,dim]."""
        entries = diagonal(self._value(value), axis1=-2, axis2=-1)[..., 1:]
        powers = 2.0 * unsqueeze(self.concentration, -1) + self._rows(self.dim - 4, -3, -1)
        return total(powers * log(entries), -1) - self._normalizer()

    def _normalizer(self) -> Any:
        """The logarithm of the integral of the product of the powers."""
        less = self.dim - 1
        alpha = self.concentration + 0.5 * less
        constant = 0.5 * less * math.log(math.pi)
        return constant + multigammaln(alpha - 0.5, less) - less * lgamma(alpha)

    def _rows(self, first: int, last: int, step: int) -> Any:
        return arange(first, last, step, dtype=self.dtype)

    def _onion(self, shape: tuple[Any, ...]) -> Any:
        """Row after row: how long it is left of the diagonal, and in which direction."""
        dim = self.dim
        spread = unsqueeze(self.concentration, -1) + 0.5 * self._rows(dim - 2, -1, -1)
        lengths = Beta(0.5 * self._rows(1, dim, 1), broadcast_to(spread, [*shape, dim - 1]))
        squares = concat([zeros([*shape, 1], self.dtype), lengths.rsample()], -1)  # [...,dim]
        drawn = tril(gaussian([*shape, dim, dim], dtype=self.dtype), -1)
        length = maximum(sqrt(total(square(drawn), -1, keepdim=True)), TINY)
        return unsqueeze(sqrt(squares), -1) * drawn / length + diag_embed(sqrt(1.0 - squares))

    def _cvine(self, shape: tuple[Any, ...]) -> Any:
        """Partial correlations, each of what the ones before leave of a row."""
        dim = self.dim
        more = maximum(0.5 * self._rows(dim - 2, -2, -1), 0.0)  # of the last column none is used
        spread = unsqueeze(unsqueeze(self.concentration, -1), -1) + more
        spread = broadcast_to(spread, [*shape, dim, dim])
        partial = tril(2.0 * Beta(spread, spread).rsample() - 1.0, -1)
        left = cumprod(1.0 - square(partial), dim=-1)
        left = concat([ones([*shape, dim, 1], self.dtype), left[..., :-1]], -1)
        return (partial + eye(dim, dtype=self.dtype)) * sqrt(left)


__all__ = ["LKJCholesky"]
