"""Plain values and containers as a trace found them, and whether they are still so."""

from __future__ import annotations

import enum
import math
from typing import Any

import numpy as np

from twinoar.core.dtype import DType
from twinoar.jit.contents import BUFFERS, CONTAINERS, contents_of, is_as, owner_of, plain

PLAIN = (
    type(None), bool, int, float, complex, str, bytes, enum.Enum, np.generic, np.dtype, DType,
    slice, range,
)  # fmt: skip


def is_plain(x: Any) -> bool:
    """True for what is told from others by its value alone."""
    if isinstance(x, (tuple, frozenset)):
        return all(map(is_plain, x))
    return isinstance(x, PLAIN)


def same(now: Any, then: Any) -> bool:
    """True for the very object, or an equal plain value of the same type."""
    if now is then:
        return True
    if type(now) is not type(then):
        return False
    if isinstance(then, float):
        return _same_float(now, then)
    if isinstance(then, complex):
        return _same_float(now.real, then.real) and _same_float(now.imag, then.imag)
    if isinstance(then, tuple):
        return len(now) == len(then) and all(map(same, now, then))
    return isinstance(then, (*PLAIN, frozenset)) and bool(now == then)


def _same_float(now: float, then: float) -> bool:
    """Equality that tells the zeros apart, and takes one nan for another."""
    if now != now or then != then:
        return now != now and then != then
    return now == then and math.copysign(1.0, now) == math.copysign(1.0, then)


class Snapshot:
    """What a container held, and the containers in it."""

    def __init__(self, container: Any, contents: Any = None, seen: dict | None = None):
        self.container = container
        known: dict[int, Snapshot] = {} if seen is None else seen
        known[id(container)] = self
        is_buffer = isinstance(container, BUFFERS)
        found = contents if contents is not None or is_buffer else plain(container)
        self.parts: Any
        if is_buffer:
            self.parts = contents_of(container) if contents is None else contents
        elif isinstance(container, set):
            self.parts = set(found)
        elif isinstance(container, dict):
            self.parts = [(k, frozen(v, known)) for k, v in found.items()]
        else:
            self.parts = [frozen(x, known) for x in found]

    def holds(self) -> bool:
        """True if the container is as it was."""
        x = self.container
        if isinstance(x, BUFFERS):
            return is_as(x, self.parts)
        x = plain(x)
        if isinstance(x, set):
            return x == self.parts
        if len(x) != len(self.parts):
            return False
        if isinstance(x, dict):
            return all(
                same(k, key) and matches(v, part)
                for (k, v), (key, part) in zip(x.items(), self.parts, strict=True)
            )
        return all(map(matches, x, self.parts))


def frozen(x: Any, seen: dict[int, Snapshot] | None = None) -> Any:
    """`x`, with a Snapshot in the place of each container."""
    known = {} if seen is None else seen
    if isinstance(x, tuple) and not is_plain(x):
        return FrozenTuple(x, [frozen(i, known) for i in x])
    if isinstance(x, CONTAINERS):
        return known.get(id(x)) or Snapshot(x, seen=known)
    return x


class FrozenTuple:
    """A tuple that holds more than plain values."""

    def __init__(self, original: tuple, parts: list[Any]):
        self.original, self.parts = original, parts


def matches(now: Any, then: Any) -> bool:
    """True if `now` is what `frozen` made `then` of, unchanged."""
    if isinstance(then, Snapshot):
        return now is then.container and then.holds()
    if isinstance(then, FrozenTuple):
        if type(now) is not type(then.original) or len(now) != len(then.parts):
            return False
        return all(map(matches, now, then.parts))
    return same(now, then)


def held_by(x: Any) -> tuple[Any, ...]:
    """What a tuple or container holds, without keys; nothing for a buffer."""
    if isinstance(x, BUFFERS):
        return ()
    held = x if isinstance(x, tuple) else plain(x)
    return tuple(held.values() if isinstance(held, dict) else held)


def containers_in(x: Any, found: dict[int, Any] | None = None) -> dict[int, Any]:
    """`x` and the containers in it, by id."""
    found = {} if found is None else found
    if isinstance(x, (tuple, *CONTAINERS)) and id(x) not in found:
        found[id(x)] = x
        if isinstance(x, BUFFERS):
            owner = owner_of(x)
            found[id(owner)] = owner
        else:
            for inner in held_by(x):
                containers_in(inner, found)
    return found
