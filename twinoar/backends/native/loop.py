"""`over_time` as commands of the native driver: between two trips there is no Python.

A trip is an Instance of its own, whose places of the outside are moved on from trip to trip. A
state is read where the trip before has written it, among all the states that the loop returns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from twinoar.backends.llvm import driver
from twinoar.compile.storage import Storage, View
from twinoar.core.ir import State

if TYPE_CHECKING:
    from twinoar.backends.native.compiled import LoopPart
    from twinoar.backends.native.instance import Instance

WORD = np.dtype(np.int64).itemsize
MOVE = 3  # words: an address, who is told it before a trip, and bytes from trip to trip


@dataclass(frozen=True)
class Row:
    """What a trip sees of a value: bytes before it for the first trip, and from trip to trip."""

    storage: Storage
    first: int
    step: int


@dataclass(frozen=True)
class Use:
    """A word that must hold an address in the memory of a value, `offset` bytes into it."""

    storage: Storage
    offset: int
    words: np.ndarray
    position: int


class Loop:
    """The commands of a loop, and the words that must know where its operands and results lie."""

    def __init__(self, part: LoopPart, instance: Instance):
        self.instance, self.trips, self.body = instance, part.trips, part.body
        self.operands: list[View] = [x for x in part.step.operands if isinstance(x, View)]
        self.results: list[Storage] = [s for s in part.step.writes if s is not None]
        assert len(self.operands) == len(part.step.operands)
        assert len(self.results) == len(part.step.writes)
        self.carried = part.step.operator.attrs["carried"]
        self.uses: list[Use] = []
        self._kept: list[np.ndarray] = []
        self._places = np.frombuffer(instance.addresses, np.int64)  # of the outside of a trip
        self._rows: dict[int, Row] = {}  # by place
        self._moves: list[tuple[Row, int]] = []  # and the address of who is told
        before = [*self._starts(), *self._cleared()]
        self._operands()
        after = self._results()
        moves = self._moved()
        trip = driver.Routine([*instance.routine.commands, *after])
        self.commands = before
        if self.trips.count:
            once = [*instance.packing.values(), instance.setup]
            self.commands += [driver.repeat(routine, 1) for routine in once]
            address, count = _address(moves), len(self._moves)
            self.commands.append(driver.repeat(trip, self.trips.count, address, count))

    def _starts(self) -> list[driver.Command]:
        """The start of each state is copied to where the first trip reads it."""
        found = []
        for x, history in zip(self.operands, self.results[: self.carried], strict=False):
            row = self._row_of(history)
            words = self._words(2)
            at = history.bytes - row if self.trips.backward else 0
            self.uses += [Use(history, at, words, 0), Use(x.base, _offset(x), words, 1)]
            found.append(driver.copy(_address(words), row))
        return found

    def _cleared(self) -> list[driver.Command]:
        """Sums begin with zeros, in the memory of what the loop returns."""
        found = []
        first = len(self.results) - len(self.trips.sums)
        for state, total in zip(self.trips.sums, self.results[first:], strict=True):
            words = self._words(1)
            self.uses.append(Use(total, 0, words, 0))
            self._bind(state, total, 0)
            found.append(driver.clear(_address(words), total.bytes))
        return found

    def _operands(self) -> None:
        """What a trip reads: the last states, sequences at its time, and the rest."""
        backward, times = self.trips.backward, self.trips.count
        inputs = self.body.program.main.inputs
        for n, v in enumerate(inputs):
            if n < self.carried:
                row = self._row_of(self.results[n])
                found = Row(self.results[n], times * row * backward, row)
            else:
                x = self.operands[n]
                row = x.strides[0] * x.base.dtype.itemsize if times > 1 else 0
                found = Row(x.base, _offset(x) + (times - 1) * row * backward, row)
            place = self._place_of(v)
            self._rows[place] = found
            self._moves.append((found, _address(self._places) + place * WORD))
        for state, x in zip(self.trips.rest, self.operands[len(inputs) :], strict=True):
            self._bind(state, x.base, _offset(x))
        for place, state in self.body.outside.items():
            if isinstance(state, State) and state.is_constant:
                self.instance.bind(place, np.ascontiguousarray(state.data))

    def _results(self) -> list[driver.Command]:
        """Where a trip writes; copies of what is a value that has another place."""
        copies = []
        backward, times = self.trips.backward, self.trips.count
        for n, s in enumerate(self.body.plan.outputs):
            assert isinstance(s, Storage)
            row = self._row_of(self.results[n])
            first = (times - 1) * row if backward else row * (n < self.carried)
            found, place = Row(self.results[n], first, row), self.body.places[s]
            what = self.body.outside.get(place)
            if isinstance(what, int) and what == n:
                self._rows[place] = found
                self._moves.append((found, _address(self._places) + place * WORD))
                continue
            words = self._words(2)
            self._moves.append((found, _address(words)))
            self._read(place, words)
            copies.append(driver.copy(_address(words), row))
        return copies

    def _read(self, place: int, words: np.ndarray) -> None:
        """Let the second word be where a trip finds what has that place."""
        if place in self._rows:
            self._moves.append((self._rows[place], _address(words) + WORD))
        elif place not in self.body.outside:
            words[1] = self.instance.base + self.body.arena.offsets[place]
        elif self._places[place]:  # a constant
            words[1] = self._places[place]
        else:
            at = next(u for u in self.uses if u.words is self._places and u.position == place)
            self.uses.append(Use(at.storage, at.offset, words, 1))

    def _moved(self) -> np.ndarray:
        """The moves as the driver reads them."""
        words = self._words(MOVE * len(self._moves))
        for n, (row, told) in enumerate(self._moves):
            at = MOVE * n
            self.uses.append(Use(row.storage, row.first, words, at))
            words[at + 1 : at + MOVE] = told, -row.step if self.trips.backward else row.step
        return words

    def _bind(self, state: State, storage: Storage, offset: int) -> None:
        """Let a state of the trips lie there; one that no trip reads lies nowhere."""
        if any(what is state for what in self.body.outside.values()):
            self.uses.append(Use(storage, offset, self._places, self._place_of(state)))

    def _place_of(self, v: object) -> int:
        return next(n for n, what in self.body.outside.items() if what is v)

    def _row_of(self, result: Storage) -> int:
        """The bytes that a trip gives of a result."""
        return result.bytes // result.shape[0] if result.shape[0] else 0

    def _words(self, count: int) -> np.ndarray:
        self._kept.append(np.zeros(count, np.int64))
        return self._kept[-1]


def _offset(x: View) -> int:
    return x.offset * x.base.dtype.itemsize


def _address(words: np.ndarray) -> int:
    return int(words.ctypes.data)


__all__ = ["Loop"]
