"""In which order the stages of a pipeline do what: lists of commands, and what they cost.

A schedule is data, made by a pure function of the number of stages and of micro-batches; every
rank makes that of all stages, so it knows in which order others send. Stages are numbered along the
network: with several chunks on each rank, chunk c of rank r is stage c * ranks + r.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from twinoar.errors import ArgumentError
from twinoar.late import dataclass

Kind = Literal["forward", "backward", "input", "weight"]
# "backward" is both halves at once: "input" is what the stage before waits for, "weight" the rest.
LETTERS: dict[Kind, str] = {"forward": "F", "backward": "B", "input": "I", "weight": "W"}
COSTS: dict[Kind, float] = {"forward": 1.0, "backward": 2.0, "input": 1.0, "weight": 1.0}


@dataclass(frozen=True, slots=True)
class Command:
    """What one rank does with one micro-batch, in one of its chunks of layers."""

    kind: Kind
    micro: int
    chunk: int = 0

    def __str__(self) -> str:
        chunk = f".{self.chunk}" if self.chunk else ""
        return f"{LETTERS[self.kind]}{self.micro}{chunk}"


Schedule = tuple[tuple[Command, ...], ...]  # of each rank


def forward_then_backward(ranks: int, micros: int, chunks: int = 1) -> Schedule:
    """All micro-batches forward, then all backward: simple, and all of them are kept.

    >>> print(*forward_then_backward(2, 2)[0])
    F0 F1 B0 B1
    """
    _need_one_chunk("FThenB", chunks)
    found = [Command("forward", m) for m in range(micros)]
    found += [Command("backward", m) for m in range(micros)]
    return (tuple(found),) * ranks


def one_forward_one_backward(ranks: int, micros: int, chunks: int = 1) -> Schedule:
    """Each rank goes back as soon as it can: rank r keeps at most ranks - r micro-batches.

    Source: PipeDream-Flush, arXiv 2006.09503.

    >>> for row in one_forward_one_backward(2, 3):
    ...     print(*row)
    F0 F1 B0 F2 B1 B2
    F0 B0 F1 B1 F2 B2
    """
    _need_one_chunk("1F1B", chunks)
    found = []
    for rank in range(ranks):
        ahead = min(ranks - rank - 1, micros)
        forwards = [Command("forward", m) for m in range(micros)]
        backwards = [Command("backward", m) for m in range(micros)]
        found.append(_alternating(forwards, backwards, ahead))
    return tuple(found)


def interleaved(ranks: int, micros: int, chunks: int = 2) -> Schedule:
    """1F1B on ranks with several chunks of layers each: a bubble as many times smaller.

    Raises ArgumentError where the ranks do not divide the micro-batches. Source: arXiv 2104.04473,
    section 2.2.

    >>> print(*interleaved(2, 2, 2)[1])
    F0 F1 F0.1 B0.1 F1.1 B1.1 B0 B1
    """
    if micros % ranks:
        raise ArgumentError(
            f"interleaved chunks on {ranks} ranks and {micros} micro-batches",
            cure="make accumulate_steps a multiple of pp_degree",
        )
    total = micros * chunks
    found = []
    for rank in range(ranks):
        order = [_interleaved_place(i, ranks, chunks) for i in range(total)]
        forwards = [Command("forward", m, c) for m, c in order]
        backwards = [Command("backward", m, chunks - 1 - c) for m, c in order]
        ahead = min((ranks - rank - 1) * 2 + (chunks - 1) * ranks, total)
        found.append(_alternating(forwards, backwards, ahead))
    return tuple(found)


def zero_bubble(ranks: int, micros: int, chunks: int = 1) -> Schedule:
    """1F1B whose backward is in halves: that of weights fills what would be waiting.

    Rank r is r micro-batches late with the weights, so no rank keeps more micro-batches than the
    first does in 1F1B. Source: ZB-H1 of arXiv 2401.10241.

    >>> print(*zero_bubble(2, 3)[1])
    F0 I0 F1 I1 W0 F2 I2 W1 W2
    """
    _need_one_chunk("ZBH1", chunks)
    found = []
    for rank, row in enumerate(one_forward_one_backward(ranks, micros)):
        halves: list[Command] = []
        for command in row:
            if command.kind == "forward":
                halves.append(command)
                continue
            halves.append(Command("input", command.micro))
            if command.micro >= rank:
                halves.append(Command("weight", command.micro - rank))
        late = [Command("weight", m) for m in range(max(micros - rank, 0), micros)]
        found.append((*halves, *late))
    return tuple(found)


SCHEDULES: dict[str, Callable[[int, int, int], Schedule]] = {
    "1F1B": one_forward_one_backward,
    "FThenB": forward_then_backward,
    "VPP": interleaved,
    "ZBH1": zero_bubble,
}


def _need_one_chunk(name: str, chunks: int) -> None:
    if chunks != 1:
        raise ArgumentError(
            f"schedule_mode {name!r} with {chunks} chunks of layers on each rank",
            cure='leave out num_virtual_pipeline_stages, or take schedule_mode "VPP"',
        )


def _alternating(
    forwards: Sequence[Command], backwards: Sequence[Command], ahead: int
) -> tuple[Command, ...]:
    """Some forwards, then one forward and one backward in turns, then the backwards left."""
    found = list(forwards[:ahead])
    for forward, backward in zip(forwards[ahead:], backwards, strict=False):
        found += [forward, backward]
    return (*found, *backwards[len(forwards) - ahead :])


def _interleaved_place(number: int, ranks: int, chunks: int) -> tuple[int, int]:
    """(micro-batch, chunk): `ranks` micro-batches go through a chunk before the next chunk."""
    turn, place = divmod(number, ranks * chunks)
    chunk, micro = divmod(place, ranks)
    return turn * ranks + micro, chunk


@dataclass(frozen=True, slots=True)
class Timeline:
    """When each rank does what, in units of a forward: (command, begin, end) in turn."""

    rows: tuple[tuple[tuple[Command, float, float], ...], ...]

    @property
    def span(self) -> float:
        """How long all of it takes."""
        return max(end for row in self.rows for _, _, end in row)

    @property
    def bubble(self) -> float:
        """How long the rank that waits most does, while the whole runs."""
        return max(self.span - sum(end - begin for _, begin, end in row) for row in self.rows)

    @property
    def bubble_share(self) -> float:
        """Which part of the ranks' time is waiting."""
        busy = sum(end - begin for row in self.rows for _, begin, end in row)
        return 1 - busy / (self.span * len(self.rows))

    def drawn(self) -> str:
        """A line for each rank, four columns for a unit of time.

        >>> print(timeline_of(one_forward_one_backward(2, 2)).drawn())
        rank 0 |F0  F1      B0      B1      |
        rank 1 |    F0  B0      F1  B1      |
        """
        width = 4
        lines = []
        for rank, row in enumerate(self.rows):
            line = [" "] * round(self.span * width)
            for command, begin, _ in row:
                start = round(begin * width)
                text = str(command)
                line[start : start + len(text)] = text
            lines.append(f"rank {rank} |{''.join(line)}|")
        return "\n".join(lines)


def alive(row: Sequence[Command]) -> int:
    """How many micro-batches a rank keeps activations of at most, counted by chunk.

    >>> [alive(row) for row in one_forward_one_backward(4, 8)]
    [4, 3, 2, 1]
    """
    has_halves = any(c.kind == "weight" for c in row)
    freeing = "weight" if has_halves else "backward"
    now = most = 0
    for command in row:
        now += (command.kind == "forward") - (command.kind == freeing)
        most = max(most, now)
    return most


def needed_by(command: Command, rank: int, ranks: int, stages: int) -> tuple | None:
    """(kind, stage, micro) that another rank has to send before a command can run; None for none.

    "forward" for activations of the stage before, "backward" for gradients of the one after.
    """
    stage = command.chunk * ranks + rank
    if command.kind == "forward" and stage > 0:
        return "forward", stage - 1, command.micro
    if command.kind in ("backward", "input") and stage < stages - 1:
        return "backward", stage + 1, command.micro
    return None


def given_by(command: Command, rank: int, ranks: int, stages: int) -> tuple | None:
    """(kind, stage, micro) that a command sends on; None where nobody waits for it."""
    stage = command.chunk * ranks + rank
    if command.kind == "forward" and stage < stages - 1:
        return "forward", stage, command.micro
    if command.kind in ("backward", "input") and stage > 0:
        return "backward", stage, command.micro
    return None


def timeline_of(schedule: Schedule, costs: Mapping[Kind, float] = COSTS) -> Timeline:
    """When all happens if commands take `costs` and messages no time.

    Raises ArgumentError for a schedule in which ranks wait for each other without an end.

    >>> timeline_of(one_forward_one_backward(4, 8)).bubble
    9.0
    >>> timeline_of(zero_bubble(4, 8)).bubble
    3.0
    """
    ranks = len(schedule)
    chunks = 1 + max((c.chunk for row in schedule for c in row), default=0)
    stages = ranks * chunks
    rows: list[list[tuple[Command, float, float]]] = [[] for _ in schedule]
    ends: dict[tuple, float] = {}
    is_moving = True
    while is_moving:
        is_moving = False
        for rank, commands in enumerate(schedule):
            while len(rows[rank]) < len(commands):
                command = commands[len(rows[rank])]
                need = needed_by(command, rank, ranks, stages)
                if need is not None and need not in ends:
                    break
                free = rows[rank][-1][2] if rows[rank] else 0.0
                begin = max(free, 0.0 if need is None else ends[need])
                end = begin + costs[command.kind]
                rows[rank].append((command, begin, end))
                given = given_by(command, rank, ranks, stages)
                if given is not None:
                    ends[given] = end
                is_moving = True
    stuck = [r for r in range(ranks) if len(rows[r]) < len(schedule[r])]
    if stuck:
        waiting = ", ".join(f"rank {r} in {schedule[r][len(rows[r])]}" for r in stuck)
        raise ArgumentError(f"a schedule whose ranks wait for each other: {waiting}")
    return Timeline(tuple(map(tuple, rows)))
