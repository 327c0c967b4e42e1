"""Names of Paddle's compiler of fused kernels for GPUs."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

def compile(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Raises UnsupportedError: kernels for GPUs are not made here."""
from . import fuse as fuse
