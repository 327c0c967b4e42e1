"""`tokenizer.json`, read: added words, normalizer, pieces, merges, and what is put around.

Source: the files that the library `tokenizers` writes, whose words these are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from twinoar.errors import FileError, TwinoarError
from twinoar.pretrained.tokenizer.decode import decoder
from twinoar.pretrained.tokenizer.merge import Merging
from twinoar.pretrained.tokenizer.pattern import WHITE, compiled
from twinoar.pretrained.tokenizer.split import kind_of, normalizer, refused, splitter

FILE = "tokenizer.json"
WORD = r"[\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\u200c\u200d]"  # Unicode's; Python's has no marks


class Tokenizer:
    """Text as numbers of words and back. told: what the file says.

    Raises FileError for what is damaged, UnsupportedError for what is not served: other models than
    BPE, and parts that would change words.

    >>> vocabulary = {"a": 0, "b": 1, "ab": 2}
    >>> told = {"model": {"type": "BPE", "vocab": vocabulary, "merges": ["a b"]}}
    >>> Tokenizer(told).encode("aba")
    [2, 0]
    """

    def __init__(self, told: Mapping[str, Any]):
        try:
            self._read(told)
        except TwinoarError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise FileError(f"the tokenizer is damaged: {type(error).__name__} {error}") from error

    def _read(self, told: Mapping[str, Any]) -> None:
        self._merging = Merging(told["model"])
        self._normalize = normalizer(told.get("normalizer"))
        self._split = splitter(told.get("pre_tokenizer"))
        self._join = decoder(told.get("decoder"))
        self._around = _template(told.get("post_processor"))
        added = [_Added(one) for one in told.get("added_tokens") or ()]
        self.words: dict[str, int] = {**self._merging.vocabulary, **{a.text: a.id for a in added}}
        self._texts = {number: word for word, number in self.words.items()}
        self.special = {a.id for a in added if a.special}
        self._raw = _Finder([a for a in added if not a.normalized], lambda text: text)
        self._normalized = _Finder([a for a in added if a.normalized], self._normalize)

    @classmethod
    def load(cls, folder: str | Path) -> Tokenizer:
        """The tokenizer of a folder with `tokenizer.json`, or of that file."""
        place = Path(folder)
        file = place / FILE if place.is_dir() else place
        try:
            told = json.loads(file.read_bytes())
        except OSError as error:
            raise FileError(f"cannot read {file}: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise FileError(f"{file} is no JSON: {str(error)[:80]}") from error
        if not isinstance(told, dict) or not isinstance(told.get("model"), dict):
            raise FileError(f"{file} must hold a tokenizer, with its model")
        return cls(told)

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, text: str, special: bool = True) -> list[int]:
        """The words of a text. special: with what the file puts around each text.

        Words that were added, as `<|endoftext|>`, are found in the text in any case.
        """
        text = text.encode(errors="replace").decode()  # halves of surrogate pairs are no text
        found: list[int] = []
        first = True
        for raw, number in self._raw.parts(text):
            if number is not None:
                found.append(number)
                first = False
                continue
            for piece, inner in self._normalized.parts(self._normalize(raw)):
                found += self._encoded(piece, first) if inner is None else [inner]
                first = False
        before, after = self._around if special else ([], [])
        return [*before, *found, *after]

    def decode(self, words: Sequence[int], special: bool = False) -> str:
        """The text of words. special: with those that are no text. Unknown numbers have none."""
        known = (
            self._texts[word]
            for word in words
            if word in self._texts and (special or word not in self.special)
        )
        return "".join(self._join(list(known)))

    def _encoded(self, piece: str, first: bool) -> Iterator[int]:
        for part in self._split(piece, first):
            yield from self._merging.encode(part)


class _Added:
    """A word that was added to the vocabulary."""

    def __init__(self, told: Mapping[str, Any]):
        self.text, self.id = str(told["content"]), int(told["id"])
        self.special = bool(told.get("special", False))
        self.normalized = bool(told.get("normalized", not self.special))
        self.alone = bool(told.get("single_word", False))
        self.left, self.right = bool(told.get("lstrip", False)), bool(told.get("rstrip", False))


class _Finder:
    """Finds words in a text, the leftmost first, of those the longest."""

    def __init__(self, added: list[_Added], normalize: Callable[[str], str]):
        self._added = {normalize(one.text): one for one in added if one.text}
        longest = sorted(self._added, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest))) if longest else None

    def parts(self, text: str) -> Iterator[tuple[str, int | None]]:
        """Pieces of the text between the words, and the words with their numbers."""
        end = 0
        for match in self._pattern.finditer(text) if self._pattern else ():
            one = self._added[match[0]]
            first, last = match.span()
            if first < end or (one.alone and _is_inside_a_word(text, first, last)):
                continue
            if one.left:
                first = max(end, len(text[:first].rstrip(WHITE)))
            if one.right:
                last = len(text) - len(text[last:].lstrip(WHITE))
            if first > end:
                yield text[end:first], None
            yield text[first:last], one.id
            end = last
        if end < len(text):
            yield text[end:], None


def _is_inside_a_word(text: str, first: int, last: int) -> bool:
    beside = text[first - 1 : first], text[last : last + 1]
    return any(compiled(WORD).fullmatch(letter) for letter in beside)


def _template(told: Any) -> tuple[list[int], list[int]]:
    """The words before and after each text."""
    if told is None:
        return [], []
    kind = kind_of(told)
    if kind == "ByteLevel":  # it moves offsets alone
        return [], []
    if kind == "Sequence":
        parts = [_template(part) for part in told["processors"]]
        before = [word for part in parts[::-1] for word in part[0]]
        return before, [word for part in parts for word in part[1]]
    if kind in ("BertProcessing", "RobertaProcessing"):
        return [told["cls"][1]], [told["sep"][1]]
    if kind != "TemplateProcessing":
        raise refused("post_processor", kind)
    around: tuple[list[int], list[int]] = ([], [])
    behind = 0
    for part in told["single"]:
        if "SpecialToken" in part:
            around[behind].extend(told["special_tokens"][part["SpecialToken"]["id"]]["ids"])
        else:
            behind = 1
    return around
