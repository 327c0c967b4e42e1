"""What Programs take from readers and writers of files: loaded on first use."""

from __future__ import annotations

import importlib
from typing import Any

LAZY = {
    "call_by_type": "twinoar.static.append",
    "deserialize_program": "twinoar.static.inference_io",
    "write_picture": "twinoar.inspection.picture",
    "write_whole_program": "twinoar.formats.paddle.program_write",
}


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
