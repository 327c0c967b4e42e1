"""Small things that belong to no other namespace."""

import importlib
from typing import Any

from twinoar.core.public import exported
from twinoar.utils import dlpack, unique_name
from twinoar.utils.deprecation import deprecated
from twinoar.utils.nest import (
    assert_same_structure,
    flatten,
    is_sequence,
    map_structure,
    pack_sequence_as,
    to_sequence,
)
from twinoar.utils.try_import import try_import
from twinoar.utils.versions import require_version

LAZY = {"run_check": "twinoar.utils.install_check"}


def __getattr__(name: str) -> Any:
    if name in ("cpp_extension", "download"):
        return importlib.import_module(f"{__name__}.{name}")
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    raise AttributeError(f"module 'twinoar.utils' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = exported(globals(), "cpp_extension", "dlpack", "download", "unique_name", *LAZY)
