"""Byte-pair encoding: pieces of text as the words of a vocabulary, by merges in order.

Source: arXiv 1508.07909.
"""

from __future__ import annotations

import heapq
from functools import lru_cache
from typing import Any

from twinoar.errors import FileError, UnsupportedError
from twinoar.pretrained.tokenizer.split import kind_of, refused

KEPT_PIECES = 1 << 14  # whose words are remembered: most of a text are of a few thousand
LONG = 256  # letters of a piece that is not remembered
PLAIN = {"dropout": None, "continuing_subword_prefix": None, "end_of_word_suffix": None}


class Merging:
    """The encoding of a `model` part of type BPE. Raises FileError, UnsupportedError."""

    def __init__(self, told: Any):
        if kind_of({"type": "BPE", **told}) != "BPE":
            raise refused("model", str(told["type"]))
        for name, usual in PLAIN.items():
            if told.get(name) not in (usual, "", 0, 0.0):
                raise UnsupportedError(f"a tokenizer with {name}={told[name]!r} is not served")
        self.vocabulary: dict[str, int] = dict(told["vocab"])
        if not all(type(number) is int and number >= 0 for number in self.vocabulary.values()):
            raise FileError("the tokenizer's vocabulary has a number for each word")
        self.whole = bool(told.get("ignore_merges", False))
        self.fuses = bool(told.get("fuse_unk", False))
        self.unknown = self._unknown(told.get("unk_token"))
        self.bytes = self._bytes() if told.get("byte_fallback", False) else None
        self.merges: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, merge in enumerate(told["merges"]):
            self._learn(rank, merge)
        self._short = lru_cache(KEPT_PIECES)(self._encoded)

    def encode(self, piece: str) -> tuple[int, ...]:
        """The words of a piece."""
        return self._short(piece) if len(piece) <= LONG else self._encoded(piece)

    def _encoded(self, piece: str) -> tuple[int, ...]:
        if self.whole and piece in self.vocabulary:
            return (self.vocabulary[piece],)
        return tuple(self._merged(self._letters(piece)))

    def _letters(self, piece: str) -> list[int]:
        """A word for each letter; for one that is none its bytes, or the unknown word."""
        found: list[int] = []
        after_unknown = False
        for letter in piece:
            known = self.vocabulary.get(letter)
            if known is None and self.bytes is not None:
                found += [self.bytes[byte] for byte in letter.encode()]
            elif known is not None:
                found.append(known)
            elif self.unknown is not None and not (self.fuses and after_unknown):
                found.append(self.unknown)
            after_unknown = known is None and self.bytes is None
        return found

    def _merged(self, words: list[int]) -> list[int]:
        """Join neighbors, the pair that was learned first before others, then from the left."""
        end = len(words)
        left, right = list(range(-1, end - 1)), list(range(1, end + 1))
        pairs: list[tuple[int, int, int, int]] = []

        def look(at: int) -> None:
            if at >= 0 and right[at] < end:
                pair = words[at], words[right[at]]
                if pair in self.merges:
                    heapq.heappush(pairs, (self.merges[pair][0], at, *pair))

        for at in range(end - 1):
            look(at)
        while pairs:
            _, at, one, two = heapq.heappop(pairs)
            other = right[at] if words[at] == one else end
            if other >= end or words[other] != two:
                continue  # one of them was joined meanwhile
            words[at], words[other] = self.merges[one, two][1], -1
            right[at] = right[other]
            if right[at] < end:
                left[right[at]] = at
            look(at)
            look(left[at])
        return [word for word in words if word >= 0]

    def _learn(self, rank: int, merge: Any) -> None:
        one, two = merge.split(" ") if isinstance(merge, str) else merge
        try:
            known = self.vocabulary
            pair, joined = (known[one], known[two]), known[one + two]
        except KeyError as error:
            word = error.args[0]
            raise FileError(f"the merge {merge!r} names {word!r}, which is no word") from None
        self.merges.setdefault(pair, (rank, joined))

    def _unknown(self, named: str | None) -> int | None:
        if named is None:
            return None
        if named not in self.vocabulary:
            raise FileError(f"the unknown word {named!r} is not in the vocabulary")
        return self.vocabulary[named]

    def _bytes(self) -> list[int]:
        try:
            return [self.vocabulary[f"<0x{byte:02X}>"] for byte in range(256)]
        except KeyError as error:
            word = error.args[0]
            raise FileError(f"the vocabulary lacks {word}, which byte_fallback asks for") from None
