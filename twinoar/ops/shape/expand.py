"""Elements repeated: expand, tile, repeat_interleave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    Value,
    function,
    loop,
    normalize_axis,
    op,
    primitive,
)
from twinoar.core.op.explain import told
from twinoar.core.spec import broadcast, may_expand
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import Sizes, shape_from, size, sizes
from twinoar.ops.index._runs import positions_of_runs
from twinoar.ops.index.extent import total_of
from twinoar.ops.index.gather import gather_op
from twinoar.ops.math.cast import broadcast_to as broadcast_op
from twinoar.ops.math.cast import sum_to_shape
from twinoar.ops.shape.reshape import is_free, reshape_op


@function(method=True)
def expand(x: Tensor, shape: Any, *more: int) -> Tensor:
    """x repeated to `shape` by broadcasting; -1 keeps the size of x.

    x: [*]. shape: at least as long as that of x; may be given as so many numbers. Returns `shape`.
    Raises ShapeError.

    >>> twinoar.expand(twinoar.to_tensor([[1], [2]]), [-1, 2]).tolist()
    [[1, 1], [2, 2]]
    """
    return broadcast_op.function(x, _expanded(x, sizes((shape, *more) if more else shape)))


def _expanded(x: Tensor, shape: Sizes) -> Sizes:
    own = x.spec.shape
    lead = len(shape) - len(own)
    if lead < 0 or any(is_free(d) for d in shape[:lead]):
        raise ShapeError(
            f"shape {list(shape)} does not say how to expand x of shape {list(own)}",
            cure="give a size for each new leading dimension, and one or -1 for each of x",
        )
    return tuple(own[i - lead] if is_free(d) else d for i, d in enumerate(shape))


@function(method=True)
def broadcast_to(x: Tensor, shape: Any) -> Tensor:
    """x repeated to `shape` by broadcasting: `expand`. Raises ShapeError.

    >>> twinoar.broadcast_to(twinoar.to_tensor([1, 2]), [2, 2]).tolist()
    [[1, 2], [1, 2]]
    """
    return expand(x, shape)


@function(method=True)
def expand_as(x: Tensor, y: Tensor) -> Tensor:
    """x repeated to the shape of y by broadcasting. Raises ShapeError.

    >>> twinoar.expand_as(twinoar.to_tensor([1, 2]), twinoar.zeros([3, 2])).shape
    [3, 2]
    """
    return broadcast_op.function(x, y.spec.shape)


def _aligned(x: Spec, repeats: tuple[int, ...]) -> tuple[Shape, Shape]:
    """Shape and repeats, the shorter one preceded by ones."""
    ndim = max(x.ndim, len(repeats))
    return (1,) * (ndim - x.ndim) + x.shape, (1,) * (ndim - len(repeats)) + repeats


def _tiled(x: Spec, repeat_times: tuple[int, ...]) -> Spec:
    if any(isinstance(r, int) and r < 0 for r in repeat_times):
        raise ArgumentError(
            f"repeat_times must not be negative, received {list(repeat_times)}",
            cure="give 1 where nothing is repeated",
        )
    shape, repeats = _aligned(x, repeat_times)
    return Spec(tuple(n * r for n, r in zip(shape, repeats, strict=True)), x.dtype)


@primitive(
    name="tile",
    infer=_tiled,
    kernel=lambda x, repeat_times: np.tile(x, repeat_times),
    desc=Desc(
        "tile",
        {"X": "x", "RepeatTimes": None},
        attrs={"repeat_times": "repeat_times"},
        size_slots={"repeat_times": "repeat_times_tensor"},
        read=lambda slots, attrs: tile(
            slots["X"][0],
            shape_from(slots, attrs, "repeat_times", "RepeatTimes", "repeat_times_tensor"),
        ),
    ),
    moves=True,
)
def tile_op(x: Tensor, repeat_times: tuple[int, ...]) -> Tensor:
    """x repeated as a whole along each axis. See `tile`."""


@tile_op.lower
def _(i, x):
    own = i[len(i) - x.ndim :]
    return x[tuple(loop.mod(k, n) for k, n in zip(own, x.shape, strict=True))]


@tile_op.grad
def _(g, specs, repeat_times):
    shape, repeats = _aligned(specs[0], repeat_times)
    pairs = [d for pair in zip(repeats, shape, strict=True) for d in pair]  # r0, n0, r1, n1, ...
    kept = [d for n in shape for d in (1, n)]
    summed = sum_to_shape(reshape_op(g, tuple(pairs)), tuple(kept))
    return reshape_op(summed, specs[0].shape)


@tile_op.samples
def _(s):
    yield s(s.randn(2, 3), (2, 1))
    yield s(s.randn(2, 3), (2,))
    yield s(s.randn(3), (2, 2))
    yield s(s.randn(), (3,))
    yield s(s.randn(2), (0,))
    yield s(s.ints(0, 9, 2), (2,))
    yield s.bad(ArgumentError, "must not be negative", s.randn(2), (-1,))


@function(method=True)
def tile(x: Tensor, repeat_times: Any) -> Tensor:
    """x repeated as a whole along each axis; the shorter of its shape and `repeat_times` is
    preceded by ones.

    >>> twinoar.tile(twinoar.to_tensor([1, 2]), [2, 2]).tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    return tile_op.function(x, sizes(repeat_times, "repeat_times"))


def _repeated(x: Spec, repeats: int, axis: int) -> Spec:
    at = normalize_axis(axis, x.ndim)
    return Spec((*x.shape[:at], x.shape[at] * repeats, *x.shape[at + 1 :]), x.dtype)


@op(
    infer=_repeated,
    kernel=lambda x, repeats, axis: np.repeat(x, repeats, axis),
    desc=Desc(
        "repeat_interleave",
        {"X": "x"},
        attrs={"Repeats": "repeats", "dim": "axis"},
        read=lambda slots, attrs: repeat_interleave(
            slots["X"][0], (slots.get("RepeatsTensor") or [attrs["Repeats"]])[0], attrs["dim"]
        ),
    ),
    moves=True,
)
def repeat_each(x: Tensor, repeats: int, axis: int) -> Tensor:
    """Each slice of x along an axis, `repeats` times. See `repeat_interleave`."""
    at = normalize_axis(axis, x.ndim)
    before, n, after = x.spec.shape[:at], x.spec.shape[at], x.spec.shape[at + 1 :]
    wide = broadcast_op(reshape_op(x, (*before, n, 1, *after)), (*before, n, repeats, *after))
    return reshape_op(wide, (*before, n * repeats, *after))


@repeat_each.samples
def _(s):
    yield s(s.randn(2, 3), 2, 1)
    yield s(s.randn(2, 3), 3, -2)
    yield s(s.randn(2), 1, 0)
    yield s(s.ints(0, 9, 2), 2, 0)


@primitive(
    infer=lambda repeats: Spec((None,), int64),  # type: ignore[arg-type]  # the data decides
    kernel=lambda repeats: _slices_by(np.arange(len(repeats)), repeats, 0),
)
def repeat_index(repeats: Tensor) -> Tensor:
    """Each position i of a vector of counts, counts[i] times: [sum of the counts], int64."""


def _slices_by(x: np.ndarray, repeats: np.ndarray, axis: int) -> np.ndarray:
    total_of(np.broadcast_to(repeats, (x.shape[axis],)), "repeats")  # NumPy's own sum may wrap
    return np.repeat(x, repeats, axis)


@repeat_index.counted
def _(repeats):
    if repeats.ndim != 1 or not repeats.dtype.is_integer:
        return None
    return (yield from positions_of_runs(repeats))


@repeat_index.samples
def _(s):
    yield s(np.array([2, 0, 1]), gradient=False)
    yield s(np.array([200, 100], np.uint8), gradient=False)
    yield s(s.ints(0, 1, 0), gradient=False)
    yield s.bad(ArgumentError, "negative", np.array([2, -1]), static_error=False)


def _repeated_by(x: Spec, repeats: Spec, axis: int) -> Spec:
    at = normalize_axis(axis, x.ndim)
    if not may_expand(repeats.shape, x.shape[at : at + 1]):
        raise ShapeError(
            f"repeats {repeats} must have one count for each slice along dimension {at} of {x}"
        )
    # None: the data decides
    return Spec((*x.shape[:at], None, *x.shape[at + 1 :]), x.dtype)  # type: ignore[arg-type]


@op(
    infer=_repeated_by,
    kernel=lambda x, repeats, axis: _slices_by(x, repeats, axis),
    desc=Desc(
        "repeat_interleave",
        {"X": "x", "RepeatsTensor": "repeats"},
        attrs={"dim": "axis"},
        fixed={"Repeats": 0},
    ),
    moves=True,
)
def repeat_by(x: Tensor, repeats: Tensor, axis: int) -> Tensor:
    """Each slice of x along an axis, as many times as `repeats`, [k], says of it.

    Returns x's shape with the sum of the counts in place of k. See `repeat_interleave`.
    """
    at = normalize_axis(axis, x.ndim)
    return gather_op(x, repeat_index(broadcast_op(repeats, x.spec.shape[at : at + 1])), axis)


@repeat_by.samples
def _(s):
    yield s(s.randn(3, 2), np.array([2, 0, 1]), 0)
    yield s(s.randn(2, 3), np.array([1, 2, 1], np.int32), -1)


@function(method=True)
def repeat_interleave(x: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """Each slice of x along an axis repeated in place.

    repeats: a number, or a vector with one for each slice. Without an axis, x is flattened first.
    Raises AxisError.

    >>> twinoar.repeat_interleave(twinoar.to_tensor([1, 2]), 2).tolist()
    [1, 1, 2, 2]
    """
    if axis is None:
        x, axis = reshape_op(x, (-1,)), 0
    if isinstance(repeats, Value) and repeats.size != 1:
        return repeat_by.function(x, repeats, axis)
    return repeat_each.function(x, size(repeats, "repeats"), axis)


@told
def broadcast_shape(x_shape: Sequence[int], y_shape: Sequence[int]) -> list[int]:
    """The shape that two shapes broadcast to. Raises ShapeError.

    >>> twinoar.broadcast_shape([2, 1], [3])
    [2, 3]
    """
    return broadcast_shapes(x_shape, y_shape)


@told
def broadcast_shapes(*shapes: Sequence[int]) -> list[int]:
    """The shape that all shapes broadcast to. Raises ShapeError.

    >>> twinoar.broadcast_shapes([2, 1], [3], [1, 1, 1])
    [1, 2, 3]
    """
    return list(broadcast(*(sizes(shape) for shape in shapes)))  # type: ignore[arg-type]
