"""Sums, means, extremes and their places, by 1.x names."""

# ruff: noqa: F401  # the calls in the table use what is imported

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar.fluid.layers.adapter import define
from twinoar.ops.reduce.to_one_element import WHOLE
from twinoar.ops.shape.size import shape_32


def reduced(kind: str, x: Any, dim: Any, keep_dim: bool) -> Any:
    """The reduction of x over `dim`; over all it is [1], by one operator."""
    everything = dim is None or dim == [] or len(set(_axes(x, dim))) == x.ndim
    if everything and not keep_dim:
        return WHOLE[f"reduce_{kind}"](x)
    return getattr(paddle, kind)(x, axis=dim, keepdim=keep_dim)


def _axes(x: Any, dim: Any) -> list[int]:
    return [d % x.ndim for d in (dim if isinstance(dim, (list, tuple)) else [dim])]


def sorted_with_places(input: Any, axis: int, descending: bool) -> tuple[Any, Any]:
    """x sorted along `axis`, and where its elements were."""
    places = paddle.argsort(input, axis, descending)
    return paddle.take_along_axis(input, places, axis), places


def added(x: Any) -> Any:
    """The sum of several tensors, element by element."""
    return paddle.add_n(x if isinstance(x, (list, tuple)) else [x])


def distinct(x: Any, dtype: Any, counted: bool = False) -> tuple[Any, ...]:
    """The distinct elements in order of first appearance, where each element's is, how many."""
    _, first, inverse, counts = paddle.unique(
        x, return_index=True, return_inverse=True, return_counts=True, dtype="int64"
    )
    order = paddle.argsort(first)
    found = [
        paddle.gather(x, paddle.gather(first, order)),
        paddle.gather(paddle.argsort(order), inverse),
    ]
    found += [paddle.gather(counts, order)] if counted else []
    return (found[0], *[paddle.cast(v, dtype) for v in found[1:]])


__all__ = define(
    globals(),
    """
argmax(x, axis=0) -> paddle.argmax(x, axis)
argmin(x, axis=0) -> paddle.argmin(x, axis)
argsort(input, axis=-1, descending=False, name=None)
    -> sorted_with_places(input, axis, descending)  # paddle.sort, paddle.argsort
has_inf(x) -> WHOLE["reduce_any"](paddle.isinf(x))  # paddle.isinf(x).any()
has_nan(x) -> WHOLE["reduce_any"](paddle.isnan(x))  # paddle.isnan(x).any()
is_empty(x, cond=None) -> paddle.is_empty(x)
isfinite(x) -> WHOLE["reduce_all"](paddle.isfinite(x))  # paddle.isfinite(x).all()
logsumexp(x, dim=None, keepdim=False, out=None, name=None) -> paddle.logsumexp(x, dim, keepdim)
mean(x, name=None) -> WHOLE["mean"](x)  # paddle.mean(x)
rank(input) -> paddle.rank(input)
reduce_all(input, dim=None, keep_dim=False, name=None)
    -> reduced("all", input, dim, keep_dim)  # paddle.all(input, dim, keepdim=keep_dim)
reduce_any(input, dim=None, keep_dim=False, name=None)
    -> reduced("any", input, dim, keep_dim)  # paddle.any(input, dim, keepdim=keep_dim)
reduce_max(input, dim=None, keep_dim=False, name=None)
    -> reduced("max", input, dim, keep_dim)  # paddle.max(input, dim, keepdim=keep_dim)
reduce_mean(input, dim=None, keep_dim=False, name=None)
    -> reduced("mean", input, dim, keep_dim)  # paddle.mean(input, dim, keepdim=keep_dim)
reduce_min(input, dim=None, keep_dim=False, name=None)
    -> reduced("min", input, dim, keep_dim)  # paddle.min(input, dim, keepdim=keep_dim)
reduce_prod(input, dim=None, keep_dim=False, name=None)
    -> reduced("prod", input, dim, keep_dim)  # paddle.prod(input, dim, keepdim=keep_dim)
reduce_sum(input, dim=None, keep_dim=False, name=None)
    -> reduced("sum", input, dim, keep_dim)  # paddle.sum(input, dim, keepdim=keep_dim)
shape(input) -> shape_32(input)  # paddle.shape(input)
size(input) -> paddle.numel(input)
sum(x) -> added(x)  # paddle.add_n(x)
sums(input, out=None) -> added(input)  # paddle.add_n(input)
topk(input, k, name=None) -> paddle.topk(input, k)
unique(x, dtype='int32') -> distinct(x, dtype)  # paddle.unique(x, return_inverse=True)
unique_with_counts(x, dtype='int32')
    -> distinct(x, dtype, counted=True)  # paddle.unique(x, return_counts=True)
where(condition) -> paddle.nonzero(condition)
nonzero(input, as_tuple=False) -> paddle.nonzero(input, as_tuple)
""",
)
