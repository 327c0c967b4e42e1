"""What tables with a bound drop: of all that they keep, what was used least recently."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Protocol, TypeVar

now = count().__next__  # the time of a use: later ones are greater


class Used(Protocol):
    """What notes when it was used last, as `now` tells it."""

    used: int


Kept = TypeVar("Kept", bound=Used)
Key = TypeVar("Key")


def least_recent(kept: Iterable[Kept]) -> Kept:
    """What was used before all others."""
    return min(kept, key=lambda one: one.used)


def make_room(table: dict[Key, Kept], limit: int) -> None:
    """Drop from `table` what was used least recently, until one more makes `limit` at most."""
    while len(table) >= limit:
        oldest = least_recent(table.values())
        del table[next(key for key, one in table.items() if one is oldest)]
