"""Looking at what twinoar makes of a Program: `write_page`, and the command `twinoar view`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import pathlib
import twinoar.debug
import twinoar.fluid
from typing import Any, Literal, overload

import numpy as _numpy

def executables_of(target: builtins.str, inputs: collections.abc.Sequence[builtins.str], run_script: collections.abc.Callable[[builtins.str], Any]) -> builtins.list[twinoar.fluid._Executable]:
    """What running the target compiled."""
def losses_of_target(target: builtins.str, inputs: collections.abc.Sequence[builtins.str], dtype: builtins.str) -> builtins.list[twinoar.debug._Loss]:
    """How many bits each operator of a function or a saved model loses under `auto_cast`."""
def write_page(source: Any, file: builtins.str | pathlib.Path, title: builtins.str | None = None, *, beside: Any = None, names: builtins.tuple[builtins.str, builtins.str] = ..., losses: collections.abc.Sequence[twinoar.debug._Loss] = ...) -> pathlib.Path:
    """Write a page about Programs that have run into `file`; returns its path."""
class _Loss:
    """What became of one result: how many bits of its largest elements are right."""
    @property
    def cells(self) -> builtins.tuple[builtins.str, ...]:
        """What a table says."""
    def __init__(self, operator: builtins.str, result: builtins.str, dtype: builtins.str, bits: Any, lost: Any, error: Any, is_bad: builtins.bool) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    operator: builtins.str
    result: builtins.str
    dtype: builtins.str
    bits: builtins.float
    lost: builtins.float
    error: builtins.float
    is_bad: builtins.bool
