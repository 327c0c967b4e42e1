"""Reductions, and what orders elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.onnx.table import Known, ints, node


def _sum_of_squares(x: Any, axis: Any, keepdim: bool) -> Any:
    return paddle.sum(x * x, axis, keepdim=keepdim)


def _norm_1(x: Any, axis: Any, keepdim: bool) -> Any:
    return paddle.sum(paddle.abs(x), axis, keepdim=keepdim)


def _norm_2(x: Any, axis: Any, keepdim: bool) -> Any:
    return paddle.sqrt(_sum_of_squares(x, axis, keepdim))


def _log_sum(x: Any, axis: Any, keepdim: bool) -> Any:
    return paddle.log(paddle.sum(x, axis, keepdim=keepdim))


def _extreme(function: Callable) -> Callable:
    def computed(x: Any, axis: Any, keepdim: bool) -> Any:
        if x.dtype == paddle.bool:
            return function(x.astype("int32"), axis, keepdim).astype("bool")
        return function(x, axis, keepdim)

    return computed


def _all(function: Callable) -> Callable:
    return lambda x, axis, keepdim: function(x, axis=axis, keepdim=keepdim)


def _least(x: Any) -> Any:
    if x.dtype.is_floating:
        return -np.inf
    return 0 if x.dtype == paddle.bool else paddle.iinfo(x.dtype).min


def _most(x: Any) -> Any:
    if x.dtype.is_floating:
        return np.inf
    return 1 if x.dtype == paddle.bool else paddle.iinfo(x.dtype).max


# What a reduction of nothing gives where the function refuses it.
REDUCTIONS: dict[str, tuple[Callable, Callable | None]] = {
    "ReduceSum": (_all(paddle.sum), None),
    "ReduceMean": (_all(paddle.mean), None),
    "ReduceProd": (_all(paddle.prod), None),
    "ReduceMax": (_extreme(_all(paddle.max)), _least),
    "ReduceMin": (_extreme(_all(paddle.min)), _most),
    "ReduceL1": (_norm_1, None),
    "ReduceL2": (_norm_2, None),
    "ReduceSumSquare": (_sum_of_squares, None),
    "ReduceLogSum": (_log_sum, None),
    "ReduceLogSumExp": (_all(paddle.logsumexp), lambda x: -np.inf),
}


def _declare(type: str, function: Callable, empty: Callable | None, since: int) -> None:
    def reduced(x: Any, axes: list[int] | None, keepdims: int, is_noop: int) -> Any:
        if not axes and is_noop:
            axes = []
            return function(paddle.unsqueeze(x, [0]), [0], False)
        axis = (
            sorted({a % max(len(x.shape), 1) for a in axes}) if axes else list(range(len(x.shape)))
        )
        if not axis:
            return function(x.reshape([1]), [0], False)
        if empty is not None and any(x.shape[a] == 0 for a in axis):
            kept = [1 if n in axis else d for n, d in enumerate(x.shape)]
            shape = kept if keepdims else [d for n, d in enumerate(x.shape) if n not in axis]
            return paddle.full(shape, empty(x), x.dtype)
        return function(x, axis, bool(keepdims)).astype(x.dtype)

    def by_attribute(x: Any, *, axes: list | None = None, keepdims: int = 1) -> Any:
        return reduced(x, axes, keepdims, 0)

    def by_operand(
        x: Any, axes: Known | None = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
    ) -> Any:
        return reduced(x, ints(axes), keepdims, noop_with_empty_axes)

    node(type)(by_attribute)
    node(type, since=since)(by_operand)


for _type, (_function, _empty) in REDUCTIONS.items():
    _declare(_type, _function, _empty, 13 if _type == "ReduceSum" else 18)


def _argument(function: Callable) -> Callable:
    def found(x: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
        if not select_last_index:
            return function(x, axis, bool(keepdims))
        last = function(paddle.flip(x, [axis]), axis, bool(keepdims))
        return x.shape[axis] - 1 - last

    return found


node("ArgMax")(_argument(paddle.argmax))
node("ArgMin")(_argument(paddle.argmin))


@node("TopK")
def top_k_of_attribute(x: Any, *, k: int, axis: int = -1) -> Any:
    return paddle.topk(x, k, axis)


@node("TopK", since=10)
def top_k(x: Any, k: Known, *, axis: int = -1, largest: int = 1, sorted: int = 1) -> Any:
    values, index = paddle.topk(x, int(k.reshape(-1)[0]), axis, bool(largest))
    return values, index


@node("Unique")
def unique(x: Any, *, axis: int | None = None, sorted: int = 1) -> Any:
    values, first, inverse, counts = paddle.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=axis
    )
    if not sorted:
        order = paddle.argsort(first)
        rank = paddle.argsort(order)
        values = paddle.index_select(values, order, axis or 0)
        first, counts = first[order], counts[order]
        inverse = rank[inverse]
    return values, first, inverse.reshape([-1]), counts


@node("NonZero")
def nonzero(x: Any) -> Any:
    if not x.shape:
        return paddle.nonzero(x.reshape([1])).transpose([1, 0])[:0]
    return paddle.nonzero(x).transpose([1, 0])
