"""Data sets of words: reviews of movies, and the Penn Treebank."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twinoar.dataset import imdb, imikolov
from twinoar.errors import ArgumentError
from twinoar.text.samples import Path, SampleDataset, arrays_of, files_of


class Imdb(SampleDataset):
    """Reviews of movies: samples (ids of the words [n], label [1]), 0 for praise and 1 for blame.

    data_file: the archive aclImdb_v1.tar.gz; None takes it from the data home or the cache, or
    downloads it. mode: "train" or "test". cutoff: words that all reviews use more often have ids
    of their own, in `word_idx`. download: allow downloading. Raises FileError, ArgumentError.
    """

    def __init__(
        self,
        data_file: Path | None = None,
        mode: str = "train",
        cutoff: int = 150,
        download: bool = True,
    ):
        self.mode = self._checked_mode(mode)
        read = imdb.train if self.mode == "train" else imdb.test
        with files_of({imdb.FILE: data_file}, download):
            self.word_idx = imdb.build_dict(imdb.LABELED, cutoff)
            found = read(self.word_idx)()
            self.samples = arrays_of((words, [label]) for words, label in found)

    @property
    def docs(self) -> list[list[int]]:
        """The ids of the words of each review."""
        return [words.tolist() for words, _ in self.samples]

    @property
    def labels(self) -> list[int]:
        """The label of each review."""
        return [int(label[0]) for _, label in self.samples]


class Imikolov(SampleDataset):
    """The Penn Treebank: samples of word ids.

    data_file: the archive simple-examples.tgz; None takes it from the data home or the cache, or
    downloads it. data_type: "NGRAM" for `window_size` ids in a row, "SEQ" for a sentence and the
    same one word later, window_size being the most words. mode: "train" or "test". min_word_freq:
    words used more often have ids of their own, in `word_idx`. download: allow downloading.
    Raises FileError, ArgumentError.
    """

    def __init__(
        self,
        data_file: Path | None = None,
        data_type: Literal["NGRAM", "SEQ"] = "NGRAM",
        window_size: int = -1,
        mode: str = "train",
        min_word_freq: int = 50,
        download: bool = True,
    ):
        self.mode = self._checked_mode(mode)
        kind = str(data_type).upper()
        if kind not in ("NGRAM", "SEQ"):
            raise ArgumentError(f"data_type must be 'NGRAM' or 'SEQ', received {data_type!r}")
        if kind == "NGRAM" and window_size < 1:
            raise ArgumentError(f"window_size must be at least 1, received {window_size}")
        with files_of({imikolov.FILE: data_file}, download):
            self.word_idx = imikolov.build_dict(min_word_freq)
            read = imikolov.sentences(
                self.mode, self.word_idx, window_size, getattr(imikolov.DataType, kind)
            )
            self.samples = [tuple(np.array(part) for part in sample) for sample in read()]

    @property
    def data(self) -> list[tuple[Any, ...]]:
        """The samples as lists of ids, numbers where a sample is a window."""
        return [tuple(part.tolist() for part in sample) for sample in self.samples]
