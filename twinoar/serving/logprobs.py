"""How likely the tokens of a text were, as OpenAI's two kinds of answers tell it.

Source: https://platform.openai.com/docs/api-reference/chat/object
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twinoar.serving.sampling import Word
from twinoar.serving.text import BESIDE
from twinoar.serving.tokenizer import REPLACEMENT, Tokenizer


@dataclass(slots=True)
class Teller:
    """Tells the words of one text, piece by piece. before: the tokens that stand before the next.

    offset: the characters that do.
    """

    tokenizer: Tokenizer
    before: list[int]
    offset: int = 0

    def of_completion(self, words: Sequence[Word]) -> dict[str, Any]:
        """In the lists of `/v1/completions`; the likeliest by their text, the token among them."""
        told: dict[str, list[Any]] = {
            name: [] for name in ("tokens", "token_logprobs", "top_logprobs", "text_offset")
        }
        for word in words:
            text = self._text(word.token)
            likeliest = None if word.logprob is None else self._by_text(word, word.logprob)
            told["tokens"].append(text)
            told["token_logprobs"].append(word.logprob)
            told["top_logprobs"].append(likeliest)
            told["text_offset"].append(self.offset)
            self._pass(word.token, text)
        return told

    def of_chat(self, words: Sequence[Word]) -> dict[str, Any]:
        """In the list of `/v1/chat/completions`, each with its bytes."""
        content = []
        for word in words:
            text = self._text(word.token)
            likeliest = [self._one(token, logprob) for token, logprob in word.likeliest]
            content.append({**self._one(word.token, word.logprob), "top_logprobs": likeliest})
            self._pass(word.token, text)
        return {"content": content, "refusal": None}

    def _by_text(self, word: Word, logprob: float) -> dict[str, float]:
        """The likeliest by their text; of several with the same, those behind by their number."""
        found: dict[str, float] = {}
        for token, one in {**dict(word.likeliest), word.token: logprob}.items():
            text = self._text(token)
            found[f"token_id:{token}" if text in found else text] = one
        return found

    def _one(self, token: int, logprob: float | None) -> dict[str, Any]:
        text = self._text(token)
        # Of a part of a character there is no text, so nobody is told that these were its bytes.
        told = None if REPLACEMENT in text else list(text.encode())
        return {"token": text, "logprob": logprob, "bytes": told}

    def _text(self, token: int) -> str:
        """A token's own text, which may hang on what is before it, as a space does."""
        before = self.tokenizer.decode(self.before)
        whole = self.tokenizer.decode([*self.before, token])
        return whole[len(before) :] if whole.startswith(before) else self.tokenizer.decode([token])

    def _pass(self, token: int, text: str) -> None:
        self.before = [*self.before, token][-BESIDE:]
        self.offset += len(text)
