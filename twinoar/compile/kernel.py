"""A kernel as expressions: what it writes, where, as functions of its loops' counters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace

from twinoar.compile.domain import Domain
from twinoar.compile.graph import Graph
from twinoar.compile.group import Step
from twinoar.compile.pattern import Partial
from twinoar.compile.storage import Storage
from twinoar.core.dtype import REAL_OF, DType
from twinoar.core.ir.program import Variable
from twinoar.core.loop.axis import reduction_axis
from twinoar.core.loop.expression import Axis, Expr, axis_value, const, make, split, walk
from twinoar.core.loop.language import flatten, unflatten
from twinoar.core.loop.pairs import parts
from twinoar.core.loop.replacing import rewrite, substitute
from twinoar.core.varying import is_one, same
from twinoar.late import dataclass

PART = Axis(1 << 30, "part")  # which part of the rows a call of the kernel works on


@dataclass
class Root:
    """Something that a kernel writes: `value` at `offset` of `storage`.

    combine: "" to store; or how a partial result is accumulated: sum, prod, min, max, any, all.
    total: how far behind its place lies what the sums of blocks of rows are added to; 0 for none.
    part: 0 or 1 for the real or the imaginary part of a complex element, which loops write apart.
    """

    storage: Storage
    offset: Expr
    value: Expr
    combine: str = ""
    total: int = 0
    part: int | None = None

    @property
    def dtype(self) -> DType:
        """Of what is written."""
        own = self.storage.dtype
        return own if self.part is None else REAL_OF[own]

    @property
    def parts(self) -> list[Root]:
        """The parts of complex elements, or itself."""
        if not self.dtype.is_complex:
            return [self]
        return [replace(self, value=v, part=n) for n, v in enumerate(parts(self.value))]


@dataclass
class Kernel:
    """Loops over `rows`, divided among threads, and in each over `columns`; and what they write.

    is_shared: what the iterations of the outermost loop compute is largely the same.
    """

    rows: list[Axis]
    columns: list[Axis]
    roots: list[Root]
    values: list[Variable] = field(default_factory=list)
    is_shared: bool = False

    @property
    def expressions(self) -> list[Expr]:
        """All expressions of the kernel."""
        return [e for r in self.roots for e in (r.offset, r.value)]


@dataclass(frozen=True)
class _Place:
    """Where the loops of a kernel are: the number of the row, and of the column in it."""

    domain: Domain
    row: Expr
    column: Expr

    @property
    def whole(self) -> Expr:
        return self.row * self.domain.column_count + self.column


def build(step: Step, graph: Graph, inlined: set[Variable], wanted: set[Storage]) -> Kernel:
    """The kernel of a step; `wanted` is what of its results others read."""
    domain = step.domain
    assert domain is not None
    rows = [Axis(n, f"r{k}") for k, n in enumerate(domain.rows)]
    columns = [Axis(n, f"c{k}") for k, n in enumerate(domain.columns)]
    at = _Place(
        domain,
        flatten(list(map(axis_value, rows)), domain.rows),
        flatten(list(map(axis_value, columns)), domain.columns),
    )
    members = {m for m in step.members if isinstance(m, Variable)}
    partials = {m.value for m in step.members if isinstance(m, Partial)}
    local = members - partials

    def here(v: Variable) -> bool:
        return v in inlined or v in local

    read = graph.reader(here)
    roots = []
    for m in step.members:
        if isinstance(m, Partial):
            if m.storage in wanted:
                roots.append(_accumulated(m, graph, here, at))
            continue
        storage = graph.storages[m]
        if storage not in wanted:
            continue
        if domain.order is not None:
            looped = dict(zip(domain.order, map(axis_value, (*rows, *columns)), strict=True))
            index = tuple(looped.get(d, const(0)) for d in range(len(storage.shape)))
        else:
            position = at.whole if same(storage.count, domain.count) else at.row
            index = storage.index(unflatten(position, storage.physical))
        roots.append(Root(storage, storage.offset(index), read(m)[index]))
    values = dict.fromkeys(m if isinstance(m, Variable) else m.value for m in step.members)
    kernel = Kernel(rows, columns, roots, list(values), domain.is_shared)
    return collapsed(kernel)


def _accumulated(m: Partial, graph: Graph, here: Callable[[Variable], bool], at: _Place) -> Root:
    """What a kernel adds to a partial result."""
    kept = graph.storages[m.value]
    index = kept.index(unflatten(0 if is_one(kept.count) else at.column, kept.physical))
    r = graph.terms(m.value, lambda v: v is m.value or here(v), index)[m.nth]
    kind, axes, term = r.args
    ordered = [axes[k] for k in m.axes]
    sizes = [a.size for a in ordered]
    through = at.row if same(math.prod(sizes), at.domain.row_count) else at.whole
    places = dict(zip(ordered, unflatten(through, sizes), strict=True))
    offset = axis_value(PART) * kept.count + (0 if is_one(kept.count) else at.column)
    total = m.storage.count // 2 if m.is_blocked else 0
    return Root(m.storage, offset, substitute(term, places), kind, total)


# Loops that together are one.


def collapsed(kernel: Kernel) -> Kernel:
    """The kernel with loops joined that run through memory as one loop would."""
    for root in kernel.roots:
        root.value = collapse_reductions(root.value)
    for name in ("rows", "columns"):
        axes, expressions = collapse_axes(getattr(kernel, name), kernel.expressions)
        setattr(kernel, name, axes)
        given = iter(expressions)
        for root in kernel.roots:
            root.offset, root.value = next(given), next(given)
    return kernel


def collapse_axes(axes: list[Axis], expressions: list[Expr]) -> tuple[list[Axis], list[Expr]]:
    """Neighbouring axes joined where every position depends on them only as on one counter."""
    kept: list[Axis] = []
    for inner in reversed(axes):
        if kept and _joinable(inner, kept[-1], expressions):
            joined = Axis(inner.size * kept[-1].size, kept[-1].name)
            values = {inner: const(0), kept[-1]: axis_value(joined)}
            expressions = [substitute(e, values) for e in expressions]
            kept[-1] = joined
        else:
            kept.append(inner)
    return kept[::-1], expressions


def collapse_reductions(e: Expr) -> Expr:
    """The expression with the axes of each reduction joined where they can be."""

    def replace(x: Expr) -> Expr | None:
        if x.kind != "reduce" or len(x.args[1]) < 2:
            return None
        kind, axes, term = x.args
        term = collapse_reductions(term)
        kept = [axes[-1]]
        for outer in reversed(axes[:-1]):
            if _joinable(outer, kept[-1], [term]):
                joined = Axis(outer.size * kept[-1].size)
                term = substitute(term, {outer: const(0), kept[-1]: axis_value(joined)})
                kept[-1] = joined
            else:
                kept.append(outer)
        kept.reverse()
        shared = [reduction_axis(term.depth, n, a.size) for n, a in enumerate(kept)]
        fresh = [Axis(a.size) for a in kept]
        term = substitute(term, dict(zip(kept, map(axis_value, fresh), strict=True)))
        term = substitute(term, dict(zip(fresh, map(axis_value, shared), strict=True)))
        return make("reduce", (kind, tuple(shared), term), x.dtype, x.bounds)

    return rewrite(e, replace) if e.depth else e


def _joinable(outer: Axis, inner: Axis, expressions: Sequence[Expr]) -> bool:
    """True where every position depends on the two only as on one counter."""
    both = {outer, inner}
    for e in itertools.chain(expressions, _operands(expressions)):
        if e.free & both and e.kind in ("linear", "axis"):
            coefficients = {t.args[0]: c for t, c in split(e)[1].items() if t.kind == "axis"}
            if not same(coefficients.get(outer, 0), inner.size * coefficients.get(inner, 0)):
                return False
    return True


def _operands(expressions: Sequence[Expr]) -> Iterable[Expr]:
    for e in walk(*expressions):
        for child in e.children:
            if e.kind != "linear" or child.kind not in ("axis", "linear"):
                yield child
