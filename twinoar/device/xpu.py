"""XPUs, where a plug-in serves the kind "xpu"; this version has none of its own."""

from __future__ import annotations

from typing import Any

from twinoar.device.absent import refusals
from twinoar.device.accelerator import Event, Kind, Stream

XPU = Kind("paddle.device.xpu", "xpu", "an XPU")
ALL = XPU.functions()
NAMES = """
    device_count empty_cache synchronize max_memory_allocated max_memory_reserved memory_allocated
    memory_reserved reset_max_memory_allocated reset_max_memory_reserved
"""
FUNCTIONS = {name: ALL[name] for name in NAMES.split()}
REFUSED = refusals("paddle.device.xpu", "an XPU's own runtime", "set_debug_level")
globals().update(FUNCTIONS, **REFUSED)


def memory_total(device: Any = None) -> int:
    """Bytes that an XPU has. Raises ArgumentError where there is none."""
    return int(XPU.get_device_properties(device).total_memory)


def memory_used(device: Any = None) -> int:
    """Bytes that are taken from an XPU now. Raises ArgumentError where there is none."""
    return XPU.memory_reserved(device)


__all__ = ["Event", "Stream", "memory_total", "memory_used"]
__all__ += [*FUNCTIONS, *REFUSED]
