"""Devices as values, the memory on them, and the table of those who serve them.

The CPU's memory is NumPy's arrays. What lies elsewhere is a `Buffer`: it knows where it lies and
what it holds, and shows its elements to nobody but `to_host`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, TypeMismatchError

ENTRY_POINTS = "twinoar.devices"  # the group in which a package names what serves its devices


@dataclass(frozen=True, slots=True)
class Device:
    """A device by kind and number: "cpu", "gpu:0", or what a plug-in calls its own.

    >>> str(Device("gpu", 1)), str(Device("cpu"))
    ('gpu:1', 'cpu')
    """

    kind: str
    index: int = 0

    def __str__(self) -> str:
        return self.kind if self.kind == "cpu" else f"{self.kind}:{self.index}"


CPU = Device("cpu")


class Buffer(ABC):
    """Elements in the memory of a device, dense and row by row."""

    __slots__ = ("__weakref__", "device", "dtype", "shape")

    def __init__(self, device: Device, shape: tuple[int, ...], dtype: np.dtype):
        self.device, self.shape, self.dtype = device, shape, dtype

    @abstractmethod
    def to_host(self) -> np.ndarray:
        """A copy of the elements in the CPU's memory, once all that they come from is computed."""

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.itemsize

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        raise TypeMismatchError(
            f"memory of {self.device} is no array of the CPU", cure="copy it: x.cpu(), x.numpy()"
        )


Data = np.ndarray | Buffer  # what a tensor holds


class HostCopies:
    """How many buffers were copied to the CPU, and their bytes, for those who explain a run."""

    count = 0
    nbytes = 0


def to_host(data: Data) -> np.ndarray:
    """The elements as an array of the CPU: the array itself, or a copy that is counted."""
    if data.__class__ is np.ndarray or not isinstance(data, Buffer):
        return data  # type: ignore[return-value]
    HostCopies.count += 1
    HostCopies.nbytes += data.nbytes
    return data.to_host()


def device_of(data: Data) -> Device:
    """Where the elements lie."""
    return data.device if isinstance(data, Buffer) else CPU


_backends: dict[str, Any] = {}


def register_backend(kind: str, backend: Any) -> None:
    """Let `backend` serve the devices of a kind. Raises ArgumentError for a kind that is served."""
    if not kind.isidentifier():
        raise ArgumentError(f"a kind of device is named by a word, received {kind!r}")
    if _backends.setdefault(kind, backend) is not backend:
        raise ArgumentError(f"devices of kind {kind!r} are served already")


def backend_of(kind: str) -> Any:
    """What serves the devices of a kind, which a plug-in may bring; None where nothing does."""
    if kind not in _backends:
        for entry in _plug_ins():
            if entry.name == kind:
                register_backend(kind, entry.load()())
    return _backends.get(kind)


def kinds() -> list[str]:
    """The kinds of devices that are served, by plug-ins that are installed too."""
    return sorted({*_backends, *(entry.name for entry in _plug_ins())})


def _plug_ins() -> Iterable[Any]:
    from importlib.metadata import entry_points  # slow to import, and seldom asked for

    return entry_points(group=ENTRY_POINTS)


def device_named(text: str) -> Device:
    """The device that text names, such as "cpu" or "gpu:1". Raises ArgumentError."""
    kind, _, number = text.partition(":")
    backend = backend_of(kind)
    is_number = number.isdecimal() or not number
    if backend is None or not is_number or not int(number or 0) < backend.count():
        known = [str(Device(k, n)) for k in kinds() for n in range(backend_of(k).count())]
        raise ArgumentError(
            f"there is no device {text!r}", cure=f"use one of those there are: {', '.join(known)}"
        )
    return Device(kind, int(number or 0))
