"""Operands and attributes of an operator, read from its signature, and the checks of attributes."""

from __future__ import annotations

import difflib
import inspect
import operator
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import DType, dtype_of
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TwinoarError, TypeMismatchError
from twinoar.late import dataclass

REQUIRED = inspect.Parameter.empty
Convert = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Operand:
    """One tensor parameter of an operator: required, optional (None) or the variadic last."""

    name: str
    optional: bool = False
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Attr:
    """One attribute of an operator: `convert` brings a value to its type or raises."""

    name: str
    annotation: Any
    default: Any
    convert: Convert


def read_signature(function: Callable[..., Any]) -> tuple[tuple[Operand, ...], dict[str, Attr]]:
    """Operands (parameters annotated as Tensor) and attributes (all others) of `function`."""
    operands, attrs = [], {}
    for name, default in parameters_of(function).items():
        annotation = function.__annotations__[name]
        key = name, annotation
        found = _known.get(key)
        if found is None:
            found = _read(name, _evaluated(annotation, function.__globals__))
            if isinstance(annotation, str):  # which means the same in all operator files
                _known[key] = found
        if isinstance(found, Operand):
            operands.append(found)
        else:
            attrs[name] = Attr(name, found[0], default, found[1])
    if any(o.variadic for o in operands[:-1]):
        raise TypeError(f"{function.__name__}: a variadic operand must be the last operand")
    return tuple(operands), attrs


# What parameters of these names and annotations are: every operator asks on import.
_known: dict[tuple[str, Any], Operand | tuple[Any, Convert]] = {}


def _read(name: str, hint: Any) -> Operand | tuple[Any, Convert]:
    """An operand; or of an attribute what it is annotated as, and its check."""
    if not _mentions_value(hint):
        return hint, _quick(hint, converter(name, hint))
    variadic = typing.get_origin(hint) is Sequence
    return Operand(name, type(None) in typing.get_args(hint), variadic)


def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Parameters of a plain function with their defaults, REQUIRED where there is none.

    `inspect.signature` says the same ten times slower, and every operator asks on import.
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    defaults = function.__defaults__ or ()
    found = dict.fromkeys(names, REQUIRED)
    found.update(
        zip(names[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True)
    )
    return found | (function.__kwdefaults__ or {})


_hints: dict[str, Any] = {}


def _evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    """An annotation as what it stands for; in all operator files the same text means the same."""
    if not isinstance(annotation, str):
        return annotation
    if annotation not in _hints:
        _hints[annotation] = eval(annotation, names)
    return _hints[annotation]


class Placeholder:
    """Stands for an attribute's value where a call is a pattern; every attribute takes it."""


def converter(name: str, hint: Any) -> Convert:
    """The check for an attribute annotated `hint`; returns its normal form, or raises."""
    arguments = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _optional(converter(name, _without_none(arguments)))
    if origin is typing.Literal:
        return _literal(name, arguments)
    if origin is tuple:
        return _tuple(name, arguments[0], converter(name, arguments[0]))
    plain = {int: _int, float: _float, bool: _bool, str: _str, DType: dtype_of}.get(hint)
    if plain is None:
        return lambda x: x
    return _named(name, plain)


def _quick(hint: Any, convert: Convert) -> Convert:
    """`convert` for what is not in its normal form as it is, and no Placeholder."""

    def convert_or_pass(x: Any) -> Any:
        if x.__class__ is hint:
            return x
        try:
            return convert(x)
        except TwinoarError:
            if isinstance(x, Placeholder):
                return x
            raise

    return convert_or_pass


def _mentions_value(hint: Any) -> bool:
    if isinstance(hint, type):
        return issubclass(hint, Value)
    return typing.get_origin(hint) is not tuple and any(map(_mentions_value, typing.get_args(hint)))


def _without_none(arguments: tuple[Any, ...]) -> Any:
    kept = [a for a in arguments if a is not type(None)]
    return kept[0] if len(kept) == 1 else object


def _optional(convert: Convert) -> Convert:
    return lambda x: None if x is None else convert(x)


def _literal(name: str, allowed: tuple[Any, ...]) -> Convert:
    def convert(x: Any) -> Any:
        if not isinstance(x, (str, int, type(None))) or x not in allowed:
            nearest = difflib.get_close_matches(str(x), map(str, allowed), n=1, cutoff=0.0)[0]
            raise ArgumentError(
                f"{name} must be one of {', '.join(map(repr, allowed))}, received {x!r}",
                cure=f"the nearest is {name}={next(a for a in allowed if str(a) == nearest)!r}",
            )
        return x

    return convert


def _tuple(name: str, kind: Any, convert: Convert) -> Convert:
    def convert_all(x: Any) -> tuple[Any, ...]:
        if x.__class__ is tuple:
            for i in x:
                if i.__class__ is not kind:
                    break
            else:  # as functions around operators hand them on: the usual case of the hot path
                return x  # type: ignore[no-any-return]
        if not isinstance(x, (tuple, list, np.ndarray, range)):
            raise TypeMismatchError(
                f"{name} must be a list or tuple, received {_shown(x)}",
                cure="write [a, b], also for one",
            )
        return tuple([i if i.__class__ is kind else convert(i) for i in x])

    return convert_all


def _named(name: str, convert: Convert) -> Convert:
    def checked(x: Any) -> Any:
        try:
            return convert(x)
        except TypeError as error:
            expected = convert.__name__.strip("_").removesuffix("_of")
            if isinstance(error, TwinoarError):
                raise
            raise TypeMismatchError(
                f"{name} must be of type {expected}, received {_shown(x)}"
            ) from error

    return checked


def _int(x: Any) -> Any:
    if isinstance(x, SymbolicDim):
        return x
    if isinstance(x, float) and x.is_integer():
        return int(x)
    return operator.index(x)


def _float(x: Any) -> float:
    if isinstance(x, (str, bytes, type(None))):
        raise TypeError
    return float(x)


def _bool(x: Any) -> bool:
    if not isinstance(x, (bool, int, np.bool_)):
        raise TypeError
    return bool(x)


def _str(x: Any) -> str:
    if not isinstance(x, str):
        raise TypeError
    return x


def _shown(x: Any) -> str:
    return (
        f"{x!r} ({type(x).__name__})"
        if isinstance(x, (int, float, str, bool, tuple, list, type(None)))
        else type(x).__name__
    )
