"""How a value lies in memory: the order of its dimensions, as strides.

A value keeps its logical shape everywhere; that a convolution works channels-last is only the order
in which its dimensions are stored. So layout needs no transposes in a Program.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from twinoar.core.dtype import DType
from twinoar.core.ir.program import Variable
from twinoar.core.loop.expression import (
    Axis,
    Expr,
    axis_value,
    cast,
    const,
    make,
    split,
    weighted_sum,
)
from twinoar.core.loop.language import Reader, compute_dtype
from twinoar.core.varying import is_one, same
from twinoar.late import dataclass

Index = tuple[Expr, ...]


class Storage:
    """The memory of one value: contiguous, with its dimensions in `order`, outermost first."""

    __slots__ = ("dtype", "name", "order", "shape", "strides", "variable")

    def __init__(self, variable: Variable, order: Sequence[int] | None = None):
        self.variable, self.name = variable, variable.name
        self.shape: tuple[int, ...] = variable.spec.shape  # type: ignore[assignment]
        self.dtype: DType = variable.spec.dtype
        self.order = tuple(order) if order is not None else tuple(range(len(self.shape)))
        strides, step = [0] * len(self.shape), 1
        for d in reversed(self.order):
            strides[d] = step
            step *= max(self.shape[d], 1)
        self.strides = tuple(strides)

    @property
    def count(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        """Size in memory."""
        return self.count * self.dtype.itemsize

    @property
    def is_row_major(self) -> bool:
        """True where the elements lie as NumPy's default has them."""
        return row_major(self.shape, self.order)

    @property
    def physical(self) -> tuple[int, ...]:
        """The sizes of the dimensions as they lie, outermost first."""
        return tuple(self.shape[d] for d in self.order)

    def offset(self, index: Sequence[Expr]) -> Expr:
        """Where the element at an index lies."""
        return _position(index, self.shape, self.strides)

    def index(self, position: Sequence[Expr]) -> tuple[Expr, ...]:
        """The index of the element at a position along the dimensions as they lie."""
        index = [const(0)] * len(self.shape)
        for d, p in zip(self.order, position, strict=True):
            index[d] = p
        return tuple(index)

    def reader(self) -> Reader:
        """Loads of the elements."""
        return _loads(self, self.shape, self.offset)

    def view(self) -> View:
        """All of it."""
        return View(self, 0, self.shape, self.strides)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.variable.spec}>"


def row_major(shape: Sequence[int], order: Sequence[int]) -> bool:
    """True where `order` puts the elements as the order of the dimensions does."""
    kept = [d for d in order if not is_one(shape[d])]
    return kept == sorted(kept)


@dataclass(frozen=True)
class View:
    """A value that lies inside another's memory: `offset` and `strides` in elements."""

    base: Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def dtype(self) -> DType:
        """Of an element."""
        return self.base.dtype

    def is_dense(self, first: int = 0) -> bool:
        """True where the dimensions from `first` on lie as NumPy's default has them."""
        step = 1
        for size, stride in zip(self.shape[first:][::-1], self.strides[first:][::-1], strict=True):
            if not is_one(size) and not same(stride, step):
                return False
            step *= size
        return True

    def reader(self) -> Reader:
        """Loads of the elements."""
        return _loads(
            self.base, self.shape, lambda i: _position(i, self.shape, self.strides) + self.offset
        )


def _position(index: Sequence[Expr], shape: Sequence[int], strides: Sequence[int]) -> Expr:
    """How far from the first element the one at an index lies."""
    moved = [d for d, n in enumerate(shape) if not is_one(n)]
    return weighted_sum([index[d] for d in moved], [strides[d] for d in moved])


def _loads(base: Storage, shape: tuple[int, ...], offset: Callable[[Index], Expr]) -> Reader:
    """A reader of the elements that lie at offsets in the memory of `base`."""
    dtype = compute_dtype(base.dtype)
    return Reader(
        shape, base.dtype, lambda i: cast(make("load", (base, offset(i)), base.dtype), dtype)
    )


def view_through(reader: Reader) -> View | None:
    """The View that a reader is; None where its elements are computed, lie irregularly or reversed.

    Kernel libraries go through memory forwards.
    """
    axes = [Axis(n, f"i{d}") for d, n in enumerate(reader.shape)]
    element = reader[tuple(map(axis_value, axes))]
    if element.kind == "cast" and element.args[0].kind == "load":
        element = element.args[0]
    if element.kind != "load" or not element.args[0].dtype is element.dtype is reader.dtype:
        return None
    base, position = element.args
    offset, terms = split(position)
    if any(t.kind != "axis" for t in terms):
        return None
    coefficients = {t.args[0]: c for t, c in terms.items()}
    if any(c < 0 for c in coefficients.values()):
        return None
    return View(base, offset, reader.shape, tuple(coefficients.get(a, 0) for a in axes))
