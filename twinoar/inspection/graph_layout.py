"""Places for a Program's operators: lanes side by side, rows from what is read to who reads it.

The forward lane runs down, the backward lane beside it runs up, so that an operator and its
gradient lie at the same height; what updates a state stands beside the gradient that it reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twinoar.late import dataclass

FORWARD, BACKWARD, OPTIMIZE = LANES = ("forward", "backward", "optimize")
WIDEST = 4  # columns of the last lane: what more there would be in a row stands in rows below


@dataclass(frozen=True)
class Place:
    """Where a node stands; columns count from the left of all lanes."""

    row: int
    column: int


def layout(
    lanes: Sequence[str], reads: Sequence[Sequence[int]], twins: Mapping[int, int]
) -> list[Place]:
    """A place for each node, no two at one.

    lanes: the lane of each node. reads: the numbers of those that it reads, all lower than its own.
    twins: for nodes of the forward lane the number of their gradient.
    """
    rows = _rows(lanes, reads, twins)
    places: dict[int, Place] = {}
    start = 0
    for lane in LANES:
        members = [n for n in range(len(lanes)) if lanes[n] == lane]
        columns = _columns(members, reads, rows, WIDEST if lane == OPTIMIZE else len(lanes))
        places |= {n: Place(rows[n], start + column) for n, column in columns.items()}
        start += max(columns.values(), default=-1) + 1
    return [places[n] for n in range(len(lanes))]


def _rows(
    lanes: Sequence[str], reads: Sequence[Sequence[int]], twins: Mapping[int, int]
) -> list[int]:
    """The row of each node: what waits for others of its lane stands beyond them."""
    depths = _depths(lanes, reads)
    readers = _readers(reads)
    last = max((d for d, lane in zip(depths, lanes, strict=True) if lane == BACKWARD), default=0)
    rows = [last - d for d in depths]
    for n, lane in enumerate(lanes):
        later = [rows[r] + 1 for r in readers[n] if lanes[r] == BACKWARD]
        if lane == BACKWARD and depths[n] == 0 and later:
            rows[n] = max(later)  # next to the first that reads it
    for n, lane in enumerate(lanes):
        above = max((rows[m] + (lanes[m] == lane) for m in reads[n]), default=0)
        if lane == FORWARD:
            rows[n] = max(above, rows[twins[n]] if n in twins else 0)
        elif lane == OPTIMIZE:
            rows[n] = above
    for n in reversed(range(len(lanes))):
        if lanes[n] == FORWARD and n not in twins and readers[n]:
            rows[n] = max(rows[n], min(rows[r] - (lanes[r] == FORWARD) for r in readers[n]))
    return rows


def _readers(reads: Sequence[Sequence[int]]) -> list[list[int]]:
    """The numbers of those that read each node."""
    readers: list[list[int]] = [[] for _ in reads]
    for n, found in enumerate(reads):
        for m in found:
            readers[m].append(n)
    return readers


def _depths(lanes: Sequence[str], reads: Sequence[Sequence[int]]) -> list[int]:
    """How many nodes of its lane each one waits for, one after another."""
    depths: list[int] = []
    for n, lane in enumerate(lanes):
        depths.append(max((depths[m] + 1 for m in reads[n] if lanes[m] == lane), default=0))
    return depths


def _columns(
    members: Sequence[int], reads: Sequence[Sequence[int]], rows: list[int], widest: int
) -> dict[int, int]:
    """A column for each node of a lane: that of what it reads where it is free, else the nearest.

    Where a row is full its nodes move down, which changes `rows`.
    """
    columns: dict[int, int] = {}
    taken: set[tuple[int, int]] = set()
    for n in sorted(members, key=lambda n: rows[n]):
        wanted = min((columns[m] for m in reads[n] if m in columns), default=0)
        while True:
            free = [c for c in range(widest) if (rows[n], c) not in taken]
            if free:
                break
            rows[n] += 1
        columns[n] = min(free, key=lambda c: (abs(c - wanted), c))
        taken.add((rows[n], columns[n]))
    return columns
