"""How a batch crosses from a worker to its loader: pickled, its arrays through shared memory.

A worker has a fixed number of shared memory segments, its slots, and writes to them in turn; the
loader copies out of a slot before the worker is asked to fill it again. A segment that is too
small is replaced by the next generation of its slot.

On Linux a slot is a file without a name, which the loader opens and the worker inherits: it goes
with the last process that has it, however these end. Elsewhere a segment has a name; the loader
knows all that can exist, and can remove them even where a worker was killed.
"""

from __future__ import annotations

import mmap
import os
import pickle
import threading
from multiprocessing.connection import Connection
from multiprocessing.reduction import DupFd
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from twinoar.errors import FileError

ALIGNMENT_BYTES = 64  # a cache line
HEADROOM = 1.25  # batches of texts and images vary in size; replacing a segment costs page faults

# Held while a process is started, and while this one attaches or removes segments: that takes a
# lock of Python's resource tracker, and a process forked meanwhile would wait for it for ever.
FORK_LOCK = threading.RLock()
SHARED_MEMORY_FOLDER = Path("/dev/shm")  # where Linux shows the segments


class Parcel(NamedTuple):
    """A pickled batch. spans: offset and bytes of each array in the segment of `generation`."""

    pickled: bytes
    slot: int
    generation: int
    spans: tuple[tuple[int, int], ...]


class Files:
    """The files of a worker's slots, open in the loader, and in the worker that it is sent to."""

    def __init__(self, descriptors: list[int]):
        self.descriptors = descriptors

    @classmethod
    def of(cls, prefix: str, slots: int) -> Files:
        """New ones, or none where the system has no files without names."""
        make = getattr(os, "memfd_create", None)
        return cls([] if make is None else [make(f"{prefix}-{slot}") for slot in range(slots)])

    def __reduce__(self) -> tuple[Any, ...]:
        """For a worker that is not forked."""
        return _received, ([DupFd(descriptor) for descriptor in self.descriptors],)

    def close(self) -> None:
        """Close them in this process."""
        while self.descriptors:
            os.close(self.descriptors.pop())

    __del__ = close


def _received(sent: list[Any]) -> Files:
    return Files([each.detach() for each in sent])


class Mapped:
    """The content of a file in memory, as far as it is large now; it has what SharedMemory has."""

    def __init__(self, descriptor: int, size: int):
        self.descriptor, self.size = descriptor, size
        self.buf = mmap.mmap(descriptor, size)

    def close(self) -> None:
        """Give back the addresses."""
        self.buf.close()

    def unlink(self) -> None:
        """It has no name."""


class Outbox:
    """A worker's side. It holds the segments of its slots."""

    def __init__(self, prefix: str, shared: bool, files: Files | None = None):
        self._prefix, self._shared = prefix, shared
        self._files = [] if files is None else files.descriptors
        self._segments: dict[int, SharedMemory | Mapped] = {}
        self._generations: dict[int, int] = {}

    def pack(self, batch: Any, slot: int) -> Parcel:
        """`batch` as a parcel in `slot`. Raises FileError where shared memory is full."""
        if not self._shared:
            return Parcel(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL), slot, 0, ())
        arrays: list[pickle.PickleBuffer] = []
        pickled = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL, buffer_callback=arrays.append)
        contents = [array.raw() for array in arrays]
        spans = _spans([content.nbytes for content in contents])
        if spans:
            segment = self._segment(slot, sum(spans[-1]))
            for (start, size), content in zip(spans, contents, strict=True):
                segment.buf[start : start + size] = content
        return Parcel(pickled, slot, self._generations.get(slot, 0), spans)

    def _segment(self, slot: int, size: int) -> SharedMemory | Mapped:
        """The segment of `slot`, replaced where it holds fewer than `size` bytes."""
        kept = self._segments.get(slot)
        if kept is not None and kept.size >= size:
            return kept
        if kept is not None:
            del self._segments[slot]
            kept.close()
            kept.unlink()
        generation = self._generations.get(slot, 0) + 1
        size = max(int(size * HEADROOM), 1)
        segment: SharedMemory | Mapped
        if self._files:
            _reserve(self._files[slot], size)
            segment = Mapped(self._files[slot], size)
            self._segments[slot], self._generations[slot] = segment, generation
            return segment
        name = segment_name(self._prefix, slot, generation)
        segment = SharedMemory(name, create=True, size=size)
        self._segments[slot], self._generations[slot] = segment, generation
        _reserve_named(segment)
        return segment


class Inbox:
    """The loader's side of one worker's outbox."""

    def __init__(self, prefix: str, slots: int, files: Files | None = None):
        self._prefix, self._slots = prefix, slots
        self._files = Files([]) if files is None else files
        self._segments: dict[int, SharedMemory | Mapped] = {}
        self._generations: dict[int, int] = {}

    def unpack(self, parcel: Parcel) -> Any:
        """The batch of `parcel`, in memory of its own."""
        if not parcel.spans:
            return pickle.loads(parcel.pickled)
        memory = self._segment(parcel.slot, parcel.generation).buf
        arrays = []
        for start, size in parcel.spans:
            array = np.empty(size, np.uint8)
            array[:] = np.frombuffer(memory, np.uint8, size, start)
            arrays.append(array)
        return pickle.loads(parcel.pickled, buffers=arrays)

    def _segment(self, slot: int, generation: int) -> SharedMemory | Mapped:
        if self._generations.get(slot) != generation:
            if slot in self._segments:
                self._segments.pop(slot).close()
            if self._files.descriptors:
                descriptor = self._files.descriptors[slot]
                self._segments[slot] = Mapped(descriptor, os.fstat(descriptor).st_size)
            else:
                name = segment_name(self._prefix, slot, generation)
                with FORK_LOCK:
                    self._segments[slot] = SharedMemory(name)
            self._generations[slot] = generation
        return self._segments[slot]

    def remove(self) -> None:
        """Remove all segments of the worker; it must have ended."""
        for segment in self._segments.values():
            segment.close()
        self._segments.clear()
        if self._files.descriptors:
            self._files.close()
            return
        for slot in range(self._slots):
            seen = self._generations.get(slot, 0)
            for generation in (seen, seen + 1):  # at most one was made and never announced
                _remove(segment_name(self._prefix, slot, generation))


def segment_name(prefix: str, slot: int, generation: int) -> str:
    """The name of a segment; macOS allows 30 characters."""
    return f"{prefix}-{slot}-{generation}"


def _spans(sizes: list[int]) -> tuple[tuple[int, int], ...]:
    """Offset and size of contents of these sizes, one after the other, aligned."""
    spans, start = [], 0
    for size in sizes:
        spans.append((start, size))
        start += -(-size // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
    return tuple(spans)


def _reserve(descriptor: int, size: int) -> None:
    """Have the system back the segment with memory now: else writing to it may kill the process."""
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError as error:
        raise FileError(
            f"shared memory has no room for a batch of {size:,} bytes: {error.strerror}",
            cure="give more (docker run --shm-size=8g), smaller batches, fewer workers, "
            "or use_shared_memory=False",
        ) from None


def _reserve_named(segment: SharedMemory) -> None:
    file = SHARED_MEMORY_FOLDER / segment.name
    if not file.exists():
        return
    descriptor = os.open(file, os.O_RDWR)
    try:
        _reserve(descriptor, segment.size)
    finally:
        os.close(descriptor)


def _remove(name: str) -> None:
    with FORK_LOCK:
        try:
            segment = SharedMemory(name)
        except FileNotFoundError:
            return
        segment.close()
        segment.unlink()


def send(connection: Connection, message: Any) -> None:
    """Send a message. `Connection.send` would share the buffer of a BytesIO with the pipe.

    A garbage collection in between can then end the process (seen in CPython 3.12.1; its issue
    111049).
    """
    connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(connection: Connection) -> Any:
    """The next message; raises EOFError where none can come. See `send`."""
    return pickle.loads(connection.recv_bytes())
