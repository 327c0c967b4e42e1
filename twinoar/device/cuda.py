"""GPUs, where a plug-in serves the kind "gpu"; this version has none of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.op.explain import told
from twinoar.device.absent import refusals
from twinoar.device.accelerator import CURE, Event, Kind, Stream, stream_guard
from twinoar.errors import ArgumentError, TypeMismatchError

GPU = Kind("paddle.device.cuda", "gpu", "a GPU")
FUNCTIONS = GPU.functions()
REFUSED = refusals("paddle.device.cuda", "NVIDIA's own memory manager", "vmm_compact")
globals().update(FUNCTIONS, **REFUSED)


def memory_summary(device: Any = None) -> None:
    """Print how much memory of a GPU is in use. Raises ArgumentError where there is none."""
    backend, found = GPU.chosen(device, "memory_summary")
    use = backend.memory(found)
    print(f"{found}: {use.allocated} bytes in use, {use.most_allocated} at most")


@told
def get_cuda_rng_state() -> list[Any]:
    """The states of the random numbers of all GPUs: none, as one generator serves all devices."""
    return []


@told
def set_cuda_rng_state(state_list: Sequence[Any]) -> None:
    """Go on from states of all GPUs; raises ArgumentError for any, as there is none."""
    if not isinstance(state_list, Sequence):
        kind = type(state_list).__name__
        raise TypeMismatchError(f"expected the states of all GPUs as a list, received {kind}")
    if state_list:
        raise ArgumentError(f"there is no GPU to take the {len(state_list)} states", cure=CURE)


__all__ = ["Event", "Stream", "memory_summary", "stream_guard"]
__all__ += [*FUNCTIONS, *REFUSED]
