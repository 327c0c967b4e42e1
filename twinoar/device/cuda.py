"""GPUs: there are none in this version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from twinoar.core.explain import told
from twinoar.device.absent import CURE, functions_without, refusals
from twinoar.errors import ArgumentError, TypeMismatchError

device_count, empty_cache, synchronize = functions_without("gpu")

REFUSED = refusals(
    "paddle.device.cuda",
    "a GPU",
    """
    Event Stream current_stream get_device_capability get_device_name get_device_properties
    max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_summary
    reset_max_memory_allocated reset_max_memory_reserved vmm_compact
    """,
)
globals().update(REFUSED)


@told
def get_cuda_rng_state() -> list[Any]:
    """The states of the random numbers of all GPUs: none."""
    return []


@told
def set_cuda_rng_state(state_list: Sequence[Any]) -> None:
    """Go on from states of all GPUs; raises ArgumentError for any, as there is none."""
    if not isinstance(state_list, Sequence):
        kind = type(state_list).__name__
        raise TypeMismatchError(f"expected the states of all GPUs as a list, received {kind}")
    if state_list:
        raise ArgumentError(f"there is no GPU to take the {len(state_list)} states", cure=CURE)


@contextmanager
def stream_guard(stream: Any = None) -> Iterator[None]:
    """Within the block operators run in `stream`: None, as the CPU has no streams."""
    if stream is not None:
        REFUSED["Stream"]()
    yield


__all__ = ["device_count", "empty_cache", "stream_guard", "synchronize"]
__all__ += list(REFUSED)
