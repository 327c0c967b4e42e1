"""A Program as one operator: how compiled code takes part in eager autograd.

Its operands are the Program's inputs and states, its results the outputs, then the updates, then
whatever the backward Program needs. The backward Program is itself called as an operator, so
gradients of any order exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from twinoar.autograd.backprop import backprop
from twinoar.autograd.presence import presences
from twinoar.backends.base import Executable
from twinoar.core.device import to_host
from twinoar.core.interpreter import current, using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Operator, Program, State, Variable, among, copy_program
from twinoar.core.ir.size_names import names_asked, names_told
from twinoar.core.op.attr import Operand
from twinoar.core.op.definition import GradRule, Op, of_complex
from twinoar.eager.tensor import Tensor
from twinoar.errors import GradientError
from twinoar.jit.gradients import settled
from twinoar.jit.run import executable_copy
from twinoar.late import dataclass
from twinoar.ops.index.selected_rows import SelectedRows, add_gradients, selected_rows
from twinoar.passes.fuse import has_long_scores, tile_attention


class ProgramOp(Op):
    """The operator that runs a Program. `results` are the Variables it returns, in order.

    made: of the results, leaves that the Program makes itself. For each there is one operand more,
    of which nothing is read, so that the other results have gradients for it.
    """

    def __init__(
        self,
        program: Program,
        results: Sequence[Variable],
        differentiable: Sequence[Variable] = (),
        made: Sequence[Variable] = (),
    ):
        self.name = self.__name__ = program.name
        self.__doc__ = self.doc = f"The program {program.name}."
        self.program = program
        self.operands = (Operand("xs", variadic=True),)
        self.attrs, self.body = {}, None
        # What it runs knows of places, types and precision.
        self.rules = {"anywhere": True, "moves": True, "amp": "keep"}
        self.promote_rule = None
        self.variadic, self.takes_blocks, self.fills_gradients = True, False, False
        self.kernel_rule = self.run
        self.inputs: list[Variable] = [*program.main.inputs, *live_states(program)]
        self.results, self.made = list(results), list(made)
        self.executable = executable_copy(program, results, updates=False)
        self.feed_count = len(program.main.inputs)
        names = [v.name for v in self.inputs[self.feed_count :]]
        self.state_positions = [names.index(name) for name in self.executable.state_names]
        self.grad_rule = GradRule(self, self.gradients) if differentiable else None
        self.differentiable = list(differentiable)
        self.backward_ops: dict[tuple, Backward] = {}

    def run(self, *arrays: np.ndarray) -> np.ndarray | tuple[np.ndarray, ...]:
        """The kernel."""
        feeds, states = arrays[: self.feed_count], arrays[self.feed_count :]
        found, _ = self.executable.execute(feeds, [states[i] for i in self.state_positions])
        return found[0] if len(found) == 1 else tuple(found)

    def executables(self) -> dict[str, Executable]:
        """What runs the Program, by name: also with a record for gradients, and their Programs."""
        with_record = self.__dict__.get("recorded")
        if with_record is None:
            return {"forward": self.executable}
        backward = [b.op.executable for b in with_record.backward_ops.values()]
        names = ["backward", *(f"backward {n}" for n in range(2, len(backward) + 1))]
        return {
            "forward": with_record.executable,
            **dict(zip(names, backward, strict=False)),
            "forward without gradients": self.executable,
        }

    @of_complex
    def gradients(self, gs: tuple, xs: tuple, outs: tuple) -> tuple:
        """The gradient rule: run the backward Program for the results that have a gradient."""
        present = tuple(i for i, g in enumerate(gs) if g is not None)
        if present not in self.backward_ops:
            self.backward_ops[present] = self._backward(present)
        backward = self.backward_ops[present]
        known = (*xs, *outs)
        found = call_program(
            backward.op.program,
            backward.op,
            [*(known[i] for i in backward.reads), *(gs[i] for i in present)],
        )
        grads: list[Any] = [None] * len(xs)
        for i, target in backward.targets.items():
            if target.flag is None or not _is_false(found[target.flag]):
                grads[i] = target.gradient(found)
        return tuple(grads)

    def _backward(self, present: tuple) -> Backward:
        """What computes the gradients where those of the results `present` are there."""
        joint, mapping = copy_program(self.program)
        for s in joint.states.values():
            s.rebound = None
        forward = list(joint.main.ops)
        inputs = [mapping[v] for v in self.inputs]
        leaves = [*inputs, *(mapping[v] for v in self.made)]
        results = [mapping[v] for v in self.results]
        builder = Builder(joint)
        builder.follows = False
        seeds = [joint.main.add_input(results[i].spec, stop_gradient=False) for i in present]
        grads: dict[Any, Any] = {}
        flowing = [(results[i], g) for i, g in zip(present, seeds, strict=True)]
        flowing = [(v, g) for v, g in flowing if not v.stop_gradient]  # the others are residuals
        with using(builder):
            for v, seed in flowing:
                grads[v] = seed if v not in grads else add_gradients(grads[v], seed)
            backprop(list(reversed(forward)), grads)
            known = presences(forward[::-1], {v: True for v, _ in flowing})
        there = {
            i: settled(known.get(v, False), v, forward[::-1])
            for i, v in enumerate(leaves)
            if not v.stop_gradient and v in grads
        }
        targets = {i: grads[leaves[i]] for i, p in there.items() if p is not False}
        outputs = parts_of(targets.values())
        flags = list(dict.fromkeys(p for p in there.values() if isinstance(p, Variable)))
        program, reads = _cut_out(
            joint,
            joint.main.ops[len(forward) :],
            seeds,
            [*outputs, *flags],
            [*inputs, *results],
        )
        positions = {v: i for i, v in reversed(list(enumerate(results, len(leaves))))}
        positions |= {v: i for i, v in enumerate(inputs)}
        places: dict[bool | Variable, int | None] = {
            True: None,
            **{p: i for i, p in enumerate(flags, len(outputs))},
        }
        found, first = {}, 0
        for i, g in targets.items():
            height = g.height() if isinstance(g, SelectedRows) else None
            found[i] = Target(first, height, places[there[i]])
            first += len(parts_of([g]))
        return Backward(
            ProgramOp(program, program.main.outputs), [positions[v] for v in reads], found
        )


@dataclass(frozen=True, slots=True)
class Target:
    """Where a gradient stands among the results of a backward Program.

    first: its position. height: of SelectedRows, whose rows stand there, and their vectors behind.
    flag: the position of the result, if any, that tells whether the gradient is there.
    """

    first: int
    height: int | None
    flag: int | None

    def gradient(self, found: tuple) -> Any:
        """The gradient, of all results."""
        if self.height is None:
            return found[self.first]
        return selected_rows(found[self.first], found[self.first + 1], self.height)


@dataclass(frozen=True, slots=True)
class Backward:
    """The operator of a backward Program, and what it takes and gives.

    reads: positions among (operands, results) of what it reads. targets: by position the operands
    whose gradients it returns.
    """

    op: ProgramOp
    reads: list[int]
    targets: dict[int, Target]


def parts_of(gradients: Iterable[Any]) -> list[Any]:
    """The values that gradients are made of: of SelectedRows two."""
    found: list[Any] = []
    for g in gradients:
        found += [g.positions, g.vectors] if isinstance(g, SelectedRows) else [g]
    return found


def _is_false(flag: Any) -> bool:
    return isinstance(flag, Tensor) and not to_host(flag._data)


def live_states(program: Program) -> list[State]:
    """The states that are operands of a Program's operator: all but constants."""
    return [s for s in program.states.values() if not s.is_constant]


def residuals_of(
    program: Program, results: Sequence[Variable], made: Sequence[Variable] = ()
) -> list[Variable]:
    """What the backward Program of `program` reads in it, besides operands and `results`."""
    joint, mapping = copy_program(program)
    for s in joint.states.values():
        s.rebound = None
    back = {new: old for old, new in mapping.items()}
    forward = list(joint.main.ops)
    builder = Builder(joint)
    builder.follows = False
    grads: dict[Any, Any] = {}
    with using(builder):
        for v in results:
            if not v.stop_gradient:
                grads[mapping[v]] = joint.main.add_input(v.spec, stop_gradient=False)
        backprop(list(reversed(forward)), grads)
    inputs = [*program.main.inputs, *live_states(program)]
    leaves = [mapping[v] for v in (*inputs, *made) if not v.stop_gradient]
    targets = parts_of(grads[v] for v in leaves if v in grads)
    around = [mapping[v] for v in (*inputs, *results)]
    around += [v for o in forward for v in o.results if v is not None]
    _, reads = _cut_out(joint, joint.main.ops[len(forward) :], [], targets, around)
    given = {*inputs, *results}
    return [back[v] for v in reads if v in back and back[v] not in given]


def _cut_out(
    joint: Program,
    operators: list[Operator],
    seeds: list[Variable],
    outputs: list[Variable],
    around: Sequence[Variable],
) -> tuple[Program, list[Variable]]:
    """A Program of `operators` alone, and what these read from elsewhere.

    Its inputs are that, then `seeds`. Sizes that none of these has are read off what is `around`.
    """
    needed = set(outputs)
    kept = []
    for o in reversed(operators):
        if any(v in needed for v in o.results):
            needed.update(x for x in o.operands if isinstance(x, Variable))
            kept.append(o)
    kept.reverse()
    program = Program(f"{joint.name}_grad")
    program.symbols = joint.symbols
    environment: dict[Variable, Any] = {}
    defined = {v for o in kept for v in o.results if v is not None}
    constants = {s for s in joint.states.values() if s.is_constant}
    reads: list[Variable] = []
    outside = [x for o in kept for x in o.operands] + list(outputs)
    for v in dict.fromkeys(x for x in outside if isinstance(x, Variable)):
        if v in defined or among(v, seeds):
            continue
        if v in constants:
            environment[v] = program.add_constant(np.asarray(v.data), v.spec)
        else:
            reads.append(v)
    reads += _tellers(names_asked(kept), [*reads, *seeds], around)
    for v in reads:
        environment[v] = program.main.add_input(
            v.spec, v.name, stop_gradient=not v.dtype.is_differentiable
        )
    for v in seeds:
        environment[v] = program.main.add_input(v.spec, v.name, stop_gradient=False)
    builder = Builder(program)
    with using(builder):
        for o in kept:
            builder.source = o.source
            operands = tuple(environment[x] if isinstance(x, Variable) else x for x in o.operands)
            out = current().apply(o.op, operands, o.attrs)
            results = out if len(o.results) != 1 else (out,)
            environment.update(
                (v, r) for v, r in zip(o.results, results, strict=True) if v is not None
            )
    program.main.outputs = [environment[v] for v in outputs]
    return program, reads


def _tellers(
    sizes: set[str], read: Sequence[Variable], around: Sequence[Variable]
) -> list[Variable]:
    """The first of `around` that have the sizes that nothing in `read` has."""
    missing = sizes - names_told(read)
    found = []
    for v in around if missing else ():
        own = missing & names_told([v])
        if own:
            found.append(v)
            missing -= own
    return found


def call_program(program: Program, plain: ProgramOp, values: list[Any]) -> tuple:
    """Run `program` on `values`, recorded where a gradient is wanted; returns what `plain` does."""
    interpreter = current()
    wanted = interpreter.policy.records and any(not x.stop_gradient for x in values)
    op = recorded(plain) if wanted else plain
    out = interpreter.apply(op, tuple(values), {})
    results = out if isinstance(out, tuple) else (out,)
    return results[: len(plain.results)]


def recorded(plain: ProgramOp) -> ProgramOp:
    """The form of `plain` that also returns what its backward Program reads; made once."""
    found = plain.__dict__.get("recorded")
    if found is None:
        plain, given = _tiled(plain), plain
        try:
            residuals = residuals_of(plain.program, plain.results, plain.made)
        except GradientError:  # of what has no gradient: raised again where one is asked for
            residuals = []
        results = [*plain.results, *residuals]
        differentiable = [v for v in plain.results if not v.stop_gradient]
        op = ProgramOp(plain.program, results, differentiable, plain.made)
        found = given.__dict__["recorded"] = op
    return found


def _tiled(plain: ProgramOp) -> ProgramOp:
    """`plain` with attention over long sequences as one operator, before gradients need scores."""
    if not has_long_scores(plain.program):
        return plain
    program, mapping = copy_program(plain.program)
    outputs = program.main.outputs
    program.main.outputs = [mapping[v] for v in plain.results]  # which the pass may replace
    tile_attention(program)
    results = [v for v in program.main.outputs if isinstance(v, Variable)]
    program.main.outputs = outputs
    return ProgramOp(program, results, made=[mapping[v] for v in plain.made])
