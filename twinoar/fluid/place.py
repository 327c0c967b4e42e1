"""Devices, by the names of Paddle 1.8: the CPU, and errors for those that this version lacks."""

from __future__ import annotations

from collections.abc import Sequence

from twinoar.eager.place import CPUPlace, Place
from twinoar.errors import ArgumentError

CURE = "use fluid.CPUPlace(), the only device of this version"


class CUDAPlace(Place):
    """A GPU: making one raises ArgumentError, as in a Paddle built for the CPU."""

    def __init__(self, id: int = 0):
        raise ArgumentError(f"there is no device CUDAPlace({id})", cure=CURE)


class CUDAPinnedPlace(Place):
    """Memory that a GPU reads: making one raises ArgumentError."""

    def __init__(self) -> None:
        raise ArgumentError("there is no device CUDAPinnedPlace()", cure=CURE)


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """So many CPUPlaces, all of them the one CPU; one by default.

    >>> cpu_places(2)
    [Place(cpu), Place(cpu)]
    """
    return [CPUPlace() for _ in range(1 if device_count is None else device_count)]


def cuda_places(device_ids: Sequence[int] | None = None) -> list[CUDAPlace]:
    """The GPUs: raises ArgumentError."""
    return [CUDAPlace(number) for number in device_ids or [0]]


def cuda_pinned_places(device_count: int | None = None) -> list[CUDAPinnedPlace]:
    """Memory that GPUs read: raises ArgumentError."""
    return [CUDAPinnedPlace() for _ in range(device_count or 1)]
