"""What travels for a collective: lanes of stages of messages, for any engine that posts them.

An array is combined in parts, one by each rank, which then all get: of two ranks each sends half of
what it has, and half of what it has made. Large arrays go in pieces, so that one is combined, in
the caches, while others travel.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from twinoar.late import dataclass

PIECE_BYTES = 1 << 18  # of each part: a few of them stay in the caches of a core
WHOLE_BYTES = 4096  # up to so many all send all to all: a message less on the way
MOVED_BYTES = 1 << 22  # of each message that is only moved
WINDOW = 4  # lanes that travel at a time
MOST_RANKS = 32  # beyond, all ranks to all are too many messages

Memory = Literal["x", "out", "rows"]
Kind = Literal["barrier", "all_reduce", "all_gather", "reduce_scatter", "broadcast"]


@dataclass(frozen=True, slots=True)
class Piece:
    """`bytes` from `offset` on of what is given, of the result, or of memory for what arrives."""

    memory: Memory
    offset: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Message:
    """A piece to another rank, or from it."""

    is_sent: bool
    peer: int
    piece: Piece


@dataclass(frozen=True, slots=True)
class Combine:
    """Rows of elements as one, in the order of ranks; one row is copied. All are of equal sizes."""

    rows: tuple[Piece, ...]
    out: Piece


@dataclass(frozen=True, slots=True)
class Stage:
    """Messages that travel at once. before, after: what is combined then."""

    messages: tuple[Message, ...]
    before: Combine | None = None
    after: Combine | None = None


Lane = tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """Of what a rank gives: bytes in all, and of an element. rank of size: who it is."""

    bytes: int
    item: int
    rank: int
    size: int

    @property
    def others(self) -> list[int]:
        """The other ranks; each begins with the one after it, so that not all send to one."""
        return [(self.rank + n) % self.size for n in range(1, self.size)]


def lanes_of(kind: Kind, of: Shape, root: int = 0) -> list[Lane]:
    """The lanes of a collective."""
    if kind == "barrier":
        return []
    if kind == "all_reduce":
        return list(_whole(of) if of.bytes <= WHOLE_BYTES else _in_parts(of))
    if kind == "reduce_scatter":
        return list(_scattered(of))
    if kind == "broadcast":
        return list(_broadcast(of, root))
    return list(_gathered(of))


def rows_bytes(lanes: list[Lane]) -> int:
    """The memory that arrives in rows of its own."""
    pieces = [m.piece for lane in lanes for stage in lane for m in stage.messages]
    return max((p.offset + p.bytes for p in pieces if p.memory == "rows"), default=0)


def _whole(of: Shape) -> Iterator[Lane]:
    """All to all, and each combines all."""
    if not of.bytes:
        return
    own = Piece("x", 0, of.bytes)
    rows = [own if r == of.rank else Piece("rows", r * of.bytes, of.bytes) for r in range(of.size)]
    messages = [Message(False, r, rows[r]) for r in of.others]
    messages += [Message(True, r, own) for r in of.others]
    yield (Stage(tuple(messages), None, Combine(tuple(rows), Piece("out", 0, of.bytes))),)


def _in_parts(of: Shape) -> Iterator[Lane]:
    """Each rank gets a part of all, combines it, and gives it to all."""
    count = of.bytes // of.item
    starts = [r * count // of.size * of.item for r in range(of.size + 1)]
    longest = max(b - a for a, b in pairwise(starts))
    for number, at in enumerate(range(0, longest, PIECE_BYTES)):
        cuts = [_cut(starts[r], starts[r + 1], at) for r in range(of.size)]
        offset, own = cuts[of.rank]
        first = number % WINDOW * of.size * PIECE_BYTES
        rows = [
            Piece("x", offset, own) if r == of.rank else Piece("rows", first + r * PIECE_BYTES, own)
            for r in range(of.size)
        ]
        gathered = [Message(False, r, rows[r]) for r in of.others]
        gathered += [Message(True, r, Piece("x", *cuts[r])) for r in of.others]
        made = Piece("out", offset, own)
        shared = [Message(False, r, Piece("out", *cuts[r])) for r in of.others]
        shared += [Message(True, r, made) for r in of.others]
        combined = Combine(tuple(rows), made)
        yield Stage(_some(gathered), None, combined), Stage(_some(shared))


def _scattered(of: Shape) -> Iterator[Lane]:
    """Each rank gets its row of all, and combines them."""
    row = of.bytes // of.size
    for number, at in enumerate(range(0, row, PIECE_BYTES)):
        size = min(PIECE_BYTES, row - at)
        first = number % WINDOW * of.size * PIECE_BYTES
        rows = [
            Piece("x", r * row + at, size)
            if r == of.rank
            else Piece("rows", first + r * PIECE_BYTES, size)
            for r in range(of.size)
        ]
        messages = [Message(False, r, rows[r]) for r in of.others]
        messages += [Message(True, r, Piece("x", r * row + at, size)) for r in of.others]
        yield (Stage(tuple(messages), None, Combine(tuple(rows), Piece("out", at, size))),)


def _broadcast(of: Shape, root: int) -> Iterator[Lane]:
    for at in range(0, of.bytes, MOVED_BYTES):
        size = min(MOVED_BYTES, of.bytes - at)
        given, made = Piece("x", at, size), Piece("out", at, size)
        if of.rank == root:
            sent = tuple(Message(True, r, given) for r in of.others)
            yield (Stage(sent, Combine((given,), made)),)
        else:
            yield (Stage((Message(False, root, made),)),)


def _gathered(of: Shape) -> Iterator[Lane]:
    for at in range(0, of.bytes, MOVED_BYTES):
        size = min(MOVED_BYTES, of.bytes - at)
        given = Piece("x", at, size)
        made = [Piece("out", r * of.bytes + at, size) for r in range(of.size)]
        messages = [Message(False, r, made[r]) for r in of.others]
        messages += [Message(True, r, given) for r in of.others]
        yield (Stage(tuple(messages), Combine((given,), made[of.rank])),)


def _cut(start: int, end: int, at: int) -> tuple[int, int]:
    """The piece at `at` of a part: where it is, and its bytes."""
    return start + at, max(0, min(PIECE_BYTES, end - start - at))


def _some(messages: list[Message]) -> tuple[Message, ...]:
    """Those that are not empty, of which both ends know."""
    return tuple(m for m in messages if m.piece.bytes)
