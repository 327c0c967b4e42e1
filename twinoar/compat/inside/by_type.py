"""`paddle._legacy_C_ops`: operators called by type. See `compat.inside.operators`."""

from __future__ import annotations

from typing import Any

from twinoar.compat.inside.operators import legacy


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return legacy(name)


__all__: list[str] = []
