"""Commands as functions of LLVM IR: one straight line of calls, with branches and loops as such.

A function is given the data, the workspace, and the addresses of what lies elsewhere: inputs and
outputs, and what commands around it tell. All other addresses are constants from these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from twinoar.compile.commands import (
    ARENA,
    FLAGS,
    TABLES,
    Check,
    Clear,
    Command,
    Commands,
    Copy,
    Host,
    If,
    Inner,
    Kernel,
    Launch,
    Repeat,
    Span,
    Unless,
    While,
    spans_of,
)
from twinoar.errors import UnsupportedError
from twinoar.export.native import threads
from twinoar.export.native.data import ALIGNMENT, Data
from twinoar.export.native.model import places_touched
from twinoar.export.native.text import Lines


@dataclass
class Unit:
    """What all functions of a model share, and their texts.

    symbols: of kernels. failures: the texts of codes, the first of which is `first_failure`. pool:
    where the workspace says who runs parts of kernels, None while none has several.
    """

    data: Data
    first_failure: int
    workspace: int = 0
    symbols: dict[Kernel, str] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    pool: int | None = None
    _count: int = 0

    def reserve(self, size: int) -> int:
        """Where so many bytes of the workspace are that nothing else uses."""
        at = self.workspace
        self.workspace += size + -size % ALIGNMENT
        return at

    def divides(self) -> int:
        """Where the workspace says who runs parts of kernels."""
        if self.pool is None:
            self.pool = self.reserve(threads.POOL_BYTES)
        return self.pool

    def symbol(self, kernel: Kernel) -> str:
        """The name of a kernel."""
        return self.symbols.setdefault(kernel, f"twinoar_kernel{len(self.symbols)}")

    def name(self) -> str:
        """A name for a function of commands."""
        self._count += 1
        return f"twinoar_commands{self._count}"

    def failure(self, text: str) -> int:
        """The code of a failure."""
        self.failures.append(text)
        return self.first_failure + len(self.failures) - 1


class Routine:
    """Commands with places for their memory; `function` prints some of them.

    held: where arrays lie in the data, by place of the outside. Other places are parameters.
    """

    def __init__(self, commands: Commands, unit: Unit, held: Mapping[int, np.ndarray]):
        self.commands, self.unit = commands, unit
        self.held = {place: unit.data.add(array) for place, array in held.items()}
        self.arena = unit.reserve(commands.arena)
        self.own: dict[int, int] = {}
        if commands.derived is not None and commands.derived not in held:
            self.own[commands.derived] = unit.reserve(commands.derived_bytes)
        touched = set(places_touched(commands))
        self.given = sorted(touched - self.held.keys() - self.own.keys())
        tables = commands.tables
        self.tables = unit.data.add(tables) if tables.size else 0
        flags = (s for c in commands.walk() for s in spans_of(c) if s.place == FLAGS)
        self.width = max((s.size for s in flags), default=0)
        self.flags = unit.reserve(self.width * len(commands.checked))
        self.raised = [self._codes(row) for row in range(len(commands.checked))]

    def _codes(self, row: int) -> list[int]:
        """The codes of what a row of flags checks."""
        checked = self.commands.checked[row]
        return [
            self.unit.failure(f"{name} lies outside of the {size} places" if size else name)
            for name, size in zip(checked.names, checked.sizes, strict=True)
        ]

    def function(self, commands: Sequence[Command]) -> str:
        """The name of a function that runs some of the commands."""
        name = self.unit.name()
        lines = Lines()
        if self.flags_bytes:
            _clear(lines.at("%workspace", self.flags), self.flags_bytes, lines)
        for command in commands:
            self._print(command, lines)
        given = "".join(f", ptr %p{n}" for n in self.given)
        head = f"internal i32 @{name}(ptr %data, ptr %workspace{given})"
        self.unit.texts.append(lines.function(head))
        return name

    @property
    def flags_bytes(self) -> int:
        """How much memory the flags have."""
        return self.width * len(self.raised)

    def address(self, span: Span, lines: Lines) -> str:
        """Where a span is."""
        place, offset = span.place, span.offset
        if place == ARENA:
            return lines.at("%workspace", self.arena + offset)
        if place == FLAGS:
            return lines.at("%workspace", self.flags + offset)
        if place == TABLES:
            return lines.at("%data", self.tables + offset)
        if place in self.held:
            return lines.at("%data", self.held[place] + offset)
        if place in self.own:
            return lines.at("%workspace", self.own[place] + offset)
        return lines.at(f"%p{place}", offset)

    def _print(self, c: Command, lines: Lines) -> None:
        if isinstance(c, Launch):
            self._launch(c, lines)
        elif isinstance(c, Copy):
            target, source = self.address(c.target, lines), self.address(c.source, lines)
            lines.do(
                f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, "
                f"i64 {c.target.size}, i1 false)"
            )
        elif isinstance(c, Clear):
            _clear(self.address(c.target, lines), c.target.size, lines)
        elif isinstance(c, Check):
            self._check(lines)
        elif isinstance(c, Unless):
            holds = self._holds(c.condition, lines)
            kernel = self.commands.kernels[c.host.kernel]
            code = self.unit.failure(f"{kernel.name} does not hold")
            lines.leave_if(lines.line(f"xor i1 {holds}, true"), str(code))
        elif isinstance(c, Repeat):
            self._repeat(c, lines)
        elif isinstance(c, If):
            self._branch(c, lines)
        elif isinstance(c, While):
            self._loop(c, lines)
        elif not isinstance(c, Host):  # what is left to NumPy computes nothing, see `compiled_for`
            raise AssertionError(f"a compiled model has no {type(c).__name__}")

    def _launch(self, c: Launch, lines: Lines) -> None:
        symbol = self.unit.symbol(self.commands.kernels[c.kernel])
        given = []
        for block in c.blocks:
            words = lines.room(len(block.words))
            given.append(words)
            for n, word in enumerate(block.words):
                kind = "ptr" if isinstance(word, Span) else "i64"
                value = self.address(word, lines) if isinstance(word, Span) else str(word)
                lines.do(f"store {kind} {value}, ptr {lines.at(words, 8 * n)}, align 8")
            if c.parts == 1:
                lines.do(f"call void @{symbol}(ptr {words}, i64 0, i64 {block.size}, i64 0)")
        if c.parts > 1:
            threads.launched(c, symbol, given, self.unit.divides(), lines)

    def _check(self, lines: Lines) -> None:
        """Return the code of the first flag that is raised."""
        for row, codes in enumerate(self.raised):
            for n, code in enumerate(codes):
                where = lines.at("%workspace", self.flags + row * self.width + n)
                flag = lines.line(f"load i8, ptr {where}")
                lines.leave_if(lines.line(f"icmp ne i8 {flag}, 0"), str(code))

    def _holds(self, condition: Span, lines: Lines) -> str:
        byte = lines.line(f"load i8, ptr {self.address(condition, lines)}")
        return lines.line(f"icmp ne i8 {byte}, 0")

    # What runs other commands.

    def _repeat(self, c: Repeat, lines: Lines) -> None:
        body = Body(c.body, self.unit)
        starts = {place: self.address(span, lines) for place, span, _ in c.given}
        steps = {place: step for place, _, step in c.given}
        body.prepared(starts, lines)
        with lines.count(c.count) as k:
            moved = {
                place: lines.at(start, lines.line(f"mul i64 {k}, {steps[place]}"))
                if steps[place]
                else start
                for place, start in starts.items()
            }
            body.called(moved, lines)

    def _branch(self, c: If, lines: Lines) -> None:
        yes, no, after = lines.label(), lines.label(), lines.label()
        lines.branch(self._holds(c.condition, lines), yes, no)
        for label, side in ((yes, c.then), (no, c.orelse)):
            lines.begin(label)
            body, given = self._inside(side, lines)
            body.prepared(given, lines)
            body.called(given, lines)
            lines.jump(after)
        lines.begin(after)

    def _loop(self, c: While, lines: Lines) -> None:
        if not isinstance(c.test, Inner) or c.before is not None or c.after is not None:
            raise UnsupportedError(
                "a loop that keeps its iterations for a gradient cannot be exported",
                cure="export the model in eval mode",
            )
        test, given = self._inside(c.test, lines)
        body, told = self._inside(c.body, lines)
        test.prepared(given, lines)
        body.prepared(told, lines)
        head, inside, after = lines.label(), lines.label(), lines.label()
        lines.jump(head)
        lines.begin(head)
        test.called(given, lines)
        lines.branch(self._holds(c.condition, lines), inside, after)
        lines.begin(inside)
        body.called(told, lines)
        lines.jump(head)
        lines.begin(after)

    def _inside(self, inner: Inner, lines: Lines) -> tuple[Body, dict[int, str]]:
        given = {place: self.address(span, lines) for place, span in inner.given}
        return Body(inner.body, self.unit), given


class Body:
    """Commands that others run, as functions: what prepares them, and what runs them once."""

    def __init__(self, commands: Commands, unit: Unit):
        routine = self.routine = Routine(commands, unit, commands.constants)
        first = [c for found in commands.packing.values() for c in found]
        prepares = [*first, *commands.setup]
        runs = [c for batch in commands.batches for c in batch]
        self.preparation = routine.function(prepares) if prepares else None
        self.run = routine.function(runs)

    def prepared(self, given: Mapping[int, str], lines: Lines) -> None:
        """Call what prepares; given: addresses of places."""
        if self.preparation is not None:
            self._called(self.preparation, given, lines)

    def called(self, given: Mapping[int, str], lines: Lines) -> None:
        """Call what runs once, and return its code where that is one of a failure."""
        self._called(self.run, given, lines)

    def _called(self, name: str, given: Mapping[int, str], lines: Lines) -> None:
        # A place that nothing tells is one that the commands do not touch.
        places = "".join(f", ptr {given.get(n, 'null')}" for n in self.routine.given)
        lines.leave_if_failed(lines.line(f"call i32 @{name}(ptr %data, ptr %workspace{places})"))


def _clear(target: str, size: int, lines: Lines) -> None:
    lines.do(f"call void @llvm.memset.p0.i64(ptr {target}, i8 0, i64 {size}, i1 false)")
