"""A kernel as a loop nest: what is computed once, per row and per element, and in which pass.

for r < 1024:                          rows, in parallel
  reduce c < 256: s0 += x[256*r + c]
  reduce c < 256: s1 += (x[256*r + c] - s0/256) ** 2
  for c < 256:                         one vector loop
    y[256*r + c] = ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

from twinoar.compile.kernel import PART, Kernel, Root
from twinoar.compile.pattern import WHOLE
from twinoar.compile.written_out import Places, written_out
from twinoar.core.loop.expression import Axis, Expr, axis_value, make, split, walk
from twinoar.core.loop.language import unflatten
from twinoar.core.loop.replacing import rewrite, substitute
from twinoar.core.loop.text import PARTS
from twinoar.core.varying import is_one, typical
from twinoar.late import dataclass

UNROLLED = 16  # terms of a window that are written out
NARROW = 8  # iterations of a loop that are not worth a strip


@dataclass
class Store:
    """`root.value` goes to its place."""

    root: Root


@dataclass
class Reduce:
    """Nested loops over `axes` in which each of `items` (name, kind, term) is accumulated."""

    axes: tuple[Axis, ...]
    items: list[tuple[str, str, Expr]]


@dataclass
class Loop:
    """`body` for each value of `axis`.

    reductions: what is reduced for each value, in loops outside of those over strips of values.
    """

    axis: Axis
    body: list[Statement]
    reductions: list[Reduce] = field(default_factory=list)


Statement = Store | Reduce | Loop


@dataclass
class Nest:
    """The loops of a kernel: `body` is run for each row in the part of rows that a call is given.

    work: about how many elements are computed.
    """

    row: Axis
    body: list[Statement]
    work: int = 0

    def __str__(self) -> str:
        lines = [f"for {self.row.name} < {self.row.size}:  # in parallel"]
        return "\n".join([*lines, *(f"  {line}" for s in self.body for line in shown(s))])


def shown(s: Statement) -> Iterator[str]:
    """A statement as text, in lines."""
    if isinstance(s, Loop):
        outside = "  # in strips, of which reductions are the outer loops" if s.reductions else ""
        yield f"for {s.axis.name} < {s.axis.size}:{outside}"
        for inner in (*s.reductions, *s.body):
            yield from (f"  {line}" for line in shown(inner))
    elif isinstance(s, Reduce):
        over = ", ".join(f"{a.name} < {a.size}" for a in s.axes)
        for name, kind, term in s.items:
            yield f"{name} = {kind} over {over} of {term}"
    else:
        sign = {"": "=", "sum": "+=", "prod": "*="}.get(s.root.combine, f"{s.root.combine}=")
        name, part = s.root.storage.name, PARTS[s.root.part]
        yield f"{name}[{s.root.offset}]{part} {sign} {s.root.value}"


def schedule(kernel: Kernel) -> Nest:
    """The loops of a kernel."""
    rows, columns = list(kernel.rows), list(kernel.columns)
    # What is accumulated over rows needs them all to stay rows.
    places: Places = []
    if not any(r.combine for r in kernel.roots):
        places = written_out(columns or rows, kernel.expressions, kernel.is_shared)
        if not columns and len(rows) > 1:
            columns = [rows.pop()]
    row = Axis(_size(rows), "r")
    at_row = dict(zip(rows, unflatten(axis_value(row), _sizes(rows)), strict=True))
    placed = [
        _at(r, {**at_row, **place})
        for place in places or [{}]
        for whole in kernel.roots
        for r in whole.parts
    ]
    roots = [replace(r, value=unrolled(r.value, frozenset(columns))) for r in placed]
    reductions, roots = _row_reductions(roots, frozenset((row, PART)), frozenset(columns))
    body: list[Statement] = [*reductions]
    inner: list[Statement] = []
    for r in roots:
        if columns and not (r.offset.free | r.value.free) & set(columns):
            body.append(Store(r))
        else:
            inner.append(Store(r))
    for axis in reversed(columns):
        inner = [_strips(axis, inner)] if inner else []
    return Nest(row, [*body, *inner], work=row.size * _size(columns) * max(len(places), 1))


def _at(root: Root, places: dict[Axis, Expr]) -> Root:
    """A root with the counters of some loops replaced."""
    offset, value = (substitute(e, places) for e in (root.offset, root.value))
    return replace(root, offset=offset, value=value)


def _strips(axis: Axis, body: list[Statement]) -> Loop:
    """The loop over `axis`, with what lies along it in memory reduced outside of it."""
    stores = [s.root for s in body if isinstance(s, Store)]
    if len(stores) < len(body) or typical(axis.size) < NARROW:
        return Loop(axis, body)
    reductions, roots = _reductions(stores, lambda e: _lies_along(e, axis), f"{axis.name}s")
    return Loop(axis, [Store(r) for r in roots], reductions)


def _lies_along(e: Expr, axis: Axis) -> bool:
    """True for a reduction whose terms are neighbors for neighboring values of an axis, not for its
    own.
    """
    kind, axes, term = e.args
    if kind.startswith(WHOLE) or axis not in e.free:
        return False
    is_far = False
    for load in walk(term):
        if load.kind != "load" or axis not in load.free:
            continue
        steps = split(load.args[1])[1]
        if any(t.kind != "axis" and axis in t.free for t in steps):
            return False
        if not is_one(steps.get(axis_value(axis), 0)):
            return False
        is_far = is_far or not is_one(steps.get(axis_value(axes[-1]), 0))
    return is_far


def _size(axes: Sequence[Axis]) -> int:
    return math.prod(_sizes(axes))


def _sizes(axes: Sequence[Axis]) -> list[int]:
    return [a.size for a in axes]


def _row_reductions(
    roots: list[Root], rows: frozenset[Axis], columns: frozenset[Axis]
) -> tuple[list[Reduce], list[Root]]:
    """What is reduced once per row, and the roots that read the results."""
    roots = [_over_columns(r, columns) for r in roots]
    return _reductions(roots, lambda e: e.free <= rows, "s")


def _reductions(
    roots: list[Root], is_meant: Callable[[Expr], bool], name: str
) -> tuple[list[Reduce], list[Root]]:
    """The reductions that are meant, named and numbered, and the roots that read their results.

    Those over the same axes of which none needs another share a loop.
    """
    statements: list[Reduce] = []
    count = 0
    while True:
        found = [
            e
            for e in walk(*(x for r in roots for x in (r.offset, r.value)))
            if e.kind == "reduce" and is_meant(e) and _is_ready(e, is_meant)
        ]
        if not found:
            return statements, roots
        named: dict[Expr, Expr] = {}
        by_axes: dict[tuple[Axis, ...], list[tuple[str, str, Expr]]] = {}
        for e in found:
            kind, axes, term = e.args
            own = f"{name}{count}"
            count += 1
            named[e] = make("var", (own,), e.dtype, e.bounds)
            by_axes.setdefault(axes, []).append((own, kind, term))
        statements += [Reduce(axes, items) for axes, items in by_axes.items()]
        roots = [
            replace(r, offset=rewrite(r.offset, named.get), value=rewrite(r.value, named.get))
            for r in roots
        ]


def _is_ready(e: Expr, is_meant: Callable[[Expr], bool]) -> bool:
    """True where no reduction inside is itself meant."""
    return not any(x.kind == "reduce" and is_meant(x) for x in walk(e.args[2]))


def _over_columns(root: Root, columns: frozenset[Axis]) -> Root:
    """A total over rows and columns, as the total over rows of each row's total."""
    free = root.value.free & columns
    if not root.combine or not free or root.offset.free & columns:
        return root
    axes = tuple(sorted(free, key=lambda a: a.name))
    total = make("reduce", (root.combine, axes, root.value), root.value.dtype)
    return replace(root, value=total)


def unrolled(e: Expr, columns: frozenset[Axis]) -> Expr:
    """The expression with small windows written out, so that the loop around can be vectorised."""

    def written_out(x: Expr) -> Expr | None:
        if (
            x.kind != "reduce"
            or x.args[0].startswith(WHOLE)
            or typical(_size(x.args[1])) > UNROLLED
        ):
            return None
        if columns and not x.free & columns:
            return None
        kind, axes, term = x.args
        term = unrolled(term, columns)
        total: Expr | None = None
        for k in range(_size(axes)):
            index = unflatten(k, _sizes(axes))
            one = substitute(term, dict(zip(axes, index, strict=True)))
            total = one if total is None else combine(kind, total, one)
        return total

    return rewrite(e, written_out) if e.depth else e


def combine(kind: str, x: Expr, y: Expr) -> Expr:
    """What a reduction of `kind` makes of two values."""
    if kind in ("sum", "prod"):
        return x + y if kind == "sum" else x * y
    if kind in ("any", "all"):
        return x | y if kind == "any" else x & y
    return make(kind, (x, y), x.dtype)
