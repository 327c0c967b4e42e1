"""How large weights are, alone or in blocks, and how many of them are 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np


def sizes_of(weight: np.ndarray, block: Sequence[int] = (1, 1)) -> np.ndarray:
    """The size of each element: the mean of its block, of the weight as a matrix of filters.

    >>> sizes_of(np.array([[1.0, -3.0]]), (1, 2)).tolist()
    [[2.0, 2.0]]
    """
    sizes = np.abs(np.asarray(weight, np.float32))
    rows, columns = block
    if (rows, columns) == (1, 1):
        return sizes
    matrix = sizes.reshape(len(sizes), -1)
    more = (-matrix.shape[0] % rows, -matrix.shape[1] % columns)
    counted = np.pad(np.ones_like(matrix), ((0, more[0]), (0, more[1])))
    whole = np.pad(matrix, ((0, more[0]), (0, more[1])))
    means = _sums(whole, rows, columns) / _sums(counted, rows, columns)
    spread = means.repeat(rows, 0).repeat(columns, 1)
    return spread[: matrix.shape[0], : matrix.shape[1]].reshape(sizes.shape)


def quantile(sizes: np.ndarray, ratio: float) -> float:
    """The largest of the share of smallest sizes; below all of them for a share of none."""
    count = round(ratio * sizes.size)
    if count == 0:
        return -1.0
    return float(np.partition(np.abs(sizes), count - 1)[count - 1])


def is_1x1(p: Any) -> bool:
    """True for the weight of a convolution of 1 x 1."""
    return len(p.shape) == 4 and list(p.shape[2:]) == [1, 1]


def share_of_zeros(weights: Iterable[np.ndarray]) -> float:
    """The share of zeros among all elements; 0 where there are none.

    >>> share_of_zeros([np.array([0.0, 1.0]), np.array([2.0, 3.0])])
    0.25
    """
    arrays = list(weights)
    total = sum(a.size for a in arrays)
    return 1 - sum(int(np.count_nonzero(a)) for a in arrays) / total if total else 0.0


def _sums(matrix: np.ndarray, rows: int, columns: int) -> np.ndarray:
    height, width = matrix.shape
    return matrix.reshape(height // rows, rows, width // columns, columns).sum((1, 3))
