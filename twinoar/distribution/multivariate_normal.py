"""The normal distribution of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.spec import broadcast
from twinoar.core.values import Value as Tensor
from twinoar.distribution.distribution import Distribution, floating_of, tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.index.diagonal import diagonal
from twinoar.ops.linalg.linear_system import cholesky, inv, transposed, triangular_solve
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.exponential import log
from twinoar.ops.math.root import square
from twinoar.ops.random.uniform import gaussian
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.expand import broadcast_to
from twinoar.ops.shape.reshape import squeeze, unsqueeze


class MultivariateNormal(Distribution):
    """The normal distribution of vectors of mean loc.

    loc: [...,K]. One of these, [...,K,K], and no other: covariance_matrix, precision_matrix, its
    inverse, or scale_tril, the lower triangle whose product with its transpose it is. Raises
    ArgumentError for none or several, ShapeError.

    >>> normal = twinoar.distribution.MultivariateNormal(twinoar.zeros([2]), twinoar.eye(2))
    >>> round(normal.entropy().item(), 4)
    2.8379
    """

    def __init__(
        self,
        loc: Any,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
    ):
        given = [x for x in (covariance_matrix, precision_matrix, scale_tril) if x is not None]
        if len(given) != 1:
            raise ArgumentError(
                f"expected one of covariance_matrix, precision_matrix and scale_tril, received "
                f"{len(given)}"
            )
        dtype = floating_of(loc, *given)
        mean, matrix = tensor(loc, dtype), tensor(given[0], dtype)
        if mean.ndim < 1 or matrix.ndim < 2:
            raise ShapeError(
                f"loc must be [...,K] and the matrix [...,K,K], received {mean.shape} and "
                f"{matrix.shape}"
            )
        batch = broadcast(mean.spec.shape[:-1], matrix.spec.shape[:-2])
        self.loc = broadcast_to(mean, [*batch, mean.spec.shape[-1]])
        matrix = broadcast_to(matrix, [*batch, *matrix.spec.shape[-2:]])
        if scale_tril is not None:
            self.scale_tril = matrix
        else:
            self.scale_tril = cholesky(matrix if precision_matrix is None else inv(matrix))
        super().__init__(batch, self.loc.spec.shape[-1:])

    @property
    def mean(self) -> Tensor:
        """loc."""
        return self.loc

    @property
    def covariance_matrix(self) -> Tensor:
        """The covariances, [...,K,K]."""
        return matmul(self.scale_tril, transposed(self.scale_tril))

    @property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariances, [...,K,K]."""
        return inv(self.covariance_matrix)

    @property
    def variance(self) -> Tensor:
        """The variance of each element, [...,K]."""
        return total(square(self.scale_tril), -1)

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of the parameters."""
        drawn = gaussian(self._extended(shape), dtype=self.loc.dtype)
        return self.loc + squeeze(matmul(self.scale_tril, unsqueeze(drawn, -1)), -1)

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the density at `value`, [...,K]."""
        distance = squared_length(self.scale_tril, self._value(value) - self.loc)
        return -0.5 * (distance + self._size * math.log(2 * math.pi)) - self.half_log_determinant()

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return 0.5 * self._size * (1 + math.log(2 * math.pi)) + self.half_log_determinant()

    def half_log_determinant(self) -> Tensor:
        """Half the logarithm of the determinant of the covariances."""
        return total(log(diagonal(self.scale_tril, axis1=-2, axis2=-1)), -1)

    @property
    def _size(self) -> Any:
        return self._event_shape[0]


def squared_length(scale_tril: Any, x: Any) -> Any:
    """The square of x, [...,K], in units of a normal distribution: by the inverse of scale_tril."""
    batch = broadcast(x.spec.shape[:-1], scale_tril.spec.shape[:-2])
    size = scale_tril.spec.shape[-1]
    column = unsqueeze(broadcast_to(x, [*batch, size]), -1)
    matrices = broadcast_to(scale_tril, [*batch, size, size])
    return total(square(triangular_solve(matrices, column, upper=False)), [-2, -1])
