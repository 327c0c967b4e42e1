"""The devices that a Program may run on."""

from __future__ import annotations

import os
from collections.abc import Sequence

from twinoar.core.device import count_of
from twinoar.eager.place import CPUPlace, CUDAPlace, XPUPlace
from twinoar.errors import ArgumentError


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """`device_count` places; None: as many as the variable CPU_NUM says, 1 without it.

    A Program runs on one of them, with all threads. Raises ArgumentError for less than one.

    >>> cpu_places(2)
    [Place(cpu), Place(cpu)]
    """
    count = os.environ.get("CPU_NUM", 1) if device_count is None else device_count
    if isinstance(count, bool) or not str(count).isdecimal() or int(count) < 1:
        raise ArgumentError(f"there must be at least one place, received {count!r}")
    return [CPUPlace() for _ in range(int(count))]


def cuda_places(device_ids: int | Sequence[int] | None = None) -> list[CUDAPlace]:
    """The GPUs of these numbers; None for all. Raises ArgumentError where there is none."""
    return [CUDAPlace(n) for n in _numbers("gpu", device_ids)]


def xpu_places(device_ids: int | Sequence[int] | None = None) -> list[XPUPlace]:
    """The XPUs of these numbers; None for all. Raises ArgumentError where there is none."""
    return [XPUPlace(n) for n in _numbers("xpu", device_ids)]


def _numbers(kind: str, device_ids: int | Sequence[int] | None) -> Sequence[int]:
    if device_ids is None:
        return range(max(count_of(kind), 1))  # of none the first is refused
    return [device_ids] if isinstance(device_ids, int) else device_ids
