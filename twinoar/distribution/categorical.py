"""Distributions over classes: categorical, and multinomial for counts of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import Dim
from twinoar.core.dtype import int64
from twinoar.core.interpreter import recording, using
from twinoar.core.values import Value
from twinoar.core.values import Value as Tensor
from twinoar.distribution.count import Binomial
from twinoar.distribution.distribution import Distribution, clipped, parameters
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import sizes
from twinoar.ops.activation.softmax import log_softmax, softmax
from twinoar.ops.create.range import arange
from twinoar.ops.index.along_axis import take_along_axis
from twinoar.ops.index.gather import gather
from twinoar.ops.math.cast import astype
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.gamma import lgamma
from twinoar.ops.random.categorical import multinomial
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.sequence.embedding import one_hot
from twinoar.ops.shape.expand import broadcast_to
from twinoar.ops.shape.reshape import reshape, transpose


def classes_of(weights: Any, shape: Sequence[Dim]) -> Any:
    """Classes drawn with `weights`, [...,K]: [*shape,...], int64, without a gradient."""
    *batch, count = weights.spec.shape
    drawn = sizes(shape)
    with using(recording(False)):
        rows = reshape(weights, [-1, count])
        classes = multinomial(rows, math.prod(drawn), replacement=True)
        return reshape(transpose(classes, [1, 0]), [*drawn, *batch])


class Categorical(Distribution):
    """Classes drawn with odds.

    logits: [...,K]. As in Paddle they are read in two ways: `prob` and `log_prob` take them for
    weights, which they divide by their sum; `sample`, `entropy` and `kl_divergence` for logarithms
    of weights.

    >>> classes = twinoar.distribution.Categorical(twinoar.to_tensor([1.0, 3.0]))
    >>> classes.probs(twinoar.to_tensor([0, 1])).tolist(), classes.sample([5]).shape
    ([0.25, 0.75], [5])
    """

    def __init__(self, logits: Any, name: str | None = None):
        (self.logits,) = parameters(logits)
        shape = self.logits.spec.shape
        if not shape:
            raise ShapeError("logits must have a dimension of classes, received a single number")
        super().__init__(shape[:-1])

    def sample(self, shape: Sequence[int] = ()) -> Tensor:
        """Classes, [*shape,...], int64."""
        return classes_of(softmax(self.logits, -1), shape)

    def prob(self, value: Any) -> Tensor:
        """The probabilities of the classes `value`.

        value: [*] for one distribution, which gives [*]; for a batch [n], the same for each, or
        [...,n]: these give [...,n].
        """
        chosen = value if isinstance(value, Value) else self._classes(value)
        weights = self.logits / total(self.logits, -1, keepdim=True)
        batch = weights.ndim - 1
        if batch == 0:
            return reshape(gather(weights, reshape(chosen, [-1])), chosen.spec.shape)
        if chosen.ndim == 1:
            chosen = broadcast_to(chosen, [*self.batch_shape, *chosen.spec.shape])
        return take_along_axis(weights, chosen, -1)

    probs: Any = prob

    def log_prob(self, value: Any) -> Tensor:
        """The logarithms of `prob`."""
        return log(self.prob(value))

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        logs = log_softmax(self.logits, -1)
        return -total(exp(logs) * logs, -1)

    def _classes(self, value: Any) -> Any:
        return astype(self._value(value), int64)


class Multinomial(Distribution):
    """How often each class comes in total_count draws.

    total_count: an integer, at least 1. probs: [...,K], weights of the classes. Raises
    ArgumentError for another count, ShapeError.

    >>> counts = twinoar.distribution.Multinomial(10, twinoar.to_tensor([0.5, 0.5])).sample()
    >>> counts.sum().item()
    10.0
    """

    def __init__(self, total_count: int, probs: Any):
        if isinstance(total_count, bool) or not isinstance(total_count, int) or total_count < 1:
            raise ArgumentError(
                f"total_count must be an integer of at least 1, received {total_count!r}"
            )
        (weights,) = parameters(probs)
        shape = weights.spec.shape
        if not shape:
            raise ShapeError("probs must have a dimension of classes, received a single number")
        self.total_count = total_count
        self.probs = weights / total(weights, -1, keepdim=True)
        super().__init__(shape[:-1], shape[-1:])

    @property
    def mean(self) -> Tensor:
        """total_count probs."""
        return self.probs * float(self.total_count)

    @property
    def variance(self) -> Tensor:
        """total_count probs (1 - probs)."""
        return self.mean * (1.0 - self.probs)

    def sample(self, shape: Sequence[int] = ()) -> Tensor:
        """Counts, [*shape,...,K], of the dtype of probs, without a gradient."""
        with using(recording(False)):
            classes = classes_of(self.probs, [self.total_count, *sizes(shape)])
            counts = total(one_hot(classes, self.probs.spec.shape[-1]), 0)
            return astype(counts, self.probs.dtype)

    def log_prob(self, value: Any) -> Tensor:
        """The logarithm of the probability of the counts `value`, [...,K]."""
        x = self._value(value)
        drawn = x * log(clipped(self.probs)) - lgamma(x + 1.0)
        return lgamma(total(x, -1) + 1.0) + total(drawn, -1)

    def entropy(self) -> Tensor:
        """The entropy, in nats: by that of the classes, and the expected log(count!)."""
        n = self.total_count
        dims = [-1] + [1] * self.probs.ndim
        counts = reshape(arange(0, n + 1, dtype=self.dtype), dims)
        expected = total(Binomial(n, self.probs).prob(counts) * lgamma(counts + 1.0), [0, -1])
        classes = Categorical(log(clipped(self.probs))).entropy()
        return n * classes + expected - math.lgamma(n + 1)
