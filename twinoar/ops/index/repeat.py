"""Slices repeated each by itself: repeat_interleave."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.op.declare import (
    Desc,
    Spec,
    Tensor,
    Value,
    function,
    normalize_axis,
    op,
    primitive,
)
from twinoar.core.spec import may_expand
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import size
from twinoar.ops.index._runs import positions_of_runs
from twinoar.ops.index.extent import total_of
from twinoar.ops.index.gather import gather_op
from twinoar.ops.math.cast import broadcast_to as broadcast_op
from twinoar.ops.shape.reshape import reshape_op


def _repeated(x: Spec, repeats: int, axis: int) -> Spec:
    at = normalize_axis(axis, x.ndim)
    return Spec((*x.shape[:at], x.shape[at] * repeats, *x.shape[at + 1 :]), x.dtype)


@op(
    infer=_repeated,
    kernel=lambda x, repeats, axis: np.repeat(x, repeats, axis),
    desc=Desc(
        "repeat_interleave",
        {"X": "x"},
        attrs={"Repeats": "repeats", "dim": "axis"},
        read=lambda slots, attrs: repeat_interleave(
            slots["X"][0], (slots.get("RepeatsTensor") or [attrs["Repeats"]])[0], attrs["dim"]
        ),
    ),
    moves=True,
)
def repeat_each(x: Tensor, repeats: int, axis: int) -> Tensor:
    """Each slice of x along an axis, `repeats` times. See `repeat_interleave`."""
    at = normalize_axis(axis, x.ndim)
    before, n, after = x.spec.shape[:at], x.spec.shape[at], x.spec.shape[at + 1 :]
    wide = broadcast_op(reshape_op(x, (*before, n, 1, *after)), (*before, n, repeats, *after))
    return reshape_op(wide, (*before, n * repeats, *after))


@repeat_each.samples
def _(s):
    yield s(s.randn(2, 3), 2, 1)
    yield s(s.randn(2, 3), 3, -2)
    yield s(s.randn(2), 1, 0)
    yield s(s.ints(0, 9, 2), 2, 0)


@primitive(
    infer=lambda repeats: Spec((None,), int64),  # type: ignore[arg-type]  # the data decides
    kernel=lambda repeats: _slices_by(np.arange(len(repeats)), repeats, 0),
)
def repeat_index(repeats: Tensor) -> Tensor:
    """Each position i of a vector of counts, counts[i] times: [sum of the counts], int64."""


def _slices_by(x: np.ndarray, repeats: np.ndarray, axis: int) -> np.ndarray:
    total_of(np.broadcast_to(repeats, (x.shape[axis],)), "repeats")  # NumPy's own sum may wrap
    return np.repeat(x, repeats, axis)


@repeat_index.counted
def _(repeats):
    if repeats.ndim != 1 or not repeats.dtype.is_integer:
        return None
    return (yield from positions_of_runs(repeats))


@repeat_index.samples
def _(s):
    yield s(np.array([2, 0, 1]), gradient=False)
    yield s(np.array([200, 100], np.uint8), gradient=False)
    yield s(s.ints(0, 1, 0), gradient=False)
    yield s.bad(ArgumentError, "negative", np.array([2, -1]), static_error=False)


def _repeated_by(x: Spec, repeats: Spec, axis: int) -> Spec:
    at = normalize_axis(axis, x.ndim)
    if not may_expand(repeats.shape, x.shape[at : at + 1]):
        raise ShapeError(
            f"repeats {repeats} must have one count for each slice along dimension {at} of {x}"
        )
    # None: the data decides
    return Spec((*x.shape[:at], None, *x.shape[at + 1 :]), x.dtype)  # type: ignore[arg-type]


@op(
    infer=_repeated_by,
    kernel=lambda x, repeats, axis: _slices_by(x, repeats, axis),
    desc=Desc(
        "repeat_interleave",
        {"X": "x", "RepeatsTensor": "repeats"},
        attrs={"dim": "axis"},
        fixed={"Repeats": 0},
    ),
    moves=True,
)
def repeat_by(x: Tensor, repeats: Tensor, axis: int) -> Tensor:
    """Each slice of x along an axis, as many times as `repeats`, [k], says of it.

    Returns x's shape with the sum of the counts in place of k. See `repeat_interleave`.
    """
    at = normalize_axis(axis, x.ndim)
    return gather_op(x, repeat_index(broadcast_op(repeats, x.spec.shape[at : at + 1])), axis)


@repeat_by.samples
def _(s):
    yield s(s.randn(3, 2), np.array([2, 0, 1]), 0)
    yield s(s.randn(2, 3), np.array([1, 2, 1], np.int32), -1)


@function(method=True)
def repeat_interleave(x: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """Each slice of x along an axis repeated in place.

    repeats: a number, or a vector with one for each slice. Without an axis, x is flattened first.
    Raises AxisError.

    >>> twinoar.repeat_interleave(twinoar.to_tensor([1, 2]), 2).tolist()
    [1, 1, 2, 2]
    """
    if axis is None:
        x, axis = reshape_op(x, (-1,)), 0
    if isinstance(repeats, Value) and repeats.size != 1:
        return repeat_by.function(x, repeats, axis)
    return repeat_each.function(x, size(repeats, "repeats"), axis)
