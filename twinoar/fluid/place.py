"""Devices of Paddle 1.8 that this version lacks."""

from __future__ import annotations

from twinoar.eager.place import CUDAPinnedPlace


def cuda_pinned_places(device_count: int | None = None) -> list[CUDAPinnedPlace]:
    """Memory that GPUs read: raises ArgumentError."""
    return [CUDAPinnedPlace() for _ in range(device_count or 1)]
