"""Texts: tags by Viterbi's algorithm, and data sets."""

# Written by tools/stubs.py.

import builtins
import os
import twinoar
import twinoar.io
import twinoar.nn
from typing import Any, Literal, overload

import numpy as _numpy

class Conll05st(twinoar.io.Dataset):
    """Who did what to whom, the part of CoNLL 2005 that is free: that to test with."""
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, word_dict_file: builtins.str | os.PathLike[builtins.str] | None = None, verb_dict_file: builtins.str | os.PathLike[builtins.str] | None = None, target_dict_file: builtins.str | os.PathLike[builtins.str] | None = None, emb_file: builtins.str | os.PathLike[builtins.str] | None = None, download: builtins.bool = True) -> None: ...
    def get_dict(self) -> builtins.tuple[builtins.dict, builtins.dict, builtins.dict]:
        """The ids of words, of verbs, and of labels."""
    def get_embedding(self) -> builtins.str:
        """The path of the file of word vectors"""
    MODES: builtins.tuple
    def __getitem__(self, idx: Any) -> builtins.tuple[_numpy.ndarray[Any, Any], ...]: ...
    def __len__(self) -> builtins.int: ...
    samples: Any
class Imdb(twinoar.io.Dataset):
    """Reviews of movies: samples (ids of the words [n], label [1]), 0 for praise and 1 for blame."""
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, mode: builtins.str = 'train', cutoff: Any = 150, download: builtins.bool = True) -> None: ...
    @property
    def docs(self) -> builtins.list[builtins.list[builtins.int]]:
        """The ids of the words of each review."""
    @property
    def labels(self) -> builtins.list[builtins.int]:
        """The label of each review."""
    MODES: builtins.tuple
    def __getitem__(self, idx: Any) -> builtins.tuple[_numpy.ndarray[Any, Any], ...]: ...
    def __len__(self) -> builtins.int: ...
    mode: builtins.str
    word_idx: Any
    samples: Any
class Imikolov(twinoar.io.Dataset):
    """The Penn Treebank: samples of word ids."""
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, data_type: Literal['NGRAM', 'SEQ'] = 'NGRAM', window_size: Any = -1, mode: builtins.str = 'train', min_word_freq: Any = 50, download: builtins.bool = True) -> None: ...
    @property
    def data(self) -> builtins.list[builtins.tuple[Any, ...]]:
        """The samples as lists of ids, numbers where a sample is a window."""
    MODES: builtins.tuple
    def __getitem__(self, idx: Any) -> builtins.tuple[_numpy.ndarray[Any, Any], ...]: ...
    def __len__(self) -> builtins.int: ...
    mode: builtins.str
    word_idx: Any
    samples: Any
class Movielens(twinoar.io.Dataset):
    """Ratings of movies: samples (user, gender, age, job, movie, categories, title, rating)."""
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, mode: builtins.str = 'train', test_ratio: Any = ..., rand_seed: Any = 0, download: builtins.bool = True) -> None: ...
    MODES: builtins.tuple
    def __getitem__(self, idx: Any) -> builtins.tuple[_numpy.ndarray[Any, Any], ...]: ...
    def __len__(self) -> builtins.int: ...
    mode: builtins.str
    test_ratio: builtins.float
    rand_seed: builtins.int
    samples: Any
    movie_info: Any
    user_info: Any
    movie_title_dict: Any
    categories_dict: Any
class UCIHousing(twinoar.io.Dataset):
    """Houses of Boston: samples (features [13], price [1]) of the default floating type."""
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, mode: builtins.str = 'train', download: builtins.bool = True) -> None: ...
    MODES: builtins.tuple
    def __getitem__(self, idx: Any) -> builtins.tuple[_numpy.ndarray[Any, Any], ...]: ...
    def __len__(self) -> builtins.int: ...
    mode: builtins.str
    samples: Any
class ViterbiDecoder(twinoar.nn.Layer):
    """`viterbi_decode` with fixed scores of what follows what."""
    def __init__(self, transitions: twinoar._TensorLike, include_bos_eos_tag: builtins.bool = True, name: builtins.str | None = None) -> None: ...
    def forward(self, potentials: twinoar._TensorLike, lengths: twinoar._TensorLike) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
        """Scores [B] and tags [B,longest] for potentials [B,T,N] and lengths [B]."""
    transitions: twinoar.Tensor
    include_bos_eos_tag: builtins.bool
    name: builtins.str | None
    def __call__(self, *inputs: Any, **kwargs: Any) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
class WMT14(twinoar.io.Dataset):
    """English and French: samples (ids of the source, of the target, of the target's next words)."""
    MODES: builtins.tuple
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, mode: builtins.str = 'train', dict_size: Any = -1, download: builtins.bool = True) -> None: ...
    def get_dict(self, reverse: builtins.bool = False) -> builtins.tuple[builtins.dict, builtins.dict]:
        """The ids of the source's and the target's words; reverse: the words by id."""
    def __getitem__(self, idx: Any) -> builtins.tuple[_numpy.ndarray[Any, Any], ...]: ...
    def __len__(self) -> builtins.int: ...
    mode: builtins.str
    dict_size: builtins.int
    samples: Any
class WMT16(twinoar.io.Dataset):
    """English and German: samples (ids of the source, of the target, of the target's next words)."""
    MODES: builtins.tuple
    def __init__(self, data_file: builtins.str | os.PathLike[builtins.str] | None = None, mode: builtins.str = 'train', src_dict_size: Any = -1, trg_dict_size: Any = -1, lang: Literal['en', 'de'] = 'en', download: builtins.bool = True) -> None: ...
    def get_dict(self, lang: Literal['en', 'de'], reverse: builtins.bool = False) -> builtins.dict:
        """The ids of the words of a language; reverse: the words by id."""
    def __getitem__(self, idx: Any) -> builtins.tuple[_numpy.ndarray[Any, Any], ...]: ...
    def __len__(self) -> builtins.int: ...
    mode: builtins.str
    lang: Literal['en', 'de']
    samples: Any
@overload
def viterbi_decode(potentials: twinoar._TensorLike, transition_params: twinoar._TensorLike, lengths: twinoar._TensorLike, include_bos_eos_tag: builtins.bool = True, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """The sequences of tags with the highest scores, and these."""
@overload
def viterbi_decode(*args: Any, potentials: Any = ..., transition_params: Any = ..., lengths: Any = ..., include_bos_eos_tag: Any = ..., name: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
