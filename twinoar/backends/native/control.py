"""`if` and `while` as commands: there is no Python between a condition and what follows of it.

Each block is Commands of its own. Both sides of an `if` write into the same memory. What a `while`
carries lies where its results lie: the body updates it there, as a step updates its states.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from twinoar.backends.native.loop import extended
from twinoar.backends.native.nested import Iteration, Test
from twinoar.backends.native.parts import Alone
from twinoar.compile.assemble import Assembler
from twinoar.compile.commands import Command, Copy, If, Inner, Span, Value, While
from twinoar.compile.part import Temporary
from twinoar.compile.pipeline import CallStep
from twinoar.compile.storage import Storage, View
from twinoar.core.ir.program import State, Variable
from twinoar.core.spec import Spec

if TYPE_CHECKING:
    from twinoar.backends.native.compiled import Compiled


@dataclass
class BranchPart(Alone):
    """An `if` with both sides compiled."""

    step: CallStep
    then: Compiled
    orelse: Compiled
    can_fail: ClassVar[bool] = True
    may_settle: ClassVar[bool] = False

    @property
    def follows_checks(self) -> bool:  # type: ignore[override]
        """True where a part of a side does."""
        return any(p.follows_checks for body in self.bodies.values() for p in body.parts)

    @property
    def bodies(self) -> dict[str, Compiled]:  # type: ignore[override]
        """The sides."""
        return {"then": self.then, "orelse": self.orelse}

    def commands(self, others: Sequence[BranchPart], into: Assembler) -> list[Command]:
        """The one command."""
        predicate, *operands = (x for x in self.step.operands if isinstance(x, View))
        results = [s for s in self.step.writes if s is not None]
        sides = []
        for body in self.bodies.values():
            inside = _Inside(body, into)
            for v, x in zip(body.program.main.inputs, operands, strict=True):
                inside.give(v, _span(x, into))
            for n, s in enumerate(results):
                inside.returned(n, into.span(s))
            sides.append(inside.inner())
        return [If(_span(predicate, into), *sides)]


@dataclass
class WhilePart(Alone):
    """A `while` with its blocks compiled.

    homes: where each value lies that it carries. waiting: where the next value of one waits that
    lies in the memory of another, until all that are copied from there are.
    """

    step: CallStep
    test: Test
    iteration: Iteration
    deciding: Compiled
    iterating: Compiled
    condition: Temporary = field(default_factory=lambda: Temporary(1, "condition"))
    can_fail: ClassVar[bool] = True
    may_settle: ClassVar[bool] = False
    follows_checks: ClassVar[bool] = True  # a wrong value may keep it going for ever

    def __post_init__(self) -> None:
        operands = [x for x in self.step.operands if isinstance(x, View)]
        self.starts = operands[: len(self.iteration.carried)]
        self.rest = operands[len(self.starts) :]
        self.homes = [
            Temporary(_bytes(x)) if s is None else s
            for x, s in zip(self.starts, self.step.writes, strict=True)
        ]
        inside, updates = self.iterating.assembler, self.iterating.commands.updates
        changed = {inside.place_of(s) for s in self.iterating.program.updates}
        self.waiting = {
            name: Temporary(value.span.size)
            for name, value in updates.items()
            if isinstance(value, Value) and value.span.place in changed
        }

    @property
    def bodies(self) -> dict[str, Compiled]:  # type: ignore[override]
        """What decides, and what an iteration is."""
        return {"test": self.deciding, "body": self.iterating}

    def temporaries(self) -> Iterable[Temporary]:
        """The condition, what waits, and what is carried and not read afterwards."""
        homes = (home for home in self.homes if isinstance(home, Temporary))
        return [self.condition, *self.waiting.values(), *homes]

    def commands(self, others: Sequence[WhilePart], into: Assembler) -> list[Command]:
        """The starts are copied to where the carried values lie; then the loop."""
        starts = [_span(x, into) for x in self.starts]
        homes = [into.span(home) for home in self.homes]
        condition = into.span(self.condition)
        copies = [Copy(home, start) for home, start in zip(homes, starts, strict=True)]
        inner = self._test(condition, homes, into), self._body(homes, into)
        return [*copies, While(condition, *inner)]

    def _test(self, condition: Span, homes: Sequence[Span], into: Assembler) -> Inner:
        inside = _Inside(self.deciding, into)
        for v, home in zip(self.deciding.program.main.inputs, homes, strict=True):
            inside.give(v, home)
        inside.give_all(self.test.rest, self.rest)
        inside.returned(0, condition)
        return inside.inner()

    def _body(self, homes: Sequence[Span], into: Assembler) -> Inner:
        inside = _Inside(self.iterating, into)
        for state, home in zip(self.iteration.carried, homes, strict=True):
            inside.give(state, home)
        inside.give_all(self.iteration.rest, self.rest)
        places = {s.name: inside.inside.place_of(s) for s in self.iteration.carried}
        values = self.iterating.commands.updates
        last = []
        for name, value in values.items():
            place = places[name]
            if not isinstance(value, Value) or place is None:
                continue  # it is written in place
            source, target = value.span, Span(place, 0, value.span.size)
            if name in self.waiting:
                waiting = inside.place(value.spec, into.span(self.waiting[name]))
                inside.copies.append(Copy(waiting, source))
                source = waiting
            last.append(Copy(target, source))
        inside.copies += last
        return inside.inner()


class _Inside:
    """Where the outside of a block lies; and what is copied after its commands."""

    def __init__(self, body: Compiled, into: Assembler):
        self.body, self.into, self.inside = body, into, body.assembler
        self.given: list[tuple[int, Span]] = []
        self.moved: list[Spec] = []
        self.copies: list[Copy] = []

    def give(self, v: Variable, span: Span) -> None:
        """Let an input or a state lie there; one that no command reads lies nowhere."""
        place = self.inside.place_of(v)
        if place is not None:
            self.given.append((place, span))

    def give_all(self, states: Sequence[State], views: Sequence[View]) -> None:
        """Let states lie where operands of the operator do."""
        for state, x in zip(states, views, strict=True):
            self.give(state, _span(x, self.into))

    def place(self, spec: Spec, span: Span) -> Span:
        """Memory of the outside, as the commands of the block see it."""
        place = len(self.inside.outside) + len(self.moved)
        self.moved.append(spec)
        self.given.append((place, span))
        return Span(place, 0, span.size)

    def returned(self, number: int, span: Span) -> None:
        """Let a result be written there: at once, or by a copy of what has another place."""
        s = self.body.plan.outputs[number]
        assert isinstance(s, Storage)
        place = self.inside.numbers.get(self.body.places[s])
        if place is not None and self.inside.outside[place] is number:
            self.given.append((place, span))
        else:
            source = self.inside.span(s, 0, span.size)
            self.copies.append(Copy(self.place(s.variable.spec, span), source))

    def inner(self) -> Inner:
        """All of it, as a part of a command."""
        self.into.handles |= self.inside.handles
        return Inner(extended(self.body.commands, self.moved, self.copies), tuple(self.given))


def _span(x: View, into: Assembler) -> Span:
    return into.span(x.base, x.offset * x.base.dtype.itemsize, _bytes(x))


def _bytes(x: View) -> int:
    return math.prod(x.shape) * x.base.dtype.itemsize
