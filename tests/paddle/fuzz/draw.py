"""Random shapes, dtypes and elements."""

from __future__ import annotations

import random as standard
from typing import Any

import numpy as np

FLOATS = ("float32",) * 6 + ("float64",) * 3
INTS = ("int64",) * 4 + ("int32",) * 3 + ("int8", "uint8", "int16")
DTYPES = FLOATS * 3 + INTS * 2 + ("bool",) * 3 + ("complex64",) * 2 + ("complex128", "float16")
SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-30, 1e30, 0.5, -2.0, 3.0)


class Draw:
    """Draws all that one case consists of from its number."""

    def __init__(self, number: int):
        self.random = standard.Random(number)
        self.numbers = np.random.default_rng(number)

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def one(self, values: Any) -> Any:
        return self.random.choice(list(values))

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return self.random.randint(low, max(low, high))

    def number(self) -> float:
        """A short decimal fraction, often a usual one."""
        usual = (0.0, 1.0, 2.0, 0.5, -1.0, 3.0)
        return self.one(usual) if self.chance(0.5) else round(self.random.uniform(-3, 3), 2)

    def dtype(self) -> str:
        return self.one(DTYPES)

    def shape(self) -> tuple[int, ...]:
        """Zero to four sizes, seldom above 5."""
        rank = self.one((0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4))
        return tuple(self.size() for _ in range(rank))

    def size(self) -> int:
        return self.one((0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 7, 9))

    def broadcast(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """A shape that broadcasts with this one, but for accidents."""
        kind = self.random.random()
        if kind < 0.6:
            return shape
        if kind < 0.68:
            return ()
        if kind < 0.97:
            kept = tuple(1 if self.chance(0.3) else size for size in shape)
            return kept[self.between(0, len(kept)) :] if self.chance(0.4) else kept
        return self.shape()

    def array(self, shape: tuple[int, ...], dtype: str) -> np.ndarray:
        """Elements of one of several kinds."""
        kind = np.dtype(dtype).kind
        if kind == "b":
            return np.asarray(self.numbers.integers(0, 2, shape) > 0)
        if kind in "iu":
            low, high = self.one(((0, 5), (0, 10), (-5, 6), (-100, 100), (1, 4)))
            low = max(low, 0) if kind == "u" else low
            return np.asarray(self.numbers.integers(low, high, shape)).astype(dtype)
        if kind == "c":
            parts = [self.reals(shape) for _ in range(2)]
            return np.asarray(parts[0] + 1j * parts[1]).astype(dtype)
        return np.asarray(self.reals(shape)).astype(dtype)

    def reals(self, shape: tuple[int, ...]) -> np.ndarray:
        kind = self.random.random()
        if kind < 0.6:
            return self.numbers.standard_normal(shape)
        if kind < 0.75:
            return self.numbers.integers(-3, 4, shape).astype("float64")
        if kind < 0.87:
            return self.numbers.uniform(0.05, 0.95, shape)
        if kind < 0.95:
            return self.numbers.standard_normal(shape) * 30
        drawn = self.numbers.choice(np.array(SPECIAL), shape)
        return np.where(
            self.numbers.random(shape) < 0.4, drawn, self.numbers.standard_normal(shape)
        )
