"""How a batch crosses from a worker to its loader: pickled, its arrays through shared memory.

On Linux nothing is copied on the way: a worker collates into a slot, and the arrays of the batch
that the loader gives lie there (see `slots.py`). A slot is filled again when they are gone. Where a
user keeps so many batches that slots would lack, these are copied out, as small arrays always are:
one label that is kept does not hold the images of its batch.

Elsewhere a slot is a segment with a name, written to by a copy and read by one; the loader knows
all that can exist, and removes them even where a worker was killed.
"""

from __future__ import annotations

import math
import os
import pickle
import threading
from collections import deque
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from twinoar.io.slots import Files, Slots, can_part, reserve

ALIGNMENT_BYTES = 64  # a cache line
HEADROOM = 1.25  # batches of texts and images vary in size; replacing a segment costs page faults
MOST_HELD = 4  # slots of a worker that users may hold: a batch in use, and some that are kept
SMALL_BYTES = 1 << 15  # copied in a microsecond or two

# Held while a process is started, and while this one attaches or removes segments: that takes a
# lock of Python's resource tracker, and a process forked meanwhile would wait for it for ever.
FORK_LOCK = threading.RLock()
SHARED_MEMORY_FOLDER = Path("/dev/shm")  # where Linux shows the segments


def slots_of(prefetch: int) -> int:
    """How many slots a worker needs that reads so many batches ahead."""
    return prefetch + MOST_HELD if can_part() else prefetch


class Parcel(NamedTuple):
    """A pickled batch. spans: offset and bytes of each array in the segment of `generation`."""

    pickled: bytes
    slot: int
    generation: int
    spans: tuple[tuple[int, int], ...]


class Outbox:
    """A worker's side: between `begin` and `settle` a batch is collated into a slot, and packed."""

    def __init__(self, prefix: str, shared: bool, files: Files | None = None):
        self._shared = shared
        self._files = Slots(files) if files is not None and files.descriptors else None
        self._named = NamedOutbox(prefix)
        self._slot: int | None = None
        self._memories: list[np.ndarray] = []  # the slot, the last time as large as it is
        self._rooms: dict[int, tuple[int, int]] = {}  # offset and bytes of arrays, by address
        self._used = 0
        self._lock = threading.Lock()  # a dataset may collate in threads

    def begin(self, slot: int) -> None:
        """From now on `slot` is filled."""
        self.settle()
        self._slot = slot

    def settle(self) -> None:
        """Nothing more is filled; what the dataset keeps, and may write to, becomes private."""
        slot, self._slot, self._used = self._slot, None, 0
        self._memories.clear()
        self._rooms.clear()
        if self._files is not None and slot is not None and self._files.is_held(slot):
            self._files.part(slot)

    def empty(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray | None:
        """An array in the slot that is filled, of any content; None where none can be."""
        size = math.prod(shape) * dtype.itemsize
        if self._files is None or self._slot is None or not size or not can_part():
            return None
        with self._lock:
            start = self._room(size)
            array = self._memories[-1][start : start + size]
            self._rooms[_address(array)] = start, size
        return array.view(dtype).reshape(shape)

    def pack(self, batch: Any) -> Parcel:
        """`batch` as a parcel in the slot. Raises FileError where shared memory is full."""
        assert self._slot is not None
        if not self._shared:
            return Parcel(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL), self._slot, 0, ())
        arrays: list[pickle.PickleBuffer] = []
        pickled = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL, buffer_callback=arrays.append)
        contents = [array.raw() for array in arrays]
        if self._files is None:
            return self._named.pack(pickled, contents, self._slot)
        with self._lock:
            if not self._files.is_held(self._slot):  # this process forked: all is private now
                self._memories.clear()
                self._rooms.clear()
            spans = [self._placed(content) for content in contents]
        return Parcel(pickled, self._slot, 0, tuple(spans))

    def _placed(self, content: memoryview) -> tuple[int, int]:
        """Where `content` lies: where it was collated, but once, or where it is copied to."""
        source = np.frombuffer(content, np.uint8)
        found = self._rooms.pop(_address(source), None)
        if found is not None and found[1] == source.nbytes:
            return found
        start = self._room(source.nbytes)
        self._memories[-1][start : start + source.nbytes] = source
        return start, source.nbytes

    def _room(self, size: int) -> int:
        """The offset of so many bytes in the slot, which grows where it is too small."""
        assert self._files is not None and self._slot is not None
        start = self._used
        self._used = start + -(-max(size, 1) // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
        if not self._memories or self._used > self._memories[-1].nbytes:
            self._files.grow(self._slot, self._used, HEADROOM)
            self._memories.append(self._files.memory(self._slot))
        return start


class Inbox:
    """The loader's side of one worker's outbox."""

    def __init__(self, prefix: str, slots: int, files: Files | None = None):
        self._slots = slots
        self._files = Slots(files) if files is not None and files.descriptors else None
        self._named = NamedInbox(prefix, slots)
        self._in_hand: deque[int | None] = deque()

    def take(self) -> int:
        """The slot for a worker's next task: one that no task has and nobody holds."""
        for slot in range(self._slots):
            is_held = self._files is not None and self._files.is_held(slot)
            if slot not in self._in_hand and not is_held:
                self._in_hand.append(slot)
                return slot
        self._in_hand.append(None)
        assert not self._slots, "more tasks than slots"
        return 0

    def answered(self) -> None:
        """The oldest task has been."""
        self._in_hand.popleft()

    def forget(self) -> None:
        """No answer to a task so far is wanted: later ones may have its slot."""
        self._in_hand = deque([None] * len(self._in_hand))

    def unpack(self, parcel: Parcel) -> Any:
        """The batch of `parcel`, whose larger arrays lie in its slot while few slots are held."""
        if not parcel.spans:
            return pickle.loads(parcel.pickled)
        if self._files is None:
            memory, is_lent = self._named.memory(parcel), False
        else:
            is_lent = can_part() and self._files.count_held() < MOST_HELD
            memory = self._files.memory(parcel.slot)
        arrays = [memory[start : start + size] for start, size in parcel.spans]
        arrays = [a if is_lent and a.nbytes >= SMALL_BYTES else a.copy() for a in arrays]
        return pickle.loads(parcel.pickled, buffers=arrays)

    def remove(self) -> None:
        """Remove all segments of the worker, which must have ended; users keep what they hold."""
        if self._files is not None:
            self._files.close()
        else:
            self._named.remove()


class NamedOutbox:
    """The segments with names that a worker has made, by slot."""

    def __init__(self, prefix: str):
        self._prefix = prefix
        self._segments: dict[int, SharedMemory] = {}
        self._generations: dict[int, int] = {}

    def pack(self, pickled: bytes, contents: list[memoryview], slot: int) -> Parcel:
        """A parcel of a pickled batch and the contents of its arrays."""
        spans = _spans([content.nbytes for content in contents])
        if spans:
            segment = self._segment(slot, sum(spans[-1]))
            for (start, size), content in zip(spans, contents, strict=True):
                segment.buf[start : start + size] = content
        return Parcel(pickled, slot, self._generations.get(slot, 0), spans)

    def _segment(self, slot: int, size: int) -> SharedMemory:
        """The segment of `slot`, replaced where it holds fewer than `size` bytes."""
        kept = self._segments.get(slot)
        if kept is not None and kept.size >= size:
            return kept
        if kept is not None:
            del self._segments[slot]
            kept.close()
            kept.unlink()
        generation = self._generations.get(slot, 0) + 1
        name = segment_name(self._prefix, slot, generation)
        segment = SharedMemory(name, create=True, size=max(int(size * HEADROOM), 1))
        self._segments[slot], self._generations[slot] = segment, generation
        _reserve_named(segment)
        return segment


class NamedInbox:
    """The loader's side of them."""

    def __init__(self, prefix: str, slots: int):
        self._prefix, self._slots = prefix, slots
        self._segments: dict[int, SharedMemory] = {}
        self._generations: dict[int, int] = {}

    def memory(self, parcel: Parcel) -> np.ndarray:
        """All bytes of the segment where the arrays of `parcel` are, to be copied at once."""
        slot, generation = parcel.slot, parcel.generation
        if self._generations.get(slot) != generation:
            if slot in self._segments:
                self._segments.pop(slot).close()
            with FORK_LOCK:
                self._segments[slot] = SharedMemory(segment_name(self._prefix, slot, generation))
            self._generations[slot] = generation
        return np.frombuffer(self._segments[slot].buf, np.uint8)

    def remove(self) -> None:
        """Remove all, seen or not; the worker must have ended."""
        for segment in self._segments.values():
            segment.close()
        self._segments.clear()
        for slot in range(self._slots):
            seen = self._generations.get(slot, 0)
            for generation in (seen, seen + 1):  # at most one was made and never announced
                _remove(segment_name(self._prefix, slot, generation))


def _address(array: np.ndarray) -> int:
    found: int = array.__array_interface__["data"][0]
    return found


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


def _reserve_named(segment: SharedMemory) -> None:
    file = SHARED_MEMORY_FOLDER / segment.name
    if not file.exists():
        return
    descriptor = os.open(file, os.O_RDWR)
    try:
        reserve(descriptor, segment.size)
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
