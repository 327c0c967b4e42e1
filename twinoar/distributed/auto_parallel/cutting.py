"""Which part of a dimension each rank has.

The first ranks have as much as any, and the last what is left, which may be nothing.
"""

from __future__ import annotations


def chunk(size: int, count: int) -> int:
    """The greatest part of a dimension that `count` ranks share."""
    return -(-size // count)


def part(size: int, rank: int, count: int) -> tuple[int, int]:
    """Where the part of a rank begins and ends.

    >>> [part(5, r, 3) for r in range(3)]
    [(0, 2), (2, 4), (4, 5)]
    """
    most = chunk(size, count)
    return min(rank * most, size), min((rank + 1) * most, size)


def is_shared_by_all(size: int, count: int) -> bool:
    """Whether each of `count` ranks has some of a dimension."""
    return chunk(size, count) * (count - 1) < size
