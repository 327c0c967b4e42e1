"""Names of converted functions as places: the cells that functions share."""

from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from twinoar.core.interpreter import current
from twinoar.errors import GENERATED
from twinoar.jit.runtime.journal import MISSING, Cell, Place

PREFIX = GENERATED
FLAG = f"{PREFIX}flag_"  # begins the names of what tells whether a jump was taken
RESULT = f"{PREFIX}result"  # what the function returns; a flag tells whether it has a value


class Name(Cell):
    """A variable of a converted function: nobody else finds it after the trace."""

    is_own = True


def is_flag(place: Place) -> bool:
    """True for what tells whether a jump was taken."""
    return isinstance(place.key, str) and place.key.startswith(FLAG)


class Slot(Place):
    """A place of the runtime's own: a counter, or the value of an expression."""

    key = None

    def __init__(self, name: str, value: Any = MISSING):
        self.name, self.value, self.holder = name, value, self

    def __str__(self) -> str:
        return self.name

    def _identity(self) -> tuple:
        return (id(self),)

    def read(self) -> Any:
        """The value, or MISSING."""
        return self.value

    def write(self, value: Any) -> None:
        """Hold `value`."""
        self.value = value


def cells_of(*functions: Callable) -> dict[str, Name]:
    """The variables that functions share with those around them, by name."""
    found: dict[str, Name] = {}
    for function in functions:
        free = function.__code__.co_freevars
        for name, cell in zip(free, function.__closure__ or (), strict=True):
            found[name] = Name(cell, name)
    return found


def places_of(names: Sequence[str], *functions: Callable) -> list[Place]:
    """The places of `names` as `functions` share them."""
    cells = cells_of(*functions)
    return [cells[n] for n in names]


def assign(cell: Callable, value: Any) -> Any:
    """`(n := value)` inside an expression that is delayed; cell: `lambda: n`."""
    (place,) = cells_of(cell).values()
    place.write(value)
    return value


def shares(names: Callable) -> None:
    """The function that is called may assign variables of one around it; names: `lambda: (n,)`."""
    builder = current()
    for place in cells_of(names).values():
        note(builder, place)


def note(builder: Any, place: Place) -> None:
    """Tell the journal of a block that a place is about to change."""
    if builder.traces and not (isinstance(place, Name) and builder.outer is None):
        builder.journal.note(place)


def assigns(function: Callable) -> bool:
    """True if a function assigns variables of those around it."""
    return any(i.opname == "STORE_DEREF" for i in dis.get_instructions(function.__code__))


def line_of(function: Callable, place: Place) -> int:
    """The line where `function` last assigns `place`, else that where it begins."""
    code = function.__code__
    found = [
        i.positions.lineno
        for c in _codes(code)
        for i in dis.get_instructions(c)
        if i.opname == "STORE_DEREF" and i.argval == place.key and i.positions is not None
    ]
    return max((n for n in found if n is not None), default=code.co_firstlineno)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)
