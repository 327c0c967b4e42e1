"""Views of other shapes, and parts of tensors replaced: rot90, unflatten, crop, scatter and kin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import bool_, int32, int64
from twinoar.core.explain import explained
from twinoar.core.spec import normalize_axis
from twinoar.core.values import Value, inplace, method
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops.along_axis import put_along_axis, take_along_axis
from twinoar.ops.cast import as_element, astype, broadcast_to, in_dtype, sum_to_shape
from twinoar.ops.compare import less_than
from twinoar.ops.create import identity, number_of, zeros
from twinoar.ops.diagonal import diag, diagonal, place_diagonal
from twinoar.ops.gather import gather_op, scatter_op
from twinoar.ops.gather_nd import gather_nd, scatter_nd_add
from twinoar.ops.join import stack_op
from twinoar.ops.logical import logical_and
from twinoar.ops.mask import nonzero_op
from twinoar.ops.reduce import sum_op
from twinoar.ops.roll import flip
from twinoar.ops.scan import cumsum_op
from twinoar.ops.select import clip, select
from twinoar.ops.sequence import arange
from twinoar.ops.shape import (
    reshape_op,
    swapaxes,
    transpose,
    unsqueeze_op,
)
from twinoar.ops.size import size, sizes
from twinoar.ops.slice import set_slice, slice_op

Tensor = Value


@explained
@method("trace")
def trace(
    x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None
) -> Tensor:
    """The sum of the diagonal of the matrices in the dimensions `axis1` and `axis2`.

    x: [*], two dimensions or more. offset: which diagonal, above the main one where positive.
    Returns the shape without the two dimensions. Raises AxisError.

    >>> import twinoar
    >>> twinoar.trace(twinoar.to_tensor([[1, 2], [3, 4]])).item()
    5
    """
    return in_dtype(sum_op(diagonal(x, offset, axis1, axis2), (-1,)), x.dtype, name)


@explained
@method("rot90")
def rot90(x: Tensor, k: int = 1, axes: Sequence[int] = (0, 1), name: str | None = None) -> Tensor:
    """x turned k times by 90 degrees, from the first axis towards the second.

    >>> import twinoar
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
        return flip(x, [first, second], name=name)
    if k % 4 == 1:
        return swapaxes(flip(x, second), first, second, name=name)
    return flip(swapaxes(x, first, second), second, name=name)


@explained
@method("reverse")
def reverse(x: Tensor, axis: Any, name: str | None = None) -> Tensor:
    """x backwards along one or several axes. See `flip`.

    >>> import twinoar
    >>> twinoar.reverse(twinoar.to_tensor([1, 2]), 0).tolist()
    [2, 1]
    """
    return flip(x, axis, name=name)


@explained
@method("ravel")
def ravel(input: Tensor) -> Tensor:
    """The elements of x as a vector.

    >>> import twinoar
    >>> twinoar.ravel(twinoar.to_tensor([[1, 2]])).tolist()
    [1, 2]
    """
    return reshape_op(input, (-1,))


@explained
@method("permute")
def permute(input: Tensor, dims: Any, *more: int) -> Tensor:
    """x with its dimensions in the order of `dims`. See `transpose`.

    >>> import twinoar
    >>> twinoar.permute(twinoar.zeros([2, 3]), [1, 0]).shape
    [3, 2]
    """
    return transpose(input, [dims, *more] if more else dims)


@explained
@method("matrix_transpose")
def matrix_transpose(x: Tensor, name: str | None = None) -> Tensor:
    """x with its last two dimensions exchanged.

    >>> import twinoar
    >>> twinoar.matrix_transpose(twinoar.zeros([4, 2, 3])).shape
    [4, 3, 2]
    """
    if x.ndim < 2:
        raise ShapeError(f"x must have 2 dimensions or more, received {x.spec}")
    return swapaxes(x, -1, -2, name=name)


@explained
@method("narrow")
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """`length` slices of x along a dimension, from `start` on.

    >>> import twinoar
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


@explained
@method("unflatten")
def unflatten(x: Tensor, axis: int, shape: Any, name: str | None = None) -> Tensor:
    """x with one dimension as several, whose sizes `shape` gives; one may be -1.

    >>> import twinoar
    >>> twinoar.unflatten(twinoar.zeros([2, 6]), 1, [3, -1]).shape
    [2, 3, 2]
    """
    at = normalize_axis(axis, x.ndim)
    own = x.spec.shape
    parts: Any = sizes(shape)
    if -1 in parts:
        known = math.prod(d for d in parts if d != -1)
        parts = tuple(own[at] // known if d == -1 else d for d in parts)
    return reshape_op(x, (*own[:at], *parts, *own[at + 1 :]), name=name)


@explained
def crop(x: Tensor, shape: Any = None, offsets: Any = None, name: str | None = None) -> Tensor:
    """The part of x that starts at `offsets`, zeros by default, and has the sizes `shape`.

    shape: -1 is all that is there from the offset on; None is -1 everywhere. Raises ArgumentError.

    >>> import twinoar
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
    return identity(slice_op(x, tuple(range(x.ndim)), starts, tuple(ends), name=name))


@explained
def scatter_nd(index: Tensor, updates: Tensor, shape: Any, name: str | None = None) -> Tensor:
    """Zeros of `shape` with `updates` added at the positions `index`. See `scatter_nd_add`.

    >>> import twinoar
    >>> index, updates = twinoar.to_tensor([[1], [1]]), twinoar.to_tensor([2.0, 3.0])
    >>> twinoar.scatter_nd(index, updates, [3]).tolist()
    [0.0, 5.0, 0.0]
    """
    return scatter_nd_add(zeros(shape, updates.dtype), index, updates, name=name)


@inplace
@explained
@method("index_fill")
def index_fill(x: Tensor, index: Tensor, axis: int, value: Any, name: str | None = None) -> Tensor:
    """x with the slices at the positions `index`, [k], along an axis filled with a number.

    >>> import twinoar
    >>> twinoar.index_fill(twinoar.zeros([3]), twinoar.to_tensor([0, 2]), 0, 1.0).tolist()
    [1.0, 0.0, 1.0]
    """
    at = normalize_axis(axis, x.ndim)
    n = x.spec.shape[at]
    marked = scatter_op(zeros([n], "int32"), index, zeros(index.shape, "int32") + 1)
    shape = tuple(n if i == at else 1 for i in range(x.ndim))
    chosen = reshape_op(marked, shape) != 0
    filling = as_element(value if isinstance(value, Value) else number_of(value), x.dtype)
    return select(broadcast_to(chosen, x.spec.shape), filling, x, name=name)


@inplace
@explained
@method("masked_scatter")
def masked_scatter(x: Tensor, mask: Tensor, value: Tensor, name: str | None = None) -> Tensor:
    """x with its elements where `mask` is true replaced by those of `value`, in order.

    mask: bool; it broadcasts to x. value: as many elements as are replaced, or more. Returns [*].
    Raises ArgumentError where there are fewer.

    >>> import twinoar
    >>> x, value = twinoar.zeros([3]), twinoar.to_tensor([5.0, 6.0])
    >>> twinoar.masked_scatter(x, twinoar.to_tensor([True, False, True]), value).tolist()
    [5.0, 0.0, 6.0]
    """
    chosen = broadcast_to(mask, x.spec.shape)
    order = cumsum_op(astype(reshape_op(chosen, (-1,)), "int64"), 0) - 1
    places = clip(order, 0, value.size - 1)
    taken = gather_op(reshape_op(value, (-1,)), places)
    return select(chosen, reshape_op(taken, x.spec.shape), x, name=name)


@explained
@method("select_scatter")
def select_scatter(
    x: Tensor, values: Tensor, axis: int, index: int, name: str | None = None
) -> Tensor:
    """x with the slice at `index` along an axis replaced by `values`, which lack the axis.

    >>> import twinoar
    >>> twinoar.select_scatter(twinoar.zeros([2, 2]), twinoar.ones([2]), 0, 1).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    at = normalize_axis(axis, x.ndim)
    n: Any = x.spec.shape[at]
    place = index + n if index < 0 else index
    _require_shape(values, (*x.spec.shape[:at], *x.spec.shape[at + 1 :]), "values")
    new = unsqueeze_op(astype(values, x.dtype), (at,))
    return set_slice(x, new, (at,), (place,), (place + 1,), (1,), name=name)


def _require_shape(x: Tensor, shape: tuple[Any, ...], name: str) -> None:
    if x.spec.shape != shape:
        raise ShapeError(f"{name} must have shape {list(shape)}, received {x.spec}")


@explained
@method("slice_scatter")
def slice_scatter(
    x: Tensor,
    value: Tensor,
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    strides: Sequence[int],
    name: str | None = None,
) -> Tensor:
    """x with x[starts:ends:strides] along `axes` replaced by `value`.

    >>> import twinoar
    >>> twinoar.slice_scatter(twinoar.zeros([4]), twinoar.ones([2]), [0], [0], [4], [2]).tolist()
    [1.0, 0.0, 1.0, 0.0]
    """
    part = tuple(map(tuple, (axes, starts, ends, strides)))
    return set_slice(x, astype(value, x.dtype), *part, name=name)


@explained
@method("diagonal_scatter")
def diagonal_scatter(
    x: Tensor, y: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None
) -> Tensor:
    """x with a diagonal of the dimensions `axis1` and `axis2` replaced by y.

    y: [...,d], as `diagonal` gives it. Raises ShapeError, AxisError.

    >>> import twinoar
    >>> twinoar.diagonal_scatter(twinoar.zeros([2, 2]), twinoar.to_tensor([1.0, 2.0])).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    _require_shape(y, diagonal(x, offset, axis1, axis2).spec.shape, "y")
    shape = x.spec.shape
    ones = zeros(y.shape, "int32") + 1
    is_placed = place_diagonal(ones, shape, offset, axis1, axis2) != 0
    new = place_diagonal(astype(y, x.dtype), shape, offset, axis1, axis2)
    return select(is_placed, new, x, name=name)


@explained
@method("fill_diagonal_tensor")
def fill_diagonal_tensor(
    x: Tensor, y: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None
) -> Tensor:
    """x with a diagonal replaced by y. See `diagonal_scatter`.

    >>> import twinoar
    >>> twinoar.zeros([2, 2]).fill_diagonal_tensor(twinoar.ones([2])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return diagonal_scatter(x, y, offset, dim1, dim2, name)


@explained
@method("diagflat")
def diagflat(x: Tensor, offset: int = 0, name: str | None = None) -> Tensor:
    """A matrix with the elements of x on a diagonal, zeros elsewhere.

    >>> import twinoar
    >>> twinoar.diagflat(twinoar.to_tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]
    """
    return diag(reshape_op(x, (-1,)), offset, name=name)


@explained
@method("take_along_dim")
def take_along_dim(arr: Tensor, indices: Tensor, axis: int, broadcast: bool = True) -> Tensor:
    """Elements of arr at positions along an axis. See `take_along_axis`.

    >>> import twinoar
    >>> twinoar.take_along_dim(twinoar.to_tensor([3, 4]), twinoar.to_tensor([1]), 0).tolist()
    [4]
    """
    return take_along_axis(arr, indices, axis, broadcast)


@inplace
@explained
@method("scatter_add")
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """input with the elements of src added at the positions `index` along a dimension.

    >>> import twinoar
    >>> index, src = twinoar.to_tensor([0, 0]), twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.scatter_add(twinoar.zeros([2]), 0, index, src).tolist()
    [3.0, 0.0]
    """
    return put_along_axis(input, index, src, dim, "add", True, False)


REDUCTIONS = {"sum": "add", "prod": "multiply", "mean": "mean", "amin": "amin", "amax": "amax"}


@explained
@method("scatter_reduce")
def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """input with elements of src combined at the positions `index` along a dimension.

    reduce: "sum", "prod", "mean", "amin" or "amax". See `put_along_axis`. Raises ArgumentError.

    >>> import twinoar
    >>> index, src = twinoar.to_tensor([0, 0]), twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.scatter_reduce(twinoar.zeros([2]), 0, index, src, "amax").tolist()
    [2.0, 0.0]
    """
    if reduce not in REDUCTIONS:
        raise ArgumentError(f"reduce must be one of {list(REDUCTIONS)}, received {reduce!r}")
    return put_along_axis(input, index, src, dim, REDUCTIONS[reduce], include_self, False)


@explained
@method("take")
def take(x: Tensor, index: Tensor, mode: str = "raise", name: str | None = None) -> Tensor:
    """The elements of x, in order, at the positions `index`; negative ones count from the end.

    mode: positions out of range are an error ("raise"), go around ("wrap"), or are the nearest end
    ("clip", where negative ones are 0). Returns the shape of index. Raises AxisError,
    ArgumentError.

    >>> import twinoar
    >>> twinoar.take(twinoar.to_tensor([[1, 2], [3, 4]]), twinoar.to_tensor([0, -1])).tolist()
    [1, 4]
    """
    count = x.size
    if mode not in ("raise", "wrap", "clip"):
        raise ArgumentError(f"mode must be 'raise', 'wrap' or 'clip', received {mode!r}")
    places = reshape_op(index, (-1,))
    if mode == "wrap":
        places = places % count
    elif mode == "clip":
        places = clip(places, 0, count - 1)
    flat = gather_op(reshape_op(x, (-1,)), places)
    return reshape_op(flat, index.spec.shape, name=name)


@explained
@method("reduce_as")
def reduce_as(x: Tensor, target: Tensor, name: str | None = None) -> Tensor:
    """x summed down to the shape of `target`, which broadcasts to that of x.

    bool and int32 sum up to int64.

    >>> import twinoar
    >>> twinoar.reduce_as(twinoar.ones([2, 3]), twinoar.ones([3])).tolist()
    [2.0, 2.0, 2.0]
    """
    shape = target.spec.shape
    if x.spec.shape != shape and x.dtype in (bool_, int32):
        x = astype(x, int64)
    return sum_to_shape(x, shape, name=name)


@explained
@method("multiplex")
def multiplex(inputs: Sequence[Tensor], index: Tensor, name: str | None = None) -> Tensor:
    """Row i of the result is row i of inputs[index[i]].

    inputs: tensors of one shape, [n,*]. index: [n] or [n,1], integers. Returns [n,*].

    >>> import twinoar
    >>> x, y = twinoar.zeros([2, 1]), twinoar.ones([2, 1])
    >>> twinoar.multiplex([x, y], twinoar.to_tensor([[1], [0]])).tolist()
    [[1.0], [0.0]]
    """
    if not inputs or not inputs[0].ndim:
        raise ShapeError(
            f"inputs must be tensors [n,*], received {[str(x.spec) for x in inputs]}",
            cure="the first dimension is what index counts",
        )
    from_all = stack_op(inputs, 0)
    chosen = reshape_op(index, (-1,))
    rows = arange(0, inputs[0].spec.shape[0], dtype=chosen.dtype)
    return gather_nd(from_all, stack_op((chosen, rows), 1), name=name)


@explained
@method("shard_index")
def shard_index(
    input: Tensor,
    index_num: int,
    nshards: int,
    shard_id: int,
    ignore_value: int = -1,
    name: str | None = None,
) -> Tensor:
    """Positions within one of `nshards` equal parts of `index_num`; others are `ignore_value`.

    >>> import twinoar
    >>> twinoar.shard_index(twinoar.to_tensor([[16], [1]]), 20, 2, 0).tolist()
    [[-1], [1]]
    """
    if not 0 <= shard_id < nshards:
        raise ArgumentError(f"shard_id must be in [0, {nshards}), received {shard_id}")
    length = (index_num + nshards - 1) // nshards
    low = shard_id * length
    is_own = logical_and(input >= low, less_than(input, low + length))
    return select(is_own, input - low, ignore_value, name=name)


@explained
@method("argwhere")
def argwhere(input: Tensor) -> Tensor:
    """The positions of what is not 0, [k,n]. See `nonzero`.

    >>> import twinoar
    >>> twinoar.argwhere(twinoar.to_tensor([0, 5])).tolist()
    [[1]]
    """
    return nonzero_op(input)


@explained
def tolist(x: Tensor) -> Any:
    """The elements as nested Python lists, or a number.

    >>> import twinoar
    >>> twinoar.tolist(twinoar.to_tensor([1, 2]))
    [1, 2]
    """
    return x.tolist()


__all__ = [
    "argwhere", "crop", "diagflat", "diagonal_scatter", "index_fill",
    "masked_scatter", "matrix_transpose", "multiplex", "narrow", "permute", "ravel", "reduce_as",
    "reverse", "rot90", "scatter_add", "scatter_nd", "scatter_reduce", "select_scatter",
    "shard_index", "slice_scatter", "take", "take_along_dim", "tolist", "trace", "unflatten",
]  # fmt: skip
