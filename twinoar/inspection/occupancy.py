"""Memory over time: which buffers of a compiled Program live when, and what makes the peak."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.backends.native.compiled import Compiled
from twinoar.compile import memory
from twinoar.compile.part import Temporary
from twinoar.compile.placement import lives_of
from twinoar.compile.storage import Storage
from twinoar.core.ir.program import Operator


@dataclass(frozen=True)
class Buffer:
    """A piece of the arena: what lies there, and from which batch to which it is needed.

    names: of the values that lie there one after another. maker: the operator of the lowered
    Program that writes it first; None for what a call needs for itself.
    """

    names: tuple[str, ...]
    bytes: int
    offset: int
    first: int
    last: int
    maker: Operator | None


@dataclass(frozen=True)
class Occupancy:
    """The arena of a compiled Program over its batches.

    bytes: of the arena. in_use: the bytes that each batch needs, whole cache lines. kept: bytes of
    states, and of what is derived from them, which lie elsewhere and stay. given: bytes of inputs
    and results, which are the caller's.
    """

    buffers: tuple[Buffer, ...]
    bytes: int
    in_use: tuple[int, ...]
    kept: int
    given: int

    @property
    def peak(self) -> int:
        """The first batch that needs most; 0 where there is none."""
        return self.in_use.index(max(self.in_use)) if self.in_use else 0

    def living_at(self, batch: int) -> list[Buffer]:
        """What is needed at a batch, the largest first."""
        living = [b for b in self.buffers if b.first <= batch <= b.last]
        return sorted(living, key=lambda b: -b.bytes)


def occupancy_of(compiled: Compiled) -> Occupancy:
    """The memory of a compiled Program over its batches, as it was planned."""
    lives = lives_of(
        compiled.setup, compiled.batches, compiled.places, compiled.outside, compiled.plan
    ).during
    at = _storages(compiled)
    count = len(compiled.batches)
    buffers = [_buffer(life, compiled.arena.offsets[life.key], at, count) for life in lives]
    changes = np.zeros(count + 1, np.int64)
    for b in buffers:
        changes[b.first] += memory.aligned(b.bytes)
        changes[b.last + 1] -= memory.aligned(b.bytes)
    in_use = changes.cumsum()[:count].tolist()
    states = sum(_bytes(s.spec) for s in compiled.program.states.values())
    return Occupancy(
        tuple(sorted(buffers, key=lambda b: (b.first, b.offset))),
        compiled.arena.bytes,
        tuple(in_use),
        states + compiled.derived.bytes,
        _given(compiled, at),
    )


def _given(compiled: Compiled, at: Mapping[int, list[Storage]]) -> int:
    inputs = sum(_bytes(v.spec) for v in compiled.program.main.inputs)
    results = [n for n, what in compiled.outside.items() if isinstance(what, int)]
    return inputs + sum(max(s.bytes for s in at[n]) for n in results)


def _storages(compiled: Compiled) -> Mapping[int, list[Storage]]:
    """The values that lie in each memory, in the order in which they are written."""
    found: dict[int, list[Storage]] = {}
    for storage, place in compiled.places.items():
        found.setdefault(place, []).append(storage)
    return found


def _buffer(life: memory.Life, offset: int, at: Mapping[int, list[Storage]], count: int) -> Buffer:
    key: Any = life.key
    last = min(life.last, count - 1)  # what updates read is needed after the last batch
    if isinstance(key, Temporary):
        return Buffer((key.name,), life.bytes, offset, life.first, last, None)
    values = at[key]
    names = tuple(s.name for s in values)
    return Buffer(names, life.bytes, offset, life.first, last, values[0].variable.producer)


def _bytes(spec: Any) -> int:
    count = 1
    for size in spec.shape:
        count *= size
    return count * int(spec.dtype.itemsize)
