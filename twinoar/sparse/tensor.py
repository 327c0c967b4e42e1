"""Sparse tensors: positions, which are data, and values, which are tensors and have gradients."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import DType
from twinoar.core.op.explain import told
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor, to_tensor
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.ops.create.fill import zeros
from twinoar.ops.index.gather import gather, index_add
from twinoar.ops.math.cast import astype
from twinoar.ops.shape.reshape import reshape


class SparseTensor(ABC):
    """Base of sparse tensors; gradients are those of `values()`."""

    def __init__(self, values: Any, shape: Sequence[int]):
        self._values = values
        self._shape = tuple(int(size) for size in shape)

    @property
    def shape(self) -> list[int]:
        """Sizes of the dimensions."""
        return list(self._shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self._shape)

    @property
    def dtype(self) -> DType:
        """Element type."""
        return self._values.dtype

    @property
    def stop_gradient(self) -> bool:
        """True where no gradient is wanted."""
        return bool(self._values.stop_gradient)

    def values(self) -> Any:
        """The elements that are held, a tensor."""
        return self._values

    def nnz(self) -> int:
        """How many elements, or rows of elements, are held."""
        return int(self._values.shape[0])

    def is_sparse(self) -> bool:
        """True."""
        return True

    def is_sparse_coo(self) -> bool:
        """True where each element has its position."""
        return isinstance(self, SparseCooTensor)

    def is_sparse_csr(self) -> bool:
        """True where the elements are held row by row."""
        return isinstance(self, SparseCsrTensor)

    @abstractmethod
    def with_values(self, values: Any) -> Any:
        """Other values in the same places."""

    @abstractmethod
    def to_sparse_coo(self, sparse_dim: int | None = None) -> SparseCooTensor:
        """The tensor with a position for each element."""

    def to_dense(self) -> Any:
        """A tensor that holds all elements."""
        x = self.to_sparse_coo()
        return reshape(gathered(x, np.arange(math.prod(x.sparse_shape))), self._shape)

    def numpy(self) -> np.ndarray:
        """All elements, as an array."""
        return np.asarray(self.to_dense())

    def astype(self, dtype: Any) -> Any:
        """The tensor with values of `dtype`."""
        return self.with_values(astype(self._values, dtype))

    def detach(self) -> Any:
        """The same data, outside the autograd graph."""
        return self.with_values(self._values.detach())


class SparseCooTensor(SparseTensor):
    """Elements with their positions; those of one position add up.

    indices: [sparse_dim,nnz], integers. values: [nnz,...].
    """

    def __init__(self, indices: np.ndarray, values: Any, shape: Sequence[int]):
        super().__init__(values, shape)
        self.places = indices

    @property
    def sparse_shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions that positions count."""
        return self._shape[: len(self.places)]

    def indices(self) -> Tensor:
        """The positions, [sparse_dim,nnz], int64."""
        return to_tensor(self.places)

    def flat(self) -> np.ndarray:
        """The positions as single numbers, row by row."""
        return np.ravel_multi_index(tuple(self.places), self.sparse_shape).astype(np.int64)

    def with_values(self, values: Any) -> SparseCooTensor:
        """Other values in the same places."""
        return SparseCooTensor(self.places, values, self._shape)

    def coalesce(self) -> SparseCooTensor:
        """The tensor with its positions in order, each once."""
        return at_positions(self, np.unique(self.flat()))

    def is_coalesced(self) -> bool:
        """Whether positions are in order, each once."""
        return bool((np.diff(self.flat()) > 0).all())

    def to_sparse_coo(self, sparse_dim: int | None = None) -> SparseCooTensor:
        """The tensor itself."""
        return self

    def to_sparse_csr(self) -> SparseCsrTensor:
        """The tensor row by row; raises ShapeError unless it is a matrix."""
        if len(self.places) != 2 or self.ndim != 2:
            raise ShapeError(f"expected a matrix, received the shape {self.shape}")
        x = self.coalesce()
        rows, cols = x.places
        crows = np.concatenate([[0], np.bincount(rows, minlength=self._shape[0]).cumsum()])
        return SparseCsrTensor(crows.astype(np.int64), cols, x.values(), self._shape)

    def __repr__(self) -> str:
        return (
            f"Tensor(shape={self.shape}, dtype={self.dtype.name}, "
            f"stop_gradient={self.stop_gradient},\n"
            f"       indices={self.places.tolist()},\n       values={self._values.tolist()})"
        )


class SparseCsrTensor(SparseTensor):
    """A matrix row by row.

    crows: where each row starts among the elements, and their number, [rows+1]. cols: the column of
    each element, [nnz]. values: [nnz].
    """

    def __init__(self, crows: np.ndarray, cols: np.ndarray, values: Any, shape: Sequence[int]):
        super().__init__(values, shape)
        self.starts, self.columns = crows, cols

    def crows(self) -> Tensor:
        """Where each row starts, [rows+1], int64."""
        return to_tensor(self.starts)

    def cols(self) -> Tensor:
        """The column of each element, [nnz], int64."""
        return to_tensor(self.columns)

    def with_values(self, values: Any) -> SparseCsrTensor:
        """Other values in the same places."""
        return SparseCsrTensor(self.starts, self.columns, values, self._shape)

    def to_sparse_coo(self, sparse_dim: int | None = None) -> SparseCooTensor:
        """The tensor with a position for each element."""
        rows = np.repeat(np.arange(self._shape[0]), np.diff(self.starts))
        return SparseCooTensor(np.stack([rows, self.columns]), self._values, self._shape)

    def to_sparse_csr(self) -> SparseCsrTensor:
        """The tensor itself."""
        return self

    def __repr__(self) -> str:
        return (
            f"Tensor(shape={self.shape}, dtype={self.dtype.name}, "
            f"stop_gradient={self.stop_gradient},\n       crows={self.starts.tolist()},\n"
            f"       cols={self.columns.tolist()},\n       values={self._values.tolist()})"
        )


@told
def sparse_coo_tensor(
    indices: Any,
    values: Any,
    shape: Sequence[int] | None = None,
    dtype: Any = None,
    place: Any = None,
    stop_gradient: bool = True,
) -> SparseCooTensor:
    """A sparse tensor of positions [sparse_dim,nnz] and values [nnz,...].

    shape: None means as small as the positions allow. Raises ShapeError where the parts do not fit,
    ArgumentError for positions outside the shape.

    >>> x = twinoar.sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0])
    >>> x.to_dense().tolist()
    [[0.0, 1.0], [2.0, 0.0]]
    """
    places, held = _integers(indices), _tensor(values, dtype, stop_gradient)
    if places.ndim != 2 or held.ndim < 1 or places.shape[1] != held.shape[0]:
        raise ShapeError(
            f"indices must be [sparse_dim,nnz] and values [nnz,...], received "
            f"{list(places.shape)} and {held.shape}"
        )
    least = [*(places.max(1, initial=-1) + 1).tolist(), *held.shape[1:]]
    sizes = least if shape is None else [int(size) for size in shape]
    if len(sizes) != len(least):
        raise ShapeError(f"shape must have {len(least)} dimensions, received {sizes}")
    if places.size and (places.min() < 0 or any(a < b for a, b in zip(sizes, least, strict=True))):
        raise ArgumentError(f"indices do not lie in the shape {sizes}")
    return SparseCooTensor(places, held, sizes)


@told
def sparse_csr_tensor(
    crows: Any,
    cols: Any,
    values: Any,
    shape: Sequence[int] | None = None,
    dtype: Any = None,
    place: Any = None,
    stop_gradient: bool = True,
) -> SparseCsrTensor:
    """A sparse matrix: where rows start [rows+1], the columns [nnz] and the values [nnz].

    shape: None means as small as the columns allow. Raises ShapeError where the parts do not fit,
    ArgumentError for columns outside the shape.

    >>> x = twinoar.sparse.sparse_csr_tensor([0, 1, 2], [1, 0], [1.0, 2.0], [2, 2])
    >>> x.to_dense().tolist()
    [[0.0, 1.0], [2.0, 0.0]]
    """
    starts, columns = _integers(crows), _integers(cols)
    held = _tensor(values, dtype, stop_gradient)
    if starts.ndim != 1 or columns.ndim != 1 or held.shape != list(columns.shape):
        raise ShapeError(
            f"crows must be [rows+1], cols and values [nnz], received {list(starts.shape)}, "
            f"{list(columns.shape)} and {held.shape}"
        )
    least = [len(starts) - 1, int(columns.max(initial=-1)) + 1]
    sizes = least if shape is None else [int(size) for size in shape]
    if len(sizes) != 2 or sizes[0] != least[0]:
        raise ShapeError(f"shape must be of {least[0]} rows, received {sizes}")
    ordered = starts[0] == 0 and starts[-1] == len(columns) and (np.diff(starts) >= 0).all()
    if not ordered or columns.min(initial=0) < 0 or least[1] > sizes[1]:
        raise ArgumentError(f"crows and cols do not fit together, or to the shape {sizes}")
    return SparseCsrTensor(starts, columns, held, sizes)


def gathered(x: SparseCooTensor, positions: np.ndarray) -> Any:
    """The values of x at `positions`, single numbers in order that hold all of x; 0 where x has
    none.
    """
    held = x.values()
    start = zeros([len(positions), *held.shape[1:]], held.dtype)
    place = to_tensor(np.searchsorted(positions, x.flat()))
    return index_add(start, place, 0, held) if x.nnz() else start


def at_positions(x: SparseCooTensor, positions: np.ndarray) -> SparseCooTensor:
    """x with an element at each of `positions`, which hold all of x."""
    places = np.stack(np.unravel_index(positions, x.sparse_shape)).astype(np.int64)
    return SparseCooTensor(places, gathered(x, positions), x.shape)


def from_dense(x: Any, sparse_dim: int) -> SparseCooTensor:
    """The elements of x, a tensor, that are not 0; positions count its first `sparse_dim`
    dimensions.
    """
    rest = tuple(range(sparse_dim, x.ndim))
    places = np.stack(np.nonzero(np.asarray(x.detach()).any(rest) if rest else np.asarray(x)))
    return taken(x, places)


def to_sparse_coo(x: Any, sparse_dim: int) -> SparseCooTensor:
    """The elements of a tensor that are not 0, with their positions: those of its first
    `sparse_dim` dimensions. Raises ArgumentError.

    >>> twinoar.to_tensor([0.0, 3.0]).to_sparse_coo(1).indices().tolist()
    [[1]]
    """
    if not 0 < sparse_dim <= x.ndim:
        raise ArgumentError(
            f"sparse_dim must be from 1 to {x.ndim}, the dimensions of x, received {sparse_dim}"
        )
    return from_dense(x, sparse_dim)


def to_sparse_csr(x: Any) -> SparseCsrTensor:
    """The elements of a matrix that are not 0, row by row. Raises ShapeError for others.

    >>> twinoar.to_tensor([[0.0, 3.0]]).to_sparse_csr().cols().tolist()
    [1]
    """
    if x.ndim != 2:
        raise ShapeError(f"expected a matrix, received the shape {x.shape}")
    return from_dense(x, 2).to_sparse_csr()


def taken(x: Any, places: np.ndarray) -> SparseCooTensor:
    """The elements of x, a tensor, at `places`, [sparse_dim,nnz]."""
    count = len(places)
    flat = np.ravel_multi_index(tuple(places), tuple(x.shape[:count])).astype(np.int64)
    rows = reshape(x, [math.prod(x.shape[:count]), *x.shape[count:]])
    return SparseCooTensor(places.astype(np.int64), gather(rows, to_tensor(flat)), x.shape)


def checked(x: Any, name: str = "x") -> Any:
    """x, which must be sparse; raises TypeMismatchError for anything else."""
    if not isinstance(x, SparseTensor):
        raise TypeMismatchError(
            f"expected {name} to be a sparse tensor, received {type(x).__name__}",
            cure="make it with sparse_coo_tensor or sparse_csr_tensor",
        )
    return x


def in_form_of(x: Any, found: SparseCooTensor) -> Any:
    """`found` row by row where x is."""
    return found.to_sparse_csr() if isinstance(x, SparseCsrTensor) else found


def _integers(given: Any) -> np.ndarray:
    array = np.array(given)
    if array.size and array.dtype.kind not in "iu":
        raise TypeMismatchError(f"positions must be integers, received {array.dtype}")
    return array.astype(np.int64)


def _tensor(values: Any, dtype: Any, stop_gradient: bool) -> Any:
    if not isinstance(values, Value):
        return to_tensor(values, dtype=dtype, stop_gradient=stop_gradient)
    return values if dtype is None else astype(values, dtype)
