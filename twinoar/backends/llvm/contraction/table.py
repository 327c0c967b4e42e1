"""What is computed, as tables that say where elements lie."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from twinoar.late import dataclass

Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Contraction:
    """C[n,i,j] = sum over k of A[n,i,k] B[n,k,j], for all n of a batch.

    Each table holds offsets in elements; an element of A lies at the sum of a_batch[n], a_rows[i]
    and a_inner[k], and likewise those of B and C. No two elements of C lie at one place.
    """

    a_batch: np.ndarray
    a_rows: np.ndarray
    a_inner: np.ndarray
    b_batch: np.ndarray
    b_inner: np.ndarray
    b_columns: np.ndarray
    c_batch: np.ndarray
    c_rows: np.ndarray
    c_columns: np.ndarray

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """The numbers of batches, rows, columns and steps of k."""
        return len(self.c_batch), len(self.c_rows), len(self.c_columns), len(self.a_inner)

    @property
    def operations(self) -> int:
        """Multiplications and additions in all."""
        batches, rows, columns, inner = self.sizes
        return 2 * batches * rows * columns * inner

    def turned(self) -> Contraction:
        """The same with A and B exchanged: rows of C are columns."""
        return Contraction(
            a_batch=self.b_batch,
            a_rows=self.b_columns,
            a_inner=self.b_inner,
            b_batch=self.a_batch,
            b_inner=self.a_inner,
            b_columns=self.a_rows,
            c_batch=self.c_batch,
            c_rows=self.c_columns,
            c_columns=self.c_rows,
        )

    def by_place(self) -> Contraction:
        """The same with rows in the order in which they lie in C."""
        order = np.argsort(self.c_rows)
        return replace(self, a_rows=self.a_rows[order], c_rows=self.c_rows[order])

    def into(self, rows: np.ndarray, columns: np.ndarray, batch: np.ndarray) -> Contraction:
        """The same with C elsewhere."""
        return replace(self, c_batch=batch, c_rows=rows, c_columns=columns)


def offsets(*axes: tuple[int, int]) -> np.ndarray:
    """The offsets of all elements of axes (size, stride), the last axis fastest.

    >>> offsets((2, 10), (3, 1)).tolist()
    [0, 1, 2, 10, 11, 12]
    """
    return spread(*(np.arange(size) * stride for size, stride in axes))


def spread(*axes: np.ndarray) -> np.ndarray:
    """The sums of one offset of each axis, the last axis fastest."""
    found = np.zeros(1, np.int64)
    for axis in axes:
        found = (found[:, None] + axis).reshape(-1)
    return found


def are_neighbors(table: np.ndarray) -> bool:
    """True where each offset is the one before plus 1."""
    return bool((np.diff(table) == 1).all())


@dataclass(frozen=True)
class Lie:
    """The sizes of an array's dimensions, and the strides at which its elements lie."""

    shape: Sizes
    strides: Sizes

    @property
    def count(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def extent(self) -> int:
        """More than the distance between any two elements."""
        return 1 + sum((n - 1) * abs(s) for n, s in zip(self.shape, self.strides, strict=True))

    @property
    def order(self) -> list[int]:
        """The dimensions as they lie, outermost first."""
        return sorted(range(len(self.shape)), key=lambda d: -abs(self.strides[d]))

    def axis(self, d: int) -> tuple[int, int]:
        """Size and stride of a dimension."""
        return self.shape[d], self.strides[d]


def matmul(x: Lie, y: Lie, out: Lie) -> Contraction:
    """The tables of out = x [...,M,K] times y [...,K,N], all of as many dimensions.

    Leading dimensions become rows where y is one matrix.
    """
    lead = out.shape[:-2]
    batch = [_repeated(lead, lie) for lie in (x, y, out)]
    rows = [offsets(lie.axis(-2)) for lie in (x, out)]
    if not batch[1].any():
        rows = [spread(batch[0], rows[0]), spread(batch[2], rows[1])]
        batch = [np.zeros(1, np.int64)] * 3
    return Contraction(
        a_batch=batch[0],
        a_rows=rows[0],
        a_inner=offsets(x.axis(-1)),
        b_batch=batch[1],
        b_inner=offsets(y.axis(-2)),
        b_columns=offsets(y.axis(-1)),
        c_batch=batch[2],
        c_rows=rows[1],
        c_columns=offsets(out.axis(-1)),
    )


def _repeated(lead: Sizes, lie: Lie) -> np.ndarray:
    """The offsets of the leading dimensions, of which those of size 1 are repeated."""
    own = zip(lead, lie.shape, lie.strides, strict=False)
    return offsets(*((n, stride if size != 1 else 0) for n, size, stride in own))
