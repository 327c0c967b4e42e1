"""Dynamic code as Programs, by the names of Paddle 1.8: `declarative` is Paddle 2's `to_static`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from twinoar.core.ir.program import Variable
from twinoar.core.public import declared
from twinoar.errors import ArgumentError, ConversionError, TypeMismatchError
from twinoar.export.save import save  # noqa: F401  # exported
from twinoar.export.translated import load  # noqa: F401  # exported
from twinoar.fluid.model_folder import write_model
from twinoar.formats.atomic import StrPath
from twinoar.jit.concrete import ConcreteProgram
from twinoar.jit.convert.function import convert
from twinoar.jit.switch import enable_to_static
from twinoar.jit.to_static import StaticFunction
from twinoar.nn.layer import Layer
from twinoar.static.program import Program


class DeclarativeFunction(StaticFunction):
    """A function under `declarative`; ProgramTranslator knows the Program that was traced last."""

    latest: ConcreteProgram | None = None

    def _traced(self, args: tuple, kwargs: dict, key: tuple) -> ConcreteProgram:
        made = super()._traced(args, kwargs, key)
        DeclarativeFunction.latest = made
        return made


def declarative(func: Callable) -> DeclarativeFunction:
    """Run a function, or a method of a Layer, as a Program.

    Raises TypeMismatchError for what is no function.

    >>> from twinoar import fluid
    >>> @fluid.dygraph.declarative
    ... def double(x):
    ...     return x * 2
    >>> with fluid.dygraph.guard():
    ...     double(fluid.dygraph.to_variable([1.0])).tolist()
    [2.0]
    """
    if isinstance(func, DeclarativeFunction):
        return func
    if not callable(func) or isinstance(func, Layer):
        raise TypeMismatchError(
            f"declarative takes a function, received {type(func).__name__}",
            cure="decorate the Layer's forward",
        )
    return DeclarativeFunction(func)


def dygraph_to_static_func(func: Callable) -> Callable:
    """The function with `if`, `while` and `for` on Variables as operators, for static mode."""
    return convert(_plain(func))


class ProgramTranslator:
    """What becomes of functions under `declarative`; there is one for the process.

    >>> ProgramTranslator() is ProgramTranslator.get_instance()
    True
    """

    _instance: ProgramTranslator | None = None

    def __new__(cls) -> ProgramTranslator:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    @classmethod
    def get_instance(cls) -> ProgramTranslator:
        """The one there is."""
        return cls()

    @classmethod
    def reset(cls) -> None:
        """Forget the Program that was traced last, and turn conversion on."""
        DeclarativeFunction.latest = None
        enable_to_static(True)

    def enable(self, enable_declarative: bool) -> None:
        """Whether functions under `declarative` run as Programs, or as plain Python."""
        enable_to_static(enable_declarative)

    def get_output(self, dygraph_func: Callable, *args: Any, **kwargs: Any) -> Any:
        """What the function gives for these arguments, run as a Program."""
        return _declared(dygraph_func)(*args, **kwargs)

    def get_func(self, dygraph_func: Callable) -> Callable:
        """The converted function: it builds operators in static mode."""
        return convert(_plain(dygraph_func))

    def get_program(
        self, dygraph_func: Callable, *args: Any, **kwargs: Any
    ) -> tuple[Program, Program, list[Variable], list[Variable]]:
        """The main Program for these arguments, a startup Program, the inputs and the outputs.

        The startup Program is empty: parameters have their values from the dynamic mode.
        """
        concrete, _ = _declared(dygraph_func).get_concrete_program(*args, **kwargs)
        return concrete.main_program, Program("startup"), concrete.inputs, concrete.outputs

    def get_code(self, dygraph_func: Callable) -> str:
        """The converted source of the function."""
        return _declared(dygraph_func).code

    def get_program_cache(self) -> ConcreteProgram | None:
        """The Program that was traced last, and what runs it; None before the first."""
        return DeclarativeFunction.latest

    def save_inference_model(
        self,
        dirname: StrPath,
        feed: Sequence[int] | None = None,
        fetch: Sequence[int] | None = None,
    ) -> None:
        """Write the Program that was traced last as a model folder: `__model__` and its parameters.

        feed, fetch: which inputs and outputs the model has, by number; None takes all. Raises
        ConversionError where nothing was traced, ArgumentError for a number that there is not.
        """
        latest = DeclarativeFunction.latest
        if latest is None:
            raise ConversionError(
                "no function under declarative has run yet",
                cure="call it in fluid.dygraph.guard() first",
            )
        inputs = _chosen("feed", feed, latest.inputs)
        outputs = _chosen("fetch", fetch, latest.outputs)
        write_model(latest.main_program, inputs, outputs, dirname)


class TracedLayer:
    """A Layer as the Program that one call of it gave; `trace` makes it."""

    def __init__(self, concrete: ConcreteProgram):
        self._concrete = concrete

    @staticmethod
    def trace(layer: Layer, inputs: Any) -> tuple[Any, TracedLayer]:
        """What `layer` gives for `inputs`, a tensor or a list of them, and the TracedLayer.

        >>> from twinoar import fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable([[1.0, 2.0]])
        ...     out, traced = fluid.dygraph.TracedLayer.trace(fluid.dygraph.Linear(2, 3), [x])
        ...     bool((traced([x])[0] == out).all())
        True
        """
        if not isinstance(layer, Layer):
            raise TypeMismatchError(f"expected a Layer, received {type(layer).__name__}")
        given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        plain = _plain(layer.forward)
        concrete, _ = StaticFunction(plain, None, layer).get_concrete_program(*given)
        return layer(*given), TracedLayer(concrete)

    @property
    def program(self) -> Program:
        """The Program."""
        return self._concrete.main_program

    def __call__(self, inputs: Any) -> list[Any]:
        given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        results = self._concrete(given)
        return list(results) if isinstance(results, (list, tuple)) else [results]

    def set_strategy(self, build_strategy: Any = None, exec_strategy: Any = None) -> None:
        """Accepted: the compiler fuses and plans memory always."""

    def save_inference_model(
        self,
        dirname: StrPath,
        feed: Sequence[int] | None = None,
        fetch: Sequence[int] | None = None,
    ) -> None:
        """Write a model folder; see `ProgramTranslator.save_inference_model`."""
        inputs = _chosen("feed", feed, self._concrete.inputs)
        outputs = _chosen("fetch", fetch, self._concrete.outputs)
        write_model(self.program, inputs, outputs, dirname)


def _declared(function: Callable) -> StaticFunction:
    if isinstance(function, StaticFunction):
        return function
    owner = getattr(function, "__self__", None)
    return DeclarativeFunction(_plain(function), None, owner)


def _plain(function: Callable) -> Callable:
    """The Python function under what users hold."""
    if isinstance(function, StaticFunction):
        return function._function
    return getattr(function, "__func__", function)


def _chosen(name: str, numbers: Sequence[int] | None, there: list[Any]) -> list[Any]:
    if numbers is None:
        return there
    if any(not isinstance(n, int) or not 0 <= n < len(there) for n in numbers):
        raise ArgumentError(
            f"{name} must be numbers in [0, {len(there)}), received {list(numbers)}",
            cure="leave it out to take all",
        )
    return [there[n] for n in numbers]


__all__ = declared(globals(), "load", "save", but=("DeclarativeFunction",))
