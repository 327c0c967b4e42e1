"""What a group of MPI processes has for native code, and its collectives outside of Programs."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.backends.mpi.board import RANK_BYTES, Board
from twinoar.backends.mpi.flight import Asked, Different, Flight
from twinoar.backends.mpi.lanes import MOST_RANKS, Kind
from twinoar.runtime.collective.call import NUMBER_BYTES

KEPT = 64  # flights: a training makes the same few calls again and again
# How often a wait looks before it gives way: some 20 us where each rank has a core of its own.
PATIENT_LOOKS, BUSY_LOOKS = 1000, 50


class Engine:
    """The native side of a communicator, an MpiCommunicator.

    symbols: the addresses of MPI's functions by name. handles: of its communicator for this, and of
    the type of bytes. shared: where in memory the part of each rank begins that all share; empty
    where they share none.
    """

    shared_bytes = RANK_BYTES  # of each rank's part

    def __init__(
        self,
        communicator: Any,
        symbols: dict[str, int],
        comm: int,
        byte: int,
        shared: Sequence[int] = (),
    ):
        self.communicator, self.symbols = communicator, symbols
        self.comm_handle, self.byte_handle = _signed(comm), _signed(byte)
        self.rank, self.size = communicator.rank, communicator.size
        self.board = Board(self.rank, shared) if shared else None
        has_cores = self.size <= (os.cpu_count() or 1)
        self.quick_looks = PATIENT_LOOKS if self.board is not None and has_cores else BUSY_LOOKS
        self.frame: Flight | None = None
        self._flights: OrderedDict[tuple, Flight] = OrderedDict()
        self._rows = np.empty(0, np.uint8)
        self._lost: list[Any] = []  # what was given up: messages may arrive in its memory yet

    @staticmethod
    def serves(size: int) -> bool:
        """Whether groups of so many are served."""
        return 1 < size <= MOST_RANKS

    def look(self, waited: float, said: Any = None) -> None:
        """Raise what ends a wait: a rank that has ended, Ctrl-C, the group's timeout.

        said: what is waited for; what the communicator has been called for where it is None.
        """
        there = self.communicator
        there.look_around(lambda: False, said or there.said, waited)

    def frames(self, number: int, payload: np.ndarray | None) -> np.ndarray | None:
        """The frames [size,FRAME_BYTES] of all ranks; None where another sends another number."""
        if self.frame is None:
            self.frame = Flight(self, Asked("barrier", "", "uint8", 0), 0)
        frame = self.frame
        frame.renumber(number)
        if payload is not None:
            own = frame.frames[self.rank]
            own[NUMBER_BYTES : NUMBER_BYTES + payload.nbytes] = payload.reshape(-1).view(np.uint8)
        try:
            frame.run()
        except Different:
            return None
        return frame.frames

    def reduced(self, kind: Kind, x: np.ndarray, out: np.ndarray, reduction: str) -> bool:
        """Let `out` be the x of all ranks combined; False where that has no kernel."""
        asked = Asked(kind, reduction, x.dtype.name, x.nbytes)
        return asked.is_served() and self._run(asked, x, out)

    def moved(self, kind: Kind, x: np.ndarray, out: np.ndarray, root: int = 0) -> None:
        """Let `out` be what a collective brings that computes nothing."""
        self._run(Asked(kind, "", "uint8", x.nbytes, root), x, out)

    def _run(self, asked: Asked, x: np.ndarray, out: np.ndarray) -> bool:
        key = (asked.kind, asked.reduction, asked.dtype, asked.bytes, asked.root)
        flight = self._flights.pop(key, None)
        if flight is None:
            flight = Flight(self, asked)
            if len(self._flights) >= KEPT:
                self._flights.popitem(last=False)
        if flight.rows_bytes > self._rows.nbytes:
            self._rows = np.empty(flight.rows_bytes, np.uint8)
        flight.place("x", x.ctypes.data)
        flight.place("out", out.ctypes.data)
        flight.place("rows", self._rows.ctypes.data)
        try:
            flight.run()
        except BaseException:
            self._lost.append((flight, x, out))
            raise
        self._flights[key] = flight
        return True


def _signed(handle: int) -> int:
    """A handle as a word: MPICH's are integers of 32 bits, the negative ones with a long sign."""
    return handle - (1 << 64) if handle >= 1 << 63 else handle
