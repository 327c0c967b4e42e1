"""Dynamic code as Programs: to_static, save, load."""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.core.public import exported
from twinoar.jit.explain import explain
from twinoar.jit.log import set_code_level, set_verbosity
from twinoar.jit.switch import enable_to_static
from twinoar.jit.to_static import (
    StaticFunction,
    ignore_module,
    not_to_static,
    to_static,
)

# What is saved was traced, and a loaded model is a Layer: these stand above this folder.
LAZY = {
    "TranslatedLayer": "twinoar.export.translated",
    "load": "twinoar.export.translated",
    "save": "twinoar.export.save",
}


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    raise AttributeError(f"module 'twinoar.jit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = exported(globals(), *LAZY)
