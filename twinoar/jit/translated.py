"""A loaded model: Programs and their parameters, called like the Layer that was saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from twinoar.backends.base import Executable, Sort, explain_all
from twinoar.core.builder import before, replay
from twinoar.core.interpreter import current
from twinoar.core.ir import Program, State, Variable, copy_program, near_names
from twinoar.core.layer_like import LayerLike
from twinoar.core.values import Value
from twinoar.eager.tensor import Parameter, Tensor, to_array
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError, UnknownNameError
from twinoar.jit.program_op import ProgramOp, call_program
from twinoar.ops.random import generator
from twinoar.passes.manager import run
from twinoar.passes.registry import Pass
from twinoar.tracebacks import showing_users_frames

FORWARD = "forward"


class TranslatedLayer(LayerLike):
    """A loaded model: called like the Layer that was saved, and trainable like it.

    Each entry point that was saved is a method. It has `parameters`, `state_dict`, `train`, `eval`
    and what optimizers and other Layers ask of a Layer. programs: by the name of the entry point.
    states: the live tensors by the names that the Programs know them by; one that several use is
    the same tensor. structured: those names to the ones of the Layer.
    """

    def __init__(
        self, programs: dict[str, Program], states: dict[str, Tensor], structured: dict[str, str]
    ):
        self._programs = programs
        self._parameters: dict[str, Parameter] = {}
        self._buffers: dict[str, Tensor] = {}
        self._sub_layers: dict[str, Any] = {}
        self._non_persistable_buffer_names_set: set[str] = set()
        self._state_dict_hooks: dict[int, Any] = {}
        self.training = False
        self._operators: dict[tuple[str, bool], tuple[ProgramOp, list[State], list]] = {}
        for name, tensor in states.items():
            holder = self._parameters if isinstance(tensor, Parameter) else self._buffers
            holder[structured.get(name, name)] = tensor  # type: ignore[assignment]
        for name in programs:
            if name != FORWARD:
                self.__dict__[name] = partial(self._run, name)

    @showing_users_frames
    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        return current().forward_of(self)(*inputs, **kwargs)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Run the model on its inputs, by position or name; returns its output, or several."""
        return self._run(FORWARD, *inputs, **kwargs)

    def _run(self, method: str, *inputs: Any, **kwargs: Any) -> Any:
        values = [as_value(x) for x in self._arguments(method, inputs, kwargs)]
        op, states, updates = self._operator(method)
        if not current().runs:
            return self._inlined(op, values, updates)
        results = call_program(op.program, op, [*values, *(s.data for s in states)])
        count = len(results) - len(updates)
        for state, value in zip(updates, results[count:], strict=True):
            state.data._data = value._data
        outputs = [
            Tensor(t._data) if v.stop_gradient else t
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
        return results[0] if count == 1 else list(results[:count])

    def _operator(self, method: str) -> tuple[ProgramOp, list[State], list[State]]:
        key = method, self.training
        if key not in self._operators:
            program, _ = copy_program(self.program(method))
            for o in list(program.main.walk()):
                if "training" in o.attrs:
                    o.attrs = {**o.attrs, "training": self.training}
            if self.training:
                supply_keys(program)
            updates = [
                (s, v) for s, v in program.updates.items() if self.training or is_own_update(v)
            ]
            op = ProgramOp(program, [*program.main.outputs, *(v for _, v in updates)])
            states = [s for s in program.states.values() if not s.is_constant]
            self._operators[key] = op, states, [s for s, _ in updates]
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

    def apply_passes(self, passes: Sequence[str | Pass] | str | Pass) -> None:
        """Run passes on the Program of each entry point; what they made is called and saved.

        passes: as `twinoar.passes.run` takes them. Weights that passes computed become parameters,
        those that no entry point reads any more go. Raises as `run` does, and then nothing has
        changed.
        """
        programs = {name: run(program, passes) for name, program in self._programs.items()}
        states = [s for p in programs.values() for s in p.states.values() if not s.is_constant]
        read = {id(s.data) for s in states}
        for holder in (self._parameters, self._buffers):
            for name in [n for n, t in holder.items() if id(t) not in read]:
                del holder[name]
            read.difference_update(map(id, holder.values()))
        self._parameters.update({s.name: s.data for s in states if id(s.data) in read})
        self._programs, self._operators = programs, {}

    @property
    def methods(self) -> dict[str, Callable[..., Any]]:
        """The entry points by name."""
        return {name: partial(self._run, name) for name in self._programs}

    def explain(self, sort: Sort = "order") -> str:
        """What runs as what, a line for each part with its time; sort: "order" or "time"."""
        return explain_all(self.executables(), sort)

    def executables(self) -> dict[str, Executable]:
        """What runs the model, in the mode that it is in, by name."""
        found = {name: self._operator(name)[0].executables() for name in self._programs}
        if len(found) == 1:
            return next(iter(found.values()))
        return {f"{name}: {k}": e for name, made in found.items() for k, e in made.items()}

    def named_parameters(
        self, prefix: str = "", include_sublayers: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Parameters by name."""
        for name, p in self._parameters.items():
            yield (f"{prefix}.{name}" if prefix else name), p

    def parameters(self, include_sublayers: bool = True) -> list[Parameter]:
        """The parameters."""
        return list(self._parameters.values())

    def named_buffers(
        self, prefix: str = "", include_sublayers: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Buffers by name."""
        for name, b in self._buffers.items():
            yield (f"{prefix}.{name}" if prefix else name), b

    def buffers(self, include_sublayers: bool = True) -> list[Tensor]:
        """The buffers."""
        return list(self._buffers.values())

    def sublayers(self, include_self: bool = False) -> list[Any]:
        """The layers below: none."""
        return [self] if include_self else []

    def named_sublayers(
        self, prefix: str = "", include_self: bool = False, layers_set: Any = None
    ) -> Iterator:
        """The layers below by name: none."""
        if include_self:
            yield prefix, self

    def named_children(self) -> Iterator:
        """The layers directly below: none."""
        return iter(())

    def children(self) -> Iterator:
        """The layers directly below: none."""
        return iter(())

    def train(self) -> TranslatedLayer:
        """Switch to training: dropout drops, batch norm goes by the batch's own statistics."""
        self.training = True
        return self

    def eval(self) -> TranslatedLayer:
        """Switch to inference."""
        self.training = False
        return self

    def clear_gradients(self) -> None:
        """Forget the gradients of all parameters."""
        for p in self.parameters():
            p.clear_grad()

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Tensor]:
        """Parameters and buffers by name."""
        return {**self._parameters, **self._buffers}

    def set_state_dict(
        self, state_dict: dict[str, Any], use_structured_name: bool = True
    ) -> tuple[list, list]:
        """Take over parameters and buffers by name; returns the (missing, unexpected) names.

        Raises ShapeError, and then nothing has changed.
        """
        own = self.state_dict()
        found = {k: to_array(v) for k, v in state_dict.items() if k in own}
        for name, array in found.items():
            if list(array.shape) != own[name].shape:
                raise ShapeError(
                    f"{name} has shape {own[name].shape}, received {list(array.shape)}",
                    cure="give a state of the model that was saved",
                )
        for name, array in found.items():
            own[name].set_value(array)
        return [k for k in own if k not in found], [k for k in state_dict if k not in own]

    set_dict = load_dict = set_state_dict


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
