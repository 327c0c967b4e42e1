"""Live values of this process that Programs of any process may refer to by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LIVE: dict[str, Callable[[], Any]] = {}  # who has one announces it
READERS: dict[str, type] = {}  # of states that are read anew before each run; they have an index


def name_of_live(value: Any) -> str | None:
    """The name of a live value, None for others."""
    return next((name for name, find in LIVE.items() if find() is value), None)


def name_of_reader(reader: Any) -> str | None:
    """The name of what reads a state, None for others."""
    return next((name for name, kind in READERS.items() if type(reader) is kind), None)
