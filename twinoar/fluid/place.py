"""Devices of Paddle 1.8 that this version lacks: an error each, which names the CPU."""

from __future__ import annotations

from twinoar.eager.place import Place
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


def cuda_pinned_places(device_count: int | None = None) -> list[CUDAPinnedPlace]:
    """Memory that GPUs read: raises ArgumentError."""
    return [CUDAPinnedPlace() for _ in range(device_count or 1)]
