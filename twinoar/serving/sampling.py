"""The next token, from the scores of all, and how likely it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twinoar.errors import ServingError

LEAST = -9999.0  # what OpenAI tells of tokens that cannot come: JSON has no infinity


@dataclass(frozen=True, slots=True)
class Sampling:
    """temperature: 0 for the likeliest token. top_p: the share of probability that is drawn from.

    seed: of the random numbers, None for others each time. frequency, presence: what is taken off
    the score of a token for each time that it was written, and once if it was. bias: what is added
    to the scores of tokens, (token, number) each.
    """

    temperature: float = 1.0
    top_p: float = 1.0
    seed: int | None = None
    frequency: float = 0.0
    presence: float = 0.0
    bias: tuple[tuple[int, float], ...] = ()

    def generator(self) -> np.random.Generator:
        """The random numbers of one text."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, slots=True)
class Word:
    """A token of a text. logprob: the natural logarithm of its probability, None if not known.

    likeliest: the tokens that were the likeliest in its place, with the same, likeliest first.
    """

    token: int
    logprob: float | None = None
    likeliest: tuple[tuple[int, float], ...] = ()


def sampled(
    scores: np.ndarray, how: Sampling, generator: np.random.Generator, written: Sequence[int] = ()
) -> int:
    """A token by its scores [V], behind those written. Raises ServingError for scores that are nan.

    >>> sampled(np.array([0.0, 2.0, 1.0]), Sampling(temperature=0), np.random.default_rng(0))
    1
    """
    wide = _shifted(_checked(scores), how, written)
    if how.temperature == 0 or len(wide) == 1:
        return int(wide.argmax())
    weights = np.exp((wide - wide.max()) / how.temperature)
    weights /= weights.sum()
    if how.top_p < 1:
        order = np.argsort(-weights, kind="stable")
        # Those of which the tokens before have less than top_p; the likeliest stays in any case.
        before = np.cumsum(weights[order]) - weights[order]
        kept = order[: max(int((before < how.top_p).sum()), 1)]
        chosen = generator.choice(len(kept), p=weights[kept] / weights[kept].sum())
        return int(kept[chosen])
    return int(generator.choice(len(weights), p=weights))


def word_of(token: int, scores: np.ndarray, count: int) -> Word:
    """A token as the model's scores [V] have it, whatever was drawn from, with `count` likeliest.

    >>> word_of(0, np.zeros(1), 1)
    Word(token=0, logprob=0.0, likeliest=((0, 0.0),))
    """
    wide = _checked(scores).astype("float64")
    wide -= wide.max()
    logprobs = np.maximum(wide - np.log(np.exp(wide).sum()), LEAST)
    order = np.argsort(-logprobs, kind="stable")[:count].tolist()
    return Word(token, float(logprobs[token]), tuple((n, float(logprobs[n])) for n in order))


def _checked(scores: np.ndarray) -> np.ndarray:
    if np.isnan(scores).any():
        raise ServingError("the model gave scores that are no numbers")
    return scores


def _shifted(scores: np.ndarray, how: Sampling, written: Sequence[int]) -> np.ndarray:
    """The scores with what a request adds to them and takes off."""
    wide = scores.astype("float64")
    if written and (how.frequency or how.presence):
        tokens, counts = np.unique(written, return_counts=True)
        wide[tokens] -= how.frequency * counts + how.presence
    for token, number in how.bias:
        wide[token] += number
    return wide
