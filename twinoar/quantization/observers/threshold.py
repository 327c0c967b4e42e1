"""Where to clip, found from a histogram: the part kept, the least divergence, the least error."""

from __future__ import annotations

import numpy as np

from twinoar.errors import ArgumentError

# PaddleSlim's candidates for what is clipped at, as shares of the largest magnitude.
SHARES = np.linspace(0.3, 1.0, 36)


def percentiles(counts: np.ndarray, edges: np.ndarray, part: float) -> tuple[float, float]:
    """The ends of a range that has `part` of the values below its end, and above its beginning.

    counts: [bins]. edges: [bins + 1]. part: above 0.5, at most 1. Between edges it is linear.
    Raises ArgumentError.

    >>> percentiles(np.array([1, 2, 1]), np.array([0.0, 1.0, 2.0, 3.0]), 0.875)
    (0.5, 2.5)
    """
    if not 0.5 < part <= 1:
        raise ArgumentError(f"the part to keep is above 0.5 and at most 1, received {part!r}")
    reached = np.concatenate([[0], np.cumsum(counts)]) / counts.sum()
    inner = np.flatnonzero(counts)
    # Only edges where something is counted; np.interp wants places that increase.
    places = np.union1d(inner, inner + 1)
    low, high = np.interp([1 - part, part], reached[places], edges[places])
    return float(low), float(high)


def least_divergence(counts: np.ndarray, levels: int, share: float = 0.0) -> int:
    """How many bins to keep so that quantization to `levels` loses the least information.

    counts: [bins], of magnitudes from 0. Kept bins, the last of them with all that is clipped, are
    compared with themselves in `levels` groups, each group's values spread evenly over those of its
    bins that are not empty, by the Kullback-Leibler divergence. Returns from `levels` to the last
    bin that is not empty, and no less than a share of that; of equals the greatest. Source: Migacz
    2017, "8-bit Inference with TensorRT", GTC.

    >>> least_divergence(np.array([9, 9, 9, 9, 0, 0, 0, 0]), 2)
    4
    """
    counts = np.trim_zeros(counts, "b")
    tail = counts.sum() - np.cumsum(counts)
    best, chosen = np.inf, len(counts)
    for kept in range(len(counts), max(levels, round(len(counts) * share)) - 1, -1):
        found = divergence(counts[:kept], int(tail[kept - 1]), levels)
        if found < best:
            best, chosen = found, kept
    return chosen


def divergence(kept: np.ndarray, clipped: int, levels: int) -> float:
    """The divergence of kept bins, with so many values clipped into the last, from their groups."""
    truth = kept.astype(np.float64)
    truth[-1] += clipped
    starts = np.arange(levels) * len(kept) // levels
    sizes = np.diff(np.append(starts, len(kept)))
    filled = truth > 0
    sums = np.add.reduceat(kept.astype(np.float64), starts)
    nonempty = np.maximum(np.add.reduceat(filled.astype(np.int64), starts), 1)
    model = np.repeat(sums / nonempty, sizes) * filled
    if (filled & (model == 0)).any():  # an empty bin became one only by what is clipped
        return float(np.inf)
    p, q = truth[filled] / truth.sum(), model[filled] / model.sum()
    return float((p * np.log(p / q)).sum())


def least_error(
    counts: np.ndarray, edges: np.ndarray, largest: float, bits: int, power: int
) -> float:
    """The magnitude to clip at so that the mean of |x - rounded x|^power is least.

    counts: [bins]. edges: [bins + 1]; values stand in the middle of their bins. Of `largest`, a
    magnitude, the shares `SHARES` are tried; of equals the greatest is taken. power 2 is the mean
    square; power 1 the distance that values are moved, which as rounding keeps their order is the
    earth mover's distance between both distributions. Source: Villani 2009, "Optimal Transport".
    """
    values, weights = (edges[:-1] + edges[1:]) / 2, counts.astype(np.float64)
    candidates = SHARES[::-1] * largest
    errors = [
        (weights * np.abs(values - rounded(values, clip, bits)) ** power).sum()
        for clip in candidates
    ]
    return float(candidates[int(np.argmin(errors))])


def rounded(values: np.ndarray, scale: np.ndarray | float, bits: int) -> np.ndarray:
    """Values on the grid of 2 * levels - 1 numbers up to `scale`, and beyond at its ends."""
    levels = 2 ** (bits - 1) - 1
    step = np.where(np.equal(scale, 0), 1.0, scale) / levels
    return np.asarray(np.clip(np.round(values / step), -levels, levels) * step)
