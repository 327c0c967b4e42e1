"""Devices as values, the memory on them, and the table of those who serve them.

The CPU's memory is NumPy's arrays. What lies elsewhere is a `Buffer`: it knows where it lies and
what it holds, and shows its elements to nobody but `to_host`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, DeviceError, TypeMismatchError
from twinoar.late import dataclass

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

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeMismatchError(
            f"memory of {self.device} is no array of the CPU", cure="copy it: x.cpu(), x.numpy()"
        )

    # What NumPy and Python would ask for silently.
    __array__ = __bool__ = __len__ = __iter__ = __getitem__ = __buffer__ = _refuse


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


def device_of(data: Data | None) -> Device:
    """Where the elements lie; the CPU for what has none."""
    return data.device if isinstance(data, Buffer) else CPU


def is_shared(data: Data | None) -> bool:
    """Whether processes share the elements, so that to look at them is a call of them all."""
    return isinstance(data, Buffer) and backend_of(data.device.kind).is_of_processes


def device_of_all(data: Iterable[Any], what: str = "data") -> Device:
    """The device on which the buffers among `data` lie: the CPU without any.

    Arrays of the CPU beside them are numbers and keys, or a back end refuses them. Raises
    DeviceError where buffers lie on several devices.
    """
    devices = list(dict.fromkeys(x.device for x in data if isinstance(x, Buffer)))
    if len(devices) > 1:
        raise DeviceError(f"{what} lie on {' and '.join(map(str, devices))}")
    return devices[0] if devices else CPU


_backends: dict[str, Any] = {}


def register_backend(kind: str, backend: Any) -> None:
    """Let `backend` serve the devices of a kind. Raises ArgumentError for a kind that is served."""
    if not kind.isidentifier() or kind == CPU.kind:
        raise ArgumentError(f"a kind of device is named by a word of its own, received {kind!r}")
    if getattr(backend, "kind", None) != kind:
        raise TypeMismatchError(
            f"what serves devices of kind {kind!r} is a {type(backend).__name__}, expected a "
            f"Backend of that kind",
            cure="let the entry point name a class derived from twinoar.backends.device.Backend",
        )
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
    """The kinds of devices that are served, by plug-ins that are installed too; the CPU first.

    A mesh of processes is none: its ranks compute on devices of these kinds.
    """
    served = {kind for kind, backend in _backends.items() if not backend.is_of_processes}
    return [CPU.kind, *sorted(served | {entry.name for entry in _plug_ins()})]


def _plug_ins() -> Iterable[Any]:
    from importlib.metadata import entry_points  # slow to import, and seldom asked for

    return entry_points(group=ENTRY_POINTS)


def device_named(text: str) -> Device:
    """The device that text names, such as "cpu" or "gpu:1". Raises ArgumentError."""
    kind, _, number = text.partition(":")
    index = int(number or 0) if number.isdecimal() or not number else -1
    if not 0 <= index < count_of(kind):
        known = [str(Device(k, n)) for k in kinds() for n in range(count_of(k))]
        raise ArgumentError(
            f"there is no device {text!r}", cure=f"use one of those there are: {', '.join(known)}"
        )
    return CPU if kind == CPU.kind else Device(kind, index)


def device_asked(x: Any) -> Device:
    """The device that users name: by text, a Place or a Device. Raises ArgumentError for others."""
    if isinstance(x, str):
        return device_named(str(x))
    found = getattr(x, "device", x)
    if not isinstance(found, Device):
        raise ArgumentError(
            f"there is no device {x!r}", cure='name one, such as "cpu", or give a Place'
        )
    return found


def count_of(kind: str) -> int:
    """How many devices of a kind there are."""
    if kind == CPU.kind:
        return 1
    backend = backend_of(kind)
    return 0 if backend is None else backend.count()
