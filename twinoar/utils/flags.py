"""Flags by Paddle's names: those that twinoar has, and those where there is nothing to choose."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from twinoar import config
from twinoar.core.settings import announce, count_setting
from twinoar.errors import ArgumentError, TypeMismatchError

# Flags that twinoar has, by the name of its own.
FLAGS = {
    "FLAGS_check_nan_inf": "finite",
    "FLAGS_enable_pir_api": "pir",
    "FLAGS_use_mkldnn": "onednn",
}
# Flags that other values would give another meaning, which there is not: what they are.
FIXED: dict[str, Any] = {"FLAGS_check_nan_inf_level": 0}
# Flags about memory, devices and speed, which change no result: remembered, and that is all.
IDLE: dict[str, Any] = {
    "FLAGS_allocator_strategy": "auto_growth",
    "FLAGS_auto_growth_chunk_size_in_mb": 0,
    "FLAGS_benchmark": False,
    "FLAGS_call_stack_level": 1,
    "FLAGS_conv_workspace_size_limit": 512,
    "FLAGS_cpu_deterministic": True,
    "FLAGS_cudnn_batchnorm_spatial_persistent": False,
    "FLAGS_cudnn_deterministic": True,
    "FLAGS_cudnn_exhaustive_search": False,
    "FLAGS_eager_delete_scope": True,
    "FLAGS_eager_delete_tensor_gb": 0.0,
    "FLAGS_embedding_deterministic": 1,
    "FLAGS_fast_eager_deletion_mode": True,
    "FLAGS_fraction_of_cpu_memory_to_use": 1.0,
    "FLAGS_fraction_of_gpu_memory_to_use": 0.0,
    "FLAGS_gpu_memory_limit_mb": 0,
    "FLAGS_init_allocated_mem": False,
    "FLAGS_initial_cpu_memory_in_mb": 500,
    "FLAGS_initial_gpu_memory_in_mb": 0,
    "FLAGS_inner_op_parallelism": 0,
    "FLAGS_log_memory_stats": False,
    "FLAGS_low_precision_op_list": 0,
    "FLAGS_max_inplace_grad_add": 0,
    "FLAGS_memory_fraction_of_eager_deletion": 1.0,
    "FLAGS_reallocate_gpu_memory_in_mb": 0,
    "FLAGS_sort_sum_gradient": True,
    "FLAGS_use_autotune": False,
    "FLAGS_use_cinn": False,
    "FLAGS_use_pinned_memory": True,
    "FLAGS_use_stride_kernel": False,
    "FLAGS_use_system_allocator": False,
}


def _flags_now() -> tuple[Any, ...]:
    return *(getattr(config, own) for own in FLAGS.values()), *IDLE.values()


announce("the flags", _flags_now)


def set_flags(flags: Mapping[str, Any]) -> None:
    """Set flags by name; those about memory, devices and speed have no effect here.

    With FLAGS_check_nan_inf a result that is not a number or infinite is an error, NotFiniteError,
    which says at which operator and line; all runs on NumPy then. With FLAGS_enable_pir_api what
    is saved is the `.json` of Paddle 3, not `.pdmodel`. A warning says which other flags
    stay as they are.

    Raises TypeMismatchError for what is no dict, ArgumentError for a flag that there is not.
    """
    if not isinstance(flags, Mapping):
        raise TypeMismatchError(f"flags must be a dict, received {type(flags).__name__}")
    for name in flags:
        _check_flag(name)
    for name, value in flags.items():
        if name in FLAGS:
            setattr(config, FLAGS[name], bool(value))
        elif name in IDLE:
            IDLE[name] = type(IDLE[name])(value)
        elif value != FIXED[name]:
            warnings.warn(f"{name} is {FIXED[name]!r} here, and stays so", stacklevel=2)
    count_setting()


def get_flags(flags: str | Iterable[str]) -> dict[str, Any]:
    """The values of one flag, or of several, by name. Raises ArgumentError."""
    names = [flags] if isinstance(flags, str) else list(flags)
    for name in names:
        _check_flag(name)
    others = {**FIXED, **IDLE}
    return {n: getattr(config, FLAGS[n]) if n in FLAGS else others[n] for n in names}


def _check_flag(name: str) -> None:
    if name not in {*FLAGS, *FIXED, *IDLE}:
        raise ArgumentError(
            f"there is no flag {name!r}",
            cure=f"set twinoar's own, {config.PREFIX}*; known here: "
            + ", ".join(sorted({*FLAGS, *FIXED, *IDLE})),
        )
