"""Places that still hold the very objects that they held: found out in a few loops of C.

A training step reads hundreds of places of its parameters and its optimizer, and hardly ever does
one of them hold another object. So that is asked first, of all of them at once. Only where one
does is each compared by what it means there to agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, repeat
from operator import call, getitem, is_
from typing import Any

from twinoar.jit.runtime.journal import MISSING
from twinoar.jit.snapshot import FrozenTuple, Snapshot, same

ANEW = repeat(MISSING)  # an operand for each place


class Sweep:
    """Those of the `places` that can be compared by identity are `settled`; `others` are the rest.

    Settled is what holds the object that was expected, as long as identity is all that counts, and
    a container of Python's own whose elements are settled.
    """

    def __init__(self, places: Iterable[Any]):
        self.settled: list[Any] = []
        self.others: list[Any] = []
        entries, attributes, given = Column(getitem), Column(getattr, ANEW), Column(call, ANEW)
        self._columns = {getitem: entries, getattr: attributes, call: given}
        self._known: set[int] = set()
        self._containers: list[Any] = []
        self._sizes: list[int] = []
        self._elements: list[Any] = []
        for watched in places:
            (self.settled if self._settles(watched) else self.others).append(watched)
        self._swept = [(c.read, c.operands, c.found) for c in self._columns.values() if c.found]

    def is_same(self) -> bool:
        """True while each settled place holds the very object that it held."""
        try:
            for read, operands, found in self._swept:
                if not all(map(is_, map(read, *operands), found)):
                    return False
        except LookupError:  # an entry is gone
            return False
        containers = self._containers
        return list(map(len, containers)) == self._sizes and all(
            map(is_, chain.from_iterable(containers), self._elements)
        )

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
            self._columns[getitem].add(space, key, expected)
        elif isinstance(getter, partial) and getter.func is getattr:
            (holder,) = getter.args
            self._columns[getattr].add(holder, key, expected)
        else:
            self._columns[call].add(getter, key, expected)
        return True

    def _settles_contents(self, snapshot: Snapshot) -> bool:
        inner = list(snapshots_in(snapshot))
        if not all(map(_is_settled, inner)):
            return False
        for s in inner:
            if id(s.container) not in self._known:  # as for another place
                self._known.add(id(s.container))
                self._add(s.container, s.parts)
        return True

    def _add(self, container: Any, parts: list[Any]) -> None:
        self._containers.append(container)
        self._sizes.append(len(parts))
        if isinstance(container, list):
            self._elements += map(_original, parts)
            return
        for key, part in parts:  # going through a dict gives its keys
            self._elements.append(key)
            self._columns[getitem].add(container, key, _original(part))


class Column:
    """Places that are read by one function of C, and what each of them held."""

    def __init__(self, read: Callable, *more: Iterable[Any]):
        self.read = read
        self.holders: list[Any] = []
        self.keys: list[Any] = []
        self.operands = self.holders, self.keys, *more
        self.found: list[Any] = []

    def add(self, holder: Any, key: Any, found: Any) -> None:
        """`read(holder, key, ...)` gave `found`."""
        self.holders.append(holder)
        self.keys.append(key)
        self.found.append(found)


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
