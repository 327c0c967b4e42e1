"""One step of training as a Program of shapes: what is planned, of a model in any form.

No data is looked at. What a plan asks of the Program is kept beside it: which operators are the
forward pass, which the update, and which Variables are gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from twinoar import optimizer as rules
from twinoar import static
from twinoar.compile.element import has_element
from twinoar.core.dim import names_in
from twinoar.core.ir.program import Operator, State, Variable, copy_program
from twinoar.core.op.definition import Op
from twinoar.errors import ArgumentError, FileError, TypeMismatchError
from twinoar.export.objects import load
from twinoar.ops.reduce.reduction import mean
from twinoar.passes.decompose import decompose
from twinoar.passes.pipeline import lower
from twinoar.passes.sizes import rename_sizes
from twinoar.static import InputSpec, Program

Phase = Literal["forward", "backward", "update"]
RULES = {"sgd": rules.SGD, "momentum": rules.Momentum, "adam": rules.Adam, "adamw": rules.AdamW}
RATE = 1e-3  # of the rules that a plan adds: any number has the same price


@dataclass(frozen=True)
class Step:
    """A step of training. program: expanded, with numbers for sizes. batch: samples of it.

    source: the same before that, which a process can run.
    """

    program: Program
    source: Program
    batch: int
    forward: frozenset[Operator]
    update: frozenset[Operator]

    def phase(self, o: Operator) -> Phase:
        """What an operator belongs to."""
        return "forward" if o in self.forward else "update" if o in self.update else "backward"

    @cached_property
    def parameters(self) -> list[State]:
        """What is trained."""
        return [s for s in self.program.states.values() if s.is_parameter and not s.is_constant]

    @cached_property
    def moments(self) -> list[State]:
        """What the update remembers beside parameters, and other states that a step changes."""
        return [s for s in self.program.updates if not s.is_parameter]

    @cached_property
    def gradients(self) -> dict[str, Variable]:
        """Of each parameter by its name, where the step computes it."""
        names = {s.grad_name: s.name for s in self.parameters}
        found = (v for o in self.program.main.ops for v in o.results if v is not None)
        return {names[v.name]: v for v in found if v.name in names}


def step_of(
    model: Any,
    inputs: Sequence[Any] = (),
    batch: int = 1,
    optimizer: str | Any = "adam",
    loss: Callable[..., Any] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> Step:
    """The step that trains a model.

    model: a static Program, with its update or without; the path of a saved one, or its prefix; or
    a function or layer of `inputs` (InputSpecs, each with the batch first) that gives the loss, or
    what `loss` makes one of: by default its mean. optimizer: a rule's name, or an optimizer without
    parameters of its own. sizes: of other open sizes, by name. Raises ArgumentError, FileError,
    TypeMismatchError.
    """
    if batch < 1:
        raise ArgumentError(f"expected a batch of at least one sample, received {batch}")
    if isinstance(model, str):
        model = _loaded(model)
    if isinstance(model, Program):
        source = copy_program(model)[0]
        assert isinstance(source, Program)
        if not source.updates:
            _trained(source, source.main.outputs, optimizer, loss)
    elif callable(model):
        source = _traced(model, inputs, optimizer, loss)
    else:
        kind = type(model).__name__
        raise TypeMismatchError(f"expected a Program, a path or a function, received {kind}")
    _give_sizes(source, batch, sizes or {})
    return _expanded(source, batch)


def _loaded(path: str) -> Program:
    with static.scope_guard(static.Scope()):
        if path.endswith(".pdmodel"):
            found = load(path)
            if not isinstance(found, Program):
                raise FileError(f"{path} is no Program", cure="name the .pdmodel of a saved model")
            return found
        program: Program = static.load_inference_model(path)[0]
        return program if program.updates else _trainable(program)


def _trainable(program: Program) -> Program:
    """A Program of inference whose states, of which files do not say more, are trained: itself."""
    for state in program.states.values():
        if state.spec.dtype.is_floating and not state.is_constant:
            state.is_parameter, state.stop_gradient = True, False
    for o in program.main.ops:
        read = [x for x in o.operands if isinstance(x, Variable)]
        stops = o.op.stops_gradients or all(x.stop_gradient for x in read)
        for v in o.results:
            if v is not None:
                v.stop_gradient = stops
    return program


def _rule(given: Any) -> Any:
    if isinstance(given, str):
        if given not in RULES:
            raise ArgumentError(
                f"no rule is called {given!r}", cure=f"pass one of {', '.join(RULES)}"
            )
        return RULES[given](learning_rate=RATE)
    return given


def _trained(program: Program, outputs: Sequence[Any], optimizer: Any, loss: Any) -> None:
    """Append what trains the parameters of a Program."""
    if not outputs:
        raise ArgumentError(
            "the Program has no outputs to make a loss of", cure="plan a Program that trains"
        )
    with static.program_guard(program, Program()):
        found = outputs[0] if loss is None else loss(*outputs)
        _rule(optimizer).minimize(found if found.spec.size == 1 else mean(found))


def _traced(model: Any, inputs: Sequence[Any], optimizer: Any, loss: Any) -> Program:
    program = Program()
    with static.program_guard(program, Program()):
        given = []
        for n, spec in enumerate(inputs):
            if not isinstance(spec, InputSpec):
                raise TypeMismatchError(
                    f"inputs: expected InputSpecs, received {type(spec).__name__}"
                )
            given.append(static.data(spec.name or f"x{n}", spec.shape, spec.dtype))
        found = model(*given)
        outputs = found if isinstance(found, list | tuple) else [found]
        if not isinstance(outputs[0], Variable):
            raise TypeMismatchError(
                f"the function gives {type(outputs[0]).__name__}, expected a Variable"
            )
    _trained(program, outputs, optimizer, loss)
    return program


def _give_sizes(program: Program, batch: int, sizes: Mapping[str, int]) -> None:
    """Let open sizes be numbers: the first of an input is the batch."""
    new: dict[str, Any] = {}
    for v in program.main.inputs:
        first = v.spec.shape[:1]
        if first and not isinstance(first[0], int):
            new |= dict.fromkeys(names_in(first[0]), batch)
    others = {n for v in program.main.inputs for dim in v.spec.shape for n in names_in(dim)}
    lacking = sorted(others - set(new) - set(sizes))
    if lacking:
        raise ArgumentError(
            f"the size {lacking[0]} of an input is open",
            cure=f"say what it is: {lacking[0]}=128 among sizes",
        )
    rename_sizes(program.main, {**new, **{k: v for k, v in sizes.items() if k in others}})


def _expanded(source: Program, batch: int) -> Step:
    """The operators that a mesh divides, and what each is of the step."""
    program = copy_program(source)[0]
    names = {
        v.name for o in program.main.ops if o.role == "forward" for v in o.results if v is not None
    }
    program = lower(decompose(program, _is_divided))
    assert isinstance(program, Program)
    wanted = [v for o in program.main.ops for v in o.results if v is not None and v.name in names]
    forward = _before(wanted)
    parameters = {s.grad_name for s in program.states.values() if s.is_parameter}
    update: set[Operator] = set()
    known: set[Variable] = set()
    for o in program.main.ops:
        if o not in forward and any(
            isinstance(x, Variable) and (x.name in parameters or x in known) for x in o.operands
        ):
            update.add(o)
            known.update(v for v in o.results if v is not None)
    return Step(program, source, batch, frozenset(forward), frozenset(update))


def _is_divided(op: Op) -> bool:
    return has_element(op) or "shard" in op.rules or not op.body


def _before(values: Sequence[Variable]) -> set[Operator]:
    """The operators by which values are computed."""
    found: set[Operator] = set()
    stack = list(values)
    while stack:
        o = stack.pop().producer
        if o is not None and o not in found:
            found.add(o)
            stack += [x for x in o.operands if isinstance(x, Variable)]
    return found
