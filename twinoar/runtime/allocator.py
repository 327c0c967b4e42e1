"""Memory for large arrays, kept for the next ones: fresh pages cost more than many operators do.

An array gives its memory back when the last view of it is gone. Arrays that users hold are ordinary
ones; that theirs is memory used before shows nowhere.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

ALIGNMENT = 64  # bytes: a cache line, and the widest vector
SMALLEST_BYTES = 1 << 16  # NumPy's own memory serves smaller arrays as well
KEPT_SHARE = 8  # at most one in so many bytes of the machine's memory is kept,
MOST_KEPT_BYTES = 1 << 30  # and never more than this


class Blank:
    """Makes arrays of one form whose elements are not set yet.

    order: the dimensions as they lie in memory, outermost first; None for row-major.
    """

    __slots__ = ("_axes", "_dtype", "_physical", "_size_bytes")

    def __init__(self, shape: Sequence[int], dtype: np.dtype, order: Sequence[int] | None = None):
        self._dtype = dtype
        self._physical = tuple(shape) if order is None else tuple([shape[d] for d in order])
        self._axes = None if order is None else tuple(map(int, np.argsort(order)))
        size = math.prod(shape) * dtype.itemsize
        self._size_bytes = rounded(size) if size >= SMALLEST_BYTES else 0

    def new(self) -> np.ndarray:
        """An array; its memory is ours only where it is large."""
        if self._size_bytes:
            array = np.ndarray(self._physical, self._dtype, POOL.take(self._size_bytes))
        else:
            array = np.empty(self._physical, self._dtype)
        return array if self._axes is None else array.transpose(self._axes)


class Pool:
    """Blocks of memory by size, of which at most `limit_bytes` are kept while nobody uses them.

    Beyond that the system gets those of sizes that were not asked for lately.
    """

    def __init__(self, limit_bytes: int):
        self.limit_bytes, self.kept_bytes = limit_bytes, 0
        self._free: dict[int, list[Memory]] = {}  # the size asked for last at the end
        self._lock = threading.RLock()  # the garbage collector may give a block back at any time
        hold_at_fork(self._lock)

    def take(self, size: int) -> Block:
        """Memory of a size in bytes: what was given back, or fresh."""
        with self._lock:
            found = self._free.pop(size, [])
            self._free[size] = found
            if found:
                self.kept_bytes -= size
                return found.pop().view(Block)
        try:
            memory = np.empty(size + ALIGNMENT, np.uint8)
        except MemoryError:
            self.release()  # what is kept may be what lacks
            memory = np.empty(size + ALIGNMENT, np.uint8)
        start = -memory.__array_interface__["data"][0] % ALIGNMENT
        return memory[start : start + size].view(Memory).view(Block)

    def give(self, memory: Memory) -> None:
        """Keep memory for the next array of its size."""
        with self._lock:
            self.kept_bytes += memory.size
            self._free.setdefault(memory.size, []).append(memory)
            while self.kept_bytes > self.limit_bytes:
                oldest = next(iter(self._free))
                if self._free[oldest]:
                    self._free[oldest].pop()
                    self.kept_bytes -= oldest
                else:
                    del self._free[oldest]

    def release(self) -> None:
        """Give all that is kept back to the system."""
        with self._lock:
            self._free.clear()
            self.kept_bytes = 0


class Memory(np.ndarray):
    """What a block is made of: a plain array NumPy would make the base of those in the block."""


class Block(np.ndarray):
    """Memory on loan, the base of an array: when it goes, the pool has it again."""

    def __del__(self) -> None:
        POOL.give(self.base)  # type: ignore[arg-type]


def hold_at_fork(lock: Any) -> None:
    """Let a process fork only while this thread holds the lock, so that a child finds it free."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release
        )


def rounded(size_bytes: int) -> int:
    """A size up to an eighth larger, of which there are few."""
    grain = 1 << max(12, size_bytes.bit_length() - 4)
    return -(-size_bytes // grain) * grain


def _limit_bytes() -> int:
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return MOST_KEPT_BYTES
    return min(MOST_KEPT_BYTES, memory // KEPT_SHARE)


POOL = Pool(_limit_bytes())
