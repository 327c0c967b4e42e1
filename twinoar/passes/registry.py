"""Passes by name: those of twinoar, and those that users register."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

from twinoar import config, passes
from twinoar.core.ir.program import Program
from twinoar.core.ir.rewrite import Rule
from twinoar.core.near import near_names
from twinoar.errors import ArgumentError, TypeMismatchError, UnknownNameError

Pass = Callable[[Program], Program]

_passes: dict[str, Pass] = {}


@overload
def register(name: str | None = None) -> Callable[[Pass], Pass]: ...


@overload
def register(name: Pass) -> Pass: ...


def register(name: Any = None) -> Any:
    """Decorator: a pass, a function from Program to Program or a Rule, that is known by a name.

    name: its own by default. The pass may edit the Program that it gets, or make another. One that
    is defined anew, as in a notebook, takes the place of its earlier form. Raises ArgumentError for
    a name that another pass has, TypeMismatchError for what cannot be called.

    >>> from twinoar import passes
    >>> @passes.register
    ... def leave_alone(program):
    ...     return program
    >>> passes.get("leave_alone") is leave_alone
    True
    """

    def add(one: Pass, called: str | None = None) -> Pass:
        if not callable(one):
            raise TypeMismatchError(
                f"a pass is a function from Program to Program, received {type(one).__name__}",
                cure="decorate a function, or a rule made by @rewrite",
            )
        key = called or one.__name__
        if key in passes.BUILT_IN:
            raise ArgumentError(
                f"{key} is a pass of twinoar's own",
                cure="register yours under another name: @register('my_name')",
            )
        if key in _passes and _home(_passes[key]) != _home(one):
            raise ArgumentError(
                f"there is already a pass {key}, of {_home(_passes[key])[0]}",
                cure="register it under another name: @register('my_name')",
            )
        _passes[key] = one
        return one

    if name is None or isinstance(name, str):
        return lambda one: add(one, name)
    return add(name)


def get(name: str) -> Pass:
    """The pass called `name`. Raises UnknownNameError, which names near ones."""
    if name in passes.BUILT_IN:
        found: Pass = passes.__getattr__(name)
        return found
    if name not in _passes:
        raise UnknownNameError(f"there is no pass {name!r}", cure=near_names(name, names()))
    return _passes[name]


def names() -> list[str]:
    """The names of all passes, sorted."""
    return sorted([*_passes, *passes.BUILT_IN])


def name_of(one: Pass) -> str:
    """The name that records and messages give a pass: the one it is registered under, or its own.

    >>> from twinoar.passes.dead import eliminate_dead
    >>> name_of(eliminate_dead)
    'eliminate_dead'
    """
    own = getattr(one, "__name__", type(one).__name__)
    if _passes.get(own) is one:
        return str(own)
    return next((name for name, known in _passes.items() if known is one), str(own))


def added() -> list[Pass]:
    """The passes that TWINOAR_PASSES=+name adds before compilation. Raises UnknownNameError."""
    return [get(name[1:]) for name in config.passes if name.startswith("+")]


def is_disabled(name: str) -> bool:
    """True if TWINOAR_PASSES leaves out the pass or rule `name`."""
    return f"-{name}" in config.passes


def enabled(rules: Sequence[Rule]) -> list[Rule]:
    """Those of `rules` that TWINOAR_PASSES does not leave out."""
    return [rule for rule in rules if not is_disabled(rule.name)]


def _home(one: Pass) -> tuple[str, str]:
    function = getattr(one, "replace", one)
    return function.__module__, getattr(function, "__qualname__", type(function).__qualname__)
