"""Places that still hold the very objects that they held: found out in a few loops of C.

A training step reads hundreds of places of its parameters and its optimizer, and hardly ever does
one of them hold another object. So that is asked first, of all of them at once. Only where one
does is each compared by what it means there to agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from operator import call, getitem, is_
from typing import Any

from twinoar.jit.runtime.journal import MISSING
from twinoar.jit.snapshot import FrozenTuple, Snapshot, same


class Sweep:
    """Those of the `places` that can be compared by identity are `settled`; `others` are the rest.

    Settled is what holds the object that was expected, as long as identity is all that counts, and
    a container of Python's own whose elements are settled.
    """

    def __init__(self, places: Iterable[Any]):
        self.settled: list[Any] = []
        self.others: list[Any] = []
        self._entries = Column()
        self._attributes = Column()
        self._known: set[int] = set()
        self._containers: list[Any] = []
        self._sizes: list[int] = []
        self._elements: list[Any] = []
        for watched in places:
            (self.settled if self._settles(watched) else self.others).append(watched)

    def is_same(self) -> bool:
        """True while each settled place holds the very object that it held."""
        entries, attributes = self._entries, self._attributes
        try:
            return (
                list(map(len, self._containers)) == self._sizes
                and all(map(is_, chain.from_iterable(self._containers), self._elements))
                and all(map(is_, map(getitem, entries.holders, entries.keys), entries.found))
                and all(map(is_, attributes.values(), attributes.found))
            )
        except LookupError:  # an entry is gone
            return False

    def without_moved(self) -> Sweep:
        """Of what is settled, only what still holds the very objects."""
        made = Sweep(self.settled)
        made.others += self.others
        return made

    def _settles(self, watched: Any) -> bool:
        getter, key, expected = watched.getter, watched.key, watched.expected
        if isinstance(expected, Snapshot):
            return self._settles_contents(expected)
        if watched.agrees not in (None, same) or getter(key, MISSING) is not expected:
            return False
        space = getattr(getter, "__self__", None)
        if type(space) is dict and getter == space.get and expected is not MISSING:
            self._entries.add(space, key, expected)
        else:
            self._attributes.add(getter, key, expected)
        return True

    def _settles_contents(self, snapshot: Snapshot) -> bool:
        inner = list(snapshots_in(snapshot))
        if not all(map(_is_settled, inner)):
            return False
        for s in inner:
            x, parts = s.container, s.parts
            if id(x) in self._known:  # settled, so it was found to hold the same
                continue
            self._known.add(id(x))
            self._containers.append(x)
            self._sizes.append(len(parts))
            if isinstance(x, list):
                self._elements += map(_original, parts)
                continue
            for key, part in parts:
                self._elements.append(key)
                self._entries.add(x, key, _original(part))
        return True


class Column:
    """Where objects were found: in a dict, or by a getter."""

    def __init__(self) -> None:
        self.holders: list[Any] = []
        self.keys: list[Any] = []
        self.found: list[Any] = []

    def add(self, holder: Any, key: Any, found: Any) -> None:
        """`holder` gives `found` for `key`."""
        self.holders.append(holder)
        self.keys.append(key)
        self.found.append(found)

    def values(self) -> Iterator[Any]:
        """What the getters give now."""
        return map(call, self.holders, self.keys, repeat(MISSING))


def snapshots_in(part: Any, seen: set[int] | None = None) -> Iterator[Snapshot]:
    """The Snapshots that what `frozen` made consists of, each once."""
    seen = set() if seen is None else seen
    if isinstance(part, FrozenTuple):
        for inner in part.parts:
            yield from snapshots_in(inner, seen)
    elif isinstance(part, Snapshot) and id(part) not in seen:
        seen.add(id(part))
        yield part
        if isinstance(part.container, (list, dict)):
            for inner in part.parts:
                yield from snapshots_in(_value(part, inner), seen)


def _value(snapshot: Snapshot, part: Any) -> Any:
    return part[1] if isinstance(snapshot.container, dict) else part


def _original(part: Any) -> Any:
    """What `frozen` was given."""
    if isinstance(part, Snapshot):
        return part.container
    return part.original if isinstance(part, FrozenTuple) else part


def _is_settled(snapshot: Snapshot) -> bool:
    """True for a list or dict that holds the very objects that it held."""
    x, parts = snapshot.container, snapshot.parts
    if type(x) is list:
        return len(x) == len(parts) and all(map(is_, x, map(_original, parts)))
    if type(x) is not dict or len(x) != len(parts):
        return False
    keys, values = zip(*parts, strict=True) if parts else ((), ())
    return all(map(is_, x, keys)) and all(map(is_, x.values(), map(_original, values)))
