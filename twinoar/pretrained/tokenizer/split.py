"""What is done to a text before it is encoded: normalized, and cut into pieces.

Each is a function made from the part of `tokenizer.json` that asks for it. Kinds that are not
served are refused by name, as they would change which words come.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from twinoar.errors import FileError, UnsupportedError
from twinoar.pretrained.tokenizer.pattern import WHITE, compiled

Normalize = Callable[[str], str]
Split = Callable[[str, bool], list[str]]  # a piece, and whether the text begins with it
# GPT-2's: an ending after an apostrophe, letters, digits, or others, with a space in front; spaces.
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")


def byte_letters() -> dict[int, str]:
    """A letter that is seen for each byte: itself where it is, others from 256 on.

    >>> byte_letters()[65], byte_letters()[32]
    ('A', 'Ġ')
    """
    seen = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {b: chr(b) for b in seen} | {b: chr(256 + n) for n, b in enumerate(hidden)}


LETTERS = byte_letters()


def normalizer(told: Any) -> Normalize:
    """The normalizer of a part. Raises UnsupportedError, FileError."""
    if told is None:
        return lambda text: text
    kind = kind_of(told)
    for form in FORMS:
        if kind == form:
            return partial(unicodedata.normalize, form)
    if kind == "Lowercase":
        return str.lower
    if kind == "Sequence":
        parts = [normalizer(part) for part in told["normalizers"]]
        return lambda text: _through(parts, text)
    if kind == "Prepend":
        return lambda text: told["prepend"] + text if text else text
    if kind == "Replace":
        return replacing(told)
    if kind == "Strip":
        left, right = told["strip_left"], told["strip_right"]
        return lambda text: _stripped(text, left, right)
    raise refused("normalizer", kind)


def splitter(told: Any) -> Split:
    """The cutting of a part. Raises UnsupportedError, FileError."""
    if told is None:
        return lambda text, first: [text]
    kind = kind_of(told)
    if kind == "Sequence":
        return partial(_in_turn, [splitter(part) for part in told["pretokenizers"]])
    if kind == "ByteLevel":
        pattern = compiled(GPT2) if told.get("use_regex", True) else None
        return partial(_byte_level, pattern, told.get("add_prefix_space", True))
    if kind == "Split":
        pattern = pattern_of(told)
        return partial(_split, pattern, told["behavior"], told.get("invert", False))
    if kind == "Digits":
        digit = r"\p{N}" if told.get("individual_digits", False) else r"\p{N}+"
        return partial(_split, compiled(digit), "Isolated", False)
    if kind == "WhitespaceSplit":
        return partial(_split, compiled(r"\s"), "Removed", False)
    if kind == "Metaspace":
        scheme = told.get("prepend_scheme", "always")
        return partial(_metaspace, told["replacement"], scheme, told.get("split", True))
    raise refused("pre_tokenizer", kind)


def pattern_of(told: Mapping[str, Any]) -> re.Pattern[str]:
    """The expression in a part, or the text that it is to be."""
    pattern = told["pattern"]
    if "String" in pattern:
        return re.compile(re.escape(pattern["String"]))
    return compiled(pattern["Regex"])


def replacing(told: Mapping[str, Any]) -> Normalize:
    """What puts one text in place of others."""
    pattern, content = pattern_of(told), told["content"]
    return lambda text: pattern.sub(lambda _: content, text)


def kind_of(told: Any) -> str:
    """The type that a part names. Raises FileError where it names none."""
    if not isinstance(told, Mapping) or not isinstance(told.get("type"), str):
        raise FileError(f"a part of the tokenizer names its type, not {str(told)[:80]!r}")
    return str(told["type"])


def refused(what: str, kind: str) -> UnsupportedError:
    """The error for a kind that is not served."""
    return UnsupportedError(f"the tokenizer's {what} of type {kind[:80]!r} is not served")


def _through(parts: Sequence[Normalize], text: str) -> str:
    for part in parts:
        text = part(text)
    return text


def _stripped(text: str, left: bool, right: bool) -> str:
    text = text.lstrip(WHITE) if left else text
    return text.rstrip(WHITE) if right else text


def _in_turn(parts: Sequence[Split], text: str, first: bool) -> list[str]:
    pieces = [text]
    for part in parts:
        pieces = [
            cut for n, piece in enumerate(pieces) for cut in part(piece, first and n == 0) if cut
        ]
    return pieces


def _byte_level(pattern: re.Pattern[str] | None, prefix: bool, text: str, first: bool) -> list[str]:
    if prefix and not text.startswith(" "):
        text = f" {text}"
    pieces = [text] if pattern is None else _split(pattern, "Isolated", False, text, first)
    return ["".join([LETTERS[byte] for byte in piece.encode()]) for piece in pieces]


def _metaspace(mark: str, scheme: str, splits: bool, text: str, first: bool) -> list[str]:
    text = text.replace(" ", mark)
    wanted = scheme == "always" or (scheme == "first" and first)
    if wanted and not text.startswith(mark):
        text = mark + text
    if not splits:
        return [text]
    return _split(re.compile(re.escape(mark)), "MergedWithNext", False, text, first)


def _split(
    pattern: re.Pattern[str], behavior: str, invert: bool, text: str, first: bool
) -> list[str]:
    """The pieces of a text between what matches, and what becomes of that."""
    parts: list[tuple[str, bool]] = []
    end = 0
    for match in pattern.finditer(text):
        if match.end() == match.start():
            continue
        parts += [(text[end : match.start()], invert), (match[0], not invert)]
        end = match.end()
    parts = [(piece, cuts) for piece, cuts in [*parts, (text[end:], invert)] if piece]
    if behavior == "Isolated":
        return [piece for piece, _ in parts]
    if behavior == "Removed":
        return [piece for piece, cuts in parts if not cuts]
    return _merged(parts, behavior)


def _merged(parts: list[tuple[str, bool]], behavior: str) -> list[str]:
    """Pieces with what cuts them put to one of their sides, or to others that cut."""
    found: list[str] = []
    before: bool | None = None
    if behavior == "MergedWithNext":
        turned = _merged([(piece[::-1], cuts) for piece, cuts in parts[::-1]], "MergedWithPrevious")
        return [piece[::-1] for piece in turned[::-1]]
    for piece, cuts in parts:
        joins = cuts and before is False if behavior == "MergedWithPrevious" else cuts == before
        if joins and found:
            found[-1] += piece
        else:
            found.append(piece)
        before = cuts
    if behavior not in ("MergedWithPrevious", "Contiguous"):
        raise refused("behavior of a split", behavior)
    return found
