"""`if`, the conditional expression, and what follows a jump."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from twinoar.core.interpreter import current
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Variable
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.contents import BUFFERS, is_as
from twinoar.jit.runtime.alias import may_be
from twinoar.jit.runtime.journal import MISSING, Contents, Journal, Place
from twinoar.jit.runtime.lists import common_item, flatten, stack_of, stacked_in, unflatten
from twinoar.jit.runtime.merge import (
    Differ,
    Outputs,
    cure_of_object,
    cure_of_text,
    finished,
    is_same,
    parted,
    told_apart,
)
from twinoar.jit.runtime.names import (
    FLAG,
    PREFIX,
    RESULT,
    Slot,
    cells_of,
    is_flag,
    line_of,
    note,
    places_of,
)
from twinoar.jit.runtime.output import Stopped
from twinoar.jit.runtime.perhaps import Torn, perhaps_of
from twinoar.jit.runtime.state import note_kept
from twinoar.jit.runtime.stop import ends
from twinoar.jit.runtime.truth import condition
from twinoar.jit.runtime.undefined import (
    Fact,
    Partly,
    Undefined,
    fact,
    is_lacking,
    known_of,
    partly,
    tells,
    where,
)
from twinoar.late import dataclass
from twinoar.ops.control.branch_and_loop import build_if
from twinoar.ops.create.fill import identity
from twinoar.ops.math.logical import logical_not

DEEPEST = 32  # branches of one `if` inside each other: more is a recursion that tracing cannot end
_tracing: ContextVar[tuple] = ContextVar("twinoar_branches", default=())


def if_(predicate: Any, true: Callable, false: Callable, names: tuple[str, ...]) -> None:
    """`if predicate`: `true` and `false` share `names` with the function around."""
    truth = condition(predicate)
    if not isinstance(truth, Variable):
        (true if truth else false)()
        return
    flag = predicate.latest() if isinstance(predicate, Variable) else truth
    partial = _told_by(flag, cells_of(true, false).values())

    def then() -> None:
        _learn(partial, flag, True)
        true()

    def otherwise() -> None:
        _learn(partial, flag, False)
        false()

    places = [*places_of(names, true, false), *partial]
    Branch(truth, then, otherwise, (true, false)).build(places)


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
    partial = _told_by(value, seen.values())

    def learn(holds: bool) -> None:
        for place in flags:
            place.write(holds)
        _learn(partial, value, holds)

    def stayed() -> None:
        learn(False)
        rest(*args)

    branch = Branch(value, lambda: learn(True), stayed, (rest, rest))
    branch.build([*places_of(names, flag, rest), *flags, *partial], truth=value)


def _told_by(flag: Variable, places: Iterable[Place]) -> list[Place]:
    """The places of which a flag tells something on either side."""
    told = [fact(flag, holds) for holds in (True, False)]
    return [p for p in places if any(where(p.read(), f) is not p.read() for f in told)]


def _learn(partial: list[Place], flag: Variable, holds: bool) -> None:
    for place in partial:
        place.write(where(place.read(), fact(flag, holds)))


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

    after: what the places that it changed hold at its end. raw: the very objects. unchanged: those
    that it gave what they held. stopped: True if it raises an exception there. torn: what it tears.
    """

    def __init__(self, builder: Builder, run: Callable, places: Iterable[Place]):
        self.perhaps, self.torn = perhaps_of(builder), dict[int, Torn]()
        apart = self.perhaps.apart(self.torn)
        with apart, region(builder, places) as (self.inner, journal):
            self.stopped = ends(run)
            self.raw, self.after = {}, {}
            self.unchanged: list[Place] = []
            for place, before in journal.before.items():
                now = place.read()
                if is_unchanged(place, before, now):
                    self.unchanged.append(place)
                else:
                    self.raw[place], self.after[place] = now, settled(self.inner, now)

    def value(self, place: Place, before: Any) -> Any:
        """What `place` holds at the end, for this block."""
        if place in self.after:
            return self.after[place]
        with self.perhaps.apart(self.torn):
            return mapped(self._kept, before)

    def _kept(self, x: Value) -> Any:
        v = self.inner.lift(x)
        handle = x if isinstance(x, Variable) else self.inner.program.captured.get(id(x))
        return self.inner.changed.get(handle, v)  # type: ignore[arg-type]


def is_unchanged(place: Place, before: Any, now: Any) -> bool:
    """True if a place holds what it held: one object, or a container with the same contents."""
    if before is now:
        return True
    if not isinstance(place, Contents):
        return is_same(before, now)
    if isinstance(place.holder, BUFFERS):
        return is_as(place.holder, before)
    if isinstance(before, set):
        return before == now
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


def settled(inner: Builder, x: Any) -> Any:
    """`x` with tensors as they are at this point of a block."""
    return mapped(inner.lift, x)


def mapped(of: Callable[[Value], Any], x: Any) -> Any:
    """`x` with `of` applied to the tensors in it."""
    if isinstance(x, Partly):
        return Partly(x.undefined_name, mapped(of, x.known), x.when)
    leaves, structure = flatten(x)
    return unflatten(structure, [of(v) if isinstance(v, Value) else v for v in leaves])


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
        self.stacked: dict[Place, list[Variable]] = {}
        with _deeper(self.functions[0].__code__):
            self.then, self.orelse = (Side(self.builder, run, places) for run in self.runs)
        self.sides = self.then, self.orelse
        self.outputs = Outputs(self.then.inner, self.orelse.inner)
        changed = list(dict.fromkeys([*self.then.raw, *self.orelse.raw]))
        changed.sort(key=lambda p: not is_flag(p))
        self.before = {place: place.read() for place in changed}
        for place in (*self.then.unchanged, *self.orelse.unchanged, *changed):
            if any(place not in side.raw and not side.stopped for side in self.sides):
                note_kept(self.builder, place)
        merged = {place: self._merged(place) for place in changed}
        for place in [p for p, v in merged.items() if isinstance(v, Undefined)]:
            if place not in places and not self._lasts(place, places):
                del merged[place]
        for n, side in enumerate(self.sides):
            side.inner.block.outputs = [pair[n] for pair in self.outputs.pairs]
        results = build_if(self.predicate, self.then.inner, self.orelse.inner)
        for side in self.sides:
            side.perhaps.add(side.torn)
        self.after: dict[Place, Any] = {}
        for place, value in merged.items():
            self.after[place] = value = self._finished(value, results)
            self._note_aliases(place, value)
            write_outside(self.builder, place, value, places)
        if self.then.stopped and self.orelse.stopped:
            raise Stopped

    def _lasts(self, place: Place, places: list[Place]) -> bool:
        """False for a place in an object that a side has made: it makes another one each time."""
        for run in self.runs:
            with region(self.builder, places) as (_, journal):
                ends(run)
                if place in journal.before:
                    return True
        return False

    def _merged(self, place: Place) -> Any:
        raws = [side.raw.get(place, self.before[place]) for side in self.sides]
        if raws[0] is raws[1]:
            return raws[0]
        values = [side.value(place, self.before[place]) for side in self.sides]
        if any(side.stopped for side in self.sides):
            return self._survivor(place, raws, values)
        lacking = [is_lacking(v) for v in values]
        if is_flag(place):
            return Undefined(str(place)) if any(lacking) else self._merged_flag(*values)
        if any(lacking):
            return self._partly(place, values)
        try:
            return self.outputs.merge(*values)
        except Differ:
            return self._stacked(place, raws, values) or self._refused(place, raws)

    def _merged_flag(self, a: Any, b: Any) -> Any:
        is_predicate = isinstance(a, bool) and isinstance(b, bool) and a != b
        return Truth(a) if is_predicate else self.outputs.merge(a, b)

    def _note_aliases(self, place: Place, value: Any) -> None:
        """What a merged value, and each leaf of it, may be."""
        raws = [known_of(side.raw.get(place, self.before[place])) for side in self.sides]
        value = known_of(value)
        if any(value is x for x in raws):
            return
        may_be(self.builder, value, raws)
        if stack_of(value) is not None:
            raws = self.stacked.get(place, raws)
            may_be(self.builder, value[0].stacked, [x for raw in raws for x in flatten(raw)[0]])
            return
        for m, *olds in zip(flatten(value)[0], *(flatten(x)[0] for x in raws), strict=False):
            if all(m is not x for x in olds):
                may_be(self.builder, m, olds)

    def _survivor(self, place: Place, raws: list[Any], values: list[Any]) -> Any:
        """The value after the side that goes on, where the other raises an exception."""
        goes_on = 0 if not self.then.stopped else 1
        side = self.sides[goes_on]
        live = known_of(values[goes_on])
        if side.stopped or place not in side.raw or is_lacking(live):
            return raws[goes_on]
        if is_lacking(values[goes_on]):
            return self._partly(place, values)
        return self.outputs.merge(
            *(MISSING if s.stopped else v for s, v in zip(self.sides, values, strict=True))
        )

    def _partly(self, place: Place, values: list[Any]) -> Any:
        """A value that a side lacks, or has in part, where flags tell that it has it."""
        sides = list(zip(self.sides, values, strict=True))
        undefined = [v for v in values if isinstance(v, Undefined)]
        name = undefined[0].undefined_name if undefined else str(place)
        flags = [
            (flag, holds)
            for flag in self.before
            for holds in (True, False)
            if is_flag(flag) and all(self._tells(flag, holds, s, v) for s, v in sides)
        ]
        before = self.before[place]
        if isinstance(before, Partly) and all(self._has_left(place, s) for s in self.sides):
            return Unless(name, before.known, flags, before.when)
        kept = self._still_told(sides)
        if not flags and not kept:
            nothing = (v for v in undefined if not isinstance(v, Partly))
            return next(nothing, Undefined(name))
        given = [MISSING if s.stopped else _given(v) for s, v in sides]
        try:
            return Unless(name, self.outputs.merge(*given), flags, kept)
        except Differ:
            return self._refused(place, given)

    def _has_left(self, place: Place, side: Side) -> bool:
        """True if a side has learned of a value at most, and not changed it."""
        before, now = self.before[place], side.raw.get(place, self.before[place])
        learned = now.when <= before.when if isinstance(now, Partly) else True
        return known_of(now) is before.known and learned

    def _tells(self, flag: Place, holds: bool, side: Side, value: Any) -> bool:
        """True if `value`, which a side has, is defined at its end where `flag` is `holds`."""
        return side.stopped or tells(side.raw.get(flag, self.before[flag]), holds, value)

    def _still_told(self, sides: list[tuple[Side, Any]]) -> frozenset[Fact]:
        """Facts from before the branch that tell on every side that the value is defined."""
        blocks = [side.inner.block for side in self.sides]
        dead = [v for side, v in sides if not side.stopped and is_lacking(v)]
        told = [v.when if isinstance(v, Partly) else frozenset() for v in dead]
        return frozenset(f for f in frozenset.intersection(*told) if f[0].home not in blocks)

    def _stacked(self, place: Place, raws: list[Any], values: list[Any]) -> Any:
        """Lists of several lengths as one whose length only a run knows; None if they cannot be."""
        found = all(isinstance(v, list) for v in values) and common_item(*values)
        if not found or not any(isinstance(x, Value) for x in (*values[0], *values[1])):
            return None
        given = zip(self.sides, values, raws, strict=True)
        made = [stacked_in(side.inner, x, *found, raw) for side, x, raw in given]
        self.stacked[place] = [x[0].stacked for x in made]
        return self.outputs.merge(*made)

    def _refused(self, place: Place, raws: list[Any]) -> Undefined:
        lines = [line_of(f, place) for f in self.functions]
        whole = "what the function returns" if place.key == RESULT else str(place)
        then, orelse = raws
        name, *values = parted(then, orelse, whole)
        told = [
            f"{text} {f'at line {n}' if place in side.raw else 'before'}"
            for text, n, side in zip(told_apart(*values), lines, self.sides, strict=True)
        ]
        cure = cure_of_text(place, *values) or cure_of_object(*values)
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
            self.truth = self.truth if self.truth is not None else identity.function(self.predicate)
            return self.truth if value.holds else logical_not(self.truth)
        if isinstance(value, Unless):
            flags = [(self.after[flag], holds) for flag, holds in value.flags]
            when = {fact(v, holds) for v, holds in flags if isinstance(v, Variable)}
            return partly(value.name, finished(value.value, results), when | value.kept)
        return finished(value, results)


@dataclass
class Truth:
    """A flag in the making that is set where the predicate holds, or where it does not."""

    holds: bool


@dataclass
class Unless:
    """A Partly in the making: the flags have no values yet. kept: facts from before."""

    name: str
    value: Any
    flags: list[tuple[Place, bool]]
    kept: frozenset[Fact]


def _given(x: Any) -> Any:
    """What a side gives for a value that it may lack, or MISSING."""
    if isinstance(x, Partly):
        return x.known if x.when else MISSING
    return MISSING if isinstance(x, Undefined) else x


def write_outside(builder: Builder, place: Place, value: Any, own: Iterable[Place]) -> None:
    """Give a place its value after an operator; the journal is told of what is no variable."""
    if place not in own:
        if isinstance(value, Undefined):
            value.refuse()
        note(builder, place)
    place.write(value)


def _user_name(code: Any) -> str:
    parts = code.co_qualname.split(".<locals>.")
    return next((p for p in parts if not p.startswith(PREFIX)), parts[-1])


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
