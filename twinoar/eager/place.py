"""Places: the devices on which data lie, as Paddle names them; and how data get to another one."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.device import CPU, Device, backend_of, device_asked, device_named, device_of
from twinoar.core.dtype import BY_NAME, DType
from twinoar.core.interpreter import base, current, eager, set_base
from twinoar.core.op.definition import primitive
from twinoar.core.op.explain import told
from twinoar.core.values import Value, method
from twinoar.eager.elsewhere import moved
from twinoar.errors import ArgumentError
from twinoar.ops.create.fill import identity
from twinoar.ops.math.cast import astype

# Kinds by the numbers and names that Paddle has for them.
OWN_KINDS = {"cpu": 1, "gpu": 2, "xpu": 4}
CUSTOM = 8


class Place:
    """Where data lie: a device. See `CPUPlace`, `CUDAPlace`, `CustomPlace`."""

    def __init__(self, device: Device = CPU):
        self.device = device

    def is_cpu_place(self) -> bool:
        """True for the CPU."""
        return self.device.kind == "cpu"

    def is_gpu_place(self) -> bool:
        """True for a GPU."""
        return self.device.kind == "gpu"

    def is_xpu_place(self) -> bool:
        """True for an XPU."""
        return self.device.kind == "xpu"

    def is_custom_place(self) -> bool:
        """True for a device that a plug-in serves under a name of its own."""
        return self.device.kind not in OWN_KINDS

    def is_cuda_pinned_place(self) -> bool:
        """False: the CPU's memory is one."""
        return False

    is_xpu_pinned_place = is_ipu_place = is_cuda_pinned_place

    def gpu_device_id(self) -> int:
        """The number among the devices of its kind."""
        return self.device.index

    get_device_id = xpu_device_id = custom_device_id = ipu_device_id = gpu_device_id

    def get_device_type(self) -> str:
        """The kind of device."""
        return self.device.kind

    custom_device_type = get_device_type

    def _type(self) -> int:
        return OWN_KINDS.get(self.device.kind, CUSTOM)

    def _equals(self, other: Place) -> bool:
        return self == other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self.device == other.device

    def __hash__(self) -> int:
        return hash(self.device)

    def __repr__(self) -> str:
        return f"Place({self.device})"


class CPUPlace(Place):
    """The CPU.

    >>> CPUPlace()
    Place(cpu)
    """

    def __init__(self) -> None:
        super().__init__(CPU)


class CUDAPlace(Place):
    """A GPU. Raises ArgumentError where there is none, as in a Paddle built for the CPU."""

    def __init__(self, id: int = 0):
        super().__init__(_existing("gpu", id, f"CUDAPlace({id})"))


class XPUPlace(Place):
    """An XPU. Raises ArgumentError where there is none."""

    def __init__(self, dev_id: int = 0):
        super().__init__(_existing("xpu", dev_id, f"XPUPlace({dev_id})"))


class CustomPlace(Place):
    """A device that a plug-in serves, by its kind and number. Raises ArgumentError for others."""

    def __init__(self, device_type: str, device_id: int = 0):
        what = f"CustomPlace({device_type!r}, {device_id})"
        super().__init__(_existing(device_type, device_id, what))


class CUDAPinnedPlace(Place):
    """Memory that a GPU reads: making one raises ArgumentError."""

    def __init__(self) -> None:
        raise _no_device("CUDAPinnedPlace()")


class XPUPinnedPlace(Place):
    """Memory that an XPU reads: making one raises ArgumentError."""

    def __init__(self) -> None:
        raise _no_device("XPUPinnedPlace()")


class IPUPlace(Place):
    """An IPU: making one raises ArgumentError."""

    def __init__(self) -> None:
        raise _no_device("IPUPlace()")


def _existing(kind: str, index: int, what: str) -> Device:
    backend = backend_of(kind) if isinstance(kind, str) else None
    if backend is None or not isinstance(index, int) or not 0 <= index < backend.count():
        raise _no_device(what)
    return Device(kind, index)


def _no_device(what: str) -> ArgumentError:
    return ArgumentError(
        f"there is no device {what}",
        cure="ask paddle.device.get_available_device() which there are, or use CPUPlace()",
    )


def place_at(device: Device) -> Place:
    """A device as Paddle's Place."""
    if device.kind == CPU.kind or backend_of(device.kind).is_of_processes:
        return CPUPlace()
    own = {"gpu": CUDAPlace, "xpu": XPUPlace}.get(device.kind)
    return own(device.index) if own else CustomPlace(device.kind, device.index)


def place_of(x: Any) -> Place:
    """The device `x` names: text, a Place, or None for that of new tensors.

    Raises ArgumentError for others.
    """
    if x is None:
        return place_at(current().policy.device)
    return x if isinstance(x, Place) else place_at(device_asked(x))


def new_device(interpreter: Any, place: Any) -> Device:
    """Where a new tensor is made: at `place`, or where the interpreter's Policy says."""
    return interpreter.policy.device if place is None else place_of(place).device


@told
def set_device(device: Any) -> Place:
    """Choose the device for new tensors, in all threads: "cpu", "gpu:0", a plug-in's, a Place.

    Raises ArgumentError for another.

    >>> set_device("cpu")
    Place(cpu)
    """
    place = place_of(device)
    interpreter = base()
    policy = interpreter.policy.on(place.device)
    set_base(eager(policy) if interpreter.runs else interpreter.under(policy))
    return place


@told
def get_device() -> str:
    """The device of new tensors.

    >>> get_device()
    'cpu'
    """
    return str(current().policy.device)


@primitive(
    anywhere=True,
    infer=lambda x, device, source: x,
    kernel=lambda x, device, source: moved(x, device_named(device)),
    grad=lambda g, device, source: copy_to(g, source, device),
    host="it moves elements between devices",
    samples=lambda s: iter([s(s.randn(2, 3), "cpu", "cpu")]),
    moves=True,
)
def copy_to(x: Value, device: str, source: str) -> Value:
    """x on `device`, which lies on `source` now."""


@method("to")
def to(x: Value, device: Any = None, dtype: Any = None, blocking: Any = None) -> Any:
    """x on another device, with another dtype, or as another tensor is; x itself if it is so.

    A dtype that is named gives a copy, also where x has it, as in Paddle. Gradients flow through.
    In a Program, which runs where its data lie, only the dtype is changed.

    device: "cpu", a Place, a dtype, or a tensor whose device and dtype to take. blocking: as in
    Paddle; a copy to the CPU waits for what it copies. Raises ArgumentError for a device that there
    is not, DTypeError for no dtype.

    >>> twinoar.to_tensor([1.5]).to("int64").tolist()
    [1]
    """
    if isinstance(device, Value):
        return astype(_on(x, _device(device)), device.dtype)
    if isinstance(device, (DType, np.dtype, type)) or device in BY_NAME:
        dtype = device
    elif device is not None:
        x = _on(x, place_of(device).device)
    if dtype is None:
        return x
    converted = astype(x, dtype)
    return identity(converted) if converted is x else converted


def _device(x: Value) -> Device:
    return device_of(getattr(x, "_data", None))


def _on(x: Value, device: Device) -> Any:
    source = _device(x)
    if source == device or not current().runs:
        return x
    return copy_to.function(x, str(device), str(source))


@method("cpu")
def cpu(x: Value) -> Any:
    """x on the CPU: itself if it is there."""
    return _on(x, CPU)


@method("cuda")
def cuda(x: Value, device_id: int | None = None, blocking: bool = True) -> Any:
    """x on a GPU. Raises ArgumentError where there is none."""
    return to(x, "gpu" if device_id is None else f"gpu:{device_id}")
