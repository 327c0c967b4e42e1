"""`if` and `while` as commands: there is no Python between a condition and what follows of it.

Each block is Commands of its own. Both sides of an `if` write into the same memory. What a `while`
carries lies where its results lie: the body updates it there, as a step updates its states.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from twinoar.backends.native.loop import extended
from twinoar.backends.native.nested import Iteration, Test, direct, seeds_asked
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
from twinoar.late import dataclass

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
class Deciding:
    """What decides whether a loop goes on, compiled."""

    test: Test
    compiled: Compiled

    def inner(
        self, condition: Span, homes: Sequence[Span], rest: Sequence[View], into: Assembler
    ) -> Inner:
        """It as commands, which write the condition by what lies at `homes`."""
        inside = _Inside(self.compiled, into)
        for v, home in zip(self.compiled.program.main.inputs, homes, strict=True):
            inside.give(v, home)
        inside.give_all(self.test.rest, rest)
        inside.returned(0, condition)
        return inside.inner()


@dataclass
class Iterating:
    """An iteration of a loop, compiled.

    waiting: where the next value of a state waits that lies in the memory of another, until all
    that are copied from there are.
    """

    iteration: Iteration
    compiled: Compiled
    waiting: dict[str, Temporary] = field(init=False)

    def __post_init__(self) -> None:
        changed = {self.compiled.assembler.place_of(s) for s in self.compiled.program.updates}
        self.waiting = {
            name: Temporary(value.span.size)
            for name, value in self.compiled.commands.updates.items()
            if isinstance(value, Value) and value.span.place in changed
        }

    def inner(
        self,
        homes: Sequence[Span],
        rest: Sequence[View],
        into: Assembler,
        inputs: Sequence[Span] = (),
        outputs: Sequence[Span] = (),
    ) -> Inner:
        """It as commands, which change what lies at `homes`."""
        inside = _Inside(self.compiled, into)
        for v, span in zip(self.compiled.program.main.inputs, inputs, strict=True):
            inside.give(v, span)
        for state, home in zip(self.iteration.carried, homes, strict=True):
            inside.give(state, home)
        inside.give_all(self.iteration.rest, rest)
        for n, span in enumerate(outputs):
            inside.returned(n, span)
        last = []
        for n, state in enumerate(self.iteration.carried):
            value = self.compiled.commands.updates.get(state.name)
            if not isinstance(value, Value):
                continue  # it stays, or is written in place
            place, source = inside.inside.place_of(state), value.span
            if place is None:  # it is written and never read
                target = inside.place(value.spec, homes[n])
            else:
                target = Span(place, 0, source.size)
            if state.name in self.waiting:
                held = inside.place(value.spec, into.span(self.waiting[state.name]))
                inside.copies.append(Copy(held, source))
                source = held
            last.append(Copy(target, source))
        inside.copies += last
        return inside.inner()


Phases = dict[str, Deciding | Iterating]


@dataclass
class WhilePart(Alone):
    """A `while` with its blocks compiled. homes: where each value lies that it carries."""

    step: CallStep
    test: Deciding
    body: Iterating
    condition: Temporary = field(default_factory=lambda: Temporary(1, "condition"))
    can_fail: ClassVar[bool] = True
    may_settle: ClassVar[bool] = False
    follows_checks: ClassVar[bool] = True  # a wrong value may keep it going for ever

    def __post_init__(self) -> None:
        operands = [x for x in self.step.operands if isinstance(x, View)]
        self.starts = operands[: len(self.body.iteration.carried)]
        self.rest = operands[len(self.starts) :]
        self.homes = [
            Temporary(_bytes(x)) if s is None else s
            for x, s in zip(self.starts, self.step.writes, strict=True)
        ]

    @property
    def bodies(self) -> dict[str, Compiled]:  # type: ignore[override]
        """What decides, and what an iteration is."""
        return {"test": self.test.compiled, "body": self.body.compiled}

    def temporaries(self) -> Iterable[Temporary]:
        """The condition, what waits, and what is carried and not read afterwards."""
        homes = (home for home in self.homes if isinstance(home, Temporary))
        return [self.condition, *self.body.waiting.values(), *homes]

    def commands(self, others: Sequence[WhilePart], into: Assembler) -> list[Command]:
        """The starts are copied to where the carried values lie; then the loop."""
        starts = [_span(x, into) for x in self.starts]
        homes = [into.span(home) for home in self.homes]
        condition = into.span(self.condition)
        copies = [Copy(home, start) for home, start in zip(homes, starts, strict=True)]
        test = self.test.inner(condition, homes, self.rest, into)
        return [*copies, While(condition, test, self.body.inner(homes, self.rest, into))]


@dataclass
class Recorded:
    """A loop that puts on a stack what each iteration starts from.

    operands: how many of the step's are the loop's. carried: where it lies what it carries.
    """

    step: CallStep
    test: Deciding
    body: Iterating
    operands: int
    condition: Temporary = field(default_factory=lambda: Temporary(1, "condition"))

    def __post_init__(self) -> None:
        self.given = [x for x in self.step.operands if isinstance(x, View)]
        self.count = len(self.body.iteration.carried)
        self.starts = self.given[: self.count]
        self.rest = self.given[self.count : self.operands]
        self.carried = [Temporary(_bytes(x)) for x in self.starts]

    def temporaries(self) -> list[Temporary]:
        """The condition, what is carried, and what waits."""
        return [self.condition, *self.carried, *self.body.waiting.values()]

    def homes(self, count: int) -> list[Temporary | Storage]:
        """Where the gradients of the first operands lie, also those that nobody reads."""
        writes = iter(self.step.writes)
        found: list[Temporary | Storage] = []
        for x in self.given[:count]:
            s = next(writes) if x.base.dtype.is_differentiable else None
            found.append(Temporary(_bytes(x)) if s is None else s)
        return found

    def commands(self, stack: int, into: Assembler) -> list[Command]:
        """The loop."""
        condition, carried = into.span(self.condition), list(map(into.span, self.carried))
        test = self.test.inner(condition, carried, self.rest, into)
        body = self.body.inner(carried, self.rest, into)
        push = Push(stack, tuple(carried))
        return [*_copies(carried, self.starts, into), While(condition, test, body, push)]


@dataclass
class GradientPart(Alone):
    """A `while_gradient` with its blocks compiled: the loop, then as many iterations back.

    homes: where the gradients lie of what is carried, then the sums of those of the rest.
    """

    step: CallStep
    loop: Recorded
    back: Iterating
    can_fail: ClassVar[bool] = True
    may_settle: ClassVar[bool] = False
    follows_checks: ClassVar[bool] = True  # a wrong value may keep it going for ever

    def __post_init__(self) -> None:
        self.homes = self.loop.homes(self.loop.operands)

    @property
    def bodies(self) -> dict[str, Compiled]:  # type: ignore[override]
        """What decides, what an iteration is, and what goes back through one."""
        phases: Phases = {"test": self.loop.test, "body": self.loop.body, "backward": self.back}
        return {name: phase.compiled for name, phase in phases.items()}

    def temporaries(self) -> Iterable[Temporary]:
        """Those of the loop, what waits, and gradients that nobody reads."""
        unread = (home for home in self.homes if isinstance(home, Temporary))
        return [*self.loop.temporaries(), *self.back.waiting.values(), *unread]

    def commands(self, others: Sequence[GradientPart], into: Assembler) -> list[Command]:
        """The loop, and back."""
        loop, stack, condition = self.loop, into.stack(), into.span(self.loop.condition)
        carried, homes = (list(map(into.span, found)) for found in (loop.carried, self.homes))
        back = self.back.inner(homes, loop.rest, into, carried)
        return [
            *loop.commands(stack, into),
            *_copies(homes[: loop.count], loop.given[loop.operands :], into),
            *map(Clear, homes[loop.count :]),
            While(condition, Pop(stack, tuple(carried)), back),
        ]


@dataclass
class SecondGradientPart(Alone):
    """A `while_second_gradient` with its blocks compiled: the loop, back, through that the other
    way, and back again.

    given: the gradients that an iteration back starts from. direct: those that the way through such
    an iteration gives of what the iteration of the loop started from. homes: where the gradients
    lie of the operands of the loop, then those of what came in to go back.
    """

    step: CallStep
    loop: Recorded
    back: Iterating
    through: Iterating
    again: Iterating
    can_fail: ClassVar[bool] = True
    may_settle: ClassVar[bool] = False
    follows_checks: ClassVar[bool] = True  # a wrong value may keep it going for ever

    def __post_init__(self) -> None:
        loop, o = self.loop, self.step.operator
        last = loop.operands + loop.count
        self.homes = loop.homes(last)
        self.given = [Temporary(_bytes(x)) for x in loop.starts]
        self.direct = [Temporary(_bytes(loop.starts[n])) for n in direct(o)]
        told = iter(loop.given[last:])
        self.seeds = [
            next(told) if x.base.dtype.is_differentiable else None
            for x in loop.given[: loop.operands]
        ]
        asked = zip(self.seeds, seeds_asked(o), strict=True)
        rest = list(asked)[loop.count :]
        self.asked = [x for x, is_asked in rest if is_asked and x is not None]

    @property
    def bodies(self) -> dict[str, Compiled]:  # type: ignore[override]
        """What decides, what an iteration is, and what goes back, through that and back again."""
        phases: Phases = {
            "test": self.loop.test,
            "body": self.loop.body,
            "backward": self.back,
            "second": self.through,
            "backward again": self.again,
        }
        return {name: phase.compiled for name, phase in phases.items()}

    def temporaries(self) -> Iterable[Temporary]:
        """Those of the loop, what lies on stacks, what waits, and what nobody reads."""
        unread = (home for home in self.homes if isinstance(home, Temporary))
        phases = (self.back, self.through, self.again)
        waiting = (x for phase in phases for x in phase.waiting.values())
        return [*self.loop.temporaries(), *self.given, *self.direct, *waiting, *unread]

    def commands(self, others: Sequence[SecondGradientPart], into: Assembler) -> list[Command]:
        """The four loops."""
        loop, condition = self.loop, into.span(self.loop.condition)
        starts, backwards, ways = into.stack(), into.stack(), into.stack()
        carried, given, direct, homes = (
            list(map(into.span, found))
            for found in (loop.carried, self.given, self.direct, self.homes)
        )
        last, totals = homes[: loop.count], homes[loop.count : loop.operands]
        forward = homes[loop.operands :]
        both, after = (*carried, *given), (*carried, *direct)
        back = self.back.inner(given, loop.rest, into, carried)
        rest = [*loop.rest, *self.asked]
        through = self.through.inner([*forward, *totals], rest, into, both, direct)
        again = self.again.inner([*last, *totals], loop.rest, into, after)
        seeds = zip(forward, self.seeds, strict=False)
        return [
            *loop.commands(starts, into),
            *_copies(given, loop.given[loop.operands :], into),
            While(condition, Pop(starts, tuple(carried)), back, before=Push(backwards, both)),
            *(Clear(to) if x is None else Copy(to, _span(x, into)) for to, x in seeds),
            *map(Clear, totals),
            While(condition, Pop(backwards, both), through, after=Push(ways, after)),
            *map(Clear, last),
            While(condition, Pop(ways, after), again),
        ]


def _copies(targets: Sequence[Span], views: Sequence[View], into: Assembler) -> list[Command]:
    """To each of the targets from as many views."""
    return [Copy(to, _span(x, into)) for to, x in zip(targets, views, strict=False)]


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
