"""Regions of the system's shared memory from which clients of this machine give tensors.

A client registers a region once, and its requests then say where in it an input lies, or an output
is to be put. Bytes are read and written by calls, not through a mapping: a client that shortens its
region, or writes into it while it is read, gets an error or its own numbers, and harms nobody.

Source: https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_shared_memory.md
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.near import near_names
from twinoar.errors import ServingError
from twinoar.serving.status import invalid

FOLDER = Path("/dev/shm")  # where Linux shows the segments of shm_open
MOST_REGIONS = 256  # each is an open file
MOST_KEY_BYTES = 255
LARGEST = 1 << 62
REGION, OFFSET, SIZE = (
    "shared_memory_region", "shared_memory_offset", "shared_memory_byte_size",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tensor lies, or is to be put: so many bytes of a region, from its start on."""

    region: str
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Registration:
    """A region as a client registers it: a part of the segment that the system calls `key`."""

    name: str
    key: str
    offset: int
    size: int

    def plain(self) -> dict[str, Any]:
        """As the protocol tells it."""
        return {
            "name": self.name, "key": self.key, "offset": self.offset, "byte_size": self.size,
        }  # fmt: skip


@dataclass(slots=True)
class Region:
    """A registration whose segment is open. The last who uses it closes it, so that none reads
    another file under its number.
    """

    told: Registration
    file: int
    _users: int = 1
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self) -> bool:
        """Use it, until `leave`; False where it is closed."""
        with self._lock:
            if not self._users:
                return False
            self._users += 1
            return True

    def leave(self) -> None:
        """Use it no more."""
        with self._lock:
            self._users -= 1
            last = not self._users
        if last:
            os.close(self.file)


def place_of(parameters: Mapping[str, Any], what: str) -> Place | None:
    """Where the parameters of a tensor say that it lies, None where they do not.

    >>> place_of({"shared_memory_region": "r", "shared_memory_byte_size": 8}, "x")
    Place(region='r', offset=0, size=8)
    """
    name = parameters.get(REGION)
    if name is None:
        return None
    if not isinstance(name, str):
        raise invalid(f"{REGION} of {what} is text")
    size = _whole(parameters.get(SIZE), f"{SIZE} of {what}")
    return Place(name, _whole(parameters.get(OFFSET, 0), f"{OFFSET} of {what}"), size)


class Regions:
    """What clients have registered; any number of threads may use it.

    most_bytes: of one tensor. folder: of the system's segments.
    """

    def __init__(self, most_bytes: int = 64 << 20, folder: Path = FOLDER):
        self.most_bytes, self._folder = most_bytes, folder
        self._regions: dict[str, Region] = {}
        self._lock = threading.Lock()

    def opened(self, told: Registration) -> Region:
        """A region, not yet registered. Raises ServingError where it is not to be had."""
        self._check_new(told.name)
        _whole(told.offset, "offset")
        _whole(told.size, "byte_size", least=1)
        file = self._file(told)
        found = os.fstat(file).st_size
        if told.offset + told.size > found:
            os.close(file)
            raise invalid(
                f"the segment {told.key!r} has {found} bytes, the region {told.name!r} would end "
                f"at {told.offset + told.size}"
            )
        return Region(told, file)

    def add(self, region: Region) -> None:
        """Register an open region. Raises ServingError where its name is taken."""
        with self._lock:
            self._check_new(region.told.name)
            self._regions[region.told.name] = region

    def remove(self, name: str = "") -> None:
        """Forget a region, or all; one that is not there is no error, as with Triton."""
        with self._lock:
            names = [name] if name else list(self._regions)
            found = [self._regions.pop(n) for n in names if n in self._regions]
        for region in found:
            region.leave()

    def status(self, name: str = "") -> list[Registration]:
        """What is registered, by name. Raises ServingError for one that is not."""
        with self._lock:
            listed = [region.told for _, region in sorted(self._regions.items())]
        found = [told for told in listed if name in ("", told.name)]
        if name and not found:
            raise self._unknown(name)
        return found

    def read(self, place: Place, what: str) -> memoryview:
        """A copy of the bytes there. Raises ServingError where they are not all in the region."""
        region = self._entered(place, what)
        try:
            found = np.empty(place.size, np.uint8).data
            at, start = 0, region.told.offset + place.offset
            while at < place.size:
                count = os.preadv(region.file, [found[at:]], start + at)
                if not count:
                    raise _shrunk(region, what)
                at += count
            return found
        finally:
            region.leave()

    def write(self, place: Place, data: bytes | memoryview, what: str) -> None:
        """Put bytes there. Raises ServingError where there are more than the place has."""
        if len(data) > place.size:
            raise invalid(
                f"{what} has {len(data)} bytes, its place in the region {place.region!r} has "
                f"{place.size}"
            )
        region = self._entered(place, what)
        try:
            at, start = 0, region.told.offset + place.offset
            if start + len(data) > os.fstat(region.file).st_size:
                raise _shrunk(region, what)
            while at < len(data):
                at += os.pwrite(region.file, memoryview(data)[at:], start + at)
        except OSError as error:  # a sealed segment, or no memory for its pages
            raise invalid(f"{what} cannot be written: {error.strerror}") from error
        finally:
            region.leave()

    def check(self, place: Place, what: str) -> None:
        """Raise ServingError where a place is not in a region that is registered."""
        self._entered(place, what).leave()

    def _entered(self, place: Place, what: str) -> Region:
        if place.size > self.most_bytes:
            raise ServingError(
                f"{what} has {place.size} bytes, a tensor has at most {self.most_bytes}",
                "TOO_LARGE",
                cure="--max-body-bytes lets the server take larger ones",
            )
        with self._lock:
            region = self._regions.get(place.region)
        if region is None or not region.enter():
            raise self._unknown(place.region)
        if place.offset + place.size > region.told.size:
            region.leave()
            raise invalid(
                f"{what} lies at {place.offset} to {place.offset + place.size} of the region "
                f"{place.region!r}, which has {region.told.size} bytes"
            )
        return region

    def _check_new(self, name: str) -> None:
        if not name:
            raise invalid("a region has a name")
        if name in self._regions:
            raise ServingError(
                f"the region {name!r} is registered already", "ALREADY_EXISTS",
                cure="unregister it first",
            )  # fmt: skip
        if len(self._regions) >= MOST_REGIONS:
            raise ServingError(
                f"{MOST_REGIONS} regions are registered, which is the limit", "RESOURCE_EXHAUSTED",
                cure="unregister some",
            )  # fmt: skip

    def _file(self, told: Registration) -> int:
        """The segment, opened. Its key may not lead anywhere else."""
        key = told.key.removeprefix("/")
        if not 0 < len(key.encode(errors="replace")) <= MOST_KEY_BYTES or key in (".", ".."):
            raise invalid(f"the key of a segment has 1 to {MOST_KEY_BYTES} bytes")
        if "/" in key or "\0" in key:
            raise invalid(f"the key {told.key[:80]!r} is no name of a segment")
        flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        try:
            file = os.open(self._folder / key, flags)
        except (OSError, ValueError) as error:
            missing = getattr(error, "errno", None) == errno.ENOENT
            why = "is not there" if missing else f"cannot be opened: {error}"
            status = "NOT_FOUND" if missing else "INVALID_ARGUMENT"
            raise ServingError(f"the segment {told.key[:80]!r} {why}", status) from None
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise invalid(f"{told.key[:80]!r} is no segment of shared memory")
        return file

    def _unknown(self, name: str) -> ServingError:
        cure = near_names(name, self._regions) or "register it first"
        message = f"Unable to find shared memory region: {name[:80]!r}"
        return ServingError(message, "NOT_FOUND", cure=cure)


def _shrunk(region: Region, what: str) -> ServingError:
    return invalid(f"{what}: the segment {region.told.key!r} has become smaller")


def _whole(value: Any, what: str, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= LARGEST:
        raise invalid(f"{what} is a whole number from {least} on, received {value!r}"[:200])
    return value
