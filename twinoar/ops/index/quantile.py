"""Medians and quantiles, with nan and without."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from twinoar.core.dtype import float32, float64, int64
from twinoar.core.keyword import widens
from twinoar.core.op.declare import Desc, Tensor, Value, function, normalize_axis, op
from twinoar.errors import ArgumentError
from twinoar.ops.create.fill import full
from twinoar.ops.index.order_statistic import order_statistic_op
from twinoar.ops.math.cast import astype, promote_to_floating
from twinoar.ops.math.compare import isnan
from twinoar.ops.math.fill import fill
from twinoar.ops.math.logical import logical_not
from twinoar.ops.math.rounding import ceil, floor, round_op
from twinoar.ops.math.select import clip, maximum, select
from twinoar.ops.reduce.extreme import argmax_op
from twinoar.ops.reduce.reduction import any_op, axes_of, mean_op, sum_op
from twinoar.ops.shape.concat import concat, stack_op, unbind
from twinoar.ops.shape.reshape import flatten, moveaxis, reshape_op, squeeze_op, unsqueeze_op
from twinoar.ops.shape.slice import slice_op

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


def _desc(name: str, **rest: Any) -> Desc:
    """How a median of Paddle 3 stands in a file; Paddle 2 has no operator with a mode."""
    axes = ("axis", lambda axis: list(axis or ()), lambda told: tuple(told) or None)
    attrs = {"axis": axes, "keepdim": "keepdim", "mode": "mode"}
    return Desc(f"twinoar.{name}", {"x": "x"}, ("Out", "MedianIndex"), attrs, **rest)


def _read_nanmedian(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Any:
    """What a file says: Paddle 2's, without a mode, or one of ours."""
    (x,) = slots.get("X") or slots["x"]
    return nanmedian_op(x, tuple(attrs["axis"]) or None, attrs["keepdim"], attrs.get("mode", "avg"))


@function(method=True)
def nanmedian(
    x: Tensor, axis: Any = None, keepdim: bool = False, mode: Literal["avg", "min"] = "avg"
) -> Tensor | tuple[Tensor, Tensor]:
    """The middle of the elements over `axis` that are not nan, of all for None; nan without any.

    x: [*]. mode: as in `median`; the position comes along for "min" with one axis. Returns the
    shape without the axes, or with sizes of 1 for `keepdim`. Raises AxisError, ArgumentError.

    >>> twinoar.nanmedian(twinoar.to_tensor([1.0, float("nan"), 3.0, 4.0])).item()
    3.0
    """
    out, place = _middle_of_numbers(x, axis, keepdim, mode)
    return (out, place) if mode == "min" and isinstance(axis, int) else out


@op(name="nanmedian", desc=_desc("nanmedian", reads=("nanmedian",), read=_read_nanmedian))
def nanmedian_op(
    x: Tensor, axis: tuple[int, ...] | None = None, keepdim: bool = False, mode: str = "avg"
) -> tuple[Tensor, Tensor]:
    """The operator of files that Paddle 3 writes, and the place of the lower one."""
    return _middle_of_numbers(x, axis, keepdim, mode)


@nanmedian_op.samples
def _(s):
    yield s(np.array([[1.0, np.nan, 4.0, 2.0], [np.nan] * 4]), (1,), gradient=False)
    yield s(s.distinct(3, 5), (0,), True, "min")
    yield s(s.distinct(2, 3))
    yield s.bad(ArgumentError, "mode must be", s.randn(2, 3), (0,), False, "max")


def _middle_of_numbers(x: Tensor, axis: Any, keepdim: bool, mode: str) -> tuple[Tensor, Tensor]:
    """The median of what is not nan, and where it is, or the lower one of two."""
    if mode not in ("avg", "min"):
        raise ArgumentError(f"mode must be 'avg' or 'min', received {mode!r}")
    flat, axes = _lines(x, axis)
    flat = nan_if_empty(flat, flat.ndim - 1)
    count = sum_op(astype(logical_not(isnan(flat)), int64), (-1,), True)
    lower = maximum((count - 1) // 2, 0)
    if mode == "min":
        low, place = order_statistic_op(flat, lower, -1)
        return _in_shape(low, axes, keepdim), _in_shape(place, axes, keepdim)
    upper = clip(count // 2, 0, flat.shape[-1] - 1)
    found, places = order_statistic_op(flat, concat([lower, upper], -1), -1)
    at = (flat.ndim - 1,)
    low, high, place = (
        slice_op(part, at, (n,), (n + 1,)) for part, n in ((found, 0), (found, 1), (places, 0))
    )
    out = _in_shape(astype((low + high) / 2, x.dtype), axes, keepdim)
    return out, _in_shape(place, axes, keepdim)


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
    is_nan = isnan(flat)
    count = sum_op(astype(logical_not(is_nan), "float64"), (-1,), True)
    last = maximum(count - 1.0, 0.0) if ignores_nan else count * 0.0 + (flat.shape[-1] - 1)
    places = []
    for one in several:
        place = last * (astype(one, "float64") if isinstance(one, Value) else one)
        if not ignores_nan and x.dtype.is_floating:  # nan stands at the end, and has the gradient
            place = select(any_op(is_nan, (-1,), True), last, place)
        places.append(place)
    found = [_in_shape(f, axes, keepdim) for f in _between(flat, places, interpolation)]
    return stack_op(found, 0) if len(found) > 1 else found[0]


def _between(lines: Tensor, places: list[Tensor], interpolation: str) -> list[Tensor]:
    """What stands at places between two positions of the order of lines."""
    pick = {"nearest": round_op, "lower": floor, "higher": ceil}.get(interpolation)
    if pick is not None:
        return _elements_at(lines, [pick(place) for place in places])
    found = _elements_at(lines, [f(place) for place in places for f in (floor, ceil)])
    between = []
    for place, below, above in zip(places, found[::2], found[1::2], strict=True):
        is_middle = interpolation == "midpoint"
        weight = 0.5 if is_middle else astype(place - floor(place), lines.dtype)
        between.append(below + (above - below) * weight)
    return between


def _elements_at(lines: Tensor, places: list[Tensor]) -> list[Tensor]:
    """The elements at places of the order of lines, of which each place has one for each line."""
    ranks = [astype(place, int64) for place in places]
    found = order_statistic_op(lines, concat(ranks, -1) if len(ranks) > 1 else ranks[0], -1)[0]
    if len(ranks) == 1:
        return [found]
    at = (lines.ndim - 1,)
    return [slice_op(found, at, (n,), (n + 1,)) for n in range(len(ranks))]


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

    >>> x = twinoar.to_tensor([[5.0, 1.0, 2.0, 4.0]])
    >>> x.median().item(), x.median(axis=1, mode="min")[0].item()
    (3.0, 2.0)
    """
    out, place = _middle(x, axis, keepdim, mode)
    return (out, place) if mode == "min" and axis is not None else out


@op(name="median", desc=_desc("median"))
def median_op(
    x: Tensor, axis: tuple[int, ...] | None = None, keepdim: bool = False, mode: str = "avg"
) -> tuple[Tensor, Tensor]:
    """The operator of files that Paddle 3 writes, and the place of the lower one. See `median`."""
    if axis is not None and len(axis) != 1:
        raise ArgumentError(f"median is over one axis or all, received {list(axis)}")
    return _middle(x, None if axis is None else axis[0], keepdim, mode)


@median_op.samples
def _(s):
    yield s(s.distinct(3, 4), (1,))
    yield s(s.distinct(3, 5), (0,), True, "min")
    yield s(s.distinct(2, 3))
    yield s(np.array([[1.0, np.nan], [2.0, 3.0]]), (1,), gradient=False)
    yield s.bad(ArgumentError, "one axis or all", s.randn(2, 3), (0, 1))
    yield s.bad(ArgumentError, "mode must be", s.randn(2, 3), (0,), False, "max")


def _middle(x: Tensor, axis: int | None, keepdim: bool, mode: str) -> tuple[Tensor, Tensor]:
    """The median, and where it is, or the lower one of two."""
    if mode not in ("avg", "min"):
        raise ArgumentError(f"mode must be 'avg' or 'min', received {mode!r}")
    ndim = x.ndim
    if axis is None or ndim == 0:
        normalize_axis(axis or 0, max(ndim, 1))
        flat, at = reshape_op(x, (-1,)), 0
    else:
        flat, at = x, normalize_axis(axis, ndim)
    if mode == "avg" and flat.spec.shape[at] == 0:
        flat = _wide(flat)
    flat = nan_if_empty(flat, at)
    n = flat.spec.shape[at]
    ranks = fill((1,), (n - 1) // 2, int64)
    if mode == "avg" and not (isinstance(n, int) and n % 2):
        ranks = concat([ranks, fill((1,), n // 2, int64)], 0)
    found, places = order_statistic_op(flat, ranks, at)
    out = found
    if mode == "avg":
        low = slice_op(found, (at,), (0,), (1,))
        out = mean_op(_wide(found), (at,), True)
        if not isinstance(n, int):  # one element in both places, whose sum may overflow
            out = select(slice_op(found, (at,), (1,), (2,)) == low, _wide(low), out)
        places = slice_op(places, (at,), (0,), (1,))
    if flat.dtype.is_floating:
        is_unknown = isnan(flat)
        is_any = any_op(is_unknown, (at,), True)
        out = select(is_any, float("nan"), out)
        places = select(is_any, argmax_op(astype(is_unknown, "int32"), at, True), places)
    out, place = (_without(r, at, ndim, axis is None, keepdim) for r in (out, places))
    return out, place


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
