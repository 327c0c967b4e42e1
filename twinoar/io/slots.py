"""Slots: files of shared memory that a worker fills, and who still holds arrays that lie in them.

A file has no name: the loader opens it and the worker inherits it, and it goes with the last
process that has it, however these end. An array of a batch lies in the file itself, so the file is
not to be filled again while that array is held. Where it has to be, or where this process is
forked, what is held becomes private: it keeps its address and its content, and lies in the file no
more.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
import threading
import weakref
from multiprocessing.reduction import DupFd
from typing import Any

import numpy as np

from twinoar.errors import FileError

PRIVATE_AT = mmap.MAP_PRIVATE | getattr(mmap, "MAP_FIXED", 0x10)  # Python 3.11 has no name for it
POPULATE_WRITE = 23  # MADV_POPULATE_WRITE of Linux 5.14: copy what is private now, all of it
FAILED = ctypes.c_void_p(-1).value  # what mmap answers in place of an address


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


class Slots:
    """One process's view of the files of one worker."""

    def __init__(self, files: Files):
        self.files = files
        self._mapped: dict[int, mmap.mmap] = {}
        # Of a slot several where it grew while arrays lay in it.
        self._held: dict[int, list[weakref.ref[np.ndarray]]] = {}
        self._lock = threading.RLock()  # another thread may fork
        _open.add(self)

    def grow(self, slot: int, size: int, headroom: float) -> None:
        """Let `slot` have `size` bytes or more; `headroom` times as many where it had fewer."""
        descriptor = self.files.descriptors[slot]
        if os.fstat(descriptor).st_size < size:
            reserve(descriptor, int(size * headroom))

    def memory(self, slot: int) -> np.ndarray:
        """All bytes of `slot`, which is held until this array and those on it are gone."""
        descriptor = self.files.descriptors[slot]
        size = os.fstat(descriptor).st_size
        with self._lock:
            mapped = self._mapped.get(slot)
            if mapped is None or len(mapped) != size:
                mapped = self._mapped[slot] = mmap.mmap(descriptor, size)
            memory = np.frombuffer(mapped, np.uint8)
            held = [known for known in self._held.get(slot, ()) if known() is not None]
            self._held[slot] = [*held, weakref.ref(memory)]
        return memory

    def is_held(self, slot: int) -> bool:
        """True while an array lies in `slot`."""
        return any(known() is not None for known in self._held.get(slot, ()))

    def count_held(self) -> int:
        """How many slots are held."""
        return sum(map(self.is_held, list(self._held)))

    def part(self, slot: int) -> None:
        """Make what is held of `slot` private. Raises MemoryError where the system refuses."""
        with self._lock:
            held = [known() for known in self._held.get(slot, ())]
            for memory in held:
                if memory is not None:
                    self._mapped.pop(slot, None)
                    _make_private(memory, self.files.descriptors[slot])
            self._held.pop(slot, None)

    def part_all(self) -> None:
        """Make all private that is held."""
        for slot in list(self._held):
            self.part(slot)

    def close(self) -> None:
        """Leave the files; what is held of them stays as it is."""
        self.part_all()
        self._mapped.clear()
        self.files.close()


def reserve(descriptor: int, size: int) -> None:
    """Have the system back the file with memory now: else writing to it may kill the process."""
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError as error:
        raise FileError(
            f"shared memory has no room for a batch of {size:,} bytes: {error.strerror}",
            cure="give more (docker run --shm-size=8g), smaller batches, fewer workers, "
            "or use_shared_memory=False",
        ) from None


@functools.cache
def can_part() -> bool:
    """True where the system has files without names, and can make private what lies in them."""
    files = Files.of("twinoar-probe", 1)
    if not files.descriptors or not hasattr(mmap, "MAP_PRIVATE"):
        return False
    reserve(files.descriptors[0], mmap.PAGESIZE)
    slots = Slots(files)
    memory = slots.memory(0)
    try:
        slots.part(0)
    except (AttributeError, MemoryError):
        return False
    memory[0] = 1
    return bool(slots.memory(0)[0] == 0)


def _make_private(memory: np.ndarray, descriptor: int) -> None:
    """Put private pages of the same content where a file is mapped, in two steps of the system.

    First the mapping becomes one that is copied where it is written to, at once for all threads;
    then each page is copied, and the file may change.
    """
    address = memory.__array_interface__["data"][0]
    library = _library()
    protection = mmap.PROT_READ | mmap.PROT_WRITE
    found = library.mmap(address, memory.nbytes, protection, PRIVATE_AT, descriptor, 0)
    if found == FAILED:
        reason = os.strerror(ctypes.get_errno())
        raise MemoryError(f"a batch of {memory.nbytes:,} bytes cannot be kept: {reason}")
    if library.madvise(address, memory.nbytes, POPULATE_WRITE):
        memory[:: mmap.PAGESIZE] |= 0  # older systems: writing a byte copies its page


@functools.cache
def _library() -> ctypes.CDLL:
    """The C library with the two functions that Python's own module does not have, or not at an
    address.
    """
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [
        ctypes.c_void_p,
        ctypes.c_size_t,
        *[ctypes.c_int] * 3,
        ctypes.c_long,
    ]
    library.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return library


def _part_before_fork() -> None:
    """A child has memory of its own, as after any fork: it neither sees nor makes changes here."""
    for slots in list(_open):
        slots.part_all()


_open: weakref.WeakSet[Slots] = weakref.WeakSet()
if hasattr(os, "register_at_fork"):
    # What the parent has open is nothing to its child, which may find its locks taken.
    os.register_at_fork(before=_part_before_fork, after_in_child=_open.clear)
