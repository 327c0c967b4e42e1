"""The iterations of a kernel: how many rows, and how many columns within a row.

Sizes are kept in pieces, `atoms`, outermost first, fine enough for each value that a kernel reads
or writes: 1024 rows may be 8 x 128. Rows are divided among threads; what is reduced along a row is
known when the row's columns are written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from twinoar.core.varying import divides, is_one, same, same_shape, typical
from twinoar.late import dataclass

Atoms = tuple[int, ...]


@dataclass(frozen=True)
class Domain:
    """`rows` and `columns`; a flexible one has not yet decided where rows end (all are rows)."""

    rows: Atoms
    columns: Atoms = ()
    flexible: bool = True
    closed: bool = False  # its loops fit no other value
    order: tuple[int, ...] | None = None  # of a closed one: the value's dimensions as looped over
    is_shared: bool = False  # what the iterations of the outermost loop compute is largely the same

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return math.prod(self.rows)

    @property
    def column_count(self) -> int:
        """Number of columns."""
        return math.prod(self.columns)

    @property
    def count(self) -> int:
        """Number of iterations."""
        return self.row_count * self.column_count


def without_ones(sizes: Sequence[int]) -> Atoms:
    """Sizes less those that need no loop."""
    return tuple(n for n in sizes if not is_one(n))


def refine(a: Atoms, b: Atoms) -> Atoms | None:
    """The coarsest pieces of which both `a` and `b` are made; None where there are none."""
    if same_shape(a, b):
        return a
    if not same(math.prod(a), math.prod(b)):
        return None
    steps = sorted(set(_steps(a)) | set(_steps(b)), key=typical)
    if not all(divides(small, large) for small, large in pairwise(steps)):
        return None
    sizes = [large // small for small, large in pairwise(steps)]
    return tuple(reversed(sizes))


def _steps(atoms: Atoms) -> list[int]:
    steps = [1]
    for n in reversed(atoms):
        steps.append(steps[-1] * n)
    return steps


def merge(a: Domain, b: Domain) -> Domain | None:
    """A domain in which the values of both can be computed in one pass; None if there is none."""
    if a.closed or b.closed:
        return None
    if same(a.count, b.count) and (a.flexible or b.flexible or same(a.row_count, b.row_count)):
        if a.flexible and b.flexible:
            rows = refine(a.rows, b.rows)
            return None if rows is None else Domain(rows)
        fixed, other = (b, a) if a.flexible else (a, b)
        return _fit(fixed, other.rows + other.columns)
    for whole, part in ((a, b), (b, a)):
        is_part = part.flexible or not part.columns
        if not whole.flexible and whole.columns and is_part and same(part.count, whole.row_count):
            rows = refine(whole.rows, part.rows)
            return None if rows is None else Domain(rows, whole.columns, flexible=False)
    return None


def _fit(fixed: Domain, atoms: Atoms) -> Domain | None:
    """The fixed domain with its pieces refined by `atoms`, its rows ending where they did."""
    fine = refine(fixed.rows + fixed.columns, atoms)
    if fine is None:
        return None
    rows, count = 0, 1
    while rows < len(fine) and typical(count) < typical(fixed.row_count):
        count *= fine[rows]
        rows += 1
    if not same(count, fixed.row_count):
        return None
    return Domain(fine[:rows], fine[rows:], flexible=False)
