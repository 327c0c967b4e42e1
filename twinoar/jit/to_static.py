"""`to_static`: a Python function that runs as a Program, one per signature."""

from __future__ import annotations

import copy
import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from time import perf_counter
from types import FunctionType
from typing import Any

from numpy import ndarray

from twinoar import config
from twinoar.backends.base import Sort
from twinoar.core.interpreter import current
from twinoar.core.ir.program import Program
from twinoar.core.recent import least_recent, now
from twinoar.core.tree import flatten, unflatten
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ConversionError, TypeMismatchError
from twinoar.inspection.conversion import Report, report_on
from twinoar.jit.check import Check
from twinoar.jit.concrete import ConcreteProgram
from twinoar.jit.convert.function import convert
from twinoar.jit.guards import Difference, form_of, is_form
from twinoar.jit.log import tell_trace
from twinoar.jit.program_cache import ProgramCache
from twinoar.jit.recompilation import Call, Retraces, leaf_names
from twinoar.jit.runtime.calls import call
from twinoar.jit.runtime.journal import Place
from twinoar.jit.runtime.state import meet
from twinoar.jit.switch import Switch
from twinoar.jit.tracing import TRACING, Trace, trace_function
from twinoar.runtime.garbage import uncollected
from twinoar.static.input import InputSpec, check_symbols
from twinoar.tracebacks import show_users_frames, showing_users_frames

CALLS_KEPT = 1024  # ways to call one function; sizes that always change start over
VARIANTS_KEPT = 16  # Programs of one signature, which each call may have to look through
PATIENCE = 2  # retraces for a number that the function itself assigns, before it becomes live


class StaticFunction:
    """A function under `to_static`; as a method it binds like one."""

    def __init__(
        self, function: Callable, input_spec: Sequence | None = None, instance: Any = None
    ):
        _refuse_suspending(function)
        if not isinstance(function, FunctionType):
            function = _function_of(function)
        functools.update_wrapper(self, function)
        self._function, self._instance = function, instance
        self._input_spec = None if input_spec is None else list(input_spec)
        self._programs: dict[tuple, list[ConcreteProgram]] = {}
        self._by_call: dict[tuple, list[ConcreteProgram]] = {}
        self._latest: ConcreteProgram | None = None
        self._latest_call: Call | None = None
        self._latest_arguments: tuple[tuple, dict] | None = None
        self._retraces = Retraces(function.__name__)
        self._is_stateful = False  # reads and assigns Python's objects: one call at a time
        self._places: set[Place] = set()
        self._numbers: dict[Place, int] = {}
        self._read_signature()
        self._check: Check | None = None

    def _read_signature(self) -> None:
        self._signature = inspect.signature(self._function, follow_wrapped=False)
        self._arity = len(self._signature.parameters) - (self._instance is not None)
        self._form = form_of(self._function)

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
            cache[name] = type(self)(self._function, self._input_spec, instance)
            cache[name]._check = self._check
        return cache[name]

    def __deepcopy__(self, memo: dict) -> StaticFunction:
        """The function of a copied object; it is traced for that."""
        instance = copy.deepcopy(self._instance, memo)
        return type(self)(self._function, self._input_spec, instance)

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
        if not Switch.enabled:
            return self.dygraph_function(*args, **kwargs)
        if not current().runs:
            return self._converted(*args, **kwargs)
        try:
            arguments = self._bind(args, kwargs)
            if self._check is not None:
                return self._checked(self._check, *arguments)
            if not self._is_stateful:
                concrete, tensors = self._concrete(*arguments)
                if not concrete.is_stateful:
                    return concrete(tensors)
                self._is_stateful = True
            with TRACING:
                concrete, tensors = self._concrete(*arguments)
                return concrete(tensors, arguments)
        except Exception as error:
            show_users_frames(error)
            raise

    def _checked(self, check: Check, args: tuple, kwargs: dict) -> Any:
        """A call that is compared with plain Python."""
        with TRACING:
            concrete, tensors = self._concrete(args, kwargs)

            def run() -> Any:
                return concrete(tensors, (args, kwargs))

            if not check.wants(concrete):
                return run()
            name = self._function.__name__
            return check(name, self.dygraph_function, concrete, tensors, (args, kwargs), run)

    @showing_users_frames
    def get_concrete_program(
        self, *args: Any, **kwargs: Any
    ) -> tuple[ConcreteProgram, ConcreteProgram]:
        """The Program for these arguments, Tensors or InputSpecs in their places, and what runs it.

        Both are one object here: it is called with the tensors among the arguments, in a list.
        """
        concrete, _ = self._concrete(*self._bind(args, kwargs))
        return concrete, concrete

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The Program of `input_spec`, or the latest. Raises ConversionError if there is none."""
        if self._input_spec is not None:
            return self.get_concrete_program(*self._input_spec)[0]
        if self._latest is None:
            raise self._no_program()
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
    def program_cache(self) -> ProgramCache:
        """The Programs traced so far, by signature, and by number where it has several."""
        return ProgramCache(self._programs, lambda: self._latest, self._forget)

    def _forget(self) -> None:
        self._programs.clear()
        self._by_call.clear()
        self._latest = self._latest_call = None

    def why_recompiled(self) -> list[Difference]:
        """Why the function was traced again, each time: what differed from the trace before.

        Each entry has `what`, `then`, `now` and `source`, where it was read, and says it as text.
        """
        return list(self._retraces.causes)

    @showing_users_frames
    def report(self, *args: Any, **kwargs: Any) -> Report:
        """What became of each line of the source: see `jit.explain`."""
        unused = StaticFunction(self._function, self._input_spec, self._instance)
        if not args and not kwargs and self._arity:
            args, kwargs = self.latest_arguments()
        return report_on(unused, args, kwargs)

    def latest_arguments(self) -> tuple[tuple, dict]:
        """What it was last traced for: InputSpecs for tensors, and the plain values.

        That is its input_spec where it has one. Raises ConversionError if there is neither.
        """
        if self._input_spec is not None:
            return tuple(self._input_spec), {}
        if self._latest_arguments is None:
            raise self._no_program()
        return self._latest_arguments

    def arguments_said(self) -> list[str]:
        """What told the latest trace from others: each argument, as messages show it."""
        return [] if self._latest_call is None else self._latest_call.said()

    def _no_program(self) -> ConversionError:
        return ConversionError(
            f"{self._function.__name__} has no Program yet",
            cure="call it once, or give to_static an input_spec",
        )

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
            if not is_form(self._function, self._form):
                self._read_signature()
            given = args if self._instance is None else (self._instance, *args)
            try:
                bound = self._signature.bind(*given, **kwargs)
            except TypeError as error:
                name = self._function.__name__
                raise TypeMismatchError(
                    f"{name}: {error}", cure=f"call it as {name}{self._signature}"
                ) from None
            bound.apply_defaults()
            args = bound.args if self._instance is None else bound.args[1:]
            kwargs = bound.kwargs
        return args, kwargs

    def _concrete(self, args: tuple, kwargs: dict) -> tuple[ConcreteProgram, list[Tensor]]:
        """The Program for these arguments, traced where there is none, and what it runs on."""
        keys, tensors = _signature((*args, kwargs) if kwargs else args)
        key = current().policy.traced, len(args), *keys
        for concrete in reversed(self._by_call.get(key, ())):
            if concrete.is_current():
                concrete.used = now()
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
        names = leaf_names(self._signature, self._instance is not None, args, kwargs)
        call = Call(names, structure, keys, key[0])
        with TRACING:
            variants = self._programs.setdefault((structure, key[0], *keys), [])
            if len(self._by_call) >= CALLS_KEPT:
                self._by_call.clear()
            self._by_call[key] = variants
            found = next((c for c in variants if c.is_current()), None)
            if found is not None:
                return found
            cause = self._note_retrace(variants, call)

            def make_arguments(inputs: list) -> tuple[tuple, dict]:
                filled = list(leaves)
                for i, v in zip(positions, inputs, strict=True):
                    filled[i] = v
                return unflatten(structure, filled)

            live = [x if isinstance(x, Tensor) else None for x in tensors]
            started = perf_counter()
            with uncollected():
                trace = self._trace(specs, make_arguments, live)
            tell_trace(self._function.__name__, call.said(), cause, started, trace)
            made = ConcreteProgram(trace)
            self._make_room(variants)
            variants.append(made)
            self._latest, self._latest_call = made, call
            self._latest_arguments = make_arguments([as_spec(x) for x in specs])
        return made

    def _make_room(self, variants: list[ConcreteProgram]) -> None:
        """Drop what was used least recently, where another Program would be too many."""
        if len(variants) >= VARIANTS_KEPT:
            variants.remove(least_recent(variants))
        programs = self._programs
        if sum(map(len, programs.values())) >= config.programs_kept:
            oldest = least_recent([c for several in programs.values() for c in several])
            key, several = next((k, v) for k, v in programs.items() if oldest in v)
            several.remove(oldest)
            if not several and several is not variants:
                del programs[key]

    def _note_retrace(self, variants: list[ConcreteProgram], call: Call) -> Difference | None:
        """Note why there is no Program for a call, and what number has been the cause before."""
        if self._latest is None or self._latest_call is None:
            return None
        cause = variants[-1].difference() if variants else self._latest_call.difference(call)
        if cause is None:
            return None
        self._retraces.note(cause)
        place = cause.place
        if variants and place in variants[-1].changes.places and _is_number(place):
            self._numbers[place] = self._numbers.get(place, 0) + 1
        return cause

    def _trace(self, specs: list, make_arguments: Callable, live: list) -> Trace:
        """Trace the function; numbers that it assigns often are read anew, where that works."""
        name = self._function.__name__
        numbers = {p for p, count in self._numbers.items() if count >= PATIENCE}
        if numbers:
            places = self._places | numbers
            try:
                return self._known(
                    trace_function(self._converted, specs, make_arguments, name, live, places)
                )
            except Exception:  # it needs the numbers themselves; what else is wrong is raised below
                self._numbers = dict.fromkeys(self._numbers, -sys.maxsize)
        return self._known(
            trace_function(self._converted, specs, make_arguments, name, live, self._places)
        )

    def _known(self, trace: Trace) -> Trace:
        """The trace, whose live tensors later ones know from the start."""
        self._places |= {live.place for live in trace.live if not live.is_number}
        trace.guards.note_function(self._function)
        return trace

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


def _is_number(place: Place) -> bool:
    """True where a place holds a number that could be read anew."""
    return type(place.read()) in (int, float)


def _function_of(called: Any) -> FunctionType:
    """A function that calls what is no function: a functools.partial, or an object of a class."""

    def function(*args: Any, **kwargs: Any) -> Any:
        if current().runs:
            return called(*args, **kwargs)
        meet(current(), called, whole=True)
        return call(called)(*args, **kwargs)

    named = called
    while isinstance(named, functools.partial):
        named = named.func
    function.__name__ = getattr(named, "__name__", type(named).__name__)
    function.__qualname__ = getattr(named, "__qualname__", function.__name__)
    function.__signature__ = _without_defaults(inspect.signature(called))  # type: ignore[attr-defined]
    assert isinstance(function, FunctionType)
    return function


def _without_defaults(signature: inspect.Signature) -> inspect.Signature:
    """The parameters that must be given; what else is given is passed on."""
    kinds = inspect.Parameter
    rest = kinds("args", kinds.VAR_POSITIONAL), kinds("kwargs", kinds.VAR_KEYWORD)
    given = [
        p
        for p in signature.parameters.values()
        if p.default is kinds.empty
        and p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    ]
    return inspect.Signature([*given, *rest])


def _refuse_suspending(function: Callable) -> None:
    """Raise ConversionError for a function whose calls do not run its body."""
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise ConversionError(
            f"{function.__name__} is a generator: its body runs in parts, between other code",
            cure="collect what it yields in a list, and return that",
        )
    if inspect.iscoroutinefunction(function):
        raise ConversionError(
            f"{function.__name__} is a coroutine: its body runs when it is awaited",
            cure="convert a plain function, and call that in the coroutine",
        )


def as_spec(x: Any) -> InputSpec:
    """What describes a tensor argument without its data."""
    return x if isinstance(x, InputSpec) else InputSpec(x.shape, x.dtype, None, x.stop_gradient)


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
    *,
    check: bool | int = False,
    **kwargs: Any,
) -> Any:
    """Run a function, or a Layer's `forward`, as a Program.

    It is a decorator, with or without arguments, or a call.
    input_spec: an InputSpec per tensor argument; None sizes fit any size under one Program, and a
    tensor that does not fit is an error. Without it there is one Program for each signature of the
    arguments. Python `if`, `while` and `for` on tensors become operators. build_strategy, backend,
    property and full_graph are accepted as Paddle's. check: compare calls with plain Python, all or
    the first `check` of each Program; a difference is a VerificationError that names the first
    operator and line where they part. Returns the function converted; a Layer is returned itself,
    with its `forward` converted. Raises TypeMismatchError for what is neither.

    >>> @twinoar.jit.to_static
    ... def double(x):
    ...     return x * 2
    >>> double(twinoar.to_tensor([1.0, 2.0])).tolist()
    [2.0, 4.0]
    """
    if function is None:
        return lambda f: to_static(f, input_spec=input_spec, check=check)
    if isinstance(function, StaticFunction):
        if input_spec is None and not check:
            return function
        spec = function._input_spec if input_spec is None else input_spec
        return checked(StaticFunction(function._function, spec, function._instance), check)
    if hasattr(function, "forward") and hasattr(function, "sublayers"):
        forward = function.forward
        if isinstance(forward, StaticFunction):
            input_spec = forward._input_spec if input_spec is None else input_spec
            forward = forward.dygraph_function
        plain = getattr(forward, "__func__", getattr(forward, "func", forward))
        instance = function if plain is not forward or hasattr(forward, "__self__") else None
        converted = checked(StaticFunction(plain, input_spec, instance), check)
        object.__setattr__(function, "forward", converted)
        return function
    if inspect.ismethod(function):
        return checked(StaticFunction(function.__func__, input_spec, function.__self__), check)
    if not callable(function):
        raise TypeMismatchError(
            f"to_static takes a function or a Layer, received {type(function).__name__}",
            cure="pass a function, or a Layer object",
        )
    return checked(StaticFunction(function, input_spec), check)


def checked(function: StaticFunction, check: bool | int) -> StaticFunction:
    """The function, comparing calls with plain Python: all, the first `check`, or none.

    Raises ArgumentError for a negative number.
    """
    if check < 0:
        raise ArgumentError(
            f"check must be True, False or a number of calls, received {check!r}",
            cure="write check=True for all calls",
        )
    if check:
        function._check = Check(None if check is True else check)
    return function


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
