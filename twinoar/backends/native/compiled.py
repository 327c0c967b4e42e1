"""A Program compiled for given sizes: machine code, primitives, and where each value lies.

What is here is shared by all threads; an `Instance` is one thread's memory and commands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

from twinoar import config
from twinoar.backends.llvm import driver
from twinoar.backends.llvm.contraction.launch import Launch, Scratch
from twinoar.backends.llvm.emit import NAME, Emitted, emit
from twinoar.backends.llvm.jit import Code, load_many
from twinoar.backends.llvm.target import attributes
from twinoar.backends.native import library, own_library
from twinoar.backends.native.blocks import Functions
from twinoar.backends.native.description import for_library, for_loops, result_order
from twinoar.backends.native.library import (
    Execution,
    Temporary,
    executions,
)
from twinoar.backends.native.trips import Trips, trips_of
from twinoar.compile import memory
from twinoar.compile.check import write_after_checks
from twinoar.compile.epilogue import absorb
from twinoar.compile.graph import Order
from twinoar.compile.pipeline import CallStep, KernelStep, Plan, Post, Step, plan
from twinoar.compile.schedule import Nest
from twinoar.compile.stages import Stages
from twinoar.compile.storage import Storage, View
from twinoar.compile.target import Target
from twinoar.compile.work import elements_read
from twinoar.core.expr import walk
from twinoar.core.ir import Operator, Program, State, Variable
from twinoar.core.library import Matmul
from twinoar.errors import UnsupportedError
from twinoar.ops.over_time import over_time

CACHED_BYTES = 1 << 20  # weights that caches keep from one product that uses them to the next
SERIAL = 30_000  # elements times the cost of one: less is not divided among threads


@dataclass
class KernelPart:
    """A kernel, ready to run."""

    step: KernelStep
    emitted: Emitted
    work: int
    code: Code | None = None

    @property
    def can_fail(self) -> bool:
        """True where it checks indices."""
        return bool(self.emitted.checks)

    @property
    def is_batchable(self) -> bool:
        """True where rows are independent, so that they may be divided anyhow."""
        return isinstance(self.step.nest, Nest) and not any(
            r.combine for r in self.step.kernel.roots
        )

    @property
    def grain(self) -> int:
        """The rows that go together: a vector's, where rows are what is vectorised."""
        return 1 if self.step.kernel.columns else 16


@dataclass
class LibraryPart:
    """A call of oneDNN."""

    step: CallStep
    runs: list[Execution]
    can_fail: ClassVar[bool] = False


@dataclass
class TiledPart:
    """A sum of products in loops of our own."""

    step: CallStep
    launches: list[Launch]
    can_fail: ClassVar[bool] = False


@dataclass
class LoopPart:
    """An `over_time`: `body`, what one trip computes, again and again."""

    step: CallStep
    trips: Trips
    body: Compiled
    can_fail: ClassVar[bool] = True


@dataclass
class HostPart:
    """A call of an operator's NumPy kernel. functions: what it calls for the operator's blocks."""

    step: CallStep
    functions: Functions = field(default_factory=dict)
    can_fail: ClassVar[bool] = True


Part = KernelPart | LibraryPart | TiledPart | LoopPart | HostPart
BATCHED = 256  # parts that a kernel may be moved past to join others of its code


@dataclass
class Compiled:
    """The parts of a Program in order, those that run as one command together; and their memory.

    setup: what follows from states that no run changes, and runs when one is bound.

    places: the number of each value's memory. Places of `outside` are bound at each run: feeds and
    states by name, outputs by position. The others lie at `arena.offsets`, by number.
    """

    program: Program
    plan: Plan
    setup: list[list[Part]]
    batches: list[list[Part]]
    places: dict[Storage, int]
    outside: dict[int, Any]
    arena: memory.Arena
    target: Target
    stages: Stages

    @property
    def first_writer(self) -> int | None:
        """The first batch that changes a state in place; all that may fail stands before it."""
        in_place = self.plan.in_place.keys()
        for number, batch in enumerate(self.batches):
            if any(s in in_place for part in batch for s in part.step.writes):
                return number
        return None

    @property
    def parts(self) -> list[Part]:
        """All parts, in order; not those of loops."""
        return [p for batch in (*self.setup, *self.batches) for p in batch]

    @property
    def hosted(self) -> list[HostPart]:
        """The parts that NumPy runs, those of loops too."""
        inside = [h for p in self.parts if isinstance(p, LoopPart) for h in p.body.hosted]
        return [p for p in self.parts if isinstance(p, HostPart)] + inside


def compile_program(
    program: Program,
    target: Target,
    stages: Stages,
    orders: Mapping[Variable, Order] | None = None,
) -> Compiled:
    """Compile a lowered Program that has numbers for its sizes.

    orders: how inputs lie, see Graph.
    """
    order = partial(result_order, target=target)
    planned = plan(program, order, target.threads, stages, orders)
    write_after_checks(planned, lambda o: order(o) is None)
    absorb(planned, partial(_takes, target=target))
    strict_check(planned, target)
    places, outside = _placed(planned)
    with stages.stage("emit"):
        cached = _cached(planned)
        parts = [_part(step, places, planned, target, id(step) in cached) for step in planned.steps]
    kernels = [p for p in parts if isinstance(p, KernelPart)]
    with stages.stage("LLVM"):
        texts = [p.emitted.text for p in kernels]
        symbols = driver.polling() if any(p.emitted.polls for p in kernels) else {}
        codes = load_many(texts, [NAME], symbols) if kernels else []
    for p, code in zip(kernels, codes, strict=True):
        p.code = code
    with stages.stage("memory"):
        setup, live = _settled(parts, places, outside, planned)
        written = {places[s] for s in planned.in_place}
        before, batches = _batched(setup, places, written), _batched(live, places, written)
        arena = memory.plan(_lives(before, batches, places, outside, planned))
    return Compiled(program, planned, before, batches, places, outside, arena, target, stages)


def _part(
    step: Step, places: dict[Storage, int], planned: Plan, target: Target, in_loops: bool
) -> Part:
    """The step, ready to run; in_loops: a call that our own loops run rather than the library."""
    if isinstance(step, KernelStep):
        emitted = emit(step.nest, places.__getitem__, attributes(target))
        return KernelPart(step, emitted, _work(step))
    if for_library(step.operator, target) is not None and not in_loops:
        return LibraryPart(step, executions(step, target, lambda run: keeps_packed(run, planned)))
    asked = for_loops(step.operator)
    if asked is not None:
        assert step.result is not None
        views = _views(step)
        return TiledPart(step, own_library.launches(asked, views, step.result, target, step.posts))
    if step.operator.op is over_time:
        return _loop(step, target) or HostPart(step)
    return HostPart(step)


def _loop(step: CallStep, target: Target) -> LoopPart | None:
    """The loop with its trip compiled; None where a trip is not of fixed shapes, or sums wait."""
    trips = trips_of(step)
    if trips is None:
        return None
    body = compile_program(trips.program, target, Stages())
    written = set(body.plan.in_place.values())
    return LoopPart(step, trips, body) if written.issuperset(trips.sums) else None


def _takes(step: CallStep, posts: Sequence[Post], target: Target) -> bool:
    """True for calls that can do `posts` to each element that they write."""
    if for_library(step.operator, target) is not None:
        return library.takes_posts(step, target)
    return _updates(step, posts)


def _updates(step: CallStep, posts: Sequence[Post]) -> bool:
    """True for products in our own loops that `posts` make an update."""
    asked = for_loops(step.operator)
    if asked is None or step.result is None:
        return False
    return own_library.takes_posts(asked, _views(step), step.result, posts)


def _cached(planned: Plan) -> set[int]:
    """The ids of products that read weights, and that update them, so that these stay in caches.

    In our own loops a thread has the same columns of them in both, at each step.
    """
    calls = [s for s in planned.steps if isinstance(s, CallStep)]
    updates = [s for s in calls if _updates(s, s.posts) and s.result.base.bytes <= CACHED_BYTES]
    weights = {planned.in_place[s.result.base] for s in updates}
    return set(map(id, [*updates, *(s for s in calls if _weights(s) in weights)]))


def _weights(step: CallStep) -> Variable | None:
    """What a product reads as weights; None for other calls."""
    asked = for_loops(step.operator)
    if not isinstance(asked, Matmul) or asked.transpose_y or step.posts:
        return None
    return _views(step)[1].base.variable


def _views(step: CallStep) -> list[View]:
    return [x for x in step.operands if isinstance(x, View)]


def _settled(
    parts: list[Part], places: dict[Storage, int], outside: dict[int, Any], planned: Plan
) -> tuple[list[Part], list[Part]]:
    """The parts that follow from states which no run changes alone, and the others."""
    fixed = {n for n, v in outside.items() if isinstance(v, State) and v not in planned.updates}
    setup: list[Part] = []
    live: list[Part] = []
    for part in parts:
        if isinstance(part, TiledPart):
            packing, part = _split(part, places, fixed)
            setup += packing
        reads = {places[s] for s in part.step.reads}
        writes = {places[s] for s in part.step.writes if s is not None}
        if (
            reads <= fixed
            and not writes & outside.keys()
            and not isinstance(part, (HostPart, LoopPart))
        ):
            setup.append(part)
            fixed |= writes
        else:
            live.append(part)
    return setup, live


def _split(
    part: TiledPart, places: dict[Storage, int], fixed: set[int]
) -> tuple[list[Part], TiledPart]:
    """What packs fixed values into panels, and the rest of the part."""
    packing: list[Part] = []
    rest = []
    for launch in part.launches:
        packed = own_library.packs(launch)
        if packed is not None and places[packed] in fixed:
            packing.append(TiledPart(replace(part.step, reads=[packed], writes=[]), [launch]))
        else:
            rest.append(launch)
    return packing, TiledPart(part.step, rest)


def _batched(parts: list[Part], places: dict[Storage, int], written: set[int]) -> list[list[Part]]:
    """The parts in batches: kernels of the same code that do not wait for each other are one.

    written: the states that are changed in place, which waits for all that may fail.
    """
    batches: list[list[Part]] = []
    touched: list[tuple[set[int], set[int]]] = []  # what each batch reads and writes
    by_text: dict[str, int] = {}
    for part in parts:
        reads = {places[s] for s in part.step.reads}
        if part.can_fail:
            reads |= written
        writes = {places[s] for s in part.step.writes if s is not None}
        text = part.emitted.text if isinstance(part, KernelPart) and part.is_batchable else ""
        at = by_text.get(text, -1) if text else -1
        if at >= max(0, len(batches) - BATCHED) and not any(
            written & (reads | writes) or read & writes for read, written in touched[at:]
        ):
            batches[at].append(part)
            touched[at] = touched[at][0] | reads, touched[at][1] | writes
            continue
        if text:
            by_text[text] = len(batches)
        batches.append([part])
        touched.append((reads, writes))
    return batches


def strict_check(planned: Plan, target: Target) -> None:
    """Refuse operators that have no native form, if TWINOAR_STRICT=1 says so."""
    for step in planned.steps:
        if isinstance(step, CallStep) and result_order(step.operator, target) is None:
            refuse_if_strict(step.operator)


def refuse_if_strict(o: Operator) -> None:
    """Raise UnsupportedError for an operator on NumPy, if TWINOAR_STRICT=1 says so.

    One with blocks is none: these are compiled.
    """
    if config.strict and not o.blocks:
        raise UnsupportedError(
            f"{o.op.name} has no native form, it would run on NumPy",
            cure="unset TWINOAR_STRICT, or give the operator a `lower` rule",
        ).attach(o.op.name, (), o.source)


def _work(step: KernelStep) -> int:
    """About how long a kernel takes, in elements copied."""
    nodes = list(walk(*step.kernel.expressions))
    cost = 1 + sum(8 if e.kind == "call" else 2 if e.kind in ("div", "sqrt") else 0 for e in nodes)
    return max(step.nest.work, elements_read(step.kernel.expressions).total()) * cost


def _placed(planned: Plan) -> tuple[dict[Storage, int], dict[int, Any]]:
    """A number for the memory of each value, and what those are that each run binds."""
    places: dict[Storage, int] = {}
    program = planned.program
    given = [*program.states.values(), *program.main.inputs]
    outside: dict[int, Any] = dict(enumerate(given))
    by_variable = {v: n for n, v in outside.items()}
    touched = [*(s for s in planned.outputs if isinstance(s, Storage)), *planned.updates.values()]
    for step in planned.steps:
        touched += [*step.reads, *(w for w in step.writes if w is not None)]
    number = len(given)
    for s in dict.fromkeys(touched):
        if s in planned.in_place:
            places[s] = by_variable[planned.in_place[s]]
        elif s.variable in by_variable:
            places[s] = by_variable[s.variable]
        else:
            places[s] = number
            number += 1
    for position, s in enumerate(planned.outputs):
        if isinstance(s, Storage) and places[s] not in outside:
            outside[places[s]] = position
    return places, outside


def _lives(
    setup: list[list[Part]],
    batches: list[list[Part]],
    places: dict[Storage, int],
    outside: dict[int, Any],
    planned: Plan,
) -> list[memory.Life]:
    """How long each piece of the arena is needed."""
    first: dict[Any, int] = {}
    last: dict[Any, int] = {}
    size: dict[Any, int] = {}

    def touch(key: Any, bytes_: int, at: int) -> None:
        first.setdefault(key, at)
        last[key] = at
        size[key] = max(size.get(key, 0), bytes_)

    def touch_all(part: Part, at: int) -> None:
        step = part.step
        for s in [*step.reads, *(w for w in step.writes if w is not None)]:
            if places[s] not in outside:
                touch(places[s], s.bytes, at)
        for run in part.runs if isinstance(part, LibraryPart) else ():
            for piece in run.arguments.values():
                if isinstance(piece.home, Temporary):
                    touch(piece.home, piece.home.bytes, at)
        for launch in part.launches if isinstance(part, TiledPart) else ():
            for used in launch.memories.values():
                if isinstance(used.home, Scratch):
                    touch(used.home, used.home.bytes, at)

    for part in (p for batch in setup for p in batch):
        touch_all(part, 0)
    kept = set(first)
    for at, part in ((n, p) for n, batch in enumerate(batches) for p in batch):
        touch_all(part, at)
    end = len(batches)
    parts = [p for batch in (*setup, *batches) for p in batch]
    for run in (r for p in parts if isinstance(p, LibraryPart) for r in p.runs):
        if keeps_packed(run, planned):
            kept.add(run.arguments["dst"].home)
    for key in kept:
        first[key], last[key] = 0, end
    for s in planned.updates.values():
        if s in places and places[s] not in outside:
            last[places[s]] = end
    return [memory.Life(key, size[key], first[key], last[key]) for key in first]


def keeps_packed(run: Execution, planned: Plan) -> bool:
    """True where weights that no run changes are packed once, when they are bound."""
    return isinstance(run.packs, State) and run.packs not in planned.updates
