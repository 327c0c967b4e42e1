"""Operators written in C++: built with the system's compiler, loaded, and used like built-in ones.

The source is Paddle's: `#include "paddle/extension.h"`, functions on `paddle::Tensor`, and
`PD_BUILD_OP`. `load` builds and loads in one step; `setup` makes a package that can be installed,
and is the one that needs setuptools.
"""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.core.public import exported
from twinoar.utils.cpp_extension.build import get_build_directory, load

LAZY = ("BuildExtension", "CUDAExtension", "CppExtension", "setup")


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(importlib.import_module("twinoar.utils.cpp_extension.package"), name)
    raise AttributeError(f"module 'twinoar.utils.cpp_extension' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = exported(globals(), *LAZY)
