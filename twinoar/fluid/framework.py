"""Programs and what is asked of the process, by the names of Paddle 1.8."""

# ruff: noqa: F401  # what is imported is what is exported

from __future__ import annotations

import warnings
from typing import Any

from twinoar.core.ir.program import State as Parameter
from twinoar.core.ir.program import Variable
from twinoar.core.public import exported
from twinoar.eager.place import CPUPlace, CUDAPinnedPlace, CUDAPlace
from twinoar.eager.query import is_compiled_with_cuda
from twinoar.fluid.absent import refusing
from twinoar.fluid.mode import in_dygraph_mode
from twinoar.fluid.place import cuda_pinned_places
from twinoar.static.mode import (
    default_main_program,
    default_startup_program,
    device_guard,
    name_scope,
    program_guard,
)
from twinoar.static.places import cpu_places, cuda_places
from twinoar.static.program import Program
from twinoar.utils.flags import get_flags, set_flags
from twinoar.utils.versions import require

SERVED_VERSION = "1.8.5"  # of Paddle, whose names `fluid` has


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Raise UnsupportedError unless Paddle 1.8.5, whose names these are, is in the range.

    Raises TypeMismatchError or ArgumentError for what is no version.

    >>> from twinoar import fluid
    >>> fluid.require_version("1.7.0")
    """
    cure = "use the names of Paddle 2: paddle, paddle.nn, paddle.static"
    require(SERVED_VERSION, min_version, max_version, cure)


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


__getattr__ = refusing(
    __name__,
    {
        "ComplexVariable": "use tensors of dtype complex64",
        "load_op_library": "use paddle.utils.cpp_extension.load",
    },
)

__all__ = exported(globals(), but=("refusing", "require"))
