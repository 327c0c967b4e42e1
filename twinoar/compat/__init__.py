"""Other ways to write programs: PyTorch's arguments, and `import paddle`.

Paddle's own names here are functions and layers (`nn`) whose arguments and results are PyTorch's.
`install()` serves `import paddle` from twinoar, so that scripts written for Paddle run unmodified;
nothing of that happens on import, and `twinoar run` does it too.
"""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.compat.finder import install, uninstall
from twinoar.compat.functions import (
    equal,
    max,
    median,
    min,
    nanmedian,
    seed,
    slogdet,
    sort,
    split,
    unique,
)
from twinoar.core.public import exported


def __getattr__(name: str) -> Any:
    if name == "nn":
        return importlib.import_module("twinoar.compat.nn")
    raise AttributeError(f"module 'twinoar.compat' has no attribute {name!r}")


__all__ = exported(globals(), "nn")
