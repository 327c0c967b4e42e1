"""XPUs: there are none in this version."""

from __future__ import annotations

from twinoar.device.absent import functions_without, refusing_without

device_count, empty_cache, synchronize = functions_without("xpu")
__getattr__ = refusing_without(__name__, "an XPU")

__all__ = ["device_count", "empty_cache", "synchronize"]
