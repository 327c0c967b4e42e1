"""What of a Layer or function is saved: its entry points, each a function and what it takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from twinoar.core.layer_like import LayerLike
from twinoar.core.tree import flatten, unflatten
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.export.loaded import FORWARD, LoadedModel
from twinoar.jit.to_static import StaticFunction, to_static
from twinoar.jit.tracing import Trace, trace_function
from twinoar.static.input import InputSpec

DECLARES = (InputSpec, Value, np.ndarray)


class EntryPoint:
    """One method or function that is saved under a name.

    owner: the Layer whose states it uses, if any. traced, plain: what is called to build its
    Program, and to run it as plain Python. specs: an InputSpec per tensor argument. whole: what
    stands for both, where a call is more than the function.
    """

    def __init__(
        self,
        name: str,
        function: StaticFunction,
        given: Sequence | None,
        owner: Any = None,
        whole: Callable | None = None,
    ):
        self.name, self.function = name, function
        instance = function._instance if owner is None else owner
        self.owner = instance if isinstance(instance, LayerLike) else None
        self.traced: Callable = whole or function._converted
        self.plain: Callable = whole or function.dygraph_function
        given = function._input_spec if given is None else given
        if given is None:
            self._take_call()
        else:
            self._take_specs(list(given))

    def trace(self) -> Trace:
        """The Program of the function in the mode that its Layers are in."""
        return trace_function(self.traced, self.specs, self.arguments, "model")

    def arguments(self, values: Sequence) -> tuple[tuple, dict]:
        """(args, kwargs), with `values` in the places of the tensor arguments."""
        filled = list(self._leaves)
        for i, v in zip(self._positions, values, strict=True):
            filled[i] = v
        args, kwargs = unflatten(self._structure, filled)
        return args, kwargs

    def constants(self) -> tuple:
        """The constants in the source of the function."""
        code = getattr(self.function._function, "__code__", None)
        return () if code is None else code.co_consts

    def examples(self) -> Iterator[list[np.ndarray]]:
        """The arrays of calls of the function that its specs admit: those that were kept."""
        for concrete in reversed(list(self.function.program_cache.values())):
            example = concrete._trace.example
            if example is not None and len(example) == len(self.specs):
                yield example

    def _take_specs(self, given: list) -> None:
        """Inputs as an input_spec declares them; those without a name take the parameter's."""
        parameters = list(self.function._signature.parameters)
        names = parameters[self.function._instance is not None :]
        named = [
            _as_spec(x, names[i] if i < len(names) else None) if isinstance(x, DECLARES) else x
            for i, x in enumerate(given)
        ]
        self._take((tuple(named), {}))

    def _take_call(self) -> None:
        """Inputs as the latest call gave them."""
        latest = self.function._latest
        if latest is None:
            raise ArgumentError(
                f"the inputs to save {self.name} for are not known",
                cure="pass input_spec=[InputSpec(...)] to jit.save for forward, to to_static for "
                "other methods, or call it once before",
            )
        specs = [InputSpec(v.spec.shape, v.dtype, v.name) for v in latest.inputs]
        arguments = latest._trace.arguments
        assert arguments is not None  # a call was traced
        self._take(arguments(specs))

    def _take(self, arguments: tuple[tuple, dict]) -> None:
        self._leaves, self._structure = flatten(arguments)
        self._positions = [i for i, x in enumerate(self._leaves) if isinstance(x, DECLARES)]
        self.specs = [_as_spec(self._leaves[i]) for i in self._positions]


def entry_points(layer: Any, input_spec: Sequence | None) -> list[EntryPoint]:
    """What `jit.save` saves of `layer`, forward first: all methods under `to_static`, or loaded.

    input_spec: of forward, or of the function. Raises TypeMismatchError for what cannot be saved.
    """
    if isinstance(layer, StaticFunction):
        return [EntryPoint(FORWARD, layer, input_spec)]
    if isinstance(layer, LoadedModel):
        return [_loaded(layer, name, input_spec) for name in layer.methods]
    if isinstance(layer, LayerLike):
        forward = EntryPoint(FORWARD, _forward(layer), input_spec, layer, _with_hooks(layer))
        others = _static_methods(layer)
        return [forward, *(EntryPoint(n, getattr(layer, n), None, layer) for n in others)]
    if callable(layer):
        return [EntryPoint(FORWARD, to_static(layer), input_spec)]
    raise TypeMismatchError(
        f"jit.save takes a Layer or a function, received {type(layer).__name__}",
        cure="pass a Layer object, or a function with input_spec",
    )


def _forward(layer: LayerLike) -> StaticFunction:
    """What a call of the layer runs: its class's `forward`, or what was assigned in its place."""
    forward = layer.forward  # type: ignore[attr-defined]
    return forward if isinstance(forward, StaticFunction) else to_static(forward)


def _with_hooks(layer: Any) -> Callable | None:
    """The layer itself where calling it is more than its forward."""
    has_hooks = any(layer.__dict__.get(f"_forward_{kind}_hooks") for kind in ("pre", "post"))
    return layer if has_hooks else None


def _static_methods(layer: LayerLike) -> list[str]:
    """The methods under `to_static`, besides forward, in alphabetical order."""
    found = []
    for name in sorted({*dir(type(layer)), *layer.__dict__} - {FORWARD}):
        if isinstance(inspect.getattr_static(layer, name, None), StaticFunction):
            found.append(name)
    kinds = [LoadedModel, *(k for k in type(layer).__mro__ if k.__module__.startswith("twinoar."))]
    taken = [name for name in found if any(name in vars(kind) for kind in kinds)]
    if taken:
        raise ArgumentError(
            f"{type(layer).__name__}.{taken[0]} cannot be saved: a loaded model has a method "
            f"{taken[0]} of its own",
            cure="give the method another name, or take to_static away from it",
        )
    return found


def _loaded(layer: LoadedModel, name: str, input_spec: Sequence | None) -> EntryPoint:
    """An entry point of a loaded model; it is saved for the inputs that it was saved for."""

    def run(*inputs: Any) -> Any:
        return layer.methods[name](*inputs)

    specs = [
        InputSpec([d if isinstance(d, int) else None for d in v.spec.shape], v.dtype, v.name)
        for v in layer.program(name).main.inputs
    ]
    if input_spec is not None and name == FORWARD:
        specs = [_as_spec(x, s.name) for x, s in zip(input_spec, specs, strict=True)]
    return EntryPoint(name, to_static(run), specs, layer)


def _as_spec(x: Any, name: str | None = None) -> InputSpec:
    """A copy of an InputSpec, or the spec of an example; `name` where it has none."""
    if isinstance(x, InputSpec):
        return InputSpec(x.shape, x.dtype, x.name or name, x.stop_gradient)
    return InputSpec(x.shape, x.dtype, name)
