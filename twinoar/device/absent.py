"""What no device of this version has: the names are there, and a call is refused."""

from __future__ import annotations

from typing import Any

from twinoar.device.accelerator import CURE
from twinoar.errors import ArgumentError


def refusals(space: str, what: str, names: str) -> dict[str, Any]:
    """Functions, and classes where a name begins with a capital, that need `what`, by name.

    A call raises ArgumentError.
    """
    return {name: _refusal(f"{space}.{name}", what) for name in names.split()}


def _refusal(public: str, what: str) -> Any:
    name = public.rpartition(".")[2]

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise ArgumentError(f"{public} needs {what}, and this version has none", cure=CURE)

    told = f"Needs {what}: raises ArgumentError."
    if name[0].isupper():
        return type(name, (), {"__doc__": told, "__init__": refuse})
    refuse.__name__, refuse.__doc__ = name, told
    return refuse
