"""Elements at places of the order of a line: kthvalue, and what medians are made of."""

from __future__ import annotations

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.op.declare import Spec, Tensor, function, normalize_axis, op
from twinoar.errors import AxisError
from twinoar.ops.index._select import select_lines
from twinoar.ops.index.along_axis import put_along_axis_op, take_along_axis_op
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.sort import check_k, sort_op
from twinoar.ops.math.fill import fill, zeros_of
from twinoar.ops.shape.reshape import squeeze_op


def _specs(x: Spec, ranks: Spec, axis: int) -> tuple[Spec, Spec]:
    at = normalize_axis(axis, x.ndim)
    number = ranks.shape[0 if ranks.ndim == 1 else at]
    shape = (*x.shape[:at], number, *x.shape[at + 1 :])
    return Spec(shape, x.dtype), Spec(shape, int64)


@op(name="order_statistic", infer=_specs)
def order_statistic_op(x: Tensor, ranks: Tensor, axis: int = -1) -> tuple[Tensor, Tensor]:
    """The elements at places of the order along an axis, and where they stand.

    x: [*,n,*]; nan counts as larger than all numbers. ranks: places from 0 on, integers, [m] or
    [*,m,*] with the other sizes of x. Returns two [*,m,*], in the dtype of x and int64. Raises
    AxisError for a place that is none.
    """
    parts = sort_op(x, axis)
    if ranks.ndim == 1:
        values, places = (gather_op(part, ranks, axis) for part in parts)
    else:
        values, places = (take_along_axis_op(part, ranks, axis) for part in parts)
    return values, places


@order_statistic_op.procedure
def _(p, x, ranks, axis):
    if x.dtype.is_complex:
        return False
    select_lines(p, x, ranks, axis % x.ndim)
    return True


@order_statistic_op.grad
def _(gs, outs, specs, axis):
    return put_along_axis_op(zeros_of(specs[0]), outs[1], gs[0], axis, "add"), None


@order_statistic_op.samples
def _(s):
    yield s(s.distinct(2, 5), np.array([1, 3]))
    yield s(s.distinct(3, 4, dtype="float64"), np.array([2]), 0)
    yield s(s.distinct(2, 3, 2), s.ints(0, 2, 2, 4, 2), 1)
    yield s(np.array([3.0, np.nan, 1.0]), np.array([0, 2]), gradient=False)
    yield s(s.ints(0, 3, 3, 9), np.array([4]), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), np.array([1]), 2)
    yield s.bad(AxisError, "out of range", s.randn(2, 3), np.array([3]), static_error=False)


@function(method=True)
def kthvalue(
    x: Tensor, k: int, axis: int | None = None, keepdim: bool = False
) -> tuple[Tensor, Tensor]:
    """The k-th smallest elements along an axis, the last by default, and where they are.

    x: [*]. Returns two tensors without the axis, or with a size of 1 for `keepdim`; the positions
    are int64. Raises ArgumentError unless 1 <= k <= the size, AxisError.

    >>> [part.item() for part in twinoar.kthvalue(twinoar.to_tensor([3.0, 1.0, 2.0]), 2)]
    [2.0, 2]
    """
    axis = -1 if axis is None else axis
    if x.ndim == 0:
        normalize_axis(axis, 1)
        return x.clone(), fill((), 0, int64)
    at = normalize_axis(axis, x.ndim)
    check_k(k, x.spec.shape[at])
    found = order_statistic_op(x, fill((1,), k - 1, int64), at)
    values, places = (part if keepdim else squeeze_op(part, (at,)) for part in found)
    return values, places
