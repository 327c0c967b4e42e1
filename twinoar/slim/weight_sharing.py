"""Weights that have few values, found by k-means.

Source: Han et al. 2015, arXiv 1510.00149.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil, log2
from typing import Any

import numpy as np

from twinoar import nn
from twinoar.errors import ArgumentError, UnknownNameError
from twinoar.slim.plan import put

ITERATIONS = 50  # of k-means, which settles earlier on weights


@dataclass(frozen=True, slots=True)
class Codebook:
    """The values of one weight, [k], and which each element has, in the weight's shape."""

    values: np.ndarray
    indices: np.ndarray

    @property
    def bits(self) -> int:
        """How many bits an element takes."""
        return max(ceil(log2(len(self.values))), 1)

    @property
    def size(self) -> int:
        """Bytes of indices and values together."""
        return ceil(self.indices.size * self.bits / 8) + self.values.nbytes


class WeightSharing:
    """Weights of a network that have few values each, by name: `codebooks`.

    `share_weights` makes it. Call `step` after each step of an optimizer: elements that share a
    value go on sharing one.
    """

    def __init__(self, weights: Mapping[str, Any], codebooks: dict[str, Codebook], zeros: bool):
        self._weights, self.codebooks, self._zeros = dict(weights), codebooks, zeros

    def step(self) -> None:
        """Give elements that share a value the mean of what they are now; 0 stays where it was."""
        for name, weight in self._weights.items():
            book = self.codebooks[name]
            moved = weight.numpy().astype(np.float64).ravel()
            counts = np.bincount(book.indices.ravel(), minlength=len(book.values))
            sums = np.bincount(book.indices.ravel(), moved, minlength=len(book.values))
            values = np.where(counts > 0, sums / np.maximum(counts, 1), book.values)
            if self._zeros:
                values[book.values == 0] = 0
            values = values.astype(book.values.dtype)
            self.codebooks[name] = Codebook(values, book.indices)
            put(weight, values[book.indices])

    @property
    def size(self) -> int:
        """Bytes of all codebooks and indices."""
        return sum(book.size for book in self.codebooks.values())


def share_weights(
    model: nn.Layer,
    clusters: int = 16,
    names: Collection[str] | None = None,
    keep_zeros: bool = True,
) -> WeightSharing:
    """Give each weight of at least two axes `clusters` values at most, those nearest by k-means.

    names: of parameters, for only these. keep_zeros: 0 is one of the values where a weight has
    zeros, and stays 0 in `step`. Raises ArgumentError, UnknownNameError.

    >>> net = twinoar.nn.Linear(8, 8)
    >>> sharing = share_weights(net, clusters=4)
    >>> len(np.unique(net.weight.numpy())), sharing.size
    (4, 32)
    """
    if clusters < 2:
        raise ArgumentError(f"a weight has at least 2 values, received clusters={clusters}")
    known = {p.name: p for p in model.parameters()}
    if missing := set(names or ()) - set(known):
        raise UnknownNameError(f"the network has no parameter {', '.join(sorted(missing))}")
    chosen = [n for n, p in known.items() if (len(p.shape) > 1 if names is None else n in names)]
    weights = {name: known[name] for name in chosen}
    books = {name: _codebook(p.numpy(), clusters, keep_zeros) for name, p in weights.items()}
    for name, book in books.items():
        put(weights[name], book.values[book.indices])
    return WeightSharing(weights, books, keep_zeros)


def _codebook(weight: np.ndarray, clusters: int, keep_zeros: bool) -> Codebook:
    """k-means of numbers: centers start evenly, as then those of large weights are found too."""
    flat = weight.astype(np.float64).ravel()
    if not np.isfinite(flat).all():
        raise ArgumentError("a weight has elements that are not finite", cure="train it again")
    nonzero = flat[flat != 0] if keep_zeros else flat
    has_zeros = len(nonzero) < len(flat)
    centers = _centers(nonzero, clusters - has_zeros)
    if has_zeros:
        centers = np.unique(np.append(centers, 0.0))
    values = np.unique(centers.astype(weight.dtype))
    indices = _nearest(flat, values.astype(np.float64))
    if has_zeros:  # what is not zero is near 0, but stays apart from what was pruned
        indices[flat == 0] = int(np.flatnonzero(values == 0)[0])
    kind = np.uint8 if len(values) <= 256 else np.int64
    return Codebook(values, indices.reshape(weight.shape).astype(kind))


def _centers(numbers: np.ndarray, count: int) -> np.ndarray:
    different = np.unique(numbers)
    if len(different) <= count:
        return different
    centers = np.linspace(numbers.min(), numbers.max(), count)
    for _ in range(ITERATIONS):
        places = _nearest(numbers, centers)
        counts = np.bincount(places, minlength=count)
        sums = np.bincount(places, numbers, minlength=count)
        means = np.where(counts > 0, sums / np.maximum(counts, 1), centers)
        moved = np.sort(_without_empty(numbers, places, counts, means))
        if np.array_equal(moved, centers):
            break
        centers = moved
    return centers


def _without_empty(
    numbers: np.ndarray, places: np.ndarray, counts: np.ndarray, means: np.ndarray
) -> np.ndarray:
    """Centers that nothing is near to divide the clusters that are spread most."""
    squares = np.bincount(places, np.square(numbers - means[places]), minlength=len(means))
    means = means.copy()
    widest = np.argsort(squares)[::-1]
    for empty, wide in zip(np.flatnonzero(counts == 0), widest, strict=False):
        if squares[wide] > 0:
            spread = np.sqrt(squares[wide] / counts[wide])
            means[empty], means[wide] = means[wide] + spread, means[wide] - spread
    return means


def _nearest(numbers: np.ndarray, centers: np.ndarray) -> np.ndarray:
    return np.searchsorted((centers[1:] + centers[:-1]) / 2, numbers)
