"""GPUs by the names that PyTorch has for them: there are none in this version.

Questions are answered, and what needs a GPU is refused when it is called.
"""

from __future__ import annotations

from typing import Any

from twinoar.device import device, is_available, is_bf16_supported, manual_seed, set_rng_state
from twinoar.device.absent import refusals
from twinoar.device.cuda import device_count, empty_cache, stream_guard, synchronize
from twinoar.eager.place import place_of
from twinoar.eager.typed import TYPED
from twinoar.ops.random import get_rng_state

manual_seed_all = manual_seed
StreamContext = stream = stream_guard
REFUSED = refusals(
    "paddle.cuda",
    "a GPU",
    """
    Event Stream check_error cudart current_stream get_device_capability get_device_name
    get_device_properties get_stream_from_external ipc_collect max_memory_allocated mem_get_info
    memory_allocated memory_reserved reset_peak_memory_stats set_stream
    """,
)
globals().update(TYPED, **REFUSED)


def current_device() -> int:
    """The number of the GPU that is used: 0."""
    return 0


def is_initialized() -> bool:
    """Whether a GPU is in use: False."""
    return False


def set_device(device: Any) -> None:
    """Use a GPU: raises ArgumentError, as there is none."""
    place_of(f"gpu:{device}" if isinstance(device, int) else device)


__all__ = [
    "StreamContext",
    "current_device",
    "device",
    "device_count",
    "empty_cache",
    "get_rng_state",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "set_device",
    "set_rng_state",
    "stream",
    "synchronize",
]
__all__ += [*TYPED, *REFUSED]
