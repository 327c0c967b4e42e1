"""Order: sort, argsort, topk, mode. nan counts as larger than all numbers."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.op.declare import Desc, Spec, Tensor, function, normalize_axis, primitive
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops._sizes import size
from twinoar.ops.index._mode import mode_lines
from twinoar.ops.index._sort import sort_lines
from twinoar.ops.index._topk import topk_lines
from twinoar.ops.index.along_axis import put_along_axis_op, take_along_axis_op
from twinoar.ops.math.fill import fill, zeros_of
from twinoar.ops.reduce.reduction import reduced
from twinoar.ops.shape.reshape import unsqueeze_op


def _axis(axis: int, ndim: int) -> int:
    return 0 if ndim == 0 and axis in (0, -1) else normalize_axis(axis, ndim)


def _sorted(x: Spec, axis: int, descending: bool) -> tuple[Spec, Spec]:
    _axis(axis, x.ndim)
    return x, Spec(x.shape, int64)


@primitive(
    apart="axis",
    name="sort",
    infer=_sorted,
    desc=Desc(
        "argsort",
        {"X": "x"},
        outputs=("Out", "Indices"),
        attrs={"axis": "axis", "descending": "descending"},
    ),
)
def sort_op(x: Tensor, axis: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    """x in order along `axis`, and where each element was: the operator under `sort`, `argsort`."""


@sort_op.kernel
def _(x, axis, descending):
    if x.ndim == 0:
        _axis(axis, 0)
        return x, np.zeros((), np.int64)
    order = _order(x, axis, descending)
    return np.take_along_axis(x, order, axis), order


def _order(x: np.ndarray, axis: int, descending: bool) -> np.ndarray:
    """The positions of the elements in order; equal ones keep their order."""
    if x.dtype.kind == "V":  # NumPy does not know where nan stands among bfloat16
        x = x.astype(np.float32)
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    backwards = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - backwards, axis).copy()


@sort_op.procedure
def _(p, x, axis, descending):
    if x.dtype.is_complex:
        return False
    sort_lines(p, x, axis, descending=descending)
    return True


@sort_op.grad
def _(gs, outs, axis):
    if not outs[1].ndim:
        return gs[0]
    places = sort_op(outs[1], axis)[1]  # the inverse of a permutation is what sorts it
    return take_along_axis_op(gs[0], places, axis)


@sort_op.samples
def _(s):
    yield s(s.distinct(2, 5))
    yield s(s.distinct(3, 4), 0, True)
    yield s(s.distinct(5, dtype="float64"), -1, True)
    yield s(np.array([np.nan, 1.0, 2.0]), gradient=False)
    yield s(np.array([np.nan, 1.0, 2.0]), 0, True, gradient=False)
    yield s(s.ints(0, 3, 3, 9), gradient=False)
    yield s(s.ints(0, 3, 3, 9, dtype="uint8"), 1, True, gradient=False)
    yield s(s.randn())
    yield s(s.zeros(0, 2))
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)


@function(method=True)
def sort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """x in order along `axis`, from small to large, or from large to small if `descending`.

    x: [*]. Equal elements keep their order, whether `stable` or not. Returns [*]. Raises AxisError.

    >>> twinoar.sort(twinoar.to_tensor([3.0, 1.0, 2.0]), descending=True).tolist()
    [3.0, 2.0, 1.0]
    """
    return sort_op(x, axis, descending)[0]


@function(method=True)
def argsort(x: Tensor, axis: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The positions that put x in order along `axis`. See `sort`.

    x: [*]. Returns [*], int64. Raises AxisError.

    >>> twinoar.argsort(twinoar.to_tensor([3.0, 1.0, 2.0])).tolist()
    [1, 2, 0]
    """
    return sort_op(x, axis, descending)[1]


def check_k(k: int, n: Any) -> None:
    """Raise ArgumentError unless k elements are there, if it is known how many are."""
    if k < 1 or (isinstance(n, int) and k > n):
        raise ArgumentError(
            f"k must lie between 1 and the size of the axis, {n}, received {k}",
            cure="lower k, or take it along a longer axis",
        )


def _chosen(x: Spec, k: int, axis: int, largest: bool, sorted: bool) -> tuple[Spec, Spec]:
    at = _axis(axis, x.ndim)
    check_k(k, x.shape[at] if x.ndim else 1)
    shape = (*x.shape[:at], k, *x.shape[at + 1 :]) if x.ndim else ()
    return Spec(shape, x.dtype), Spec(shape, int64)


def _read_topk(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> tuple[Tensor, Tensor]:
    k = (slots.get("K") or [attrs.get("k", 1)])[0]
    flags = attrs.get("largest", True), attrs.get("sorted", True)
    return topk_op(slots["X"][0], size(k, "k"), attrs.get("axis", -1), *flags)


@primitive(
    slow_kernel=True,
    apart="axis",
    name="topk",
    infer=_chosen,
    desc=Desc(
        "top_k_v2",
        {"X": "x"},
        outputs=("Out", "Indices"),
        attrs={"k": "k", "axis": "axis", "largest": "largest", "sorted": "sorted"},
        read=_read_topk,
        reads=("top_k",),
    ),
)
def topk_op(
    x: Tensor, k: int, axis: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """The k largest elements along `axis`, and where they are: the operator under `topk`."""


@topk_op.kernel
def _(x, k, axis, largest, sorted):
    check_k(k, x.shape[axis] if x.ndim else 1)
    if x.ndim == 0:
        _axis(axis, 0)
        return x, np.zeros((), np.int64)
    order = np.take(_order(x, axis, largest), np.arange(k), axis)
    return np.take_along_axis(x, order, axis), order


@topk_op.procedure
def _(p, x, k, axis, largest):
    if x.dtype.is_complex:
        return False
    topk_lines(p, x, k, axis, largest=largest)
    return True


@topk_op.grad
def _(gs, outs, specs, axis):
    if not specs[0].ndim:
        return gs[0]
    return put_along_axis_op(zeros_of(specs[0]), outs[1], gs[0], axis)


@topk_op.samples
def _(s):
    yield s(s.distinct(2, 5), 2)
    yield s(s.distinct(20, 3), 2, 0)
    yield s(s.distinct(20, dtype="float64"), 3, -1, False)
    yield s(s.distinct(3, 4), 4, 1, True, False)
    yield s(np.array([2.0, np.nan, 1.0]), 2, gradient=False)
    yield s(np.array([2.0, np.nan, 1.0] + 9 * [3.0]), 2, 0, False, gradient=False)
    yield s(s.ints(0, 3, 3, 9), 2, gradient=False)
    yield s(s.randn(), 1)
    yield s(s.zeros(0, 2), 1)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 1, 2)
    yield s.bad(ArgumentError, "k must lie between", s.randn(2, 3), 4)
    yield s.bad(ArgumentError, "k must lie between", s.randn(2, 3), 0)


class TopKRetType(NamedTuple):
    """What `topk` returns, under Paddle's name."""

    values: Tensor
    indices: Tensor


@function(method=True)
def topk(
    x: Tensor,
    k: Any,
    axis: int | None = None,
    largest: bool = True,
    sorted: bool = True,
    name: str | None = None,
) -> TopKRetType:
    """The k largest elements along `axis`, the last by default, and where they are.

    x: [*]. k: a number, or a tensor of one element. With `largest=False` the k smallest. They come
    in order, whether `sorted` or not. Returns two [*] with size k along the axis: `values` in the
    dtype of x, `indices` int64. Raises AxisError, ArgumentError unless 1 <= k <= the size.

    >>> values, indices = twinoar.topk(twinoar.to_tensor([1.0, 4.0, 3.0]), k=2)
    >>> values.tolist(), indices.tolist()
    ([4.0, 3.0], [1, 2])
    """
    values, indices = topk_op(x, size(k, "k"), -1 if axis is None else axis, largest, sorted)
    if name is not None:
        values.rename(name)
    return TopKRetType(values, indices)


@function(method=True, named=False)
def msort(input: Tensor) -> Tensor:
    """x in order along its first dimension. See `sort`.

    >>> twinoar.msort(twinoar.to_tensor([3, 1, 2])).tolist()
    [1, 2, 3]
    """
    return sort_op(input, 0)[0]


def _mode_specs(x: Spec, axis: int, keepdim: bool) -> tuple[Spec, Spec]:
    out = reduced(x, (normalize_axis(axis, x.ndim),), keepdim)
    return out, Spec(out.shape, int64)


@primitive(
    slow_kernel=True,
    apart="axis",
    name="mode",
    infer=_mode_specs,
    desc=Desc(
        "mode",
        {"X": "x"},
        outputs=("Out", "Indices"),
        attrs={"axis": "axis", "keepdim": "keepdim"},
    ),
)
def mode_op(x: Tensor, axis: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The commonest elements along an axis: the operator under `mode`."""


@mode_op.kernel
def _(x, axis, keepdim):
    lines = np.moveaxis(x.astype(np.float32) if x.dtype.kind == "V" else x, axis, -1)
    if not lines.shape[-1] and math.prod(lines.shape[:-1]):
        raise ArgumentError(
            f"none of 0 elements is the commonest: the shape is {list(x.shape)}, the axis {axis}",
            cure="take it along an axis that has elements",
        )
    rows = lines.reshape(math.prod(lines.shape[:-1]), lines.shape[-1])
    places = np.empty(len(rows), np.int64)
    for i, row in enumerate(rows):
        values, counts = np.unique(row, return_counts=True)
        found = values[counts.argmax()]
        places[i] = np.flatnonzero((row == found) | ((row != row) & (found != found)))[-1]
    where = np.expand_dims(places.reshape(lines.shape[:-1]), axis)
    both = np.take_along_axis(x, where, axis), where
    return both if keepdim else tuple(part.squeeze(axis) for part in both)


@mode_op.procedure
def _(p, x, axis):
    if x.dtype.is_complex:
        return False
    mode_lines(p, x, axis)
    return True


@mode_op.grad
def _(gs, outs, specs, axis, keepdim):
    at = normalize_axis(axis, specs[0].ndim)
    g, places = gs[0], outs[1]
    if not keepdim:
        g, places = unsqueeze_op(g, (at,)), unsqueeze_op(places, (at,))
    return put_along_axis_op(zeros_of(specs[0]), places, g, at)


@mode_op.samples
def _(s):
    yield s(s.distinct(2, 5))
    yield s(s.distinct(3, 4, dtype="float64"), 0, True)
    yield s(np.array([[3, 3, 1, 1, 2]]), gradient=False)
    yield s(np.array([np.nan, 1.0, np.nan]), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)
    yield s.bad(ArgumentError, "none of 0 elements", s.zeros(2, 0), static_error=False)


@function(method=True)
def mode(x: Tensor, axis: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The commonest elements along an axis, the least of several, and where they stand last.

    x: [*]; nan counts as one more number, larger than all. Returns two tensors without the axis, or
    with a size of 1 for `keepdim`; the positions are int64. Raises AxisError, ArgumentError for an
    axis of size 0.

    >>> [part.item() for part in twinoar.mode(twinoar.to_tensor([3, 3, 1, 1, 2]))]
    [1, 3]
    """
    if x.ndim == 0:
        normalize_axis(axis, 1)
        return x.clone(), fill((), 0, int64)
    return mode_op(x, axis, keepdim)
