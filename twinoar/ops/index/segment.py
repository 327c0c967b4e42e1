"""Rows put together by a vector that says where each goes: segments, and messages of graphs."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import float64
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op, primitive
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops._sizes import size
from twinoar.ops.create.fill import ones, zeros_like
from twinoar.ops.index._position import add_at, check_index, refuse_range
from twinoar.ops.index._scatter import (
    begin,
    divide_by_counts,
    greatest,
    least,
    place_slices,
    put,
    sums,
)
from twinoar.ops.index.extent import extent, extent_of
from twinoar.ops.index.gather import gather_op, sum_at
from twinoar.ops.index.mask import where
from twinoar.ops.math.arithmetic import add, divide, multiply, subtract
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal
from twinoar.ops.math.select import maximum
from twinoar.ops.shape.reshape import reshape_op

Pool = Literal["sum", "mean", "max", "min"]
POOLS = ("sum", "mean", "max", "min")
MESSAGES: dict[str, Any] = {"add": add, "sub": subtract, "mul": multiply, "div": divide}


def _pooled(x: Spec, index: Spec, rows: Any) -> Spec:
    """The spec of so many rows of x put together; None: the data decides."""
    check_index(index)
    if x.ndim < 1 or index.ndim != 1:
        raise ShapeError(f"expected rows and a vector of positions, received {x} and {index}")
    if is_known(*index.shape, x.shape[0]) and index.shape != x.shape[:1]:
        raise ShapeError(
            f"x {x} must have one row for each element of {index}", cure="make them equally many"
        )
    return Spec((rows, *x.shape[1:]), x.dtype)


def _pool(x: np.ndarray, index: np.ndarray, pool: Pool, rows: int) -> np.ndarray:
    if len(x) != len(index):
        raise IndexError
    refuse_range(index, rows, 0)
    out = np.zeros((rows, *x.shape[1:]), x.dtype)
    if pool in ("max", "min"):
        out[index] = x  # what is compared starts from one of the rows
        (np.maximum if pool == "max" else np.minimum).at(out, index, x)
        return out
    add_at(out, (index,), x)
    if pool == "mean":
        count = np.maximum(np.bincount(index, minlength=rows), 1)
        out = (out / count.reshape(-1, *[1] * (x.ndim - 1))).astype(x.dtype)
    return out


def _shared(g: Tensor, x: Tensor, index: Tensor, out: Tensor, pool: Pool) -> tuple[Tensor, None]:
    """The gradient of x: of a maximum, all rows that are equal to it get the whole of it."""
    if pool in ("max", "min"):
        return where(equal(x, gather_op(out, index)), gather_op(g, index), zeros_like(x)), None
    if pool == "mean":
        g = divide(g, _counts(g, index, g.spec.shape[0]))
    return gather_op(g, index), None


@primitive(
    slow_kernel=True,
    infer=lambda x, index, rows, pool: _pooled(x, index, rows),
    kernel=lambda x, index, rows, pool: _pool(x, index, pool, rows),
    grad=_shared,
)
def pooled_rows(x: Tensor, index: Tensor, rows: int, pool: Pool = "sum") -> Tensor:
    """Rows of x with the same number in `index` as one row: their sum, mean, max or min.

    x: [E,*]. index: [E], in [0,rows). Returns [rows,*], zeros where no row goes. Raises AxisError,
    ShapeError.
    """


@pooled_rows.procedure
def _(p, x, index, rows, pool):
    out, places = p.results[0].along(0), index.reshape(1, -1, 1)
    given = x.reshape(1, index.size, out.shape[2])
    if pool in ("sum", "mean"):
        sums(p, 0, out, places, given)
        if pool == "mean":
            divide_by_counts(p, out, places)
        return
    begin(p, out, 0)
    place_slices(p, out, places, given, put)  # what is compared starts from one of the rows
    place_slices(p, out, places, given, greatest if pool == "max" else least)


@pooled_rows.samples
def _(s):
    for pool in POOLS:
        yield s(s.randn(4, 3), np.array([5, 0, 1, 0]), 6, pool)
    yield s.bad(
        AxisError, "index 3 is out of range", s.randn(1), np.array([3]), 3, static_error=False
    )


@primitive(
    infer=lambda x, index, pool: _pooled(x, index, None),
    kernel=lambda x, index, pool: _pool(x, index, pool, extent_of(index, "segment_ids")),
    grad=_shared,
    desc=Desc(
        "segment_pool",
        {"X": "x", "SegmentIds": "index"},
        attrs={"pooltype": ("pool", str.upper, str.lower)},
        extra_outputs=("SummedIds",),
    ),
)
def segment_pool(x: Tensor, index: Tensor, pool: Pool = "sum") -> Tensor:
    """As many rows as the greatest number in `index` asks for: under `segment_sum` and its kin."""


@segment_pool.counted
def _(x, index, pool):
    if x.spec.shape[:1] != index.spec.shape:
        return None
    size = yield extent(index)
    return pooled_rows(x, index, size, pool)


@segment_pool.samples
def _(s):
    index = np.array([0, 0, 1, 3])
    for pool in POOLS:
        yield s(s.randn(4, 3), index, pool)
        yield s(s.randn(4), index.astype("int32"), pool)
    yield s(s.ints(0, 9, 4), index, "max", gradient=False)
    yield s(s.zeros(0, 2), s.ints(0, 1, 0))
    yield s(s.randn(2, 3), np.array([255, 1], np.uint8))
    yield s.bad(
        ArgumentError, "negative numbers", s.randn(2), np.array([0, -1]), static_error=False
    )
    yield s.bad(ShapeError, "one row for each element", s.randn(3, 2), index)
    yield s.bad(ShapeError, "a vector of positions", s.randn(3), index.reshape(2, 2))


def _counts(like: Tensor, index: Tensor, rows: Any) -> Tensor:
    """How many elements of `index` go to each row, at least 1, to divide `like` by."""
    count = sum_at(ones(index.spec.shape, like.dtype), index, rows, 0)
    return reshape_op(maximum(count, 1.0), (rows, *[1] * (like.ndim - 1)))


@function
def segment_sum(data: Tensor, segment_ids: Tensor) -> Tensor:
    """The sum of the rows of each segment.

    data: [E,*]. segment_ids: [E], integer, the segment of each row. Returns [S,*] for S - 1 the
    greatest id, zeros for segments without rows. Raises ShapeError, and ArgumentError for a
    negative id.

    >>> rows, ids = twinoar.to_tensor([[1.0], [2.0], [4.0]]), twinoar.to_tensor([0, 0, 1])
    >>> twinoar.geometric.segment_sum(rows, ids).tolist()
    [[3.0], [4.0]]
    """
    return segment_pool(data, segment_ids, "sum")


@function
def segment_mean(data: Tensor, segment_ids: Tensor) -> Tensor:
    """The mean of the rows of each segment. See `segment_sum`."""
    return segment_pool(data, segment_ids, "mean")


@function
def segment_max(data: Tensor, segment_ids: Tensor) -> Tensor:
    """The greatest elements of the rows of each segment. See `segment_sum`."""
    return segment_pool(data, segment_ids, "max")


@function
def segment_min(data: Tensor, segment_ids: Tensor) -> Tensor:
    """The least elements of the rows of each segment. See `segment_sum`."""
    return segment_pool(data, segment_ids, "min")


@op(
    desc=Desc(
        "graph_send_recv",
        {"X": "x", "Src_index": "src_index", "Dst_index": "dst_index"},
        attrs={
            "reduce_op": ("reduce_op", str.upper, str.lower),
            "out_size": ("out_size", lambda n: [n], lambda sizes: sizes[0]),
        },
        extra_outputs=("Dst_count",),
    )
)
def graph_send_recv_op(
    x: Tensor, src_index: Tensor, dst_index: Tensor, reduce_op: Pool = "sum", out_size: int = 0
) -> Tensor:
    """Rows sent along edges and put together: the operator under `send_u_recv`."""
    return _received(gather_op(x, src_index), x, dst_index, reduce_op, out_size)


@graph_send_recv_op.samples
def _(s):
    src, dst = np.array([0, 1, 2, 0]), np.array([1, 2, 1, 0])
    for pool in POOLS:
        yield s(s.randn(3, 2), src, dst, pool)
    yield s(s.randn(3, 2), src, dst, "sum", 5)
    yield s(s.ints(-9, 9, 3, 2), src, dst, "mean", gradient=False)


def _received(message: Tensor, x: Tensor, dst_index: Tensor, pool: Pool, out_size: Any) -> Tensor:
    """Messages put together at the nodes that get them: as many as rows of x, or `out_size`."""
    rows = x.spec.shape[0] if is_known(out_size) and out_size <= 0 else out_size
    if pool in ("max", "min"):
        return pooled_rows(message, dst_index, rows, pool)
    total = sum_at(message, dst_index, rows, 0)
    if pool == "sum":
        return total
    wide = astype(total, float64) if total.dtype.is_integer else total
    return astype(divide(wide, _counts(wide, dst_index, rows)), total.dtype)


@function
def send_u_recv(
    x: Tensor, src_index: Tensor, dst_index: Tensor, reduce_op: Pool = "sum", out_size: Any = None
) -> Tensor:
    """Each edge of a graph sends the row of its source to its destination, which combines them.

    x: [N,*], a row for each node. src_index, dst_index: [E], the nodes of each edge. reduce_op:
    sum, mean, max or min. out_size: rows of the result; N if None. Returns [out_size,*] in the
    dtype of x, zeros where no edge leads; means of integers lose their fractions. Raises
    ArgumentError, AxisError.

    >>> x, src, dst = (twinoar.to_tensor(v) for v in ([1.0, 2.0, 4.0], [0, 2, 1], [1, 1, 0]))
    >>> twinoar.geometric.send_u_recv(x, src, dst).tolist()
    [2.0, 5.0, 0.0]
    """
    pool = _one_of("reduce_op", reduce_op, POOLS)
    return graph_send_recv_op(x, src_index, dst_index, pool, _rows(out_size))


@function
def send_ue_recv(
    x: Tensor,
    y: Tensor,
    src_index: Tensor,
    dst_index: Tensor,
    message_op: str = "add",
    reduce_op: Pool = "sum",
    out_size: Any = None,
) -> Tensor:
    """Each edge sends the row of its source, combined with its own, to its destination.

    y: [E,*], a row for each edge, which broadcasts with those of x behind the first axis.
    message_op: add, sub, mul or div. Returns [N,1] of rows that are numbers. The rest is as for
    `send_u_recv`.
    """
    message = MESSAGES[_one_of("message_op", message_op, MESSAGES)]
    x, y = _aligned(x, y)
    sent = message(gather_op(x, src_index), y)
    pool = _one_of("reduce_op", reduce_op, POOLS)
    return _received(sent, x, dst_index, pool, _rows(out_size))


@function
def send_uv(
    x: Tensor, y: Tensor, src_index: Tensor, dst_index: Tensor, message_op: str = "add"
) -> Tensor:
    """For each edge, the row of x at its source combined with that of y at its destination.

    x, y: [N,*], which broadcast behind the first axis. message_op: add, sub, mul or div. Returns
    [E,*], [E,1] of rows that are numbers.
    """
    message = MESSAGES[_one_of("message_op", message_op, MESSAGES)]
    x, y = _aligned(x, y)
    return message(gather_op(x, src_index), gather_op(y, dst_index))


def _aligned(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Both with as many axes, two at least: new ones of size 1 stand behind the first."""
    ndim = max(x.ndim, y.ndim, 2)

    def extended(t: Tensor) -> Tensor:
        first, *rest = t.spec.shape
        return reshape_op(t, (first, *[1] * (ndim - t.ndim), *rest)) if t.ndim < ndim else t

    return extended(x), extended(y)


def _one_of(what: str, given: Any, choices: Any) -> Any:
    if given not in choices:
        raise ArgumentError(f"{what} must be one of {', '.join(choices)}, received {given!r}")
    return given


def _rows(out_size: Any) -> Any:
    return 0 if out_size is None else size(out_size, "out_size")
