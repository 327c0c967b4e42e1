"""A histogram over batches, whose range grows without a count being lost or divided."""

from __future__ import annotations

import numpy as np

from twinoar.errors import ArgumentError


class Histogram:
    """How many values lie in each of some bins of equal width.

    bins: how many, an even number. Where a value lies outside of the range, the range is doubled
    towards it, and pairs of bins become one: counts stay whole, and each stays in a bin that its
    values lie in, ends included. Until two different values were seen there is no range. It is
    changed by `add`. low: where the range begins, for values none of which is below. Raises
    ArgumentError.

    >>> seen = Histogram(4)
    >>> seen.add(np.array([0.0, 1.0, 4.0]))
    >>> seen.add(np.array([7.0]))
    >>> seen.counts.tolist(), seen.edges.tolist()
    ([2, 1, 0, 1], [0.0, 2.0, 4.0, 6.0, 8.0])
    """

    def __init__(self, bins: int = 2048, low: float = np.inf):
        if bins < 2 or bins % 2:
            raise ArgumentError(f"bins must be an even number, received {bins!r}")
        self.bins, self.total = bins, 0
        self.least, self.greatest = low, -np.inf
        self._low = self._high = 0.0
        self._counts: np.ndarray | None = None

    @property
    def counts(self) -> np.ndarray:
        """How many values lie in each bin, [bins], int64."""
        if self._counts is not None:
            return self._counts
        return np.where(np.arange(self.bins) == self.bins - 1, self.total, 0)

    @property
    def edges(self) -> np.ndarray:
        """Where bins begin, and the last ends, [bins + 1], float64; all the only value there is."""
        if self._counts is None:
            return np.full(self.bins + 1, self.least if self.total else 0.0)
        return np.linspace(self._low, self._high, self.bins + 1)

    def add(self, values: np.ndarray) -> None:
        """Count more values, finite ones."""
        if not values.size:
            return
        before, alone = self.total, self.least
        self.total += values.size
        self.least = min(self.least, float(values.min()))
        self.greatest = max(self.greatest, float(values.max()))
        if self.least == self.greatest:
            return
        if self._counts is None:
            self._counts = np.zeros(self.bins, np.int64)
            self._low, self._high = self.least, self.greatest
            if before:
                self._count(np.full(1, alone), before)
        self._grow()
        self._count(values, 1)

    def _count(self, values: np.ndarray, times: int) -> None:
        assert self._counts is not None
        # Not np.histogram, which refuses ranges of a few units in the last place.
        places = (values - self._low) / (self._high - self._low) * self.bins
        inside = np.clip(places.astype(np.int64), 0, self.bins - 1).ravel()
        self._counts = self._counts + np.bincount(inside, minlength=self.bins) * times

    def _grow(self) -> None:
        """Double the range until all values lie in it."""
        assert self._counts is not None
        nothing = np.zeros(self.bins // 2, np.int64)
        while self.least < self._low or self.greatest > self._high:
            width, pairs = self._high - self._low, self._counts.reshape(-1, 2).sum(1)
            if self.least < self._low:
                self._low -= width
                self._counts = np.concatenate([nothing, pairs])
            else:
                self._high += width
                self._counts = np.concatenate([pairs, nothing])
