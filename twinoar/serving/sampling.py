"""The next token, from the scores of all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twinoar.errors import ServingError


@dataclass(frozen=True, slots=True)
class Sampling:
    """temperature: 0 for the likeliest token. top_p: the share of probability that is drawn from.

    seed: of the random numbers, None for others each time.
    """

    temperature: float = 1.0
    top_p: float = 1.0
    seed: int | None = None

    def generator(self) -> np.random.Generator:
        """The random numbers of one text."""
        return np.random.default_rng(self.seed)


def sampled(scores: np.ndarray, how: Sampling, generator: np.random.Generator) -> int:
    """A token by its scores [V]. Raises ServingError for scores that are no numbers.

    >>> sampled(np.array([0.0, 2.0, 1.0]), Sampling(temperature=0), np.random.default_rng(0))
    1
    """
    if np.isnan(scores).any():
        raise ServingError("the model gave scores that are no numbers")
    if how.temperature == 0 or len(scores) == 1:
        return int(scores.argmax())
    wide = scores.astype("float64")
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
