"""English and French: samples (ids of the source, of the target, of the target's next words)."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def gen(dict_size: Any) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the sentences to translate; see `train`."""
def get_dict(dict_size: Any, reverse: builtins.bool = True) -> builtins.tuple[builtins.dict, builtins.dict]:
    """The words of source and target by id; reverse=False: the ids by word."""
def test(dict_size: Any) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the sentences to test with; see `train`."""
def train(dict_size: Any) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the sentences to train with, of words among the first `dict_size`"""
