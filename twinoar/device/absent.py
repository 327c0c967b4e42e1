"""Names that only accelerators give a meaning to: asked for, each is an error that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.eager.place import place_of
from twinoar.errors import MissingNameError

NEEDING_ONE = frozenset(
    {
        "Event", "Stream", "StreamContext", "current_stream", "get_device_capability",
        "get_device_name", "get_device_properties", "get_stream_from_external", "ipc_collect",
        "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved",
        "memory_summary", "memory_total", "memory_used", "reset_max_memory_allocated",
        "reset_max_memory_reserved", "reset_peak_memory_stats", "set_debug_level", "set_stream",
        "stream_guard", "vmm_compact",
    }
)  # fmt: skip


def refusing_without(module: str, what: str) -> Callable[[str], Any]:
    """A `__getattr__` for `module`: names that need `what` raise MissingNameError."""
    public = f"paddle.{module.removeprefix('twinoar.')}"

    def __getattr__(name: str) -> Any:
        if name not in NEEDING_ONE:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise MissingNameError(
            f"{public}.{name} needs {what}, and this version computes on the CPU",
            cure="ask first: paddle.device.is_available(), paddle.is_compiled_with_cuda()",
        )

    return __getattr__


def functions_without(kind: str) -> tuple[Callable[..., Any], ...]:
    """device_count, empty_cache and synchronize for a kind of device that there is not."""

    def device_count() -> int:
        return 0

    def empty_cache() -> None:
        pass

    def synchronize(device: Any = None) -> None:
        place_of(f"{kind}:0" if device is None else device)

    named = kind.upper()
    device_count.__doc__ = f"Number of {named}s: 0."
    empty_cache.__doc__ = f"Give back memory of {named}s that is not used: there is none."
    synchronize.__doc__ = f"Raise ArgumentError: there is no {named} to wait for."
    return device_count, empty_cache, synchronize
