"""Small things that belong to no other namespace."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def assert_same_structure(nest1: Any, nest2: Any, check_types: builtins.bool = True, skip_if: collections.abc.Callable[[Any], builtins.bool] | None = None) -> None:
    """Raise ArgumentError unless two structures have the same places."""
from . import cpp_extension as cpp_extension
def deprecated(update_to: builtins.str = '', since: builtins.str = '', reason: builtins.str = '', level: Any = 0) -> collections.abc.Callable[[Any], Any]:
    """Mark a function as deprecated, in its docstring and when it is called."""
from . import dlpack as dlpack
from . import download as download
def flatten(nest: Any) -> builtins.list[Any]:
    """What a nested structure holds, in order."""
def is_sequence(seq: Any) -> builtins.bool:
    """Whether it is a list, a tuple or a dictionary."""
def map_structure(func: collections.abc.Callable[..., Any], *structure: Any) -> Any:
    """A structure like the first, of what `func` returns for the content of all in each place."""
def pack_sequence_as(structure: Any, flat_sequence: collections.abc.Sequence[Any]) -> Any:
    """The structure with other content: the inverse of `flatten`."""
def require_version(min_version: builtins.str, max_version: builtins.str | None = None) -> None:
    """Raise UnsupportedError unless the version of Paddle whose API twinoar has is in the range."""
def run_check() -> None:
    """Train a small network, as it runs and as a Program, and say that it works."""
def to_sequence(nest: Any) -> Any:
    """The argument itself if it is nested, else a list of it."""
def try_import(module_name: builtins.str, err_msg: builtins.str | None = None) -> Any:
    """The module of that name"""
from . import unique_name as unique_name
