"""Settings of the whole process, and whether one has changed: a trace holds for those it was under.

Who keeps a setting announces how it is read, and counts each change. So what relies on all settings
compares one number, and looks at them only when that is another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

READERS: dict[str, Callable[[], Any]] = {}  # by what messages call the setting
FIRST: dict[str, Any] = {}  # what each was when it was announced, by a module imported late perhaps


class LatestSetting:
    """The number of the latest change of any setting."""

    number = 0


def announce(name: str, read: Callable[[], Any]) -> None:
    """`read()` is the setting called `name`: a plain value."""
    READERS[name] = read
    FIRST[name] = read()


def count_setting() -> None:
    """A setting may be another one now."""
    LatestSetting.number += 1


def settings_now() -> dict[str, Any]:
    """All settings, by name."""
    return {name: read() for name, read in READERS.items()}
