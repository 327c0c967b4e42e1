"""Programs that were loaded, with their parameters: what runs a saved model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from twinoar.backends.base import Executable, Sort, explain_all
from twinoar.core.interpreter import current
from twinoar.core.ir.builder import before, replay
from twinoar.core.ir.program import Program, State, Variable, copy_program, near_names
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, TypeMismatchError, UnknownNameError
from twinoar.jit.program_op import ProgramOp, call_program
from twinoar.ops.create.fill import without_gradient
from twinoar.ops.random.uniform import generator

FORWARD = "forward"


Called = tuple[ProgramOp, list[State], list[State]]  # and the states it reads, and changes


class LoadedModel:
    """Each entry point of a saved model by name, in inference mode until `training` says otherwise.

    programs: by the name of the entry point.
    """

    def __init__(self, programs: dict[str, Program]):
        self._programs = programs
        self._operators: dict[tuple[str, bool], Called] = {}
        self.training = False

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Run the model on its inputs, by position or name; returns its output, or several."""
        return self._run(FORWARD, *inputs, **kwargs)

    def _run(self, method: str, *inputs: Any, **kwargs: Any) -> Any:
        values = [as_value(x) for x in self._arguments(method, inputs, kwargs)]
        op, states, updates = self._chosen(method, values)
        if not current().runs:
            return self._inlined(op, values, updates)
        results = call_program(op.program, op, [*values, *(s.data for s in states)])
        count = len(results) - len(updates)
        for state, value in zip(updates, results[count:], strict=True):
            state.data.take_data(value._data)
        outputs = [
            Tensor(t._data) if v.stop_gradient else _differentiable(op.program, t)
            for t, v in zip(results[:count], op.results[:count], strict=True)
        ]
        return outputs[0] if len(outputs) == 1 else outputs

    def _inlined(self, op: ProgramOp, values: list[Any], updates: list[State]) -> Any:
        """The model as part of the Program that is being built."""
        known = {s: s.data for s in op.program.states.values()}
        results = replay(op.program.main, tuple(values), known, op.results)
        count = len(results) - len(updates)
        for state, value in zip(updates, results[count:], strict=True):
            current().rebind(state.data, value)
        outputs = [_differentiable(op.program, x) for x in results[:count]]
        return outputs[0] if count == 1 else outputs

    def _chosen(self, method: str, values: Sequence[Value]) -> Called:
        """What runs an entry point on these inputs."""
        return self._operator(method)

    def _operator(self, method: str) -> Called:
        key = method, self.training
        if key not in self._operators:
            self._operators[key] = called(self.program(method), self.training)
        return self._operators[key]

    def _arguments(self, method: str, inputs: tuple, kwargs: dict) -> list[Any]:
        declared = self.program(method).main.inputs
        names = [v.name for v in declared]
        if unknown := kwargs.keys() - set(names):
            raise UnknownNameError(
                f"the model has no input {sorted(unknown)}", cure=f"its inputs are {names}"
            )
        given = dict(zip(names, inputs, strict=False)) | kwargs
        if len(inputs) + len(kwargs) != len(names) or len(given) != len(names):
            shown = ", ".join(f"{v.name}: {v.spec}" for v in declared)
            raise ArgumentError(
                f"the model takes {len(names)} inputs ({shown}), "
                f"received {len(inputs) + len(kwargs)}",
                cure="pass one tensor for each",
            )
        return [given[n] for n in names]

    def program(self, method_name: str = FORWARD) -> Program:
        """The Program of an entry point. Raises UnknownNameError for one that was not saved."""
        if method_name not in self._programs:
            raise UnknownNameError(
                f"the model was saved without {method_name}",
                cure=near_names(method_name, self._programs),
            )
        return self._programs[method_name]

    @property
    def tensors(self) -> list[Tensor]:
        """The parameters and buffers that the entry points read."""
        states = [s for p in self._programs.values() for s in p.states.values()]
        return list({id(s.data): s.data for s in states if not s.is_constant}.values())

    @property
    def methods(self) -> dict[str, Callable[..., Any]]:
        """The entry points by name."""
        return {name: partial(self._run, name) for name in self._programs}

    def _run_by(self, method: str) -> ProgramOp:
        """What ran an entry point in this mode, or will."""
        return self._operator(method)[0]

    def explain(self, sort: Sort = "order") -> str:
        """What runs as what, a line for each part with its time; sort: "order" or "time"."""
        return explain_all(self.executables(), sort)

    def executables(self) -> dict[str, Executable]:
        """What runs the model, in the mode that it is in, by name."""
        found = {name: self._run_by(name).executables() for name in self._programs}
        if len(found) == 1:
            return next(iter(found.values()))
        return {f"{name}: {k}": e for name, made in found.items() for k, e in made.items()}


def called(program: Program, training: bool) -> Called:
    """A copy of a Program as an operator, in training or not."""
    program, _ = copy_program(program)
    for o in list(program.main.walk()):
        if "training" in o.attrs:
            o.attrs = {**o.attrs, "training": training}
    if training:
        supply_keys(program)
    updates = [(s, v) for s, v in program.updates.items() if training or is_own_update(v)]
    op = ProgramOp(program, [*program.main.outputs, *(v for _, v in updates)])
    states = [s for s in program.states.values() if not s.is_constant]
    return op, states, [s for s, _ in updates]


def _differentiable(program: Program, x: Any) -> Any:
    """A result; of a model whose file has not its gradients, one that says so when asked."""
    if not program.lost_gradient or x.stop_gradient:
        return x
    return without_gradient.function(x, program.lost_gradient)


def is_own_update(value: Variable) -> bool:
    """True for a new value of a state that the model itself assigns, in any mode."""
    return value.producer is None or "training" not in value.producer.attrs


def supply_keys(program: Program) -> None:
    """Give random keys to the operators that draw in training and were saved without one."""
    for o in list(program.main.ops):
        names = o.op.operand_names(len(o.operands))
        if "training" not in o.attrs or "key" not in names:
            continue
        if o.operands[names.index("key")] is not None:
            continue
        with before(program, o) as builder:
            key = builder.lift(generator.next_key())
        o.operands = tuple(key if n == "key" else x for n, x in zip(names, o.operands, strict=True))


def as_value(x: Any) -> Value:
    if isinstance(x, Value):
        return x
    if isinstance(x, np.ndarray):
        return Tensor(x)
    raise TypeMismatchError(
        f"expected a Tensor or ndarray as input of the model, received {type(x).__name__}",
        cure="convert it with to_tensor",
    )
