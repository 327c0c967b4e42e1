"""A Program compiled for given sizes: its Commands, and the kernels that they name.

What is here is shared by all threads; an `Instance` is one thread's memory and commands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from twinoar import config
from twinoar.backends.llvm import driver, jit
from twinoar.backends.llvm.emit import NAME, Emitted, emit
from twinoar.backends.llvm.target import attributes
from twinoar.backends.native import library, own_library
from twinoar.backends.native.control import (
    BranchPart,
    Deciding,
    GradientPart,
    Iterating,
    Recorded,
    SecondGradientPart,
    WhilePart,
)
from twinoar.backends.native.description import for_library, for_loops, result_order
from twinoar.backends.native.integer_library import integer_executions
from twinoar.backends.native.iterations import iterations_of
from twinoar.backends.native.library import Execution, executions
from twinoar.backends.native.loop import LoopPart
from twinoar.backends.native.nested import (
    Iteration,
    Unfit,
    part_going_back,
    parts_going_back_twice,
    parts_of_loop,
    sides_of,
)
from twinoar.backends.native.own_images import are_brief, is_channelwise
from twinoar.backends.native.own_integers import integer_launches
from twinoar.backends.native.parts import (
    HostPart,
    KernelCode,
    KernelPart,
    LibraryPart,
    TiledPart,
    UnlessPart,
    is_rare,
    kernel_code,
)
from twinoar.backends.native.procedures import is_procedure, may_fail, part_of
from twinoar.backends.native.traveling import collective_of, collective_part
from twinoar.compile import memory
from twinoar.compile.assemble import Assembler
from twinoar.compile.check import write_after_checks
from twinoar.compile.commands import Commands, Kernel
from twinoar.compile.epilogue import absorb
from twinoar.compile.graph import Order
from twinoar.compile.numbers import Numbers
from twinoar.compile.part import Part
from twinoar.compile.pipeline import CallStep, KernelStep, Plan, Post, Step, plan
from twinoar.compile.placement import Batches, arenas, batched, placed, settled
from twinoar.compile.stages import Stages
from twinoar.compile.storage import Storage, View
from twinoar.compile.target import Target
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.op.library import Convolution, Description, Matmul, Scaled
from twinoar.core.varying import Guards, hint_of, typical
from twinoar.errors import UnsupportedError
from twinoar.late import dataclass
from twinoar.ops.control.branch_and_loop import if_, while_
from twinoar.ops.control.over_time import over_time
from twinoar.ops.control.while_gradient import while_gradient, while_second_gradient

CACHED_BYTES = 1 << 20  # weights that caches keep from one product that uses them to the next
# Of all such weights of a step; beyond it a step of 32 layers of [256,256] is 6% faster in oneDNN.
ALL_CACHED_BYTES = 2 << 20


@dataclass
class Compiled:
    """The parts of a Program in order, those that run as one command together; and its Commands.

    setup: what follows from states that no run changes, and runs when one is bound. places: the
    number of each value's memory; those of `outside` are bound at each run. derived: where lies
    what setup and packing leave for all runs.
    """

    program: Program
    plan: Plan
    setup: Batches
    batches: Batches
    places: dict[Storage, int]
    outside: dict[int, Any]
    arena: memory.Arena
    derived: memory.Arena
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
        """All parts, in order; not those of bodies."""
        return [p for batch in (*self.setup, *self.batches) for p in batch]

    @property
    def hosted(self) -> list[HostPart]:
        """The parts that NumPy runs, those of bodies too."""
        inside = [h for body in self.bodies for h in body.hosted]
        return [p for p in self.parts if isinstance(p, HostPart)] + inside

    @property
    def bodies(self) -> list[Compiled]:
        """What its branches and loops run, in order."""
        return [body for p in self.parts for body in p.bodies.values()]


@dataclass
class Outline:
    """A Program planned, and its kernels compiled: what is left is to put numbers for sizes in.

    guards: of the sizes that vary; None where none does. By number of step: cached, the products
    whose weights stay in caches; codes, of kernels; ways, how oneDNN runs a call, once known.
    has_loops: those of kernels are there, as they are not where it was found on the disk.
    is_repeated: it is what others run, again and again: Python does what ranks do together there.
    """

    plan: Plan
    places: dict[Storage, int]
    outside: dict[int, Any]
    target: Target
    stages: Stages
    guards: Guards | None
    cached: set[int]
    codes: dict[int, KernelCode]
    ways: dict[int, str] = field(default_factory=dict)
    has_loops: bool = True
    is_repeated: bool = False

    def compiled(self, sizes: Mapping[str, int]) -> Compiled | None:
        """The Program for these sizes; None where it has to be planned for them."""
        if self.guards is None:
            return self._compiled(self.plan, self.places, self.outside, None, self.stages)
        if not self.guards.hold(sizes):
            return None
        numbers = Numbers(self.plan.program, sizes)
        planned = numbers.plan(self.plan)
        for n, step in enumerate(planned.steps):
            if isinstance(step, CallStep) and not _serves(step, n in self.cached, self.target):
                return None
        places = {numbers.storage(s): n for s, n in self.places.items()}
        outside = {
            n: numbers.variables[x] if isinstance(x, Variable) else x
            for n, x in self.outside.items()
        }
        return self._compiled(planned, places, outside, numbers, Stages())

    def _compiled(
        self,
        planned: Plan,
        places: dict[Storage, int],
        outside: dict[int, Any],
        numbers: Numbers | None,
        stages: Stages,
    ) -> Compiled:
        with stages.stage("parts"):
            fixed = fixed_values(planned)
            parts = [self._part(n, s, planned, numbers, fixed) for n, s in enumerate(planned.steps)]
        with stages.stage("memory"):
            setup, live = settled(parts, places, outside, planned)
            written = {places[s] for s in planned.in_place}
            before, batches = batched(setup, places, written), batched(live, places, written)
            arena, derived = arenas(before, batches, places, outside, planned)
        with stages.stage("commands"):
            into = Assembler(planned, before, batches, places, outside, self.target, arena, derived)
            commands = into.commands()
        return Compiled(
            planned.program, planned, before, batches, places, outside, arena, derived,
            self.target, stages, into, commands,
        )  # fmt: skip

    def _part(
        self, n: int, step: Step, planned: Plan, numbers: Numbers | None, fixed: set[Variable]
    ) -> Part:
        """A step, ready to run. fixed: see `fixed_values`."""
        if isinstance(step, KernelStep):
            made = self.codes[n]
            return KernelPart(step, made if numbers is None else _with_numbers(made, numbers))
        target = self.target
        asked = _in_library(step, step.posts, target, small=not _is_loose(step.posts))
        if asked is not None and n not in self.cached:
            kept = partial(keeps_packed, planned=planned)
            if isinstance(asked, Scaled):
                runs = integer_executions(step, asked)
                return LibraryPart(step, runs, list(filter(kept, runs)))
            way = self.ways.get(n, "")
            self.ways[n], runs = executions(
                step, asked, lambda run: run.packs in fixed, way, target.rounds
            )
            return LibraryPart(step, runs, list(filter(kept, runs)))
        asked = for_loops(step.operator)
        if isinstance(asked, Scaled):
            assert step.result is not None
            tiles = integer_launches(asked, step.operands, step.result, target)
            return TiledPart(step, tiles)
        if asked is not None:
            assert step.result is not None
            views = _views(step)
            launches = own_library.launches(asked, views, step.result, target, step.posts)
            return TiledPart(step, launches)
        together = None if self.is_repeated else collective_of(step.operator)
        if together is not None:
            return collective_part(step, together)
        return _Nesting(planned.program, target, planned.in_place).part(step)


def outlined(
    program: Program,
    target: Target,
    stages: Stages,
    orders: Mapping[Variable, Order] | None = None,
    guards: Guards | None = None,
    *,
    repeated: bool = False,
) -> Outline:
    """The plan of a lowered Program that has numbers for its sizes, or sizes that vary.

    orders: how inputs lie, see Graph. guards: of the sizes that vary. repeated: see `emit`.
    """
    order = partial(result_order, target=target)
    planned = plan(program, order, target.threads, stages, orders)
    write_after_checks(planned, lambda o: order(o) is None and (not is_procedure(o) or may_fail(o)))
    absorb(planned, partial(_takes, target=target))
    strict_check(planned, target)
    places, outside = placed(planned)
    with stages.stage("emit"):
        cached = _cached(planned)
        into = partial(emit, attributes=attributes(target), repeated=repeated)
        emitted = {
            n: (step, into(step.nest, places.__getitem__))
            for n, step in enumerate(planned.steps)
            if isinstance(step, KernelStep)
        }
    with stages.stage("LLVM"):
        codes = _loaded([e for _, e in emitted.values()], target)
    made = {
        n: kernel_code(step, e, code)
        for (n, (step, e)), code in zip(emitted.items(), codes, strict=True)
    }
    if guards is not None:
        guards.is_closed = True
    outline = Outline(planned, places, outside, target, stages, guards, cached, made)
    outline.is_repeated = repeated
    return outline


def compile_program(
    program: Program,
    target: Target,
    stages: Stages,
    orders: Mapping[Variable, Order] | None = None,
    *,
    repeated: bool = False,
) -> Compiled:
    """Compile a lowered Program that has numbers for its sizes; see `outlined`."""
    found = outlined(program, target, stages, orders, repeated=repeated).compiled({})
    assert found is not None
    return found


def _loaded(kernels: Sequence[Emitted], target: Target) -> list[jit.Code]:
    """The machine code of each kernel."""
    if not kernels:
        return []
    symbols = driver.polling() if any(e.polls for e in kernels) else {}
    return jit.load_many([e.text for e in kernels], [NAME], symbols, target)


def _with_numbers(made: KernelCode, numbers: Numbers) -> KernelCode:
    """A kernel of an Outline with numbers for its sizes."""
    return replace(
        made,
        numbers=tuple(map(numbers.number, made.numbers)),
        checks=tuple(map(numbers.expression, made.checks)),
        rows=numbers.number(made.rows),
        work=numbers.number(made.work),
    )


def _is_loose(posts: Sequence[Post]) -> bool:
    """True where our own loops may run a product, too: it does nothing else, or is an update."""
    return not posts or own_library.is_update(posts)


def _serves(step: CallStep, is_cached: bool, target: Target) -> bool:
    """True where a call does, for its sizes, all that was put into it when it was planned."""
    if not step.posts:
        return True
    asked = _in_library(step, step.posts, target, small=not _is_loose(step.posts))
    if asked is not None and not is_cached:
        return library.takes_posts(asked, step.posts)
    return _finishes(step, step.posts)


@dataclass
class _Nesting:
    """What makes parts of operators with blocks, and of procedures.

    program: the one that these stand in. in_place: its values that lie where states do.
    """

    program: Program
    target: Target
    in_place: Mapping[Storage, State]

    def part(self, step: CallStep) -> Part:
        """The step with its blocks compiled; one for NumPy where it has none, or they cannot be."""
        op = step.operator.op
        if is_procedure(step.operator):
            return part_of(step, self.target, self.in_place)
        if is_rare(step.operator):
            return UnlessPart(step)
        try:
            if op is over_time:
                return self._over_time(step) or HostPart(step)
            if op is if_:
                sides = sides_of(step, self._name(step))
                return BranchPart(step, **{k: self._compiled(p) for k, p in sides.items()})
            if op is while_:
                return WhilePart(step, *self._loop(step))
            if op is while_gradient:
                seeds = step.operator.attrs["carried"]
                back = part_going_back(step, self._name(step))
                return GradientPart(step, self._recorded(step, seeds), self._iterating(back))
            if op is while_second_gradient:
                seeds = len(step.operands) - step.operator.attrs["operands"]
                twice = parts_going_back_twice(step, self._name(step))
                recorded = self._recorded(step, seeds)
                return SecondGradientPart(step, recorded, *map(self._iterating, twice))
        except Unfit as unfit:
            return HostPart(step, reason=str(unfit))
        return HostPart(step)

    def _over_time(self, step: CallStep) -> LoopPart | None:
        """None where an iteration is not of fixed shapes, or sums wait."""
        iterations = iterations_of(step, f"{self._name(step)}.body")
        if iterations is None:
            return None
        body = self._compiled(iterations.program)
        written = set(body.plan.in_place.values())
        return LoopPart(step, iterations, body) if written.issuperset(iterations.sums) else None

    def _loop(self, step: CallStep, seeds: int = 0) -> tuple[Deciding, Iterating]:
        """The blocks of a `while`, or of its gradients, which have so many operands more."""
        test, iteration = parts_of_loop(step, self._name(step), seeds)
        return Deciding(test, self._compiled(test.program)), self._iterating(iteration)

    def _recorded(self, step: CallStep, seeds: int) -> Recorded:
        return Recorded(step, *self._loop(step, seeds), len(step.operands) - seeds)

    def _iterating(self, iteration: Iteration) -> Iterating:
        return Iterating(iteration, self._compiled(iteration.program))

    def _name(self, step: CallStep) -> str:
        """A name that no other operator with blocks has, nor one in a block."""
        number = self.program.main.ops.index(step.operator)
        return f"{self.program.name}.{number}"

    def _compiled(self, program: Program) -> Compiled:
        return compile_program(program, self.target, Stages(), repeated=True)


def _takes(step: CallStep, posts: Sequence[Post], target: Target) -> bool:
    """True for calls that can do `posts` to each element that they write."""
    asked = _in_library(step, posts, target)
    return _finishes(step, posts) if asked is None else library.takes_posts(asked, posts)


def _in_library(
    step: CallStep, posts: Sequence[Post], target: Target, small: bool = False
) -> Description | None:
    """What a call with posts asks of oneDNN; None where it is left to our own loops.

    small: also where loops are faster.
    """
    asked = for_library(step.operator, target, small)
    if asked is None or not isinstance(asked, Convolution):
        return asked
    weight = _views(step)[-1]
    if is_channelwise(asked, weight):
        return None
    is_brief = are_brief(asked, weight, posts) and not library.takes_posts(asked, posts)
    return None if is_brief else asked


def _updates(step: CallStep, posts: Sequence[Post]) -> bool:
    """True for products in our own loops that `posts` make an update."""
    return own_library.is_update(posts) and _finishes(step, posts)


def _finishes(step: CallStep, posts: Sequence[Post]) -> bool:
    """True for calls in our own loops that can do `posts` to each element that they write."""
    asked = for_loops(step.operator)
    if asked is None or step.result is None:
        return False
    operands, result = map(_at_first, _views(step)), _at_first(step.result)
    return own_library.takes_posts(asked, list(operands), result, posts)


def _at_first(v: View) -> View:
    """A view at the sizes that are planned with, where those of a call are asked for later."""
    shape, strides = map(hint_of, v.shape), map(hint_of, v.strides)
    return View(v.base, hint_of(v.offset), tuple(shape), tuple(strides))


def _cached(planned: Plan) -> set[int]:
    """The steps that multiply by weights, or update them, so that these stay in caches.

    In our own loops a thread has the same columns of them in both, at each step.
    """
    calls = {n: s for n, s in enumerate(planned.steps) if isinstance(s, CallStep)}
    updates = {
        n: planned.in_place[made.base]
        for n, s in calls.items()
        if (made := s.result) is not None
        and _updates(s, s.posts)
        and typical(made.base.bytes) <= CACHED_BYTES
    }
    weights = set(updates.values())
    held = {s: typical(base.bytes) for base, s in planned.in_place.items() if s in weights}
    if sum(held.values()) > ALL_CACHED_BYTES:
        return set()
    return {*updates, *(n for n, s in calls.items() if _weights(s) in weights)}


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
        if not isinstance(step, CallStep) or is_procedure(step.operator) or is_rare(step.operator):
            continue
        if result_order(step.operator, target) is None and not collective_of(step.operator):
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


def fixed_values(planned: Plan) -> set[Variable]:
    """States that no run changes, and what follows from them alone: packed once, when bound."""
    found: set[Variable] = {s for s in planned.program.states.values() if s not in planned.updates}
    for step in planned.steps:
        if step.reads and all(s.variable in found for s in step.reads):
            found |= {s.variable for s in step.writes if s is not None}
    return found
