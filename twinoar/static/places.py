"""The devices that a Program may run on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NoReturn

from twinoar.eager.place import CPUPlace
from twinoar.errors import ArgumentError, UnsupportedError


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


def cuda_places(device_ids: int | Sequence[int] | None = None) -> NoReturn:
    """Raise UnsupportedError: this version computes on the CPU."""
    _refuse("cuda_places")


def xpu_places(device_ids: int | Sequence[int] | None = None) -> NoReturn:
    """Raise UnsupportedError: this version computes on the CPU."""
    _refuse("xpu_places")


def _refuse(name: str) -> NoReturn:
    raise UnsupportedError(
        f"{name}: this version computes on the CPU", cure="use static.cpu_places()"
    )
