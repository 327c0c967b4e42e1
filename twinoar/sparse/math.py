"""Functions of sparse tensors: of each element, of two tensors, sums and products."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.op.explain import told
from twinoar.core.spec import normalize_axes, normalize_axis
from twinoar.eager.tensor import to_tensor
from twinoar.errors import ShapeError
from twinoar.ops.create.fill import zeros
from twinoar.ops.index.gather import gather, index_add
from twinoar.ops.linalg.low_rank import pca_lowrank as dense_pca
from twinoar.ops.math import arithmetic as plain
from twinoar.ops.math import exponential, root, sign, trigonometry
from twinoar.ops.math.affine import neg as negative
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import isnan as is_nan
from twinoar.ops.math.trigonometry import deg2rad as deg2rad_op
from twinoar.ops.math.trigonometry import rad2deg as rad2deg_op
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape as dense_reshape
from twinoar.ops.shape.reshape import transpose as dense_transpose
from twinoar.ops.shape.reshape import unsqueeze
from twinoar.ops.shape.slice import slice as plain_slice
from twinoar.sparse.tensor import (
    SparseCooTensor,
    SparseTensor,
    at_positions,
    checked,
    from_dense,
    gathered,
    in_form_of,
    taken,
)


def elementwise(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of sparse tensors that applies `function`, which keeps 0, to their elements."""

    @told
    def apply(x: SparseTensor, name: str | None = None) -> Any:
        return checked(x).with_values(function(x.values()))

    apply.__name__ = apply.__qualname__ = function.__name__
    apply.__doc__ = f"`{function.__name__}` of each element that x holds, in the places of x."
    return apply


abs = elementwise(sign.abs)
asin = elementwise(trigonometry.asin)
asinh = elementwise(trigonometry.asinh)
atan = elementwise(trigonometry.atan)
atanh = elementwise(trigonometry.atanh)
deg2rad = elementwise(deg2rad_op)
expm1 = elementwise(exponential.expm1)
isnan = elementwise(is_nan)
log1p = elementwise(exponential.log1p)
neg = elementwise(negative)
rad2deg = elementwise(rad2deg_op)
sin = elementwise(trigonometry.sin)
sinh = elementwise(trigonometry.sinh)
sqrt = elementwise(root.sqrt)
square = elementwise(root.square)
tan = elementwise(trigonometry.tan)
tanh = elementwise(trigonometry.tanh)


@told
def pow(x: SparseTensor, factor: float, name: str | None = None) -> Any:
    """Each element that x holds to the power of `factor`."""
    return checked(x).with_values(x.values() ** factor)


@told
def cast(
    x: SparseTensor, index_dtype: Any = None, value_dtype: Any = None, name: str | None = None
) -> Any:
    """x with values of `value_dtype`; positions stay int64, whatever `index_dtype` says."""
    return checked(x) if value_dtype is None else x.astype(value_dtype)


@told
def coalesce(x: SparseCooTensor, name: str | None = None) -> SparseCooTensor:
    """x with its positions in order, each once; elements of one position add up."""
    return checked(x).to_sparse_coo().coalesce()


@told
def is_same_shape(x: Any, y: Any) -> bool:
    """Whether two tensors, sparse or not, have one shape."""
    return list(x.shape) == list(y.shape)


@told
def add(x: SparseTensor, y: SparseTensor, name: str | None = None) -> Any:
    """x + y, of one shape: an element wherever one of them has one."""
    return _combined(plain.add, x, y)


@told
def subtract(x: SparseTensor, y: SparseTensor, name: str | None = None) -> Any:
    """x - y, of one shape: an element wherever one of them has one."""
    return _combined(plain.subtract, x, y)


@told
def multiply(x: SparseTensor, y: Any, name: str | None = None) -> Any:
    """x * y, of one shape, or y a number: an element wherever one of them has one."""
    if not isinstance(y, SparseTensor):
        return checked(x).with_values(x.values() * y)
    return _combined(plain.multiply, x, y)


@told
def divide(x: SparseTensor, y: Any, name: str | None = None) -> Any:
    """x / y, of one shape, or y a number.

    Two sparse tensors give all elements: 0 / 0 is nan.
    """
    if not isinstance(y, SparseTensor):
        return checked(x).with_values(x.values() / y)
    _check_shapes(x, y)
    quotient = x.to_dense() / y.to_dense()
    return in_form_of(x, taken(quotient, np.indices(quotient.shape).reshape(quotient.ndim, -1)))


@told
def matmul(x: Any, y: Any, name: str | None = None) -> Any:
    """The product of a sparse matrix with a matrix, or with a sparse one, which gives a sparse one.

    x: [M,K], sparse. y: [K,N]. Returns [M,N]. Raises ShapeError.
    """
    if isinstance(y, SparseTensor):
        return in_form_of(x, from_dense(matmul(x, y.to_dense()), 2))
    rows, cols = _matrix(x, y.shape[0]).places
    held = gather(y, to_tensor(cols)) * unsqueeze(x.values(), -1)
    start = zeros([x.shape[0], y.shape[1]], held.dtype)
    return index_add(start, to_tensor(rows), 0, held) if x.nnz() else start


@told
def mv(x: SparseTensor, vec: Any, name: str | None = None) -> Any:
    """The product of a sparse matrix [M,K] with a vector [K]: [M]."""
    return dense_reshape(matmul(x, unsqueeze(vec, -1)), [-1])


@told
def masked_matmul(x: Any, y: Any, mask: SparseTensor, name: str | None = None) -> Any:
    """The product of the matrices x [M,K] and y [K,N] where `mask`, [M,N], has elements.

    Only these are computed. Returns the form of mask. Raises ShapeError.
    """
    if [x.shape[0], y.shape[1]] != checked(mask, "mask").shape:
        raise ShapeError(
            f"mask must have the shape {[x.shape[0], y.shape[1]]}, received {mask.shape}"
        )
    rows, cols = mask.to_sparse_coo().places
    left = gather(x, to_tensor(rows))
    right = gather(dense_transpose(y, [1, 0]), to_tensor(cols))
    return mask.with_values(total(left * right, -1))


@told
def addmm(
    input: Any, x: Any, y: Any, beta: float = 1.0, alpha: float = 1.0, name: str | None = None
) -> Any:
    """beta * input + alpha * (x @ y), with x sparse and the others dense: [M,N]."""
    return beta * input + alpha * matmul(x, y)


@told
def mask_as(x: Any, mask: SparseTensor, name: str | None = None) -> Any:
    """The elements of the dense x where `mask`, of its shape, has some."""
    _check_shapes(x, checked(mask, "mask"))
    return in_form_of(mask, taken(x, mask.to_sparse_coo().places))


@told
def sum(
    x: SparseTensor,
    axis: int | Sequence[int] | None = None,
    dtype: Any = None,
    keepdim: bool = False,
    name: str | None = None,
) -> Any:
    """The sum over `axis`, of all elements for None: a sparse tensor.

    Returns the shape without the axes, or with sizes of 1 for `keepdim`; [1] where none is left.
    """
    source = checked(x).to_sparse_coo()
    axes = range(x.ndim) if axis is None else normalize_axes(axis, x.ndim)
    summed = [n for n in range(x.ndim) if n in axes]
    count = len(source.places)
    inner = [n - count + 1 for n in summed if n >= count]
    held = total(source.values(), inner) if inner else source.values()
    left = [n for n in range(x.ndim) if n not in summed]
    places = source.places.copy()
    places[[n for n in summed if n < count]] = 0
    whole = [1 if n in summed else size for n, size in enumerate(x.shape)]
    held = dense_reshape(held, [held.shape[0], *whole[count:]])
    kept = SparseCooTensor(places, held if dtype is None else astype(held, dtype), whole).coalesce()
    if keepdim:
        return in_form_of(x, kept)
    rest = [n for n in left if n >= count]
    outer = [n for n in left if n < count] or [0]  # one of size 1 where none is left
    held = dense_reshape(kept.values(), [kept.nnz(), *(x.shape[n] for n in rest)])
    return SparseCooTensor(kept.places[outer], held, [whole[n] for n in (*outer, *rest)])


@told
def transpose(x: SparseTensor, perm: Sequence[int], name: str | None = None) -> Any:
    """x with its dimensions in the order `perm`; only those that positions count may change."""
    source = checked(x).to_sparse_coo()
    count = len(source.places)
    order = [normalize_axis(axis, x.ndim) for axis in perm]
    if sorted(order) != list(range(x.ndim)) or order[count:] != list(range(count, x.ndim)):
        raise ShapeError(
            f"perm must order the first {count} of {x.ndim} dimensions, received {perm}"
        )
    shape = [x.shape[n] for n in order]
    return in_form_of(x, SparseCooTensor(source.places[order[:count]], source.values(), shape))


@told
def pca_lowrank(
    x: SparseTensor,
    q: int | None = None,
    center: bool = True,
    niter: int = 2,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """The principal components of a sparse matrix: `linalg.pca_lowrank` of all its elements.

    >>> x = twinoar.sparse.sparse_coo_tensor([[0, 1, 2], [0, 1, 1]], [3.0, 4.0, 4.0])
    >>> [y.shape for y in twinoar.sparse.pca_lowrank(x, 2)]
    [[3, 2], [2], [2, 2]]
    """
    return dense_pca(checked(x).to_dense(), q, center, niter)


@told
def slice(x: SparseTensor, axes: Any, starts: Any, ends: Any, name: str | None = None) -> Any:
    """The elements of x from `starts` up to `ends`, along each of `axes`.

    starts, ends: counted from the end where negative, and cut off at the edges. Returns the form of
    x. Raises AxisError, ShapeError for lists that differ in length.

    >>> x = twinoar.to_tensor([[0.0, 1.0], [2.0, 3.0]]).to_sparse_coo(2)
    >>> twinoar.sparse.slice(x, [1], [1], [2]).to_dense().tolist()
    [[1.0], [3.0]]
    """
    source = checked(x).to_sparse_coo()
    count = len(source.places)
    axes, starts, ends = (np.asarray(given).reshape(-1).tolist() for given in (axes, starts, ends))
    if not len(axes) == len(starts) == len(ends):
        raise ShapeError(
            f"axes, starts and ends must be equally many, received {axes}, {starts}, {ends}"
        )
    first, sizes, values = [0] * x.ndim, list(x.shape), source.values()
    kept = np.ones(x.nnz(), bool)
    for given, start, end in zip(axes, starts, ends, strict=True):
        axis = normalize_axis(given, x.ndim)
        first[axis], stop, _ = builtins.slice(start, end).indices(x.shape[axis])
        sizes[axis] = builtins.max(stop - first[axis], 0)
        if axis < count:
            kept &= (source.places[axis] >= first[axis]) & (source.places[axis] < stop)
    rows = np.flatnonzero(kept)
    values = gather(values, to_tensor(rows))
    for axis in range(count, x.ndim):
        if sizes[axis] != x.shape[axis]:
            stop = first[axis] + sizes[axis]
            values = plain_slice(values, [axis - count + 1], [first[axis]], [stop])
    places = source.places[:, rows] - np.array(first[:count])[:, None]
    return in_form_of(x, SparseCooTensor(places, values, sizes))


@told
def reshape(x: SparseTensor, shape: Sequence[int], name: str | None = None) -> Any:
    """x in another shape of as many elements, one size of which may be -1."""
    source = checked(x).to_sparse_coo()
    count = len(source.places)
    if count != x.ndim:
        raise ShapeError("only tensors whose positions count all dimensions can be reshaped")
    sizes = np.empty(x.shape, bool).reshape(shape).shape if np.prod(x.shape) else tuple(shape)
    places = np.stack(np.unravel_index(source.flat(), sizes)).astype(np.int64)
    return in_form_of(x, SparseCooTensor(places, source.values(), sizes))


def _combined(function: Callable[..., Any], x: Any, y: Any) -> Any:
    """`function` of the elements of two tensors wherever one of them has one."""
    _check_shapes(checked(x), checked(y, "y"))
    first, second = x.to_sparse_coo(), y.to_sparse_coo()
    if len(first.places) != len(second.places):
        raise ShapeError("the positions of x and y must count as many dimensions")
    positions = np.union1d(first.flat(), second.flat())
    held = function(gathered(first, positions), gathered(second, positions))
    return in_form_of(x, at_positions(first, positions).with_values(held))


def _check_shapes(x: Any, y: Any) -> None:
    if not is_same_shape(x, y):
        raise ShapeError(f"expected one shape, received {list(x.shape)} and {list(y.shape)}")


def _matrix(x: Any, rows: int) -> SparseCooTensor:
    source = checked(x).to_sparse_coo()
    if x.ndim != 2 or len(source.places) != 2 or x.shape[1] != rows:
        raise ShapeError(f"x must be a sparse matrix of {rows} columns, received {x.shape}")
    return source
