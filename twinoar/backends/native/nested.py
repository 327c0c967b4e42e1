"""The blocks of `if` and `while` as Programs of their own, for the sizes of one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from twinoar.backends.native.blocks import closed
from twinoar.backends.numpy import bind
from twinoar.compile.pipeline import CallStep, lower
from twinoar.compile.specialise import dynamic_operator, specialise
from twinoar.compile.storage import View
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.memory_error import ADDRESSABLE_BYTES, bytes_of
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.errors import TwinoarError
from twinoar.late import dataclass
from twinoar.ops.math.arithmetic import add
from twinoar.ops.math.fill import fill


class Unfit(Exception):
    """Why the blocks of an operator are no Programs of known shapes."""


@dataclass
class Test:
    """What decides whether a loop goes on: it takes what the loop carries.

    rest: the states that are what an iteration only reads.
    """

    program: Program
    rest: list[State]


@dataclass
class Iteration:
    """What an iteration of a loop does: it updates the states `carried`, and returns nothing."""

    program: Program
    carried: list[State] = field(default_factory=list)
    rest: list[State] = field(default_factory=list)


def sides_of(step: CallStep, name: str) -> dict[str, Program]:
    """Both blocks of an `if`, which take its operands and return those results that are read.

    name: what their names begin with. Raises Unfit.
    """
    o = step.operator
    specs = _specs(step)
    found = {}
    for side in ("then", "orelse"):
        program = _program(o, side, name, specs[1:])
        _require_equal(
            program.main.outputs, [None if r is None else r.spec for r in o.results], side
        )
        pairs = zip(program.main.outputs, o.results, strict=True)
        program.main.outputs = [v for v, result in pairs if result is not None]
        found[side] = _lowered(program, side)
    return found


def parts_of_loop(step: CallStep, name: str, seeds: int = 0) -> tuple[Test, Iteration]:
    """The blocks of a `while`, or of its gradient, which has so many operands more.

    name: what their names begin with. Raises Unfit.
    """
    o, specs = step.operator, _specs(step)
    specs = specs[: len(specs) - seeds]
    carried = o.attrs["carried"]
    program = _program(o, "test", name, specs)
    _require_equal(program.main.outputs, [None], "test")
    test = Test(program, _as_states(program, carried))
    _lowered(program, "test")

    program = _program(o, "body", name, specs)
    _require_equal(program.main.outputs, specs[:carried], "body")
    states = _as_states(program, 0)
    for state, v in zip(states, program.main.outputs, strict=False):
        program.update(state, v)
    program.main.outputs = []
    _lowered(program, "body")
    program.updates = {s: v for s, v in program.updates.items() if s is not v}
    return test, Iteration(program, states[:carried], states[carried:])


def part_going_back(step: CallStep, name: str) -> Iteration:
    """What goes back through an iteration of a `while`: it takes what that started from.

    It updates the gradients of what is carried, then the sums of those of the rest, a state for
    each. name: what the Program's begins with. Raises Unfit.
    """
    return _going_back(step, name, _specs(step))


def parts_going_back_twice(step: CallStep, name: str) -> tuple[Iteration, Iteration, Iteration]:
    """What a `while_second_gradient` does for each iteration of its loop, in three loops.

    The first goes back, and updates the gradients. The second goes through these iterations the
    other way: it takes what both started from, returns the gradients of the former as far as there
    are any (see `direct`), and updates those of the latter, then the sums of those of the rest. The
    third goes back, and adds what the second returned. name: what those of the Programs begin with.
    Raises Unfit.
    """
    o, specs = step.operator, _specs(step)
    carried, operands = o.attrs["carried"], o.attrs["operands"]
    given = specs[: operands + carried]
    through = _second(o, name, given)
    return (
        _going_back(step, name, given, has_sums=False),
        through,
        _going_back(step, f"{name}.again", given, added=direct(o)),
    )


def direct(o: Operator) -> list[int]:
    """The numbers of what is carried that has a gradient through the backward of its iteration."""
    found = o.blocks["second"].outputs[: o.attrs["carried"]]
    return [n for n, v in enumerate(found) if v is not None]


def seeds_asked(o: Operator) -> list[bool]:
    """Of each operand of the loop whether its gradient has one, of which `second` knows."""
    return [v is not None for v in o.blocks["backward"].outputs]


def _going_back(
    step: CallStep,
    name: str,
    specs: Sequence[Spec],
    *,
    has_sums: bool = True,
    added: Sequence[int] = (),
) -> Iteration:
    """An iteration back. added: to whose gradients it adds an input more."""
    o = step.operator
    carried = o.attrs["carried"]
    last = len(specs) - carried
    if list(specs[last:]) != list(specs[:carried]):
        raise Unfit("the data decides the shape of what is carried")
    program = _program(o, "backward", name, specs, may_lack=True)
    states = _as_states(program, carried)
    found = program.main.outputs
    rest, gradients = states[: last - carried], states[last - carried :]
    totals = [program.add_state(s.spec, f"{s.name}.sum") for s in rest] if has_sums else []
    with using(Builder(program, policy=UNRECORDED)):
        _follow(program, gradients, found[:carried])
        for n in added:
            more = program.main.add_input(specs[n])
            following = program.updates[gradients[n]]
            program.update(gradients[n], add.function(following, more))
        _sum_up(program, totals, found[carried:])
    program.main.outputs = []
    return _as_iteration(program, "backward", [*gradients, *totals], rest)


def _second(o: Operator, name: str, specs: Sequence[Spec]) -> Iteration:
    """What goes through the iterations back, from their last to their first.

    specs: those of the loop's operands, then of the gradients of its results.
    """
    carried, operands = o.attrs["carried"], o.attrs["operands"]
    asked = seeds_asked(o)
    seeds = [spec for spec, is_asked in zip(specs[:operands], asked, strict=True) if is_asked]
    program = _program(o, "second", name, [*specs, *seeds], may_lack=True)
    given = program.main.inputs
    both = [*given[:carried], *given[operands : operands + carried]]
    program.main.inputs = [*both, *given[carried:operands], *given[operands + carried :]]
    states = _as_states(program, len(both))
    found = program.main.outputs
    rest, told = states[: operands - carried], iter(states[operands - carried :])
    forward = [
        next(told) if is_asked else program.add_state(spec, f"{v.name}.forward")
        for v, spec, is_asked in zip(both[carried:], specs[:carried], asked[:carried], strict=True)
    ]
    totals = [program.add_state(s.spec, f"{s.name}.sum") for s in rest]
    with using(Builder(program, policy=UNRECORDED)):
        _follow(program, forward, found[operands:])
        _sum_up(program, totals, found[carried:operands])
    outputs = [(found[n], specs[n]) for n in direct(o)]
    _require_equal([v for v, _ in outputs], [spec for _, spec in outputs], "second")
    program.main.outputs = [v for v, _ in outputs]
    return _as_iteration(program, "second", [*forward, *totals], [*rest, *told])


def _follow(program: Program, states: Sequence[State], found: Sequence[Variable | None]) -> None:
    """Let states become gradients, zeros where there is none."""
    for state, v in zip(states, found, strict=True):
        _require_gradient(state, v)
        spec = state.spec
        program.update(state, fill.function(spec.shape, 0, spec.dtype) if v is None else v)


def _sum_up(program: Program, totals: Sequence[State], found: Sequence[Variable | None]) -> None:
    for total, v in zip(totals, found, strict=False):
        if v is not None:
            _require_gradient(total, v)
            program.update(total, add.function(total, v))


def _require_gradient(of: State, v: Variable | None) -> None:
    if v is not None and v.spec != of.spec:
        raise Unfit("the data decides the shape of what backward returns")


def _as_iteration(
    program: Program, block: str, carried: list[State], rest: list[State]
) -> Iteration:
    _lowered(program, block)
    program.updates = {s: v for s, v in program.updates.items() if s is not v}
    return Iteration(program, carried, rest)


def _specs(step: CallStep) -> list[Spec]:
    """Those of the operands, which lie in memory as NumPy's default has them."""
    if not all(isinstance(x, View) and x.is_dense() for x in step.operands):
        raise Unfit("an operand is no tensor in memory")
    return [x.spec for x in step.operator.operands if isinstance(x, Variable)]


def _program(
    o: Operator, block: str, name: str, specs: Sequence[Spec], *, may_lack: bool = False
) -> Program:
    program = closed(o.blocks[block], f"{name}.{block}")
    sizes: dict[str, int] = {}
    for v, spec in zip(program.main.inputs, specs, strict=True):
        for wanted, size in zip(v.spec.shape, spec.shape, strict=True):
            if not bind(wanted, size, sizes):  # type: ignore[arg-type]  # a number by now
                raise Unfit(f"{block} takes {v.spec}, not {spec}")
    try:
        program, _ = specialise(program, sizes)
    except TwinoarError:  # of a block that never runs for these sizes, else it is told when it runs
        raise Unfit(f"{block} is not right for these sizes") from None
    returned = [v for v in program.main.outputs if v is not None or not may_lack]
    if program.updates or not all(isinstance(v, Variable) for v in returned):
        raise Unfit(f"{block} returns what is no tensor")
    return program


def _require_equal(outputs: Sequence[Variable], specs: Sequence[Spec | None], block: str) -> None:
    for v, spec in zip(outputs, specs, strict=True):
        if not v.spec.is_static or (spec is not None and v.spec != spec):
            raise Unfit(f"the data decides the shape of what {block} returns")


def _as_states(program: Program, first: int) -> list[State]:
    """The inputs from `first` on as states, so that what follows from them alone is computed
    once."""
    found = []
    for v in program.main.inputs[first:]:
        state = program.add_state(v.spec, v.name)
        program.main.replace(v, state)
        found.append(state)
    program.main.inputs = program.main.inputs[:first]
    return found


def _lowered(program: Program, block: str) -> Program:
    try:
        lower(program)
    except TwinoarError:
        raise Unfit(f"{block} is not right for these sizes") from None
    dynamic = dynamic_operator(program)
    if dynamic is not None:
        raise Unfit(f"the data decides the shape of what {dynamic.op.name} returns in {block}")
    if any(bytes_of(v.spec) >= ADDRESSABLE_BYTES for v in program.main.variables()):
        raise Unfit(f"no machine has the memory for {block}")
    return program
