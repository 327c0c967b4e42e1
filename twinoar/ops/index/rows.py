"""Rows of a table: merged, taken, and put where they were. What row-sparse gradients are made of.

A row outside of the table is none: nothing is taken there, and nothing put. So how many of them
data makes equal need not be known before a Program runs: merged, all but one become -1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import float32, int32, int64
from twinoar.core.loop.language import NARROW
from twinoar.core.loop.procedure import Launcher, cast
from twinoar.core.op.declare import Spec, Tensor, loop, primitive, procedure
from twinoar.errors import ShapeError
from twinoar.ops.index._position import add_at, check_index
from twinoar.ops.index._scatter import SMALL, begin
from twinoar.ops.index._sort import sort_lines


def _check(rows: Any, values: Any, table: Any = None) -> None:
    """Raise ShapeError for what are not rows, [n], and a vector for each, [n,width].

    Of specs or arrays.
    """
    if len(rows.shape) != 1 or len(values.shape) != 2 or rows.shape[0] != values.shape[0]:
        raise ShapeError(
            f"rows must be [n] and values [n,width], received {list(rows.shape)} and "
            f"{list(values.shape)}"
        )
    if table is not None and (len(table.shape) != 2 or table.shape[1] != values.shape[1]):
        raise ShapeError(f"table must be [height,{values.shape[1]}], received {list(table.shape)}")


def _merged_specs(rows: Spec, values: Spec, height: int) -> tuple[Spec, Spec]:
    check_index(rows, "rows")
    _check(rows, values)
    return Spec(rows.shape, int64), values


@primitive(slow_kernel=True, infer=_merged_specs, total=True)
def merge_rows(rows: Tensor, values: Tensor, height: int) -> tuple[Tensor, Tensor]:
    """Rows of a table in order, each once, with the sum of its vectors in the order they stand in.

    rows: [n], integers. values: [n,width]. height: rows of the table. Returns rows, [n], int64, and
    sums, [n,width]: the first of equal rows has their sum; the others, and rows outside of
    [0,height), are -1 with zeros. 16-bit floats are added up in float32.
    """


@merge_rows.kernel
def _(rows, values, height):
    _check(rows, values)
    inside = np.where((rows >= 0) & (rows < height), rows, -1).astype(np.int64)
    order = np.argsort(inside, kind="stable")
    ordered = inside[order]
    is_first = np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    slot = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
    sums = np.zeros_like(values)
    kept = ordered >= 0
    add_at(sums, (slot[kept],), values[order[kept]])
    return np.where(is_first & kept, ordered, -1), sums


@merge_rows.procedure
def _(p, rows, values, height):
    n, width = values.shape
    if not n:
        return
    given = p.scratch((n,), int32 if height < SMALL else int64)
    ordered, places = p.scratch((n,), given.dtype), p.scratch((n,), int64)
    p.launch(_bounded, 1, rows, given, height, work=n)
    sort_lines(
        Launcher((ordered, places), p.new, p.threads, p.launches), given, 0, descending=False
    )
    out = p.results[1]
    wide = p.scratch(out.shape, float32) if out.dtype in NARROW else out
    p.launch(_summed, n, ordered, places, values, p.results[0], wide, work=2 * n * (width + 1))
    if wide is not out:
        begin(p, out, wide)


@procedure
def _bounded(call, rows, given, height):
    for k in range(rows.shape[0]):
        row = cast(rows[k], int64)
        is_inside = (row >= 0) & (row < height)
        given[k] = cast(row if is_inside else -1, given)


@procedure
def _summed(k, ordered, places, values, rows, out):
    row = cast(ordered[k], int64)
    before = cast(ordered[max(k - 1, 0)], int64)
    is_first = (row >= 0) & ((k == 0) | (before != row))
    rows[k] = row if is_first else -1
    for c in range(out.shape[1]):
        out[k, c] = cast(0, out)
    if is_first:
        at = k
        while at < ordered.shape[0] and cast(ordered[min(at, ordered.shape[0] - 1)], int64) == row:
            for c in range(out.shape[1]):
                out[k, c] = out[k, c] + cast(values[places[at], c], out)
            at += 1


@merge_rows.samples
def _(s):
    yield s(np.array([3, 1, 3, 0, 3]), s.randn(5, 2), 4, gradient=False)
    yield s(np.array([2, -1, 7, 2, 0], np.int32), s.randn(5, 3), 4, gradient=False)
    yield s(s.ints(0, 40, 300), s.randn(300, 2), 40, gradient=False)
    yield s(s.ints(0, 1, 0), s.randn(0, 2), 4, gradient=False)
    yield s.bad(ShapeError, "rows must be", np.array([1, 2]), s.randn(3, 2), 4)


def _taken_spec(table: Spec, rows: Spec) -> Spec:
    check_index(rows, "rows")
    _check_taken(table, rows)
    return Spec((*rows.shape, *table.shape[1:]), table.dtype)


def _check_taken(table: Any, rows: Any) -> None:
    if len(table.shape) != 2 or len(rows.shape) != 1:
        raise ShapeError(
            f"table must be [height,width] and rows [n], received {list(table.shape)} and "
            f"{list(rows.shape)}"
        )


@primitive(infer=_taken_spec, total=True, moves=True)
def take_rows(table: Tensor, rows: Tensor) -> Tensor:
    """The vectors of a table at some rows; zeros where a row is none.

    table: [height,width]. rows: [n], integers. Returns [n,width].
    """


@take_rows.kernel
def _(table, rows):
    _check_taken(table, rows)
    inside = (rows >= 0) & (rows < len(table))
    out = np.zeros((len(rows), *table.shape[1:]), table.dtype)
    out[inside] = table[rows[inside]]
    return out


@take_rows.lower
def _(i, table, rows):
    k, place = i
    row, height = loop.cast(rows[(k,)], int64), table.shape[0]
    known = loop.max(loop.min(row, height - 1), 0)
    return loop.select(loop.eq(known, row), table[known, place], 0)


@take_rows.samples
def _(s):
    yield s(s.randn(4, 3), np.array([2, 0, -1, 4, 3, 2]), gradient=False)
    yield s(s.randn(4, 1), np.array([1], np.int32), gradient=False)
    yield s(s.randn(4, 2), s.ints(0, 1, 0), gradient=False)
    yield s.bad(ShapeError, "table must be", s.randn(4), np.array([1]))


def _put_spec(table: Spec, rows: Spec, values: Spec) -> Spec:
    check_index(rows, "rows")
    _check(rows, values, table)
    return table


@primitive(infer=_put_spec, total=True, moves=True, begins_as=("table",))
def put_rows(table: Tensor, rows: Tensor, values: Tensor) -> Tensor:
    """A table with other vectors at some rows; where a row is none, nothing is put.

    table: [height,width]. rows: [n], integers; where some are equal, the last one counts. values:
    [n,width]. Returns [height,width]. A compiled step that updates a state by it writes these rows
    alone, in the memory of the state.
    """


@put_rows.kernel
def _(table, rows, values):
    _check(rows, values, table)
    inside = (rows >= 0) & (rows < len(table))
    out = table.copy()
    out[rows[inside]] = values[inside]
    return out


@put_rows.procedure
def _(p, rows, values):
    (out,) = p.results
    parts = max(1, min(p.threads, out.shape[1] // LINE))
    p.launch(_put, parts, out, rows, values, parts, work=values.size)


LINE = 16  # elements of a vector that a thread takes at least: those of a line of the cache


@procedure
def _put(part, out, rows, values, parts):
    height, width = out.shape[0], out.shape[1]
    first, stop = part * width // parts, (part + 1) * width // parts
    for k in range(rows.shape[0]):
        row = cast(rows[k], int64)
        if row >= 0 and row < height:
            for c in range(first, stop):
                out[row, c] = values[k, c]


@put_rows.samples
def _(s):
    yield s(s.randn(4, 3), np.array([2, 0, 2, -1, 4]), s.randn(5, 3), gradient=False)
    yield s(s.randn(3, 40), np.array([1], np.int32), s.randn(1, 40), gradient=False)
    yield s(s.randn(4, 2), s.ints(0, 1, 0), s.randn(0, 2), gradient=False)
    yield s.bad(ShapeError, "table must be", s.randn(4, 3), np.array([1]), s.randn(1, 2))
