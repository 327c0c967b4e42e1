"""What a compiled Program does, as a table: each part, what it runs as, its time, bytes and rate."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from twinoar.backends.native.compiled import (
    Compiled,
    HostPart,
    KernelPart,
    LibraryPart,
    Part,
    moved,
)
from twinoar.backends.native.instance import Instance
from twinoar.core.ir import Operator, Variable

RUNS = 5
MEBI = 1 << 20


@dataclass(frozen=True)
class Row:
    """One part: `seconds` is the median of a few runs, None before the first."""

    computes: str
    runs_as: str
    seconds: float | None
    bytes: int
    operations: int


def rows(compiled: Compiled, instance: Instance | None) -> list[Row]:
    """A Row per part. An instance that has run is run again a few times for the times."""
    seconds = _measured(instance, len(compiled.parts)) if instance is not None else None
    return [
        Row(
            _computes(part),
            _runs_as(part),
            seconds[n] if seconds else None,
            moved(part),
            _operations(part),
        )
        for n, part in enumerate(compiled.parts)
    ]


def table(compiled: Compiled, instance: Instance | None) -> str:
    """The rows as text, with totals and the memory."""
    found = rows(compiled, instance)
    total = sum(r.seconds or 0 for r in found)
    lines = [f"{'us':>8} {'share':>6} {'KiB':>9} {'GB/s':>6} {'GFLOP/s':>8}  runs as / computes"]
    for r in found:
        time = f"{r.seconds * 1e6:8.1f} {r.seconds / total:6.1%}" if r.seconds else " " * 15
        rate = f"{r.bytes / r.seconds / 1e9:6.1f}" if r.seconds else " " * 6
        work = f"{r.operations / r.seconds / 1e9:8.0f}" if r.seconds and r.operations else " " * 8
        lines.append(f"{time} {r.bytes / 1024:9.0f} {rate} {work}  {r.runs_as}: {r.computes}")
    host = [r for r in found if r.runs_as == "NumPy"]
    arena = compiled.arena
    lines.append(
        f"{total * 1e6:8.1f} us in {len(found)} parts; arena {arena.bytes / MEBI:.1f} MiB, "
        f"needed at once {arena.needed / MEBI:.1f} MiB; {len(host)} on NumPy"
    )
    return "\n".join(lines)


def _measured(instance: Instance, count: int) -> list[float]:
    times = []
    for _ in range(RUNS):
        spent = [0.0] * count
        for part, nanoseconds in zip(instance.of_part, instance.routine.timed(), strict=True):
            spent[part] += nanoseconds * 1e-9
        times.append(spent)
    return [statistics.median(run[n] for run in times) for n in range(count)]


def _computes(part: Part) -> str:
    if isinstance(part, KernelPart):
        names = []
        for root in part.step.kernel.roots:
            v = root.storage.variable
            names.append(f"{v.name} = {_operator_name(v)}" if v.producer else v.name)
        return ", ".join(names)
    return str(part.step.operator).split("#")[0].strip()


def _operator_name(v: Variable) -> str:
    return v.producer.op.name if v.producer is not None else ""


def _runs_as(part: Part) -> str:
    if isinstance(part, HostPart):
        return "NumPy"
    if isinstance(part, LibraryPart):
        return "oneDNN " + " + ".join(run.primitive.implementation for run in part.runs)
    nest = part.step.nest
    return f"loops {nest.row.size} x{part.parts}"


def _operations(part: Part) -> int:
    if not isinstance(part, LibraryPart):
        return 0
    o: Operator = part.step.operator
    rule = o.op.rules.get("flops")
    if rule is None:
        return 0
    specs = [x.spec if isinstance(x, Variable) else x for x in o.operands]
    return int(rule(*specs, **o.attrs))
