"""Devices: the CPU, where everything is done when a call returns, and those that plug-ins serve.

What only an accelerator has (streams, events, its memory) is there by name, so that programs for
both import it; without one a call is an error that says so.
"""

from __future__ import annotations

import importlib
from typing import Any

from twinoar.core.device import CPU, count_of, kinds
from twinoar.core.interpreter import placing
from twinoar.device import cuda, xpu
from twinoar.device.absent import refusals
from twinoar.device.accelerator import ANY, Event, Stream, set_stream, stream_guard
from twinoar.eager.place import (
    OWN_KINDS,
    IPUPlace,
    Place,
    XPUPlace,
    get_device,
    place_of,
    set_device,
)
from twinoar.eager.query import is_compiled_with_cuda, is_compiled_with_xpu
from twinoar.eager.typed import TYPED
from twinoar.ops.random import uniform as random
from twinoar.ops.random.uniform import get_rng_state

LAZY = {"device_guard": "twinoar.static.mode"}  # with all of static graphs


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    raise AttributeError(f"module 'twinoar.device' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class device:
    """Within the block, `device` is the one of new tensors: "cpu", "gpu:0", a Place or None.

    Raises ArgumentError for another.
    """

    def __init__(self, device: Any = None):
        self.place: Place = place_of(device)
        self._blocks: list[Any] = []

    def __enter__(self) -> None:
        block = placing(self.place)
        block.__enter__()
        self._blocks.append(block)

    def __exit__(self, *failure: Any) -> None:
        self._blocks.pop().__exit__(*failure)


def get_all_device_type() -> list[str]:
    """The kinds of devices that this installation knows.

    >>> "cpu" in get_all_device_type()
    True
    """
    return kinds()


def get_available_device() -> list[str]:
    """The devices that can be used now.

    >>> "cpu" in get_available_device()
    True
    """
    return [_name(kind, n) for kind in kinds() for n in range(count_of(kind))]


def get_all_custom_device_type() -> list[str]:
    """The kinds of devices that plug-ins have added under names of their own."""
    return [kind for kind in kinds() if kind not in OWN_KINDS]


def get_available_custom_device() -> list[str]:
    """The devices of these kinds."""
    return [_name(k, n) for k in get_all_custom_device_type() for n in range(count_of(k))]


def _name(kind: str, index: int) -> str:
    """As Paddle writes it: without a number for the CPU and the only one of its kind."""
    return kind if kind == CPU.kind or count_of(kind) == 1 else f"{kind}:{index}"


def is_available() -> bool:
    """True if there is an accelerator."""
    return len(kinds()) > 1 and any(count_of(kind) for kind in kinds()[1:])


def is_compiled_with_rocm() -> bool:
    """False: nothing of AMD's is used."""
    return False


def is_compiled_with_ipu() -> bool:
    """False: nothing serves IPUs."""
    return False


def is_compiled_with_cinn() -> bool:
    """False: Programs are compiled by twinoar's own compiler."""
    return False


def is_compiled_with_distribute() -> bool:
    """False: this version runs in one process."""
    return False


def is_compiled_with_custom_device(device_type: str) -> bool:
    """Whether a plug-in serves devices of a kind."""
    return device_type in get_all_custom_device_type()


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """True: bfloat16 is computed with, where the machine cannot by way of float32."""
    return True


def is_current_stream_capturing() -> bool:
    """False: there are no streams on the CPU."""
    return False


def get_cudnn_version() -> None:
    """None: there is no cuDNN."""


def manual_seed(seed: int) -> None:
    """Seed the random numbers, as `twinoar.seed` does."""
    random.seed(seed)


def set_rng_state(new_state: Any, device: Any = None) -> None:
    """Go on from a state that `get_rng_state` gave, as `twinoar.set_rng_state` does."""
    random.set_rng_state(new_state, device)


def reset_peak_memory_stats(device: Any = None) -> None:
    """Count the most bytes that tensors hold from now on.

    Raises ArgumentError without an accelerator.
    """
    ANY.reset_max_memory_allocated(device)


StreamContext = stream_guard
FUNCTIONS = ANY.functions()
REFUSED = refusals(
    "paddle.device", "an accelerator's own runtime", "get_stream_from_external ipc_collect"
)
globals().update(TYPED, **FUNCTIONS, **REFUSED)

__all__ = [
    "Event",
    "IPUPlace",
    "Stream",
    "StreamContext",
    "XPUPlace",
    "cuda",
    "device",
    "device_guard",
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
    "reset_peak_memory_stats",
    "set_device",
    "set_rng_state",
    "set_stream",
    "stream_guard",
    "xpu",
]
__all__ += [*TYPED, *FUNCTIONS, *REFUSED]
