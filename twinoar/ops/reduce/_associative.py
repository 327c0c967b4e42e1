"""Running values of any associative function of elements that may have several components.

Lines side by side run through columns, as many at once as a cache holds; a line alone is cut into
parts, of which a thread computes some in turns, so that none waits for the element before. Few long
lines take three passes: totals of parts, what stands before each, then the elements (Blelloch,
"Prefix sums and their applications", 1990). Where a line is cut depends on shapes alone, so results
do not depend on how many threads there are. No element need be one that changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twinoar.core.dtype import DType
from twinoar.core.loop.language import compute_dtype
from twinoar.core.loop.procedure import Array, Launcher, cast, local, procedure
from twinoar.late import dataclass

Combine = Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[Any, ...]]
# Columns at once: what they hold stays in the nearest cache. Fewer read memory in shorter runs: 64
# took three times as long.
WIDTH = 512
IN_TURNS = tuple(range(4))  # parts of a line alone
ALONE = (0,)
# Elements of a part: 64 KiB for those in turns, which a core's cache keeps from one pass to the
# next. Not a multiple of 4 KiB, as parts that far apart would share lines of the cache.
PART = 4112
MANY = 4  # rows that need not be cut


@dataclass(frozen=True)
class Plan:
    """What is written into the code of a scan.

    combine: (components of what was so far, of an element) -> of what is now; `dtypes` are those of
    components. reads, writes, totals: for each component the array it is read from, written to, and
    whose totals stand there; one that is read from None is 0, one written to None is not wanted.
    stage: "whole", or "totals" and then "elements" of parts.
    """

    combine: Combine
    dtypes: tuple[DType, ...]
    reads: tuple[int | None, ...]
    writes: tuple[int | None, ...]
    totals: tuple[int, ...]
    reverse: bool
    stage: str = "whole"


def associative_scan(
    p: Launcher,
    xs: Sequence[Array | None],
    dtypes: Sequence[DType],
    outs: Sequence[Array | None],
    axis: int,
    combine: Combine,
    *,
    reverse: bool = False,
) -> None:
    """Launch the running values of components `xs` along an axis into `outs`; see `Plan`."""
    given = [x.along(axis) for x in (*xs, *outs) if x is not None]
    before, n, after = given[0].shape
    if before * n * after == 0:
        return
    chunks, width = -(-after // WIDTH), min(after, WIDTH)
    places = iter(range(len(given)))
    reads, writes = (tuple(None if x is None else next(places) for x in s) for s in (xs, outs))
    held = tuple(map(compute_dtype, dtypes))
    plan = Plan(combine, held, reads, writes, (), reverse)
    size = PART if after == 1 else max(64, 4 * PART // width)
    parts = n // size // len(IN_TURNS) * len(IN_TURNS)
    work = len(given) * before * n * after
    if before * chunks >= MANY or parts <= len(IN_TURNS):
        row = _line if after == 1 else _columns
        p.launch(row, before * chunks, 1, n, chunks, *given, work=work, plan=plan)
        return
    totals = [p.scratch((before, parts, after), d) for d in held]
    plan = replace(plan, totals=tuple(range(len(given), len(given) + len(totals))))
    together = len(IN_TURNS) if after == 1 else 1
    row, rows = (_line if after == 1 else _columns), before * chunks * parts // together
    for stage in ("totals", "elements"):
        staged = replace(plan, stage=stage)
        p.launch(row, rows, parts, size, chunks, *given, *totals, work=work, plan=staged)
        if stage == "totals":
            p.launch(_before, before * chunks, chunks, *totals, plan=plan)


@procedure
def _line(row, parts, size, chunks, *arrays, plan):
    """A line alone, or some of its parts in turns."""
    n = arrays[0].shape[1]
    lanes = ALONE if plan.stage == "whole" else IN_TURNS
    groups = parts // len(lanes)
    line = row // groups
    first = row % groups * len(lanes)
    state = [local(len(lanes), d) for d in plan.dtypes]
    for lane in lanes:
        _begin(line, first + lane, (first + lane) * size, 0, lane, n, arrays, state, plan=plan)
    for k in range(1, size):
        for lane in lanes:
            _step(line, (first + lane) * size + k, 0, lane, n, arrays, state, plan=plan)
    if first + len(lanes) == parts:  # what is left over
        for k in range(parts * size, n):
            _step(line, k, 0, lanes[-1], n, arrays, state, plan=plan)
    if plan.stage == "totals":
        for lane in lanes:
            _keep(line, first + lane, 0, lane, arrays, state, plan=plan)


@procedure
def _columns(row, parts, size, chunks, *arrays, plan):
    """Lines side by side, or a part of each."""
    n = arrays[0].shape[1]
    part = row % parts
    low = row // parts % chunks * WIDTH
    line = row // (parts * chunks)
    count = min(arrays[0].shape[2] - low, WIDTH)
    start = part * size
    stop = n if part + 1 == parts else start + size
    state = [local(WIDTH, d) for d in plan.dtypes]
    for c in range(count):
        _begin(line, part, start, low + c, c, n, arrays, state, plan=plan)
    for k in range(start + 1, stop):
        for c in range(count):
            _step(line, k, low + c, c, n, arrays, state, plan=plan)
    if plan.stage == "totals":
        for c in range(count):
            _keep(line, part, low + c, c, arrays, state, plan=plan)


@procedure
def _before(row, chunks, *totals, plan):
    """Each total of a part but the first becomes what stands before that part."""
    low = row % chunks * WIDTH
    line = row // chunks
    parts = totals[0].shape[1]
    state = [local(WIDTH, d) for d in plan.dtypes]
    count = min(totals[0].shape[2] - low, WIDTH)
    for c in range(count):
        for s, t in zip(state, totals, strict=True):
            s[c] = t[line, 0, low + c]
    for part in range(1, parts):
        for c in range(count):
            _exchange(line, part, low + c, c, totals, state, plan=plan)


@procedure
def _exchange(line, part, column, lane, totals, state, *, plan):
    so_far = [s[lane] for s in state]
    total = [t[line, part, column] for t in totals]
    for value, t in zip(so_far, totals, strict=True):
        t[line, part, column] = value
    _hold(lane, plan.combine(so_far, total), state)


@procedure
def _begin(line, part, k, column, lane, n, arrays, state, *, plan):
    """The first element of a part."""
    at = n - 1 - k if plan.reverse else k
    new = _element(line, at, column, arrays, plan=plan)
    _hold(lane, new, state)
    if plan.stage == "elements" and part > 0:
        so_far = [arrays[t][line, part, column] for t in plan.totals]
        _hold(lane, plan.combine(so_far, new), state)
    if plan.stage != "totals":
        _write(line, at, column, lane, arrays, state, plan=plan)


@procedure
def _step(line, k, column, lane, n, arrays, state, *, plan):
    """Another element."""
    at = n - 1 - k if plan.reverse else k
    so_far = [s[lane] for s in state]
    new = plan.combine(so_far, _element(line, at, column, arrays, plan=plan))
    _hold(lane, new, state)
    if plan.stage != "totals":
        _write(line, at, column, lane, arrays, state, plan=plan)


@procedure
def _element(line, at, column, arrays, *, plan):
    return [
        cast(0, d) if r is None else arrays[r][line, at, column]
        for d, r in zip(plan.dtypes, plan.reads, strict=True)
    ]


@procedure
def _hold(lane, values, state):
    for value, s in zip(values, state, strict=True):
        s[lane] = value


@procedure
def _write(line, at, column, lane, arrays, state, *, plan):
    for s, w in zip(state, plan.writes, strict=True):
        if w is not None:
            arrays[w][line, at, column] = s[lane]


@procedure
def _keep(line, part, column, lane, arrays, state, *, plan):
    """The total of a part."""
    for s, t in zip(state, plan.totals, strict=True):
        arrays[t][line, part, column] = s[lane]


def scan_of_arrays(
    xs: Sequence[np.ndarray], axis: int, combine: Combine, reverse: bool = False
) -> tuple[np.ndarray, ...]:
    """The running values by NumPy: pairs first, whose running values are every other one's."""
    moved = [np.moveaxis(x, axis, 0)[:: -1 if reverse else 1] for x in xs]
    found = _running(tuple(moved), combine)
    back = [np.moveaxis(y[:: -1 if reverse else 1], 0, axis) for y in found]
    return tuple(map(np.ascontiguousarray, back)) if math.prod(xs[0].shape) else tuple(xs)


def _running(xs: tuple[np.ndarray, ...], combine: Combine) -> tuple[np.ndarray, ...]:
    n = len(xs[0])
    if n < 2:
        return xs
    pairs = combine(tuple(x[:-1:2] for x in xs), tuple(x[1::2] for x in xs))
    odd = _running(tuple(pairs), combine)
    even = combine(tuple(y[: (n - 1) // 2] for y in odd), tuple(x[2::2] for x in xs))
    outs = tuple(np.empty_like(x) for x in xs)
    for out, x, y, z in zip(outs, xs, odd, even, strict=True):
        out[0], out[1::2], out[2::2] = x[0], y, z
    return outs
