"""What is the user's own, and what twinoar, Python's library or an installed package defines."""

from __future__ import annotations

import functools
import sys
import sysconfig
import types
from pathlib import Path
from typing import Any

from twinoar.errors import PACKAGE
from twinoar.jit.runtime.calls import written

PACKAGE_NAME = __name__.partition(".")[0]
LIBRARIES = (
    PACKAGE,
    "<frozen",
    "<twinoar",
    *{
        str(Path(p)) + "/"
        for k, p in sysconfig.get_paths().items()
        if k in ("stdlib", "platstdlib", "purelib", "platlib")
    },
)


def is_librarys(x: Any) -> bool:
    """True for what twinoar, Python's library or an installed package defines."""
    code = getattr(written(x), "__code__", None)
    if isinstance(code, types.CodeType):
        return code.co_filename.startswith(LIBRARIES)
    if isinstance(x, types.ModuleType):
        return _is_library(x.__name__)
    return _is_library(getattr(x, "__module__", None) or "builtins")


@functools.cache
def _is_library(module: str) -> bool:
    file = getattr(sys.modules.get(module), "__file__", None)
    return module in sys.builtin_module_names or (
        file is not None and str(file).startswith(LIBRARIES)
    )
