"""Where the headers for operators in C++ are."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

def get_include() -> builtins.str:
    """The folder with `paddle/extension.h`."""
def get_lib() -> builtins.str:
    """The folder to give the linker: it has no library, as the headers need none."""
