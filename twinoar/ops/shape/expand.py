"""Elements repeated as a whole: expand, tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    function,
    loop,
    primitive,
)
from twinoar.core.op.explain import told
from twinoar.core.spec import broadcast
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import Sizes, shape_from, sizes
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
