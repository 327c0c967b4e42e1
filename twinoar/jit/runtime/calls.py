"""Calls: the user's functions are converted, and a few builtins have a meaning for tensors."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

# What converted code calls in place of a builtin or library function.
REPLACEMENTS: dict[Any, Callable] = {}


def in_place_of(function: Any) -> Callable[[Callable], Callable]:
    """Let converted code call the decorated function where it says `function`."""

    def register(replacement: Callable) -> Callable:
        REPLACEMENTS[function] = replacement
        return replacement

    return register


def call(function: Any) -> Any:
    """What to call in the place of `function`: its converted form, where it is the user's."""
    replacement = REPLACEMENTS.get(function) if is_builtin(function) else None
    if replacement is not None:
        return replacement
    if isinstance(function, types.MethodType):
        made = convert_function(function.__func__)
        return function if made is function.__func__ else types.MethodType(made, function.__self__)
    if isinstance(function, functools.partial):
        return functools.partial(call(function.func), *function.args, **function.keywords)
    return convert_function(function)


def is_builtin(function: Any) -> bool:
    """True for what may stand in REPLACEMENTS: builtin functions, types and plain functions."""
    return isinstance(function, (type, types.BuiltinFunctionType, types.FunctionType))


def convert_function(function: Any) -> Any:
    """The converted form of a plain function, by the converter that announced itself."""
    return converters[-1](function) if converters else function


converters: list[Callable] = []
