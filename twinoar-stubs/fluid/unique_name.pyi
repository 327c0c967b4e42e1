"""Names nobody else has in this process: `generate`, `switch` and `guard`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.fluid.unique_name
from typing import Any, Literal, overload

import numpy as _numpy

def generate(key: builtins.str) -> builtins.str:
    """A name that begins with `key` and ends with a number, another one on every call."""
def guard(new_generator: Any = None) -> collections.abc.Iterator[None]:
    """Number names from 0 again in this block, under a prefix where a string is given."""
def switch(new_generator: twinoar.fluid.unique_name._NameGenerator | None = None) -> twinoar.fluid.unique_name._NameGenerator:
    """Make `new_generator`, or a fresh one, make all names from now on"""
class _NameGenerator:
    """Numbers the names of each key, and puts `prefix` before them."""
    def __init__(self, prefix: builtins.str = '') -> None: ...
    def __call__(self, key: builtins.str) -> builtins.str:
        """`key` with its next number."""
    prefix: builtins.str
