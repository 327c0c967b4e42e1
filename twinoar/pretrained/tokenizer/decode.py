"""Words back to text: what the `decoder` of a tokenizer does, from words to words, then joined."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from twinoar.pretrained.tokenizer.split import LETTERS, kind_of, refused, replacing

Decode = Callable[[list[str]], list[str]]
BYTES = {letter: byte for byte, letter in LETTERS.items()}
BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
REPLACEMENT = "\ufffd"  # what stands for bytes that are no character, or not yet


def decoder(told: Any) -> Decode:
    """The decoder of a part. Raises UnsupportedError, FileError."""
    if told is None:
        return lambda words: [" ".join(words)]
    kind = kind_of(told)
    if kind == "Sequence":
        return partial(_in_turn, [decoder(part) for part in told["decoders"]])
    if kind == "ByteLevel":
        return _of_bytes
    if kind == "ByteFallback":
        return _of_fallback
    if kind == "Fuse":
        return lambda words: ["".join(words)]
    if kind == "Replace":
        replace = replacing(told)
        return lambda words: [replace(word) for word in words]
    if kind == "Strip":
        return partial(_stripped, told)
    if kind == "Metaspace":
        strips = told.get("prepend_scheme", "always") != "never"
        return partial(_of_metaspace, told["replacement"], strips)
    raise refused("decoder", kind)


def _in_turn(parts: list[Decode], words: list[str]) -> list[str]:
    for part in parts:
        words = part(words)
    return words


def _of_bytes(words: list[str]) -> list[str]:
    found = bytearray()
    for word in words:
        if all(letter in BYTES for letter in word):
            found += bytes(BYTES[letter] for letter in word)
        else:  # a word that was added, as it is
            found += word.encode()
    return [found.decode(errors="replace")]


def _of_fallback(words: list[str]) -> list[str]:
    """Runs of bytes as their text, or a mark for each where they are none."""
    found: list[str] = []
    run = bytearray()
    for word in [*words, ""]:
        told = BYTE.fullmatch(word)
        if told is not None:
            run.append(int(told[1], 16))
            continue
        if run:
            found += _characters(bytes(run))
            run.clear()
        found.append(word)
    return found[:-1]


def _characters(run: bytes) -> list[str]:
    try:
        return [run.decode()]
    except UnicodeDecodeError:
        return [REPLACEMENT] * len(run)


def _stripped(told: Mapping[str, Any], words: list[str]) -> list[str]:
    """Each word without so many of a letter at its ends."""
    found = []
    for word in words:
        for _ in range(told["start"]):
            word = word.removeprefix(told["content"])
        for _ in range(told["stop"]):
            word = word.removesuffix(told["content"])
        found.append(word)
    return found


def _of_metaspace(mark: str, strips: bool, words: list[str]) -> list[str]:
    found = [word.replace(mark, " ") for word in words]
    if strips and found and words[0].startswith(mark):
        found[0] = found[0][1:]
    return found
