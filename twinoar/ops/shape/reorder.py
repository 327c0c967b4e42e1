"""Views of other shapes and orders: rot90, permute, unflatten, narrow, crop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.op.declare import Tensor, function, normalize_axis
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops._sizes import size, sizes
from twinoar.ops.create.fill import identity
from twinoar.ops.shape.reshape import reshape_op, swapaxes, transpose
from twinoar.ops.shape.roll import flip
from twinoar.ops.shape.slice import slice_op


@function(method=True)
def rot90(x: Tensor, k: int = 1, axes: Sequence[int] = (0, 1)) -> Tensor:
    """x turned k times by 90 degrees, from the first axis towards the second.

    >>> twinoar.rot90(twinoar.to_tensor([[1, 2], [3, 4]])).tolist()
    [[2, 4], [1, 3]]
    """
    if len(axes) != 2:
        raise ArgumentError(f"axes must be two, received {list(axes)}")
    first, second = (normalize_axis(a, x.ndim, "axes") for a in axes)
    if first == second:
        raise AxisError(f"axes must differ, received {list(axes)}", cure="name two dimensions")
    if k % 4 == 0:
        return x
    if k % 4 == 2:
        return flip(x, [first, second])
    if k % 4 == 1:
        return swapaxes(flip(x, second), first, second)
    return flip(swapaxes(x, first, second), second)


@function(method=True)
def reverse(x: Tensor, axis: Any) -> Tensor:
    """x backwards along one or several axes. See `flip`.

    >>> twinoar.reverse(twinoar.to_tensor([1, 2]), 0).tolist()
    [2, 1]
    """
    return flip(x, axis)


@function(method=True, named=False)
def ravel(input: Tensor) -> Tensor:
    """The elements of x as a vector.

    >>> twinoar.ravel(twinoar.to_tensor([[1, 2]])).tolist()
    [1, 2]
    """
    return reshape_op(input, (-1,))


@function(method=True, named=False)
def permute(input: Tensor, dims: Any, *more: int) -> Tensor:
    """x with its dimensions in the order of `dims`. See `transpose`.

    >>> twinoar.permute(twinoar.zeros([2, 3]), [1, 0]).shape
    [3, 2]
    """
    return transpose(input, [dims, *more] if more else dims)


@function(method=True)
def matrix_transpose(x: Tensor) -> Tensor:
    """x with its last two dimensions exchanged.

    >>> twinoar.matrix_transpose(twinoar.zeros([4, 2, 3])).shape
    [4, 3, 2]
    """
    if x.ndim < 2:
        raise ShapeError(f"x must have 2 dimensions or more, received {x.spec}")
    return swapaxes(x, -1, -2)


@function(method=True, named=False)
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """`length` slices of x along a dimension, from `start` on.

    >>> twinoar.narrow(twinoar.arange(5), 0, 1, 2).tolist()
    [1, 2]
    """
    axis = normalize_axis(dim, input.ndim, "dim")
    n: Any = input.spec.shape[axis]
    first: Any = size(start, "start")
    first = first + n if first < 0 else first
    if length < 0 or first < 0 or first + length > n:
        raise ArgumentError(
            f"start {start} and length {length} leave the dimension {dim}, which has size {n}"
        )
    return slice_op(input, (axis,), (first,), (first + length,))


@function(method=True)
def unflatten(x: Tensor, axis: int, shape: Any) -> Tensor:
    """x with one dimension as several, whose sizes `shape` gives; one may be -1.

    >>> twinoar.unflatten(twinoar.zeros([2, 6]), 1, [3, -1]).shape
    [2, 3, 2]
    """
    at = normalize_axis(axis, x.ndim)
    own = x.spec.shape
    parts: Any = sizes(shape)
    if -1 in parts:
        known = math.prod(d for d in parts if d != -1)
        parts = tuple(own[at] // known if d == -1 else d for d in parts)
    return reshape_op(x, (*own[:at], *parts, *own[at + 1 :]))


@function
def crop(x: Tensor, shape: Any = None, offsets: Any = None) -> Tensor:
    """The part of x that starts at `offsets`, zeros by default, and has the sizes `shape`.

    shape: -1 is all that is there from the offset on; None is -1 everywhere. Raises ArgumentError.

    >>> twinoar.crop(twinoar.to_tensor([[1, 2], [3, 4]]), [1, -1], [1, 0]).tolist()
    [[3, 4]]
    """
    starts: Any = sizes(offsets, "offsets") if offsets is not None else (0,) * x.ndim
    wanted: Any = sizes(shape) if shape is not None else (-1,) * x.ndim
    if len(starts) != x.ndim or len(wanted) != x.ndim:
        raise ArgumentError(f"expected a size and an offset for each dimension of {x.spec}")
    own = x.spec.shape
    ends = [n if d == -1 else s + d for n, d, s in zip(own, wanted, starts, strict=True)]
    for n, s, e in zip(own, starts, ends, strict=True):
        if isinstance(n, int) and isinstance(e, int) and not 0 <= s <= e <= n:
            raise ArgumentError(f"the part from {s} to {e} is not within the size {n}")
    return identity(slice_op(x, tuple(range(x.ndim)), starts, tuple(ends)))
