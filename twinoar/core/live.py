"""Live values of this process that Programs of any process may refer to by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LIVE: dict[str, Callable[[], Any]] = {}  # who has one announces it


def name_of_live(value: Any) -> str | None:
    """The name of a live value, None for others."""
    return next((name for name, find in LIVE.items() if find() is value), None)
