"""Text as tokens and back, for language models of the repository."""

from __future__ import annotations

import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from twinoar import pretrained
from twinoar.errors import FileError, UnsupportedError
from twinoar.pretrained.tokenizer import FILE
from twinoar.serving.status import invalid

REPLACEMENT = "\ufffd"  # what stands for bytes that are no character, or not yet


class Tokenizer(Protocol):
    """What a language model needs of one; `tokenizer.py` of a version may bring its own."""

    def encode(self, text: str) -> Sequence[int]:
        """The tokens of a text."""

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""


class Bytes:
    """A token for each byte of UTF-8.

    >>> Bytes().decode(Bytes().encode("ä"))
    'ä'
    """

    def encode(self, text: str) -> list[int]:
        """The bytes of a text."""
        return list(text.encode(errors="replace"))

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of bytes; tokens above 255 have none."""
        return bytes(t for t in tokens if t < 256).decode(errors="replace")


class Characters:
    """A token for each character of an alphabet, by its place. Raises ServingError for others.

    >>> Characters("ab").encode("ba")
    [1, 0]
    """

    def __init__(self, alphabet: str):
        self._alphabet = alphabet
        self._places = {character: place for place, character in enumerate(alphabet)}

    def encode(self, text: str) -> list[int]:
        """The places of a text's characters."""
        try:
            return [self._places[character] for character in text]
        except KeyError as error:
            raise invalid(f"the model does not know the character {error.args[0]!r}") from None

    def decode(self, tokens: Sequence[int]) -> str:
        """The characters at these places."""
        return "".join(self._alphabet[t] for t in tokens if t < len(self._alphabet))


def open_tokenizer(folder: Path, named: str, *, python: bool) -> Tokenizer:
    """The tokenizer that a config names: "bytes", "characters", "tokenizer.json" or "python".

    "characters" reads alphabet.txt of the version's folder, "tokenizer.json" that file, "python"
    runs the class `Tokenizer` of its tokenizer.py. Raises FileError, UnsupportedError.
    """
    if named == "bytes":
        return Bytes()
    if named == "characters":
        file = folder / "alphabet.txt"
        try:
            return Characters(file.read_bytes().decode())  # line ends are characters too
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(f"cannot read {file}: {error}") from error
    if named == FILE:
        return pretrained.Tokenizer.load(folder / FILE)
    if named == "python":
        return _of_python(folder / "tokenizer.py", python)
    known = ("bytes", "characters", FILE, "python")
    raise FileError(f"there is no tokenizer {named!r}", cure=f"one of {', '.join(known)}")


def _of_python(file: Path, allowed: bool) -> Any:
    if not allowed:
        raise UnsupportedError(f"{file} is Python, which would run in the server",
                               cure="--allow-python lets a trusted repository do so")  # fmt: skip
    if not file.is_file():
        raise FileError(f"there is no {file}")
    made = runpy.run_path(str(file)).get("Tokenizer")
    if not isinstance(made, type):
        raise FileError(f"{file} has no class `Tokenizer`")
    return made()
