"""Reviews of movies: samples (ids of the words, label), 0 for praise and 1 for blame."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping

from twinoar.dataset.common import archive
from twinoar.reader import Reader

URL = "https://dataset.bj.bcebos.com/imdb%2FaclImdb_v1.tar.gz"
FILE = URL.rpartition("/")[2]
MD5 = "7c2ac02c03563afcf9b574c7e56c153a"
UNKNOWN = "<unk>"
PUNCTUATION = string.punctuation.encode()
KINDS = ("pos", "neg")
CUTOFF = 150
LABELED = re.compile(r"aclImdb/((train)|(test))/((pos)|(neg))/.*\.txt$")

Word = bytes | str


def build_dict(pattern: re.Pattern[str], cutoff: int) -> dict[Word, int]:
    """Ids of the words, as bytes, that reviews in files matching `pattern` use over `cutoff` times.

    The most frequent comes first; the last is "<unk>", for all others. Raises FileError.
    """
    counts = Counter(word for review in _reviews(pattern) for word in review)
    frequent = [(word, count) for word, count in counts.items() if count > cutoff]
    frequent.sort(key=lambda item: (-item[1], item[0]))
    ids: dict[Word, int] = {word: number for number, (word, _) in enumerate(frequent)}
    return ids | {UNKNOWN: len(ids)}


def word_dict() -> dict[Word, int]:
    """Ids of the words used over 150 times in all labeled reviews."""
    return build_dict(LABELED, CUTOFF)


def train(word_idx: Mapping[Word, int]) -> Reader:
    """A reader of the reviews to train with, praise first. Raises FileError."""
    return _reader("train", word_idx)


def test(word_idx: Mapping[Word, int]) -> Reader:
    """A reader of the reviews to test with, praise first. Raises FileError."""
    return _reader("test", word_idx)


def _reader(part: str, word_idx: Mapping[Word, int]) -> Reader:
    unknown = word_idx[UNKNOWN]
    samples = [
        ([word_idx.get(word, unknown) for word in review], label)
        for label, kind in enumerate(KINDS)
        for review in _reviews(re.compile(rf"aclImdb/{part}/{kind}/.*\.txt$"))
    ]
    return lambda: iter(samples)


def _reviews(pattern: re.Pattern[str]) -> Iterator[list[bytes]]:
    """The words of each review, in lower case, without punctuation."""
    with archive(URL, "imdb", MD5) as tar:
        for item in tar:
            file = tar.extractfile(item) if pattern.match(item.name) else None
            if file is not None:
                yield file.read().translate(None, PUNCTUATION).lower().split()


__all__ = ["build_dict", "test", "train", "word_dict"]
