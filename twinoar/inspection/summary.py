"""The table of a profile: how often, how long, by name."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from dataclasses import field
from enum import Enum
from pathlib import Path

from twinoar.core.observer import BACKWARD, OPERATOR, PROGRAM
from twinoar.inspection.record import STEP, Event
from twinoar.late import dataclass
from twinoar.tracebacks import cell_of

UNITS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0}
WIDTH = 48


class SortedKeys(Enum):
    """What the rows of a summary are sorted by; there is no GPU, so its times are the CPU's."""

    CPUTotal = 0
    CPUAvg = 1
    CPUMax = 2
    CPUMin = 3
    GPUTotal = 4
    GPUAvg = 5
    GPUMax = 6
    GPUMin = 7


class SummaryView(Enum):
    """The parts of a summary; LineView, by lines of your source, is twinoar's own."""

    DeviceView = 0
    OverView = 1
    ModelView = 2
    DistributedView = 3
    KernelView = 4
    OperatorView = 5
    MemoryView = 6
    MemoryManipulationView = 7
    UDFView = 8
    LineView = 9


@dataclass
class Row:
    """The durations of the events of one name, in nanoseconds."""

    name: str
    durations: list[int] = field(default_factory=list)

    def figures(self) -> tuple[float, float, int, int]:
        """Total, average, most and least."""
        total = sum(self.durations)
        return total, total / len(self.durations), max(self.durations), min(self.durations)


def summary_of(
    events: Sequence[Event], sorted_by: SortedKeys, unit: str, views: Sequence[SummaryView] | None
) -> str:
    """The tables of `events`: by kinds, operators and Programs, events of your own, lines."""
    if not events:
        return "nothing was recorded"
    parts = {
        SummaryView.OverView: ("Overview", [e._replace(name=e.kind) for e in events]),
        SummaryView.OperatorView: (
            "Operators and Programs",
            [e for e in events if e.kind in (OPERATOR, BACKWARD, PROGRAM)],
        ),
        SummaryView.UDFView: (
            "Events of your own",
            [e for e in events if e.kind not in (OPERATOR, BACKWARD, PROGRAM, STEP)],
        ),
        SummaryView.LineView: (
            "Lines of your source",
            [e._replace(name=_shown_line(e.line)) for e in outermost(events) if e.line],
        ),
    }
    whole = max(e.end for e in events) - min(e.start for e in events)
    tables = [
        table(title, chosen, whole, sorted_by, unit)
        for view, (title, chosen) in parts.items()
        if chosen and (views is None or view in views)
    ]
    return "\n\n".join(tables)


def outermost(events: Sequence[Event]) -> list[Event]:
    """Operators, backward passes and Programs that no other of them contains, in order of start.

    So what a backward pass runs counts once, for the line that called `backward()`.
    """
    found = []
    ends: dict[int, int] = {}  # of the last one of each thread
    for e in sorted(events, key=lambda e: (e.start, -e.end)):
        if e.kind in (OPERATOR, BACKWARD, PROGRAM) and e.start >= ends.get(e.thread, 0):
            ends[e.thread] = e.end
            found.append(e)
    return found


def _shown_line(line: str) -> str:
    """`model.py:31 y = net(x)`, of a path with a number; of a notebook's cell `In[3]:1 ...`."""
    file, _, number = line.rpartition(":")
    text = linecache.getline(file, int(number)).strip()
    short = f"{cell_of(file) or Path(file).name}:{number} {text}".rstrip()
    return short if len(short) < WIDTH else f"{short[: WIDTH - 2]}…"


def table(title: str, events: Sequence[Event], whole: int, by: SortedKeys, unit: str) -> str:
    """One table; an event's time contains that of the events inside it."""
    rows: dict[str, Row] = {}
    for e in events:
        rows.setdefault(e.name, Row(e.name)).durations.append(e.duration)
    place = by.value % 4
    ordered = sorted(rows.values(), key=lambda row: row.figures()[place], reverse=True)
    head = f"{'Name':<{WIDTH}}{'Calls':>8}" + "".join(
        f"{name:>12}" for name in ("Total", "Average", "Max", "Min", "Ratio (%)")
    )
    lines = [f"{title} (time in {unit})", head, "-" * len(head)]
    for row in ordered:
        total, *others = row.figures()
        times = "".join(f"{t / UNITS[unit]:>12.4f}" for t in (total, *others))
        share = f"{100 * total / whole:>12.2f}" if whole else f"{'-':>12}"
        lines.append(f"{row.name:<{WIDTH}}{len(row.durations):>8}{times}{share}")
    return "\n".join(lines)
