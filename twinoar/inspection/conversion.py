"""The compile report: the user's source, with what became of each line."""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from twinoar.core.ir.program import Program
from twinoar.core.values import Value
from twinoar.errors import SourceLine
from twinoar.jit.changes import Step
from twinoar.jit.concrete import ConcreteProgram
from twinoar.jit.guards import said
from twinoar.jit.snapshot import Snapshot
from twinoar.jit.watch import PLAIN, Line, Watch, extent
from twinoar.late import dataclass

if TYPE_CHECKING:
    from twinoar.jit.to_static import StaticFunction

Kind = Literal["python", "program", "guarded", "constant", "traced"]
KINDS: dict[Kind, str] = {
    "python": "happens at each call, in Python",
    "program": "became operators of the Program",
    "guarded": "read while tracing: another value makes another Program",
    "constant": "a plain value, the same at each call",
    "traced": "ran while tracing, and left nothing in the Program",
}
# Of what a trace has read, that which may well be another one at a later call.
REMARKABLE = (*PLAIN, Value, Snapshot)
MOST_VALUES = 3  # of one name, as loops over plain values give them
COLUMN = 60  # where what is said of a line begins


@dataclass(frozen=True, slots=True)
class Fact:
    """What became of a line, or of a part of it; a line can have several."""

    file: str
    line: int
    kind: Kind
    detail: str


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The source of the functions that a Program was traced from, in the order of their calls.

    functions: file, first and last line of each. facts: by line, those that matter most first.
    """

    name: str
    program: Program
    functions: tuple[tuple[str, int, int], ...]
    facts: tuple[Fact, ...]

    def __str__(self) -> str:
        counts = Counter(fact.kind for fact in self.facts)
        lines = [f"{self.name}: {_operators(sum(1 for _ in self.program.main.walk()))}"]
        lines += [f"  {kind:<8}  {said}" for kind, said in KINDS.items() if counts[kind]]
        for file, first, last in self.functions:
            lines += ["", file, *(self._shown(file, n) for n in range(first, last + 1))]
        return "\n".join(lines)

    __repr__ = __str__

    def _shown(self, file: str, line: int) -> str:
        text = linecache.getline(file, line).rstrip()
        facts = [f for f in self.facts if (f.file, f.line) == (file, line)]
        if not facts:
            return f"{line:>5}          | {text}".rstrip()
        details = "; ".join(f.detail for f in facts if f.detail)
        shown = f"{line:>5} {facts[0].kind:<8} | {text}"
        return f"{shown:<{COLUMN}}  # {details}" if details else shown


def report_on(static: StaticFunction, args: tuple, kwargs: dict[str, Any]) -> Report:
    """What the trace of a function without Programs does on each line."""
    with Watch() as watch:
        concrete, _ = static.get_concrete_program(*args, **kwargs)
    functions = tuple(_outermost([(f, *extent(f, n)) for f, n in watch.functions]))
    facts = sorted(
        dict.fromkeys(_facts(concrete, static, watch)),
        key=lambda f: (f.file, f.line, list(KINDS).index(f.kind)),
    )
    named: Any = static
    return Report(named.__name__, concrete.program, functions, tuple(facts))


def _outermost(extents: list[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Those that are not inside another."""
    for file, first, last in extents:
        around = [e for e in extents if e[0] == file and e[1] <= first and last <= e[2]]
        if around == [(file, first, last)]:
            yield file, first, last


def _facts(concrete: ConcreteProgram, static: StaticFunction, watch: Watch) -> Iterator[Fact]:
    told: set[Line] = set()
    for fact in (
        *_python(concrete, watch),
        *_program(concrete.program),
        *_guarded(concrete, static, watch),
        *_constant(watch),
    ):
        told.add((fact.file, fact.line))
        yield fact
    for file, line in watch.reached - told:
        yield Fact(file, line, "traced", "")


def _python(concrete: ConcreteProgram, watch: Watch) -> Iterator[Fact]:
    for step in concrete.changes.steps:
        for file, line in watch.changed.get(step.place, ()):
            yield Fact(file, line, "python", _done_by(step))
    for o in concrete.program.main.walk():
        if o.source is not None and o.op.rules.get("effect"):
            yield Fact(o.source.file, o.source.line, "python", f"{o.op.name} at each run")


def _done_by(step: Step) -> str:
    return f"{step.place} is assigned" if step.method is None else f"{step.method}() is called"


def _program(program: Program) -> Iterator[Fact]:
    own: dict[Line, list[str]] = {}
    below: dict[Line, Counter] = {}
    for o in program.main.walk():
        source: SourceLine | None = o.source
        if source is None:
            continue
        own.setdefault((source.file, source.line), []).append(o.op.name)
        called, source = source.function, source.caller
        while source is not None:
            below.setdefault((source.file, source.line), Counter())[called] += 1
            called, source = source.function, source.caller
    for (file, line), names in own.items():
        counts = Counter(names)
        shown = ", ".join(n if c == 1 else f"{n} x{c}" for n, c in counts.items())
        yield Fact(file, line, "program", f"{_operators(len(names))}: {shown}")
    for (file, line), functions in below.items():
        for name, count in functions.items():
            yield Fact(file, line, "program", f"{_operators(count)} in {name}")


def _guarded(concrete: ConcreteProgram, static: StaticFunction, watch: Watch) -> Iterator[Fact]:
    for reading in concrete.readings():
        if reading.source is not None and isinstance(reading.found, REMARKABLE):
            yield Fact(reading.source.file, reading.source.line, "guarded", str(reading))
    arguments = static.arguments_said()
    if arguments and watch.functions:
        file, line = next(iter(watch.functions))
        yield Fact(file, line, "guarded", ", ".join(arguments))


def _constant(watch: Watch) -> Iterator[Fact]:
    for (file, line), names in watch.values.items():
        for name, values in names.items():
            yield Fact(file, line, "constant", f"{name} = {_listed(values)}")


def _listed(values: Sequence[Any]) -> str:
    shown = [said(x) if isinstance(x, (dict, set)) else _short(x) for x in values[:MOST_VALUES]]
    return ", then ".join([*shown, "..."] if len(values) > MOST_VALUES else shown)


def _short(x: Any) -> str:
    text = repr(x)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _operators(count: int) -> str:
    return f"{count} operator{'' if count == 1 else 's'}"
