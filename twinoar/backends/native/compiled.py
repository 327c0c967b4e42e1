"""A Program compiled for given sizes: its Commands, and the kernels that they name.

What is here is shared by all threads; an `Instance` is one thread's memory and commands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from twinoar import config
from twinoar.backends.llvm import driver
from twinoar.backends.llvm.emit import NAME, emit
from twinoar.backends.llvm.jit import load_many
from twinoar.backends.llvm.target import attributes
from twinoar.backends.native import library, own_library
from twinoar.backends.native.description import for_library, for_loops, result_order
from twinoar.backends.native.library import Execution, executions
from twinoar.backends.native.loop import LoopPart
from twinoar.backends.native.parts import HostPart, KernelPart, LibraryPart, TiledPart
from twinoar.backends.native.trips import trips_of
from twinoar.compile import memory
from twinoar.compile.assemble import Assembler
from twinoar.compile.check import write_after_checks
from twinoar.compile.commands import Commands, Kernel
from twinoar.compile.epilogue import absorb
from twinoar.compile.graph import Order
from twinoar.compile.part import Part
from twinoar.compile.pipeline import CallStep, KernelStep, Plan, Post, Step, plan
from twinoar.compile.placement import Batches, batched, lives, placed, settled
from twinoar.compile.stages import Stages
from twinoar.compile.storage import Storage, View
from twinoar.compile.target import Target
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.op.library import Matmul
from twinoar.errors import UnsupportedError
from twinoar.ops.control.over_time import over_time

CACHED_BYTES = 1 << 20  # weights that caches keep from one product that uses them to the next


@dataclass
class Compiled:
    """The parts of a Program in order, those that run as one command together; and its Commands.

    setup: what follows from states that no run changes, and runs when one is bound. places: the
    number of each value's memory; those of `outside` are bound at each run.
    """

    program: Program
    plan: Plan
    setup: Batches
    batches: Batches
    places: dict[Storage, int]
    outside: dict[int, Any]
    arena: memory.Arena
    target: Target
    stages: Stages
    assembler: Assembler
    commands: Commands

    @property
    def handles(self) -> Mapping[Kernel, Any]:
        """What the kernels of the Commands are here."""
        return self.assembler.handles

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
    places, outside = placed(planned)
    with stages.stage("emit"):
        cached = _cached(planned)
        parts = [_part(step, places, planned, target, id(step) in cached) for step in planned.steps]
    with stages.stage("LLVM"):
        _load([p for p in parts if isinstance(p, KernelPart)])
    with stages.stage("memory"):
        setup, live = settled(parts, places, outside, planned)
        written = {places[s] for s in planned.in_place}
        before, batches = batched(setup, places, written), batched(live, places, written)
        arena = memory.plan(lives(before, batches, places, outside, planned))
    with stages.stage("commands"):
        into = Assembler(planned, before, batches, places, outside, target, arena)
        commands = into.commands()
    return Compiled(
        program, planned, before, batches, places, outside, arena, target, stages, into, commands
    )


def _load(kernels: Sequence[KernelPart]) -> None:
    """Give each kernel its machine code."""
    if not kernels:
        return
    symbols = driver.polling() if any(p.emitted.polls for p in kernels) else {}
    codes = load_many([p.emitted.text for p in kernels], [NAME], symbols)
    for p, code in zip(kernels, codes, strict=True):
        p.code = code


def _part(
    step: Step, places: dict[Storage, int], planned: Plan, target: Target, in_loops: bool
) -> Part:
    """The step, ready to run; in_loops: a call that our own loops run rather than the library."""
    if isinstance(step, KernelStep):
        return KernelPart(step, emit(step.nest, places.__getitem__, attributes(target)))
    if for_library(step.operator, target) is not None and not in_loops:
        kept = partial(keeps_packed, planned=planned)
        runs = executions(step, target, kept)
        return LibraryPart(step, runs, list(filter(kept, runs)))
    asked = for_loops(step.operator)
    if asked is not None:
        assert step.result is not None
        views = _views(step)
        return TiledPart(step, own_library.launches(asked, views, step.result, target, step.posts))
    if step.operator.op is over_time:
        return _loop(step, target) or HostPart(step)
    return HostPart(step)


def _loop(step: CallStep, target: Target) -> LoopPart | None:
    """The loop with its iteration compiled; None where an iteration is not of fixed shapes, or sums
    wait."""
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


def keeps_packed(run: Execution, planned: Plan) -> bool:
    """True where weights that no run changes are packed once, when they are bound."""
    return isinstance(run.packs, State) and run.packs not in planned.updates
