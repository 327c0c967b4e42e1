"""A text as its tokens come: pieces that will not change any more, and where it ends.

Only the tokens since the last whole character are decoded, beside a few before them, as what a
token is in text may hang on its neighbors: so a token costs the same however long the text is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from twinoar.serving.tokenizer import REPLACEMENT, Tokenizer

BESIDE = 4  # tokens of the prompt that are decoded with the first
MOST_HELD = 16  # tokens after which bytes that make no character are none; one has four bytes


@dataclass(slots=True)
class Text:
    """Tokens in, pieces out. stops: the strings that end the text, which are not part of it.

    Of `tokens` those before `first` are done with, those before `following` are in `certain`.
    """

    tokenizer: Tokenizer
    stops: Sequence[str]
    tokens: list[int] = field(default_factory=list)
    first: int = 0
    following: int = 0
    certain: str = ""
    given: int = 0
    stopped: bool = False

    @classmethod
    def after(cls, prompt: Sequence[int], tokenizer: Tokenizer, stops: Sequence[str]) -> Text:
        """The text that follows a prompt."""
        beside = list(prompt[-BESIDE:])
        return cls(tokenizer, stops, beside, following=len(beside))

    def add(self, token: int) -> str:
        """The characters that are certain now."""
        self.tokens.append(token)
        self._decode(last=False)
        held = max((_overlap(self.certain, stop) for stop in self.stops), default=0)
        return self._piece(len(self.certain) - held)

    def rest(self) -> str:
        """What was held back, when no more tokens come."""
        if not self.stopped:
            self._decode(last=True)
        return self._piece(len(self.certain))

    def _decode(self, *, last: bool) -> None:
        """Add the text of tokens that make whole characters, and see whether it ends there."""
        before = self.tokenizer.decode(self.tokens[self.first : self.following])
        whole = self.tokenizer.decode(self.tokens[self.first :])
        waits = len(self.tokens) - self.following < MOST_HELD
        if whole.endswith(REPLACEMENT) and waits and not last:
            return
        looked = max(len(self.certain) - max(map(len, self.stops), default=0), 0)
        self.certain += whole[len(before) :]
        self.first, self.following = self.following, len(self.tokens)
        ends = [at for stop in self.stops if (at := self.certain.find(stop, looked)) >= 0]
        if ends:
            self.stopped = True
            self.certain = self.certain[: min(ends)]

    def _piece(self, end: int) -> str:
        piece = self.certain[self.given : end]
        self.given = max(self.given, end)
        return piece


def _overlap(text: str, stop: str) -> int:
    """How many characters at the end of a text may begin a stop string."""
    return next((n for n in range(len(stop) - 1, 0, -1) if text.endswith(stop[:n])), 0)
