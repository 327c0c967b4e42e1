"""Elements picked by positions of several kinds: take, multiplex, argwhere and kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.create.range import arange
from twinoar.ops.index.along_axis import take_along_axis
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.gather_nd import gather_nd
from twinoar.ops.index.mask import nonzero_op
from twinoar.ops.math.compare import less_than
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import clip, select
from twinoar.ops.shape.concat import stack_op
from twinoar.ops.shape.reshape import reshape_op


@function(method=True, named=False)
def take_along_dim(arr: Tensor, indices: Tensor, axis: int, broadcast: bool = True) -> Tensor:
    """Elements of arr at positions along an axis. See `take_along_axis`.

    >>> twinoar.take_along_dim(twinoar.to_tensor([3, 4]), twinoar.to_tensor([1]), 0).tolist()
    [4]
    """
    return take_along_axis(arr, indices, axis, broadcast)


@function(method=True)
def take(x: Tensor, index: Tensor, mode: str = "raise") -> Tensor:
    """The elements of x, in order, at the positions `index`; negative ones count from the end.

    mode: positions out of range are an error ("raise"), go around ("wrap"), or are the nearest end
    ("clip", where negative ones are 0). Returns the shape of index. Raises AxisError,
    ArgumentError.

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
    return reshape_op(flat, index.spec.shape)


@function(method=True)
def multiplex(inputs: Sequence[Tensor], index: Tensor) -> Tensor:
    """Row i of the result is row i of inputs[index[i]].

    inputs: tensors of one shape, [n,*]. index: [n] or [n,1], integers. Returns [n,*].

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
    return gather_nd(from_all, stack_op((chosen, rows), 1))


@function(method=True)
def shard_index(
    input: Tensor, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1
) -> Tensor:
    """Positions within one of `nshards` equal parts of `index_num`; others are `ignore_value`.

    >>> twinoar.shard_index(twinoar.to_tensor([[16], [1]]), 20, 2, 0).tolist()
    [[-1], [1]]
    """
    if not 0 <= shard_id < nshards:
        raise ArgumentError(f"shard_id must be in [0, {nshards}), received {shard_id}")
    length = (index_num + nshards - 1) // nshards
    low = shard_id * length
    is_own = logical_and(input >= low, less_than(input, low + length))
    return select(is_own, input - low, ignore_value)


@function(method=True, named=False)
def argwhere(input: Tensor) -> Tensor:
    """The positions of what is not 0, [k,n]. See `nonzero`.

    >>> twinoar.argwhere(twinoar.to_tensor([0, 5])).tolist()
    [[1]]
    """
    return nonzero_op(input)


@function(named=False)
def tolist(x: Tensor) -> Any:
    """The elements as nested Python lists, or a number.

    >>> twinoar.tolist(twinoar.to_tensor([1, 2]))
    [1, 2]
    """
    return x.tolist()
