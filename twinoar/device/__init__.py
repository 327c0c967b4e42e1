"""Devices: this version computes on the CPU, where everything is done when a call returns.

What asks for devices answers for the CPU alone. What only an accelerator has (streams, events, its
memory) is there by name, so that programs for both import it; a call is an error that says so.
"""

from __future__ import annotations

from typing import Any

from twinoar.device import cuda, xpu
from twinoar.device.absent import refusals
from twinoar.device.cuda import stream_guard
from twinoar.eager.place import IPUPlace, Place, XPUPlace, get_device, place_of, set_device
from twinoar.eager.query import is_compiled_with_cuda, is_compiled_with_xpu
from twinoar.eager.typed import TYPED
from twinoar.ops import random
from twinoar.ops.random import get_rng_state
from twinoar.static.mode import device_guard


class device:
    """Within the block, `device` is the one of new tensors: "cpu", a Place or None.

    Raises ArgumentError for another.
    """

    def __init__(self, device: Any = None):
        self.place: Place = place_of(device)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *failure: Any) -> None:
        pass


def get_all_device_type() -> list[str]:
    """The kinds of devices that this installation knows.

    >>> get_all_device_type()
    ['cpu']
    """
    return ["cpu"]


def get_available_device() -> list[str]:
    """The devices that can be used now."""
    return ["cpu"]


def get_all_custom_device_type() -> list[str]:
    """The kinds of devices that plug-ins have added: none."""
    return []


def get_available_custom_device() -> list[str]:
    """The devices that plug-ins have added: none."""
    return []


def device_count() -> int:
    """Number of accelerators: 0."""
    return 0


def is_available() -> bool:
    """True if there is an accelerator: False."""
    return False


def is_compiled_with_rocm() -> bool:
    """False: this version computes on the CPU."""
    return False


def is_compiled_with_ipu() -> bool:
    """False: this version computes on the CPU."""
    return False


def is_compiled_with_cinn() -> bool:
    """False: Programs are compiled by twinoar's own compiler."""
    return False


def is_compiled_with_distribute() -> bool:
    """False: this version runs in one process."""
    return False


def is_compiled_with_custom_device(device_type: str) -> bool:
    """False: there are no plug-ins for devices in this version."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """True: bfloat16 is computed with, where the machine cannot by way of float32."""
    return True


def is_current_stream_capturing() -> bool:
    """False: there are no streams on the CPU."""
    return False


def get_cudnn_version() -> None:
    """None: there is no cuDNN."""


def synchronize(device: Any = None) -> None:
    """Wait until all is computed: on the CPU it is when a call returns.

    Raises ArgumentError for a device that this version lacks.
    """
    place_of(device)


def empty_cache() -> None:
    """Give back memory of accelerators that is not used: there is none."""


def manual_seed(seed: int) -> None:
    """Seed the random numbers, as `twinoar.seed` does."""
    random.seed(seed)


def set_rng_state(new_state: Any, device: Any = None) -> None:
    """Go on from a state that `get_rng_state` gave, as `twinoar.set_rng_state` does."""
    random.set_rng_state(new_state, device)


StreamContext = stream_guard
REFUSED = refusals(
    "paddle.device",
    "an accelerator",
    """
    Event Stream current_stream get_device_capability get_device_name get_device_properties
    get_stream_from_external ipc_collect max_memory_allocated max_memory_reserved memory_allocated
    memory_reserved reset_max_memory_allocated reset_max_memory_reserved reset_peak_memory_stats
    set_stream
    """,
)
globals().update(TYPED, **REFUSED)

__all__ = [
    "IPUPlace",
    "StreamContext",
    "XPUPlace",
    "cuda",
    "device",
    "device_count",
    "device_guard",
    "empty_cache",
    "get_all_custom_device_type",
    "get_all_device_type",
    "get_available_custom_device",
    "get_available_device",
    "get_cudnn_version",
    "get_device",
    "get_rng_state",
    "is_available",
    "is_bf16_supported",
    "is_compiled_with_cinn",
    "is_compiled_with_cuda",
    "is_compiled_with_custom_device",
    "is_compiled_with_distribute",
    "is_compiled_with_ipu",
    "is_compiled_with_rocm",
    "is_compiled_with_xpu",
    "is_current_stream_capturing",
    "manual_seed",
    "set_device",
    "set_rng_state",
    "stream_guard",
    "synchronize",
    "xpu",
]
__all__ += [*TYPED, *REFUSED]
