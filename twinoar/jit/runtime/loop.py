"""`while`, and what all loops on tensors share."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from typing import Any

from twinoar.core.dtype import DType
from twinoar.core.interpreter import current
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Variable
from twinoar.core.spec import Spec
from twinoar.core.values import Value
from twinoar.errors import ConversionError
from twinoar.jit.runtime.alias import may_be
from twinoar.jit.runtime.branch import (
    is_unchanged,
    noting,
    region,
    settled,
    write_outside,
)
from twinoar.jit.runtime.journal import MISSING, Cell, Place
from twinoar.jit.runtime.lists import common_item, flatten, stacked_in, unflatten
from twinoar.jit.runtime.merge import (
    PLAIN,
    cure_of_object,
    cure_of_text,
    is_same,
    is_tensor,
    lifted,
    outside_spec,
    parted,
    shared_dtype,
    told_apart,
    zeros_in,
)
from twinoar.jit.runtime.names import RESULT, Slot, assigns, is_flag, note, places_of
from twinoar.jit.runtime.perhaps import Perhaps, Torn, perhaps_of
from twinoar.jit.runtime.state import note_kept
from twinoar.jit.runtime.stop import ends
from twinoar.jit.runtime.truth import condition
from twinoar.jit.runtime.undefined import (
    Fact,
    Undefined,
    fact,
    is_lacking,
    known_of,
    partly,
    tells,
)
from twinoar.late import dataclass
from twinoar.ops.control.branch_and_loop import Carried, build_while
from twinoar.ops.control.number import as_number

MOST_ITERATIONS = 10_000  # of a loop that plain values decide, while a Program is built
MOST_GUARDED = 1_000  # those after a tensor has decided about a break: each is an `if`
IMPOSSIBLE = object()


def while_(
    test: Callable, body: Callable, names: tuple[str, ...], outliving: tuple[str, ...]
) -> None:
    """`while test(): body()`; both share `names` with the function around.

    outliving: those that are used outside the loop too.
    """
    iterations = 0
    known = _changes()
    while not isinstance(going := condition(test()), Variable):
        if not going:
            return
        body()
        iterations += 1
        check_iterations(iterations)
        known = _changes()
    places = places_of(names, test, body)
    if not assigns(test) and _changes() == known:
        Loop(test, body, outliving).build(places)
        return
    told = Slot("the condition", going)

    def iteration() -> None:
        body()
        told.write(condition(test()))

    Loop(told.read, iteration, outliving).build([told, *places])


def _changes() -> int:
    """How often a trace has changed an object so far."""
    here = current()
    return len(here.journal.log) if here.traces else 0


def check_iterations(iterations: int, most: int = MOST_ITERATIONS) -> None:
    """Refuse to unroll a loop further, into a Program that would never be finished."""
    if iterations >= most and not current().runs:
        raise ConversionError(
            f"a loop that plain Python values decide has run {iterations} times while it was "
            "traced",
            cure="let a tensor count its iterations, so that it becomes a loop of the Program, "
            "or keep it out of the converted function",
        )


@dataclass
class Leaf:
    """A value that iterations change. start: what it is before the loop. is_number: a Python one.

    known: what is known of it before every iteration. others: what an iteration may leave in its
    place.
    """

    start: Any
    dtype: DType
    is_number: bool
    known: Carried
    others: tuple[Value, ...] = ()

    @classmethod
    def of(cls, start: Any, dtype: DType, is_number: bool) -> Leaf:
        """A leaf of which no iteration is known."""
        spec = start.spec if isinstance(start, Value) else Spec(())
        stop_gradient = not isinstance(start, Value) or start.stop_gradient
        return cls(start, dtype, is_number, Carried(Spec(spec.shape, dtype), stop_gradient))

    def after(self, x: Any) -> Leaf:
        """The same, with what an iteration tells that ends with `x`."""
        if not isinstance(x, Variable) or x.dtype is not self.dtype:
            return self
        return replace(self, known=self.known.after(x, current().program.fresh_dim))

    def value(self, v: Variable) -> Variable:
        """What converted code sees for the symbol v of it."""
        return as_number(v) if self.is_number else v


@dataclass
class Form:
    """A place that iterations change: the leaves of its value, those that stay as they are, and
    how."""

    leaves: list[Any]
    structure: Any

    def changing(self) -> list[Leaf]:
        """The leaves that the operator carries."""
        return [x for x in self.leaves if isinstance(x, Leaf)]

    def value(self, given: Iterator[Variable]) -> Any:
        """What the place holds when the leaves that change are `given`."""
        made = [x.value(next(given)) if isinstance(x, Leaf) else x for x in self.leaves]
        return unflatten(self.structure, made)


class Loop:
    """A `while` operator in the making: it carries what an iteration changes, the rest stays as it
    is.

    born: places that have no value before the loop. refused: those that an iteration gives what no
    loop can carry; in each stands an Undefined that says so. suspects: places of the last iteration
    that may be in what it made itself. is_settled: True after an iteration without news.

    torn: what an iteration tears, and the next one finds so.

    partial: places `outliving` the loop that have no value before it, but one where a flag is what
    stands beside it. flags: at the end of an iteration. last: what flags are when there is no other
    iteration.
    """

    def __init__(self, test: Callable, body: Callable, outliving: Container[str]):
        self.test, self.body, self.outliving = test, body, outliving
        self.builder: Builder = current()
        self.perhaps: Perhaps = perhaps_of(self.builder)
        self.torn: dict[int, Torn] = {}
        self.carried: dict[Place, Form] = {}
        self.born: dict[Place, Undefined] = {}
        self.refused: dict[Place, Undefined] = {}
        self.partial: dict[Place, frozenset[tuple[Place, bool]]] = {}
        self.flags: dict[Place, Any] = {}
        self.last: frozenset[tuple[Place, bool]] = frozenset()
        self.suspects: set[Place] = set()
        self.is_settled = False

    def build(self, places: list[Place]) -> None:
        """Append the operator, and give places their values after it. places: names it assigns."""
        while self._finds_more(places):
            pass
        for place in self.carried:
            note_kept(self.builder, place)
        leaves = [leaf for c in self.carried.values() for leaf in c.changing()]
        starts = [lifted(self.builder, leaf.start, leaf.dtype) for leaf in leaves]

        def test(*given: Any) -> Any:
            with noting(current(), places), self.perhaps.apart(self.torn):
                self._enter(given)
                decides = lifted(current(), condition(self.test()), None)
                known = frozenset().union(*self.partial.values())
                self.last = frozenset(x for x in known if is_told(*x, fact(decides, False)))
                return decides

        def body(*given: Any) -> list[Any]:
            with noting(current(), places), self.perhaps.apart(self.torn):
                self._enter(given)
                ends(self.body)
                return [v for place in self.carried for v in self._following(place)]

        results = build_while(self.builder, test, body, starts, [leaf.known for leaf in leaves])
        self.perhaps.add(self.torn)
        for place, value in self._values(results).items():
            self._note_aliases(place, value)
            if self.last & self.partial.get(place, frozenset()):
                value = known_of(value)
            write_outside(self.builder, place, value, places)

    def _enter(self, given: Iterable[Variable]) -> None:
        """Let places hold what they do at the start of an iteration."""
        given = list(given)
        for place, value in self._values(given).items():
            self._note_aliases(place, value)
            if place not in self.born or isinstance(place, Cell):
                note(current(), place)
                place.write(value)

    def _note_aliases(self, place: Place, value: Any) -> None:
        """A value in a loop, and after it, may be that from before it, or what an iteration
        leaves."""
        value = known_of(value)
        if self._leaves(place):
            may_be(self.builder, value, ())
        for v, leaf in zip(flatten(value)[0], self._leaves(place), strict=False):
            if isinstance(leaf, Leaf):
                may_be(self.builder, v, [leaf.start, *leaf.others])

    def _leaves(self, place: Place) -> list[Any]:
        return self.carried[place].leaves if place in self.carried else []

    def _values(self, given: Iterable[Variable]) -> dict[Place, Any]:
        left = iter(given)
        found = {p: c.value(left) for p, c in self.carried.items()}
        for place, told in self.partial.items():
            when = [fact(found[flag], holds) for flag, holds in told]
            found[place] = partly(str(place), found[place], when)
        return found | self.refused | self.born

    def _following(self, place: Place) -> list[Variable]:
        """The leaves of a place that change, as they are at the end of an iteration."""
        pairs = zip(self.carried[place].leaves, flatten(known_of(place.read()))[0], strict=True)
        return [lifted(current(), x, leaf.dtype) for leaf, x in pairs if isinstance(leaf, Leaf)]

    def _finds_more(self, places: list[Place]) -> bool:
        """Trace an iteration for nothing. True if it has changed what was not known to change."""
        apart = self.perhaps.apart(self.torn)
        with region(self.builder, places) as (inner, journal), apart:
            leaves = [leaf for c in self.carried.values() for leaf in c.changing()]
            symbols = [_symbol(inner, leaf) for leaf in leaves]
            self._enter(symbols)
            entered = {place: place.read() for place in journal.before}
            condition(self.test())
            ends(self.body)
            self.flags = {place: place.read() for place in journal.before if is_flag(place)}
            found, kept = {}, []
            for place, before in journal.before.items():
                start, now = entered.get(place, before), place.read()
                if not is_unchanged(place, start, now):
                    found[place] = start, now, settled(inner, now)
                elif place not in self.carried:
                    kept.append(place)
        for place in kept:
            note_kept(self.builder, place)
        known = self._lasting(found, places)
        news = [self._take(p, *found[p]) for p in sorted(known, key=is_flag, reverse=True)]
        goes_on = any(news) or not (self.is_settled or len(known) == len(found))
        self.is_settled = not any(news)
        return goes_on

    def _lasting(self, found: dict[Place, Any], names: list[Place]) -> list[Place]:
        """The places among `found` that are there in every iteration.

        What is in an object that an iteration has made is another place in every iteration.
        """
        known = {*names, *self.carried, *self.suspects}
        self.suspects = {p for p in found if p not in names}
        return [p for p in found if p in known]

    def _take(self, place: Place, start: Any, now: Any, settled_now: Any) -> bool:
        """Learn what an iteration makes of a place. True if it is news."""
        if place in self.refused or place in self.born:
            return False
        told = self.partial.get(place)
        if is_lacking(start) and not self._takes_partly(place, now):
            return self._bear(place)
        start, now, settled_now = known_of(start), known_of(now), known_of(settled_now)
        if start is MISSING or isinstance(start, Undefined):
            self.carried[place] = _unread(self.builder, settled_now)
            return True
        known = self.carried.get(place)
        if known is None:
            known = Form(*flatten(known_of(place.read())))
        leaves, structure = flatten(settled_now)
        if isinstance(settled_now, Undefined) or now is MISSING:
            return self._refuse(place, settled_now)
        if structure != known.structure:
            return self._stack(place, now, settled_now) or self._refuse(place, settled_now)
        given, raw = flatten(start)[0], flatten(now)[0]
        taken = [_taken(*xs) for xs in zip(known.leaves, given, raw, leaves, strict=True)]
        if any(x is IMPOSSIBLE for x in taken):
            return self._refuse(place, settled_now)
        taken = [self._with_other(*pair) for pair in zip(taken, raw, strict=True)]
        is_new = place not in self.carried or any(map(_is_news, taken, known.leaves))
        is_new |= told != self.partial.get(place)
        self.carried[place] = Form(taken, structure)
        return is_new

    def _takes_partly(self, place: Place, now: Any) -> bool:
        """True for a place without a value before the loop that flags tell of after it."""
        is_result, value = place.key == RESULT, known_of(now)
        if is_lacking(value) or not (is_result or isinstance(value, (Value, *PLAIN))):
            return False
        if place.key not in self.outliving:
            return False
        before = place.read()
        told = frozenset(
            (flag, holds)
            for flag, end in self.flags.items()
            for holds in (True, False)
            if flag in self.carried and tells(flag.read(), holds, before) and tells(end, holds, now)
        )
        self.partial[place] = told & self.partial.get(place, told)
        return bool(self.partial[place])

    def _bear(self, place: Place) -> bool:
        self.partial.pop(place, None)
        self.carried.pop(place, None)
        self.born[place] = Undefined(
            str(place),
            f"{place} is undefined here if the loop before makes no iteration, "
            "or in its first iteration",
            f"assign {place} before the loop",
        )
        return True

    def _with_other(self, leaf: Any, raw: Any) -> Any:
        """A leaf that remembers what an iteration leaves in its place."""
        if not isinstance(leaf, Leaf) or not isinstance(raw, Value):
            return leaf
        return replace(leaf, others=(*leaf.others, raw))

    def _stack(self, place: Place, raw: Any, now: Any) -> bool:
        """Carry a list that grows or shrinks as one tensor; False where it cannot be one."""
        before = place.read()
        found = isinstance(before, list) and isinstance(now, list) and common_item(before, now)
        if not found or place in self.carried:
            return False
        each, is_number = found
        start = stacked_in(self.builder, before, outside_spec(self.builder, each), is_number)
        leaves, structure = flatten(start)
        leaf = Leaf.of(leaves[0], each.dtype, is_number)
        spec = Spec((self.builder.program.fresh_dim(), *leaf.known.spec.shape[1:]), each.dtype)
        leaf.known = replace(leaf.known, spec=spec, free=frozenset({0}))
        leaf.others = tuple(x for x in flatten(raw)[0] if isinstance(x, Value))
        self.carried[place] = Form([leaf], structure)
        return True

    def _refuse(self, place: Place, now: Any) -> bool:
        whole = "what the function returns" if place.key == RESULT else str(place)
        name, *values = parted(place.read(), now, whole)
        before, after = told_apart(*values)
        told = Undefined(
            str(place),
            f"{name} is {before} before a loop that depends on a tensor, "
            f"and {after} after an iteration",
            cure_of_text(place, *values)
            or cure_of_object(*values)
            or f"give {name} before the loop the type, dtype and number of dimensions it has after",
        )
        if not isinstance(place, Cell) or place.key == RESULT:
            told.refuse()
        if place in self.partial:
            return self._bear(place)
        self.carried.pop(place, None)
        self.refused[place] = now if isinstance(now, Undefined) else told
        return True


def is_told(flag: Place, holds: bool, told: Fact) -> bool:
    """True if it is the same fact that `flag` is `holds`."""
    value = flag.read()
    return isinstance(value, Variable) and fact(value, holds) in {told}


def _is_news(taken: Any, known: Any) -> bool:
    if isinstance(taken, Leaf) and isinstance(known, Leaf):
        return (taken.dtype, taken.known) != (known.dtype, known.known)
    return taken is not known


def _taken(known: Any, start: Any, raw: Any, now: Any) -> Any:
    """A leaf as it is carried, or `known` where iterations leave it alone, or IMPOSSIBLE."""
    if not isinstance(known, Leaf) and is_same(start, raw):
        return known
    first = known.start if isinstance(known, Leaf) else known
    dtype = shared_dtype(first, now)
    if dtype is None:
        return IMPOSSIBLE
    if not isinstance(known, Leaf) or dtype.category > known.dtype.category:
        known = Leaf.of(first, dtype, not is_tensor(first) and not is_tensor(now))
    return known.after(now)


def _symbol(inner: Builder, leaf: Leaf) -> Variable:
    """What stands for a leaf while an iteration is traced for nothing."""
    return inner.block.add_input(leaf.known.spec, stop_gradient=leaf.known.stop_gradient)


def _unread(builder: Builder, now: Any) -> Form:
    """A place that is read only where flags tell that an iteration has assigned it: zeros at
    first."""
    leaves, structure = flatten(now)
    made = [
        Leaf.of(zeros_in(builder, x.spec), x.dtype, not is_tensor(x)) if isinstance(x, Value) else x
        for x in leaves
    ]
    return Form(made, structure)
