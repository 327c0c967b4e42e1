"""The Penn Treebank: samples of word ids, n in a row, or a sentence and the one that follows."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

class DataType:
    """What a sample is: NGRAM, n word ids, or SEQ, a sentence shifted by one, twice."""
    NGRAM: builtins.int
    SEQ: builtins.int
def build_dict(min_word_freq: Any = 50) -> builtins.dict[builtins.bytes | builtins.str, builtins.int]:
    """Ids of the words, as bytes, used more than `min_word_freq` times; the most frequent first."""
def test(word_idx: collections.abc.Mapping[builtins.bytes | builtins.str, Any], n: Any, data_type: Any = 1) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the samples to test with; see `train`."""
def train(word_idx: collections.abc.Mapping[builtins.bytes | builtins.str, Any], n: Any, data_type: Any = 1) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the samples to train with"""
