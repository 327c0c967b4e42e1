"""English and German: samples (ids of the source, of the target, of the target's next words)."""

# Written by tools/stubs.py.

import builtins
import collections.abc
from typing import Any, Literal, overload

import numpy as _numpy

def get_dict(lang: Literal['en', 'de'], dict_size: Any, reverse: builtins.bool = False) -> builtins.dict:
    """Ids of the `dict_size` most frequent words of a language; reverse: the words by id."""
def test(src_dict_size: Any, trg_dict_size: Any, src_lang: Literal['en', 'de'] = 'en') -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the sentences to test with; see `train`."""
def train(src_dict_size: Any, trg_dict_size: Any, src_lang: Literal['en', 'de'] = 'en') -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the sentences to train with, of the most frequent words of each language."""
def validation(src_dict_size: Any, trg_dict_size: Any, src_lang: Literal['en', 'de'] = 'en') -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the sentences to validate with; see `train`."""
