"""Views whose elements strides find in the order of another tensor: `as_strided`, `unfold`."""

from __future__ import annotations

from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.op.declare import Tensor, function, normalize_axis
from twinoar.core.op.view import Step
from twinoar.errors import ArgumentError
from twinoar.ops._sizes import sizes
from twinoar.ops.create.range import arange
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.gather_nd import index_put_op
from twinoar.ops.shape.reshape import moveaxis, reshape_op, unsqueeze_op


@function(method=True)
def unfold(x: Tensor, axis: int, size: int, step: int) -> Tensor:
    """Windows of `size` slices along an axis, `step` apart, as a new last dimension: a view.

    x: [*]. Returns the shape with the number of windows in place of the axis, and `size` at the
    end. Raises AxisError, ArgumentError.

    >>> twinoar.unfold(twinoar.arange(5), 0, 3, 2).tolist()
    [[0, 1, 2], [2, 3, 4]]
    """
    at = normalize_axis(axis, x.ndim)
    n = x.spec.shape[at]
    if size < 1 or step < 1 or (isinstance(n, int) and size > n):
        raise ArgumentError(f"size {size} and step {step} do not fit an axis of size {n}")
    count = (n - size) // step + 1
    shape = x.spec.shape

    def places() -> Tensor:
        starts = unsqueeze_op(arange(0, count) * step, (1,))
        return reshape_op(starts + arange(0, size), (-1,))

    def read(base: Tensor) -> Tensor:
        windows = reshape_op(
            gather_op(base, places(), at), (*shape[:at], count, size, *shape[at + 1 :])
        )
        return moveaxis(windows, at + 1, -1)

    def write(base: Tensor, part: Tensor) -> Tensor:
        rows = moveaxis(moveaxis(part, -1, at + 1), [at, at + 1], [0, 1])
        rows = reshape_op(rows, (-1, *shape[:at], *shape[at + 1 :]))
        return moveaxis(index_put_op(moveaxis(base, at, 0), rows, [places()]), 0, at)

    return _view(x, Step(read, write))


@function(method=True)
def as_strided(x: Tensor, shape: Any, stride: Any, offset: int = 0) -> Tensor:
    """The elements of x, in order, at `offset` plus the sum of index times `stride`: a view.

    x: [*]. Returns `shape`. Raises ArgumentError where a position is beyond x.

    >>> twinoar.as_strided(twinoar.arange(4), [2, 2], [1, 2]).tolist()
    [[0, 2], [1, 3]]
    """
    dims, strides = list(sizes(shape)), list(sizes(stride, "stride"))
    if len(dims) != len(strides):
        raise ArgumentError(f"shape {dims} and stride {strides} must have one length")
    last: Any = offset + sum((d - 1) * s for d, s in zip(dims, strides, strict=True))
    if isinstance(last, int) and isinstance(x.size, int) and not 0 <= last < max(x.size, 1):
        raise ArgumentError(f"the last position is {last}, x has {x.size} elements")

    def places() -> Tensor:
        found = arange(0, 1) + offset
        for d, s in zip(dims, strides, strict=True):
            found = unsqueeze_op(found, (-1,)) + arange(0, d) * s
        return reshape_op(found, (-1,))

    def read(base: Tensor) -> Tensor:
        return reshape_op(gather_op(reshape_op(base, (-1,)), places()), tuple(dims))

    def write(base: Tensor, part: Tensor) -> Tensor:
        flat = index_put_op(reshape_op(base, (-1,)), reshape_op(part, (-1,)), [places()])
        return reshape_op(flat, base.spec.shape)

    return _view(x, Step(read, write))


def _view(x: Tensor, step: Step) -> Any:
    return current().share(x, step.read(x), step)
