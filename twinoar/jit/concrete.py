"""One traced signature of a converted function: a Program, and how calls run it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.core.builder import Builder
from twinoar.core.interpreter import current, eager, using
from twinoar.core.ir import Program, State, Variable
from twinoar.core.tree import flatten, unflatten
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ShapeError
from twinoar.jit.convert.runtime import call, require_defined
from twinoar.jit.program_op import ProgramOp, call_program
from twinoar.static.input import InputSpec
from twinoar.static.program import Program as StaticProgram


@dataclass
class Guard:
    """An attribute of an object that tracing relied on, and the value that it had."""

    holder: Any
    attribute: str
    value: Any

    def holds(self) -> bool:
        """True while the attribute has that value."""
        return getattr(self.holder, self.attribute, None) == self.value


class TracingBuilder(Builder):
    """Builds the Program of a function; notes what the trace relied on."""

    def __init__(self, program: Program, *args: Any, outer: Any = None, **kwargs: Any):
        super().__init__(program, *args, outer=outer, **kwargs)
        self.guards: list[Guard] = outer.guards if outer is not None else []

    def forward_of(self, layer: Any) -> Callable:
        """A layer's `forward`, converted; the layer's mode becomes a guard."""
        self.guards.append(Guard(layer, "training", layer.training))
        return call(layer.forward)


class ConcreteProgram:
    """The Program of a function for one signature.

    inputs: the Variables that stand for tensor arguments, in order. structure: of the result.
    leaves: the leaves of the result, Variables or plain values.
    """

    def __init__(self, program: Program, inputs: list[Variable], out: Any, guards: list[Guard]):
        self.program, self.inputs, self.guards = program, inputs, guards
        self.leaves, self.structure = flatten(out)
        self.outputs = [v for v in self.leaves if isinstance(v, Variable)]
        self.updates = [(s, v) for s, v in program.updates.items()]
        program.main.outputs = self.outputs
        self.states = [s for s in program.states.values() if not s.is_constant]
        self.plain: ProgramOp | None = None

    @property
    def main_program(self) -> Program:
        """The Program."""
        return self.program

    def is_current(self) -> bool:
        """True while all that the trace relied on still holds."""
        return all(g.holds() for g in self.guards)

    @property
    def parameters(self) -> list[Any]:
        """The live parameters that the Program reads."""
        return [s.data for s in self.states if s.is_parameter]

    def __call__(self, tensors: Sequence[Tensor]) -> Any:
        """Run on the tensor arguments; gradients flow to them and to the parameters.

        Buffers take their updates.
        """
        if self.plain is None:
            self.plain = ProgramOp(self.program, [*self.outputs, *(v for _, v in self.updates)])
        values = [*tensors, *(live_value(s) for s in self.states)]
        results = call_program(self.program, self.plain, values)
        count = len(self.outputs)
        with using(eager().without_gradients()):
            for (state, _), value in zip(self.updates, results[count:], strict=True):
                state.data._data = value._data
        found = iter(
            Tensor(t._data) if v.stop_gradient else t
            for v, t in zip(self.outputs, results[:count], strict=True)
        )
        leaves = [next(found) if isinstance(x, Variable) else x for x in self.leaves]
        return unflatten(self.structure, leaves)


def live_value(state: State) -> Tensor:
    """The tensor that a state stands for now."""
    if "read" in state.traits:
        return Tensor(np.asarray(state.traits["read"](), state.spec.dtype.numpy))
    return state.data


def trace_function(
    function: Callable,
    specs: Sequence[Any],
    make_arguments: Callable[[list], tuple[tuple, dict]],
    name: str,
) -> ConcreteProgram:
    """Build the Program of `function` by calling it once on Variables.

    specs: an InputSpec or a Tensor per tensor argument. make_arguments: arguments with the
    Variables put in.
    """
    program = StaticProgram(name)
    inputs = [_declare(program, s, i) for i, s in enumerate(specs)]
    args, kwargs = make_arguments(inputs)
    with using(TracingBuilder(program)) as builder:
        out = function(*args, **kwargs)
        leaves, structure = flatten(out)
        require_defined(leaves)
        lifted = [builder.lift(x) if isinstance(x, Value) else x for x in leaves]
    return ConcreteProgram(program, inputs, unflatten(structure, lifted), builder.guards)


def _declare(program: StaticProgram, spec: Any, position: int) -> Variable:
    if isinstance(spec, InputSpec):
        name = spec.name or f"x{position}"
        declared = spec.to_spec(program.fresh_dim)
        return program.main.add_input(declared, name, stop_gradient=spec.stop_gradient)
    return program.main.add_input(spec.spec, f"x{position}", stop_gradient=spec.stop_gradient)


def check_symbols(specs: Sequence[Any], tensors: Sequence[Tensor]) -> None:
    """Raise ShapeError where one named size of the specs is two different sizes."""
    sizes: dict[str, tuple[int, str]] = {}
    for i, (spec, tensor) in enumerate(zip(specs, tensors, strict=True)):
        if not isinstance(spec, InputSpec):
            continue
        for axis, dim in enumerate(spec.shape):
            if not isinstance(dim, str):
                continue
            where = f"dimension {axis} of {spec.name or f'input {i}'}"
            known, first = sizes.setdefault(dim, (tensor.shape[axis], where))
            if known != tensor.shape[axis]:
                raise ShapeError(
                    f"the size {dim} is {known} in {first}, and {tensor.shape[axis]} in {where}"
                )


def is_building() -> bool:
    """True where a Program is being built, so that converted functions are inlined."""
    return not current().runs
