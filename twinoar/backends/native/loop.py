"""`over_time` as a command: between two iterations there is no Python.

An iteration is Commands of its own, whose places of the outside are moved on from iteration to
iteration. A state is read where the iteration before has written it, among all the states that the
loop returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from twinoar.backends.native.iterations import Iterations
from twinoar.backends.native.parts import Alone
from twinoar.compile.assemble import Assembler
from twinoar.compile.commands import Clear, Command, Commands, Copy, Place, Repeat, Span
from twinoar.compile.pipeline import CallStep
from twinoar.compile.storage import Storage, View
from twinoar.core.spec import Spec
from twinoar.late import dataclass

if TYPE_CHECKING:
    from twinoar.backends.native.compiled import Compiled


@dataclass
class LoopPart(Alone):
    """An `over_time`: `body`, what one iteration computes, again and again."""

    step: CallStep
    iterations: Iterations
    body: Compiled
    can_fail: ClassVar[bool] = True
    may_settle: ClassVar[bool] = False

    @property
    def follows_checks(self) -> bool:  # type: ignore[override]
        """True where a part of an iteration does."""
        return any(p.follows_checks for p in self.body.parts)

    @property
    def bodies(self) -> dict[str, Compiled]:  # type: ignore[override]
        """What an iteration is, if there is one."""
        return {"body": self.body} if self.iterations.count else {}

    def commands(self, others: Sequence[LoopPart], into: Assembler) -> list[Command]:
        """What is done before, and the iterations."""
        return _Loop(self, into).commands


class _Loop:
    """The commands of a loop, in the memory that an Assembler places."""

    def __init__(self, part: LoopPart, into: Assembler):
        self.iterations, self.body, self.into = part.iterations, part.body, into
        self.inside = part.body.assembler
        self.operands = [x for x in part.step.operands if isinstance(x, View)]
        self.results = [s for s in part.step.writes if s is not None]
        assert len(self.operands) == len(part.step.operands)
        assert len(self.results) == len(part.step.writes)
        self.carried = part.step.operator.attrs["carried"]
        self.given: list[tuple[int, Span, int]] = []
        self.commands = [*self._starts(), *self._cleared()]
        self._operands()
        self._rest()
        copies = self._results()
        if self.iterations.count:
            body = extended(self.body.commands, self.moved, copies)
            into.handles |= self.inside.handles
            self.commands.append(Repeat(body, self.iterations.count, tuple(self.given)))

    def _starts(self) -> list[Command]:
        """The start of each state is copied to where the first iteration reads it."""
        found: list[Command] = []
        for x, history in zip(self.operands, self.results[: self.carried], strict=False):
            row = _row_of(history)
            at = history.bytes - row if self.iterations.backward else 0
            source = self.into.span(x.base, _offset(x), row)
            found.append(Copy(self.into.span(history, at, row), source))
        return found

    def _cleared(self) -> list[Command]:
        """Sums begin with zeros, in the memory of what the loop returns."""
        first = len(self.results) - len(self.iterations.sums)
        found: list[Command] = []
        for state, total in zip(self.iterations.sums, self.results[first:], strict=True):
            self._give(self.inside.place_of(state), total, 0, total.bytes)
            found.append(Clear(self.into.span(total)))
        return found

    def _operands(self) -> None:
        """What an iteration reads: the last states, and sequences at its time."""
        backward, times = self.iterations.backward, self.iterations.count
        for n, v in enumerate(self.body.program.main.inputs):
            place = self.inside.place_of(v)
            if n < self.carried:
                row = _row_of(self.results[n])
                self._give(place, self.results[n], times * row * backward, row, row)
            else:
                x = self.operands[n]
                row = x.strides[0] * x.base.dtype.itemsize if times > 1 else 0
                self._give(place, x.base, _offset(x) + (times - 1) * row * backward, None, row)

    def _rest(self) -> None:
        """What every iteration reads."""
        rest = self.operands[len(self.body.program.main.inputs) :]
        for state, x in zip(self.iterations.rest, rest, strict=True):
            self._give(self.inside.place_of(state), x.base, _offset(x), None)

    def _results(self) -> list[Copy]:
        """Where an iteration writes; copies of what is a value that has another place."""
        copies: list[Copy] = []
        self.moved: list[Spec] = []
        backward, times = self.iterations.backward, self.iterations.count
        for n, s in enumerate(self.body.plan.outputs):
            assert isinstance(s, Storage)
            row = _row_of(self.results[n])
            first = (times - 1) * row if backward else row * (n < self.carried)
            place = self.inside.numbers.get(self.body.places[s])
            if place is None or self.inside.outside[place] is not n:
                place = len(self.inside.outside) + len(self.moved)
                self.moved.append(s.variable.spec)
                copies.append(Copy(Span(place, 0, row), self.inside.span(s, 0, row)))
            self._give(place, self.results[n], first, row, row)
        return copies

    def _give(
        self, place: int | None, home: Storage, offset: int, size: int | None, step: int = 0
    ) -> None:
        """Let a place of an iteration lie there; one that no iteration reads lies nowhere."""
        if place is not None:
            step = -step if self.iterations.backward else step
            self.given.append((place, self.into.span(home, offset, size), step))


def extended(commands: Commands, specs: Sequence[Spec], copies: Sequence[Copy]) -> Commands:
    """Commands with copies after them, and with places of these specs that the copies name."""
    moved = [Place("moved", str(n), spec) for n, spec in enumerate(specs)]
    batches = (*commands.batches, tuple(copies)) if copies else commands.batches
    return replace(commands, places=(*commands.places, *moved), batches=batches)


def _row_of(result: Storage) -> int:
    """The bytes that an iteration gives of a result."""
    return result.bytes // result.shape[0] if result.shape[0] else 0


def _offset(x: View) -> int:
    return x.offset * x.base.dtype.itemsize
