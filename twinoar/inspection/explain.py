"""What a compiled Program does: each batch, what it runs as, its time and its floor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from twinoar.backends.base import HostCommand, Sort
from twinoar.backends.llvm.driver import Routine
from twinoar.backends.native.compiled import Compiled
from twinoar.backends.native.control import (
    BranchPart,
    GradientPart,
    SecondGradientPart,
    WhilePart,
)
from twinoar.backends.native.instance import Instance
from twinoar.backends.native.loop import LoopPart
from twinoar.backends.native.parts import HostPart, KernelPart, LibraryPart, TiledPart, UnlessPart
from twinoar.backends.native.procedures import ProcedurePart
from twinoar.backends.native.traveling import CollectivePart
from twinoar.backends.onednn import Layout
from twinoar.compile import work
from twinoar.compile.element import has_element
from twinoar.compile.part import Part
from twinoar.compile.pipeline import CallStep
from twinoar.compile.storage import Storage
from twinoar.core.dtype import DType, bfloat16, float32
from twinoar.core.ir.program import Operator, Variable
from twinoar.inspection.machine import Machine, machine
from twinoar.inspection.origin import operators_of_batches
from twinoar.late import dataclass

RUNS = 5
REORDER = "reorder"  # the function of the library's that only copies
CALLED = "blocks called by Python"
MEBI = 1 << 20
NAMES, KINDS = 2, 5  # results, and different operators, that a line names
HEAD = (
    f"{'us':>8} {'share':>6} {'KiB':>9} {'GB/s':>6} {'GFLOP/s':>8} {'floor us':>8} {'of it':>6}  "
)


@dataclass(frozen=True)
class Row:
    """One batch of parts. operators: those of the lowered Program that it computes.

    kind: "loops", "oneDNN", "over time", "blocks", "checks", "blocks called by Python" or
    "NumPy"; reason: why one of the last two. operations: on floating numbers, 0 where nobody counts
    them. seconds: the median of a few runs. floor: those that bytes or operations take at least.
    """

    number: int
    operators: tuple[Operator, ...]
    results: tuple[str, ...]
    kind: str
    runs_as: str
    reason: str
    seconds: float
    bytes: int
    operations: int
    floor: float

    @property
    def computes(self) -> str:
        """Results and operators, shortened: `%3, %10 and 2 more = add, exp*2`."""
        names = ", ".join(f"%{name}" for name in self.results[:NAMES])
        if len(self.results) > NAMES:
            names += f" and {len(self.results) - NAMES} more"
        counts = Counter(o.op.name for o in self.operators)
        kinds = [name if n == 1 else f"{name}*{n}" for name, n in counts.items()]
        if len(kinds) > KINDS:
            kinds[KINDS - 1 :] = [f"{len(kinds) - KINDS + 1} others"]
        return " = ".join(filter(None, [names, ", ".join(kinds)]))


@dataclass(frozen=True)
class Explanation:
    """The rows of a compiled Program in the order in which they run, and what concerns all.

    inside: what each block of its branches and loops does, by a heading. The times there are those
    of the last iteration, 0 where none ran.
    """

    compiled: Compiled
    rows: tuple[Row, ...]
    machine: Machine
    inside: tuple[tuple[str, Explanation], ...] = ()

    @property
    def seconds(self) -> float:
        """The time of all batches."""
        return sum(r.seconds for r in self.rows)

    @property
    def floor(self) -> float:
        """The least time that all batches could take, one after another."""
        return sum(r.floor for r in self.rows)

    def table(self, sort: Sort = "order") -> str:
        """The rows as text, in order or the slowest first, then totals."""
        return "\n".join([*self.lines(sort), *self.totals(), *self.blocks(sort)])

    def lines(self, sort: Sort = "order") -> list[str]:
        """The rows, with a head."""
        rows = sorted(self.rows, key=lambda r: -r.seconds) if sort == "time" else self.rows
        width = max((len(r.runs_as) for r in rows), default=0)
        head = HEAD + f"{'runs as':<{width}}  computes"
        return [head, *(self._line(r, width) for r in rows)]

    def totals(self) -> list[str]:
        """Lines about all batches: time, memory, what runs on NumPy, machine, compilation."""
        kinds = Counter(r.kind for r in self.rows)
        counted = ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "none"
        arena = self.compiled.arena
        lines = [
            f"{self.seconds * 1e6:8.1f} us in {len(self.rows)} batches ({counted}); "
            f"floor {self.floor * 1e6:.1f} us, {_ratio(self.floor, self.seconds):.0%}",
            f"arena {arena.bytes / MEBI:.1f} MiB, needed at once {arena.needed / MEBI:.1f} MiB",
        ]
        if self.compiled.setup:
            lines.append(f"run once, when states are bound: {len(self.compiled.setup)}")
        if self.compiled.derived.bytes:
            kept = self.compiled.derived.bytes / MEBI
            lines.append(f"derived from states, for all threads: {kept:.1f} MiB")
        if self.compiled.target.rounds:
            lines.append("products of float32 may round their operands to bfloat16")
        lines += self.on_numpy()
        return [*lines, str(self.machine), f"compiled in {self.compiled.stages}"]

    def on_numpy(self) -> list[str]:
        """Lines about what Python runs, and why."""
        where = {"NumPy": "on NumPy", CALLED: "by Python"}
        return [f"{where[r.kind]}: {r.computes}: {r.reason}" for r in self.rows if r.kind in where]

    def blocks(self, sort: Sort = "order") -> list[str]:
        """Lines about the blocks of `if` and `while`: those that are commands, and the others."""
        lines = []
        for heading, inner in self.inside:
            found = [*inner.lines(sort), *inner.on_numpy(), *inner.blocks(sort)]
            lines += [heading, *(f"  {line}" for line in found)]
        for part in self.compiled.parts:
            for name, function in part.functions.items() if isinstance(part, HostPart) else ():
                assert isinstance(part.step, CallStep)  # as of every HostPart
                o = part.step.operator
                lines.append(_heading(name, o))
                lines += [f"  {line}" for line in function.explain(sort).split("\n")]
        return lines

    def _line(self, r: Row, width: int) -> str:
        work_done = f"{_ratio(r.operations, r.seconds) / 1e9:8.1f}" if r.operations else " " * 8
        return (
            f"{r.seconds * 1e6:8.1f} {_ratio(r.seconds, self.seconds):6.1%} {r.bytes / 1024:9.1f} "
            f"{_ratio(r.bytes, r.seconds) / 1e9:6.1f} {work_done} {r.floor * 1e6:8.1f} "
            f"{_ratio(r.floor, r.seconds):6.0%}  {r.runs_as:<{width}}  {r.computes}{_lines(r)}"
        )


def explained(compiled: Compiled, instance: Instance) -> Explanation:
    """What an instance that has run does; it is run a few times more, on copies of its data."""
    with instance.routine.watched() as inside:
        seconds = measured(instance, RUNS)
        return _explanation(compiled, instance, seconds, inside)


def _explanation(
    compiled: Compiled,
    instance: Instance,
    seconds: Sequence[float],
    inside: Mapping[Routine, Sequence[int]],
) -> Explanation:
    """The rows of a Program and of what it runs. inside: the nanoseconds of commands there."""
    operators = operators_of_batches(compiled)
    commands = zip(instance.of_batch, instance.routine.commands, strict=True)
    ways = {n: c.way for n, c in commands if c.way not in ("check", "place")}
    speeds = machine(compiled.target.exact())
    rows = []
    for n, batch in enumerate(compiled.batches):
        kind, runs_as, reason = _way(batch)
        if kind == "loops" and ways[n] == "parallel":
            runs_as += ", in parallel"
        moved = sum(_bytes(part, compiled.places) for part in batch)
        operations = sum(map(_operations, batch))
        floor = speeds.floor(moved, operations, _dtype(batch[0]))
        results = tuple(s.name for part in batch for s in part.step.writes if s is not None)
        rows.append(
            Row(
                n, tuple(operators[n]), results, kind, runs_as, reason,
                seconds[n], moved, operations, floor,
            )
        )  # fmt: skip
    headings = (
        _heading(name, part.step.operator)  # type: ignore[union-attr]  # of a call
        for part in compiled.parts
        for name in part.bodies
    )
    blocks = []
    for heading, body, inner in zip(headings, compiled.bodies, instance.inner, strict=True):
        spent = _by_batch(inner, inside[inner.routine])
        blocks.append((heading, _explanation(body, inner, spent, inside)))
    return Explanation(compiled, tuple(rows), speeds, tuple(blocks))


def _heading(block: str, o: Operator) -> str:
    return f"{block} of {o.op.name}, {line_of(o)}:"


def measured(instance: Instance, runs: int) -> list[float]:
    """The seconds of each batch, the median of some runs.

    Feeds, states and results are copies meanwhile, so that nobody's data changes.
    """
    given = {n: array for n, array in enumerate(instance.arrays) if array is not None}
    times = []
    try:
        for place, array in given.items():
            instance.bind(place, array.copy())
        for _ in range(runs):
            times.append(_by_batch(instance, instance.routine.timed()))
    finally:
        instance.lower_flags()
        for place, array in given.items():
            instance.bind(place, array)
    return [float(np.median(spent)) for spent in zip(*times, strict=True)]


def _by_batch(instance: Instance, nanoseconds: Sequence[int]) -> list[float]:
    """The seconds of each batch."""
    spent = [0.0] * len(instance.commands.batches)
    for batch, time in zip(instance.of_batch, nanoseconds, strict=True):
        spent[batch] += time * 1e-9
    return spent


def _way(batch: Sequence[Part]) -> tuple[str, str, str]:
    """The kind of a batch, what it runs as, and for NumPy why."""
    part = batch[0]
    if isinstance(part, LoopPart):
        kinds = Counter(_way(batch)[0] for batch in part.body.batches)
        inside = " + ".join(f"{n} {name}" for name, n in kinds.items())
        return "over time", f"{part.iterations.count} times ({inside or 'nothing'})", ""
    if isinstance(part, CollectivePart):
        return "MPI", f"MPI ({part.asked.kind})", ""
    if isinstance(part, HostPart):
        if part.functions:
            return CALLED, ", ".join(part.functions), part.reason or _missing(part.step.operator)
        return "NumPy", "NumPy", _missing(part.step.operator)
    if isinstance(part, UnlessPart):
        return "checks", "Python only where it fails", ""
    if isinstance(part, (BranchPart, GradientPart, SecondGradientPart, WhilePart)):
        return "blocks", ", ".join(part.bodies), ""
    if isinstance(part, LibraryPart):
        return "oneDNN", _primitives(part), ""
    if isinstance(part, ProcedurePart):
        return "loops", f"{len(part.ready)} procedures", ""
    if isinstance(part, TiledPart):
        return "loops", "loops (tiled)", ""
    assert isinstance(part, KernelPart)
    nest = part.step.nest
    passes = work.passes(nest)
    text = f"loops {nest.row.size} x {work.columns(nest)}"
    text += f" and {len(batch) - 1} more" if len(batch) > 1 else ""
    return "loops", text + (f", {passes} passes" if passes > 1 else ""), ""


def host_commands(compiled: Compiled) -> list[HostCommand]:
    """What Python or NumPy runs within a compiled Program, and why."""
    found = []
    for part in compiled.hosted:
        if isinstance(part, CollectivePart):
            continue  # Python runs it only where ranks are threads of one process
        assert isinstance(part.step, CallStep)  # as of every HostPart
        o = part.step.operator
        found.append(HostCommand(o.op.name, part.reason or _missing(o)))
        for function in part.functions.values():
            found += function.host_commands()
    return found


def _primitives(part: LibraryPart) -> str:
    done = [run for run in part.runs if run not in part.kept]
    main = [run for run in done if len(run.arguments) > 2 or "src" not in run.arguments]
    counts = Counter(run.primitive.implementation for run in main)
    names = " + ".join(f"{n} x {name}" if n > 1 else name for name, n in counts.items())
    copies = len(done) - len(main)
    text = f"oneDNN {names}" + (f", {copies} reorder{'s' * (copies > 1)}" if copies else "")
    rounds = part.step.reads[0].dtype is float32 and _multiplied(part) is bfloat16
    return f"{text}, of float32 rounded to bfloat16" if rounds else text


def _multiplied(part: LibraryPart) -> DType:
    """The dtype of what a library multiplies, whatever its operands are."""
    main = next(run.primitive for run in part.runs if run.primitive.function != REORDER)
    return next(x.dtype for x in main.recipe.arguments if isinstance(x, Layout))


def _missing(o: Operator) -> str:
    """Why an operator has no native form."""
    if "host" in o.op.rules:
        return str(o.op.rules["host"])
    if has_element(o.op):
        return "its rule declines these operands"
    declined = " for these operands" if "library" in o.op.rules else ""
    return f"no rule says what an element of it is{', no library runs it' + declined}"


def _bytes(part: Part, places: Mapping[Storage, int]) -> int:
    """The bytes that a part works on at least; of a table, the rows that it picks or puts.

    What is written where it was read counts once.
    """
    over = {places[s] for s in part.step.reads}
    written = sum(s.bytes for s in part.step.writes if s is not None and places[s] not in over)
    if not isinstance(part, KernelPart):
        changed = _changed(part, places)
        return written + sum(s.bytes for s in part.step.reads if places[s] not in changed)
    read = work.elements_read(part.step.kernel.expressions)
    return written + sum(s.dtype.itemsize * (read[s] or s.count) for s in part.step.reads)


def _changed(part: Part, places: Mapping[Storage, int]) -> set[int]:
    """The memory of which a call changes some elements where they lie."""
    if "begins_as" not in part.step.operator.op.rules:  # type: ignore[union-attr]  # of a call
        return set()
    return {places[s] for s in part.step.writes if s is not None}


def _operations(part: Part) -> int:
    if isinstance(part, KernelPart):
        return work.operations(part.step.nest)
    if isinstance(part, LoopPart):
        inside = sum(_operations(p) for batch in part.body.batches for p in batch)
        return part.iterations.count * inside
    o = part.step.operator  # type: ignore[union-attr]  # of a call
    rule = o.op.rules.get("flops")
    if rule is None:
        return 0
    specs = [x.spec if isinstance(x, Variable) else x for x in o.operands]
    return int(rule(*specs, **o.attrs))


def _dtype(part: Part) -> str:
    """The dtype that a library computes with; loops compute in float32 or wider."""
    if not isinstance(part, LibraryPart):
        return "float32"
    return _multiplied(part).name


def _lines(r: Row) -> str:
    """The lines of the user's code that a part comes from, shortened."""
    found = list(dict.fromkeys(line_of(o) for o in r.operators if o.source is not None))
    if not found:
        return ""
    return f"  # {found[0]}" + (f" and {len(found) - 1} more" if len(found) > 1 else "")


def line_of(o: Operator) -> str:
    """`model.py:31`, the user's line that an operator comes from."""
    if o.source is None:
        return ""
    return f"{_short(o.source.file)}:{o.source.line}"


def _short(file: str) -> str:
    return file.replace("\\", "/").rpartition("/")[2]


def _ratio(x: float, y: float) -> float:
    return x / y if y else 0.0
