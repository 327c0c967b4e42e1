"""The processor of this machine as LLVM names it, and what a function says to use all of one."""

from __future__ import annotations

import functools
import os

import llvmlite.binding as llvm

from twinoar.compile.target import Target

CACHE_LINE_BYTES = (
    64  # what cores exchange; a few have 128, which makes neighbors slower, not wrong
)

# An attribute of functions that run in less time than LLVM needs to make them faster.
BRIEF = '"brief"'

# The width of the registers that each feature brings, widest first; LLVM's names.
_VECTOR_BITS = {"avx512f": 512, "avx": 256, "sse2": 128, "neon": 128}
_SCALAR_BITS = 64

# Processors that run a gather as microcode: their loads one by one are quicker. On one of Zen 4 max
# pooling of windows by two took 2.9 times as long with gathers, `take_along_axis` 1.6 times; no
# kernel of a look-up or a strided slice was slower without.
_SLOW_GATHERS = ("znver",)
_NO_GATHER = "+prefer-no-gather"


def attributes(target: Target) -> str:
    """The attributes of a function that let LLVM use registers of `vector_bits`.

    Without them it takes half of what AVX-512 has, and loops that compute are slower by a quarter.
    """
    return f'"prefer-vector-width"="{target.vector_bits}"'


@functools.cache
def processor() -> Target:
    """The processor that this process runs on, with one thread."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    widths = (size for name, size in _VECTOR_BITS.items() if features.get(name))
    cpu = llvm.get_host_cpu_name()
    return Target(
        triple=llvm.get_process_triple(),
        cpu=cpu,
        features=tuned(cpu, features.flatten()),
        vector_bits=next(widths, _SCALAR_BITS),
    )


def tuned(cpu: str, features: str) -> str:
    """The features of a processor, with what LLVM does not know of its speed."""
    return f"{features},{_NO_GATHER}" if cpu.startswith(_SLOW_GATHERS) else features


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
