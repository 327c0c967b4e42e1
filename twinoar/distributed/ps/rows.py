"""Rows of sparse tables: on which server each is, where it lies there, what it begins as.

All three follow from the row's number, by one mixing of its bits, so that runs repeat whatever the
order in which rows are first seen, and a row that is lost and made again begins as it did.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.late import dataclass

FREE = -1  # a number that no row has
LEAST_PLACES = 1024
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # of splitmix64, as the two factors below
FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
CUT = 2.0  # standard deviations at which a truncated normal distribution ends
REDRAWS = 16  # for numbers beyond that; 4.6% are, so after as many 1e-21 would be


def mixed(numbers: np.ndarray) -> np.ndarray:
    """The bits of numbers, mixed. numbers: [*], uint64. Returns [*], uint64. Source: splitmix64."""
    with np.errstate(over="ignore"):
        z = numbers + GOLDEN
        z = (z ^ (z >> np.uint64(30))) * FACTORS[0]
        z = (z ^ (z >> np.uint64(27))) * FACTORS[1]
        return z ^ (z >> np.uint64(31))


def server_of(ids: np.ndarray, servers: int) -> np.ndarray:
    """The server that keeps each row. ids: [n], int64. Returns [n], int64.

    >>> server_of(np.arange(6), 2).tolist()
    [1, 1, 0, 1, 0, 0]
    """
    return (mixed(ids.astype(np.uint64)) % np.uint64(servers)).astype(np.int64)


def merged(ids: np.ndarray, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row once, in order, with the sum of its vectors in the order they stand in.

    ids: [n], those below 0 are none. vectors: [n,width]. Returns [m] and [m,width].
    """
    if ids.size and ids.min() < 0:
        vectors, ids = vectors[ids >= 0], ids[ids >= 0]
    if ids.size < 2 or (ids[1:] > ids[:-1]).all():  # as what was added up before
        return ids.astype(np.int64), vectors
    order = np.argsort(ids, kind="stable")
    ordered = ids[order].astype(np.int64)
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return ordered[starts], np.add.reduceat(vectors[order], starts, axis=0)


@dataclass(frozen=True, slots=True)
class Beginning:
    """What new rows begin as: "constant" a, "uniform" in [a,b), "normal" of mean a and deviation b.

    "truncated" is normal, between a - 2 b and a + 2 b.
    """

    kind: str = "constant"
    a: float = 0.0
    b: float = 0.0
    seed: int = 0

    def rows(self, ids: np.ndarray, width: int, dtype: Any) -> np.ndarray:
        """The rows of these numbers, [n,width]."""
        if self.kind == "constant":
            return np.full((len(ids), width), self.a, dtype)
        if self.kind == "uniform":
            return (self.a + (self.b - self.a) * self._units(ids, width, 0)).astype(dtype)
        found = self._normal(ids, width, 0)
        if self.kind == "truncated":
            for draw in range(1, REDRAWS):
                is_outside = np.abs(found) > CUT
                if not is_outside.any():
                    break
                found = np.where(is_outside, self._normal(ids, width, draw), found)
            found = np.clip(found, -CUT, CUT)
        return (self.a + self.b * found).astype(dtype)

    def _normal(self, ids: np.ndarray, width: int, draw: int) -> np.ndarray:
        """Normal numbers, [n,width], float64, by Box and Muller."""
        u, v = (self._units(ids, width, 2 * draw + k) for k in (0, 1))
        return np.sqrt(-2 * np.log1p(-u)) * np.cos(2 * math.pi * v)

    def _units(self, ids: np.ndarray, width: int, draw: int) -> np.ndarray:
        """Numbers in [0,1), [n,width], float64."""
        start = mixed(np.array([self.seed, draw], np.int64).astype(np.uint64))
        of_row = mixed(ids.astype(np.uint64) ^ start[0]) ^ start[1]
        with np.errstate(over="ignore"):
            bits = mixed(of_row[:, None] + np.arange(width, dtype=np.uint64) * GOLDEN)
        return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53


class Places:
    """Where the row of each number lies: a hash table with open addressing, of arrays."""

    def __init__(self) -> None:
        self.count = 0
        self._numbers = np.full(LEAST_PLACES, FREE, np.int64)
        self._places = np.zeros(LEAST_PLACES, np.int64)

    def find(self, ids: np.ndarray) -> np.ndarray:
        """The place of each row, -1 where it has none. ids: [n]. Returns [n], int64."""
        found = np.full(ids.shape, -1, np.int64)
        waiting = np.arange(ids.size)
        at = self._first(ids)
        while waiting.size:
            there = self._numbers[at]
            is_here = there == ids[waiting]
            found[waiting[is_here]] = self._places[at[is_here]]
            on = ~is_here & (there != FREE)
            waiting, at = waiting[on], (at[on] + 1) & (len(self._numbers) - 1)
        return found

    def add(self, ids: np.ndarray) -> np.ndarray:
        """New places, counting on, for rows that have none. ids: [n], each once. Returns [n]."""
        while 2 * (self.count + ids.size) > len(self._numbers):
            self._grow()
        places = self.count + np.arange(ids.size)
        self._put(ids, places)
        self.count += ids.size
        return places

    def _grow(self) -> None:
        numbers, places = self._numbers, self._places
        used = numbers != FREE
        self._numbers = np.full(2 * len(numbers), FREE, np.int64)
        self._places = np.zeros(2 * len(numbers), np.int64)
        self._put(numbers[used], places[used])

    def _put(self, ids: np.ndarray, places: np.ndarray) -> None:
        waiting, at = np.arange(ids.size), self._first(ids)
        while waiting.size:
            is_free = self._numbers[at] == FREE
            self._numbers[at[is_free]] = ids[waiting[is_free]]  # of several the last wins
            won = self._numbers[at] == ids[waiting]
            self._places[at[won]] = places[waiting[won]]
            waiting, at = waiting[~won], (at[~won] + 1) & (len(self._numbers) - 1)

    def _first(self, ids: np.ndarray) -> np.ndarray:
        mask = np.uint64(len(self._numbers) - 1)
        # Not the bits that chose the server: those are equal for all rows of one.
        return ((mixed(ids.astype(np.uint64)) >> np.uint64(20)) & mask).astype(np.int64)


def as_ids(ids: Any) -> np.ndarray:
    """Row numbers as int64. Raises ArgumentError for one below 0."""
    found = np.asarray(ids, np.int64)
    if found.size and found.min() < 0:
        raise ArgumentError(
            f"a table was asked for row {found.min()}", cure="rows are numbered from 0"
        )
    return found
