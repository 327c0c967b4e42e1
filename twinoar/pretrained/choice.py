"""Which word comes next, from the scores of all: what is let in, and what is drawn.

Sources: for top_k arXiv 1805.04833, for top_p arXiv 1904.09751, for the penalty of repetition
arXiv 1909.05858.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twinoar.errors import ArgumentError

NEVER = -np.inf


@dataclass(frozen=True, slots=True)
class Choice:
    """How the next word is chosen. sample: draw it, else it is the likeliest.

    temperature: scores are divided by it before they are drawn from. top_k: draw from so many of
    the likeliest, 0 for all. top_p: from the fewest that have this share of probability.
    repetition_penalty: above 1, words that were there are less likely. Raises ArgumentError.
    """

    sample: bool = False
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    repetition_penalty: float = 1.0

    def __post_init__(self) -> None:
        _check("temperature", self.temperature, 0 < self.temperature < np.inf, "a number above 0")
        whole = isinstance(self.top_k, int | np.integer) and self.top_k >= 0
        _check("top_k", self.top_k, bool(whole), "a whole number, 0 for all words")
        _check("top_p", self.top_p, 0 <= self.top_p <= 1, "a number from 0 to 1")
        fits = 0 < self.repetition_penalty < np.inf
        _check("repetition_penalty", self.repetition_penalty, fits, "a number above 0")
        drawn = (self.temperature, self.top_k, self.top_p) != (1.0, 0, 1.0)
        if drawn and not self.sample:
            raise ArgumentError(
                "temperature, top_k and top_p are of words that are drawn, and none is",
                cure="do_sample=True",
            )


def penalized(scores: np.ndarray, texts: np.ndarray, penalty: float) -> np.ndarray:
    """Scores [batch,words] with those of words that are in texts [batch,steps] made worse.

    >>> penalized(np.array([[2.0, -1.0, 1.0]]), np.array([[0, 1]]), 2.0)
    array([[ 1., -2.,  1.]])
    """
    if penalty == 1.0:
        return scores
    rows = np.arange(len(texts))[:, None]
    there = scores[rows, texts]
    changed = scores.copy()
    changed[rows, texts] = np.where(there < 0, there * penalty, there / penalty)
    return changed


def let_in(scores: np.ndarray, choice: Choice) -> np.ndarray:
    """Scores [batch,words] by temperature, and minus infinity for words that are not drawn from.

    >>> let_in(np.array([[0.0, 2.0, 1.0]]), Choice(sample=True, top_k=2))
    array([[-inf,   2.,   1.]])
    """
    scores = scores / choice.temperature
    words = scores.shape[-1]
    if 0 < choice.top_k < words:
        least = np.partition(scores, words - choice.top_k, axis=-1)[:, words - choice.top_k, None]
        scores = np.where(scores < least, NEVER, scores)
    if choice.top_p < 1:
        order = np.argsort(-scores, axis=-1, kind="stable")
        share = np.take_along_axis(probabilities(scores), order, axis=-1)
        # Those of which the words before have less than top_p; the likeliest stays in any case.
        out = np.cumsum(share, axis=-1) - share >= max(choice.top_p, np.finfo(float).tiny)
        hidden = np.empty_like(out)
        np.put_along_axis(hidden, order, out, axis=-1)
        scores = np.where(hidden, NEVER, scores)
    return scores


def probabilities(scores: np.ndarray) -> np.ndarray:
    """The softmax of scores [...,words]."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def log_probabilities(scores: np.ndarray) -> np.ndarray:
    """The logarithm of the softmax of scores [...,words]."""
    scores = scores - scores.max(axis=-1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))


def drawn(scores: np.ndarray, generators: Sequence[np.random.Generator]) -> np.ndarray:
    """A word for each row [batch,words], each drawn with random numbers of its own."""
    summed = np.cumsum(probabilities(scores), axis=-1)
    thresholds = np.array([g.random() for g in generators])[:, None] * summed[:, -1:]
    return (summed <= thresholds).sum(axis=-1)


def _check(name: str, value: object, holds: bool, expected: str) -> None:
    if isinstance(value, bool) or not holds:
        raise ArgumentError(f"{name} is {expected}, received {value!r}")
