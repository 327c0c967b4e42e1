"""What converted code changes in Python's objects while it is traced.

A trace runs the user's code once, for many calls to come, and both sides of a branch. So each
change is noted before it happens, and undone at the end of the branch, loop body or function; what
it came to is then merged with the other side, carried through the loop, or repeated after each
call.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple

from twinoar.core.layer_like import LayerLike, count_change
from twinoar.errors import SourceLine, user_line
from twinoar.jit.contents import contents_of, owner_of, refill
from twinoar.jit.runtime.libraries import is_librarys

MISSING = object()
TABLES = ("_parameters", "_buffers", "_sub_layers")
# What a trace asks of a layer: what it calls; its members, with Layer's own attributes; or all.
SUBLAYERS, MEMBERS, EVERYTHING = range(3)
HIDDEN = "_non_persistable_buffer_names_set"


class Place:
    """Something that can be assigned: equal to another that names the same one."""

    holder: Any
    key: Any
    is_own = False  # nobody else finds it after the trace

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple:
        return id(self.holder), self.key

    def read(self) -> Any:
        """What it holds, or MISSING."""
        raise NotImplementedError

    def write(self, value: Any) -> None:
        """Let it hold `value`; nothing where that is MISSING."""
        raise NotImplementedError

    def keep(self) -> Any:
        """What `restore` needs to make it as it is now."""
        return self.read()

    def restore(self, kept: Any) -> None:
        """Make it as it was."""
        self.write(kept)


class Attribute(Place):
    """`holder.key`: what the object itself has under that name, not what its class has."""

    def __init__(self, holder: Any, key: str):
        self.holder, self.key = holder, key

    def __str__(self) -> str:
        named = isinstance(self.holder, type)
        owner = self.holder if named else type(self.holder)
        return f"{owner.__name__}.{self.key}"

    def table(self) -> Any:
        """The mapping in which the object keeps it, or None where it keeps it elsewhere."""
        space = getattr(self.holder, "__dict__", None)
        if space is None or self.key in space:
            return space
        if isinstance(self.holder, LayerLike):
            for name in TABLES:
                if self.key in space.get(name, ()):
                    return space[name]
        return None if hasattr(getattr(type(self.holder), self.key, None), "__set__") else space

    def read(self) -> Any:
        table = self.table()
        return (
            getattr(self.holder, self.key, MISSING)
            if table is None
            else table.get(self.key, MISSING)
        )

    def write(self, value: Any) -> None:
        table = self.table()
        if value is MISSING:
            if self.read() is not MISSING:
                setter(type(self.holder), "__delattr__")(self.holder, self.key)
        elif table is not None and not isinstance(self.holder, type) and self.key in table:
            table[self.key] = value  # a buffer too: no symbol becomes the data of a live tensor
            if isinstance(self.holder, LayerLike):
                count_change(self.holder)
        else:
            setter(type(self.holder), "__setattr__")(self.holder, self.key, value)

    def keep(self) -> Any:
        """Also the table of a layer that it is in."""
        if not isinstance(self.holder, LayerLike):
            return self.read()
        hidden = self.holder.__dict__.get(HIDDEN, ())
        return self.table(), self.read(), self.key in hidden

    def restore(self, kept: Any) -> None:
        """Put it back into the table that it was in."""
        if not isinstance(self.holder, LayerLike):
            self.write(kept)
            return
        table, value, is_hidden = kept
        space = self.holder.__dict__
        for other in (space, *(space.get(name) for name in TABLES)):
            if other is not None and (other is not table or value is MISSING):
                other.pop(self.key, None)
        if table is None:
            self.write(value)
        elif value is not MISSING:
            table[self.key] = value
        hidden = space.get(HIDDEN, set())
        (hidden.add if is_hidden else hidden.discard)(self.key)
        count_change(self.holder)


def setter(kind: type, name: str) -> Callable:
    """What sets or deletes an attribute beneath the methods that users have written for that."""
    found: Callable = next(
        vars(c)[name] for c in kind.__mro__ if name in vars(c) and is_librarys(vars(c)[name])
    )
    return found


class Item(Place):
    """`holder[key]` of a dict or list; also a global name."""

    def __init__(self, holder: Any, key: Any, name: str | None = None):
        self.holder, self.key, self.name = holder, key, name

    def __str__(self) -> str:
        return self.name or f"[{self.key!r}] of a {type(self.holder).__name__}"

    def read(self) -> Any:
        if isinstance(self.holder, dict):
            return dict.get(self.holder, self.key, MISSING)
        try:
            return self.holder[self.key]
        except IndexError:
            return MISSING

    def write(self, value: Any) -> None:
        if value is not MISSING:
            self.holder[self.key] = value
        elif self.read() is not MISSING:
            del self.holder[self.key]


class Cell(Place):
    """A variable of a function around the converted one."""

    def __init__(self, holder: types.CellType, key: str):
        self.holder, self.key = holder, key

    def __str__(self) -> str:
        return self.key

    def read(self) -> Any:
        try:
            return self.holder.cell_contents
        except ValueError:
            return MISSING

    def write(self, value: Any) -> None:
        if value is MISSING:
            if self.read() is not MISSING:
                del self.holder.cell_contents
        else:
            self.holder.cell_contents = value


class Contents(Place):
    """All that a container or buffer holds, as a copy of it; of a view, what its owner holds."""

    key = None

    def __init__(self, holder: Any):
        self.holder = owner_of(holder)

    def __str__(self) -> str:
        return f"the contents of a {type(self.holder).__name__}"

    def read(self) -> Any:
        return contents_of(self.holder)

    def write(self, value: Any) -> None:
        refill(self.holder, value)


class Effect(Place):
    """A function that is called for what it tells others; it is no place that holds anything."""

    key = None

    def __init__(self, function: Callable):
        self.holder = function

    def __str__(self) -> str:
        return self.holder.__name__

    def read(self) -> Any:
        return MISSING

    def write(self, value: Any) -> None:
        pass


class Operation(NamedTuple):
    """A call of a method that changes a container: it can be repeated without knowing the rest."""

    method: str
    args: tuple
    kwargs: dict[str, Any]


class Journal:
    """Places that were changed since it was opened.

    before: what each held first. changes: once undone, what each had come to hold. log: the changes
    in order, of containers with the operation. sources: the lines of the first ones.
    """

    def __init__(self) -> None:
        self.before: dict[Place, Any] = {}
        self.changes: dict[Place, Any] = {}
        self.log: list[tuple[Place, Operation | None]] = []
        self.sources: dict[Place, SourceLine | None] = {}
        self._kept: dict[Place, Any] = {}

    def note(self, place: Place, operation: Operation | None = None) -> None:
        """`place` is about to change, by `operation` or to a value that it is then given."""
        self.hold(place)
        if place not in self.sources:
            self.sources[place] = user_line()
        self.log.append((place, operation))

    def note_past(self, place: Place, before: Any, kept: Any) -> None:
        """`place` has changed, by code that is not converted. kept: what `keep` gave before."""
        if place not in self.before:
            self.before[place], self._kept[place] = before, kept
            self.sources[place] = user_line()
        self.log.append((place, None))

    def hold(self, place: Place) -> None:
        """Remember what `place` holds now, for `undo`."""
        if place not in self.before:
            self.before[place], self._kept[place] = place.read(), place.keep()

    def note_change(self, place: Place, before: Any, kept: Any) -> None:
        """`place` has changed, by code that is not converted, from what it held `before`."""
        self.before.setdefault(place, before)
        self._kept.setdefault(place, kept)
        self.sources.setdefault(place, user_line())
        self.log.append((place, None))

    def undo(self) -> None:
        """Give each place what it held first."""
        self.changes |= {place: place.read() for place in self.before}
        for place, kept in reversed(self._kept.items()):
            place.restore(kept)
        self.before, self.log, self._kept = {}, [], {}
