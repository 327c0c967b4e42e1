"""GPUs: there are none in this version."""

from __future__ import annotations

from twinoar.device.absent import functions_without, refusing_without

device_count, empty_cache, synchronize = functions_without("gpu")
__getattr__ = refusing_without(__name__, "a GPU")

__all__ = ["device_count", "empty_cache", "synchronize"]
