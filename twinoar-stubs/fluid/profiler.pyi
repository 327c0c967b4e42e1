"""Where the time goes: a table of calls and times, by the names of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import os
from typing import Any, Literal, overload

import numpy as _numpy

def profiler(state: builtins.str, sorted_key: builtins.str | None = None, profile_path: builtins.str | os.PathLike[builtins.str] = '/tmp/profile', tracer_option: builtins.str = 'Default') -> collections.abc.Iterator[None]:
    """Measure the block, then print the table; see `start_profiler` and `stop_profiler`."""
def reset_profiler() -> None:
    """Forget what was measured so far."""
def start_profiler(state: builtins.str, tracer_option: builtins.str = 'Default') -> None:
    """Begin to measure"""
def stop_profiler(sorted_key: builtins.str | None = None, profile_path: builtins.str | os.PathLike[builtins.str] = '/tmp/profile') -> None:
    """Print the table, and write it to the file `profile_path`."""
