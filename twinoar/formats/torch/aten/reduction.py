"""ATen's reductions, running ones, sorting and searching."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import DType, bool_, int64
from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.table import floating, target
from twinoar.ops.index.order_statistic import kthvalue
from twinoar.ops.index.quantile import median, nanquantile, quantile
from twinoar.ops.index.sort import argsort, sort, topk
from twinoar.ops.linalg.vector_norm import cdist, dist, pdist
from twinoar.ops.math.cast import astype
from twinoar.ops.reduce.cumulative_sum import cumprod, cumsum
from twinoar.ops.reduce.difference import diff
from twinoar.ops.reduce.extreme import amax, amin, argmax, argmin
from twinoar.ops.reduce.reduction import all as all_of
from twinoar.ops.reduce.reduction import any as any_of
from twinoar.ops.reduce.reduction import logsumexp, mean, prod
from twinoar.ops.reduce.reduction import sum as sum_of
from twinoar.ops.reduce.statistics import std, var
from twinoar.ops.shape.reshape import reshape


def axes(dim: Any) -> Any:
    """Dimensions as we take them: None for all."""
    if isinstance(dim, (list, tuple)):
        return list(dim) or None
    return dim


def _wide(x: Value, dtype: DType | None) -> Value:
    """x as ATen adds it up: in a dtype that is asked for, integers as int64."""
    if dtype is not None:
        return astype(x, dtype)
    return astype(x, int64) if x.dtype.is_whole else x


@target("aten.sum")
def sum_(self: Value, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    """The sum over dimensions."""
    return sum_of(_wide(self, dtype), axes(dim), keepdim=keepdim)


@target("aten.mean")
def mean_(self: Value, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    """The mean over dimensions."""
    return mean(self if dtype is None else astype(self, dtype), axes(dim), keepdim)


@target("aten.prod")
def prod_(self: Value, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    """The product over dimensions."""
    return prod(_wide(self, dtype), axes(dim), keepdim)


@target("aten.nansum")
def nansum(self: Value, dim: Any = None, keepdim: bool = False, dtype: DType | None = None) -> Any:
    """The sum over dimensions, without what is nan."""
    x = _wide(self, dtype)
    if x.dtype.is_floating:
        x = op_named("select")(op_named("isnan")(x), op_named("fill_like")(x, 0.0), x)
    return sum_of(x, axes(dim), keepdim=keepdim)


@target("aten.amax")
def amax_(self: Value, dim: Any = (), keepdim: bool = False) -> Any:
    """The greatest over dimensions."""
    return amax(self, axes(dim), keepdim)


@target("aten.amin")
def amin_(self: Value, dim: Any = (), keepdim: bool = False) -> Any:
    """The least over dimensions."""
    return amin(self, axes(dim), keepdim)


def _extreme(value: Callable[..., Any], place: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Value, dim: int | None = None, keepdim: bool = False) -> Any:
        if dim is None:
            return value(self)
        return value(self, dim, keepdim), place(self, dim, keepdim)

    return call


target("aten.max", "aten.max.dim")(_extreme(amax, argmax))
target("aten.min", "aten.min.dim")(_extreme(amin, argmin))


@target("aten.aminmax")
def aminmax(self: Value, dim: int | None = None, keepdim: bool = False) -> Any:
    """The least and the greatest."""
    return amin(self, dim, keepdim), amax(self, dim, keepdim)


@target("aten.argmax")
def argmax_(self: Value, dim: int | None = None, keepdim: bool = False) -> Any:
    """Where the greatest is."""
    return argmax(self, dim, keepdim)


@target("aten.argmin")
def argmin_(self: Value, dim: int | None = None, keepdim: bool = False) -> Any:
    """Where the least is."""
    return argmin(self, dim, keepdim)


@target("aten.any")
def any_(self: Value, dim: Any = None, keepdim: bool = False) -> Any:
    """Whether something is not zero."""
    return any_of(astype(self, bool_), axes(dim), keepdim)


@target("aten.all")
def all_(self: Value, dim: Any = None, keepdim: bool = False) -> Any:
    """Whether nothing is zero."""
    return all_of(astype(self, bool_), axes(dim), keepdim)


@target("aten.count_nonzero")
def count_nonzero(self: Value, dim: Any = None) -> Any:
    """How many are not zero."""
    return sum_of(astype(self != 0, int64), axes(dim))


@target("aten.logsumexp", "aten.special_logsumexp")
def logsumexp_(self: Value, dim: Any, keepdim: bool = False) -> Any:
    """log of the sum of exp."""
    return logsumexp(floating(self), axes(dim), keepdim)


def _degrees(unbiased: bool | None, correction: Any) -> float:
    """What is taken from the count of elements."""
    if unbiased is not None:
        return float(unbiased)
    return 1.0 if correction is None else float(correction)


def _spread(function: Callable[..., Any], with_mean: bool) -> Callable[..., Any]:
    def call(
        self: Value,
        dim: Any = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        correction: Any = None,
    ) -> Any:
        degrees = _degrees(unbiased, correction)
        found = function(self, axes(dim), keepdim=keepdim, correction=degrees)
        return (found, mean(self, axes(dim), keepdim)) if with_mean else found

    return call


target("aten.var")(_spread(var, with_mean=False))
target("aten.std")(_spread(std, with_mean=False))
target("aten.var_mean")(_spread(var, with_mean=True))
target("aten.std_mean")(_spread(std, with_mean=True))


@target("aten.linalg_vector_norm", "aten.norm")
def vector_norm(
    self: Value,
    ord: Any = 2,
    dim: Any = None,
    keepdim: bool = False,
    dtype: DType | None = None,
    p: Any = None,
) -> Any:
    """The norm of vectors, of any order."""
    x = floating(self if dtype is None else astype(self, dtype))
    order = float(ord if p is None else p)
    size = op_named("abs")(x)
    if order == 0:
        return astype(sum_of(astype(size != 0, int64), axes(dim), keepdim=keepdim), size.dtype)
    if math.isinf(order):
        return (amax if order > 0 else amin)(size, axes(dim), keepdim)
    if order == 1:
        return sum_of(size, axes(dim), keepdim=keepdim)
    if order == 2:
        squares = op_named("square")(size)
        return op_named("sqrt")(sum_of(squares, axes(dim), keepdim=keepdim))
    return op_named("pow")(sum_of(size**order, axes(dim), keepdim=keepdim), 1.0 / order)


@target("aten.cumsum")
def cumsum_(self: Value, dim: int, dtype: DType | None = None) -> Any:
    """The sum of what has come so far."""
    return cumsum(_wide(self, dtype), dim) if self.ndim else _wide(self, dtype)


@target("aten.cumprod")
def cumprod_(self: Value, dim: int, dtype: DType | None = None) -> Any:
    """The product of what has come so far."""
    return cumprod(_wide(self, dtype), dim) if self.ndim else _wide(self, dtype)


@target("aten.logcumsumexp")
def logcumsumexp(self: Value, dim: int) -> Any:
    """log of the sum of exp of what has come so far."""
    return op_named("logcumsumexp")(self, dim)


@target("aten.cummax")
def cummax(self: Value, dim: int) -> Any:
    """The greatest that has come so far, and where."""
    return op_named("cummax")(self, dim)


@target("aten.cummin")
def cummin(self: Value, dim: int) -> Any:
    """The least that has come so far, and where."""
    return op_named("cummin")(self, dim)


@target("aten.topk")
def topk_(self: Value, k: Any, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The k greatest or least, and where."""
    return tuple(topk(self, k, dim, largest, True))


@target("aten.sort")
def sort_(self: Value, dim: int = -1, descending: bool = False, stable: bool | None = None) -> Any:
    """In order, and where each was."""
    return sort(self, dim, descending), argsort(self, dim, descending, stable=True)


@target("aten.argsort")
def argsort_(
    self: Value, dim: int = -1, descending: bool = False, stable: bool | None = None
) -> Any:
    """Where each was that is in order now."""
    return argsort(self, dim, descending, stable=True)


@target("aten.kthvalue")
def kthvalue_(self: Value, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The k-th least, and where."""
    return kthvalue(self, k, dim, keepdim)


@target("aten.median")
def median_(self: Value, dim: int | None = None, keepdim: bool = False) -> Any:
    """The one in the middle, the lesser of two; with a dimension also where."""
    return median(self, dim, keepdim, mode="min")


@target("aten.searchsorted")
def searchsorted(
    sorted_sequence: Value,
    self: Any,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
) -> Any:
    """Where values would stand in an order."""
    after = right or side == "right"
    return op_named("searchsorted")(sorted_sequence, self, out_int32, after)


@target("aten.bucketize")
def bucketize(self: Value, boundaries: Value, out_int32: bool = False, right: bool = False) -> Any:
    """Between which boundaries values lie."""
    flat = op_named("searchsorted")(boundaries, reshape(self, [-1]), out_int32, right)
    return reshape(flat, list(self.spec.shape))


@target("aten.cdist", "aten._cdist_forward")
def distances(x1: Value, x2: Value, p: float = 2.0, compute_mode: int | None = None) -> Any:
    """The distance of each row from each."""
    return cdist(x1, x2, p)


@target("aten.trace")
def trace(self: Value) -> Any:
    """The sum of a diagonal."""
    return sum_of(_wide(op_named("diagonal")(self), None))


@target("aten.bincount")
def bincount(self: Value, weights: Value | None = None, minlength: int = 0) -> Any:
    """How often each number occurs."""
    return op_named("bincount")(self, weights, minlength)


@target("aten.nanmean")
def nanmean(self: Value, dim: Any = None, keepdim: bool = False) -> Any:
    """The mean of what is not nan."""
    there = astype(~op_named("isnan")(self), self.dtype)
    return nansum(self, dim, keepdim) / sum_of(there, axes(dim), keepdim=keepdim)


@target("aten.diff")
def differences(
    self: Value,
    n: int = 1,
    dim: int = -1,
    prepend: Value | None = None,
    append: Value | None = None,
) -> Any:
    """Differences of neighbors along a dimension."""
    return diff(self, n, dim, prepend, append)


def _quantile(name: str, function: Callable[..., Any]) -> None:
    def call(
        self: Value,
        q: Any,
        dim: int | None = None,
        keepdim: bool = False,
        interpolation: str = "linear",
    ) -> Any:
        if isinstance(q, Value):
            raise UnsupportedError(
                f"{name} by a tensor", cure="give the quantile as a number, and export again"
            )
        return function(self, q, dim, keepdim, interpolation)

    target(f"aten.{name}")(call)


_quantile("quantile", quantile)
_quantile("nanquantile", nanquantile)


@target("aten.msort")
def sorted_along_first(self: Value) -> Any:
    """self sorted along its first dimension."""
    return sort(self, 0)


@target("aten._pdist_forward", "aten.pdist")
def distances_of_pairs(self: Value, p: float = 2.0) -> Any:
    """The distances of all pairs of rows."""
    return pdist(self, p)


@target("aten.dist")
def distance(self: Value, other: Value, p: float = 2.0) -> Any:
    """The norm of a difference."""
    return dist(self, other, p)
