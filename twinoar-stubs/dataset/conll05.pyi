"""Who did what to whom: sentences, the verb looked at, and the part that each word plays."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def get_dict() -> builtins.tuple[builtins.dict[builtins.str, builtins.int], builtins.dict[builtins.str, builtins.int], builtins.dict[builtins.str, builtins.int]]:
    """The ids of words, of verbs, and of labels"""
def get_embedding() -> builtins.str:
    """The path of the file of word vectors"""
def test() -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the sentences to test with, one sample for each verb"""
