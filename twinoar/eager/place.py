"""Devices: where data lives, and how it gets there. This version has one, the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NAME, DType
from twinoar.core.explain import told
from twinoar.core.values import Value, method
from twinoar.errors import ArgumentError
from twinoar.ops.cast import astype
from twinoar.ops.create import identity


class Place:
    """A device."""

    def is_cpu_place(self) -> bool:
        """True for the CPU."""
        return isinstance(self, CPUPlace)

    def is_gpu_place(self) -> bool:
        """True for a GPU: never, in this version."""
        return False

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class CPUPlace(Place):
    """The CPU.

    >>> CPUPlace()
    Place(cpu)
    """

    def __repr__(self) -> str:
        return "Place(cpu)"


class CUDAPlace(Place):
    """A GPU: making one raises ArgumentError, as in a Paddle built for the CPU."""

    def __init__(self, id: int = 0):
        raise _no_device(f"CUDAPlace({id})")


class CUDAPinnedPlace(Place):
    """Memory that a GPU reads: making one raises ArgumentError."""

    def __init__(self) -> None:
        raise _no_device("CUDAPinnedPlace()")


class XPUPlace(Place):
    """An XPU: making one raises ArgumentError."""

    def __init__(self, dev_id: int = 0):
        raise _no_device(f"XPUPlace({dev_id})")


class XPUPinnedPlace(Place):
    """Memory that an XPU reads: making one raises ArgumentError."""

    def __init__(self) -> None:
        raise _no_device("XPUPinnedPlace()")


class IPUPlace(Place):
    """An IPU: making one raises ArgumentError."""

    def __init__(self) -> None:
        raise _no_device("IPUPlace()")


def _no_device(what: str) -> ArgumentError:
    return ArgumentError(
        f"there is no device {what}", cure="use CPUPlace(), the only device of this version"
    )


def place_of(x: Any) -> Place:
    """The device `x` names: None, "cpu" or a Place. Raises ArgumentError for others."""
    if x is None or isinstance(x, CPUPlace) or x == "cpu":
        return CPUPlace()
    raise ArgumentError(
        f"there is no device {x!r}", cure='use "cpu", the only device of this version'
    )


@told
def set_device(device: str) -> Place:
    """Choose the device for new tensors: "cpu". Raises ArgumentError for another.

    >>> set_device("cpu")
    Place(cpu)
    """
    return place_of(device)


@told
def get_device() -> str:
    """The device of new tensors.

    >>> get_device()
    'cpu'
    """
    return "cpu"


@method("to")
def to(x: Value, device: Any = None, dtype: Any = None, blocking: Any = None) -> Any:
    """x on another device, with another dtype, or as another tensor is; x itself if it is so.

    A dtype that is named gives a copy, also where x has it, as in Paddle.

    device: "cpu", a Place, a dtype, or a tensor whose dtype to take. blocking: as in Paddle, which
    copies to other devices without waiting. Raises ArgumentError for a device that this version
    lacks, DTypeError for no dtype.

    >>> import twinoar
    >>> twinoar.to_tensor([1.5]).to("int64").tolist()
    [1]
    """
    if isinstance(device, Value):
        return astype(x, device.dtype)
    if isinstance(device, (DType, np.dtype, type)) or device in BY_NAME:
        dtype = device
    else:
        place_of(device)
    if dtype is None:
        return x
    converted = astype(x, dtype)
    return identity(converted) if converted is x else converted


@method("cuda")
def cuda(x: Value, device_id: int | None = None, blocking: bool = True) -> Any:
    """x on a GPU: raises ArgumentError, as this version computes on the CPU."""
    return to(x, "gpu" if device_id is None else f"gpu:{device_id}")
