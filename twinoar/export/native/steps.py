"""Training as Programs: a step that changes its states, and what predicts with the same ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.ir.builder import before
from twinoar.core.ir.program import Program, State, Variable, copy_program
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.export.entry_point import EntryPoint, entry_points
from twinoar.export.loaded import FORWARD
from twinoar.export.native.model import Shapes, program_of, with_sizes
from twinoar.export.native.state import RATE
from twinoar.export.save import for_saving
from twinoar.export.translated import load
from twinoar.jit.kept import array_of
from twinoar.jit.tracing import Trace
from twinoar.ops.random.uniform import Draw, generator, split_key
from twinoar.static.inference_io import load_program_state
from twinoar.static.program import Program as StaticProgram

KEY = "key"  # what those call it that draw random numbers


@dataclass(frozen=True)
class Training:
    """A step, and what predicts, as Programs that take what they share as inputs.

    states: what the block holds at first, by name. rates: which of these are learning rates.
    """

    step: Program
    predict: Program | None
    states: Mapping[str, np.ndarray]
    rates: tuple[str, ...]


def training_of(
    step: Any,
    input_spec: Sequence | None,
    shapes: Shapes | None,
    fetch: Sequence[str] | None,
    predict: Any,
    predict_spec: Sequence | None,
    predict_shapes: Shapes | None,
) -> Training:
    """The Programs of a training; see `export_training` for the arguments."""
    program = _step_program(step, input_spec, fetch)
    program = with_sizes(program, shapes or {})
    if not program.updates:
        raise ArgumentError(
            "the step changes no states",
            cure="call loss.backward() and optimizer.step() in it, or minimize the loss",
        )
    rates = _named_rates(program)
    changing = {s.name for s in program.updates} | {*rates, *_told_anew(program)}
    states = {n: np.array(array_of(program.states[n])) for n in changing}
    shared = {s.name: s for s in program.states.values() if s.name in changing}
    _refuse_shared_names(program, changing)
    predicting = None
    if predict is not None:
        known = shapes or {} if predict_shapes is None else predict_shapes
        predicting = _predicting(predict, predict_spec, known, shared)
    given = changing - {s.name for s in program.updates}
    ordered = {n: states[n] for n in program.states if n in states}
    return Training(_with_inputs(program, given), predicting, ordered, rates)


def _step_program(step: Any, input_spec: Sequence | None, fetch: Sequence[str] | None) -> Program:
    """The Program of a step as it is recorded, with values for all states."""
    if isinstance(step, (str, Path)):
        return _fetching(_saved(str(step)), fetch)
    if isinstance(step, Program):
        program, _ = copy_program(step)
        _take_values(program, step)
        return _fetching(_drawing(program), fetch)
    entries = [e for e in entry_points(step, input_spec) if e.name == FORWARD]
    trace = entries[0].trace()
    _refuse_left_gradients(entries[0], trace)
    trace.changes.warn_of_loss(entries[0].name)
    program, _ = copy_program(trace.program)
    for s in program.states.values():
        s.rebound = None
    return program


def _refuse_left_gradients(entry: EntryPoint, trace: Trace) -> None:
    """Raise where a step adds to gradients that the one before leaves."""
    left = [tensor for tensor, *_ in trace.effects.captured]
    kept = [tensor._grad for tensor in left]
    added = [*_gradients_read(trace), *(tensor.name for tensor, *_ in trace.effects.added)]
    try:
        for tensor in left:  # as after a step
            tensor._grad = Tensor(np.zeros(tensor.shape, tensor.dtype.numpy))
        if left and not added:
            added = _gradients_read(entry.trace())
    finally:
        for tensor, gradient in zip(left, kept, strict=True):
            tensor._grad = gradient
    if added:
        raise UnsupportedError(
            f"the step adds to the gradient of {added[0]} that the one before leaves",
            cure="call optimizer.clear_grad() in the step",
        )


def _gradients_read(trace: Trace) -> list[str]:
    """The tensors whose gradients from before a step the step reads."""
    states = trace.program.states
    return [name for name, s in states.items() if s.grad_name in states]


def _saved(prefix: str) -> Program:
    """A Program that `static.save` has written, with its values."""
    prefix = prefix.removesuffix(".pdmodel")
    content = Path(f"{prefix}.pdmodel")
    if not content.is_file() or not Path(f"{prefix}.pdparams").is_file():
        raise ArgumentError(
            f"{prefix} is no training Program: there is no {prefix}.pdmodel with a .pdparams",
            cure="save one by paddle.static.save(program, prefix)",
        )
    program: Program = StaticProgram.parse_from_string(content.read_bytes())
    found = load_program_state(prefix)
    for s in program.states.values():
        if s.data is None and s.name in found:
            s.data = Tensor(np.asarray(found[s.name], s.spec.dtype.numpy))
    lacking = [s.name for s in program.states.values() if s.data is None and "read" not in s.traits]
    if lacking:
        raise ArgumentError(
            f"{prefix}.pdparams has no value for {lacking[0]}",
            cure="save the Program after its startup Program has run",
        )
    return _drawing(program)


def _take_values(program: Program, original: Any) -> None:
    """Let states that a Scope holds hold their values themselves."""
    for name, s in program.states.items():
        if s.data is None and "read" not in s.traits:
            s.data = original.value_of(original.states[name])


def _fetching(program: Program, fetch: Sequence[str] | None) -> Program:
    """The Program that returns what is asked for, by name."""
    if fetch is not None:
        program.main.outputs = [program.variable(name) for name in fetch]
    if not program.main.outputs:
        raise ArgumentError(
            "the Program returns nothing", cure="name what a step returns: fetch=[loss.name]"
        )
    return program


def _drawing(program: Program) -> Program:
    """The Program with keys that it takes off a random state of its own, where it is given keys."""
    keys = [s for s in program.states.values() if isinstance(s.traits.get("read"), Draw)]
    if not keys:
        return program
    first = program.main.ops[0]
    source = program.add_state(Draw.spec, "random_state", data=generator.state)
    now: Any = source
    for state in sorted(keys, key=lambda s: s.traits["read"].index):
        with before(program, first):
            key, now = split_key(now)
        program.main.replace(state, key)
        del program.states[state.name]
    program.update(source, now)
    return program


def _named_rates(program: Program) -> tuple[str, ...]:
    """The names of learning rates: `learning_rate`, and `learning_rate_1` and on of further ones.

    Those of Python are counted when they are first used, so that they tell nothing elsewhere.
    """
    found = list(_rates(program))
    for s in found:
        del program.states[s.name]
    names = []
    for n, s in enumerate(found):
        s.name = f"{RATE}_{n}" if n else RATE
        names.append(s.name)
        if s.name in program.states:
            raise ArgumentError(f"a state is called {s.name}", cure="call it another name")
        program.states[s.name] = s
    return tuple(names)


def _refuse_shared_names(program: Program, states: Collection[str]) -> None:
    """Raise where what is given is called as a state is."""
    for v in program.main.inputs:
        if v.name in states:
            raise ArgumentError(
                f"the input {v.name} is called as a state is", cure="name it in its InputSpec"
            )


def _rates(program: Program) -> Iterator[State]:
    """The states that are learning rates: what update rules take as such comes from them alone."""
    found: dict[Variable, None] = {}
    for o in program.main.ops:
        for told, x in zip(o.op.operands, o.operands, strict=False):
            if told.name == RATE and isinstance(x, Variable):
                found |= dict.fromkeys(_sources(x))
    yield from (
        s for s in found
        if isinstance(s, State) and not s.is_constant and s.spec.size == 1
        and s not in program.updates and s.spec.dtype.numpy.kind == "f"
    )  # fmt: skip


def _sources(x: Variable) -> Iterator[Variable]:
    """What a number is computed from."""
    if x.producer is None:
        yield x
        return
    for operand in x.producer.operands:
        if isinstance(operand, Variable):
            yield from _sources(operand)


def _told_anew(program: Program) -> set[str]:
    """The states that each run of Python reads anew."""
    return {n for n, s in program.states.items() if "read" in s.traits or "live" in s.traits}


def _predicting(
    predict: Any, spec: Sequence | None, shapes: Shapes, shared: Mapping[str, State]
) -> Program:
    """What predicts, which takes the states that it shares with the step as inputs."""
    if isinstance(predict, (str, Path)):
        predict = load(str(predict).removesuffix(".pdmodel")).program(FORWARD)
    if isinstance(predict, Program):
        predict = _alone(predict)
        inputs = {v.name for v in predict.main.inputs}
        shapes = {n: shape for n, shape in shapes.items() if n in inputs}
    else:
        shapes = {}  # its spec tells them
    program = program_of(predict, spec, shapes)
    _refuse_shared_names(program, shared)
    names = {id(s.data): n for n, s in shared.items() if s.data is not None}
    taken = {}
    for name, s in list(program.states.items()):
        of_step = names.get(id(s.data), name if name in shared else None)
        if of_step is not None and not s.is_constant:
            taken[name] = of_step
    return _with_inputs(program, taken.keys(), taken)


def _alone(program: Program) -> Program:
    """A copy that takes no inputs but those that it reads, and has values for all states."""
    found = for_saving(program)
    _take_values(found, program)
    read = {x for o in found.main.ops for x in o.operands if isinstance(x, Variable)}
    read.update(v for v in found.main.outputs if isinstance(v, Variable))
    found.main.inputs = [v for v in found.main.inputs if v in read]
    return found


def _with_inputs(
    program: Program, states: Collection[str], named: Mapping[str, str] | None = None
) -> Program:
    """The Program that takes these states as further inputs, called as `named` says."""
    for name in sorted(states):
        state = program.states.pop(name)
        v = Variable((named or {}).get(name, name), state.spec, home=program.main)
        program.main.inputs.append(v)
        program.main.substitute({state: v})
        program.updates = {s: v if x is state else x for s, x in program.updates.items()}
    return program
