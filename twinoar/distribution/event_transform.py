"""Transforms of whole events: shares of a stick, softmax, other shapes, several transforms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.dim import Dim
from twinoar.core.spec import Shape, normalize_axis
from twinoar.distribution.distribution import sum_rightmost
from twinoar.distribution.transform import Transform, checked, transforms_of
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.activation.smooth import sigmoid, softplus
from twinoar.ops.activation.softmax import softmax
from twinoar.ops.create.fill import zeros, zeros_like
from twinoar.ops.create.range import arange
from twinoar.ops.math.exponential import log
from twinoar.ops.reduce.cumulative_sum import cumprod, cumsum
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import concat, stack, unbind
from twinoar.ops.shape.reshape import reshape


class SoftmaxTransform(Transform):
    """softmax over the last dimension; its inverse is the logarithm, which sums to another number.

    [...,K] to [...,K].
    """

    domain_rank = codomain_rank = 1
    injective = False

    def _forward(self, x: Any) -> Any:
        return softmax(x, -1)

    def _inverse(self, y: Any) -> Any:
        return log(y)


class StickBreakingTransform(Transform):
    """Shares of a stick, from which sigmoid(x) of what is left is broken off again and again.

    [...,K] to [...,K + 1], positive and summing to 1.
    """

    domain_rank = codomain_rank = 1

    def _forward(self, x: Any) -> Any:
        broken = sigmoid(x - self._offset(x))
        left = cumprod(1.0 - broken, -1)
        whole = zeros_like(left[..., :1]) + 1.0
        return concat([broken, whole], -1) * concat([whole, left], -1)

    def _inverse(self, y: Any) -> Any:
        shares = y[..., :-1]
        left = 1.0 - cumsum(shares, -1)
        return log(shares) - log(left) + self._offset(shares)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        y, moved = self._forward(x), x - self._offset(x)
        return total(log(y[..., :-1]) - softplus(moved), -1)

    def _offset(self, x: Any) -> Any:
        """log(K), log(K - 1), ..., 0: with it, equal shares come from x = 0."""
        count = x.spec.shape[-1]
        return log(arange(count, 0, -1, dtype=x.dtype))

    def _forward_shape(self, shape: Shape) -> Sequence[Dim]:
        _require_dimension(shape)
        return (*shape[:-1], shape[-1] + 1)

    def _inverse_shape(self, shape: Shape) -> Sequence[Dim]:
        _require_dimension(shape)
        return (*shape[:-1], shape[-1] - 1)


def _require_dimension(shape: Shape) -> None:
    if not shape:
        raise ShapeError("expected a shape of at least 1 dimension, received none")


class ReshapeTransform(Transform):
    """Events of in_event_shape as events of out_event_shape, of as many elements.

    Raises ArgumentError where the two hold different numbers of elements.
    """

    def __init__(self, in_event_shape: Sequence[int], out_event_shape: Sequence[int]):
        self._in, self._out = tuple(in_event_shape), tuple(out_event_shape)
        if math.prod(self._in) != math.prod(self._out):
            raise ArgumentError(
                f"in_event_shape {self._in} and out_event_shape {self._out} hold different "
                "numbers of elements"
            )
        self.domain_rank, self.codomain_rank = len(self._in), len(self._out)

    @property
    def in_event_shape(self) -> tuple[int, ...]:
        """The shape of an input event."""
        return self._in

    @property
    def out_event_shape(self) -> tuple[int, ...]:
        """The shape of an output event."""
        return self._out

    def _forward(self, x: Any) -> Any:
        return reshape(x, self._forward_shape(x.spec.shape))

    def _inverse(self, y: Any) -> Any:
        return reshape(y, self._inverse_shape(y.spec.shape))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return zeros(x.spec.shape[: x.ndim - self.domain_rank], x.dtype)

    def _forward_shape(self, shape: Shape) -> Sequence[Dim]:
        return _exchanged(shape, self._in, self._out)

    def _inverse_shape(self, shape: Shape) -> Sequence[Dim]:
        return _exchanged(shape, self._out, self._in)


def _exchanged(shape: Shape, end: tuple[int, ...], new: tuple[int, ...]) -> Any:
    """`shape` with another end."""
    batch = shape[: len(shape) - len(end)]
    if len(shape) < len(end) or (*batch, *end) != tuple(shape):
        raise ShapeError(f"expected a shape that ends in {list(end)}, received {list(shape)}")
    return (*batch, *new)


class IndependentTransform(Transform):
    """`base`, whose last batch dimensions count as parts of events.

    reinterpreted_batch_rank: how many. Raises ArgumentError for less than one.
    """

    def __init__(self, base: Transform, reinterpreted_batch_rank: int):
        (self._base,) = transforms_of([base])
        if reinterpreted_batch_rank < 1:
            raise ArgumentError(
                f"reinterpreted_batch_rank must be at least 1, received {reinterpreted_batch_rank}"
            )
        self._count = reinterpreted_batch_rank
        self.injective = base.injective
        self.domain_rank = base.domain_rank + self._count
        self.codomain_rank = base.codomain_rank + self._count

    def _forward(self, x: Any) -> Any:
        return self._base.forward(x)

    def _inverse(self, y: Any) -> Any:
        return self._base.inverse(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return sum_rightmost(self._base.forward_log_det_jacobian(x), self._count)

    def _forward_shape(self, shape: Shape) -> Sequence[Dim]:
        return self._base.forward_shape(shape)

    def _inverse_shape(self, shape: Shape) -> Sequence[Dim]:
        return self._base.inverse_shape(shape)


class StackTransform(Transform):
    """One transform for each slice along `axis`.

    transforms: as many as x is large along the axis.
    """

    def __init__(self, transforms: Sequence[Transform], axis: int = 0):
        self._transforms, self._axis = transforms_of(transforms), axis
        self.injective = all(t.injective for t in self._transforms)
        self.domain_rank = max(t.domain_rank for t in self._transforms)
        self.codomain_rank = max(t.codomain_rank for t in self._transforms)

    @property
    def transforms(self) -> list[Transform]:
        """The transforms."""
        return self._transforms

    @property
    def axis(self) -> int:
        """The dimension whose slices are transformed."""
        return self._axis

    def _forward(self, x: Any) -> Any:
        return self._each(x, "forward")

    def _inverse(self, y: Any) -> Any:
        return self._each(y, "inverse")

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._each(x, "forward_log_det_jacobian")

    def _each(self, x: Any, method: str) -> Any:
        axis = normalize_axis(self._axis, x.ndim)
        slices = unbind(checked(x, "x"), axis)
        if len(slices) != len(self._transforms):
            raise ShapeError(
                f"{len(self._transforms)} transforms need as many slices along axis {axis}, "
                f"received {x.shape}"
            )
        pairs = zip(self._transforms, slices, strict=True)
        return stack([getattr(t, method)(part) for t, part in pairs], axis)
