"""Methods of tensors beside the operators: conversions by name, and new tensors like one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.dim import is_known
from twinoar.core.dtype import (
    DType,
    bfloat16,
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from twinoar.core.op.declare import Tensor, function, inplace, method
from twinoar.errors import ArgumentError
from twinoar.ops.create.fill import full, increment
from twinoar.ops.create.range import arange
from twinoar.ops.index.diagonal import block_diag, diag_embed
from twinoar.ops.index.scatter import fill_diagonal_tensor, scatter_nd
from twinoar.ops.linalg.einsum import tensordot
from twinoar.ops.math.affine import add_n
from twinoar.ops.math.cast import as_element, astype
from twinoar.ops.math.complex_number import polar
from twinoar.ops.math.select import select
from twinoar.ops.shape.concat import split
from twinoar.ops.shape.expand import tile
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.shape.slice import set_slice
from twinoar.ops.spelling import where_

NAMES: dict[str, DType] = {
    "bool": bool_,
    "byte": uint8,
    "uint8": uint8,
    "char": int8,
    "int8": int8,
    "short": int16,
    "int16": int16,
    "int": int32,
    "int32": int32,
    "long": int64,
    "int64": int64,
    "half": float16,
    "float16": float16,
    "bfloat16": bfloat16,
    "float": float32,
    "float32": float32,
    "double": float64,
    "float64": float64,
    "cfloat": complex64,
    "complex64": complex64,
    "cdouble": complex128,
    "complex128": complex128,
}


def _conversion(name: str, dtype: DType) -> Callable[[Tensor], Tensor]:
    def convert(x: Tensor) -> Tensor:
        return astype(x, dtype)

    convert.__name__ = name
    convert.__doc__ = f"The elements of x as {dtype.name}. See `astype`."
    return convert


for _name, _dtype in NAMES.items():
    method(_name)(_conversion(_name, _dtype))
for _function in (add_n, block_diag, diag_embed, increment, polar, scatter_nd, tensordot, where_):
    method(_function.__name__)(_function)
inplace(fill_diagonal_tensor)


@function(method=True, named=False)
def type_as(x: Tensor, tensor: Tensor) -> Tensor:
    """The elements of x in the dtype of another tensor.

    >>> twinoar.to_tensor([1.5]).type_as(twinoar.to_tensor([1])).tolist()
    [1]
    """
    return astype(x, tensor.dtype)


@function(method=True, named=False)
def new_full(
    x: Tensor, size: Any, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """`fill_value` everywhere, of a shape, and of the dtype of x where `dtype` is None.

    >>> twinoar.to_tensor([1]).new_full([2], 3).tolist()
    [3, 3]
    """
    out = full(size, fill_value, x.dtype if dtype is None else dtype)
    out.stop_gradient = not requires_grad  # type: ignore[misc]  # a slot of each subclass
    return out


def _sizes(size: tuple[Any, ...]) -> Any:
    return size[0] if len(size) == 1 and not isinstance(size[0], int) else size


@function(method="new_zeros new_empty", named=False)
def new_zeros(x: Tensor, *size: Any, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Zeros of a shape, and of the dtype of x where `dtype` is None.

    >>> twinoar.to_tensor([1]).new_zeros(2).tolist()
    [0, 0]
    """
    return new_full(x, _sizes(size), 0, dtype=dtype, requires_grad=requires_grad)


@function(method=True, named=False)
def new_ones(x: Tensor, *size: Any, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Ones of a shape, and of the dtype of x where `dtype` is None.

    >>> twinoar.to_tensor([1]).new_ones([2]).tolist()
    [1, 1]
    """
    return new_full(x, _sizes(size), 1, dtype=dtype, requires_grad=requires_grad)


@function(method=True, named=False)
def repeat(x: Tensor, *repeats: Any) -> Tensor:
    """x repeated along each dimension. See `tile`.

    >>> twinoar.to_tensor([1]).repeat(2, 2).tolist()
    [[1, 1], [1, 1]]
    """
    return tile(x, list(_sizes(repeats)) if len(repeats) == 1 else list(repeats))


@function(method=True, named=False)
def split_with_sizes(x: Tensor, split_sizes: Sequence[int], dim: int = 0) -> list[Tensor]:
    """Parts of x of given sizes along a dimension. See `split`.

    >>> [part.tolist() for part in twinoar.arange(3).split_with_sizes([1, 2])]
    [[0], [1, 2]]
    """
    return split(x, list(split_sizes), dim)


@function(method=True, named=False)
def is_same_shape(x: Tensor, y: Tensor) -> bool:
    """Whether two tensors have one shape.

    >>> twinoar.ones([2]).is_same_shape(twinoar.ones([3]))
    False
    """
    return x.shape == y.shape


@function(method=True, inplace=True, named=False)
def apply(x: Tensor, function: Callable[[Tensor], Tensor]) -> Tensor:
    """function(x).

    >>> twinoar.to_tensor([2]).apply(lambda x: x * 2).tolist()
    [4]
    """
    return function(x)


@function(method=True, inplace=True)
def fill_diagonal(x: Tensor, value: Any, offset: int = 0, wrap: bool = False) -> Tensor:
    """x with a number on a diagonal; of more than two dimensions, where all positions are equal.

    offset: how far beside it, along the last dimension; what comes to lie outside is left out. Of
    dimensions of several sizes Paddle decides that by the second one. wrap: the diagonal of a tall
    matrix begins again one row after its end. Raises ArgumentError.

    >>> twinoar.zeros([2, 2]).fill_diagonal(5).tolist()
    [[5.0, 0.0], [0.0, 5.0]]
    """
    shape: Any = x.spec.shape
    value = as_element(value, x.dtype)
    if x.ndim < 2:
        raise ArgumentError(f"expected two dimensions or more, received {x.spec}")
    if x.ndim == 2 and not wrap and is_known(*shape):
        return _with_diagonal(x, value, offset)
    columns = shape[1]
    step = sum(math.prod(shape[i + 1 :]) for i in range(x.ndim))
    end = math.prod(shape) if wrap or x.ndim > 2 else columns * columns
    places = reshape_op(arange(0, math.prod(shape)), shape) - offset
    column = places % columns + offset
    is_on = (places % step == 0) & (places >= 0) & (places < end)
    return select(is_on & (column >= 0) & (column < columns), value, x)


def _with_diagonal(x: Tensor, value: Any, offset: int) -> Tensor:
    """A matrix with a number on a diagonal, whose elements are as far apart as a row and one."""
    rows, columns = x.shape
    first = max(0, -offset)
    count = max(0, min(rows, columns, columns - offset) - first)
    start = first * columns + first + offset if count else 0
    end = start + (count - 1) * (columns + 1) + 1 if count else 0
    flat = set_slice(reshape_op(x, (-1,)), value, (0,), (start,), (end,), (columns + 1,))
    return reshape_op(flat, (rows, columns))


@method("requires_grad_")
def requires_grad_(x: Tensor, value: bool = True) -> Tensor:
    """Let gradients flow to x, or not, and return it."""
    x.stop_gradient = not value  # type: ignore[misc]  # a slot of each subclass
    return x


def _requires_grad(x: Tensor) -> bool:
    """Whether gradients flow to the tensor: the opposite of `stop_gradient`."""
    return not x.stop_gradient


method("requires_grad")(property(_requires_grad, requires_grad_))  # type: ignore[type-var, arg-type]


def _itemsize(x: Tensor) -> int:
    """Bytes of one element."""
    return x.dtype.itemsize


method("itemsize")(property(_itemsize))  # type: ignore[type-var]
