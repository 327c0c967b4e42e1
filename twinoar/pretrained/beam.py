"""Beam search: several texts followed beside each other, of which the likeliest are kept.

A text's score is the sum of the logarithms of its words' probabilities; what has ended is compared
by that sum divided by a power of its length. Source: arXiv 1609.08144, section 7.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinoar.pretrained.choice import log_probabilities

NONE = -1e9  # the score of a text that is not there


class Beams:
    """The texts of `batch` prompts, `width` of each. ends: words that end a text."""

    def __init__(
        self, batch: int, width: int, length_penalty: float, early_stopping: bool,
        ends: Sequence[int],
    ):  # fmt: skip
        self.batch, self.width, self.ends = batch, width, tuple(ends)
        self.power, self.stops_early = float(length_penalty), bool(early_stopping)
        self.scores = np.full((batch, width), NONE)
        self.scores[:, 0] = 0.0  # all beams begin alike, so that one of them counts
        self.ended: list[list[tuple[float, np.ndarray]]] = [[] for _ in range(batch)]
        self.done = np.zeros(batch, bool)

    @property
    def go_on(self) -> bool:
        """Whether a text of any prompt may still become better than those that ended."""
        return not self.done.all()

    def advance(
        self, scores: np.ndarray, texts: np.ndarray, steps: int, *, last: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Each beam's row before [rows], and its new word [rows,1].

        scores: of the next word, [rows,words]. texts: [rows,steps so far], `steps` of them the
        prompt. last: whether all texts end with this word.
        """
        words = scores.shape[-1]
        summed = log_probabilities(scores).reshape(self.batch, self.width, words)
        summed = (summed + self.scores[:, :, None]).reshape(self.batch, -1)
        count = min(max(2, 1 + len(self.ends)) * self.width, summed.shape[1])
        order = np.argsort(-summed, axis=-1, kind="stable")[:, :count]
        parents = np.empty((self.batch, self.width), np.int64)
        chosen = np.empty((self.batch, self.width), texts.dtype)
        length = texts.shape[1] + 1 - steps
        for text in range(self.batch):
            places, sums = order[text], summed[text, order[text]]
            rows, found = text * self.width + places // words, (places % words).astype(texts.dtype)
            ends = np.isin(found, self.ends) | last
            if not self.done[text]:
                self._end(text, ends, rows, found, sums, texts, length)
            kept = np.argsort(-np.where(ends, sums + NONE, sums), kind="stable")[: self.width]
            self.scores[text] = np.where(ends, sums + NONE, sums)[kept]
            parents[text], chosen[text] = rows[kept], found[kept]
            self.done[text] |= self._finished(text, length)
        return parents.reshape(-1), chosen.reshape(-1, 1)

    def best(self, copies: int, padding: int) -> np.ndarray:
        """The best texts of each prompt [batch * copies,steps], padded behind."""
        found = [text for ended in self.ended for _, text in ended[:copies]]
        steps = max(map(len, found))
        whole = np.full((len(found), steps), padding, found[0].dtype)
        for row, text in enumerate(found):
            whole[row, : len(text)] = text
        return whole

    def _end(
        self, text: int, ends: np.ndarray, rows: np.ndarray, words: np.ndarray, sums: np.ndarray,
        texts: np.ndarray, length: int,
    ) -> None:  # fmt: skip
        """Keep what has ended among the best; those behind the first `width` are too unlikely."""
        for place in np.flatnonzero(ends[: self.width]):
            whole = np.append(texts[rows[place]], words[place])
            self.ended[text].append((sums[place] / length**self.power, whole))
        self.ended[text].sort(key=lambda one: -one[0])
        del self.ended[text][self.width :]

    def _finished(self, text: int, length: int) -> bool:
        """Whether nothing better may come for a prompt."""
        ended = self.ended[text]
        if len(ended) < self.width:
            return False
        return self.stops_early or self.scores[text, 0] / length**self.power <= ended[-1][0]
