"""Looking at what twinoar makes of a Program: `write_page`, and the command `twinoar view`.

The page holds the Program as a picture, each operator with its source line, what each pass changes,
each kernel with its time, loop nest, LLVM IR and assembly, the source with its costs by line, and
memory over time; of two models also their difference.
"""

from __future__ import annotations

import importlib
from typing import Any

LAZY = {
    "executables_of": "twinoar.inspection.target",
    "losses_of_target": "twinoar.inspection.target",
    "write_page": "twinoar.inspection.view",
}


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = ["write_page"]
