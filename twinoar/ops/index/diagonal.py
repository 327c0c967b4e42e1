"""Diagonals and triangles of matrices: eye, diag, tril, triu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import DType, bool_, default_dtype, dtype_of, float32
from twinoar.core.keyword import spelled_freely
from twinoar.core.memory_error import lack_of_memory
from twinoar.core.op.declare import (
    Desc,
    Spec,
    Tensor,
    function,
    loop,
    normalize_axis,
    op,
    primitive,
)
from twinoar.errors import AxisError, ShapeError
from twinoar.ops._sizes import size
from twinoar.ops.create.fill import constant
from twinoar.ops.math.cast import astype, promote_operands
from twinoar.ops.math.fill import fill
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.shape.slice import unslice
from twinoar.ops.shape.stack import at_least_2


@primitive(
    name="eye",
    infer=lambda num_rows, num_columns, dtype: Spec((num_rows, num_columns), dtype),
    kernel=lambda num_rows, num_columns, dtype: np.eye(num_rows, num_columns, dtype=dtype.numpy),
    lower=lambda i: loop.eq(i[0], i[1]),
    desc=Desc(
        "eye",
        attrs={"num_rows": "num_rows", "num_columns": "num_columns", "dtype": "dtype"},
        write=lambda attrs, specs: {
            "num_rows": ("LONG", attrs["num_rows"]),
            "num_columns": ("LONG", attrs["num_columns"]),
        },
    ),
)
def eye_op(num_rows: int, num_columns: int, dtype: DType = float32) -> Tensor:
    """Ones on the main diagonal, zeros elsewhere. See `eye`."""


@eye_op.samples
def _(s):
    yield s(3, 3)
    yield s(2, 4, "int64")
    yield s(0, 2)


@spelled_freely
def eye(
    num_rows: Any, num_columns: Any = None, dtype: Any = None, name: str | None = None
) -> Tensor:
    """A matrix with ones on the main diagonal, [num_rows, num_columns]; square where num_columns is
    None.

    >>> twinoar.eye(2, 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    rows = size(num_rows, "num_rows")
    columns = rows if num_columns is None else size(num_columns, "num_columns")
    kind = default_dtype() if dtype is None else dtype_of(dtype)
    return eye_op.function(rows, columns, kind, name)


def _matrices(x: Spec, diagonal: int) -> Spec:
    if x.ndim < 2:
        raise ShapeError(f"x must have at least 2 dimensions, received {x}")
    return x


def _triangle(cut: Any) -> Any:
    def kernel(x, diagonal):
        if x.ndim < 2:
            raise ShapeError(f"x must have at least 2 dimensions, received {x.ndim}")
        return cut(x, diagonal)

    return kernel


def _triangle_samples(s):
    yield s(s.randn(3, 4))
    yield s(s.randn(2, 3, 3), 1)
    yield s(s.randn(3, 2), -1)
    yield s(s.ints(1, 9, 2, 2))
    yield s(s.zeros(0, 2))
    yield s.bad(ShapeError, "at least 2 dimensions", s.randn(3))


@primitive(
    method=True,
    infer=_matrices,
    kernel=_triangle(np.tril),
    lower=lambda i, x, diagonal: loop.select(i[-1] - i[-2] <= diagonal, x[i], 0),
    grad=lambda g, diagonal: tril(g, diagonal),
    desc=Desc("tril_triu", {"X": "x"}, attrs={"diagonal": "diagonal"}, fixed={"lower": True}),
    samples=_triangle_samples,
    moves=True,
)
def tril(x: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangles of matrices, [..., rows, columns]; what lies above `diagonal` becomes 0.

    Raises ShapeError.

    >>> twinoar.tril(twinoar.ones([2, 2])).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """


@primitive(
    method=True,
    infer=_matrices,
    kernel=_triangle(np.triu),
    lower=lambda i, x, diagonal: loop.select(i[-1] - i[-2] >= diagonal, x[i], 0),
    grad=lambda g, diagonal: triu(g, diagonal),
    desc=Desc("tril_triu", {"X": "x"}, attrs={"diagonal": "diagonal"}, fixed={"lower": False}),
    samples=_triangle_samples,
    moves=True,
)
def triu(x: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangles of matrices, [..., rows, columns]; what lies below `diagonal` becomes 0.

    Raises ShapeError.

    >>> twinoar.triu(twinoar.ones([2, 2])).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """


def _two_axes(ndim: int, axis1: int, axis2: int) -> tuple[int, int]:
    a, b = normalize_axis(axis1, ndim, "axis1"), normalize_axis(axis2, ndim, "axis2")
    if a == b:
        raise AxisError(f"axis1 and axis2 are the same axis {a}", cure="name two different axes")
    return a, b


def _diagonal_spec(x: Spec, offset: int, axis1: int, axis2: int) -> Spec:
    a, b = _two_axes(x.ndim, axis1, axis2)
    rest = tuple(d for i, d in enumerate(x.shape) if i not in (a, b))
    rows: Any = x.shape[a]
    columns: Any = x.shape[b]
    length: Any = None
    if is_known(rows, columns):
        length = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    elif rows == columns:
        length = rows - abs(offset) if offset else rows
    return Spec((*rest, length), x.dtype)


def _with_diagonal(base: Tensor, part: Tensor, **axes: int) -> Tensor:
    """`base` with `part` on a diagonal."""
    shape = base.spec.shape
    ones = fill.function(part.spec.shape, True, "bool")
    placed = place_diagonal(part, shape, **axes)
    chosen: Tensor = select.function(place_diagonal(ones, shape, **axes), placed, base)
    return chosen


@primitive(
    method=True,
    infer=_diagonal_spec,
    kernel=lambda x, offset, axis1, axis2: np.diagonal(x, offset, axis1, axis2),
    grad=lambda g, specs, offset, axis1, axis2: place_diagonal(
        g, specs[0].shape, offset, axis1, axis2
    ),
    view=_with_diagonal,
    desc=Desc(
        "diagonal",
        {"Input": "x"},
        attrs={"offset": "offset", "axis1": "axis1", "axis2": "axis2"},
    ),
    moves=True,
    lower=lambda i, x, offset, axis1, axis2: _on_diagonal(i, x, offset, axis1, axis2),
)
def diagonal(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """A diagonal of the matrices in axes axis1 and axis2, as the last axis; `offset` counts to the
    right.

    Raises AxisError.

    >>> twinoar.diagonal(twinoar.to_tensor([[1, 2], [3, 4]])).tolist()
    [1, 4]
    """


def _on_diagonal(i: Any, x: Any, offset: int, axis1: int, axis2: int) -> Any:
    a, b = _two_axes(x.ndim, axis1, axis2)
    rest = iter(i[:-1])
    places = {a: i[-1] + max(-offset, 0), b: i[-1] + max(offset, 0)}
    return x[tuple(places[k] if k in places else next(rest) for k in range(x.ndim))]


@diagonal.samples
def _(s):
    yield s(s.randn(3, 4))
    yield s(s.randn(3, 4), 2)
    yield s(s.randn(3, 4), -1)
    yield s(s.randn(2, 3, 4), 1, -1, 0)
    yield s(s.randn(2, 2), 5)
    yield s.bad(AxisError, "the same axis", s.randn(2, 2), 0, 1, -1)


@primitive(
    infer=lambda x, shape, offset, axis1, axis2: Spec(shape, x.dtype),
    grad=lambda g, offset, axis1, axis2: diagonal(g, offset, axis1, axis2),
)
def place_diagonal(
    x: Tensor, shape: tuple[int, ...], offset: int = 0, axis1: int = 0, axis2: int = 1
) -> Tensor:
    """Zeros of `shape` with the last axis of x on a diagonal: the transpose of `diagonal`."""


@place_diagonal.kernel
def _(x, shape, offset, axis1, axis2):
    out = np.zeros(shape, x.dtype)
    matrices = np.moveaxis(out, (axis1, axis2), (-2, -1))
    k = np.arange(x.shape[-1])
    matrices[..., k + max(-offset, 0), k + max(offset, 0)] = x
    return out


@place_diagonal.lower
def _(i, x, offset, axis1, axis2):
    a, b = _two_axes(len(i), axis1, axis2)
    rest = (k for axis, k in enumerate(i) if axis not in (a, b))
    return loop.select(loop.eq(i[b] - i[a], offset), x.padded((*rest, i[a] - max(-offset, 0))), 0)


@place_diagonal.samples
def _(s):
    yield s(s.randn(3), (3, 3))
    yield s(s.randn(2), (3, 4), -1)
    yield s(s.randn(4, 2), (3, 2, 4), 1, 1, 0)


def _diag_spec(x: Spec, offset: int, padding_value: float) -> Spec:
    if x.ndim == 2:
        return _diagonal_spec(x, offset, 0, 1)
    if x.ndim != 1:
        raise ShapeError(f"x must have 1 or 2 dimensions, received {x}")
    side = x.shape[0] + abs(offset)
    return Spec((side, side), x.dtype)


@primitive(
    method=True,
    infer=_diag_spec,
    desc=Desc("diag_v2", {"X": "x"}, attrs={"offset": "offset", "padding_value": "padding_value"}),
)
def diag(x: Tensor, offset: int = 0, padding_value: float = 0) -> Tensor:
    """A vector as the diagonal of a square matrix, or the diagonal of a matrix as a vector.

    x: [n] or [rows, columns]. offset: to the right. padding_value: what stands off the diagonal of
    the square. Raises ShapeError.

    >>> twinoar.diag(twinoar.to_tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]
    """


@diag.kernel
def _(x, offset, padding_value):
    if x.ndim == 2:
        return np.diagonal(x, offset)
    if x.ndim != 1:
        raise ShapeError(f"x must have 1 or 2 dimensions, received {x.ndim}")
    side = len(x) + abs(offset)
    out = np.full((side, side), padding_value, x.dtype)
    k = np.arange(len(x))
    out[k + max(-offset, 0), k + max(offset, 0)] = x
    return out


@diag.lower
def _(i, x, offset, padding_value):
    if x.ndim == 2:
        return _on_diagonal(i, x, offset, 0, 1)
    row, column = i
    element = x.padded((row - max(-offset, 0),), padding_value)
    return loop.select(loop.eq(column - row, offset), element, padding_value)


@diag.grad
def _(g, specs, offset):
    if specs[0].ndim == 1:
        return diagonal(g, offset)
    return place_diagonal(g, specs[0].shape, offset)


@diag.samples
def _(s):
    yield s(s.randn(3))
    yield s(s.randn(2), -1, 2.5)
    yield s(s.randn(2, 3), 1)
    yield s(s.ints(0, 9, 2), 1)
    yield s.bad(ShapeError, "1 or 2 dimensions", s.randn(2, 2, 2))


@op(
    desc=Desc(
        "diag_embed", {"Input": "input"}, attrs={"offset": "offset", "dim1": "dim1", "dim2": "dim2"}
    )
)
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The last axis of a tensor as diagonals of square matrices in axes dim1 and dim2 of the
    result. Raises AxisError.

    >>> twinoar.diag_embed(twinoar.to_tensor([[1, 2]])).tolist()
    [[[1, 0], [0, 2]]]
    """
    a, b = _two_axes(input.ndim + 1, dim1, dim2)
    side = input.spec.shape[-1] + abs(offset)
    shape = list(input.spec.shape[:-1])
    for place in sorted((a, b)):
        shape.insert(place, side)
    return place_diagonal(input, tuple(shape), offset, a, b)


@diag_embed.samples
def _(s):
    yield s(s.randn(2, 3))
    yield s(s.randn(2, 3), 1, 0, 2)
    yield s(s.randn(2), -1)


@function
def block_diag(inputs: Sequence[Tensor]) -> Tensor:
    """Matrices on the diagonal of a matrix of zeros; vectors and numbers count as rows.

    >>> twinoar.block_diag([twinoar.to_tensor([[1]]), twinoar.to_tensor([2, 3])]).tolist()
    [[1, 0, 0], [0, 2, 3]]
    """
    blocks = [at_least_2(x) for x in promote_operands(tuple(inputs))]
    if any(x.ndim > 2 for x in blocks):
        raise ShapeError(f"blocks must be matrices, received {[str(x.spec) for x in blocks]}")
    width = sum(x.spec.shape[1] for x in blocks)
    rows: list[Any] = []
    left: Any = 0
    for x in blocks:
        height, own = x.spec.shape
        rows.append(unslice(x, (height, width), (1,), (left,), (left + own,), (1,)))
        left = left + own
    return concat_op(rows, 0)


def _triangle_positions(rows: int, columns: int, offset: int, lower: bool, dtype: Any) -> Tensor:
    find = np.tril_indices if lower else np.triu_indices
    try:
        found = np.stack(find(rows, offset, columns))
    except (MemoryError, ValueError) as error:
        lacking = lack_of_memory(error, [Spec((rows, columns), bool_)])
        raise lacking or error from None
    return constant(found, dtype_of(dtype))


@function(named=False)
def tril_indices(row: int, col: int, offset: int = 0, dtype: Any = "int64") -> Tensor:
    """The positions [2,k] of the lower triangle of a matrix, up to the diagonal `offset`.

    >>> twinoar.tril_indices(2, 2, 0).tolist()
    [[0, 1, 1], [0, 0, 1]]
    """
    return _triangle_positions(row, col, offset, True, dtype)


@function(named=False)
def triu_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Tensor:
    """The positions [2,k] of the upper triangle of a matrix, from the diagonal `offset` on.

    >>> twinoar.triu_indices(2, 2, 0).tolist()
    [[0, 0, 1], [0, 1, 1]]
    """
    return _triangle_positions(row, row if col is None else col, offset, False, dtype)


@function(method=True)
def trace(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The sum of the diagonal of the matrices in the dimensions `axis1` and `axis2`.

    x: [*], two dimensions or more. offset: which diagonal, above the main one where positive.
    Returns the shape without the two dimensions. Raises AxisError.

    >>> twinoar.trace(twinoar.to_tensor([[1, 2], [3, 4]])).item()
    5
    """
    return astype(sum_op(diagonal(x, offset, axis1, axis2), (-1,)), x.dtype)


@function(method=True)
def diagflat(x: Tensor, offset: int = 0) -> Tensor:
    """A matrix with the elements of x on a diagonal, zeros elsewhere.

    >>> twinoar.diagflat(twinoar.to_tensor([1, 2])).tolist()
    [[1, 0], [0, 2]]
    """
    return diag(reshape_op(x, (-1,)), offset)
