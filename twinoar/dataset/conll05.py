"""Who did what to whom: sentences, the verb looked at, and the part that each word plays.

A sample is nine lists, as long as the sentence: ids of the words; of the words two and one before
the verb, the verb's, one and two after it, each repeated; of the verb's base form, repeated; 1 for
these five words, else 0; and the ids of the labels. The data to train with is not free.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from itertools import groupby

from twinoar.dataset.common import archive, content, download, member
from twinoar.errors import FileError
from twinoar.reader import Reader

FOLDER = "conll05st"
URL = f"http://paddlemodels.bj.bcebos.com/{FOLDER}"
ARCHIVE = f"{URL}/conll05st-tests.tar.gz", FOLDER, "387719152ae52d60422c016e92a742fc"
WORDS = f"{URL}%2FwordDict.txt", FOLDER, "ea7fb7d4c75cc6254716f0177a506baa"
VERBS = f"{URL}%2FverbDict.txt", FOLDER, "0d2977293bbb6cbefab5b0f97db1e77c"
LABELS = f"{URL}%2FtargetDict.txt", FOLDER, "d8c7f03ceb5fc2e5a0fa7503a4353751"
EMBEDDING = f"{URL}%2Femb", FOLDER, "bf436eb0faa1f6f9103017f8be57cdb7"
PART = "conll05st-release/test.wsj/{0}/test.wsj.{0}.gz"
UNKNOWN_ID = 0
BEFORE, AFTER = "bos", "eos"  # what stands before and after a sentence

Ids = dict[str, int]


def get_dict() -> tuple[Ids, Ids, Ids]:
    """The ids of words, of verbs, and of labels. Raises FileError."""
    tags = sorted({line[2:] for line in _lines(LABELS) if line[:2] in ("B-", "I-")})
    labels = [f"{begin}-{tag}" for tag in tags for begin in "BI"] + ["O"]
    return _ids(_lines(WORDS)), _ids(_lines(VERBS)), _ids(labels)


def get_embedding() -> str:
    """The path of the file of word vectors. Raises FileError."""
    return download(*EMBEDDING)


def test() -> Reader:
    """A reader of the sentences to test with, one sample for each verb. Raises FileError."""
    words, verbs, labels = get_dict()

    def read() -> Iterator[tuple[list, ...]]:
        for sentence, verb, tags in _sentences():
            yield _sample(sentence, verb, tags, words, verbs, labels)

    return read


def _sample(
    sentence: list[str], verb: str, tags: list[str], words: Ids, verbs: Ids, labels: Ids
) -> tuple[list, ...]:
    length, place = len(sentence), tags.index("B-V")
    padded = [BEFORE, BEFORE, *sentence, AFTER, AFTER]
    around = padded[place : place + 5]
    return (
        [words.get(word, UNKNOWN_ID) for word in sentence],
        *([words.get(word, UNKNOWN_ID)] * length for word in around),
        [verbs.get(verb)] * length,
        [int(abs(i - place) <= 2) for i in range(length)],
        [labels.get(tag) for tag in tags],
    )


def _sentences() -> Iterator[tuple[list[str], str, list[str]]]:
    """Words, verb and labels, for each verb of each sentence."""
    with archive(*ARCHIVE) as tar:
        words, rows = (
            gzip.decompress(member(tar, PART.format(kind)).read()).decode().splitlines()
            for kind in ("words", "props")
        )
    pairs = zip((word.strip() for word in words), map(str.split, rows), strict=False)
    for is_sentence, lines in groupby(pairs, key=lambda pair: bool(pair[1])):
        if is_sentence:
            sentence, columns = zip(*lines, strict=True)
            verbs, *roles = zip(*columns, strict=True)
            found = [verb for verb in verbs if verb != "-"]
            for verb, marks in zip(found, roles, strict=True):
                yield list(sentence), verb, _tags(marks)


def _tags(marks: tuple[str, ...]) -> list[str]:
    """Brackets over words, such as (A0* and *), as labels B-A0, I-A0 and O. Raises FileError."""
    found, tag, is_open = [], "O", False
    for mark in marks:
        if mark.startswith("("):
            tag, is_open = mark[1 : mark.index("*")], not mark.endswith(")")
            found.append(f"B-{tag}")
        elif mark in ("*", "*)"):
            found.append(f"I-{tag}" if is_open else "O")
            is_open = is_open and mark == "*"
        else:
            raise FileError(f"{PART.format('props')} has the label {mark!r}")
    return found


def _ids(names: Iterator[str] | list[str]) -> Ids:
    return {name: number for number, name in enumerate(names)}


def _lines(source: tuple[str, str, str]) -> Iterator[str]:
    return (line.strip() for line in io.StringIO(content(*source).decode()))


__all__ = ["get_dict", "get_embedding", "test"]
