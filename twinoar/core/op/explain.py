"""What to say of a call that failed: its operands, and which of them is no tensor.

Operators and the functions around them find out late, and in Python's words, that they were given
a list or None; this names the argument. It costs nothing while calls succeed.
"""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from twinoar.core.dtype import BY_NUMPY
from twinoar.core.interpreter import current
from twinoar.core.keyword import check_keywords, respelled
from twinoar.core.values import Value
from twinoar.errors import DTypeError, NotTensorError, TwinoarError, TypeMismatchError

if TYPE_CHECKING:
    from twinoar.core.op.definition import Op

F = TypeVar("F", bound=Callable[..., Any])


def describe(op: Op, operands: tuple[Any, ...]) -> list[str]:
    """`name: spec` of each operand, for messages; what is no operand by its type."""
    names = op.operand_names(len(operands))
    return [f"{n}: {_described(x)}" for n, x in zip(names, operands, strict=False) if x is not None]


def misfit(op: Op, operands: tuple[Any, ...]) -> TwinoarError | None:
    """The error to show where a rule failed on an operand that is no tensor; None if all are."""
    optional = [o.optional for o in op.operands] + [False] * len(operands)
    names = op.operand_names(len(operands))
    needed = [
        (n, x) for n, x, o in zip(names, operands, optional, strict=False) if not o or x is not None
    ]
    error = _first_misfit(needed)
    return error and error.attach(op.name, describe(op, operands))


def explained(function: F) -> F:
    """Declare a function around operators: a wrong Python type is told as operators tell it.

    Keywords may be spelled as `respelled` knows them. Where the function fails in Python's words,
    TypeMismatchError names the parameter that is annotated as Tensor and was given something else;
    where there is none, all that was given.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TwinoarError as error:
            attach_call(call, error, args, kwargs)
            raise
        except MISFITS as error:
            again = respelled_or_told(call, error, args, kwargs)
        return again()

    call.respells = True  # type: ignore[attr-defined]  # read by `is_respelled`
    return call  # type: ignore[return-value]  # it has the signature of `function`


# What Python raises where an argument is of another kind than the code around operators expects.
MISFITS = (AttributeError, IndexError, KeyError, TypeError, ValueError)


def respelled_or_told(
    function: Callable[..., Any], error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[[], Any]:
    """The call with its keywords in the function's own spelling; where they are, raises.

    That is `error`, or a TypeMismatchError that says which argument does not fit.
    """
    again = respelled(function, kwargs)
    if again is not None:
        return functools.partial(again, *args)
    if isinstance(error, TypeError):
        check_keywords(function, kwargs)
    better = _misfit_of_call(function, args, kwargs, error)
    if better is None:
        raise error
    raise better from error


def call_shown(name: str, signature: inspect.Signature) -> str:
    """`call it as add(x, y, name=None)`: parameters and defaults without annotations."""
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return f"call it as {name}{inspect.Signature(bare)}"


def attach_call(
    function: Callable[..., Any], error: TwinoarError, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Let an error that knows of no operator say which function was called, and with what."""
    if error.operator is not None:
        return
    given = inspect.signature(function).bind(*args, **kwargs).arguments.items()
    error.attach(function.__name__, [f"{n}: {_described(x)}" for n, x in given])


def _misfit_of_call(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception
) -> TwinoarError | None:
    signature, name = inspect.signature(function), function.__name__
    try:
        bound = signature.bind(*args, **kwargs).arguments
    except TypeError as wrong:
        return TypeMismatchError(
            f"the arguments do not fit: {wrong}", cure=call_shown(name, signature)
        ).attach(name, ())
    given = list(_tensors_wanted(signature, bound))
    better = _first_misfit(given)
    if better is not None:
        return better.attach(name, [f"{n}: {_described(x)}" for n, x in given])
    if not isinstance(error, (TypeError, ValueError)):
        return None
    return TypeMismatchError(
        f"an argument is of the wrong type: {error}", cure=call_shown(name, signature)
    ).attach(name, [f"{n}: {_described(x)}" for n, x in bound.items()])


def _tensors_wanted(
    signature: inspect.Signature, bound: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """What was given for parameters that are annotated as tensors, lists of them part by part."""
    for name, x in bound.items():
        parameter = signature.parameters[name]
        hint = str(parameter.annotation)
        if not ("Tensor" in hint or "Value" in hint) or (x is None and parameter.default is None):
            continue
        if "Sequence" in hint and isinstance(x, (list, tuple)):
            yield from ((f"{name}[{i}]", part) for i, part in enumerate(x))
        elif "|" not in hint or not isinstance(x, (int, float, list, tuple)):
            yield name, x


def _first_misfit(named: Iterable[tuple[str, Any]]) -> TwinoarError | None:
    others = [(name, x) for name, x in named if not isinstance(x, Value)]
    for name, x in sorted(others, key=lambda other: isinstance(other[1], (int, float, complex))):
        if isinstance(x, np.ndarray) and x.dtype not in BY_NUMPY:
            return DTypeError(
                f"{name} must hold numbers, received an ndarray of {x.dtype}",
                cure="convert it with astype first",
            )
        shown = (
            f"{x!r} ({type(x).__name__})" if isinstance(x, (int, float, str)) else type(x).__name__
        )
        return NotTensorError(
            f"{name} must be a Tensor, received {shown}", cure="convert it with to_tensor"
        )
    return None


def _described(x: Any) -> str:
    if isinstance(x, Value):
        return str(x.spec)
    if isinstance(x, (int, float, complex, str, type(None))):
        return repr(x.item() if isinstance(x, np.generic) else x)
    if isinstance(x, (list, tuple)):
        return f"[{', '.join(map(_described, x))}]"
    return type(x).__name__


class InitSignature:
    """As the attribute `__signature__` of a class: the arguments that its `__init__` takes."""

    def __get__(self, instance: Any, owner: type) -> inspect.Signature:
        if instance is not None:
            raise AttributeError("__signature__")  # an object's is that of its __call__
        signature = inspect.signature(owner.__init__)  # type: ignore[misc]
        return signature.replace(parameters=list(signature.parameters.values())[1:])


class Told:
    """Base of classes that say, with near names, which arguments they take."""

    __signature__ = InitSignature()  # Python would show that of __new__

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if (args or kwargs) and cls.__module__.startswith("twinoar."):
            check_arguments(cls.__name__, cls.__init__, args, kwargs)
        made = super().__new__(cls)
        interpreter = current()
        if interpreter.traces:
            interpreter.note_made(made)
        return made


def check_arguments(name: str, init: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise TypeMismatchError, with the signature and near names, for arguments that `init` lacks.

    Looked at in full only where they may not fit: layers are made by the thousand.
    """
    code = getattr(init, "__code__", None)
    if code is None or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return
    named = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    least = code.co_argcount - 1 - len(init.__defaults__ or ())
    if kwargs.keys() <= set(named) and least <= len(args) + len(kwargs) <= len(named):
        return
    signature = inspect.signature(init)
    own = signature.replace(parameters=list(signature.parameters.values())[1:])
    unfit = call_misfit(name, own, args, kwargs)
    if unfit is not None:
        raise unfit from None


def told(function: F) -> F:
    """Declare a plain function: a call that does not fit it is told its parameters and near names.

    What is raised within passes as it is. Calls that fit pay for a frame of Python.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            trace = error.__traceback__
            if trace is not None and trace.tb_next is None:  # the function has not begun
                signature = inspect.signature(function)
                unfit = call_misfit(function.__name__, signature, args, kwargs)
                if unfit is not None:
                    raise unfit from None
            raise

    return call  # type: ignore[return-value]  # it has the signature of `function`


def call_misfit(
    name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> TypeMismatchError | None:
    """What to say of arguments that a signature lacks; None where they fit."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        named = list(signature.parameters)
        unknown = [k for k in kwargs if k not in named]
        near = [m for k in unknown for m in difflib.get_close_matches(k, named, 1, 0.5)]
        meant = f"{', '.join(near)} may be meant: " if near else ""
        return TypeMismatchError(
            f"{name}: the arguments do not fit: {error}",
            cure=f"{meant}{call_shown(name, signature)}",
        )
    return None
