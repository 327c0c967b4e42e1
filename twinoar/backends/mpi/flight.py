"""A collective on its way: its lanes laid out in memory, for native code that carries them.

    flight = Flight(engine, Asked("all_reduce", "sum", "float32", x.nbytes), number)
    flight.place("x", address_of(x))
    flight.place("out", address_of(out))
    flight.run()

The first lane is the frame that ranks compare, see `runtime.collective.mpi`: what is small is in
it, and the others begin when all ranks have said that they make the same call.
"""

from __future__ import annotations

import ctypes
import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twinoar.backends.llvm import jit
from twinoar.backends.mpi import flight_text as text
from twinoar.backends.mpi import lanes as plans
from twinoar.backends.mpi import words
from twinoar.backends.mpi.combining import NAME, combine, may_combine
from twinoar.backends.mpi.lanes import Combine, Lane, Message, Piece, Shape, Stage
from twinoar.errors import DistributedError
from twinoar.late import dataclass
from twinoar.runtime.collective.call import FRAME_BYTES, NUMBER_BYTES

FRAME_TAG = 0
TAGS_OF_FLIGHT = 2 * 4 * plans.WINDOW  # of each stage of so many lanes
FLIGHTS = 200  # whose messages are told apart; all tags are below 2**15, which every MPI has
AGAIN_SECONDS = 1.0  # a look so long after the last one is that of another wait
WORD = 8


@dataclass(frozen=True, slots=True)
class Asked:
    """A collective of what a rank gives: bytes in all, of elements of a dtype, by NumPy's name."""

    kind: plans.Kind
    reduction: str
    dtype: str
    bytes: int
    root: int = 0

    def is_served(self) -> bool:
        """Whether there are kernels for it."""
        return self.kind in ("all_gather", "broadcast") or may_combine(self.dtype, self.reduction)


@dataclass(frozen=True, slots=True)
class _Made:
    """A stage in words: where its messages lie, how many, and its kernels with where theirs lie.

    board_bytes: of each frame, where these are what travels: then `messages` is where they lie.
    """

    messages: int
    count: int
    before: tuple[int, int] | None
    after: tuple[int, int] | None
    board_bytes: int = 0


@functools.cache
def carrier() -> jit.Code:
    """The native functions that carry flights."""
    return jit.load(text.TEXT, text.FUNCTIONS)


_Function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
_Look = ctypes.CFUNCTYPE(ctypes.c_int32)


@functools.cache
def function_of(name: str) -> Callable[[int], int]:
    """One of them, to be called with the address of a flight."""
    return _Function(carrier().address(name))


class Flight:
    """One collective, whose memory is placed before it runs; again and again.

    engine: the communicator's face to native code. number: of the call, which ranks compare; None
    where they have. tells: which of those that are on their way at once it is.
    """

    def __init__(
        self,
        engine: Any,
        asked: Asked,
        number: int | None = None,
        tells: int = 0,
        said: Any = None,
    ):
        self.engine, self.asked, self.said = engine, asked, said
        self.raised: BaseException | None = None
        self._words: list[int] = []
        self._inside: list[int] = []  # words that are addresses of words
        self.spans: list[tuple[int, Piece]] = []  # words that are addresses of memory elsewhere
        self._kept: list[Any] = []
        self._first_tag = 1 + tells % FLIGHTS * TAGS_OF_FLIGHT
        self._looked = self._began = 0.0
        shape = Shape(asked.bytes, np.dtype(_dtype(asked.dtype)).itemsize, engine.rank, engine.size)
        self.is_small = number is not None and _is_small(asked)
        lanes: list[Lane] = [] if self.is_small else plans.lanes_of(asked.kind, shape, asked.root)
        self.rows_bytes = plans.rows_bytes(lanes)
        self._lay_out(lanes, number)
        self.words = np.array(self._words, np.int64)
        start = self.words.ctypes.data
        self.words[self._inside] += start
        self.address = start
        by_memory: dict[str, list[tuple[int, int]]] = {}
        for at, piece in self.spans:
            by_memory.setdefault(piece.memory, []).append((at, piece.offset))
        self._by_memory = {m: np.array(found, np.int64).T for m, found in by_memory.items()}

    # Layout.

    def _lay_out(self, lanes: Sequence[Lane], number: int | None) -> None:
        self._add([0] * words.HEAD_WORDS)
        stages: list[list[_Made]] = []
        if number is not None:
            stages.append(self._frame_stages(number))
        for n, lane in enumerate(lanes):
            stages.append([self._stage(s, self._tag(n, k)) for k, s in enumerate(lane)])
        at = len(self._words)
        for lane_stages in stages:  # the stages of a lane lie behind each other
            self._add([0, len(lane_stages), 0, 0])
        for n, lane_stages in enumerate(stages):
            first = self._add([w for s in lane_stages for w in self._stage_words(s)])
            self._refer(at + n * words.LANE_WORDS + words.STAGES, first)
            for k, s in enumerate(lane_stages):
                self._refer_stage(s, first + k * words.STAGE_WORDS)
        head = self._words
        self._refer(words.LANES, at)
        head[words.LANE_COUNT], head[words.WINDOW] = len(stages), plans.WINDOW
        head[words.GATE] = int(number is not None)
        head[words.COMM], head[words.BYTE] = self.engine.comm_handle, self.engine.byte_handle
        head[words.TEST] = self.engine.symbols["MPI_Test"]
        if self.engine.board is not None:  # else waits are of MPI's requests, by which it goes on
            head[words.PROBE] = self.engine.symbols["MPI_Iprobe"]
        head[words.NEIGHBOR] = (self.engine.rank + 1) % self.engine.size
        head[words.QUICK_LOOKS] = self.engine.quick_looks
        look = _Look(self._look)
        self._kept.append(look)
        head[words.LOOK] = ctypes.cast(look, ctypes.c_void_p).value or 0

    def _add(self, more: Sequence[int]) -> int:
        """Where words lie that are put behind the others."""
        self._words += more
        return len(self._words) - len(more)

    def _refer(self, at: int, to: int) -> None:
        """Let a word be the address of another."""
        self._words[at] = to * WORD
        self._inside.append(at)

    def _tag(self, lane: int, stage: int) -> int:
        return self._first_tag + 2 * (lane % (4 * plans.WINDOW)) + stage

    def _stage(self, stage: Stage, tag: int) -> _Made:
        """What a stage's words will say: where its messages lie, and its kernels with theirs."""
        messages = self._add([w for m in stage.messages for w in self._message(m, tag)])
        for n, m in enumerate(stage.messages):
            at = messages + n * words.MESSAGE_WORDS + words.ADDRESS
            self.spans.append((at, m.piece))
        before, after = (self._combine(c) for c in (stage.before, stage.after))
        return _Made(messages, len(stage.messages), before, after)

    def _message(self, m: Message, tag: int) -> list[int]:
        function = self.engine.symbols["MPI_Isend" if m.is_sent else "MPI_Irecv"]
        return [function, 0, m.piece.bytes, m.peer, tag, 0, 0, 0]

    def _combine(self, c: Combine | None) -> tuple[int, int] | None:
        """The address of a kernel, and where its words lie."""
        if c is None:
            return None
        dtype = self.asked.dtype if len(c.rows) > 1 else "uint8"
        code = combine(dtype, self.asked.reduction if len(c.rows) > 1 else "sum", len(c.rows))
        self._kept.append(code)
        count = c.out.bytes // np.dtype(_dtype(dtype)).itemsize
        at = self._add([0, count, *[0] * len(c.rows)])
        self.spans.append((at, c.out))
        self.spans += [(at + 2 + n, row) for n, row in enumerate(c.rows)]
        return code.address(NAME), at

    def _stage_words(self, made: _Made) -> list[int]:
        found = [0] * words.STAGE_WORDS
        found[words.MESSAGE_COUNT] = made.count
        if made.before is not None:
            found[words.BEFORE] = made.before[0]
        if made.after is not None:
            found[words.AFTER] = made.after[0]
        if made.board_bytes:
            found[words.MESSAGES] = made.messages
            found[words.BOARD] = self.engine.board.address
            found[words.BOARD_BYTES] = made.board_bytes
        return found

    def _refer_stage(self, made: _Made, at: int) -> None:
        if not made.board_bytes:
            self._refer(at + words.MESSAGES, made.messages)
        for kernel, where in ((made.before, words.BEFORE_WORDS), (made.after, words.AFTER_WORDS)):
            if kernel is not None:
                self._refer(at + where, kernel[1])

    # The frame.

    def _frame_stages(self, number: int) -> list[_Made]:
        """Frames to all and from all, which are compared; then what is in them is combined."""
        engine = self.engine
        frames = np.zeros((engine.size, FRAME_BYTES), np.uint8)
        frames[engine.rank, :NUMBER_BYTES].view(np.int64)[0] = number
        self._kept.append(frames)
        self.frames = frames
        start = frames.ctypes.data
        compare = self._add([start, engine.size, FRAME_BYTES, number])
        self._number_at = compare + 3
        agree = carrier().address("agree"), compare
        first = self._exchange(start, agree)
        if not self.is_small:
            return [first]
        size = self.asked.bytes
        rows = [start + r * FRAME_BYTES + NUMBER_BYTES for r in range(engine.size)]
        given = self._fixed([Piece("x", 0, size)], rows[engine.rank])
        if self.asked.kind == "all_reduce":
            found = [self._fixed(rows, Piece("out", 0, size))]
        else:
            found = [self._fixed([row], Piece("out", r * size, size)) for r, row in enumerate(rows)]
        more = [_Made(0, 0, None, kernel) for kernel in found]
        return [replace(first, before=given), *more]

    def _exchange(self, frames: int, agree: tuple[int, int]) -> _Made:
        """The stage in which frames travel: by the board, or in messages where there is none."""
        engine = self.engine
        if engine.board is not None:
            used = NUMBER_BYTES + self.asked.bytes if self.is_small else FRAME_BYTES
            return _Made(frames, engine.size, None, agree, used)
        others = [(engine.rank + n) % engine.size for n in range(1, engine.size)]
        messages: list[int] = []
        for name in ("MPI_Irecv", "MPI_Isend"):
            for r in others:
                row = r if name == "MPI_Irecv" else engine.rank
                at = frames + row * FRAME_BYTES
                messages += [engine.symbols[name], at, FRAME_BYTES, r, FRAME_TAG, 0, 0, 0]
        return _Made(self._add(messages), 2 * len(others), None, agree)

    def _fixed(self, rows: Sequence[int | Piece], out: int | Piece) -> tuple[int, int]:
        """As `_combine`, where some addresses are known."""
        many = len(rows) > 1
        dtype = self.asked.dtype if many else "uint8"
        code = combine(dtype, self.asked.reduction if many else "sum", len(rows))
        self._kept.append(code)
        count = self.asked.bytes // np.dtype(_dtype(dtype)).itemsize
        addresses = [out, *rows]
        first = [0 if isinstance(a, Piece) else a for a in addresses]
        at = self._add([first[0], count, *first[1:]])
        for n, a in enumerate(addresses):
            if isinstance(a, Piece):
                self.spans.append((at + (n + 1 if n else 0), a))
        return code.address(NAME), at

    # Running.

    def place(self, memory: plans.Memory, address: int) -> None:
        """Let what is given, the result, or what arrives lie at an address."""
        found = self._by_memory.get(memory)
        if found is not None:
            self.words[found[0]] = found[1] + address

    def renumber(self, number: int) -> None:
        """Let it be the flight of another call."""
        self.words[self._number_at] = number
        self.frames[self.engine.rank, :NUMBER_BYTES].view(np.int64)[0] = number

    def run(self) -> None:
        """Begin it and wait for it. Raises what `error` says."""
        if function_of("begin")(self.address) or function_of("await")(self.address):
            raise self.error()

    def error(self) -> BaseException:
        """Why it has failed: `look` has raised, ranks call different things, or MPI fails."""
        found, self.raised = self.raised, None
        if found is None and self.words[words.ERROR] == words.DIFFERENT:
            return Different()
        if found is None:
            found = DistributedError(
                f"MPI has failed in {self.asked.kind}", cure="look at what MPI itself has printed"
            )
        self.engine.communicator.give_up(found)
        return found

    @property
    def has_failed(self) -> bool:
        """Whether it has."""
        return bool(self.words[words.ERROR])

    @property
    def is_over(self) -> bool:
        """Whether nothing is on its way."""
        has_begun = self.words[words.NEXT] > 0
        return bool(not has_begun or self.words[words.BASE] >= self.words[words.LANE_COUNT])

    def _look(self) -> int:
        """Whether a wait is to end: a rank that is waited for has, or it has taken too long."""
        now = time.monotonic()
        if now - self._looked > AGAIN_SECONDS:
            self._began = now
        self._looked = now
        try:
            self.engine.look(now - self._began, self.said)
        except BaseException as error:  # it cannot pass through native code
            self.raised = error
            return 1
        return 0


class Different(Exception):
    """The ranks of a group call different things."""


def _is_small(asked: Asked) -> bool:
    """Whether what is given fits into a frame, as it does in `runtime.collective.mpi`."""
    fits = asked.bytes <= FRAME_BYTES - NUMBER_BYTES
    return fits and asked.kind in ("all_reduce", "all_gather")


def _dtype(name: str) -> Any:
    """What NumPy knows by a name; bfloat16 counts as integers of its size."""
    return "uint16" if name == "bfloat16" else name
