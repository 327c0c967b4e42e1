"""Operators that choose elements by index, or write them there."""

from __future__ import annotations

from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.errors import UnsupportedError
from twinoar.onnx.table import node

REDUCED = {"none": "assign", "add": "add", "mul": "mul", "max": "amax", "min": "amin"}


def _not_negative(index: Any, size: Any) -> Any:
    index = index.astype("int64")
    return paddle.where(index < 0, index + size, index)


@node("Gather")
def gather(x: Any, index: Any, *, axis: int = 0) -> Any:
    axis %= len(x.shape)
    chosen = _not_negative(index, x.shape[axis])
    if len(index.shape) == 1:
        return paddle.index_select(x, chosen, axis)
    found = paddle.index_select(x, chosen.reshape([-1]), axis)
    return found.reshape([*x.shape[:axis], *index.shape, *x.shape[axis + 1 :]])


@node("GatherElements")
def gather_elements(x: Any, index: Any, *, axis: int = 0) -> Any:
    return paddle.take_along_axis(x, _not_negative(index, x.shape[axis]), axis, broadcast=False)


@node("GatherND")
def gather_nd(x: Any, index: Any, *, batch_dims: int = 0) -> Any:
    index = index.astype("int64")
    if not batch_dims:
        return paddle.gather_nd(x, index)
    places = np.meshgrid(*[np.arange(d) for d in x.shape[:batch_dims]], indexing="ij")
    middle = [1] * (len(index.shape) - 1 - batch_dims)
    parts = [
        paddle.broadcast_to(
            paddle.to_tensor(p.astype("int64")).reshape([*p.shape, *middle, 1]),
            [*index.shape[:-1], 1],
        )
        for p in places
    ]
    return paddle.gather_nd(x, paddle.concat([*parts, index], -1))


@node("Scatter", "ScatterElements")
def scatter_elements(
    x: Any, index: Any, updates: Any, *, axis: int = 0, reduction: str = "none"
) -> Any:
    chosen = _not_negative(index, x.shape[axis])
    return paddle.put_along_axis(
        x, chosen, updates, axis, REDUCED[reduction], include_self=True, broadcast=False
    )


@node("ScatterND")
def scatter_nd(x: Any, index: Any, updates: Any, *, reduction: str = "none") -> Any:
    index = index.astype("int64")
    depth = index.shape[-1]
    sizes = paddle.to_tensor(np.asarray(x.shape[:depth], "int64"))
    index = paddle.where(index < 0, index + sizes, index)
    if reduction == "add":
        return paddle.scatter_nd_add(x, index, updates)
    places = [index[..., n] for n in range(depth)]
    if reduction == "none":
        return paddle.index_put(x, places, updates)
    # Along one dimension, so that repeated places meet in one reduction.
    flat = places[0] * 0
    for n, place in enumerate(places):
        flat = flat * x.shape[n] + place
    rest = list(x.shape[depth:])
    rows = x.reshape([int(np.prod(x.shape[:depth])), -1])
    given = updates.reshape([int(np.prod(flat.shape)), -1])
    chosen = paddle.broadcast_to(flat.reshape([-1, 1]), given.shape)
    found = paddle.put_along_axis(rows, chosen, given, 0, REDUCED[reduction], broadcast=False)
    return found.reshape([*x.shape[:depth], *rest])


@node("Compress")
def compress(x: Any, condition: Any, *, axis: int | None = None) -> Any:
    if axis is None:
        x, axis = x.reshape([-1]), 0
    index = paddle.nonzero(condition).reshape([-1])
    return paddle.index_select(x, index, axis)


@node("TensorScatter")
def tensor_scatter(
    cache: Any, update: Any, places: Any = None, *, mode: str = "linear", axis: int = -2
) -> Any:
    axis %= len(cache.shape)
    count, size = update.shape[axis], cache.shape[axis]
    start = paddle.zeros([cache.shape[0]], "int64") if places is None else places.astype("int64")
    index = start.reshape([-1, 1]) + paddle.arange(count).reshape([1, -1])
    if mode == "circular":
        index = index % size
    elif mode != "linear":
        raise UnsupportedError(f"expected mode linear or circular, received {mode!r}")
    shape = [1] * len(cache.shape)
    shape[0], shape[axis] = cache.shape[0], count
    index = paddle.broadcast_to(index.reshape(shape), update.shape)
    return paddle.put_along_axis(cache, index, update, axis, broadcast=False)
