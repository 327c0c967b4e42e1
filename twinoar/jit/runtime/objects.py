"""Which of the objects that a trace meets were there before it, and which it has made."""

from __future__ import annotations

import builtins
import functools
import sys
import sysconfig
import types
from pathlib import Path
from typing import Any

from twinoar.errors import PACKAGE
from twinoar.jit.runtime.calls import converted_start
from twinoar.jit.runtime.journal import Cell, Item, Place
from twinoar.jit.snapshot import containers_in

PACKAGE_NAME = __name__.partition(".")[0]
LIBRARIES = (
    PACKAGE,
    "<frozen",
    "<twinoar",
    *{
        str(Path(p)) + "/"
        for k, p in sysconfig.get_paths().items()
        if k in ("stdlib", "platstdlib", "purelib", "platlib")
    },
)


class Objects:
    """Containers from outside, those in arguments by the way to them, and new objects.

    All are kept alive, so that ids stay theirs. noted: objects all of whose
    attributes were looked at. telling: objects of the package whose attributes tell.
    """

    def __init__(self) -> None:
        self.outside: dict[int, Any] = {}
        self.arguments: dict[int, tuple[Any, tuple]] = {}
        self.made: dict[int, Any] = {}
        self.noted: set[int] = set()
        self.telling: dict[int, Any] = {}

    def meet(self, value: Any) -> None:
        """`value` was read from something that was there before, and with it what is in it."""
        self.outside.update(containers_in(value))

    def meet_one(self, container: Any) -> Any:
        """`container`, which was there before."""
        self.outside[id(container)] = container
        return container

    def take(self, x: Any, path: tuple = ()) -> None:
        """`x` is part of the arguments, at `path` from (args, kwargs)."""
        if isinstance(x, (list, dict)):
            self.arguments[id(x)] = x, path
        if isinstance(x, (list, dict, tuple)):
            for key, inner in x.items() if isinstance(x, dict) else enumerate(x):
                self.take(inner, (*path, key))

    def make(self, kind: type, *args: Any, **kwargs: Any) -> Any:
        """A new object, made while tracing."""
        start = converted_start(kind)
        made = kind(*args, **kwargs) if start is None else object.__new__(kind)
        self.made[id(made)] = made
        if start is not None:
            start(made, *args, **kwargs)
        return made

    def is_made(self, x: Any) -> bool:
        """True for an object that converted code made while tracing."""
        return id(x) in self.made

    def is_found(self, x: Any) -> bool:
        """True for a container, or cell, that was read from something that was there before."""
        return id(x) in self.outside

    def is_outside(self, x: Any) -> bool:
        """True for one that calls to come find, there or in their arguments."""
        return id(x) in self.outside or id(x) in self.arguments


class Outside:
    """The names that a function finds outside itself: closure cells, globals and builtins."""

    def __init__(self, names: dict[str, Any], cells: dict[str, types.CellType]):
        self.names, self.cells = names, cells

    def place(self, name: str) -> Place | None:
        """The cell or global called `name`; None where it may be a builtin."""
        if name in self.cells:
            return Cell(self.cells[name], name)
        if name in self.names or not hasattr(builtins, name):
            return Item(self.names, name, f"the global {name}")
        return None

    def new_global(self, name: str) -> Place:
        """The global that takes the place of the builtin `name`."""
        return Item(self.names, name, f"the global {name}")

    def builtin(self, name: str) -> Any:
        """The builtin called `name`. Raises what Python raises for a name without a value."""
        if name in self.cells:
            raise NameError(
                f"cannot access free variable {name!r} where it is not associated with a value "
                "in enclosing scope",
                name=name,
            )
        if not hasattr(builtins, name):
            raise NameError(f"name {name!r} is not defined", name=name)
        return getattr(builtins, name)


def is_librarys(x: Any) -> bool:
    """True for what twinoar, Python's library or an installed package defines."""
    code = getattr(x, "__code__", None)
    if isinstance(code, types.CodeType):
        return code.co_filename.startswith(LIBRARIES)
    if isinstance(x, types.ModuleType):
        return _is_library(x.__name__)
    return _is_library(getattr(x, "__module__", None) or "builtins")


@functools.cache
def _is_library(module: str) -> bool:
    file = getattr(sys.modules.get(module), "__file__", None)
    return module in sys.builtin_module_names or (
        file is not None and str(file).startswith(LIBRARIES)
    )
