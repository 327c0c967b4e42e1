"""Classes as they are while a function is traced: Python calls their methods, and a trace follows.

For operators, `with`, `for` and computed attributes Python itself finds the method in the class,
and libraries call others. So a class of the user's has its methods converted from when a trace
meets it until the trace ends; and one of the package's tells what its objects are asked for, and
what they are given.
"""

from __future__ import annotations

import functools
import linecache
import types
from collections.abc import Callable
from typing import Any

from twinoar.core.delayed import Text
from twinoar.core.interpreter import current
from twinoar.core.layer_like import LayerLike
from twinoar.core.values import Value
from twinoar.jit.runtime.calls import CONVERTS, call
from twinoar.jit.runtime.handling import handled
from twinoar.jit.runtime.libraries import PACKAGE_NAME, is_librarys

# Called by `call` and `Objects.make` in their converted form, or when nobody can follow any more.
OTHERWISE = frozenset({"__init__", "__new__", "__del__"})
# Packages below twinoar whose objects are no state of the user's.
INNER = frozenset(
    f"{PACKAGE_NAME}.{name}"
    for name in (
        "autograd", "backends", "compile", "core", "eager", "errors", "formats", "inference", "jit",
        "ops", "passes", "profiler", "static", "tracebacks",
    )
)  # fmt: skip
# By these special methods answer to Python itself: there is no such attribute, item or next one.
TELLING = (AttributeError, LookupError, StopIteration, TypeError)
Tells = Callable[[Any, str, Any], None]
ABSENT = object()


def once_for_class(tells: Callable[[type], bool]) -> Callable[[type], bool]:
    """`functools.cache`, whose own type does not take the class of an Any."""
    return functools.cache(tells)


class Classes:
    """The classes that a trace has changed, and what they held before."""

    def __init__(self) -> None:
        self._met: set[type] = set()
        self._told: set[tuple[type, str]] = set()
        self._before: list[tuple[type, str, Any]] = []

    def meet(self, kind: type) -> None:
        """Objects of `kind` are used: convert the special methods that users have written."""
        for c in kind.__mro__:
            if c not in self._met:
                self._met.add(c)
                if not is_librarys(c):
                    self._convert(c)

    def _convert(self, kind: type) -> None:
        calls_by_verbs = issubclass(kind, LayerLike)  # `code_of` and its kin convert the others
        for name, raw in list(vars(kind).items()):
            if name not in OTHERWISE and (is_special(name) or not calls_by_verbs):
                made = _converting(raw)
                if made is not None:
                    self._replace(kind, name, made)

    def tell(self, kind: type, read: Tells, write: Tells) -> None:
        """Call `read` and `write` when attributes of objects of `kind`, the package's, are."""
        own = next(c for c in kind.__mro__ if is_of_package(c))
        if (own, "tells") in self._told:
            return
        self._told.add((own, "tells"))
        self._replace(own, "__getattribute__", _telling_reads(own.__getattribute__, read))
        self._replace(own, "__setattr__", _telling_writes(own.__setattr__, write))

    def tell_changes(self, kind: type, write: Tells) -> None:
        """Call `write` when attributes of objects of `kind`, a class of layers, are assigned."""
        own = next(c for c in kind.__mro__ if is_of_package(c) and "__setattr__" in vars(c))
        if (own, "changes") not in self._told:
            self._told.add((own, "changes"))
            self._replace(own, "__setattr__", _telling_writes(vars(own)["__setattr__"], write))

    def undo(self) -> None:
        """Make the classes what they were."""
        for kind, name, before in reversed(self._before):
            if before is ABSENT:
                type.__delattr__(kind, name)
            else:
                type.__setattr__(kind, name, before)
        self._before.clear()
        self._met.clear()

    def _replace(self, kind: type, name: str, value: Any) -> None:
        self._before.append((kind, name, vars(kind).get(name, ABSENT)))
        type.__setattr__(kind, name, value)


def is_of_package(kind: type) -> bool:
    """True for twinoar's own classes."""
    return kind.__module__.partition(".")[0] == PACKAGE_NAME


def is_special(name: str) -> bool:
    """True for a method that Python calls by itself, at any time."""
    return name.startswith("__") and name.endswith("__")


@once_for_class
def tells(kind: type) -> bool:
    """True for classes of the package whose objects users hold, and may change between calls."""
    if issubclass(kind, (Value, LayerLike, type)):
        return False
    own = next((c for c in kind.__mro__ if is_of_package(c)), None)
    return own is not None and ".".join(own.__module__.split(".")[:2]) not in INNER


def has_source(function: Any) -> bool:
    """True for a plain function that stands in a file or cell: it can be converted."""
    if not isinstance(function, types.FunctionType) or is_librarys(function):
        return False
    file = function.__code__.co_filename
    return not file.startswith("<") or bool(linecache.getlines(file))


def _converting(raw: Any) -> Any:
    """What stands for a special method while it is to be converted; None for what stays."""
    if isinstance(raw, (classmethod, staticmethod)):
        function = _converting(raw.__func__)
        if function is None:
            return None
        made = type(raw)(function)
        setattr(made, CONVERTS, raw)
        return made
    if isinstance(raw, property):
        parts: list[Any] = [raw.fget, raw.fset, raw.fdel]
        get, put, delete = (_converting(x) or x for x in parts)
        return property(get, put, delete, raw.__doc__)
    if not has_source(raw):
        return None
    asks = raw.__name__ == "__getattribute__"

    @functools.wraps(raw)
    def method(*args: Any, **kwargs: Any) -> Any:
        if current().runs or (asks and args[1].startswith("__")):  # isinstance() asks, too
            return raw(*args, **kwargs)
        with handled(lambda: TELLING, has_finally=False):
            found = call(raw)(*args, **kwargs)
        return str(found) if isinstance(found, Text) else found  # Python wants a str: of marks

    setattr(method, CONVERTS, raw)
    return method


def _telling_reads(plain: Callable, tell: Tells) -> Callable:
    def __getattribute__(self: Any, name: str) -> Any:
        if name.startswith("__"):
            return plain(self, name)
        try:
            value = plain(self, name)
        except AttributeError:
            tell(self, name, ABSENT)
            raise
        tell(self, name, value)
        return value

    return __getattribute__


def _telling_writes(plain: Callable, tell: Tells) -> Callable:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        tell(self, name, value)
        plain(self, name, value)

    return __setattr__
