"""How the elements of an array lie in memory, as oneDNN describes it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import byref, c_int, c_void_p
from dataclasses import field
from typing import Any, Self

import numpy as np

from twinoar.backends.onednn.library import DATA_TYPES, DTYPES, Dims, Handle, call, library, made
from twinoar.core.dtype import DType, dtype_of
from twinoar.errors import ArgumentError, DTypeError
from twinoar.late import dataclass

Sizes = tuple[int, ...]

ANY_TAG = 1
BLOCKED = 2
RANK, DIMS, DATA_TYPE, PADDED_DIMS, FORMAT_KIND = 256, 257, 258, 260, 262
BLOCK_COUNT, BLOCK_SIZES, BLOCK_AXES, STRIDES = 263, 264, 265, 14


@dataclass(frozen=True, slots=True)
class Layout:
    """An array's shape, element type and place of each element.

    dims: the logical shape ([N,C,H,W] for images also where channels lie last). strides: in
    elements; None leaves the choice to the library. blocks: (axis, size) of the inner tiles of a
    layout that the library chose, outermost first; strides are then those of whole tiles, and
    `padded` is the shape in whole tiles; `origin` the primitive that chose it, and for which of its
    arguments. Equal layouts hold the same elements at the same places.
    """

    dims: Sizes
    dtype: DType
    strides: Sizes | None
    blocks: tuple[tuple[int, int], ...] = ()
    padded: Sizes = ()
    chosen: Handle | None = field(default=None, compare=False, repr=False)
    origin: tuple[Any, str] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def any(cls, dims: Sequence[int], dtype: DType) -> Self:
        """The layout that a primitive likes best."""
        return cls(tuple(dims), dtype, None)

    @classmethod
    def of(cls, array: np.ndarray) -> Self:
        """The layout of an array, which may be a transpose or a slice."""
        strides = tuple(step // array.itemsize for step in array.strides)
        return cls(array.shape, dtype_of(array.dtype), strides)

    @classmethod
    def row_major(cls, dims: Sequence[int], dtype: DType) -> Self:
        """The layout of a new NumPy array of shape `dims`."""
        return cls.ordered(dims, dtype, range(len(dims)))

    @classmethod
    def channels_last(cls, dims: Sequence[int], dtype: DType) -> Self:
        """Images [N,C,...] whose pixels lie as [N,...,C]."""
        return cls.ordered(dims, dtype, (0, *range(2, len(dims)), 1))

    @classmethod
    def ordered(cls, dims: Sequence[int], dtype: DType, order: Sequence[int]) -> Self:
        """A dense layout; order: the axes of `dims` as they lie in memory, outermost first."""
        strides, step = [1] * len(dims), 1
        for axis in reversed(order):
            strides[axis] = step
            step *= max(dims[axis], 1)
        return cls(tuple(dims), dtype, tuple(strides))

    @property
    def is_any(self) -> bool:
        """Whether the library is to choose."""
        return self.strides is None

    @property
    def is_plain(self) -> bool:
        """Whether strides say all: an ordinary strided array."""
        return self.strides is not None and not self.blocks

    @property
    def nbytes(self) -> int:
        """Bytes from the first element to the end of the last, with what pads the tiles.

        Raises ArgumentError where the library has not chosen yet.
        """
        if self.strides is None:
            raise ArgumentError(f"expected a layout with strides, got {self}")
        if self.is_plain:
            reach = sum((n - 1) * step for n, step in zip(self.dims, self.strides, strict=True))
            return (reach + 1) * self.dtype.itemsize if 0 not in self.dims else 0
        return int(library().dnnl_memory_desc_get_size(self.descriptor()))

    def matches(self, other: Layout) -> bool:
        """Whether an array in this layout can be read as `other`, without a reorder.

        Unlike `==` it leaves the strides of axes of size 1 aside.
        """
        return bool(library().dnnl_memory_desc_equal(self.descriptor(), other.descriptor()))

    def split(self, groups: int) -> Layout:
        """Filters [O,C/groups,...] as [groups,O/groups,C/groups,...], in place; not for tiles."""
        if self.blocks or self.dims[0] % groups:
            raise ArgumentError(f"expected plain filters, a multiple of {groups}, got {self}")
        dims = (groups, self.dims[0] // groups, *self.dims[1:])
        if self.strides is None:
            return Layout.any(dims, self.dtype)
        return Layout(dims, self.dtype, (dims[1] * self.strides[0], *self.strides))

    def permuted(self, order: Sequence[int]) -> Layout:
        """A transpose, in place: axis i is the axis order[i] of this; not for tiles."""
        if self.blocks:
            raise ArgumentError(f"expected a plain layout, got {self}")
        strides = None if self.strides is None else tuple(self.strides[axis] for axis in order)
        return Layout(tuple(self.dims[axis] for axis in order), self.dtype, strides)

    def descriptor(self) -> Handle:
        """The library's description; raises DTypeError for an element type that it lacks."""
        if self.chosen is not None:
            return self.chosen
        if self.dtype not in DATA_TYPES:
            served = ", ".join(d.name for d in DATA_TYPES)
            raise DTypeError(f"expected one of {served}, got {self.dtype.name}")
        shape = (len(self.dims), Dims(*self.dims), DATA_TYPES[self.dtype])
        if self.strides is None:
            return made("memory_desc", "memory_desc_create_with_tag", *shape, ANY_TAG)
        strides = Dims(*self.strides)
        return made("memory_desc", "memory_desc_create_with_strides", *shape, strides)


def described(descriptor: int) -> Layout:
    """The layout that a description of the library's own means, which is copied."""
    rank, number, kind, tiles = (
        _integer(descriptor, what) for what in (RANK, DATA_TYPE, FORMAT_KIND, BLOCK_COUNT)
    )
    assert kind == BLOCKED, f"the library chose a secret layout, kind {kind}"
    sizes, axes = (_numbers(descriptor, what, tiles) for what in (BLOCK_SIZES, BLOCK_AXES))
    return Layout(
        _numbers(descriptor, DIMS, rank),
        DTYPES[number],
        _numbers(descriptor, STRIDES, rank),
        tuple(zip(axes, sizes, strict=True)),
        _numbers(descriptor, PADDED_DIMS, rank) if tiles else (),
        made("memory_desc", "memory_desc_clone", descriptor),
    )


def described_bytes(descriptor: int) -> int:
    """Bytes of what a description of the library's own means, whatever its layout."""
    return int(library().dnnl_memory_desc_get_size(descriptor))


def _integer(descriptor: int, what: int) -> int:
    found = c_int()
    call("memory_desc_query", descriptor, what, byref(found))
    return found.value


def _numbers(descriptor: int, what: int, count: int) -> Sizes:
    found = c_void_p()
    call("memory_desc_query", descriptor, what, byref(found))
    assert found.value is not None
    return tuple((ctypes.c_int64 * count).from_address(found.value))
