"""What makes executables for the CPU, by the name that `config.backend` has for it.

Other devices are served by plug-ins: see `backends.device`.
"""

from __future__ import annotations

from collections.abc import Callable

from twinoar.backends import native
from twinoar.backends.base import Executable
from twinoar.backends.numpy import NumpyExecutable
from twinoar.core.ir.program import Program
from twinoar.passes.pipeline import lower


def compile_native(program: Program) -> Executable:
    """Machine code of ours, and calls of a kernel library, for each set of sizes that it meets."""
    made: Executable = native.NativeExecutable(program, native.host())
    return made


def compile_numpy(program: Program) -> Executable:
    """NumPy kernels, operator by operator."""
    return NumpyExecutable(lower(program))


COMPILERS: dict[str, Callable[[Program], Executable]] = {
    "native": compile_native,
    "numpy": compile_numpy,
}
