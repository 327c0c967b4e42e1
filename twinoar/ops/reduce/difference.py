"""Differences and areas along an axis: diff, trapezoid."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Tensor, function, normalize_axis
from twinoar.errors import ArgumentError
from twinoar.ops.math.logical import logical_xor
from twinoar.ops.reduce.cumulative_sum import cumsum_op
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.shape.slice import slice_op


def _ends(x: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """x without its first, and without its last slice along an axis."""
    n = x.spec.shape[axis]
    return slice_op(x, (axis,), (1,), (n,)), slice_op(x, (axis,), (0,), (n - 1,))


@function(method=True)
def diff(
    x: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbors along an axis, n times over; of truth values, where they differ.

    x: [*]. prepend, append: joined to x along the axis before. Returns the shape with n less along
    the axis. Raises AxisError, ArgumentError.

    >>> twinoar.diff(twinoar.to_tensor([1, 4, 9])).tolist()
    [3, 5]
    """
    if n < 0:
        raise ArgumentError(f"n must be 0 or more, received {n}")
    at = normalize_axis(axis, x.ndim)
    parts = [part for part in (prepend, x, append) if part is not None]
    out = x if len(parts) == 1 else concat_op(parts, at)
    for _ in range(n):
        later, earlier = _ends(out, at)
        out = logical_xor(later, earlier) if x.dtype == "bool" else later - earlier
    return out


def _areas(y: Tensor, x: Tensor | None, dx: Any, axis: int) -> Tensor:
    """What lies under y between neighbors along an axis."""
    if x is not None and dx is not None:
        raise ArgumentError("expected x or dx, received both")
    at = normalize_axis(axis, y.ndim)
    later, earlier = _ends(y, at)
    means = (later + earlier) * 0.5
    if x is None:
        return means * (1.0 if dx is None else dx)
    if x.ndim == 1:
        x = reshape_op(x, tuple(-1 if i == at else 1 for i in range(y.ndim)))
    after, before = _ends(x, normalize_axis(axis, x.ndim))
    return means * (after - before)


@function(method=True)
def trapezoid(y: Tensor, x: Tensor | None = None, dx: Any = None, axis: int = -1) -> Tensor:
    """The integral of y along an axis by the trapezoid rule.

    y: [*], floating. x: where y is taken, [n] or the shape of y; else they are `dx` apart, 1 by
    default. Returns the shape without the axis. Raises ArgumentError for both, AxisError.

    >>> twinoar.trapezoid(twinoar.to_tensor([1.0, 2.0, 4.0])).item()
    4.5
    """
    return sum_op(_areas(y, x, dx, axis), (normalize_axis(axis, y.ndim),))


@function(method=True)
def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, dx: Any = None, axis: int = -1
) -> Tensor:
    """The running integral of y along an axis by the trapezoid rule. See `trapezoid`.

    >>> twinoar.cumulative_trapezoid(twinoar.to_tensor([1.0, 2.0, 4.0])).tolist()
    [1.5, 4.5]
    """
    return cumsum_op(_areas(y, x, dx, axis), normalize_axis(axis, y.ndim))
