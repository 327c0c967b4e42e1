"""What is exported: a Program with numbers for its sizes, compiled for a machine, and its data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.backends.llvm import jit
from twinoar.backends.native.compiled import Compiled, compile_program
from twinoar.backends.native.instance import Instance
from twinoar.compile import pipeline
from twinoar.compile.commands import Commands, Kernel, Launch, Value, bodies_of, spans_of
from twinoar.compile.specialise import dynamic_operator, specialise
from twinoar.compile.stages import Stages
from twinoar.compile.target import Target
from twinoar.core.dim import SymbolicDim
from twinoar.core.ir.program import Operator, Program, Variable
from twinoar.core.op.explain import describe
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, TwinoarError, UnsupportedError
from twinoar.export.entry_point import entry_points
from twinoar.export.inference import traced_for_inference
from twinoar.export.loaded import FORWARD
from twinoar.export.native.weights import turn_narrow_weights
from twinoar.export.save import for_saving
from twinoar.export.translated import load
from twinoar.inference.config import PassStrategy
from twinoar.jit.kept import array_of
from twinoar.passes.fold import fold
from twinoar.passes.manager import run as run_passes

Shapes = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Port:
    """An input or an output: its name, shape and dtype."""

    name: str
    spec: Spec

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes, which are all numbers."""
        return numbers(self.spec)


@dataclass(frozen=True)
class Model:
    """A Program compiled for a machine.

    texts: the LLVM IR of kernels. data: what lies at places of the outside, by place: weights, and
    what setup derives from them. threads: how many parts its kernels have at most.
    """

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    commands: Commands
    texts: Mapping[Kernel, str]
    data: Mapping[int, np.ndarray]
    threads: int = 1


def program_of(model: Any, input_spec: Sequence | None, shapes: Shapes | None) -> Program:
    """The Program of a saved model's prefix, a Layer, a function or a Program, with fixed sizes.

    Raises ArgumentError where a size of an input is not known, or an input of `shapes`.
    """
    model = str(model) if isinstance(model, Path) else model
    if input_spec is not None and isinstance(model, (str, Program)):
        raise ArgumentError(
            "an input_spec is for a Layer or a function", cure="give shapes={'input': [...]}"
        )
    if isinstance(model, str):
        program = for_saving(load(model).program(FORWARD))
    elif isinstance(model, Program):
        program = for_saving(model)
    else:
        program = _traced(model, input_spec)
    return with_sizes(program, shapes or {})


def with_sizes(program: Program, shapes: Shapes) -> Program:
    """A copy with numbers for its sizes. Raises ArgumentError where a size is not known."""
    concrete, _ = specialise(program, _sizes(program, shapes))
    for v in concrete.main.inputs:
        if not v.spec.is_static:
            raise ArgumentError(
                f"the input {v.name} is {v.spec}, whose sizes are not all numbers",
                cure=f"give shapes={{{v.name!r}: [...]}}, or on the command line "
                f"--shape {v.name}=1,3,224,224",
            )
    return concrete


def _traced(model: Any, input_spec: Sequence | None) -> Program:
    """The Program of a Layer or function in inference."""
    entries = [e for e in entry_points(model, input_spec) if e.name == FORWARD]
    if not entries:
        raise ArgumentError(
            "expected a Layer with a forward, or a function under to_static",
            cure="export the Layer",
        )
    return for_saving(traced_for_inference(entries[0]).program)


def _sizes(program: Program, shapes: Shapes) -> dict[str, int]:
    """The numbers of sizes that shapes tell."""
    inputs = {v.name: v.spec for v in program.main.inputs}
    sizes: dict[str, int] = {}
    for name, shape in shapes.items():
        if name not in inputs:
            raise ArgumentError(
                f"the model has no input {name!r}", cure=f"it has {', '.join(inputs)}"
            )
        known = inputs[name].shape
        if len(known) != len(shape):
            raise ArgumentError(
                f"the input {name} is {inputs[name]}, received the shape {list(shape)}"
            )
        for dim, size in zip(known, shape, strict=True):
            wanted = sizes.setdefault(str(dim), size) if isinstance(dim, SymbolicDim) else dim
            if wanted != size:
                raise ArgumentError(
                    f"the input {name} is {inputs[name]}, received the shape {list(shape)}"
                )
    return sizes


def compiled_for(
    program: Program,
    target: Target,
    adapted: Callable[[str], str] = str,
    *,
    trains: bool = False,
) -> Model:
    """The Program compiled for a machine. adapted: what its kernels become before they run here.

    trains: it changes its states, and nothing is computed of those before. Raises UnsupportedError
    for an operator that only this process can run, with the user's line.
    """
    prepared = program if trains else run_passes(program, PassStrategy().all_passes())
    concrete, _ = specialise(prepared, {})
    _refuse(concrete, "the data decides the shape of its result")
    pipeline.lower(concrete)
    _refuse(concrete, "the data decides the shape of its result")
    if concrete.updates and not trains:
        state = next(iter(concrete.updates))
        raise UnsupportedError(
            f"a run changes the state {state.name}, and what is exported has none",
            cure="export the model in eval mode, or its training: export_training",
        )
    if not trains:
        turn_narrow_weights(concrete)
    compiled = compile_program(concrete, target, Stages())
    known = {part.step.operator for part in compiled.hosted if _is_known(part.step.operator)}
    if known:
        fold(concrete, known.__contains__)
        compiled = compile_program(concrete, target, Stages())
    for part in compiled.hosted:
        if not _is_empty(part.step.operator):
            raise _without_form(part.step.operator, part.reason)
    commands = compiled.commands
    data, commands = _settled(compiled, commands, adapted)
    named = enumerate(zip(program.main.outputs, concrete.main.outputs, strict=True))
    return Model(
        tuple(Port(v.name, v.spec) for v in concrete.main.inputs),
        tuple(Port(_told(old.name, n), new.spec) for n, (old, new) in named),
        commands,
        {k: handle.text for k, handle in compiled.handles.items() if isinstance(handle, jit.Code)},
        data,
        target.threads,
    )


def _told(name: str, position: int) -> str:
    """The name of an output; those that Programs give by counting tell nothing."""
    return f"output_{position}" if name.isdecimal() else name


def numbers(spec: Spec) -> tuple[int, ...]:
    """The shape of what has numbers for all sizes."""
    return tuple(n for n in spec.shape if isinstance(n, int))


def _refuse(program: Program, reason: str) -> None:
    o = dynamic_operator(program)
    if o is not None:
        raise _without_form(o, reason)


def _is_known(o: Operator) -> bool:
    """True for what NumPy computes of attributes alone, however large it is."""
    has_operands = any(isinstance(x, Variable) for x in o.operands)
    return not has_operands and o.op.kernel_rule is not None and "effect" not in o.op.rules


def _is_empty(o: Operator) -> bool:
    """True for what computes nothing: all its results are without elements."""
    return all(v is None or v.spec.size == 0 for v in o.results) and "effect" not in o.op.rules


def _without_form(o: Operator, reason: str) -> TwinoarError:
    told = o.op.rules.get("host") or reason
    error = UnsupportedError(
        f"{o.op.name} cannot be exported" + (f": {told}" if told else ": it runs on NumPy alone"),
        cure="leave it out of what is exported, or compute it before or after the model",
    )
    return error.attach(o.op.name, describe(o.op, o.operands), o.source)


def _settled(
    compiled: Compiled, commands: Commands, adapted: Callable[[str], str]
) -> tuple[dict[int, np.ndarray], Commands]:
    """What lies at places before a run: states, constants, and what this machine derives of them.

    The kernels that derive are the exported ones, compiled for this machine.
    """
    states = {s.name: s for s in compiled.program.states.values()}
    held = dict(commands.constants)
    for place, p in enumerate(commands.places):
        if p.role == "state" and p.name not in commands.updates:
            held[place] = np.ascontiguousarray(array_of(states[p.name]))
    if commands.derived is not None:
        held[commands.derived] = _derived(compiled, commands, held, adapted)
    left = replace(commands, setup=(), packing={})
    read = set(places_touched(left))
    return {place: array for place, array in held.items() if place in read}, left


def _derived(
    compiled: Compiled,
    commands: Commands,
    held: Mapping[int, np.ndarray],
    adapted: Callable[[str], str],
) -> np.ndarray:
    first = replace(commands, batches=(), outputs=(), updates={})
    wanted = dict.fromkeys(
        commands.kernels[c.kernel] for c in first.walk() if isinstance(c, Launch)
    )
    handles: dict[Kernel, Any] = {
        k: jit.load(adapted(compiled.handles[k].text), [k.name]) for k in wanted
    }
    instance = Instance(first, handles)
    instance.arena[:] = 0  # what nothing writes is no memory of this process
    for place in first.sources:
        instance.bind(place, held[place])
    instance.run()
    return np.array(instance.arena[commands.arena : commands.arena + commands.derived_bytes])


def places_touched(commands: Commands) -> Iterator[int]:
    """The places of the outside that a run names."""
    for command in commands.walk():
        yield from (s.place for s in spans_of(command) if s.place >= 0)
    for x in commands.outputs:
        if isinstance(x, Value):
            yield x.span.place


def kernels_run(commands: Commands) -> Iterable[Kernel]:
    """The kernels of all that a run does, those of bodies too."""
    for command in commands.walk():
        if isinstance(command, Launch):
            yield commands.kernels[command.kernel]
        for body in bodies_of(command):
            yield from kernels_run(body)
