"""`if` and `while` as commands: there is no Python between a condition and what follows of it.

Each block is Commands of its own. Both sides of an `if` write into the same memory. What a `while`
carries lies where its results lie: the body updates it there, as a step updates its states.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from twinoar.backends.native.loop import extended
from twinoar.backends.native.nested import Iteration, Test
from twinoar.backends.native.parts import Alone
from twinoar.compile.assemble import Assembler
from twinoar.compile.commands import (
    Clear,
    Command,
    Copy,
    If,
    Inner,
    Pop,
    Push,
    Span,
    Value,
    While,
)
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
        self.waiting = _waiting(self.iterating)

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
        deciding = _deciding(self.test, self.deciding, condition, homes, self.rest, into)
        body = _iterating(self.iteration, self.iterating, homes, self.rest, self.waiting, into)
        return [*copies, While(condition, deciding, body)]


@dataclass
class GradientPart(Alone):
    """A `while_gradient` with its blocks compiled: the loop, which puts on a stack what each
    iteration starts from, then the same number of iterations back.

    carried: where it lies what an iteration starts from. homes: where the gradients lie of what is
    carried, then the sums of those of the rest.
    """

    step: CallStep
    test: Test
    iteration: Iteration
    back: Iteration
    deciding: Compiled
    iterating: Compiled
    going_back: Compiled
    condition: Temporary = field(default_factory=lambda: Temporary(1, "condition"))
    can_fail: ClassVar[bool] = True
    may_settle: ClassVar[bool] = False
    follows_checks: ClassVar[bool] = True  # a wrong value may keep it going for ever

    def __post_init__(self) -> None:
        operands = [x for x in self.step.operands if isinstance(x, View)]
        count = len(self.iteration.carried)
        last = len(operands) - count
        self.starts, self.rest = operands[:count], operands[count:last]
        self.seeds = operands[last:]
        self.carried = [Temporary(_bytes(x)) for x in self.starts]
        writes = iter(self.step.writes)
        self.homes: list[Temporary | Storage] = []
        for x in operands[:last]:
            s = next(writes) if x.base.dtype.is_differentiable else None
            self.homes.append(Temporary(_bytes(x)) if s is None else s)
        self.waiting = _waiting(self.iterating)
        self.waiting_back = _waiting(self.going_back)

    @property
    def bodies(self) -> dict[str, Compiled]:  # type: ignore[override]
        """What decides, what an iteration is, and what goes back through one."""
        return {"test": self.deciding, "body": self.iterating, "backward": self.going_back}

    def temporaries(self) -> Iterable[Temporary]:
        """The condition, what is carried, what waits, and gradients that nobody reads."""
        homes = (home for home in self.homes if isinstance(home, Temporary))
        waiting = (*self.waiting.values(), *self.waiting_back.values())
        return [self.condition, *self.carried, *waiting, *homes]

    def commands(self, others: Sequence[GradientPart], into: Assembler) -> list[Command]:
        """The loop, and back."""
        condition, stack = into.span(self.condition), into.planned.steps.index(self.step)
        carried, homes = ([into.span(x) for x in found] for found in (self.carried, self.homes))
        spans = tuple(carried)
        deciding = _deciding(self.test, self.deciding, condition, carried, self.rest, into)
        body = _iterating(self.iteration, self.iterating, carried, self.rest, self.waiting, into)
        back = _iterating(
            self.back, self.going_back, homes, self.rest, self.waiting_back, into, carried
        )
        return [
            *(Copy(to, _span(x, into)) for to, x in zip(carried, self.starts, strict=True)),
            While(condition, deciding, body, Push(stack, spans)),
            *(Copy(to, _span(g, into)) for to, g in zip(homes, self.seeds, strict=False)),
            *(Clear(total) for total in homes[len(carried) :]),
            While(condition, Pop(stack, spans), back),
        ]


def _waiting(body: Compiled) -> dict[str, Temporary]:
    """By state, where its next value waits that lies in the memory of another."""
    changed = {body.assembler.place_of(s) for s in body.program.updates}
    return {
        name: Temporary(value.span.size)
        for name, value in body.commands.updates.items()
        if isinstance(value, Value) and value.span.place in changed
    }


def _deciding(
    test: Test,
    body: Compiled,
    condition: Span,
    homes: Sequence[Span],
    rest: Sequence[View],
    into: Assembler,
) -> Inner:
    inside = _Inside(body, into)
    for v, home in zip(body.program.main.inputs, homes, strict=True):
        inside.give(v, home)
    inside.give_all(test.rest, rest)
    inside.returned(0, condition)
    return inside.inner()


def _iterating(
    iteration: Iteration,
    body: Compiled,
    homes: Sequence[Span],
    rest: Sequence[View],
    waiting: Mapping[str, Temporary],
    into: Assembler,
    inputs: Sequence[Span] = (),
) -> Inner:
    """An iteration, which changes what lies at `homes`."""
    inside = _Inside(body, into)
    for v, span in zip(body.program.main.inputs, inputs, strict=True):
        inside.give(v, span)
    for state, home in zip(iteration.carried, homes, strict=True):
        inside.give(state, home)
    inside.give_all(iteration.rest, rest)
    places = {s.name: inside.inside.place_of(s) for s in iteration.carried}
    last = []
    for name, value in body.commands.updates.items():
        place = places[name]
        if not isinstance(value, Value):
            continue  # it is written in place
        if place is None:  # it is written and never read
            at = next(n for n, s in enumerate(iteration.carried) if s.name == name)
            target = inside.place(value.spec, homes[at])
        else:
            target = Span(place, 0, value.span.size)
        source = value.span
        if name in waiting:
            held = inside.place(value.spec, into.span(waiting[name]))
            inside.copies.append(Copy(held, source))
            source = held
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
