"""LoDTensor: an array whose rows are sequences one after the other, with their lengths.

twinoar's operators take sequences padded to one length, `[N,T,*]`, and their lengths; an Executor
refuses a LoDTensor that has lengths, `padded` makes of it what operators take.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from twinoar.eager.place import place_of
from twinoar.errors import ArgumentError, ShapeError

Lengths = Sequence[Sequence[int]]


class LoDTensor:
    """An array, and for each level of nesting the lengths of its sequences.

    >>> tensor = create_lod_tensor([[1, 2], [3]], [[2, 1]], "cpu")
    >>> tensor.lod(), tensor.shape()
    ([[0, 2, 3]], [3, 1])
    >>> rows, lengths = tensor.padded()
    >>> rows.tolist(), lengths.tolist()
    ([[[1], [2]], [[3], [0]]], [2, 1])
    """

    def __init__(self) -> None:
        self._array = np.zeros((0,), np.float32)
        self._lengths: list[list[int]] = []

    def set(self, array: Any, place: Any = None) -> None:
        """Replace the array. Raises ArgumentError for a place that is not the CPU."""
        place_of(place)
        self._array = np.array(array)

    def shape(self) -> list[int]:
        """Sizes of the array."""
        return list(self._array.shape)

    def lod(self) -> list[list[int]]:
        """For each level, where its sequences begin, and the end of the last."""
        return [[0, *accumulate(level)] for level in self._lengths]

    def set_lod(self, lod: Lengths) -> None:
        """Set where the sequences of each level begin. Raises ArgumentError where they do not."""
        self.set_recursive_sequence_lengths([[b - a for a, b in pairwise(level)] for level in lod])

    def recursive_sequence_lengths(self) -> list[list[int]]:
        """For each level, the lengths of its sequences."""
        return [list(level) for level in self._lengths]

    def set_recursive_sequence_lengths(self, recursive_sequence_lengths: Lengths) -> None:
        """Set the lengths of the sequences of each level. Raises ArgumentError where they do not
        cover the array.
        """
        lengths = [[int(n) for n in level] for level in recursive_sequence_lengths]
        if not _covers(lengths, len(self._array)):
            raise ArgumentError(
                f"the lengths {lengths} do not cover {len(self._array)} rows",
                cure="each level's lengths add up to the number of sequences of the next one",
            )
        self._lengths = lengths

    def has_valid_recursive_sequence_lengths(self) -> bool:
        """True where the lengths cover the array."""
        return _covers(self._lengths, len(self._array))

    def padded(self) -> tuple[np.ndarray, np.ndarray]:
        """The sequences of the last level, filled up with zeros: [N,T,*]; and their lengths, [N].

        Raises ShapeError where there are no lengths.
        """
        if not self._lengths:
            raise ShapeError("a LoDTensor without lengths has no sequences to pad")
        lengths = np.array(self._lengths[-1], np.int64)
        longest = int(lengths.max(initial=0))
        rows = np.zeros((len(lengths), longest, *self._array.shape[1:]), self._array.dtype)
        for row, sequence in zip(rows, np.split(self._array, lengths.cumsum()[:-1]), strict=True):
            row[: len(sequence)] = sequence
        return rows, lengths

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._array, dtype)

    def __repr__(self) -> str:
        return f"LoDTensor(shape={self.shape()}, dtype={self._array.dtype}, lod={self.lod()})"


class LoDTensorArray(list):
    """A list of tensors."""


def create_lod_tensor(data: Any, recursive_seq_lens: Lengths, place: Any) -> LoDTensor:
    """A LoDTensor of `data`, whose sequences have the lengths `recursive_seq_lens`.

    data: an ndarray, a LoDTensor, or a list of sequences of integers, which become rows [1], int64.
    Raises ArgumentError where the lengths do not fit.
    """
    if isinstance(data, (list, tuple)):
        lengths = [len(sequence) for sequence in data]
        if lengths != list(recursive_seq_lens[-1]):
            raise ArgumentError(
                f"the sequences have lengths {lengths}, recursive_seq_lens says "
                f"{list(recursive_seq_lens[-1])}"
            )
        rows = [np.asarray(row, np.int64).reshape(-1, 1) for row in data]
        data = np.concatenate(rows) if rows else np.zeros((0, 1), np.int64)
    tensor = LoDTensor()
    tensor.set(np.asarray(data), place)
    tensor.set_recursive_sequence_lengths(recursive_seq_lens)
    return tensor


def create_random_int_lodtensor(
    recursive_seq_lens: Lengths, base_shape: Sequence[int], place: Any, low: int, high: int
) -> LoDTensor:
    """A LoDTensor of random integers in [low, high], int64, with rows of shape `base_shape`."""
    shape = [sum(recursive_seq_lens[-1]), *base_shape]
    data = np.random.randint(low, high + 1, shape).astype(np.int64)
    return create_lod_tensor(data, recursive_seq_lens, place)


def _covers(lengths: list[list[int]], rows: int) -> bool:
    counts = [len(level) for level in lengths[1:]] + [rows]
    return all(
        sum(level) == count and min(level, default=0) >= 0
        for level, count in zip(lengths, counts, strict=False)
    )


__all__ = ["LoDTensor", "LoDTensorArray", "create_lod_tensor", "create_random_int_lodtensor"]
