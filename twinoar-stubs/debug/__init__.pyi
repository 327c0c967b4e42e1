"""Looking at what twinoar makes of a Program: `write_page`, and the command `twinoar view`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import pathlib
import twinoar.fluid
from typing import Any, Literal, overload

import numpy as _numpy

def executables_of(target: builtins.str, inputs: collections.abc.Sequence[builtins.str], run_script: collections.abc.Callable[[builtins.str], Any]) -> builtins.list[twinoar.fluid._Executable]:
    """What running the target compiled."""
def write_page(source: Any, file: builtins.str | pathlib.Path, title: builtins.str | None = None) -> pathlib.Path:
    """Write a page about Programs that have run into `file`; returns its path."""
