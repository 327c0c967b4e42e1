"""What one iteration of an `over_time` computes, as a Program of its own."""

from __future__ import annotations

from twinoar.backends.native.blocks import closed
from twinoar.backends.numpy import bind
from twinoar.compile.pipeline import CallStep, lower
from twinoar.compile.specialise import dynamic_operator, specialise
from twinoar.compile.storage import View
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Operator, Program, State, Variable
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.late import dataclass
from twinoar.ops.control.over_time import parts
from twinoar.ops.math.arithmetic import add


@dataclass
class Iterations:
    """A loop over time, taken apart.

    program: takes states, then sequences at a time, and returns the next states and outputs. What
    every iteration only reads are its states `rest`, so that what follows from them alone is
    computed once; and it updates its states `sums`, which begin with zeros.
    """

    program: Program
    rest: list[State]
    sums: list[State]
    count: int
    backward: bool


def iterations_of(step: CallStep, name: str) -> Iterations | None:
    """The iterations of an `over_time`; None where data decides their shapes, or memory has gaps.

    name: that of the Program.
    """
    o = step.operator
    carried, sliced, summed = (o.attrs[name] for name in ("carried", "sliced", "summed"))
    starts, sequences, rest = parts(step.operands, carried, sliced)
    dense = [*((x, 0) for x in (*starts, *rest)), *((x, 1) for x in sequences)]
    if not all(isinstance(x, View) and x.is_dense(first) for x, first in dense):
        return None
    program = closed(o.attrs["body"], name)
    sizes: dict[str, int] = {}
    for v, spec in zip(program.main.inputs, _inside(o), strict=True):
        for wanted, size in zip(v.spec.shape, spec.shape, strict=True):
            bind(wanted, size, sizes)  # type: ignore[arg-type]  # a number by now
    program, _ = specialise(program, sizes)
    main = program.main
    fixed = []
    for v in main.inputs[carried + sliced :]:
        state = program.add_state(v.spec, v.name)
        main.replace(v, state)
        fixed.append(state)
    main.inputs = main.inputs[: carried + sliced]
    last = len(main.outputs) - summed
    totals = []
    with using(Builder(program, policy=UNRECORDED)):
        for v in main.outputs[last:]:
            total = program.add_state(v.spec, f"{v.name}.sum")
            program.update(total, add.function(total, v))
            totals.append(total)
    main.outputs = main.outputs[:last]
    lower(program)
    if dynamic_operator(program) is not None:
        return None
    return Iterations(program, fixed, totals, sequences[0].shape[0], o.attrs["backward"])


def _inside(o: Operator) -> list[Spec]:
    """What an iteration gets of each operand."""
    first = o.attrs["carried"]
    last = first + o.attrs["sliced"]
    specs = [x.spec for x in o.operands if isinstance(x, Variable)]
    return [Spec(s.shape[1:], s.dtype) if first <= n < last else s for n, s in enumerate(specs)]
