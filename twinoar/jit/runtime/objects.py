"""Which of the objects that a trace meets were there before it, and which it has made."""

from __future__ import annotations

import builtins
import operator
import types
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.op.explain import Told
from twinoar.errors import ConversionError
from twinoar.jit.runtime.calls import call, converted_start, in_place_of, written
from twinoar.jit.runtime.classes import has_source
from twinoar.jit.runtime.journal import Cell, Item, Place
from twinoar.jit.runtime.libraries import is_librarys
from twinoar.jit.snapshot import containers_in, held_by


class Objects:
    """Containers from outside, those in arguments by the way to them, and new objects.

    All are kept alive, so that ids stay theirs. noted: objects all of whose attributes were looked
    at. telling: objects of the package whose attributes tell. fresh: those that libraries have
    made, with the block in which they did. looked_through: by the id of a container, it and those
    in it with what each held when it was last looked through.
    """

    def __init__(self) -> None:
        self.outside: dict[int, Any] = {}
        self.arguments: dict[int, tuple[Any, tuple]] = {}
        self.made: dict[int, Any] = {}
        self.noted: set[int] = set()
        self.telling: dict[int, Any] = {}
        self.fresh: dict[int, tuple[Any, Any]] = {}
        self.looked_through: dict[int, list[tuple[Any, tuple[Any, ...]]]] = {}

    def meet(self, value: Any) -> None:
        """`value` was read from something that was there before, and with it what is in it.

        What the trace puts into it later is not from there.
        """
        if id(value) not in self.outside:
            self.outside.update(containers_in(value))

    def meet_one(self, container: Any) -> Any:
        """`container`, which was there before."""
        self.outside[id(container)] = container
        return container

    def is_looked_through(self, container: Any) -> bool:
        """True for a container that holds what it held when it was last looked through."""
        return id(container) in self.looked_through and all(
            len(now := held_by(x)) == len(before) and all(map(operator.is_, now, before))
            for x, before in self.looked_through[id(container)]
        )

    def take(self, x: Any, path: tuple = ()) -> None:
        """`x` is part of the arguments, at `path` from (args, kwargs)."""
        if isinstance(x, (list, dict)):
            self.arguments[id(x)] = x, path
        if isinstance(x, (list, dict, tuple)):
            for key, inner in x.items() if isinstance(x, dict) else enumerate(x):
                self.take(inner, (*path, key))

    def make(self, kind: type[object], *args: Any, **kwargs: Any) -> Any:
        """A new object, made while tracing; by the `__new__` of its class an old one perhaps."""
        if not is_librarys(getattr(kind, "__del__", None)):
            raise ConversionError(
                f"{kind.__name__} has a __del__, which would run once, for the object of the trace",
                cure="make the object outside the converted function, or use a with statement",
            )
        new, start = written(kind.__new__), converted_start(kind)
        if has_source(new):
            made = call(new)(kind, *args, **kwargs)
            if isinstance(made, kind):
                call(written(type(made).__init__))(made, *args, **kwargs)
            return made
        if kind.__new__ not in (object.__new__, Told.__new__):
            return kind(*args, **kwargs)
        made = self.note_made(kind(*args, **kwargs) if start is None else object.__new__(kind))
        if start is not None:
            start(made, *args, **kwargs)
        return made

    def note_made(self, x: Any) -> Any:
        """`x`, which was made while tracing."""
        self.made[id(x)] = x
        return x

    def is_made(self, x: Any) -> bool:
        """True for an object that converted code made while tracing."""
        return id(x) in self.made

    def is_found(self, x: Any) -> bool:
        """True for a container, or cell, that was read from something that was there before."""
        return id(x) in self.outside

    def is_outside(self, x: Any) -> bool:
        """True for one that calls to come find, there or in their arguments."""
        return id(x) in self.outside or id(x) in self.arguments


@in_place_of(object.__new__)
def new(kind: type, *args: Any, **kwargs: Any) -> Any:
    """`object.__new__(kind)`."""
    made: Any = object.__new__(kind, *args, **kwargs)
    return current().objects.note_made(made) if current().traces else made


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
