"""Parts of tensors replaced or added to: scatter_nd, scatter_add, index_fill and kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.op.declare import Tensor, Value, function, normalize_axis
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.create.fill import zeros
from twinoar.ops.index.along_axis import put_along_axis
from twinoar.ops.index.diagonal import diagonal, place_diagonal
from twinoar.ops.index.gather import gather_op, scatter_op
from twinoar.ops.index.gather_nd import index_put_op, scatter_nd_add
from twinoar.ops.math.cast import as_element, astype, broadcast_to
from twinoar.ops.math.fill import number_of
from twinoar.ops.math.select import clip, select
from twinoar.ops.reduce.cumulative_sum import cumsum_op
from twinoar.ops.shape.reshape import reshape_op, unsqueeze_op
from twinoar.ops.shape.slice import set_slice


@function
def scatter_nd(index: Tensor, updates: Tensor, shape: Any) -> Tensor:
    """Zeros of `shape` with `updates` added at the positions `index`. See `scatter_nd_add`.

    >>> index, updates = twinoar.to_tensor([[1], [1]]), twinoar.to_tensor([2.0, 3.0])
    >>> twinoar.scatter_nd(index, updates, [3]).tolist()
    [0.0, 5.0, 0.0]
    """
    return scatter_nd_add(zeros(shape, updates.dtype), index, updates)


@function(method=True, inplace=True)
def index_fill(x: Tensor, index: Tensor, axis: int, value: Any) -> Tensor:
    """x with the slices at the positions `index`, [k], along an axis filled with a number.

    >>> twinoar.index_fill(twinoar.zeros([3]), twinoar.to_tensor([0, 2]), 0, 1.0).tolist()
    [1.0, 0.0, 1.0]
    """
    at = normalize_axis(axis, x.ndim)
    filling = as_element(value if isinstance(value, Value) else number_of(value), x.dtype)
    if at == 0 and index.ndim == 1:
        return index_put_op(x, filling, [index])
    n = x.spec.shape[at]
    marked = scatter_op(zeros([n], "int32"), index, zeros(index.shape, "int32") + 1)
    shape = tuple(n if i == at else 1 for i in range(x.ndim))
    chosen = reshape_op(marked, shape) != 0
    return select(broadcast_to(chosen, x.spec.shape), filling, x)


@function(method=True, inplace=True)
def masked_scatter(x: Tensor, mask: Tensor, value: Tensor) -> Tensor:
    """x with its elements where `mask` is true replaced by those of `value`, in order.

    mask: bool; it broadcasts to x. value: as many elements as are replaced, or more. Returns [*].
    Raises ArgumentError where there are fewer.

    >>> x, value = twinoar.zeros([3]), twinoar.to_tensor([5.0, 6.0])
    >>> twinoar.masked_scatter(x, twinoar.to_tensor([True, False, True]), value).tolist()
    [5.0, 0.0, 6.0]
    """
    chosen = broadcast_to(mask, x.spec.shape)
    order = cumsum_op(astype(reshape_op(chosen, (-1,)), "int64"), 0) - 1
    places = clip(order, 0, value.size - 1)
    taken = gather_op(reshape_op(value, (-1,)), places)
    return select(chosen, reshape_op(taken, x.spec.shape), x)


@function(method=True)
def select_scatter(x: Tensor, values: Tensor, axis: int, index: int) -> Tensor:
    """x with the slice at `index` along an axis replaced by `values`, which lack the axis.

    >>> twinoar.select_scatter(twinoar.zeros([2, 2]), twinoar.ones([2]), 0, 1).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    at = normalize_axis(axis, x.ndim)
    n: Any = x.spec.shape[at]
    place = index + n if index < 0 else index
    _require_shape(values, (*x.spec.shape[:at], *x.spec.shape[at + 1 :]), "values")
    new = unsqueeze_op(astype(values, x.dtype), (at,))
    return set_slice(x, new, (at,), (place,), (place + 1,), (1,))


def _require_shape(x: Tensor, shape: tuple[Any, ...], name: str) -> None:
    if x.spec.shape != shape:
        raise ShapeError(f"{name} must have shape {list(shape)}, received {x.spec}")


@function(method=True)
def slice_scatter(
    x: Tensor,
    value: Tensor,
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    strides: Sequence[int],
) -> Tensor:
    """x with x[starts:ends:strides] along `axes` replaced by `value`.

    >>> twinoar.slice_scatter(twinoar.zeros([4]), twinoar.ones([2]), [0], [0], [4], [2]).tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    part = tuple(map(tuple, (axes, starts, ends, strides)))
    return set_slice(x, astype(value, x.dtype), *part)


@function(method=True)
def diagonal_scatter(
    x: Tensor, y: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Tensor:
    """x with a diagonal of the dimensions `axis1` and `axis2` replaced by y.

    y: [...,d], as `diagonal` gives it. Raises ShapeError, AxisError.

    >>> twinoar.diagonal_scatter(twinoar.zeros([2, 2]), twinoar.to_tensor([1.0, 2.0])).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    _require_shape(y, diagonal(x, offset, axis1, axis2).spec.shape, "y")
    shape = x.spec.shape
    ones = zeros(y.shape, "int32") + 1
    is_placed = place_diagonal(ones, shape, offset, axis1, axis2) != 0
    new = place_diagonal(astype(y, x.dtype), shape, offset, axis1, axis2)
    return select(is_placed, new, x)


@function(method=True)
def fill_diagonal_tensor(
    x: Tensor, y: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """x with a diagonal replaced by y. See `diagonal_scatter`.

    >>> twinoar.zeros([2, 2]).fill_diagonal_tensor(twinoar.ones([2])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return diagonal_scatter(x, y, offset, dim1, dim2)


@function(method=True, inplace=True, named=False)
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """input with the elements of src added at the positions `index` along a dimension.

    >>> index, src = twinoar.to_tensor([0, 0]), twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.scatter_add(twinoar.zeros([2]), 0, index, src).tolist()
    [3.0, 0.0]
    """
    return put_along_axis(input, index, src, dim, "add", True, False)


REDUCTIONS = {"sum": "add", "prod": "multiply", "mean": "mean", "amin": "amin", "amax": "amax"}


@function(method=True, named=False)
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """input with elements of src combined at the positions `index` along a dimension.

    reduce: "sum", "prod", "mean", "amin" or "amax". See `put_along_axis`. Raises ArgumentError.

    >>> index, src = twinoar.to_tensor([0, 0]), twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.scatter_reduce(twinoar.zeros([2]), 0, index, src, "amax").tolist()
    [2.0, 0.0]
    """
    if reduce not in REDUCTIONS:
        raise ArgumentError(f"reduce must be one of {list(REDUCTIONS)}, received {reduce!r}")
    return put_along_axis(input, index, src, dim, REDUCTIONS[reduce], include_self, False)
