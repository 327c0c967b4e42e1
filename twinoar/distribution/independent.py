"""A batch of distributions as one over larger events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import DType
from twinoar.core.values import Value as Tensor
from twinoar.distribution.distribution import Distribution, sum_rightmost
from twinoar.errors import ArgumentError, TypeMismatchError


class Independent(Distribution):
    """`base`, whose last batch dimensions count as parts of events.

    reinterpreted_batch_rank: how many. Raises ArgumentError where base has less, or for none.

    >>> normal = twinoar.distribution.Normal(twinoar.zeros([3]), twinoar.ones([3]))
    >>> twinoar.distribution.Independent(normal, 1).log_prob(twinoar.zeros([5, 3])).shape
    [5]
    """

    def __init__(self, base: Distribution, reinterpreted_batch_rank: int):
        if not isinstance(base, Distribution):
            raise TypeMismatchError(f"base must be a Distribution, received {type(base).__name__}")
        rank = len(base.batch_shape)
        if not 0 < reinterpreted_batch_rank <= rank:
            raise ArgumentError(
                f"reinterpreted_batch_rank must be in 1 to {rank}, the batch dimensions of base, "
                f"received {reinterpreted_batch_rank}"
            )
        self.base, self._count = base, reinterpreted_batch_rank
        shape = (*base.batch_shape, *base.event_shape)
        super().__init__(shape[: rank - self._count], shape[rank - self._count :])

    @property
    def dtype(self) -> DType:
        """The dtype of the base's parameters."""
        return self.base.dtype

    @property
    def mean(self) -> Tensor:
        """The mean of base."""
        return self.base.mean

    @property
    def variance(self) -> Tensor:
        """The variance of base."""
        return self.base.variance

    def sample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`: the base's."""
        return self.base.sample(shape)

    def rsample(self, shape: Sequence[int] = ()) -> Tensor:
        """Draws of `shape`, with the gradient of the parameters."""
        return self.base.rsample(shape)

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the probability, or of its density, at `value`."""
        return sum_rightmost(self.base.log_prob(value), self._count)

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        return sum_rightmost(self.base.entropy(), self._count)
