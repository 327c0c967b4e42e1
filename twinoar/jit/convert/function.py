"""Converting one function: its source is parsed, rewritten by construct, and compiled in place.

The result keeps the user's file and lines, globals, closure cells and defaults, so tracebacks and
debuggers show the user's source.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import sys
import sysconfig
import types
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any
from weakref import WeakKeyDictionary

from twinoar.errors import PACKAGE, is_converted, is_generated, users_name
from twinoar.jit import runtime
from twinoar.jit.convert.assert_ import AssertTransformer
from twinoar.jit.convert.calls import CallTransformer
from twinoar.jit.convert.for_ import ForTransformer
from twinoar.jit.convert.if_ import IfTransformer
from twinoar.jit.convert.jumps import JumpTransformer
from twinoar.jit.convert.keys import KeyTransformer
from twinoar.jit.convert.logical import LogicalTransformer, TestTransformer
from twinoar.jit.convert.match import MatchTransformer
from twinoar.jit.convert.source import definition_of
from twinoar.jit.convert.state import OUTSIDE, StateTransformer
from twinoar.jit.convert.template import RUNTIME, Declarer
from twinoar.jit.convert.text import TextTransformer
from twinoar.jit.convert.while_ import WhileTransformer
from twinoar.jit.log import ALL_STAGES, readable, tell_code, tell_conversion
from twinoar.jit.runtime.calls import converters
from twinoar.jit.runtime.objects import Outside

# Jumps first: branches and loops become functions, out of which nothing could jump.
TRANSFORMERS = (
    TestTransformer,
    JumpTransformer,
    MatchTransformer,
    ForTransformer,
    WhileTransformer,
    IfTransformer,
    AssertTransformer,
    LogicalTransformer,
    KeyTransformer,
    TextTransformer,
    CallTransformer,
    Declarer,
)
FACTORY = f"{RUNTIME}_factory"
LIBRARIES = tuple(
    {
        str(Path(p)) + "/"
        for k, p in sysconfig.get_paths().items()
        if k in ("stdlib", "platstdlib", "purelib", "platlib")
    }
)
_converted: WeakKeyDictionary[types.CodeType, types.CodeType] = WeakKeyDictionary()
# What each function became, and the code that it had then.
_functions: WeakKeyDictionary[types.FunctionType, tuple[Any, types.CodeType]] = WeakKeyDictionary()


def convert(function: Callable) -> Callable:
    """`function` with control flow that may depend on tensors as runtime calls.

    It is converted once, and again when it is given other code; its defaults are those it has now.
    Raises ConversionError where the source of the user's function is not available.
    """
    if not isinstance(function, types.FunctionType) or not is_users(function):
        return function
    known = _functions.get(function)
    if known is None or known[1] is not function.__code__:
        known = _functions[function] = _convert(function), function.__code__
    made = known[0]
    if made is not function:
        made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


converters.append(convert)


def is_users(function: types.FunctionType) -> bool:
    """True for functions that conversion applies to.

    That is not twinoar's own, the standard library's or an installed package's.
    """
    file = function.__code__.co_filename
    module = sys.modules.get(function.__module__ or "")
    if getattr(function, "__not_to_static__", False) or getattr(module, "__not_to_static__", False):
        return False
    return not file.startswith((PACKAGE, "<frozen", "<twinoar", *LIBRARIES))


def suspends(function: types.FunctionType) -> bool:
    """True for generators and coroutines, which stay Python's."""
    kinds = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
    return bool(function.__code__.co_flags & kinds)


def _convert(function: types.FunctionType) -> Callable:
    code = function.__code__
    is_coroutine = suspends(function) and not inspect.isgeneratorfunction(function)
    if is_coroutine or is_converted(code):  # as part of the function around it
        return function
    new = _converted.get(code)
    if new is None or new.co_filename != code.co_filename:  # equal code may be in another file
        new = _converted[code] = _compile(function)
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    outside = Outside(function.__globals__, dict(cells))
    cells |= {RUNTIME: types.CellType(runtime), OUTSIDE: types.CellType(outside)}
    closure = tuple(cells[name] for name in new.co_freevars)
    made = types.FunctionType(new, function.__globals__, function.__name__, None, closure)
    made.__qualname__ = function.__qualname__
    made.__module__, made.__doc__ = function.__module__, function.__doc__
    made.__converted_source__ = _sources.get(new, "")  # type: ignore[attr-defined]
    return made


_sources: WeakKeyDictionary[types.CodeType, str] = WeakKeyDictionary()


def _compile(function: types.FunctionType) -> types.CodeType:
    started = perf_counter()
    definition = definition_of(function)
    for level, transformer in enumerate(TRANSFORMERS, 1):
        definition = transformer().visit(definition)
        tell_code(level, transformer.__name__, definition)
    definition = StateTransformer(function).visit(definition)
    tell_code(len(TRANSFORMERS) + 1, StateTransformer.__name__, definition)
    tell_code(ALL_STAGES, "all stages", definition)
    source = readable(definition)
    names = [*function.__code__.co_freevars, RUNTIME, OUTSIDE]
    arguments = ast.arguments([], [ast.arg(n) for n in names], None, [], [], None, [])
    factory = ast.FunctionDef(
        FACTORY, arguments, [definition, ast.Return(ast.Name(definition.name, ast.Load()))], []
    )
    factory.type_params = []  # type: ignore[attr-defined]
    module = ast.fix_missing_locations(ast.Module([factory], []))
    compiled = compile(
        module,
        function.__code__.co_filename,
        "exec",
        dont_inherit=True,
        flags=_future_flags(function),
    )
    new = _nested(_nested(compiled, FACTORY), definition.name)
    named = f"{FACTORY}.<locals>.{function.__qualname__.rpartition('<locals>.')[2]}"
    new = _with_users_names(new, new.co_qualname, named)
    _sources[new] = source
    tell_conversion(function, started)
    return new


def _with_users_names(code: types.CodeType, start: str, named: str) -> types.CodeType:
    """The same code; its parts that conversion has made functions show the name of the user's.

    start: of its qualified name, in whose place `named` comes, which has the class of a method.
    """
    constants = tuple(
        _with_users_names(c, start, named) if isinstance(c, types.CodeType) else c
        for c in code.co_consts
    )
    name = users_name(code) if is_generated(code) else code.co_name
    qualified = named + code.co_qualname.removeprefix(start)
    return code.replace(co_consts=constants, co_name=name, co_qualname=qualified)


def _future_flags(function: types.FunctionType) -> int:
    """Whether the function's module has `from __future__ import annotations`, as its code tells."""
    return function.__code__.co_flags & __future__.annotations.compiler_flag


def _nested(code: types.CodeType, name: str) -> types.CodeType:
    return next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
