"""WeightGrid: the numbers that weights of few bits can have, as `nn.quant` keeps them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from twinoar.errors import ArgumentError, ShapeError


@dataclass(frozen=True, slots=True)
class WeightGrid:
    """Integers of so many bits, times a scale for each column and each group of rows.

    bits: 2 to 8; integers are from -(2^(bits - 1) - 1) to that. group_size: how many rows share a
    scale, -1 for all. Weights are [K,N], scales [G,N], where G is K / group_size or 1. Raises
    ArgumentError.

    >>> grid = WeightGrid(bits=4)
    >>> weight = np.array([[0.7, -1.4], [-0.34, 0.3]])
    >>> scales = grid.scales(weight)
    >>> grid.integers(weight, scales).tolist()
    [[7, -7], [-3, 2]]
    """

    bits: int = 4
    group_size: int = -1

    def __post_init__(self) -> None:
        if self.bits not in range(2, 9):
            raise ArgumentError(f"weights have from 2 to 8 bits, received {self.bits!r}")
        if self.group_size == 0 or self.group_size < -1:
            raise ArgumentError(f"group_size must be positive or -1, received {self.group_size!r}")

    @property
    def largest(self) -> int:
        """The greatest integer."""
        return 2 ** (self.bits - 1) - 1

    def rows(self, count: int) -> int:
        """How many of `count` rows share a scale. Raises ShapeError where groups do not fit."""
        size = count if self.group_size == -1 else self.group_size
        if count % size:
            raise ShapeError(f"groups of {size} rows do not divide {count}")
        return size

    def scales(self, weight: np.ndarray) -> np.ndarray:
        """What integers are multiplied by: [G,N], 1 where all weights are 0."""
        rows, columns = weight.shape
        grouped = weight.reshape(-1, self.rows(rows), columns)
        found = np.abs(grouped).max(axis=1) / self.largest
        return np.where(found == 0, 1.0, found)

    def spread(self, scales: np.ndarray, rows: int) -> np.ndarray:
        """The scale of each row: [K,N]."""
        return np.repeat(scales, self.rows(rows), axis=0)

    def integers(self, weight: np.ndarray, scales: np.ndarray) -> np.ndarray:
        """The nearest integers: [K,N], int8."""
        found = np.round(weight / self.spread(scales, len(weight)))
        return np.clip(found, -self.largest, self.largest).astype(np.int8)

    def values(self, integers: np.ndarray, scales: np.ndarray) -> np.ndarray:
        """What integers stand for: [K,N]."""
        return np.asarray(integers * self.spread(scales, len(integers)))

    def rounded(self, weight: np.ndarray) -> np.ndarray:
        """Weights, each as the nearest number of the grid: [K,N]."""
        scales = self.scales(weight)
        return self.values(self.integers(weight, scales), scales)
