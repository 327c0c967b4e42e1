"""Time and bytes by operator as it was written, and by line of the user's source."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from twinoar.core.ir.program import Operator
from twinoar.inspection.chapter import Chapter

AROUND = 1  # lines shown before and after those that have operators


@dataclass(frozen=True)
class Cost:
    """Seconds, bytes moved and operations.

    A kernel that computes several operators has its cost divided among them in equal parts: what
    each would take alone is not known where they are one loop.
    """

    seconds: float = 0.0
    bytes: float = 0.0
    operations: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.seconds + other.seconds,
            self.bytes + other.bytes,
            self.operations + other.operations,
        )


@dataclass(frozen=True)
class Line:
    """A line of source, with the operators that it made; none for one around these."""

    number: int
    text: str
    operators: tuple[Operator, ...]
    cost: Cost


@dataclass(frozen=True)
class File:
    """A file of source: pieces of lines that follow one another."""

    name: str
    pieces: tuple[tuple[Line, ...], ...]


def costs_of(chapter: Chapter) -> dict[Operator, Cost]:
    """The cost of each operator as it was written; all of them add up to that of all kernels."""
    sharing: dict[int, list[Operator]] = {}
    for o in chapter.written:
        for n in chapter.batches[o]:
            sharing.setdefault(n, []).append(o)
    found = {o: Cost() for o in chapter.written}
    for row in chapter.explanation.rows:
        among = sharing.get(row.number, ())
        for o in among:
            k = len(among)
            found[o] += Cost(row.seconds / k, row.bytes / k, row.operations / k)
    return found


def files_of(chapter: Chapter, costs: Mapping[Operator, Cost]) -> list[File]:
    """The source that the operators come from, with the cost of each line."""
    by_file: dict[str, dict[int, list[Operator]]] = {}
    for o in chapter.written:
        if o.source is not None:
            by_file.setdefault(o.source.file, {}).setdefault(o.source.line, []).append(o)
    return [
        File(name, tuple(_piece(name, numbers, lines, costs) for numbers in _pieces(lines)))
        for name, lines in by_file.items()
    ]


def _pieces(lines: Iterable[int]) -> list[list[int]]:
    """Numbers of lines to show, those without a gap between them together."""
    shown = sorted({n + d for n in lines for d in range(-AROUND, AROUND + 1) if n + d > 0})
    pieces: list[list[int]] = []
    for n in shown:
        if pieces and pieces[-1][-1] == n - 1:
            pieces[-1].append(n)
        else:
            pieces.append([n])
    return pieces


def _piece(
    file: str,
    numbers: Sequence[int],
    lines: Mapping[int, Sequence[Operator]],
    costs: Mapping[Operator, Cost],
) -> tuple[Line, ...]:
    found = []
    for n in numbers:
        made = tuple(lines.get(n, ()))
        cost = sum((costs[o] for o in made), Cost())
        found.append(Line(n, linecache.getline(file, n).rstrip(), made, cost))
    return tuple(found)
