"""Settings of searches for the best kernels, which there are none of here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twinoar.errors import TypeMismatchError, UnknownNameError

SETTINGS = {
    "kernel": {"enable": bool, "tuning_range": list},
    "layout": {"enable": bool},
    "dataloader": {"enable": bool, "tuning_steps": int},
}


def set_config(config: Mapping[str, Any] | str | None = None) -> None:
    """Check settings, a dict or the path of a JSON file, and go on: nothing is searched for.

    Raises UnknownNameError for a setting that Paddle does not have, TypeMismatchError for a value
    of another kind.

    >>> twinoar.incubate.autotune.set_config({"kernel": {"enable": True, "tuning_range": [1, 3]}})
    """
    given = json.loads(Path(config).read_text()) if isinstance(config, str) else config or {}
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeMismatchError(f"config must be a dict or a path, received {kind}")
    for part, settings in given.items():
        known = _known(SETTINGS, part, "config")
        for name, value in settings.items():
            kind = _known(known, name, part)
            if not isinstance(value, kind):
                raise TypeMismatchError(
                    f"{part}: {name} must be of {kind.__name__}, received {value!r}"
                )


def _known(allowed: Mapping[str, Any], name: str, where: str) -> Any:
    if name not in allowed:
        raise UnknownNameError(
            f"{where} has no setting {name!r}", cure=f"use one of {', '.join(allowed)}"
        )
    return allowed[name]


__all__ = ["set_config"]
