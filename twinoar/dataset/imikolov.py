"""The Penn Treebank: samples of word ids, n in a row, or a sentence and the one that follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from twinoar.dataset.common import archive, member
from twinoar.dataset.imdb import UNKNOWN, Word
from twinoar.errors import ArgumentError
from twinoar.reader import Reader

URL = "https://dataset.bj.bcebos.com/imikolov%2Fsimple-examples.tgz"
FILE = URL.rpartition("/")[2]
MD5 = "30177ea32e27c525793142b6bf2c8e2d"
FOLDER = "./simple-examples/data"
START, END = "<s>", "<e>"


class DataType:
    """What a sample is: NGRAM, n word ids, or SEQ, a sentence shifted by one, twice."""

    NGRAM = 1
    SEQ = 2


def build_dict(min_word_freq: int = 50) -> dict[Word, int]:
    """Ids of the words, as bytes, used more than `min_word_freq` times; the most frequent first.

    "<s>" and "<e>" are the ends of sentences, "<unk>", the last, stands for all other words.
    Raises FileError.
    """
    counts: Counter[Word] = Counter()
    for part in ("train", "valid"):
        for words in _sentences(part):
            counts.update([*words, START, END])
    frequent = [(word, count) for word, count in counts.items() if count > min_word_freq]
    frequent.sort(key=lambda item: (-item[1], _text(item[0])))
    ids = {word: number for number, (word, _) in enumerate(frequent)}
    return ids | {UNKNOWN: len(ids)}


def train(word_idx: Mapping[Word, int], n: int, data_type: int = DataType.NGRAM) -> Reader:
    """A reader of the samples to train with. n: words of a sample, for SEQ the longest sentence."""
    return sentences("train", word_idx, n, data_type)


def test(word_idx: Mapping[Word, int], n: int, data_type: int = DataType.NGRAM) -> Reader:
    """A reader of the samples to test with; see `train`."""
    return sentences("valid", word_idx, n, data_type)


def sentences(part: str, word_idx: Mapping[Word, int], n: int, data_type: int) -> Reader:
    """A reader of the samples of a part: "train", "valid" or "test"; see `train`."""
    if data_type not in (DataType.NGRAM, DataType.SEQ):
        raise ArgumentError(f"data_type must be DataType.NGRAM or SEQ, received {data_type!r}")
    unknown = word_idx[UNKNOWN]

    def read() -> Iterator[Any]:
        for words in _sentences(part):
            ids = [word_idx.get(word, unknown) for word in words]
            start, end = (word_idx.get(mark, unknown) for mark in (START, END))
            whole = [start, *ids, end]
            if data_type == DataType.NGRAM:
                yield from (tuple(whole[i - n : i]) for i in range(n, len(whole) + 1))
            elif n <= 0 or len(whole) - 1 <= n:
                yield whole[:-1], whole[1:]

    return read


def _sentences(part: str) -> Iterator[list[bytes]]:
    with archive(URL, "imikolov", MD5) as tar:
        for line in member(tar, f"{FOLDER}/ptb.{part}.txt"):
            yield line.split()


def _text(word: Word) -> str:
    return word.decode() if isinstance(word, bytes) else word


__all__ = ["DataType", "build_dict", "test", "train"]
