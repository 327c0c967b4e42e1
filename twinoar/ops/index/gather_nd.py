"""Slices picked, added and put at coordinates: gather_nd, scatter_nd_add, index_put."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.loop.procedure import Array
from twinoar.core.op.declare import Desc, Spec, Tensor, Value, function, primitive
from twinoar.core.spec import broadcast, may_expand
from twinoar.errors import AxisError, DTypeError, ShapeError
from twinoar.ops.index._position import add_at, check_index, position, refuse_range
from twinoar.ops.index._scatter import (
    begin,
    expanded,
    flat_positions,
    flat_positions_of,
    number,
    place_slices,
    put,
    sums,
)
from twinoar.ops.index.mask import positions_in
from twinoar.ops.math.cast import astype, broadcast_to, sum_to
from twinoar.ops.math.compare import equal
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.math.select import select
from twinoar.ops.reduce.cumulative_sum import numbered
from twinoar.ops.shape.concat import stack_op
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.shape.slice import slice_op


def _gathered_nd(x: Spec, index: Spec) -> Spec:
    check_index(index)
    depth = index.shape[-1] if index.ndim else None
    if not isinstance(depth, int) or depth > x.ndim:
        raise ShapeError(
            f"the last size of index, {index}, must be at most the dimensions of x, {x}",
            cure="its last dimension holds one number for each axis of x that it indexes",
        )
    return Spec((*index.shape[:-1], *x.shape[depth:]), x.dtype)


def coordinates(index: np.ndarray) -> tuple[Any, ...]:
    """The last axis of `index` as a tuple of arrays, which is how NumPy takes it."""
    return tuple(np.moveaxis(index, -1, 0))


@primitive(
    method=True,
    infer=_gathered_nd,
    grad=lambda g, index, specs: (scatter_nd_add(zeros_of(specs[0]), index, g), None),
    desc=Desc("gather_nd", {"X": "x", "Index": "index"}),
    moves=True,
)
def gather_nd(x: Tensor, index: Tensor) -> Tensor:
    """The slices of x at coordinates: each last row of `index` names one.

    x: [*]. index: [..., d], integers, d at most the dimensions of x. Returns index.shape[:-1] +
    x.shape[d:]. Raises AxisError for a coordinate out of range, DTypeError, ShapeError.

    >>> x = twinoar.to_tensor([[1, 2], [3, 4]])
    >>> twinoar.gather_nd(x, twinoar.to_tensor([[0, 1], [1, 0]])).tolist()
    [2, 3]
    """


@gather_nd.kernel
def _(x, index):
    if index.shape[-1] > x.ndim or index.dtype.kind not in "iu":
        raise IndexError
    if index.shape[-1] == 0:
        return np.broadcast_to(x, (*index.shape[:-1], *x.shape))
    at = coordinates(index)
    try:
        return np.asarray(x[at])
    except IndexError:
        for axis, positions in enumerate(at):
            refuse_range(positions, x.shape[axis], axis)
        raise


@gather_nd.lower
def _(i, x, index):
    depth = index.shape[-1]
    lead, rest = i[: index.ndim - 1], i[index.ndim - 1 :]
    at = (position(index[(*lead, k)], x.shape[k]) for k in range(depth))
    return x[(*at, *rest)]


@gather_nd.samples
def _(s):
    yield s(s.randn(3, 4), np.array([[0, 1], [2, 3], [2, 3]]))
    yield s(s.randn(3, 4), np.array([[0], [-1]]))
    yield s(s.randn(3, 4, 2), s.ints(0, 3, 2, 2, 2, dtype="int32"))
    yield s(s.randn(3, 4), np.array([1, 2]))
    yield s(s.randn(3), s.ints(0, 1, 0, 1))
    far = np.array([[0, 4]])
    yield s.bad(AxisError, "index 4 is out of range", s.randn(3, 4), far, static_error=False)
    yield s.bad(ShapeError, "at most the dimensions", s.randn(3), np.array([[0, 1]]))
    yield s.bad(DTypeError, "must hold integers", s.randn(3), s.randn(1))


def _added_nd(x: Spec, index: Spec, updates: Spec) -> Spec:
    wanted = _gathered_nd(x, index)
    if wanted.is_static and updates.is_static and wanted.shape != updates.shape:
        raise ShapeError(
            f"updates must have the shape {list(wanted.shape)}, received {list(updates.shape)}",
            cure="give one slice of x for each element of index",
        )
    return x


@primitive(
    slow_kernel=True,
    method=True,
    infer=_added_nd,
    grad=lambda g, index: (g, None, gather_nd(g, index)),
    desc=Desc("scatter_nd_add", {"X": "x", "Index": "index", "Updates": "updates"}),
)
def scatter_nd_add(x: Tensor, index: Tensor, updates: Tensor) -> Tensor:
    """x with slices added at coordinates, each time a coordinate occurs.

    x: [*]. index: [..., d], integers. updates: index.shape[:-1] + x.shape[d:]. Returns the shape of
    x. Raises AxisError, DTypeError, ShapeError.

    >>> x, index = twinoar.zeros([3]), twinoar.to_tensor([[1], [1]])
    >>> twinoar.scatter_nd_add(x, index, twinoar.to_tensor([1.0, 2.0])).tolist()
    [0.0, 3.0, 0.0]
    """


@scatter_nd_add.kernel
def _(x, index, updates):
    if (
        updates.shape != (*index.shape[:-1], *x.shape[index.shape[-1] :])
        or index.dtype.kind not in "iu"
    ):
        raise IndexError
    out = np.array(x, order="C")
    add_at(out, coordinates(index), updates)
    return out


@scatter_nd_add.procedure
def _(p, x, index, updates):
    depth = index.shape[-1]
    count, rows, width = map(math.prod, (index.shape[:-1], x.shape[:depth], x.shape[depth:]))
    places = flat_positions(p, x, index.reshape(count, depth))
    out = p.results[0].reshape(1, rows, width)
    sums(p, x, out, places, updates.reshape(1, count, width))


@scatter_nd_add.samples
def _(s):
    yield s(s.randn(3, 4), np.array([[0, 1], [2, 3], [2, 3]]), s.randn(3))
    yield s(s.randn(3, 4), np.array([[0], [-1]], np.int32), s.randn(2, 4))
    yield s(s.randn(3), s.ints(0, 1, 0, 1), s.zeros(0))
    yield s.bad(
        AxisError,
        "index 3 is out of range",
        s.randn(3),
        np.array([[3]]),
        s.randn(1),
        static_error=False,
    )
    yield s.bad(
        ShapeError, "updates must have the shape [1]", s.randn(3), np.array([[2]]), s.randn(2)
    )


def _common(indices: Sequence[Spec]) -> tuple[Any, ...]:
    return broadcast(*(i.shape for i in indices))


def stacked(indices: Sequence[Tensor]) -> Tensor:
    """Index tensors that broadcast, as coordinates: [..., d]."""
    shape = _common([i.spec for i in indices])
    return stack_op(
        [i if i.spec.shape == shape else broadcast_to(i, shape) for i in indices], len(shape)
    )


def _put_spec(x: Spec, value: Any, *indices: Spec, accumulate: bool) -> Spec:
    for i in indices:
        check_index(i, "indices")
    if len(indices) > x.ndim:
        raise AxisError(f"{len(indices)} indices are too many for x of shape {list(x.shape)}")
    part = (*_common(indices), *x.shape[len(indices) :])
    if isinstance(value, Spec) and not may_expand(value.shape, part):
        raise ShapeError(
            f"a value of shape {list(value.shape)} does not fit the part of shape {list(part)}"
        )
    return x


@primitive(
    name="index_put",
    infer=_put_spec,
    desc=Desc(
        "index_put",
        {"x": "x", "indices": "indices", "value": "value"},
        outputs=("out",),
        attrs={"accumulate": "accumulate"},
    ),
)
def index_put_op(
    x: Tensor, value: Tensor, indices: Sequence[Tensor], accumulate: bool = False
) -> Tensor:
    """x with x[indices] set to `value`, or `value` added to it. See `index_put`."""


@index_put_op.kernel
def _(x, value, *indices, accumulate):
    for axis, i in enumerate(indices):
        if i.dtype.kind not in "iu":
            raise IndexError
        refuse_range(i, x.shape[axis], axis)
    out = np.array(x, order="C")
    if accumulate:
        add_at(out, np.broadcast_arrays(*indices), np.asarray(value, x.dtype))
    else:
        out[indices] = value
    return out


@index_put_op.procedure
def _(p, x, value, indices, accumulate):
    depth = len(indices)
    common, rest = np.broadcast_shapes(*(i.shape for i in indices)), x.shape[depth:]
    count, rows, width = map(math.prod, (common, x.shape[:depth], rest))
    places = flat_positions_of(p, x, [expanded(p, i, common) for i in indices])
    out = p.results[0].reshape(1, rows, width)
    if not isinstance(value, Array):
        value = number(p, value, out)
    given = value.reshape(1, 1, 1) if value.size == 1 else value
    if value.size != 1:
        given = expanded(p, value, (*common, *rest)).reshape(1, count, width)
    if accumulate:
        sums(p, x, out, places, given)
        return
    begin(p, out, x)
    place_slices(p, out, places, given, put)


@index_put_op.grad
def _(g, indices, specs, wanted, accumulate):
    gx = None if not wanted[0] else g if accumulate else index_put_op(g, 0.0, indices)
    gv = sum_to(_kept(g, indices, specs, accumulate), specs[1]) if wanted[1] else None
    return (gx, gv, *(None for _ in indices))


def _kept(g: Tensor, indices: Any, specs: Any, accumulate: bool) -> Tensor:
    """The gradient of each value put; 0 of those whose position a later one takes."""
    at = stacked(indices)
    taken = gather_nd(g, at)
    if accumulate:
        return taken
    last = at.ndim - 1
    own = numbered(slice_op(at, (last,), (0,), (1,), (last,)))
    holes = zeros_of(Spec(specs[0].shape[: len(indices)], own.dtype))
    stays = equal(gather_nd(index_put_op(holes, own, indices), at), own)
    trailing = (1,) * (taken.ndim - stays.ndim)
    return select(reshape_op(stays, (*stays.spec.shape, *trailing)), taken, 0.0)


@index_put_op.samples
def _(s):
    yield s(s.randn(3, 4), s.randn(2), [np.array([0, 2]), np.array([1, 3])])
    yield s(s.randn(3, 4), s.randn(1), [np.array([[0], [2]]), np.array([1, -1])])
    yield s(s.randn(3, 4), s.randn(3, 4), [np.array([0, 2, 0])])
    yield s(s.randn(3, 4), s.randn(2, 2), [np.array([[0], [-3]]), np.array([1, 1])])
    yield s(s.randn(3, 4), s.randn(4), [np.array([0, 2])], True)
    yield s(s.randn(3, 4), s.randn(2, 4), [np.array([1, 1])], True)
    yield s(s.randn(3, 4), 2.5, [np.array([1])])
    yield s(s.ints(0, 9, 3), 2, [np.array([1])])
    yield s.bad(
        AxisError, "index 3 is out of range", s.randn(3), 1.0, [np.array([3])], static_error=False
    )
    yield s.bad(
        AxisError, "too many", s.randn(3), 1.0, [np.array([0]), np.array([0])], static_error=True
    )
    yield s.bad(ShapeError, "does not fit the part", s.randn(3, 4), s.randn(3), [np.array([0])])


@function(method=True, inplace=True)
def index_put(
    x: Tensor, indices: Sequence[Tensor], value: Tensor, accumulate: bool = False
) -> Tensor:
    """x with x[indices] set to `value`, or with `accumulate` value added to it each time a position
    occurs.

    indices: integer tensors that broadcast, for the leading axes of x; one of truth values stands
    for the positions where it is true. value: broadcasts to x[indices]. Raises AxisError,
    ShapeError, DTypeError.

    >>> x, rows = twinoar.zeros([3]), twinoar.to_tensor([0, 2])
    >>> twinoar.index_put(x, (rows,), twinoar.to_tensor(1.0)).tolist()
    [1.0, 0.0, 1.0]
    """
    given = astype(value, x.dtype) if isinstance(value, Value) else value
    places: list[Tensor] = []
    for index in indices:
        places += positions_in(index, x, len(places))
    return index_put_op(x, given, places, accumulate)
