"""Slices picked, and summed, at a vector of positions: gather, index_select, index_add, scatter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.loop.procedure import Array, Launcher
from twinoar.core.op.declare import Desc, Spec, Tensor, function, normalize_axis, op, primitive
from twinoar.core.spec import may_expand
from twinoar.errors import AxisError, DTypeError, ShapeError
from twinoar.ops._sizes import size
from twinoar.ops.index._position import add_at, check_index, position, refuse_range
from twinoar.ops.index._scatter import (
    begin,
    checked_positions,
    expanded,
    number,
    place_slices,
    put,
    sums,
)
from twinoar.ops.math.arithmetic import multiply
from twinoar.ops.math.cast import astype, sum_to
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.shape.reshape import reshape_op


def _gathered(x: Spec, index: Spec, axis: int) -> Spec:
    check_index(index)
    at = normalize_axis(axis, x.ndim)
    if index.ndim > 1:
        raise ShapeError(f"index must have at most 1 dimension, received {index}")
    return Spec((*x.shape[:at], *index.shape, *x.shape[at + 1 :]), x.dtype)


@primitive(
    name="gather",
    infer=_gathered,
    grad=lambda g, index, specs, axis: (
        sum_at(g, index, specs[0].shape[axis], axis % specs[0].ndim),
        None,
    ),
    desc=Desc(
        "gather",
        {"X": "x", "Index": "index"},
        attrs={"axis": "axis"},
        write=lambda attrs, specs: {"axis": normalize_axis(attrs["axis"], specs[0].ndim)},
        read=lambda slots, attrs: gather(
            slots["X"][0], slots["Index"][0], (slots.get("Axis") or [attrs.get("axis", 0)])[0]
        ),
    ),
    moves=True,
)
def gather_op(x: Tensor, index: Tensor, axis: int = 0) -> Tensor:
    """The slices of x at a vector of positions along an axis. See `gather`."""


@gather_op.kernel
def _(x, index, axis):
    if index.ndim > 1:
        raise ShapeError(f"index must have at most 1 dimension, received {index.ndim}")
    try:
        return np.asarray(np.take(x, index, axis))
    except IndexError:
        at = normalize_axis(axis, x.ndim)
        refuse_range(index, x.shape[at], at)
        raise


@gather_op.lower
def _(i, x, index, axis):
    at = normalize_axis(axis, x.ndim)
    rest = at + index.ndim
    return x[(*i[:at], position(index[i[at:rest]], x.shape[at]), *i[rest:])]


@gather_op.samples
def _(s):
    yield s(s.randn(4, 3), np.array([3, 0, 0, -1]))
    yield s(s.randn(2, 4), np.array([1, 2], np.int32), -1)
    yield s(s.randn(4, 3), np.array(2))
    yield s(s.randn(4, 3), s.ints(0, 1, 0))
    yield s(s.ints(0, 9, 4), np.array([1]))
    far = np.array([0, 4])
    yield s.bad(AxisError, "index 4 is out of range", s.randn(4), far, static_error=False)
    yield s.bad(DTypeError, "must hold integers", s.randn(4), s.randn(2))
    yield s.bad(ShapeError, "at most 1 dimension", s.randn(4), s.ints(0, 4, 2, 2))


def _vector(index: Tensor) -> Tensor:
    """A column of positions as a vector."""
    if index.ndim == 2 and index.spec.shape[1] == 1:
        return reshape_op(index, index.spec.shape[:1])
    return index


@function(method=True)
def gather(x: Tensor, index: Tensor, axis: Any = None) -> Tensor:
    """The slices of x at the positions `index` along an axis, the first by default.

    index: [k], [k,1] or [], integers in [-n, n); without a dimension it drops the axis. Returns x's
    shape with k in place of the axis. Raises AxisError for a position out of range, DTypeError,
    ShapeError.

    >>> x = twinoar.to_tensor([[1, 2], [3, 4], [5, 6]])
    >>> twinoar.gather(x, twinoar.to_tensor([2, 0])).tolist()
    [[5, 6], [1, 2]]
    """
    at = 0 if axis is None else size(axis, "axis")
    return gather_op.function(x, _vector(index), at)


@op(
    name="index_select",
    desc=Desc("index_select", {"X": "x", "Index": "index"}, attrs={"dim": "axis"}),
)
def index_select_op(x: Tensor, index: Tensor, axis: int = 0) -> Tensor:
    """The slices of x at positions: the operator under `index_select`."""
    return gather_op(x, index, axis)


@index_select_op.samples
def _(s):
    yield s(s.randn(2, 4), np.array([3, 0, 0]), 1)
    yield s(s.randn(2, 4), np.array([-1]), -1)


@function(method=True)
def index_select(x: Tensor, index: Tensor, axis: Any = 0) -> Tensor:
    """The slices of x at the positions `index`, [k], along an axis; the axis may come first.

    Raises AxisError, DTypeError, ShapeError.

    >>> x = twinoar.to_tensor([[1, 2, 3], [4, 5, 6]])
    >>> twinoar.index_select(x, twinoar.to_tensor([0, 2]), axis=1).tolist()
    [[1, 3], [4, 6]]
    """
    if isinstance(index, int):
        index, axis = axis, index
    return index_select_op(x, index, axis)


def _summed(values: Spec, index: Spec, size: Any, axis: int) -> Spec:
    check_index(index)
    shape = values.shape
    known = index.ndim and is_known(*index.shape, *shape[axis : axis + 1])
    if known and shape[axis : axis + 1] not in (index.shape, (1,)):
        raise ShapeError(
            f"dimension {axis} of values {values} must have one slice for each element of index "
            f"{index}",
            cure="make them equally many",
        )
    return Spec((*shape[:axis], size, *shape[axis + index.ndim :]), values.dtype)


@primitive(
    slow_kernel=True,
    apart="axis",
    infer=_summed,
    grad=lambda g, index, specs, axis: (sum_to(gather_op(g, index, axis), specs[0]), None),
)
def sum_at(values: Tensor, index: Tensor, size: int, axis: int) -> Tensor:
    """Slices added at positions of an axis of `size` zeros: the transpose of `gather`.

    values: [..., k, ...], or without that axis where index has no dimension. index: [k] or [].
    axis: from 0.
    """


@sum_at.kernel
def _(values, index, size, axis):
    shape = (*values.shape[:axis], size, *values.shape[axis + index.ndim :])
    return _added_along(np.zeros(shape, values.dtype), index, values, axis)


def _added_along(x: np.ndarray, index: np.ndarray, values: np.ndarray, axis: int) -> np.ndarray:
    """x with values added along an axis, in memory of its own."""
    moved = np.array(np.moveaxis(x, axis, 0), order="C")
    add_at(moved, (index,), np.moveaxis(values, axis, 0) if index.ndim else values)
    return np.moveaxis(moved, 0, axis)


@sum_at.procedure
def _(p, values, index, axis):
    _sum_along(p, 0, index, values, axis)


def _sum_along(p: Launcher, start: Array | int, index: Array, values: Array, axis: int) -> None:
    """Launch `start` and values added along an axis."""
    shape = p.results[0].shape
    before, after = shape[:axis], shape[axis + 1 :]
    count = values.shape[axis] if index.ndim else 1
    values = values.reshape(*values.shape[:axis], count, *values.shape[axis + index.ndim :])
    given, out = expanded(p, values, (*before, count, *after)), p.results[0].along(axis)
    is_seen_often = len(before) > 0 and math.prod(after) == 1
    places = checked_positions(p, index, out.shape[1]) if is_seen_often else index
    reads = "checked" if is_seen_often else "from either end"
    sums(p, start, out, places.reshape(1, -1, 1), given.along(axis), reads=reads)


@sum_at.samples
def _(s):
    yield s(s.randn(4, 3), np.array([3, 0, 0, -1]), 5, 0)
    yield s(s.randn(2, 3), np.array([1, 2, 1], np.int32), 4, 1)
    yield s(s.randn(2), np.array(2), 4, 1)
    yield s(s.zeros(0, 2), s.ints(0, 1, 0), 3, 0)
    yield s.bad(
        AxisError, "index 5 is out of range", s.randn(1), np.array([5]), 5, 0, static_error=False
    )


def _added(x: Spec, index: Spec, value: Spec, axis: int) -> Spec:
    at = normalize_axis(axis, x.ndim)
    summed = _summed(value, index, x.shape[at], at)
    if summed.ndim != x.ndim or not may_expand(summed.shape, x.shape):
        raise ShapeError(f"slices of value {value} must have the shape of those of x {x}")
    return x


@primitive(
    slow_kernel=True,
    apart="axis",
    infer=_added,
    grad=lambda g, index, specs, axis: (g, None, sum_to(gather_op(g, index, axis), specs[2])),
    desc=Desc(
        "index_add", {"X": "x", "Index": "index", "AddValue": "value"}, attrs={"axis": "axis"}
    ),
)
def added_at(x: Tensor, index: Tensor, value: Tensor, axis: int) -> Tensor:
    """x with slices of `value` added at positions along an axis. See `index_add`."""


@added_at.kernel
def _(x, index, value, axis):
    return _added_along(x, index, value, normalize_axis(axis, x.ndim))


@added_at.procedure
def _(p, x, index, value, axis):
    _sum_along(p, x, index, value, normalize_axis(axis, x.ndim))


@added_at.samples
def _(s):
    yield s(s.randn(3, 2), np.array([1, 1]), s.randn(2, 2), 0)
    yield s(s.randn(3, 2), np.array([0]), s.randn(3, 1), -1)


@function(method=True, inplace=True)
def index_add(x: Tensor, index: Tensor, axis: Any, value: Tensor, alpha: float = 1) -> Tensor:
    """x with slices of `alpha * value` added at the positions `index`, [k], along an axis, which
    may come before them.

    Raises AxisError.

    >>> x, index = twinoar.zeros([3]), twinoar.to_tensor([1, 1])
    >>> twinoar.index_add(x, index, 0, twinoar.to_tensor([1.0, 2.0])).tolist()
    [0.0, 3.0, 0.0]
    """
    if isinstance(index, int):
        index, axis = axis, index
    scaled = value if alpha == 1 else multiply(value, alpha)
    return added_at(x, index, astype(scaled, x.dtype), axis)


def _scattered(x: Spec, index: Spec, updates: Spec, overwrite: bool) -> Spec:
    check_index(index)
    if index.ndim > 1 or x.ndim < 1:
        raise ShapeError(f"index must be a vector and x have a dimension, received {index} and {x}")
    wanted = (*index.shape, *x.shape[1:])
    if is_known(*wanted, *updates.shape) and updates.shape != wanted:
        raise ShapeError(
            f"updates must have the shape {list(wanted)}, received {list(updates.shape)}",
            cure="give one slice of x for each element of index",
        )
    return x


@primitive(
    name="scatter",
    infer=_scattered,
    desc=Desc(
        "scatter",
        {"X": "x", "Ids": "index", "Updates": "updates"},
        attrs={"overwrite": "overwrite"},
    ),
    amp="full",
)
def scatter_op(x: Tensor, index: Tensor, updates: Tensor, overwrite: bool = True) -> Tensor:
    """x with rows at positions replaced. See `scatter`."""


@scatter_op.kernel
def _(x, index, updates, overwrite):
    if updates.shape != (*index.shape, *x.shape[1:]):
        raise ShapeError(
            f"updates must have the shape {[*index.shape, *x.shape[1:]]}, received "
            f"{list(updates.shape)}",
            cure="give one slice of x for each element of index",
        )
    refuse_range(index, len(x), 0)
    out = x.copy()
    if overwrite:
        out[index] = updates
    else:
        out[index] = 0
        add_at(out, (index,), updates)
    return out


@scatter_op.procedure
def _(p, x, index, updates, overwrite):
    out, places = p.results[0].along(0), index.reshape(1, -1, 1)
    given = updates.reshape(1, places.shape[1], out.shape[2])
    begin(p, out, x)
    if overwrite:
        place_slices(p, out, places, given, put)
        return
    place_slices(p, out, places, number(p, 0, out), put)
    sums(p, out, out, places, given)


@scatter_op.grad
def _(g, index, specs, wanted, overwrite):
    gx = scatter_op(g, index, zeros_of(specs[2])) if wanted[0] else None
    return gx, None, gather_op(g, index) if wanted[2] else None


@scatter_op.samples
def _(s):
    yield s(s.randn(4, 3), np.array([3, 0]), s.randn(2, 3))
    yield s(s.randn(4, 3), np.array([3, 0, 3]), s.randn(3, 3), False)
    yield s(s.randn(4), np.array([-1], np.int32), s.randn(1))
    yield s(s.ints(0, 9, 4), np.array([1]), s.ints(0, 9, 1))
    yield s.bad(
        AxisError,
        "index 4 is out of range",
        s.randn(4),
        np.array([4]),
        s.randn(1),
        static_error=False,
    )
    yield s.bad(
        ShapeError, "must have the shape [2, 3]", s.randn(4, 3), np.array([3, 0]), s.randn(3, 3)
    )


@function(method=True, inplace=True)
def scatter(x: Tensor, index: Tensor, updates: Tensor, overwrite: bool = True) -> Tensor:
    """x with its rows at the positions `index` replaced by those of `updates`.

    x: [n, ...]. index: [k] or [k,1], integers. updates: [k, ...]. Where a position repeats, the
    last row counts; with overwrite=False, the sum of its rows. Raises AxisError, ShapeError.

    >>> x, index = twinoar.ones([3]), twinoar.to_tensor([2, 0])
    >>> twinoar.scatter(x, index, twinoar.to_tensor([5.0, 7.0])).tolist()
    [7.0, 1.0, 5.0]
    """
    return scatter_op(x, _vector(index), updates, overwrite)
