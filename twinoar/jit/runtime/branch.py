"""`if`, the conditional expression, and what follows a jump."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.core.builder import Builder
from twinoar.core.interpreter import current
from twinoar.core.ir import Variable
from twinoar.core.op import op_named
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.runtime.alias import may_be
from twinoar.jit.runtime.journal import CONTAINERS, MISSING, Journal, Place
from twinoar.jit.runtime.lists import common_item, flatten, stacked_in, unflatten
from twinoar.jit.runtime.merge import (
    Differ,
    Outputs,
    cure_of_text,
    described,
    finished,
    is_same,
    parted,
)
from twinoar.jit.runtime.names import FLAG, PREFIX, RESULT, Slot, cells_of, line_of, note, places_of
from twinoar.jit.runtime.output import Stopped
from twinoar.jit.runtime.truth import condition
from twinoar.jit.runtime.undefined import Partly, Undefined
from twinoar.ops.control_flow import build_if
from twinoar.ops.logical import logical_not

DEEPEST = 32  # branches of one `if` inside each other: more is a recursion that tracing cannot end
_tracing: ContextVar[tuple] = ContextVar("twinoar_branches", default=())


def if_(predicate: Any, true: Callable, false: Callable, names: tuple[str, ...]) -> None:
    """`if predicate`: `true` and `false` share `names` with the function around."""
    truth = condition(predicate)
    if not isinstance(truth, Variable):
        (true if truth else false)()
        return
    Branch(truth, true, false).build(places_of(names, true, false))


def unless(flag: Callable, rest: Callable, names: tuple[str, ...]) -> None:
    """`if not flag(): rest()`: what follows where a jump may have been taken."""
    value = flag()
    if isinstance(value, Variable):
        follow(flag, rest, (), names)
    elif not value:
        rest()


def follow(flag: Callable, rest: Callable, args: tuple, names: tuple[str, ...]) -> None:
    """`if not flag(): rest(*args)`, where only a run knows the flag."""
    value = flag()
    seen = cells_of(flag, rest)
    flags = [p for n, p in seen.items() if n.startswith(FLAG) and p.read() is value]
    partly = [p for p in seen.values() if _is_defined_unless(p.read(), value)]

    def jumped() -> None:
        for place in flags:
            place.write(True)

    def stayed() -> None:
        for place in flags:
            place.write(False)
        for place in partly:
            place.write(place.read().known)
        rest(*args)

    branch = Branch(value, jumped, stayed, (rest, rest))
    branch.build([*places_of(names, flag, rest), *flags, *partly], truth=value)


def _is_defined_unless(x: Any, flag: Variable) -> bool:
    return isinstance(x, Partly) and flag in x.unless


def ternary(predicate: Any, true: Callable, false: Callable, names: tuple[str, ...] = ()) -> Any:
    """`true() if predicate else false()`."""
    truth = condition(predicate)
    if not isinstance(truth, Variable):
        return true() if truth else false()
    slot = Slot("the conditional expression")
    branch = Branch(truth, lambda: slot.write(true()), lambda: slot.write(false()), (true, false))
    branch.build([slot, *places_of(names, true, false)])
    found = slot.read()
    return found.refuse() if isinstance(found, Undefined) else found


class Side:
    """One traced side of a branch.

    after: what the places that it changed hold at its end. raw: the very objects. stopped: True if
    it raises an exception there.
    """

    def __init__(self, builder: Builder, run: Callable, places: Iterable[Place]):
        with region(builder, places) as (self.inner, journal):
            self.stopped = ends(run)
            self.raw, self.after = {}, {}
            for place, before in journal.before.items():
                now = place.read()
                if not is_unchanged(before, now):
                    self.raw[place], self.after[place] = now, settled(self.inner, now)

    def value(self, place: Place, before: Any) -> Any:
        """What `place` holds at the end, for this block."""
        if place in self.after:
            return self.after[place]
        leaves, structure = flatten(before)
        made = [self._kept(x) if isinstance(x, Value) else x for x in leaves]
        return unflatten(structure, made)

    def _kept(self, x: Value) -> Any:
        v = self.inner.lift(x)
        handle = x if isinstance(x, Variable) else self.inner.program.captured.get(id(x))
        return self.inner.changed.get(handle, v)  # type: ignore[arg-type]


def is_unchanged(before: Any, now: Any) -> bool:
    """True for one object, and for copies of one container."""
    if before is now:
        return True
    if type(before) is not type(now) or not isinstance(before, (*CONTAINERS, tuple)):
        return is_same(before, now)
    if isinstance(before, (set, np.ndarray)):
        return np.array_equal(before, now) if isinstance(before, np.ndarray) else before == now
    if isinstance(before, deque):
        before, now = list(before), list(now)
    (a, structure), (b, other) = flatten(before), flatten(now)
    return structure == other and all(x is y for x, y in zip(a, b, strict=True))


@contextmanager
def region(builder: Builder, places: Iterable[Place]) -> Iterator[tuple[Builder, Journal]]:
    """A nested block; what its code changes, in `places` and elsewhere, is undone at the end."""
    with builder.nested() as inner, noting(inner, places) as journal:
        yield inner, journal


@contextmanager
def noting(inner: Builder, places: Iterable[Place]) -> Iterator[Journal]:
    """The journal of a nested block, with `places` in it: undone with the block, or here."""
    journal = getattr(inner, "journal", None)
    own = Journal() if journal is None else journal
    for place in places:
        own.note(place)
    try:
        yield own
    finally:
        if journal is None:
            own.undo()


def ends(run: Callable) -> bool:
    """Trace `run`. True if it raises an exception when the Program runs."""
    try:
        run()
    except Stopped:
        return True
    return False


def settled(inner: Builder, x: Any) -> Any:
    """`x` with tensors as they are at this point of a block."""
    if isinstance(x, Partly):
        return Partly(x.undefined_name, settled(inner, x.known), x.unless)
    leaves, structure = flatten(x)
    return unflatten(structure, [inner.lift(v) if isinstance(v, Value) else v for v in leaves])


class Branch:
    """An `if` operator in the making.

    functions: those whose lines messages name; the sides themselves, where they are converted code.
    """

    def __init__(
        self,
        predicate: Variable,
        true: Callable,
        false: Callable,
        functions: tuple[Callable, Callable] | None = None,
    ):
        self.builder = current()
        self.runs = true, false
        self.functions = functions or (true, false)
        self.predicate = predicate

    def build(self, places: list[Place], truth: Variable | None = None) -> None:
        """Trace both sides, append the operator, and give places their values after it.

        places: names that a side assigns. truth: what flags hold that are the predicate itself.
        """
        self.truth = truth
        with _deeper(self.functions[0].__code__):
            self.then, self.orelse = (Side(self.builder, run, places) for run in self.runs)
        self.outputs = Outputs(self.then.inner, self.orelse.inner)
        changed = list(dict.fromkeys([*self.then.raw, *self.orelse.raw]))
        changed.sort(key=lambda p: not _is_flag(p))
        self.before = {place: place.read() for place in changed}
        merged = {place: self._merged(place) for place in changed}
        for n, side in enumerate((self.then, self.orelse)):
            side.inner.block.outputs = [pair[n] for pair in self.outputs.pairs]
        results = build_if(self.predicate, self.then.inner, self.orelse.inner)
        self.after: dict[Place, Any] = {}
        for place, value in merged.items():
            self.after[place] = value = self._finished(value, results)
            self._note_aliases(place, value)
            write_outside(self.builder, place, value, places)
        if self.then.stopped and self.orelse.stopped:
            raise Stopped

    def _merged(self, place: Place) -> Any:
        raws = [side.raw.get(place, self.before[place]) for side in (self.then, self.orelse)]
        if raws[0] is raws[1]:
            return raws[0]
        values = [side.value(place, self.before[place]) for side in (self.then, self.orelse)]
        stopped = [self.then.stopped, self.orelse.stopped]
        if any(stopped):
            return self._survivor(place, raws, values, stopped)
        if _is_flag(place) and all(isinstance(v, bool) for v in values) and values[0] != values[1]:
            return Truth(bool(values[0]))
        lacking = [v is MISSING or isinstance(v, Undefined) for v in values]
        if all(lacking):
            return next(
                (v for v in values if v is not MISSING and not isinstance(v, Partly)),
                Undefined(str(place)),
            )
        try:
            if not any(lacking):
                return self.outputs.merge(*values)
            if place.key == RESULT:
                return self.outputs.merge(
                    *(MISSING if n else v for n, v in zip(lacking, values, strict=True))
                )
        except Differ:
            return self._stacked(values) or self._refused(place, raws)
        return self._partly(place, values, lacking.index(True))

    def _note_aliases(self, place: Place, value: Any) -> None:
        """What a merged value, and each leaf of it, may be."""
        sides = (self.then, self.orelse)
        raws = [_known_part(side.raw.get(place, self.before[place])) for side in sides]
        value = _known_part(value)
        if any(value is x for x in raws):
            return
        may_be(self.builder.program, value, raws)
        for m, *olds in zip(flatten(value)[0], *(flatten(x)[0] for x in raws), strict=False):
            if all(m is not x for x in olds):
                may_be(self.builder.program, m, olds)

    def _survivor(
        self, place: Place, raws: list[Any], values: list[Any], stopped: list[bool]
    ) -> Any:
        """The value after the side that goes on, where the other raises an exception."""
        goes_on = 0 if not stopped[0] else 1
        live = values[goes_on]
        side = (self.then, self.orelse)[goes_on]
        if all(stopped) or place not in side.raw or live is MISSING or isinstance(live, Undefined):
            return raws[goes_on]
        return self.outputs.merge(
            *(MISSING if s else v for s, v in zip(stopped, values, strict=True))
        )

    def _partly(self, place: Place, values: list[Any], missing: int) -> Any:
        """A value that one side alone has, where flags tell that it was not that side."""
        dead = values[missing]
        known = dead.unless if isinstance(dead, Partly) else frozenset()
        flags = [f for f in self.before if _is_flag(f) and self._is_set(f, missing, known)]
        if not flags:
            return Undefined(str(place))
        given = dead.known if isinstance(dead, Partly) else MISSING
        pair = [given, given]
        pair[1 - missing] = values[1 - missing]
        try:
            return Unless(str(place), self.outputs.merge(*pair), flags)
        except Differ:
            return Undefined(str(place))

    def _is_set(self, flag: Place, side: int, known: frozenset) -> bool:
        raw = (self.then, self.orelse)[side].raw.get(flag, self.before[flag])
        return raw is True or (isinstance(raw, Variable) and raw in known)

    def _stacked(self, values: list[Any]) -> Any:
        """Lists of several lengths as one whose length only a run knows; None if they cannot be."""
        found = all(isinstance(v, list) for v in values) and common_item(*values)
        if not found or not any(isinstance(x, Value) for x in (*values[0], *values[1])):
            return None
        made = zip((self.then, self.orelse), values, strict=True)
        return self.outputs.merge(*(stacked_in(side.inner, x, *found) for side, x in made))

    def _refused(self, place: Place, raws: list[Any]) -> Undefined:
        lines = [line_of(f, place) for f in self.functions]
        whole = "what the function returns" if place.key == RESULT else str(place)
        name, *values = parted(*raws, whole)
        told = [
            f"{described(x)} {f'at line {n}' if place in side.raw else 'before'}"
            for x, n, side in zip(values, lines, (self.then, self.orelse), strict=True)
        ]
        cure = cure_of_text(place, *values)
        if place.key == RESULT:
            start = "the function returns" if name == whole else f"{name} is"
            raise ConversionError(
                f"{start} {told[0]} and {told[1]}, as a tensor decides",
                cure=cure or "return values of the same structure, dtype and number of dimensions",
            )
        return Undefined(
            str(place),
            f"{name} is {told[0]} and {told[1]}, as a tensor decides",
            cure or f"give {name} the same type, dtype and number of dimensions on both sides",
        )

    def _finished(self, value: Any, results: tuple[Variable, ...]) -> Any:
        if isinstance(value, Truth):
            self.truth = self.truth if self.truth is not None else identity(self.predicate)
            return self.truth if value.holds else logical_not(self.truth)
        if isinstance(value, Unless):
            flags = frozenset(v for f in value.flags if isinstance(v := self.after[f], Variable))
            made = finished(value.value, results)
            return Partly(value.name, made, flags) if flags else Undefined(value.name)
        return finished(value, results)


@dataclass
class Truth:
    """A flag in the making that is set where the predicate holds, or where it does not."""

    holds: bool


@dataclass
class Unless:
    """A Partly in the making: the flags have no values yet."""

    name: str
    value: Any
    flags: list[Place]


def identity(x: Variable) -> Variable:
    """`x` as a value of its own, that nothing changes in place."""
    return op_named("identity").function(x)  # type: ignore[no-any-return]


def write_outside(builder: Builder, place: Place, value: Any, own: Iterable[Place]) -> None:
    """Give a place its value after an operator; the journal is told of what is no variable."""
    if place not in own:
        if isinstance(value, Undefined):
            value.refuse()
        note(builder, place)
    place.write(value)


def _known_part(x: Any) -> Any:
    """What `x` is where it is defined."""
    return x.known if isinstance(x, Partly) else x


def _user_name(code: Any) -> str:
    parts = code.co_qualname.split(".<locals>.")
    return next((p for p in parts if not p.startswith(PREFIX)), parts[-1])


def _is_flag(place: Place) -> bool:
    return isinstance(place.key, str) and place.key.startswith(FLAG)


@contextmanager
def _deeper(code: Any) -> Iterator[None]:
    """Refuse to trace a branch inside itself without end."""
    above = _tracing.get()
    if above.count(code) >= DEEPEST:
        raise ConversionError(
            f"{_user_name(code)} calls itself under a condition "
            "that depends on a tensor: a Program holds no recursion",
            cure="write it as a while loop, or let plain values decide",
        )
    token = _tracing.set((*above, code))
    try:
        yield
    finally:
        _tracing.reset(token)
