"""Houses of Boston: samples (13 features, price), float64; features about 0, in a range of 1."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

feature_names: builtins.list
def test() -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the rows to test with"""
def train() -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the rows to train with"""
