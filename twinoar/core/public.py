"""The names that a module makes public, from what stands in it: `__all__` is written once.

A class or a function says by its `__module__` where it was made, and so does an instance of a class
of twinoar; what Python or a library made, plain data and modules are public where they are named.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def exported(space: Mapping[str, Any], *more: str, but: Collection[str] = ()) -> list[str]:
    """What a package's `__init__` has of twinoar, imported or its own, and `more`, less `but`.

    >>> from twinoar.core.device import Device
    >>> exported({"Device": Device, "Any": Any, "LAZY": {}}, "nn")
    ['Device', 'nn']
    """
    found = {name for name, home in _homes(space) if home.partition(".")[0] == "twinoar"}
    return sorted(found.union(more).difference(but))


def declared(space: Mapping[str, Any], *more: str, but: Collection[str] = ()) -> list[str]:
    """What a module itself makes, and `more`, less `but`.

    >>> from twinoar.core.device import Device, device_of
    >>> declared({"__name__": "twinoar.core.device", "Device": Device, "f": device_of}, but=["f"])
    ['Device']
    """
    found = {name for name, home in _homes(space) if home == space["__name__"]}
    return sorted(found.union(more).difference(but))


def _homes(space: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Public names, with the modules that made what they stand for."""
    homes = [(n, getattr(value, "__module__", None)) for n, value in space.items() if n[0] != "_"]
    return [(name, home) for name, home in homes if isinstance(home, str) and home != __name__]
