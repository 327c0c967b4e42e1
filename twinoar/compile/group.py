"""Which values are computed together: the kernels of a Program, and the order in which they run.

Cheap values are inlined: whoever reads them computes them again. Each other value joins a kernel
that computes what it reads, or one that reads the same, where the loops agree and no step in
between would have to wait for itself; or it begins a kernel of its own.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from typing import Any

from twinoar.compile.domain import Domain, merge, without_ones
from twinoar.compile.graph import Graph, is_expensive, sources
from twinoar.compile.pattern import (
    Partial,
    Pattern,
    adds_blocks,
    is_contiguous,
    outer_reductions,
    pattern_of,
)
from twinoar.compile.storage import Storage
from twinoar.core.ir.program import Operator, Variable
from twinoar.core.loop.axis import shared_axis
from twinoar.core.loop.expression import Axis, Expr, axis_value, split, walk
from twinoar.core.spec import Spec
from twinoar.core.varying import is_one, same, typical

LARGEST = 24  # values that one kernel computes
NODES = 600  # of the expressions of one kernel
DEEPEST = 48  # operators, one above the other, in an expression: their rules call each other
SMALL = 256  # elements: reading so few again is no reason to join


class Step:
    """One thing to run: a call of an operator, or a kernel that computes `members`.

    number: its place among the steps; after: the numbers of those whose results it needs; before:
    of all that must have run, as bits. is_awaited: True where it is before another.
    """

    def __init__(self, number: int, call: Operator | None = None, domain: Domain | None = None):
        self.number, self.call, self.domain = number, call, domain
        self.before = 0
        self.after: set[int] = set()
        self.is_awaited = False
        self.last = 0
        self.nodes = 0
        self.members: list[Variable | Partial] = []

    @property
    def is_kernel(self) -> bool:
        """True where we generate the code."""
        return self.call is None


class Grouping:
    """The steps of a graph. parts: the number of threads for which partial results are kept."""

    def __init__(self, graph: Graph, parts: int):
        self.graph, self.parts = graph, parts
        self.steps: list[Step] = []
        self.home: dict[Storage, Step] = {}
        self.readers: dict[Storage, list[Step]] = {}
        self.inlined: set[Variable] = set()
        self.read = graph.reader(self.inlined.__contains__)
        self.heights: dict[Variable, int] = {}
        self.waits: dict[Variable, set[Storage]] = {}
        self.latest_effect: Step | None = None
        self.kept = self._kept()
        for at, o in enumerate(graph.program.main.ops):
            if o in graph.calls:
                self._add_call(o, at)
            else:
                for v in o.results:
                    if v is not None and (v in graph.users or v in self.kept):
                        self._add_value(v)

    def in_order(self) -> list[Step]:
        """The steps, each after what it needs, otherwise as late values were written."""
        after: dict[int, list[Step]] = {}
        waiting = {s.number: len(s.after) for s in self.steps}
        for s in self.steps:
            for n in s.after:
                after.setdefault(n, []).append(s)
        ready = [(s.last, s.number) for s in self.steps if not waiting[s.number]]
        heapq.heapify(ready)
        ordered = []
        while ready:
            _, number = heapq.heappop(ready)
            ordered.append(self.steps[number])
            for s in after.get(number, ()):
                waiting[s.number] -= 1
                if not waiting[s.number]:
                    heapq.heappush(ready, (s.last, s.number))
        assert len(ordered) == len(self.steps)
        return ordered

    def _kept(self) -> set[Variable]:
        """The fused values that must lie in memory: outputs, updates, what calls read."""
        graph = self.graph
        kept = {*graph.returned, *graph.updates.values()}
        for o in graph.calls:
            for x in o.operands:
                if isinstance(x, Variable):
                    kept.add(graph.views[x].base.variable)
        return {v for v in kept if v.producer is not None and graph.is_fused(v)}

    # Steps.

    def _new(self, call: Operator | None, domain: Domain | None) -> Step:
        step = Step(len(self.steps), call, domain)
        self.steps.append(step)
        return step

    def _add_call(self, o: Operator, at: int) -> None:
        step = self._new(o, None)
        step.last = at
        for x in o.operands:
            if isinstance(x, Variable):
                self._after(step, self.graph.views[x].base)
        for storage in self._waits(o):
            self._after(step, storage)
        if o.has_effect:
            if self.latest_effect is not None:
                self._order(step, self.latest_effect)
            self.latest_effect = step
        for v in o.results:
            if v is not None:
                self.home[self.graph.storages[v]] = step

    def _waits(self, o: Operator) -> set[Storage]:
        """What must be there before `o` may run, beside what it reads."""
        operands = [x for x in o.operands if isinstance(x, Variable)]
        found: set[Storage] = set().union(*(self.waits.get(x, ()) for x in operands))
        if o.op.rules.get("waits"):
            awaited = operands[-1]
            found.add(self.graph.views[awaited].base)
            if awaited in self.inlined:
                sizes: Any = awaited.spec.shape  # known: this compiles for them
                index = tuple(axis_value(dimension(n, d)) for d, n in enumerate(sizes))
                found.update(sources(self.graph.computed(awaited, self.read)[index]))
        return found

    def _after(self, step: Step, storage: Storage) -> None:
        home = self.home.get(storage)
        if home is not None and home is not step:
            self._order(step, home)

    def _order(self, step: Step, first: Step) -> None:
        """Let `step`, and what comes after it, come after `first`."""
        step.after.add(first.number)
        first.is_awaited = True
        before = first.before | 1 << first.number
        if before & ~step.before:
            step.before |= before
            for s in self.steps if step.is_awaited else ():
                if s.before >> step.number & 1:
                    s.before |= before

    def _add_value(self, v: Variable) -> None:
        graph = self.graph
        storage = graph.storages[v]
        axes = tuple(dimension(n, d) for d, n in enumerate(storage.shape))
        index = tuple(map(axis_value, axes))
        element = graph.computed(v, self.read)[index]
        self.heights[v] = self._height(v)
        is_low = self.heights[v] < DEEPEST
        assert v.producer is not None
        waits = self._waits(v.producer)
        if is_low and v not in self.kept and self._is_cheap(v, element):
            self.inlined.add(v)
            self.waits[v] = waits
            return
        pattern = pattern_of(storage, axes, element)
        if pattern.partials:
            self._add_partials(v, pattern, axes, element, waits)
            element = graph.computed(v, self.read)[index]
            pattern = Pattern(Domain(without_ones(storage.physical)))
        step = self._joined(v, pattern.domain, axes, element, waits)
        self._record(step, v, storage, element)

    def _add_partials(
        self,
        v: Variable,
        pattern: Pattern,
        axes: tuple[Axis, ...],
        element: Expr,
        waits: set[Storage],
    ) -> None:
        graph, storage = self.graph, self.graph.storages[v]
        step = self._joined(v, pattern.domain, axes, element, waits)
        rows = 0 if is_one(storage.count) else pattern.domain.row_count
        partials = []
        for n, (r, reduced) in enumerate(
            zip(outer_reductions(element), pattern.partials, strict=True)
        ):
            is_blocked = adds_blocks(r.args[0], r.dtype, rows)
            spec = Spec((self.parts * (1 + is_blocked), *storage.physical), r.dtype)
            partials.append(Partial(v, n, spec, reduced, is_blocked))
        for p in partials:
            self._record(step, p, p.storage, element)
        graph.partials[v] = partials

    def _record(self, step: Step, member: Variable | Partial, storage: Storage, e: Expr) -> None:
        read = sources(e)
        value = member.value if isinstance(member, Partial) else member
        self.heights[storage.variable] = self._height(value, read, step)
        step.members.append(member)
        step.nodes += sum(1 for _ in walk(e))
        self.home[storage] = step
        step.last = max(step.last, self.graph.position[value])
        for s in read:
            self._after(step, s)
            if typical(s.count) >= SMALL:
                readers = self.readers.setdefault(s, [])
                if step not in readers:
                    readers.append(step)

    def _height(self, v: Variable, read: Iterable[Storage] = (), step: Step | None = None) -> int:
        """How many operators stand one above the other where `step` computes a value."""
        assert v.producer is not None
        operands = [x for x in v.producer.operands if isinstance(x, Variable)]
        within = max((self.heights[x] for x in operands if x in self.inlined), default=0)
        local = (self.heights[s.variable] for s in read if self.home.get(s) is step)
        return 1 + within + (0 if step is None else max(local, default=0))

    def _is_cheap(self, v: Variable, element: Expr) -> bool:
        """True where computing a value again costs no more than reading it."""
        if self.graph.is_view(v):
            return True
        if is_one(_count(v)) and sources(element):
            return False  # a number for all, such as the learning rate: computed once
        if is_expensive(element):
            return False
        read = sources(element)
        full = [
            s
            for s in read
            if typical(2 * s.count * s.dtype.itemsize) > typical(v.spec.dtype.itemsize * _count(v))
        ]
        return len(full) <= 1 and sum(len(p) for p in read.values()) <= 6

    # Joining.

    def _joined(
        self,
        v: Variable,
        domain: Domain,
        axes: tuple[Axis, ...],
        element: Expr,
        waits: set[Storage],
    ) -> Step:
        """The kernel that shall compute a value: an earlier one where that saves memory traffic."""
        step = self._earlier(v, domain, axes, element, waits) or self._new(None, domain)
        for s in waits:
            self._after(step, s)
        return step

    def _earlier(
        self,
        v: Variable,
        domain: Domain,
        axes: tuple[Axis, ...],
        element: Expr,
        waits: set[Storage],
    ) -> Step | None:
        storage = self.graph.storages[v]
        read = sources(element)
        nodes = sum(1 for _ in walk(element))
        for step in self._candidates(read):
            if len(step.members) >= LARGEST or step.nodes + nodes > NODES:
                continue
            merged = merge(step.domain, domain) if step.domain is not None else None
            if merged is None or not self._can_join(step, read, storage, axes):
                continue
            if any(self._follows(s, step) for s in waits):
                continue
            if self._height(v, read, step) > DEEPEST:
                continue
            step.domain = merged
            return step
        return None

    def _candidates(self, read: dict[Storage, list[Expr]]) -> Iterator[Step]:
        """Kernels that compute what is read, then those that read the same; latest first."""
        producers = {self.home[s] for s in read if s in self.home and self.home[s].is_kernel}
        yield from sorted(producers, key=lambda s: -s.number)
        sharing = {step for s in read for step in self.readers.get(s, ()) if step not in producers}
        yield from sorted(sharing, key=lambda s: -s.number)

    def _can_join(
        self,
        step: Step,
        read: dict[Storage, list[Expr]],
        storage: Storage,
        axes: tuple[Axis, ...],
    ) -> bool:
        """True where nothing that the value reads waits for `step`, and accesses line up."""
        for s, positions in read.items():
            home = self.home.get(s)
            if self._follows(s, step):
                return False
            if home is step and (
                _is_partial(step, s)
                or not all(self._lines_up(s, p, storage, axes) for p in positions)
            ):
                return False
        return True

    def _follows(self, storage: Storage, step: Step) -> bool:
        """True where what computes `storage` runs after `step`."""
        home = self.home.get(storage)
        return home is not None and home is not step and bool(home.before >> step.number & 1)

    def _lines_up(
        self, source: Storage, position: Expr, storage: Storage, axes: tuple[Axis, ...]
    ) -> bool:
        """True where a position in `source` runs through it in step with the loops of the value."""
        offset, terms = split(position)
        if not same(offset, 0) or any(t.kind != "axis" for t in terms):
            return False
        steps = sorted(
            ((t.args[0], c) for t, c in terms.items()), key=lambda item: -typical(item[1])
        )
        if not is_contiguous([(a.size, c) for a, c in steps]):
            return False
        if not same(math.prod(a.size for a, _ in steps), source.count):
            return False
        places = [storage.order.index(axes.index(a)) for a, _ in steps if a in axes]
        return places == sorted(places)


def dimension(size: int, position: int) -> Axis:
    """The axis that elements of values run along: those of one shape share their expressions."""
    return shared_axis(size, f"i{position}")


def _is_partial(step: Step, storage: Storage) -> bool:
    return any(isinstance(m, Partial) and m.storage is storage for m in step.members)


def _count(v: Variable) -> int:
    return math.prod(v.spec.shape)  # type: ignore[arg-type]
