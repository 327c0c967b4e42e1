"""What only accelerators have: the names are there, and each is refused when it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.eager.place import place_of
from twinoar.errors import ArgumentError

CURE = "ask first: paddle.device.is_available(), paddle.is_compiled_with_cuda()"


def refusals(space: str, what: str, names: str) -> dict[str, Any]:
    """Functions, and classes where a name begins with a capital, that need `what`, by name.

    A call raises ArgumentError.
    """
    return {name: _refusal(f"{space}.{name}", what) for name in names.split()}


def _refusal(public: str, what: str) -> Any:
    name = public.rpartition(".")[2]

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise ArgumentError(
            f"{public} needs {what}, and this version computes on the CPU", cure=CURE
        )

    told = f"Needs {what}: raises ArgumentError."
    if name[0].isupper():
        return type(name, (), {"__doc__": told, "__init__": refuse})
    refuse.__name__, refuse.__doc__ = name, told
    return refuse


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
