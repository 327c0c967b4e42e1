"""Counts of runs of words."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.errors import UnsupportedError
from twinoar.onnx.table import Known, node


@node("TfIdfVectorizer")
def tfidf(
    x: Known,
    *,
    max_gram_length: int,
    max_skip_count: int,
    min_gram_length: int,
    mode: str,
    ngram_counts: list,
    ngram_indexes: list,
    pool_int64s: list | None = None,
    pool_strings: list | None = None,
    weights: list | None = None,
) -> Any:
    if pool_int64s is None:
        raise UnsupportedError("TfIdfVectorizer of texts", cure="number the words")
    grams = _grams(pool_int64s, ngram_counts)
    rows = np.atleast_2d(x)
    counts = np.zeros((len(rows), max(ngram_indexes) + 1), "float32")
    for n, row in enumerate(rows.tolist()):
        for length in range(min_gram_length, max_gram_length + 1):
            skips = range(max_skip_count + 1) if length > 1 else range(1)
            for skip in skips:
                reach = (length - 1) * (skip + 1) + 1
                for start in range(len(row) - reach + 1):
                    place = grams.get(tuple(row[start : start + reach : skip + 1]))
                    if place is not None:
                        counts[n, ngram_indexes[place]] += 1
    own = np.ones(counts.shape[1], "float32")
    if weights is not None:
        own[np.asarray(ngram_indexes)] = weights
    found = {"TF": counts, "IDF": (counts > 0) * own, "TFIDF": counts * own}[mode]
    return found.astype("float32") if x.ndim > 1 else found[0].astype("float32")


def _grams(pool: list[int], starts: list[int]) -> dict[tuple, int]:
    """The number of each run. starts: where those of length 1, 2, ... begin in the pool."""
    found: dict[tuple, int] = {}
    for n, start in enumerate(starts):
        end = starts[n + 1] if n + 1 < len(starts) else len(pool)
        for at in range(start, end, n + 1):
            found[tuple(pool[at : at + n + 1])] = len(found)
    return found
