"""Where each value lies: one arena, where values that are not needed at once share places."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

ALIGNMENT = 64


@dataclass(frozen=True)
class Life:
    """A piece of memory: how many bytes, and from which step to which it is needed."""

    key: Hashable
    bytes: int
    first: int
    last: int

    def meets(self, other: Life) -> bool:
        """True where both are needed at once."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True)
class Arena:
    """`offsets` by key, in `bytes` in all; `needed` is the most that any step needs at once."""

    offsets: Mapping[Hashable, int]
    bytes: int
    needed: int


# What is placed first: what is large, what is needed early, or what is needed late.
ORDERS: tuple[Callable[[Life], tuple[int, int]], ...] = (
    lambda x: (-x.bytes, x.first),
    lambda x: (x.first, -x.bytes),
    lambda x: (-x.last, -x.bytes),
)


def plan(lives: Sequence[Life]) -> Arena:
    """Places for all, in the order of several that needs least memory."""
    needed = most_at_once(lives)
    best: Arena | None = None
    for order in ORDERS:
        offsets, total = _placed(sorted(lives, key=order))
        if best is None or total < best.bytes:
            best = Arena(offsets, total, needed)
        if best.bytes == needed:
            break
    assert best is not None
    return best


def _placed(lives: Sequence[Life]) -> tuple[dict[Hashable, int], int]:
    """Where each lies, in the tightest gap that is free while it lives; and the size of all."""
    placed: list[tuple[int, int, Life]] = []
    offsets: dict[Hashable, int] = {}
    total = 0
    for life in lives:
        size = aligned(life.bytes)
        taken = sorted((start, end) for start, end, other in placed if life.meets(other))
        best, best_gap, free = None, None, 0
        for start, end in taken:
            gap = start - free
            if gap >= size and (best_gap is None or gap < best_gap):
                best, best_gap = free, gap
            free = max(free, end)
        at = free if best is None else best
        placed.append((at, at + size, life))
        offsets[life.key] = at
        total = max(total, at + size)
    return offsets, total


def aligned(size: int) -> int:
    """`size` rounded up to whole cache lines."""
    return -(-max(size, 1) // ALIGNMENT) * ALIGNMENT


def most_at_once(lives: Sequence[Life]) -> int:
    """The bytes needed at the step that needs most."""
    changes: dict[int, int] = {}
    for x in lives:
        changes[x.first] = changes.get(x.first, 0) + aligned(x.bytes)
        changes[x.last + 1] = changes.get(x.last + 1, 0) - aligned(x.bytes)
    most = now = 0
    for step in sorted(changes):
        now += changes[step]
        most = max(most, now)
    return most
