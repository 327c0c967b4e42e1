"""Places whose tensors, or number, a Program reads anew before each run.

What a function reads and then assigns (a hidden state, a running statistic, a counter) is another
object at each call. So it is a state of the Program, and its shape and dtype are what must agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import float64, int64
from twinoar.core.ir.program import Program, State
from twinoar.core.spec import Spec
from twinoar.core.tree import LEAF, flatten, unflatten
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.jit.runtime.journal import MISSING, Attribute, Contents, Item, Place
from twinoar.jit.snapshot import same
from twinoar.ops.control.number import number

NUMBERS = {int: int64, float: float64}
LARGEST = 2**63


def is_live(x: Any) -> bool:
    """True for a tensor that may be another one at the next call."""
    return isinstance(x, Tensor) and not x.is_parameter


def holds_tensors(x: Any) -> bool:
    """True for such a tensor, and for lists, tuples and dicts with one in them."""
    return any(map(is_live, flatten(x)[0]))


class LivePlace:
    """A place, and the states that stand for the tensors, or the number, that it held when traced.

    symbols: what it holds at the start of the trace.
    """

    def __init__(self, program: Program, place: Place):
        self.place = place
        self.leaves, self.structure = flatten(place.read())
        self.is_number = type(self.leaves[0]) in NUMBERS if self.structure == LEAF else False
        self.states: dict[int, State] = {
            i: self._state(program, i, x)
            for i, x in enumerate(self.leaves)
            if is_live(x) or self.is_number
        }
        self.kinds = [
            (x._data.shape, x._data.dtype, x.stop_gradient)
            if i in self.states and is_live(x)
            else x
            for i, x in enumerate(self.leaves)
        ]

    def _state(self, program: Program, index: int, x: Any) -> State:
        name = x.name if is_live(x) and isinstance(self.place, Attribute) else f"live_{index}"
        spec = x.spec if is_live(x) else Spec((), NUMBERS[type(x)])
        made = program.add_state(spec, name, stop_gradient=getattr(x, "stop_gradient", True))
        made.traits["live"] = LiveValue(self, index)
        return made

    def symbols(self) -> Any:
        """What stands for the value while the function is traced."""
        if self.is_number:
            state = self.states[0]
            return number(state, state.dtype)
        return unflatten(self.structure, [self.states.get(i, x) for i, x in enumerate(self.leaves)])

    def fits(self, now: Any) -> bool:
        """True where the Program can read `now`."""
        if self.structure == LEAF:
            return self._leaf_fits(0, now)
        leaves, structure = flatten(now)
        return structure == self.structure and all(
            self._leaf_fits(i, x) for i, x in enumerate(leaves)
        )

    def _leaf_fits(self, index: int, x: Any) -> bool:
        kind = self.kinds[index]
        if index not in self.states:
            return same(x, kind)
        if self.is_number:
            return type(x) is type(kind) and (type(x) is float or -LARGEST <= x < LARGEST)
        if not is_live(x):
            return False
        data = x._data
        return bool((data.shape, data.dtype, x.stop_gradient) == kind)

    def read(self, index: int) -> Any:
        """The tensor or number that the place holds now."""
        value = self.place.read()
        return value if self.structure == LEAF else flatten(value)[0][index]

    def __repr__(self) -> str:
        if self.is_number:
            return f"a number of type {type(self.leaves[0]).__name__}"
        return ", ".join(str(s.spec) for s in self.states.values())


class LiveValue:
    """One tensor or number of a live place, as it is now."""

    def __init__(self, live: LivePlace, index: int):
        self.live, self.index = live, index

    def tensor(self) -> Tensor:
        """The tensor; of a number a new one."""
        value = self.live.read(self.index)
        return Tensor(self._data) if self.live.is_number else value

    def take_data(self, array: np.ndarray) -> None:
        """Give the tensor new data: the function changes it in place."""
        self.live.read(self.index).take_data(array)

    @property
    def _data(self) -> np.ndarray:
        value = self.live.read(self.index)
        if self.live.is_number:
            return np.asarray(value, NUMBERS[type(value)].numpy)
        data: np.ndarray = value._data
        return data


def enter(builder: Any, places: set[Place]) -> list[LivePlace]:
    """Put symbols into the places that each run reads anew, where they hold what it can read."""
    started = []
    for place in _without_inner(places):
        value = place.read()
        if value is MISSING or not (holds_tensors(value) or type(value) in (int, float)):
            continue
        live = LivePlace(builder.program, place)
        builder.guards.watch_live(place, live)
        builder.live.add(place)
        builder.journal.hold(place)
        place.write(live.symbols())
        started.append(live)
    return started


def read_and_assigned(builder: Any) -> set[Place]:
    """Places whose tensors the trace took for the same at each call, and then assigned."""
    guards, journal = builder.guards, builder.journal
    found = set()
    for watched in (*guards.watched, *guards.of_layers):
        place = watched.place
        if isinstance(place, Contents):
            changes = place in journal.before
            value = journal.before.get(place)
        elif isinstance(place, Item) and Contents(place.holder) in journal.before:
            changes = place.read() is not watched.expected
            value = watched.expected
        else:
            changes, value = place in journal.before, watched.expected
        if changes and isinstance(value, (Value, list, tuple, dict)) and holds_tensors(value):
            found.add(place)
    return found


def _without_inner(places: set[Place]) -> list[Place]:
    """The places, without items of containers that are among them as a whole."""
    whole = {id(p.holder) for p in places if isinstance(p, Contents)}
    return [p for p in places if isinstance(p, Contents) or id(p.holder) not in whole]
