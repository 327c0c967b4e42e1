"""Tensors put together and taken apart by rows and columns: hstack, vstack, hsplit and kin."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from twinoar.core.op.declare import Tensor, function, normalize_axis
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import size
from twinoar.ops.shape.concat import concat_op, split
from twinoar.ops.shape.reshape import reshape_op, unsqueeze_op
from twinoar.ops.shape.slice import slice_op


def _each(function: Any, inputs: tuple[Any, ...]) -> Any:
    """`function` of one tensor, or of each of several as a list."""
    if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)):
        inputs = tuple(inputs[0])
    found = [function(x) for x in inputs]
    return found[0] if len(found) == 1 else found


def _at_least_1(x: Tensor) -> Tensor:
    return reshape_op(x, (1,)) if x.ndim == 0 else x


def at_least_2(x: Tensor) -> Tensor:
    x = _at_least_1(x)
    return unsqueeze_op(x, (0,)) if x.ndim == 1 else x


def _at_least_3(x: Tensor) -> Tensor:
    x = at_least_2(x)
    return unsqueeze_op(x, (2,)) if x.ndim == 2 else x


@function(method=True)
def atleast_1d(*inputs: Tensor) -> Tensor | list[Tensor]:
    """Tensors with a dimension at least: [] becomes [1]. Several give a list.

    >>> twinoar.atleast_1d(twinoar.to_tensor(3)).tolist()
    [3]
    """
    return _each(_at_least_1, inputs)


@function(method=True)
def atleast_2d(*inputs: Tensor) -> Tensor | list[Tensor]:
    """Tensors with two dimensions at least: [n] becomes [1,n]. Several give a list.

    >>> twinoar.atleast_2d(twinoar.to_tensor([3, 4])).tolist()
    [[3, 4]]
    """
    return _each(at_least_2, inputs)


@function(method=True)
def atleast_3d(*inputs: Tensor) -> Tensor | list[Tensor]:
    """Tensors with three dimensions at least: [n] becomes [1,n,1], [m,n] [m,n,1].

    >>> twinoar.atleast_3d(twinoar.to_tensor([3, 4])).tolist()
    [[[3], [4]]]
    """
    return _each(_at_least_3, inputs)


@function
def hstack(x: Sequence[Tensor]) -> Tensor:
    """Tensors side by side: joined along the second dimension, vectors along their only one.

    >>> twinoar.hstack([twinoar.to_tensor([1]), twinoar.to_tensor([2, 3])]).tolist()
    [1, 2, 3]
    """
    parts = [_at_least_1(part) for part in x]
    if not parts:
        raise ArgumentError("expected at least one tensor", cure="pass a list with tensors")
    return concat_op(parts, 0 if parts[0].ndim == 1 else 1)


@function
def vstack(x: Sequence[Tensor]) -> Tensor:
    """Tensors below each other: joined along the first dimension, vectors as rows.

    >>> twinoar.vstack([twinoar.to_tensor([1, 2]), twinoar.to_tensor([3, 4])]).tolist()
    [[1, 2], [3, 4]]
    """
    return concat_op([at_least_2(part) for part in x], 0)


@function
def row_stack(x: Sequence[Tensor]) -> Tensor:
    """Tensors below each other. See `vstack`.

    >>> twinoar.row_stack([twinoar.to_tensor([1, 2]), twinoar.to_tensor([3, 4])]).tolist()
    [[1, 2], [3, 4]]
    """
    return vstack(x)


@function
def dstack(x: Sequence[Tensor]) -> Tensor:
    """Tensors behind each other: joined along the third dimension.

    >>> twinoar.dstack([twinoar.to_tensor([1, 2]), twinoar.to_tensor([3, 4])]).tolist()
    [[[1, 3], [2, 4]]]
    """
    return concat_op([_at_least_3(part) for part in x], 2)


@function
def column_stack(x: Sequence[Tensor]) -> Tensor:
    """Tensors side by side, vectors as columns.

    >>> twinoar.column_stack([twinoar.to_tensor([1, 2]), twinoar.to_tensor([3, 4])]).tolist()
    [[1, 3], [2, 4]]
    """
    columns = [part if part.ndim > 1 else reshape_op(part, (-1, 1)) for part in x]
    return concat_op(columns, 1)


@function
def concatenate(x: Sequence[Tensor], axis: Any = 0) -> Tensor:
    """Tensors joined along an axis. See `concat`.

    >>> twinoar.concatenate([twinoar.to_tensor([1]), twinoar.to_tensor([2])]).tolist()
    [1, 2]
    """
    return concat_op(x, size(axis, "axis"))


def _split_at(x: Tensor, cuts: Sequence[int], axis: int) -> list[Tensor]:
    n = x.spec.shape[axis]
    ends = [0, *(min(max(c + n if c < 0 else c, 0), n) for c in cuts), n]
    pairs = itertools.pairwise(ends)
    return [slice_op(x, (axis,), (a,), (max(a, b),)) for a, b in pairs]


@function(method=True)
def tensor_split(x: Tensor, num_or_indices: Any, axis: Any = 0) -> list[Tensor]:
    """Parts of x along an axis: a number of parts, the first ones longer by one where it does not
    divide, or the positions at which to cut.

    x: [*]. Returns a list. Raises AxisError, ArgumentError.

    >>> [part.tolist() for part in twinoar.tensor_split(twinoar.arange(5), 2)]
    [[0, 1, 2], [3, 4]]
    """
    at: Any = normalize_axis(size(axis, "axis"), x.ndim)  # type: ignore[arg-type]  # a number
    if isinstance(num_or_indices, (list, tuple)):
        return _split_at(x, [int(i) for i in num_or_indices], at)
    count, n = int(num_or_indices), x.spec.shape[at]
    if count < 1:
        raise ArgumentError(f"num_or_indices must be 1 or more, received {count}")
    sections = tuple(n // count + (i < n % count) for i in range(count))
    return split(x, list(sections), at)


def _split_along(x: Tensor, num_or_indices: Any, axis: int, kind: str) -> list[Tensor]:
    least = axis + 1
    if x.ndim < least:
        raise ShapeError(f"{kind} wants {least} dimensions or more, received {x.spec}")
    return tensor_split(x, num_or_indices, axis)


@function(method=True)
def hsplit(x: Tensor, num_or_indices: Any) -> list[Tensor]:
    """Parts of x along the second dimension, the first of vectors. See `tensor_split`.

    >>> [part.tolist() for part in twinoar.hsplit(twinoar.arange(4), 2)]
    [[0, 1], [2, 3]]
    """
    return _split_along(x, num_or_indices, 0 if x.ndim == 1 else 1, "hsplit")


@function(method=True)
def vsplit(x: Tensor, num_or_indices: Any) -> list[Tensor]:
    """Parts of x along the first dimension. See `tensor_split`.

    >>> [part.tolist() for part in twinoar.vsplit(twinoar.to_tensor([[1], [2]]), 2)]
    [[[1]], [[2]]]
    """
    if x.ndim < 2:
        raise ShapeError(f"vsplit wants 2 dimensions or more, received {x.spec}")
    return _split_along(x, num_or_indices, 0, "vsplit")


@function(method=True)
def dsplit(x: Tensor, num_or_indices: Any) -> list[Tensor]:
    """Parts of x along the third dimension. See `tensor_split`.

    >>> [part.tolist() for part in twinoar.dsplit(twinoar.to_tensor([[[1, 2]]]), 2)]
    [[[[1]]], [[[2]]]]
    """
    return _split_along(x, num_or_indices, 2, "dsplit")
