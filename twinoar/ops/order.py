"""What order tells: kthvalue, mode, medians, quantiles, running extrema, runs of equal elements."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twinoar.core.desc import Desc
from twinoar.core.dtype import DType, int64
from twinoar.core.explain import explained
from twinoar.core.op import primitive
from twinoar.core.spec import Spec, normalize_axis
from twinoar.core.values import Value, method
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.along_axis import put_along_axis_op, take_along_axis_op
from twinoar.ops.cast import astype, promote_operands, promote_to_floating
from twinoar.ops.compare import equal, isnan, less_than
from twinoar.ops.create import fill, zeros_of
from twinoar.ops.join import stack_op, unbind
from twinoar.ops.logical import logical_and, logical_not
from twinoar.ops.math import ceil, exp, floor, log, quiet, round_op
from twinoar.ops.reduce import any_op, axes_of, reduced, sum_op
from twinoar.ops.roll import flip_op
from twinoar.ops.select import clip, maximum, select
from twinoar.ops.shape import flatten, moveaxis, reshape_op, squeeze_op, unsqueeze_op
from twinoar.ops.slice import slice_op
from twinoar.ops.sort import sort_op
from twinoar.ops.statistics import nan_if_empty
from twinoar.ops.unique import searchsorted

Tensor = Value
Interpolation = Literal["linear", "lower", "higher", "midpoint", "nearest"]


@explained
@method("msort")
def msort(input: Tensor) -> Tensor:
    """x in order along its first dimension. See `sort`.

    >>> import twinoar
    >>> twinoar.msort(twinoar.to_tensor([3, 1, 2])).tolist()
    [1, 2, 3]
    """
    return sort_op(input, 0)[0]


@explained
@method("kthvalue")
def kthvalue(
    x: Tensor, k: int, axis: int | None = None, keepdim: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The k-th smallest elements along an axis, the last by default, and where they are.

    x: [*]. Returns two tensors without the axis, or with a size of 1 for `keepdim`; the positions
    are int64. Raises ArgumentError unless 1 <= k <= the size, AxisError.

    >>> import twinoar
    >>> [part.item() for part in twinoar.kthvalue(twinoar.to_tensor([3.0, 1.0, 2.0]), 2)]
    [2.0, 2]
    """
    axis = -1 if axis is None else axis
    if x.ndim == 0:
        normalize_axis(axis, 1)
        return x.clone(), fill((), 0, int64)
    at = normalize_axis(axis, x.ndim)
    n = x.spec.shape[at]
    if k < 1 or (isinstance(n, int) and k > n):
        raise ArgumentError(f"k must lie between 1 and the size of the axis, {n}, received {k}")
    found = (slice_op(part, (at,), (k - 1,), (k,)) for part in sort_op(x, at))
    values, places = (part if keepdim else squeeze_op(part, (at,)) for part in found)
    return values, places


def _mode_specs(x: Spec, axis: int, keepdim: bool) -> tuple[Spec, Spec]:
    out = reduced(x, (normalize_axis(axis, x.ndim),), keepdim)
    return out, Spec(out.shape, int64)


@primitive(
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
    lines = np.moveaxis(x, axis, -1)
    rows = lines.reshape(-1, lines.shape[-1])
    places = np.empty(len(rows), np.int64)
    for i, row in enumerate(rows):
        values, counts = np.unique(row, return_counts=True)
        places[i] = np.flatnonzero(row == values[counts.argmax()])[-1]
    where = np.expand_dims(places.reshape(lines.shape[:-1]), axis)
    found = np.take_along_axis(x, where, axis), where
    return found if keepdim else tuple(part.squeeze(axis) for part in found)


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
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)


@explained
@method("mode")
def mode(
    x: Tensor, axis: int = -1, keepdim: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The commonest elements along an axis, the least of several, and where they stand last.

    x: [*]. Returns two tensors without the axis, or with a size of 1 for `keepdim`; the positions
    are int64. Raises AxisError.

    >>> import twinoar
    >>> [part.item() for part in twinoar.mode(twinoar.to_tensor([3, 3, 1, 1, 2]))]
    [1, 3]
    """
    if x.ndim == 0:
        normalize_axis(axis, 1)
        return x.clone(), fill((), 0, int64)
    return mode_op(x, axis, keepdim)


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


@explained
@method("nanmedian")
def nanmedian(
    x: Tensor,
    axis: Any = None,
    keepdim: bool = False,
    mode: Literal["avg", "min"] = "avg",
    name: str | None = None,
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
        out = _between(values, place, interpolation)
        if not ignores_nan and x.dtype.is_floating:
            out = select(any_op(is_nan, (-1,), True), float("nan"), out)
        found.append(_in_shape(out, axes, keepdim))
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


@explained
@method("quantile")
def quantile(
    x: Tensor,
    q: Any,
    axis: Any = None,
    keepdim: bool = False,
    interpolation: Interpolation = "linear",
    name: str | None = None,
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


@explained
@method("nanquantile")
def nanquantile(
    x: Tensor,
    q: Any,
    axis: Any = None,
    keepdim: bool = False,
    interpolation: Interpolation = "linear",
    name: str | None = None,
) -> Tensor:
    """`quantile` of the elements that are not nan; nan without any.

    >>> import twinoar
    >>> twinoar.nanquantile(twinoar.to_tensor([1.0, float("nan"), 4.0]), 0.5).item()
    2.5
    """
    return _quantiles(x, q, axis, keepdim, interpolation, True)


def _running_specs(x: Spec, axis: int, dtype: DType) -> tuple[Spec, Spec]:
    normalize_axis(axis, x.ndim)
    return x, Spec(x.shape, dtype)


def _running_kernel(extreme: Any) -> Any:
    def kernel(x: np.ndarray, axis: int, dtype: DType) -> tuple[np.ndarray, np.ndarray]:
        out = extreme.accumulate(x, axis)
        shape = [1] * x.ndim
        shape[axis] = x.shape[axis]
        own = np.arange(x.shape[axis]).reshape(shape)
        places = np.where((x == out) | (x != x), own, 0)
        return out, np.maximum.accumulate(places, axis).astype(dtype.numpy)

    return kernel


def _running_gradient(gs: Any, outs: Any, specs: Any, axis: int) -> Tensor:
    return put_along_axis_op(zeros_of(specs[0]), astype(outs[1], int64), gs[0], axis, "add")


def _running_samples(s):
    yield s(s.distinct(2, 5))
    yield s(s.distinct(3, 4, dtype="float64"), 0, "int32")
    yield s(np.array([1.0, np.nan, 3.0]), gradient=False)
    yield s(s.ints(0, 3, 2, 5), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)


def _running_desc(kind: str) -> Desc:
    return Desc(
        kind, {"x": "x"}, outputs=("out", "indices"), attrs={"axis": "axis", "dtype": "dtype"}
    )


@primitive(
    name="cummax",
    infer=_running_specs,
    kernel=_running_kernel(np.maximum),
    grad=_running_gradient,
    desc=_running_desc("cummax"),
    samples=_running_samples,
)
def cummax_op(x: Tensor, axis: int = -1, dtype: DType = int64) -> tuple[Tensor, Tensor]:
    """Running maxima: the operator under `cummax`."""


@primitive(
    name="cummin",
    infer=_running_specs,
    kernel=_running_kernel(np.minimum),
    grad=_running_gradient,
    desc=_running_desc("cummin"),
    samples=_running_samples,
)
def cummin_op(x: Tensor, axis: int = -1, dtype: DType = int64) -> tuple[Tensor, Tensor]:
    """Running minima: the operator under `cummin`."""


def _running(op: Any, x: Tensor, axis: int | None, dtype: Any) -> tuple[Tensor, Tensor]:
    if axis is None:
        return op(reshape_op(x, (-1,)), 0, dtype)
    if x.ndim == 0:
        normalize_axis(axis, 1)  # as of one element
        return x.clone(), fill((), 0, dtype)
    return op(x, axis, dtype)


@explained
@method("cummax")
def cummax(
    x: Tensor, axis: int | None = None, dtype: Any = "int64", name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The largest elements so far along an axis, of the flattened x without one, and where they
    stand last.

    x: [*]. Returns [*], or [n] without an axis, and positions of `dtype`. Raises AxisError.

    >>> import twinoar
    >>> [part.tolist() for part in twinoar.cummax(twinoar.to_tensor([1, 3, 2, 3]))]
    [[1, 3, 3, 3], [0, 1, 1, 3]]
    """
    return _running(cummax_op, x, axis, dtype)


@explained
@method("cummin")
def cummin(
    x: Tensor, axis: int | None = None, dtype: Any = "int64", name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The smallest elements so far along an axis, and where they stand last. See `cummax`.

    >>> import twinoar
    >>> [part.tolist() for part in twinoar.cummin(twinoar.to_tensor([2, 3, 1, 1]))]
    [[2, 2, 1, 1], [0, 0, 2, 3]]
    """
    return _running(cummin_op, x, axis, dtype)


@primitive(
    name="logcumsumexp",
    infer=lambda x, axis: _running_specs(x, axis, int64)[0],
    promote=promote_to_floating,
    desc=Desc(
        "logcumsumexp",
        {"X": "x"},
        attrs={"axis": "axis"},
        fixed={"flatten": False, "exclusive": False, "reverse": False},
    ),
)
def logcumsumexp_op(x: Tensor, axis: int = -1) -> Tensor:
    """Running sums in the space of logarithms: the operator under `logcumsumexp`."""


@logcumsumexp_op.kernel
@quiet
def _(x, axis):
    if x.dtype.kind == "V":
        return np.logaddexp.accumulate(x.astype(np.float32), axis).astype(x.dtype)
    return np.logaddexp.accumulate(x, axis)


@logcumsumexp_op.grad
def _(g, x, out, axis):
    # dx[i] = exp(x[i]) * the sum of g[j] exp(-out[j]) from i on, by logarithms of each sign
    def part(of_one_sign: Tensor) -> Tensor:
        back = flip_op(log(of_one_sign) - out, (axis,))
        return exp(flip_op(logcumsumexp_op(back, axis), (axis,)) + x)

    return part(maximum(g, 0.0)) - part(maximum(-g, 0.0))


@logcumsumexp_op.samples
def _(s):
    yield s(s.randn(2, 3), second=False)
    yield s(s.randn(3, 4, dtype="float64"), 0, second=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), 2)


@explained
@method("logcumsumexp")
def logcumsumexp(
    x: Tensor, axis: int | None = None, dtype: Any = None, name: str | None = None
) -> Tensor:
    """log of the running sums of exp(x) along an axis, of the flattened x without one.

    x: [*]; with `dtype`, x is cast to it first. Returns [*], or [n]. Raises AxisError.

    >>> import twinoar
    >>> [round(y, 4) for y in twinoar.logcumsumexp(twinoar.to_tensor([0.0, 0.0])).tolist()]
    [0.0, 0.6931]
    """
    x = x if dtype is None else astype(x, dtype)
    if axis is None:
        return logcumsumexp_op(reshape_op(x, (-1,)), 0, name=name)
    if x.ndim == 0:
        return reshape_op(logcumsumexp_op(reshape_op(x, (1,)), axis), (), name=name)
    return logcumsumexp_op(x, axis, name=name)


@explained
@method("bucketize")
def bucketize(
    x: Tensor,
    sorted_sequence: Tensor,
    out_int32: bool = False,
    right: bool = False,
    name: str | None = None,
) -> Tensor:
    """Which of the intervals between the elements of a sorted vector each element of x is in.

    See `searchsorted`. Raises ArgumentError where sorted_sequence is no vector.

    >>> import twinoar
    >>> x, bounds = twinoar.to_tensor([0.5, 2.5]), twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.bucketize(x, bounds).tolist()
    [0, 2]
    """
    if sorted_sequence.ndim != 1:
        raise ArgumentError(f"sorted_sequence must be a vector, received {sorted_sequence.spec}")
    return searchsorted(sorted_sequence, x, out_int32, right, name=name)


@explained
@method("isin")
def isin(
    x: Tensor,
    test_x: Tensor,
    assume_unique: bool = False,
    invert: bool = False,
    name: str | None = None,
) -> Tensor:
    """Where the elements of x are among those of `test_x`, or are not for `invert`.

    assume_unique: makes no difference. Returns the shape of x, bool.

    >>> import twinoar
    >>> twinoar.isin(twinoar.to_tensor([1, 2, 3]), twinoar.to_tensor([2])).tolist()
    [False, True, False]
    """
    x, values = promote_operands((x, reshape_op(test_x, (-1,))))
    if x.dtype.is_complex:  # which have no order
        found = any_op(equal(unsqueeze_op(x, (-1,)), values), (-1,))
    else:
        ascending = sort_op(values, 0)[0]
        after = searchsorted(ascending, x, right=True)
        found = logical_and(less_than(searchsorted(ascending, x), after), logical_not(isnan(x)))
    return logical_not(found, name=name) if invert else found


def _run_specs(x: Spec, axis: int | None, dtype: DType) -> tuple[Spec, Spec, Spec]:
    unknown: Any = None
    at = 0 if axis is None else normalize_axis(axis, x.ndim)
    shape = (unknown,) if axis is None else (*x.shape[:at], unknown, *x.shape[at + 1 :])
    count = x.size if axis is None else x.shape[at]
    return Spec(shape, x.dtype), Spec((count,), dtype), Spec((unknown,), dtype)


@primitive(name="unique_consecutive", infer=_run_specs)
def unique_consecutive_op(
    x: Tensor, axis: int | None = None, dtype: DType = int64
) -> tuple[Tensor, Tensor, Tensor]:
    """Runs of equal elements: the operator under `unique_consecutive`."""


@unique_consecutive_op.kernel
def _(x, axis, dtype):
    x, at = (x.reshape(-1), 0) if axis is None else (x, axis)
    slices = np.moveaxis(x, at, 0)
    n = len(slices)
    differs = (slices[1:] != slices[:-1]).any(tuple(range(1, x.ndim)))
    is_first = np.concatenate([np.ones(min(n, 1), bool), differs])
    counts = np.diff(np.append(np.flatnonzero(is_first), n))
    inverse = np.cumsum(is_first) - 1
    out = np.compress(is_first, x, at)
    return out, inverse.astype(dtype.numpy), counts.astype(dtype.numpy)


@unique_consecutive_op.samples
def _(s):
    yield s(np.array([1, 1, 2, 1]))
    yield s(np.array([[1, 1], [1, 1], [2, 1]]), 0, "int32")
    yield s(s.zeros(0), gradient=False)
    yield s.bad(AxisError, "axis must be", s.ints(0, 3, 2), 2)


@explained
@method("unique_consecutive")
def unique_consecutive(
    x: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    name: str | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """One of each run of equal elements, or of equal slices along an axis.

    return_inverse: also in which run each element is. return_counts: also how long the runs are;
    these are of `dtype`. Returns one tensor or a tuple.

    >>> import twinoar
    >>> x = twinoar.to_tensor([1, 1, 2, 1])
    >>> [part.tolist() for part in twinoar.unique_consecutive(x, return_counts=True)]
    [[1, 2, 1], [2, 1, 1]]
    """
    out, inverse, counts = unique_consecutive_op(x, axis, dtype)
    wanted = ((inverse, return_inverse), (counts, return_counts))
    chosen = tuple(part for part, asked in wanted if asked)
    return (out, *chosen) if chosen else out


__all__ = [
    "bucketize", "cummax", "cummin", "isin", "kthvalue", "logcumsumexp", "mode", "msort",
    "nanmedian", "nanquantile", "quantile", "unique_consecutive",
]  # fmt: skip
