"""Where each value lies: one arena, where values that are not needed at once share places."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from twinoar.late import dataclass

ALIGNMENT = 64


@dataclass(frozen=True)
class Life:
    """A piece of memory: how many bytes, and from which step to which it is needed."""

    key: Hashable
    bytes: int
    first: int
    last: int


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


def in_turn(first: Arena, then: Arena) -> Arena:
    """One for what is over before the other begins."""
    offsets = {**first.offsets, **then.offsets}
    return Arena(offsets, max(first.bytes, then.bytes), max(first.needed, then.needed))


def bundled(
    lives: Sequence[Life], bundles: Sequence[Sequence[Hashable]]
) -> tuple[list[Life], dict[Hashable, dict[Hashable, int]]]:
    """Lives of which those of a bundle are one; and by bundle where each lies in it.

    A bundle of which a member has no life here, or is in another bundle, stays apart.
    """
    by_key = {x.key: x for x in lives}
    inside: dict[Hashable, dict[Hashable, int]] = {}
    found = []
    for number, keys in enumerate(bundles):
        if len(set(keys)) < len(keys) or any(k not in by_key for k in keys):
            continue
        members = [by_key.pop(k) for k in keys]
        places, size = {}, 0
        for x in members:
            places[x.key] = size
            size += aligned(x.bytes)
        key = "bundle", number
        inside[key] = places
        first, last = min(x.first for x in members), max(x.last for x in members)
        found.append(Life(key, size, first, last))
    return [*by_key.values(), *found], inside


def unbundled(arena: Arena, inside: Mapping[Hashable, Mapping[Hashable, int]]) -> Arena:
    """The arena with the places of what lies in bundles."""
    offsets = dict(arena.offsets)
    for key, places in inside.items():
        start = offsets.pop(key)
        offsets.update({member: start + at for member, at in places.items()})
    return replace(arena, offsets=offsets)


def _placed(lives: Sequence[Life]) -> tuple[dict[Hashable, int], int]:
    """Where each lies, in the tightest gap that is free while it lives; and the size of all."""
    placed = np.empty((4, len(lives)), np.int64)
    offsets: dict[Hashable, int] = {}
    total = 0
    for n, life in enumerate(lives):
        size = aligned(life.bytes)
        starts, ends, first, last = placed[:, :n]  # in the order of starts
        meets = (first <= life.last) & (last >= life.first)
        free = np.maximum.accumulate(np.concatenate(([0], ends[meets])))
        gaps = starts[meets] - free[:-1]
        fits = np.flatnonzero(gaps >= size)
        at = int(free[fits[np.argmin(gaps[fits])]] if fits.size else free[-1])
        k = int(np.searchsorted(starts, at))
        placed[:, k + 1 : n + 1] = placed[:, k:n]
        placed[:, k] = at, at + size, life.first, life.last
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
