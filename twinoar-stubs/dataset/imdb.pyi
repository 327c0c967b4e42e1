"""Reviews of movies: samples (ids of the words, label), 0 for praise and 1 for blame."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import re
from typing import Any, Literal, overload

import numpy as _numpy

def build_dict(pattern: re.Pattern[builtins.str], cutoff: Any) -> builtins.dict[builtins.bytes | builtins.str, builtins.int]:
    """Ids of the words, as bytes, that reviews in files matching `pattern` use over `cutoff` times."""
def test(word_idx: collections.abc.Mapping[builtins.bytes | builtins.str, Any]) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the reviews to test with, praise first"""
def train(word_idx: collections.abc.Mapping[builtins.bytes | builtins.str, Any]) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the reviews to train with, praise first"""
def word_dict() -> builtins.dict[builtins.bytes | builtins.str, builtins.int]:
    """Ids of the words used over 150 times in all labeled reviews."""
