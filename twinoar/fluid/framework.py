"""Programs and what is asked of the process, by the names of Paddle 1.8."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from twinoar import config
from twinoar.core.ir import State as Parameter
from twinoar.core.ir import Variable
from twinoar.eager.place import CPUPlace
from twinoar.eager.query import is_compiled_with_cuda
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.fluid.absent import refusing
from twinoar.fluid.mode import in_dygraph_mode
from twinoar.fluid.place import CUDAPinnedPlace, CUDAPlace, cuda_pinned_places
from twinoar.static.mode import (
    default_main_program,
    default_startup_program,
    device_guard,
    name_scope,
    program_guard,
)
from twinoar.static.places import cpu_places, cuda_places
from twinoar.static.program import Program

SERVED_VERSION = "1.8.5"  # of Paddle, whose names `fluid` has
VERSION = re.compile(r"\d+(\.\d+){0,3}")

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


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Raise UnsupportedError unless Paddle 1.8.5, whose names these are, is in the range.

    Raises TypeMismatchError or ArgumentError for what is no version.

    >>> from twinoar import fluid
    >>> fluid.require_version("1.7.0")
    """
    least = _version("min_version", min_version)
    most = None if max_version is None else _version("max_version", max_version)
    own = _version("", SERVED_VERSION)
    if own < least or (most is not None and own > most):
        wanted = (
            f"{min_version} or newer" if max_version is None else f"{min_version}-{max_version}"
        )
        raise UnsupportedError(
            f"fluid has the names of Paddle {SERVED_VERSION}, wanted is {wanted}",
            cure="use the names of Paddle 2: paddle, paddle.nn, paddle.static",
        )


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


def memory_optimize(
    input_program: Program,
    skip_opt_set: Any = None,
    print_log: bool = False,
    level: int = 0,
    skip_grads: bool = True,
) -> None:
    """Warn that this changes nothing: the memory of every Program is planned."""
    warnings.warn("memory_optimize changes nothing: memory is planned always", stacklevel=2)


def release_memory(input_program: Program, skip_opt_set: Any = None) -> None:
    """Warn that this changes nothing: memory is released where it is not needed any more."""
    warnings.warn("release_memory changes nothing: memory is planned always", stacklevel=2)


def _version(name: str, text: Any) -> tuple[int, ...]:
    if not isinstance(text, str):
        raise TypeMismatchError(f"{name} must be a string, received {type(text).__name__}")
    if not VERSION.fullmatch(text):
        raise ArgumentError(
            f"{name} must be numbers with dots between, received {text!r}", cure="write '1.8.0'"
        )
    numbers = [int(part) for part in text.split(".")]
    return tuple(numbers + [0] * (4 - len(numbers)))


def _check_flag(name: str) -> None:
    if name not in FLAGS and name not in FIXED:
        raise ArgumentError(
            f"there is no flag {name!r}",
            cure=f"set twinoar's own, {config.PREFIX}*; known here: "
            + ", ".join(sorted({*FLAGS, *FIXED})),
        )


__getattr__ = refusing(
    __name__,
    {
        "ComplexVariable": "use tensors of dtype complex64",
        "load_op_library": "use paddle.utils.cpp_extension.load",
    },
)

__all__ = [
    "CPUPlace",
    "CUDAPinnedPlace",
    "CUDAPlace",
    "Parameter",
    "Program",
    "Variable",
    "cpu_places",
    "cuda_pinned_places",
    "cuda_places",
    "default_main_program",
    "default_startup_program",
    "device_guard",
    "get_flags",
    "in_dygraph_mode",
    "is_compiled_with_cuda",
    "memory_optimize",
    "name_scope",
    "program_guard",
    "release_memory",
    "require_version",
    "set_flags",
]
