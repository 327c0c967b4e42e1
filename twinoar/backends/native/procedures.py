"""Operators that run as procedures: the launches of an operator's rule, compiled."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from twinoar.backends.llvm import driver, jit
from twinoar.backends.llvm.emit import LONG, NAME
from twinoar.backends.llvm.procedure import emit_procedure
from twinoar.backends.llvm.target import attributes
from twinoar.backends.native.parts import LLVM, SERIAL, Alone
from twinoar.compile.assemble import Assembler
from twinoar.compile.commands import Block, Checked, Command, Kernel, Span
from twinoar.compile.commands import Launch as LaunchCommand
from twinoar.compile.element import asked_by
from twinoar.compile.part import Temporary
from twinoar.compile.pipeline import CallStep
from twinoar.compile.storage import Storage, View
from twinoar.compile.target import Target
from twinoar.core.dtype import DType
from twinoar.core.ir.program import Operator, State, Variable
from twinoar.core.loop.procedure import Array, Launch, Launcher, Translated, procedure
from twinoar.core.loop.translate import translated
from twinoar.core.varying import hint_of
from twinoar.late import dataclass

PIECE = 1 << 14  # elements that one call copies
WEIGHT = 4  # what an element of a procedure costs, in elements copied


@dataclass(frozen=True)
class Ready:
    """A launch with its code. polls: its loops ask whether to end."""

    launch: Launch
    code: jit.Code
    polls: bool


class ProcedurePart(Alone):
    """An operator's procedures, ready to run."""

    step: CallStep

    def __init__(self, step: CallStep, launches: Sequence[Launch], target: Target):
        self.step = step
        self.ready = _compiled(launches, target)
        self.fails = any(translated(r.launch).can_fail for r in self.ready)

    @property
    def can_fail(self) -> bool:  # type: ignore[override]
        """True where data may be none that the operator takes."""
        return self.fails

    @property
    def checks(self) -> tuple[object, ...]:
        """One, where data may be none that the operator takes."""
        return (self.step.operator,) if self.fails else ()

    def temporaries(self) -> Iterable[Temporary]:
        """Scratch memory."""
        homes = (a.home for r in self.ready for a in _arrays(r.launch))
        return dict.fromkeys(h for h in homes if isinstance(h, Temporary))

    def commands(self, others: Sequence[ProcedurePart], into: Assembler) -> list[Command]:
        """The launches in order."""
        flags: Span | int = 0
        if self.fails:
            flags = into.flags(self, Checked((self.step.operator.op.name,), (0,)))
        return [self._command(r, flags, into) for r in self.ready]

    def _command(self, ready: Ready, flags: Span | int, into: Assembler) -> Command:
        launch = ready.launch
        spans = [into.span(a.home) for a in _arrays(launch)]
        block = Block((*spans, flags, *map(int, _numbers(launch))), launch.rows)
        described = Kernel(LLVM, NAME, jit.key(ready.code.text), ready.polls)
        parts = into.target.threads if launch.work * WEIGHT > SERIAL and launch.rows > 1 else 1
        return LaunchCommand(into.kernel(ready.code, described), (block,), parts)


def part_of(step: CallStep, target: Target, in_place: Mapping[Storage, State]) -> ProcedurePart:
    """The step as procedures; its operator has a rule that launches them.

    in_place: the values that lie where states do.
    """
    launcher = Launcher(
        [None if s is None else Array(s, s.dtype, s.shape) for s in step.writes],
        _scratch,
        target.threads,
    )
    operands = [_array(x, launcher) if isinstance(x, View) else x for x in step.operands]
    _begin(step, operands, launcher, in_place)
    is_taken = _written(step.operator, operands, launcher)
    assert is_taken, "a rule declines for what is known when it is planned: dtypes, attributes"
    return ProcedurePart(step, launcher.launches, target)


def _begin(
    step: CallStep, operands: Sequence[Any], launcher: Launcher, in_place: Mapping[Storage, State]
) -> None:
    """Copy operands to the results that begin as these, and lie elsewhere."""
    names = [x.name for x in step.operator.op.operands]
    begins_as = step.operator.op.rules.get("begins_as", ())
    for name, made, out in zip(begins_as, step.writes, launcher.results, strict=False):
        position = names.index(name)
        if made is not None and not _lies_there(made, step.operands[position], in_place):
            flat, given = out.reshape(-1), operands[position].reshape(-1)
            launcher.launch(_copy_piece, -(-out.size // PIECE), flat, given, work=out.size)


def _lies_there(made: Storage, operand: Any, in_place: Mapping[Storage, State]) -> bool:
    """True where a value lies in the memory of the state that an operand is."""
    return made in in_place and in_place[made] is operand.base.variable


@procedure
def _copy_piece(piece, out, x):  # type: ignore[no-untyped-def]
    for k in range(piece * PIECE, min(out.shape[0], (piece + 1) * PIECE)):
        out[k] = x[k]


def is_procedure(o: Operator) -> bool:
    """True for an operator with a rule that launches procedures, and does not decline."""
    return "procedure" in o.op.rules and _planned_launches(o) is not None


def may_fail(o: Operator) -> bool:
    """True for procedures that may find data that the operator does not take."""
    return any(translated(launch).can_fail for launch in _planned_launches(o) or ())


def _planned_launches(o: Operator) -> list[Launch] | None:
    """What an operator's rule launches at the sizes that are planned with; None if it declines."""
    launcher = Launcher([None if v is None else _planned(v) for v in o.results], _scratch)
    operands = [_planned(x) if isinstance(x, Variable) else x for x in o.operands]
    return launcher.launches if _written(o, operands, launcher) else None


def _planned(v: Variable) -> Array:
    """An array as a rule sees it, at the sizes that are planned with."""
    return Array(v, v.spec.dtype, tuple(map(hint_of, v.spec.shape)))


def _scratch(count: int, dtype: DType) -> Temporary:
    return Temporary(max(1, count) * dtype.itemsize, "scratch")


def _written(o: Operator, operands: Sequence[Any], launcher: Launcher) -> bool:
    """Let the operator's rule write its launches; False if it declines."""
    rule = o.op.rules["procedure"]
    given: dict[str, Any] = dict(o.attrs)
    names = [x.name for x in o.op.operands]
    fixed = len(names) - o.op.variadic
    given.update(zip(names[:fixed], operands, strict=False))
    if o.op.variadic:
        given[names[-1]] = tuple(operands[fixed:])
    _, *asked = asked_by(rule)
    return rule(launcher, **{name: given[name] for name in asked}) is not False


def _array(view: View, launcher: Launcher) -> Array:
    """What a view shows, in row-major order: copied where it does not lie so."""
    if view.is_dense():
        return Array(view.base, view.base.dtype, view.shape, view.offset)
    whole = Array(view.base, view.base.dtype, (view.base.count,))
    copy = launcher.scratch(view.shape, view.base.dtype)
    *outer, last = zip(view.shape, view.strides, strict=True)
    launcher.launch(
        _copy_row, copy.size // max(1, last[0]), whole, copy.reshape(-1, last[0]), view.offset,
        last[1], work=copy.size, outer=tuple(outer[::-1]),
    )  # fmt: skip
    return copy


@procedure
def _copy_row(row, source, out, first, step, *, outer):  # type: ignore[no-untyped-def]
    place = first
    rest = row
    for size, stride in outer:
        place += rest % size * stride
        rest = rest // size
    for k in range(out.shape[1]):
        out[row, k] = source[place + k * step]


def _compiled(launches: Sequence[Launch], target: Target) -> list[Ready]:
    """The launches with their code."""
    texts = []
    for launch in launches:
        homes = [id(a.home) for a in _arrays(launch)]
        numbers = tuple(homes.index(home) for home in homes)
        polls = launch.work >= LONG
        text = _text(translated(launch), numbers, target, attributes(target), polls)
        texts.append((text, polls))
    symbols = driver.polling() if any(polls for _, polls in texts) else {}
    codes = jit.load_many([text for text, _ in texts], [NAME], symbols, target) if texts else []
    return [Ready(x, code, p) for x, code, (_, p) in zip(launches, codes, texts, strict=True)]


@lru_cache(maxsize=1024)
def _text(
    made: Translated, homes: tuple[int, ...], target: Target, attributes: str, polls: bool
) -> str:
    return emit_procedure(made, homes, target, attributes, polls=polls)


def _arrays(launch: Launch) -> list[Array]:
    return [a for a in launch.arguments if isinstance(a, Array)]


def _numbers(launch: Launch) -> Iterable[int]:
    """The numbers that the code is given, in the order of `Translated.numbers`."""
    for a in launch.arguments:
        if isinstance(a, Array):
            yield a.offset
            yield from a.shape
        elif isinstance(a, float):
            yield struct.unpack("<q", struct.pack("<d", a))[0]
        else:
            yield a
