"""What converted code changes in Python's objects while it is traced.

A trace runs the user's code once, for many calls to come, and both sides of a branch. So each
change is noted before it happens, and undone at the end of the branch, loop body or function; what
it came to is then merged with the other side, carried through the loop, or repeated after each
call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MISSING = object()


class Place:
    """Something that can be assigned: equal to another that names the same one."""

    holder: Any
    key: Any

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


class Attribute(Place):
    """`holder.key`."""

    def __init__(self, holder: Any, key: str):
        self.holder, self.key = holder, key

    def __str__(self) -> str:
        return f"{type(self.holder).__name__}.{self.key}"

    def read(self) -> Any:
        return getattr(self.holder, self.key, MISSING)

    def write(self, value: Any) -> None:
        if value is MISSING:
            delattr(self.holder, self.key)
        else:
            setattr(self.holder, self.key, value)


class Contents(Place):
    """All that a list, dict or set holds, as a copy of it."""

    def __init__(self, holder: Any):
        self.holder, self.key = holder, None

    def __str__(self) -> str:
        return f"a {type(self.holder).__name__}"

    def read(self) -> Any:
        return self.holder.copy()

    def write(self, value: Any) -> None:
        self.holder.clear()
        add: Callable = self.holder.extend if isinstance(self.holder, list) else self.holder.update
        add(value)


class Journal:
    """Places that were changed since it was opened.

    before: what each held first. changes: once undone, what each had come to hold.
    """

    def __init__(self) -> None:
        self.before: dict[Place, Any] = {}
        self.changes: dict[Place, Any] = {}

    def note(self, place: Place) -> None:
        """`place` is about to change."""
        if place not in self.before:
            self.before[place] = place.read()

    def undo(self) -> None:
        """Give each place what it held first."""
        self.changes |= {place: place.read() for place in self.before}
        for place, value in self.before.items():
            place.write(value)
        self.before = {}
