"""Statistics over axes: variance, standard deviation, median, and what leaves out nan or zero."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from twinoar.core.dtype import float32, float64
from twinoar.core.explain import explained
from twinoar.core.keyword import widens
from twinoar.core.op import op
from twinoar.core.spec import normalize_axis
from twinoar.core.values import Value, method
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.cast import astype, promote_to_floating
from twinoar.ops.compare import isnan, not_equal
from twinoar.ops.create import full
from twinoar.ops.elementwise import divide
from twinoar.ops.extreme import argmax_op
from twinoar.ops.join import concat
from twinoar.ops.math import quiet, sqrt
from twinoar.ops.reduce import (
    accumulate,
    any_op,
    axes_of,
    count_of,
    mean_op,
    over,
    over_count,
    reduced,
    spread,
    sum,
    sum_op,
)
from twinoar.ops.select import select
from twinoar.ops.shape import reshape_op, squeeze_op
from twinoar.ops.slice import slice_op
from twinoar.ops.sort import sort_op

Tensor = Value


@op(name="var", infer=reduced, promote=promote_to_floating)
def var_op(
    x: Tensor, axis: tuple[int, ...] = (), keepdim: bool = False, correction: float = 1.0
) -> Tensor:
    """The variance over `axis`: the operator under `var` and `std`."""
    from_mean = x - mean_op(x, axis, True)
    total = sum_op(from_mean * from_mean, axis, keepdim)
    return over_count(total, count_of(x.spec, axis), correction)


@var_op.kernel
@quiet
def _(x, axis, keepdim, correction):
    from_mean = x - mean_op.kernel_rule(x, axis, True)
    total = accumulate(np.sum, from_mean * from_mean, axis=over(axis), keepdims=keepdim)
    rest = max(count_of(x, axis) - correction, 0.0)
    return (total / np.asarray(rest, total.dtype)).astype(x.dtype)


@var_op.grad
def _(g, x, specs, axis, keepdim, correction):
    slope = over_count((x - mean_op(x, axis, True)) * 2.0, count_of(specs[0], axis), correction)
    return spread(g, specs[0], axis, keepdim) * slope


@var_op.samples
def _(s):
    yield s(s.randn(2, 3, 4))
    yield s(s.randn(2, 3, 4), (-1, 0), True)
    yield s(s.randn(2, 3, dtype="float64"), (0,))
    yield s(s.randn(3, 1, 2), (1,), gradient=False)
    yield s(s.randn(), gradient=False)
    yield s(s.zeros(2, 0), (0,))
    yield s(s.ints(-5, 5, 2, 3), (1,), gradient=False)
    yield s.bad(AxisError, "axis must be", s.randn(2, 3), (2,))
    yield s(s.randn(2, 3), (1,), False, 0.0)


def _correction(unbiased: bool | None, correction: float) -> float:
    if unbiased is None:
        return correction
    if correction != 1:
        raise ArgumentError("expected unbiased or correction, received both")
    return float(unbiased)


@explained
@method("var")
def var(
    x: Tensor,
    axis: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    correction: float = 1,
) -> Tensor:
    """The variance over `axis`, of all for None: squared distances from the mean over n - 1.

    x: [*]; integers count as floats. The divisor is n with `unbiased=False`, n - correction in
    general; nan where it is 0. Returns the shape without the axes, or with sizes of 1 for
    `keepdim`. Raises AxisError, ArgumentError for both `unbiased` and `correction`.

    >>> import twinoar
    >>> twinoar.var(twinoar.to_tensor([1.0, 3.0]), unbiased=False).item()
    1.0
    """
    return var_op(x, axes_of(x, axis), keepdim, _correction(unbiased, correction), name=name)


@explained
@method("std")
def std(
    x: Tensor,
    axis: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    correction: float = 1,
) -> Tensor:
    """The standard deviation over `axis`, of all for None: the square root of `var`.

    x: [*]; integers count as floats. Returns the shape without the axes, or with sizes of 1 for
    `keepdim`. Raises AxisError, ArgumentError for both `unbiased` and `correction`.

    >>> import twinoar
    >>> twinoar.std(twinoar.to_tensor([1.0, 3.0]), unbiased=False).item()
    1.0
    """
    return sqrt(var(x, axis, unbiased, keepdim, correction=correction), name=name)


@explained
@method("nansum")
def nansum(
    x: Tensor, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None
) -> Tensor:
    """The sum over `axis` of the elements that are not nan. See `sum`.

    >>> import twinoar
    >>> twinoar.to_tensor([1.0, float("nan"), 3.0]).nansum().item()
    4.0
    """
    known = x if not x.dtype.is_floating else select(isnan(x), 0.0, x)
    return sum(known, axis, dtype, keepdim, name)


@explained
@method("nanmean")
def nanmean(x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Tensor:
    """The mean over `axis` of the elements that are not nan. See `mean`.

    >>> import twinoar
    >>> twinoar.to_tensor([1.0, float("nan"), 3.0]).nanmean().item()
    2.0
    """
    total = nansum(x, axis, None, keepdim)
    return divide(total, sum(~isnan(x), axis, None, keepdim), name=name)


@explained
@method("count_nonzero")
def count_nonzero(
    x: Tensor, axis: Any = None, keepdim: bool = False, name: str | None = None
) -> Tensor:
    """How many elements over `axis` are not 0, of all for None.

    x: [*]. Returns the shape without the axes, or with sizes of 1 for `keepdim`, int64.

    >>> import twinoar
    >>> twinoar.to_tensor([[0.0, 1.0], [2.0, 3.0]]).count_nonzero(axis=1).tolist()
    [1, 2]
    """
    return sum(not_equal(x, 0), axis, None, keepdim, name)


@explained
@method("median")
def median(
    x: Tensor,
    axis: int | None = None,
    keepdim: bool = False,
    mode: Literal["avg", "min"] = "avg",
    name: str | None = None,
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
    if name is not None:
        out.rename(name)
    return (out, place) if mode == "min" and axis is not None else out


def _wide(x: Tensor) -> Tensor:
    """x as float64 where it is that, as float32 otherwise."""
    return x if x.dtype is float64 else astype(x, float32)


@widens(median)
@explained
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
