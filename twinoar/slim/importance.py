"""Which filters matter least.

Sources: Li et al. 2016, arXiv 1608.08710 (norms); He et al. 2018, arXiv 1811.00250 (geometric
median).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.slim.groups import FIXED
from twinoar.slim.network import ProgramChannels

Importance = Callable[[np.ndarray], np.ndarray]


def mean_of_magnitudes(weight: np.ndarray) -> np.ndarray:
    """The mean of absolute values of each of the first axis."""
    return np.abs(weight).mean(axis=tuple(range(1, weight.ndim)))


def lengths(weight: np.ndarray) -> np.ndarray:
    """The root of the sum of squares of each of the first axis."""
    return np.sqrt(np.square(weight).sum(axis=tuple(range(1, weight.ndim))))


def distances(weight: np.ndarray) -> np.ndarray:
    """The sum of the distances of each of the first axis to the others."""
    rows = weight.reshape(len(weight), -1).astype(np.float64)
    return np.array([np.sqrt(np.square(rows - row).sum(1)).sum() for row in rows])


def least_of(
    channels: ProgramChannels, ratios: Mapping[str, float], axis: int, importance: Importance
) -> np.ndarray:
    """The labels of the shares of channels that matter least, by parameter.

    One whose channels go with those of an earlier one is not pruned once more. Raises as
    `ProgramChannels.channels`; ArgumentError for a ratio that is not from 0 to below 1.
    """
    removed = np.array([], np.int64)
    for name, ratio in ratios.items():
        if not 0 <= ratio < 1:
            raise ArgumentError(f"a ratio is from 0 to below 1, received {ratio} for {name}")
        labels = channels.channels(name, axis)
        if not np.isin(labels, removed).any():
            weight = np.moveaxis(channels.tensors[name].numpy(), axis, 0).astype(np.float32)
            removed = np.union1d(removed, _least(labels, importance(weight), ratio))
    return removed


def _least(labels: np.ndarray, scores: np.ndarray, ratio: float) -> np.ndarray:
    units, places = np.unique(labels, return_inverse=True)
    means = np.bincount(places, scores) / np.bincount(places)
    free = units != FIXED
    units, means = units[free], means[free]
    count = min(len(units) - 1, round(len(units) * ratio))
    return units[np.argsort(means, kind="stable")[: max(count, 0)]]
