"""Small things that belong to no other namespace."""

import importlib
from typing import Any

from twinoar.utils import dlpack, unique_name


def __getattr__(name: str) -> Any:
    if name == "cpp_extension":
        return importlib.import_module("twinoar.utils.cpp_extension")
    raise AttributeError(f"module 'twinoar.utils' has no attribute {name!r}")


__all__ = ["cpp_extension", "dlpack", "unique_name"]
