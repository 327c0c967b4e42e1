"""English and German: samples (ids of the source, of the target, of the target's next words)."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from twinoar.dataset.common import archive, member
from twinoar.errors import ArgumentError
from twinoar.reader import Reader

URL = "http://paddlemodels.bj.bcebos.com/wmt/wmt16.tar.gz"
FILE = URL.rpartition("/")[2]
MD5 = "0c38be43600334966403524a40dcd81e"
START, END, UNKNOWN = "<s>", "<e>", "<unk>"
COLUMN = {"en": 0, "de": 1}
OTHER: dict[str, Literal["en", "de"]] = {"en": "de", "de": "en"}

Language = Literal["en", "de"]


def train(src_dict_size: int, trg_dict_size: int, src_lang: Language = "en") -> Reader:
    """A reader of the sentences to train with, of the most frequent words of each language.

    src_lang: what is translated, "en" or "de". Raises ArgumentError for another, FileError.
    """
    return _reader("train", src_dict_size, trg_dict_size, src_lang)


def test(src_dict_size: int, trg_dict_size: int, src_lang: Language = "en") -> Reader:
    """A reader of the sentences to test with; see `train`."""
    return _reader("test", src_dict_size, trg_dict_size, src_lang)


def validation(src_dict_size: int, trg_dict_size: int, src_lang: Language = "en") -> Reader:
    """A reader of the sentences to validate with; see `train`."""
    return _reader("val", src_dict_size, trg_dict_size, src_lang)


def get_dict(lang: Language, dict_size: int, reverse: bool = False) -> dict:
    """Ids of the `dict_size` most frequent words of a language; reverse: the words by id.

    "<s>", "<e>" and "<unk>" are the first three.
    """
    words = [START, END, UNKNOWN, *_frequent(lang)][:dict_size]
    return dict(enumerate(words)) if reverse else {w: i for i, w in enumerate(words)}


def _reader(part: str, src_dict_size: int, trg_dict_size: int, src_lang: Language) -> Reader:
    if src_lang not in COLUMN:
        raise ArgumentError(f"src_lang must be 'en' or 'de', received {src_lang!r}")
    source_ids = get_dict(src_lang, src_dict_size)
    target_ids = get_dict(OTHER[src_lang], trg_dict_size)
    start, end, unknown = (source_ids[mark] for mark in (START, END, UNKNOWN))

    def read() -> Iterator[tuple[list[int], list[int], list[int]]]:
        for pair in _pairs(part):
            column = COLUMN[src_lang]
            source = [source_ids.get(w, unknown) for w in pair[column].split()]
            target = [target_ids.get(w, unknown) for w in pair[1 - column].split()]
            yield [start, *source, end], [start, *target], [*target, end]

    return read


@functools.cache
def _frequent(lang: str) -> list[str]:
    """The words of a language, the most frequent first."""
    counts = Counter(w for pair in _pairs("train") for w in pair[COLUMN[lang]].split())
    return [word for word, _ in counts.most_common()]


def forget() -> None:
    """Read the file anew when it is asked for next."""
    _frequent.cache_clear()


def _pairs(part: str) -> Iterator[list[str]]:
    with archive(URL, "wmt16", MD5) as tar:
        for line in member(tar, f"wmt16/{part}"):
            pair = line.decode().strip().split("\t")
            if len(pair) == 2:
                yield pair


__all__ = ["get_dict", "test", "train", "validation"]
