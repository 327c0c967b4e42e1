"""The machine that is simulated: two chips, each with memory and one queue of work.

In a plug-in for real hardware this file is the vendor's driver. Nothing in it knows twinoar.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence

import numpy as np


class ChipError(Exception):
    """The chip could not do what it was asked for."""


class Memory:
    """Bytes on a chip, counted while they are there. `ready` is set when they were written."""

    def __init__(self, chip: Chip, size: int):
        chip.take(size)
        self.chip, self.size = chip, size
        self.bytes = bytearray(size)
        self.ready = threading.Event()
        self.failure: ChipError | None = None

    def __del__(self) -> None:
        if hasattr(self, "ready"):
            self.chip.give(self.size)

    def wait(self) -> None:
        """Return when the bytes are written. Raises ChipError if that failed."""
        self.ready.wait()
        if self.failure is not None:
            raise ChipError(str(self.failure))

    def seen(self, dtype: np.dtype, shape: Sequence[int]) -> np.ndarray:
        """The bytes as the chip's own units see them."""
        return np.frombuffer(self.bytes, dtype).reshape(shape)


class Chip:
    """One chip. capacity: bytes. fail_next: what of "allocate" and "launch" fails once."""

    def __init__(self, index: int, capacity: int = 1 << 30):
        self.index, self.capacity = index, capacity
        self.allocated = self.most_allocated = 0
        self.fail_next: set[str] = set()
        self.launches = 0
        self.failure: ChipError | None = None
        self._work: queue.SimpleQueue = queue.SimpleQueue()
        self._may_run = threading.Event()
        self._may_run.set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def take(self, size: int) -> None:
        """Count memory. Raises MemoryError where there is not as much left."""
        with self._lock:
            if "allocate" in self.fail_next or self.allocated + size > self.capacity:
                self.fail_next.discard("allocate")
                raise MemoryError(f"chip {self.index}: no {size} bytes left")
            self.allocated += size
            self.most_allocated = max(self.most_allocated, self.allocated)

    def give(self, size: int) -> None:
        """Count memory that is free again."""
        with self._lock:
            self.allocated -= size

    def launch(
        self, work: Callable[[], None], reads: Sequence[Memory], writes: Sequence[Memory]
    ) -> None:
        """Let `work` be done after all that was launched before; returns at once."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
        self._work.put((work, reads, writes))

    def pause(self) -> None:
        """Begin no more work until `resume`."""
        self._may_run.clear()

    def resume(self) -> None:
        """Go on."""
        self._may_run.set()

    def synchronize(self) -> None:
        """Wait for all work. Raises the first failure since the last call."""
        done = threading.Event()
        self.launch(done.set, (), ())
        done.wait()
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure

    def _run(self) -> None:
        while True:
            work, reads, writes = self._work.get()
            self._may_run.wait()
            failed = next((m.failure for m in reads if m.failure is not None), None)
            if failed is None:
                failed = self._failure_of(work) if writes else work()
            for memory in writes:
                memory.failure = failed
                memory.ready.set()
            work = reads = writes = memory = failed = None  # hold no memory while waiting

    def _failure_of(self, work: Callable[[], None]) -> ChipError | None:
        self.launches += 1
        try:
            if "launch" in self.fail_next:
                self.fail_next.discard("launch")
                raise ChipError(f"chip {self.index}: the launch failed")
            work()
        except Exception as error:
            failure = error if isinstance(error, ChipError) else ChipError(str(error))
            self.failure = self.failure or failure
            return failure
        return None


MACHINE = (Chip(0), Chip(1))
