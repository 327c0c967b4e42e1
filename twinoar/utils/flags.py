"""Flags by Paddle's names: those that twinoar has, and those where there is nothing to choose."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from twinoar import config
from twinoar.errors import ArgumentError, TypeMismatchError

# Flags that twinoar has, by the name of its own.
FLAGS = {"FLAGS_use_mkldnn": "onednn"}
# Flags about memory, devices and order, where twinoar has nothing to choose: what they are.
FIXED: dict[str, Any] = {
    "FLAGS_allocator_strategy": "auto_growth",
    "FLAGS_benchmark": False,
    "FLAGS_cpu_deterministic": True,
    "FLAGS_cudnn_deterministic": True,
    "FLAGS_cudnn_exhaustive_search": False,
    "FLAGS_eager_delete_tensor_gb": 0.0,
    "FLAGS_fast_eager_deletion_mode": True,
    "FLAGS_fraction_of_gpu_memory_to_use": 0.0,
    "FLAGS_memory_fraction_of_eager_deletion": 1.0,
    "FLAGS_sort_sum_gradient": True,
}


def set_flags(flags: Mapping[str, Any]) -> None:
    """Set flags by name. Flags about memory, devices and order are fixed: others than that warn.

    Raises TypeMismatchError for what is no dict, ArgumentError for a flag that there is not.
    """
    if not isinstance(flags, Mapping):
        raise TypeMismatchError(f"flags must be a dict, received {type(flags).__name__}")
    for name in flags:
        _check_flag(name)
    for name, value in flags.items():
        if name in FLAGS:
            setattr(config, FLAGS[name], bool(value))
        elif value != FIXED[name]:
            warnings.warn(f"{name} is {FIXED[name]!r} here, and stays so", stacklevel=2)


def get_flags(flags: str | Iterable[str]) -> dict[str, Any]:
    """The values of one flag, or of several, by name. Raises ArgumentError."""
    names = [flags] if isinstance(flags, str) else list(flags)
    for name in names:
        _check_flag(name)
    return {n: getattr(config, FLAGS[n]) if n in FLAGS else FIXED[n] for n in names}


def _check_flag(name: str) -> None:
    if name not in FLAGS and name not in FIXED:
        raise ArgumentError(
            f"there is no flag {name!r}",
            cure=f"set twinoar's own, {config.PREFIX}*; known here: "
            + ", ".join(sorted({*FLAGS, *FIXED})),
        )
