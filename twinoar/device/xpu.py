"""XPUs: there are none in this version."""

from __future__ import annotations

from twinoar.device.absent import functions_without, refusals

device_count, empty_cache, synchronize = functions_without("xpu")

REFUSED = refusals(
    "paddle.device.xpu",
    "an XPU",
    """
    Event Stream max_memory_allocated max_memory_reserved memory_allocated memory_reserved
    memory_total memory_used reset_max_memory_allocated reset_max_memory_reserved set_debug_level
    """,
)
globals().update(REFUSED)

__all__ = ["device_count", "empty_cache", "synchronize"]
__all__ += list(REFUSED)
