"""`to_static`: a Python function that runs as a Program, one per signature."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from numpy import ndarray

from twinoar.backends.base import Sort
from twinoar.core.interpreter import current
from twinoar.core.ir import Program
from twinoar.core.tree import flatten, unflatten
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ConversionError, TypeMismatchError
from twinoar.jit.concrete import ConcreteProgram
from twinoar.jit.convert.function import convert
from twinoar.jit.tracing import trace_function
from twinoar.static.input import InputSpec, check_symbols

CALLS_KEPT = 1024  # ways to call one function; sizes that always change start over
VARIANTS_KEPT = 16  # Programs of one signature; the oldest goes


class _Switch:
    """What `enable_to_static` sets."""

    enabled = True


def enable_to_static(enable_to_static_bool: bool) -> None:
    """Turn conversion on or off for the process; off, converted functions run as plain Python.

    Raises TypeMismatchError for what is not a bool.
    """
    if not isinstance(enable_to_static_bool, bool):
        raise TypeMismatchError(
            f"expected True or False, received {enable_to_static_bool!r}", cure="pass True or False"
        )
    _Switch.enabled = enable_to_static_bool


class StaticFunction:
    """A function under `to_static`; as a method it binds like one."""

    def __init__(
        self, function: Callable, input_spec: Sequence | None = None, instance: Any = None
    ):
        functools.update_wrapper(self, function)
        self._function, self._instance = function, instance
        self._input_spec = None if input_spec is None else list(input_spec)
        self._programs: dict[tuple, list[ConcreteProgram]] = {}
        self._by_call: dict[tuple, list[ConcreteProgram]] = {}
        self._latest: ConcreteProgram | None = None
        self._bound: dict[int, tuple[Any, StaticFunction]] = {}
        self._signature = inspect.signature(function)
        self._arity = len(self._signature.parameters) - (instance is not None)

    def __get__(self, instance: Any, owner: type | None = None) -> StaticFunction:
        if instance is None:
            return self
        cache = (
            instance.__dict__.setdefault("_static_functions", {})
            if hasattr(instance, "__dict__")
            else {}
        )
        name = self._function.__qualname__
        if name not in cache:
            cache[name] = StaticFunction(self._function, self._input_spec, instance)
        return cache[name]

    @property
    def dygraph_function(self) -> Callable:
        """The Python function, bound where this is a method."""
        if self._instance is None:
            return self._function
        return functools.partial(self._function, self._instance)

    @property
    def _converted(self) -> Callable:
        made = convert(self._function)
        return made if self._instance is None else functools.partial(made, self._instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not _Switch.enabled:
            return self.dygraph_function(*args, **kwargs)
        if not current().runs:
            return self._converted(*args, **kwargs)
        concrete, tensors = self._concrete(*self._bind(args, kwargs))
        return concrete(tensors)

    def get_concrete_program(self, *args: Any, **kwargs: Any) -> ConcreteProgram:
        """The Program for these arguments: Tensors, or InputSpecs in their places."""
        return self._concrete(*self._bind(args, kwargs))[0]

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The Program of `input_spec`, or the latest. Raises ConversionError if there is none."""
        if self._input_spec is not None:
            return self.get_concrete_program(*self._input_spec)
        if self._latest is None:
            raise ConversionError(
                f"{self._function.__name__} has no Program yet",
                cure="call it once, or give to_static an input_spec",
            )
        return self._latest

    @property
    def main_program(self) -> Program:
        """The Program of `concrete_program`."""
        return self.concrete_program.program

    def explain(self, sort: Sort = "order") -> str:
        """What runs as what in the latest Program, a line for each part, with its time.

        sort: "order" or "time". Times are those of calls on copies: no state changes.
        """
        return (self._latest or self.concrete_program).explain(sort)

    @property
    def program_cache(self) -> dict[Any, ConcreteProgram]:
        """The Programs traced so far, by signature, and by number where it has several."""
        return {
            (*key, i): concrete
            for key, variants in self._programs.items()
            for i, concrete in enumerate(variants)
        }

    @property
    def inputs(self) -> list:
        """The Variables that stand for tensor arguments in `concrete_program`."""
        return self.concrete_program.inputs

    @property
    def outputs(self) -> list:
        """The Variables that `concrete_program` returns."""
        return self.concrete_program.outputs

    @property
    def code(self) -> str:
        """The converted source."""
        return convert(self._function).__converted_source__  # type: ignore[attr-defined]

    def rollback(self) -> Callable:
        """The plain Python function; a layer's `forward` becomes it again."""
        if self._instance is not None:
            self._instance.__dict__.pop("forward", None)
        return self.dygraph_function

    def _bind(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """The arguments in the signature's order, defaults filled in."""
        if kwargs or len(args) != self._arity:
            given = args if self._instance is None else (self._instance, *args)
            try:
                bound = self._signature.bind(*given, **kwargs)
            except TypeError as error:
                raise TypeMismatchError(f"{self._function.__name__}: {error}") from None
            bound.apply_defaults()
            args = bound.args if self._instance is None else bound.args[1:]
            kwargs = bound.kwargs
        return args, kwargs

    def _concrete(self, args: tuple, kwargs: dict) -> tuple[ConcreteProgram, list[Tensor]]:
        """The Program for these arguments, traced where there is none, and what it runs on."""
        keys, tensors = _signature((*args, kwargs) if kwargs else args)
        key = getattr(current(), "records", True), len(args), *keys
        for concrete in self._by_call.get(key, ()):
            if concrete.is_current():
                return concrete, tensors
        return self._traced(args, kwargs, key), tensors

    def _traced(self, args: tuple, kwargs: dict, key: tuple) -> ConcreteProgram:
        """The Program for a call unlike those before: one that its InputSpecs allow, or a new one.

        Programs of one signature differ in what their traces relied on.
        """
        leaves, structure = flatten((args, kwargs))
        keys, tensors = _signature(leaves)
        specs = self._specs(tensors)
        positions = [i for i, x in enumerate(leaves) if isinstance(x, (Value, InputSpec, ndarray))]
        for i, spec in zip(positions, specs, strict=True):
            if isinstance(spec, InputSpec):
                keys[i] = (spec, *keys[i][2:])
        variants = self._programs.setdefault((structure, key[0], *keys), [])
        if len(self._by_call) >= CALLS_KEPT:
            self._by_call.clear()
        self._by_call[key] = variants
        found = next((c for c in variants if c.is_current()), None)
        if found is not None:
            return found

        def make_arguments(inputs: list) -> tuple[tuple, dict]:
            filled = list(leaves)
            for i, v in zip(positions, inputs, strict=True):
                filled[i] = v
            return unflatten(structure, filled)

        live = [x if isinstance(x, Tensor) else None for x in tensors]
        trace = trace_function(
            self._converted, specs, make_arguments, self._function.__name__, live
        )
        self._latest = ConcreteProgram(trace)
        del variants[: len(variants) + 1 - VARIANTS_KEPT]
        variants.append(self._latest)
        return self._latest

    def _specs(self, values: list) -> list:
        """What declares each tensor argument: an InputSpec that it fits, or the tensor."""
        if self._input_spec is None:
            return values
        declared = [s for s in flatten(self._input_spec)[0] if isinstance(s, InputSpec)]
        if len(declared) > len(values):
            raise ArgumentError(
                f"input_spec of {self._function.__name__} describes {len(declared)} tensors, "
                f"received {len(values)}",
                cure="give an InputSpec for each tensor argument, and tensors in their places",
            )
        specs: list[Any] = [*declared, *values[len(declared) :]]
        names = list(self._signature.parameters)[self._instance is not None :]
        for i, (spec, value) in enumerate(zip(declared, values, strict=False)):
            if isinstance(value, Value):
                where = spec.name or (names[i] if i < len(names) else f"input {i}")
                spec.check(value, f"{self._function.__name__}: {where}")
        tensors = [v for v in values if isinstance(v, Tensor)]
        if len(tensors) == len(values):
            check_symbols(specs, tensors)
        return [_with_gradient(s, v) for s, v in zip(specs, values, strict=True)]


def _with_gradient(spec: Any, value: Any) -> Any:
    """The spec, wanting a gradient where the tensor does."""
    if (
        isinstance(spec, InputSpec)
        and isinstance(value, Value)
        and spec.stop_gradient != value.stop_gradient
    ):
        return InputSpec(spec.shape, spec.dtype, spec.name, value.stop_gradient)
    return spec


def _signature(values: Sequence) -> tuple[list[Any], list[Any]]:
    """What tells the values of one call from those of another, and the tensors among them.

    Of a tensor: shape and dtype. Where it wants a gradient: also whether it is a leaf, without a
    gradient yet, and without hooks.
    """
    keys: list[Any] = []
    tensors: list[Any] = []
    for x in values:
        if isinstance(x, ndarray):
            x = Tensor(x)
        if isinstance(x, Tensor):
            tensors.append(x)
            data = x._data
            if x.stop_gradient:
                keys.append((data.shape, data.dtype))
            else:
                state = (x.producer is None, x._grad is None, not x._hooks)
                keys.append((data.shape, data.dtype, *state))
        elif isinstance(x, (Value, InputSpec)):
            tensors.append(x)
            keys.append((tuple(x.shape), x.dtype, x.stop_gradient))
        elif isinstance(x, (tuple, list, dict)):
            leaves, structure = flatten(x)
            inside, found = _signature(leaves)
            keys.append((structure, *inside))
            tensors += found
        else:
            keys.append(_plain_key(x))
    return keys, tensors


def _plain_key(x: Any) -> Any:
    """A plain argument as part of a signature: its value."""
    if isinstance(x, float):
        return "float", repr(x)
    try:
        hash(x)
    except TypeError:
        raise TypeMismatchError(
            f"an argument of type {type(x).__name__} cannot be told from another of its kind",
            cure="pass tensors, numbers, strings, or lists, tuples and dicts of them",
        ) from None
    return type(x), x


def to_static(
    function: Any = None,
    input_spec: Sequence | None = None,
    build_strategy: Any = None,
    backend: Any = None,
    property: bool = False,
    full_graph: bool = True,
    **kwargs: Any,
) -> Any:
    """Run a function, or a Layer's `forward`, as a Program.

    It is a decorator, with or without arguments, or a call.
    input_spec: an InputSpec per tensor argument; None sizes fit any size under one Program, and a
    tensor that does not fit is an error. Without it there is one Program for each signature of the
    arguments. Python `if`, `while` and `for` on tensors become operators. build_strategy, backend,
    property and full_graph are accepted as Paddle's. Returns the function converted; a Layer is
    returned itself, with its `forward` converted. Raises TypeMismatchError for what is neither.

    >>> import twinoar
    >>> @twinoar.jit.to_static
    ... def double(x):
    ...     return x * 2
    >>> double(twinoar.to_tensor([1.0, 2.0])).tolist()
    [2.0, 4.0]
    """
    if function is None:
        return lambda f: to_static(f, input_spec=input_spec)
    if isinstance(function, StaticFunction):
        return (
            function
            if input_spec is None
            else StaticFunction(function._function, input_spec, function._instance)
        )
    if hasattr(function, "forward") and hasattr(function, "sublayers"):
        forward = function.forward
        if isinstance(forward, StaticFunction):
            forward = forward.dygraph_function
        plain = getattr(forward, "__func__", getattr(forward, "func", forward))
        instance = function if plain is not forward or hasattr(forward, "__self__") else None
        object.__setattr__(function, "forward", StaticFunction(plain, input_spec, instance))
        return function
    if inspect.ismethod(function):
        return StaticFunction(function.__func__, input_spec, function.__self__)
    if not callable(function):
        raise TypeMismatchError(
            f"to_static takes a function or a Layer, received {type(function).__name__}",
            cure="pass a function, or a Layer object",
        )
    return StaticFunction(function, input_spec)


def not_to_static(func: Callable | None = None) -> Any:
    """Mark a function that conversion leaves as it is: it is called, not converted.

    >>> @not_to_static
    ... def helper(x):
    ...     return x
    """
    if func is None:
        return not_to_static
    func.__not_to_static__ = True  # type: ignore[attr-defined]
    return func


def ignore_module(modules: Sequence) -> None:
    """Leave the functions of these modules as they are when conversion meets them."""
    for module in modules:
        module.__not_to_static__ = True
