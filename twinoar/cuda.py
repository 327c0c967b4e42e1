"""GPUs by the names that PyTorch has for them, where a plug-in serves the kind "gpu".

Without one questions are answered, and what needs a GPU is refused when it is called.
"""

from __future__ import annotations

from typing import Any

from twinoar.device import device, is_available, is_bf16_supported, manual_seed, set_rng_state
from twinoar.device.absent import refusals
from twinoar.device.accelerator import Event, Stream, set_stream, stream_guard
from twinoar.device.cuda import FUNCTIONS as GPU_FUNCTIONS
from twinoar.eager.place import place_of
from twinoar.eager.typed import TYPED
from twinoar.ops.random.uniform import get_rng_state

manual_seed_all = manual_seed
StreamContext = stream = stream_guard
NAMES = """
    current_stream device_count empty_cache get_device_capability get_device_name
    get_device_properties max_memory_allocated memory_allocated memory_reserved synchronize
"""
FUNCTIONS = {name: GPU_FUNCTIONS[name] for name in NAMES.split()}
FUNCTIONS["reset_peak_memory_stats"] = GPU_FUNCTIONS["reset_max_memory_allocated"]
REFUSED = refusals(
    "paddle.cuda",
    "a GPU's own runtime",
    "check_error cudart get_stream_from_external ipc_collect mem_get_info",
)
globals().update(TYPED, **FUNCTIONS, **REFUSED)


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
    "Event",
    "Stream",
    "StreamContext",
    "current_device",
    "device",
    "get_rng_state",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "set_device",
    "set_rng_state",
    "set_stream",
    "stream",
]
__all__ += [*TYPED, *FUNCTIONS, *REFUSED]
