"""Medians and quantiles, with nan and without."""

from __future__ import annotations

import math
from typing import Any, Literal

from twinoar.core.dtype import float32, float64, int64
from twinoar.core.keyword import widens
from twinoar.core.op.declare import Tensor, Value, function, normalize_axis
from twinoar.errors import ArgumentError
from twinoar.ops.create.fill import full
from twinoar.ops.index.along_axis import take_along_axis_op
from twinoar.ops.index.slice import slice_op
from twinoar.ops.index.sort import sort_op
from twinoar.ops.math.cast import astype, promote_to_floating
from twinoar.ops.math.compare import isnan
from twinoar.ops.math.logical import logical_not
from twinoar.ops.math.rounding import ceil, floor, round_op
from twinoar.ops.math.select import clip, maximum, select
from twinoar.ops.reduce.extreme import argmax_op
from twinoar.ops.reduce.reduction import any_op, axes_of, mean_op, sum_op
from twinoar.ops.shape.concat import concat, stack_op, unbind
from twinoar.ops.shape.reshape import flatten, moveaxis, reshape_op, squeeze_op, unsqueeze_op

Interpolation = Literal["linear", "lower", "higher", "midpoint", "nearest"]


def _lines(x: Tensor, axis: Any) -> tuple[Tensor, tuple[int, ...]]:
    """x with the dimensions in `axis`, all for None, as one at its end; and which they are."""
    if x.ndim == 0:
        axes_of(x, axis)
        return reshape_op(x, (1,)), ()
    axes = tuple(normalize_axis(a, x.ndim) for a in axes_of(x, axis)) or tuple(range(x.ndim))
    moved = moveaxis(x, list(axes), list(range(-len(axes), 0)))
    return flatten(moved, -len(axes), -1), axes


def _in_shape(x: Tensor, axes: tuple[int, ...], keepdim: bool) -> Tensor:
    """x, of size 1 in its last dimension, without it or with sizes of 1 in `axes`."""
    out = squeeze_op(x, (-1,))
    return unsqueeze_op(out, tuple(sorted(axes))) if keepdim and axes else out


@function(method=True)
def nanmedian(
    x: Tensor, axis: Any = None, keepdim: bool = False, mode: Literal["avg", "min"] = "avg"
) -> Tensor | tuple[Tensor, Tensor]:
    """The middle of the elements over `axis` that are not nan, of all for None; nan without any.

    x: [*]. mode: as in `median`; the position comes along for "min" with one axis. Returns the
    shape without the axes, or with sizes of 1 for `keepdim`. Raises AxisError, ArgumentError.

    >>> import twinoar
    >>> twinoar.nanmedian(twinoar.to_tensor([1.0, float("nan"), 3.0, 4.0])).item()
    3.0
    """
    if mode not in ("avg", "min"):
        raise ArgumentError(f"mode must be 'avg' or 'min', received {mode!r}")
    flat, axes = _lines(x, axis)
    flat = nan_if_empty(flat, flat.ndim - 1)
    values, places = sort_op(flat, -1)
    count = sum_op(astype(logical_not(isnan(flat)), int64), (-1,), True)
    lower = maximum((count - 1) // 2, 0)
    low = take_along_axis_op(values, lower, -1)
    if mode == "min":
        found = _in_shape(low, axes, keepdim)
        if not isinstance(axis, int):
            return found
        return found, _in_shape(take_along_axis_op(places, lower, -1), axes, keepdim)
    upper = clip(count // 2, 0, flat.shape[-1] - 1)
    high = take_along_axis_op(values, upper, -1)
    return _in_shape(astype((low + high) / 2, x.dtype), axes, keepdim)


def _quantiles(
    x: Tensor, q: Any, axis: Any, keepdim: bool, interpolation: str, ignores_nan: bool
) -> Tensor:
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise ArgumentError(
            f"interpolation {interpolation!r} is none of linear, lower, higher, midpoint, nearest"
        )
    picks = interpolation in ("lower", "higher", "nearest")  # an element, of whatever dtype
    (x,) = (x,) if picks else promote_to_floating((x,))
    is_several = isinstance(q, (list, tuple)) or (isinstance(q, Value) and q.ndim > 0)
    if isinstance(q, Value) and q.ndim > 1:
        raise ArgumentError(f"q must be a number or a vector, received the shape {list(q.shape)}")
    several = unbind(q) if isinstance(q, Value) and is_several else q if is_several else [q]
    if not several:
        raise ArgumentError("q must hold at least one probability, received none")
    for one in several:
        if not isinstance(one, Value) and not 0 <= one <= 1:
            raise ArgumentError(f"q must be in [0, 1], received {one}")
    flat, axes = _lines(x, axis)
    values, is_nan = sort_op(flat, -1)[0], isnan(flat)
    count = sum_op(astype(logical_not(is_nan), "float64"), (-1,), True)
    last = maximum(count - 1.0, 0.0) if ignores_nan else count * 0.0 + (flat.shape[-1] - 1)
    found = []
    for one in several:
        place = last * (astype(one, "float64") if isinstance(one, Value) else one)
        if not ignores_nan and x.dtype.is_floating:  # nan stands at the end, and has the gradient
            place = select(any_op(is_nan, (-1,), True), last, place)
        found.append(_in_shape(_between(values, place, interpolation), axes, keepdim))
    return stack_op(found, 0) if len(found) > 1 else found[0]


def _between(values: Tensor, place: Tensor, interpolation: str) -> Tensor:
    """What stands at a place between two positions."""
    low, high = floor(place), ceil(place)
    if interpolation == "nearest":
        low = high = round_op(place)
    elif interpolation in ("lower", "higher"):
        low = high = low if interpolation == "lower" else high
    below, above = (take_along_axis_op(values, astype(at, int64), -1) for at in (low, high))
    weight = 0.5 if interpolation == "midpoint" else astype(place - low, values.dtype)
    if interpolation in ("nearest", "lower", "higher"):
        return below
    return below + (above - below) * weight


@function(method=True)
def quantile(
    x: Tensor,
    q: Any,
    axis: Any = None,
    keepdim: bool = False,
    interpolation: Interpolation = "linear",
) -> Tensor:
    """The element below which a share q lies, over `axis`, of all for None; nan where there is nan.

    x: [*]; integers count as floats. q: numbers in [0, 1]; two or more give a leading dimension.
    interpolation: what is taken between two elements. Returns the shape without the axes, or with
    sizes of 1 for `keepdim`. Raises ArgumentError, AxisError.

    >>> import twinoar
    >>> twinoar.quantile(twinoar.to_tensor([1.0, 2.0, 4.0]), [0.25, 0.5]).tolist()
    [1.5, 2.0]
    """
    return _quantiles(x, q, axis, keepdim, interpolation, False)


@function(method=True)
def nanquantile(
    x: Tensor,
    q: Any,
    axis: Any = None,
    keepdim: bool = False,
    interpolation: Interpolation = "linear",
) -> Tensor:
    """`quantile` of the elements that are not nan; nan without any.

    >>> import twinoar
    >>> twinoar.nanquantile(twinoar.to_tensor([1.0, float("nan"), 4.0]), 0.5).item()
    2.5
    """
    return _quantiles(x, q, axis, keepdim, interpolation, True)


@function(method=True)
def median(
    x: Tensor, axis: int | None = None, keepdim: bool = False, mode: Literal["avg", "min"] = "avg"
) -> Tensor | tuple[Tensor, Tensor]:
    """The middle element over `axis`, of all for None; nan where there is nan, or no element.

    x: [*]. Of an even number of elements it is the mean of the middle two with mode "avg", float32
    or float64; with "min" it is the lower one, in the dtype of x, and with an axis its position
    comes along. Returns the shape without the axis, or with a size of 1 for `keepdim`. Raises
    AxisError, ArgumentError for another mode.

    >>> import twinoar
    >>> x = twinoar.to_tensor([[5.0, 1.0, 2.0, 4.0]])
    >>> x.median().item(), x.median(axis=1, mode="min")[0].item()
    (3.0, 2.0)
    """
    if mode not in ("avg", "min"):
        raise ArgumentError(f"mode must be 'avg' or 'min', received {mode!r}")
    ndim = x.ndim
    if axis is None or ndim == 0:
        normalize_axis(axis or 0, max(ndim, 1))
        flat, at = reshape_op(x, (-1,)), 0
    else:
        flat, at = x, normalize_axis(axis, ndim)
    flat = nan_if_empty(flat, at)
    values, indices = sort_op(flat, at, False)
    lower = (flat.spec.shape[at] - 1) // 2
    upper = flat.spec.shape[at] // 2 if mode == "avg" else lower
    out = slice_op(values, (at,), (lower,), (upper + 1,))
    if mode == "avg":
        out = mean_op(_wide(out), (at,), True)
    places = slice_op(indices, (at,), (lower,), (lower + 1,))
    if x.dtype.is_floating:
        is_unknown = isnan(flat)
        is_any = any_op(is_unknown, (at,), True)
        out = select(is_any, float("nan"), out)
        places = select(is_any, argmax_op(astype(is_unknown, "int32"), at, True), places)
    out, place = (_without(r, at, ndim, axis is None, keepdim) for r in (out, places))
    return (out, place) if mode == "min" and axis is not None else out


def _wide(x: Tensor) -> Tensor:
    """x as float64 where it is that, as float32 otherwise."""
    return x if x.dtype is float64 else astype(x, float32)


@widens(median)
@function(named=False)
def _median(
    input: Tensor | None = None,
    dim: int | None = None,
    keepdim: bool = False,
    mode: Literal["avg", "min"] = "min",
    *,
    x: Tensor | None = None,
    axis: int | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """`median` for those who say `input` or `dim`, which makes "min" the usual mode."""
    given: Any = x if input is None else input
    return median(given, axis if dim is None else dim, keepdim, mode)


def nan_if_empty(x: Tensor, axis: int) -> Tensor:
    """x, floating, with one nan along an axis that is known to have no elements."""
    shape = x.spec.shape
    if shape[axis] != 0 or not x.dtype.is_floating:
        return x
    return concat([x, full((*shape[:axis], 1, *shape[axis + 1 :]), math.nan, x.dtype)], axis)


def _without(x: Tensor, axis: int, ndim: int, whole: bool, keepdim: bool) -> Tensor:
    """x, of size 1 along `axis`, in the shape that users expect of a reduction."""
    if whole or ndim == 0:
        return reshape_op(x, (1,) * ndim if keepdim else ())
    return x if keepdim else squeeze_op(x, (axis,))
