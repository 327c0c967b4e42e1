"""From parts, in order and placed, to Commands."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.compile.commands import (
    ARENA,
    FLAGS,
    TABLES,
    Arrive,
    Check,
    Checked,
    Command,
    Commands,
    Kernel,
    Place,
    Poke,
    Role,
    Span,
    Travel,
    Value,
)
from twinoar.compile.memory import Arena, aligned
from twinoar.compile.part import Part, Temporary
from twinoar.compile.pipeline import Plan
from twinoar.compile.placement import Batches, checked_before, checks_of
from twinoar.compile.storage import Storage, View
from twinoar.compile.target import Target
from twinoar.core.dtype import uint8
from twinoar.core.ir.program import State, Variable
from twinoar.core.spec import Spec
from twinoar.errors import UnsupportedError


class Assembler:
    """Gives parts the numbers of kernels and the places of memory, and keeps what they add.

    derived: memory for what follows from states that no run changes, a place of the outside where
    there is any. handles: what the back end has of each kernel, those of what is repeated too.
    """

    def __init__(
        self,
        planned: Plan,
        setup: Batches,
        batches: Batches,
        places: dict[Storage, int],
        outside: dict[int, Any],
        target: Target,
        arena: Arena,
        derived: Arena,
    ):
        self.planned, self.target, self.arena, self.derived = planned, target, arena, derived
        self.setup, self.batches, self.homes = setup, batches, places
        self.numbers = {n: k for k, n in enumerate(outside)}  # of the outside, without gaps
        self.outside = {self.numbers[n]: what for n, what in outside.items()}
        if derived.bytes:
            self.outside[len(self.outside)] = derived
        self.kernels: dict[Kernel, int] = {}
        self.handles: dict[Kernel, Any] = {}
        self.by_place = {n: s for s, n in places.items()}
        self.packing: dict[int, list[Command]] = {}
        self.checked: list[Checked] = []
        self.flagged: list[Part] = []  # the part of each of these
        parts = [p for batch in (*setup, *batches) for p in batch]
        self.flag_width = aligned(max([len(checks_of(p)) for p in parts], default=0))
        self.written = set(map(id, planned.in_place.values()))
        self._stacks = 0
        self._tables: dict[bytes, int] = {}
        self._table_bytes = 0

    def kernel(self, handle: Any, kernel: Kernel) -> int:
        """The number of a kernel, of which `handle` is what the back end has."""
        if kernel not in self.kernels:
            self.kernels[kernel] = len(self.kernels)
            self.handles[kernel] = handle
        return self.kernels[kernel]

    def span(self, home: Storage | Temporary, offset: int = 0, size: int | None = None) -> Span:
        """Memory of a value, or of a part's own: `size` bytes, or all from `offset` on."""
        size = home.bytes - offset if size is None else size
        key = home if isinstance(home, Temporary) else self.homes[home]
        number = None if isinstance(key, Temporary) else self.numbers.get(key)
        if number is not None:
            return Span(number, offset, size)
        if key in self.derived.offsets:
            return Span(len(self.numbers), self.derived.offsets[key] + offset, size)
        return Span(ARENA, self.arena.offsets[key] + offset, size)

    def place_of(self, what: object) -> int | None:
        """The place of an input or a state; None for what no part touches."""
        return next((n for n, x in self.outside.items() if x is what), None)

    def table(self, words: np.ndarray) -> Span:
        """Words that a kernel looks up."""
        given = np.ascontiguousarray(words, np.int64)
        made = given.astype(self._word)
        if not np.array_equal(made, given):
            raise UnsupportedError(
                f"an offset of {np.abs(given).max()} bytes does not fit into {made.itemsize}",
                cure="use smaller tensors",
            )
        data = made.tobytes()
        if data not in self._tables:
            self._tables[data] = self._table_bytes
            self._table_bytes += len(data)
        return Span(TABLES, self._tables[data], len(data))

    @property
    def _word(self) -> np.dtype[Any]:
        return np.dtype(f"int{8 * self.target.offset_bytes}")

    def stack(self) -> int:
        """The number of a stack that nothing else uses."""
        self._stacks += 1
        return self._stacks - 1

    def flags(self, part: Part, checked: Checked) -> Span:
        """A byte for each index that a part checks."""
        self.checked.append(checked)
        self.flagged.append(part)
        return Span(FLAGS, (len(self.checked) - 1) * self.flag_width, self.flag_width)

    def value(self, x: View | Storage) -> Value:
        """A value and how its elements lie."""
        v = x.view() if isinstance(x, Storage) else x
        size = v.base.dtype.itemsize
        strides = tuple([step * size for step in v.strides])
        return Value(self.span(v.base, v.offset * size), Spec(v.shape, v.base.dtype), strides)

    def commands(self) -> Commands:
        """All of it."""
        batches = _carried([self._of(batch) for batch in self.batches])
        setup = [c for batch in self.setup for c in self._of(batch)]
        if any(checks_of(p) for batch in self.setup for p in batch):
            setup.append(Check())
        if self.checked:
            for at in checked_before(self.batches, self.planned):
                batches[at].insert(0, Check())
            if batches:
                batches[-1].append(Check())
        constants = {
            n: np.ascontiguousarray(s.data)
            for n, s in self.outside.items()
            if isinstance(s, State) and s.is_constant
        }
        places = [self._place(what) for what in self.outside.values()]
        return Commands(
            self.planned.program.name,
            self.target,
            tuple(self.kernels),
            tuple(places),
            self.arena.bytes,
            self.arena.needed,
            np.frombuffer(b"".join(self._tables), self._word),
            constants,
            tuple(self.checked),
            tuple(setup),
            {place: tuple(found) for place, found in self.packing.items()},
            tuple(map(tuple, batches)),
            tuple(map(self._output, self.planned.outputs)),
            {s.name: self._update(s, v) for s, v in self.planned.updates.items()},
        )

    def _of(self, batch: list[Part]) -> list[Command]:
        return batch[0].commands(batch[1:], self)

    def _place(self, what: Any) -> Place:
        if isinstance(what, State):
            role: Role = "constant" if what.is_constant else "state"
            return Place(role, what.name, what.spec, None, id(what) in self.written)
        if isinstance(what, Variable):
            return Place("feed", what.name, what.spec)
        if isinstance(what, Arena):
            return Place("derived", "", Spec((what.bytes,), uint8))
        s = self.planned.outputs[what]
        assert isinstance(s, Storage)
        order = None if s.is_row_major else s.order
        return Place("result", str(what), Spec(s.shape, s.dtype), order)

    def _output(self, x: object) -> int | Value | np.ndarray | None:
        if not isinstance(x, Storage):
            return None if x is None else np.asarray(x)
        place = self.numbers.get(self.homes[x])
        is_made = place is not None and isinstance(self.outside[place], int)
        return place if is_made else self.value(x)

    def _update(self, s: State, v: Storage) -> int | Value:
        place = self.place_of(s) if id(s) in self.written else None
        return self.value(v) if place is None else place


def _carried(batches: list[list[Command]]) -> list[list[Command]]:
    """Batches after each of which those flights go on that were begun and not waited for."""
    aloft: dict[int, None] = {}
    for batch in batches:
        is_work = False
        for command in batch:
            if isinstance(command, Travel) and not command.is_awaited:
                aloft[command.flight] = None
            elif isinstance(command, Arrive):
                aloft.pop(command.flight, None)
            else:
                is_work = True
        if aloft and is_work:
            batch.append(Poke(tuple(aloft)))
    return batches
