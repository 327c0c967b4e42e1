"""Saving a converted function or Layer as files, and running it again without its class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.backends.base import Executable, Sort, explain_all
from twinoar.core.builder import before, replay
from twinoar.core.interpreter import current
from twinoar.core.ir import Program, State, copy_program
from twinoar.core.layer_like import LayerLike
from twinoar.core.values import Value
from twinoar.eager.tensor import Parameter, Tensor, to_array
from twinoar.errors import ArgumentError, FileError, ShapeError, TypeMismatchError, UnknownNameError
from twinoar.formats import info, tensors
from twinoar.formats.atomic import AtomicFiles, path_text
from twinoar.formats.program_read import read_program
from twinoar.formats.program_write import write_inference_program
from twinoar.jit.concrete import ConcreteProgram, live_value
from twinoar.jit.program_op import ProgramOp, call_program
from twinoar.jit.to_static import StaticFunction, to_static
from twinoar.jit.tracing import trace_function
from twinoar.ops.random import generator
from twinoar.passes.pipeline import for_inference
from twinoar.static.input import InputSpec
from twinoar.static.program import for_testing


def save(layer: Any, path: str, input_spec: Sequence | None = None, **configs: Any) -> None:
    """Save a Layer, or a function under `to_static`, for running without its Python code.

    path: a prefix; `.pdmodel`, `.pdiparams` and `.pdiparams.info` are written, all or none.
    input_spec: an InputSpec, or an example Tensor, per tensor argument; not needed where to_static
    has one, or the function was called. The Program is saved for inference: dropout is off, batch
    norm uses running statistics. Raises TypeMismatchError for what cannot be converted,
    ArgumentError where the inputs are not known, FileError where a file cannot be written.
    """
    if unknown := configs.keys() - KNOWN_CONFIGS:
        raise ArgumentError(
            f"jit.save does not know {sorted(unknown)}", cure=f"it knows {sorted(KNOWN_CONFIGS)}"
        )
    path = path_text(path)
    concrete = _traced(_static_function(layer), input_spec)
    model, states = write_inference_program(for_saving(concrete))
    structured = _structured_names(layer)
    with AtomicFiles() as files:
        files.write(f"{path}.pdmodel", model)
        arrays = {s.name: _array_of(s) for s in states}
        if arrays:  # Paddle refuses a file of no parameters
            files.write(f"{path}.pdiparams", tensors.dump(arrays))
        described = {
            s.name: info.VariableInfo(
                structured.get(s.name, s.name),
                s.stop_gradient,
                s.trainable if s.is_parameter else None,
            )
            for s in states
        }
        files.write(f"{path}.pdiparams.info", info.dump(described))


KNOWN_CONFIGS = frozenset(
    {
        "output_spec", "with_hook", "combine_params", "clip_extra", "skip_forward",
        "input_names_after_prune", "skip_prune_program", "separate_parameters",
    }
)  # fmt: skip


def for_saving(concrete: ConcreteProgram) -> Program:
    """The Program to write: a copy for inference, without what outputs do not need."""
    program, _ = copy_program(concrete.program)
    for_testing(program)
    return for_inference(program)


def _static_function(layer: Any) -> StaticFunction:
    if isinstance(layer, StaticFunction):
        return layer
    if isinstance(layer, LayerLike):
        forward = layer.forward
        if isinstance(forward, StaticFunction):
            return forward
        return StaticFunction(type(layer).forward, None, layer)
    if callable(layer):
        return to_static(layer)
    raise TypeMismatchError(
        f"jit.save takes a Layer or a function, received {type(layer).__name__}",
        cure="pass a Layer object, or a function with input_spec",
    )


def _traced(function: StaticFunction, input_spec: Sequence | None) -> ConcreteProgram:
    given = function._input_spec if input_spec is None else list(input_spec)
    if given is None:
        if not function.program_cache:
            raise ArgumentError(
                "the inputs to save for are not known",
                cure="pass input_spec=[InputSpec(...)], or call the function once before",
            )
        return function.concrete_program
    specs = [_as_spec(x) for x in given if isinstance(x, (InputSpec, Value, np.ndarray))]
    positions = [i for i, x in enumerate(given) if isinstance(x, (InputSpec, Value, np.ndarray))]
    names = [n for n in function._signature.parameters][function._instance is not None :]
    for i, spec in zip(positions, specs, strict=True):
        if spec.name is None and i < len(names):
            spec.name = names[i]

    def make_arguments(inputs: list) -> tuple[tuple, dict]:
        filled = list(given)
        for i, v in zip(positions, inputs, strict=True):
            filled[i] = v
        return tuple(filled), {}

    trace = trace_function(function._converted, specs, make_arguments, "model")
    return ConcreteProgram(trace)


def _as_spec(x: Any) -> InputSpec:
    if isinstance(x, InputSpec):
        return InputSpec(x.shape, x.dtype, x.name, x.stop_gradient)
    return InputSpec(x.shape, x.dtype)


def _structured_names(layer: Any) -> dict[str, str]:
    """Parameter and buffer names to the names they have in the Layer."""
    owner = layer._instance if isinstance(layer, StaticFunction) else layer
    if not isinstance(owner, LayerLike):
        return {}
    return {t.name: key for key, t in owner.state_dict().items()}


def _array_of(state: State) -> np.ndarray:
    return np.asarray(getattr(state.data, "_data", state.data))


class TranslatedLayer(LayerLike):
    """A loaded model: called like the Layer that was saved, and trainable like it.

    It has `parameters`, `state_dict`, `train`, `eval` and what optimizers and other Layers ask of a
    Layer.
    """

    def __init__(self, program: Program, states: dict[str, Tensor], structured: dict[str, str]):
        self._program = program
        self._parameters: dict[str, Parameter] = {}
        self._buffers: dict[str, Tensor] = {}
        self._sub_layers: dict[str, Any] = {}
        self._non_persistable_buffer_names_set: set[str] = set()
        self._state_dict_hooks: dict[int, Any] = {}
        self.training = False
        self._operators: dict[bool, tuple[ProgramOp, list[State], list]] = {}
        for name, tensor in states.items():
            holder = self._parameters if isinstance(tensor, Parameter) else self._buffers
            holder[structured.get(name, name)] = tensor  # type: ignore[assignment]

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        return current().forward_of(self)(*inputs, **kwargs)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Run the model on its inputs, by position or name; returns its output, or several."""
        op, states, updates = self._operator()
        values = [_as_value(x) for x in self._arguments(inputs, kwargs)]
        if not current().runs:
            return self._inlined(op, values, updates)
        results = call_program(op.program, op, [*values, *(live_value(s) for s in states)])
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

    def _operator(self) -> tuple[ProgramOp, list[State], list[State]]:
        if self.training not in self._operators:
            program, _ = copy_program(self._program)
            for o in list(program.main.walk()):
                if "training" in o.attrs:
                    o.attrs = {**o.attrs, "training": self.training}
            if self.training:
                supply_keys(program)
            updates = list(program.updates.items()) if self.training else []
            op = ProgramOp(program, [*program.main.outputs, *(v for _, v in updates)])
            states = [s for s in program.states.values() if not s.is_constant]
            self._operators[self.training] = op, states, [s for s, _ in updates]
        return self._operators[self.training]

    def _arguments(self, inputs: tuple, kwargs: dict) -> list[Any]:
        names = [v.name for v in self._program.main.inputs]
        if unknown := kwargs.keys() - set(names):
            raise UnknownNameError(
                f"the model has no input {sorted(unknown)}", cure=f"its inputs are {names}"
            )
        given = dict(zip(names, inputs, strict=False)) | kwargs
        if len(inputs) + len(kwargs) != len(names) or len(given) != len(names):
            declared = ", ".join(f"{v.name}: {v.spec}" for v in self._program.main.inputs)
            raise ArgumentError(
                f"the model takes {len(names)} inputs ({declared}), "
                f"received {len(inputs) + len(kwargs)}",
                cure="pass one tensor for each",
            )
        return [given[n] for n in names]

    def program(self, method_name: str = "forward") -> Program:
        """The Program of the model."""
        return self._program

    def explain(self, sort: Sort = "order") -> str:
        """What runs as what, a line for each part with its time; sort: "order" or "time"."""
        return explain_all(self.executables(), sort)

    def executables(self) -> dict[str, Executable]:
        """What runs the model, in the mode that it is in, by name."""
        return self._operator()[0].executables()

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


def _as_value(x: Any) -> Value:
    if isinstance(x, Value):
        return x
    if isinstance(x, np.ndarray):
        return Tensor(x)
    raise TypeMismatchError(
        f"expected a Tensor or ndarray as input of the model, received {type(x).__name__}",
        cure="convert it with to_tensor",
    )


def load(path: str, **configs: Any) -> TranslatedLayer:
    """Load what `jit.save`, or the real Paddle 2.x, saved under the prefix `path`.

    model_filename, params_filename: other names of the two files, in the folder `path`. Returns a
    TranslatedLayer in inference mode. Raises FileError where a file is missing or does not read.
    """
    model, parameters = _files_of(path_text(path), configs)
    described = _described(parameters)
    program = read_program(model.read_bytes(), str(model), info=described)
    states = [s for s in program.states.values() if not s.is_constant]
    arrays = (
        tensors.load(parameters.read_bytes(), sorted(s.name for s in states), str(parameters))
        if states
        else {}
    )
    live: dict[str, Tensor] = {}
    for s in states:
        tensor = Parameter(arrays[s.name], name=s.name) if s.trainable else Tensor(arrays[s.name])
        tensor.name, tensor.persistable = s.name, True
        if list(tensor.shape) != list(s.spec.shape):
            raise FileError(
                f"{parameters}: {s.name} has shape {tensor.shape}, the model says {s.spec}"
            )
        s.data = tensor
        live[s.name] = tensor
    return TranslatedLayer(program, live, {n: v.structured_name for n, v in described.items()})


def _files_of(path: str, configs: dict) -> tuple[Path, Path]:
    if "model_filename" in configs or "params_filename" in configs:
        folder = Path(path)
        model = folder / (configs.get("model_filename") or "__model__")
        parameters = folder / (configs.get("params_filename") or "__params__")
    else:
        model, parameters = Path(f"{path}.pdmodel"), Path(f"{path}.pdiparams")
    if not model.is_file():
        newer = Path(f"{path}.json")
        cure = (
            "it is a model of Paddle 3.x, which this version does not read; "
            "save it with FLAGS_enable_pir_api=0"
            if newer.is_file()
            else f"save a model there first: jit.save(layer, {path!r}, input_spec=[...])"
        )
        raise FileError(f"there is no model {model}", cure=cure)
    return model, parameters


def _described(parameters: Path) -> dict[str, info.VariableInfo]:
    file = Path(f"{parameters}.info")
    return info.load(file.read_bytes(), str(file)) if file.is_file() else {}
