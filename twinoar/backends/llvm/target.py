"""The processor that code is made for: whatever makes machine code differ, and how many cores."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass

import llvmlite.binding as llvm

CACHE_LINE_BYTES = (
    64  # what cores exchange; a few have 128, which makes neighbors slower, not wrong
)

# The width of the registers that each feature brings, widest first; LLVM's names.
_VECTOR_BYTES = {"avx512f": 64, "avx": 32, "sse2": 16, "neon": 16}
_SCALAR_BYTES = 8


@dataclass(frozen=True, slots=True)
class Target:
    """A processor as LLVM names it; `features` is LLVM's list, such as "+avx2,-avx512f"."""

    triple: str
    cpu: str
    features: str
    vector_bytes: int

    @property
    def attributes(self) -> str:
        """The attributes of a function that let LLVM use registers of `vector_bytes`.

        Without them it takes half of what AVX-512 has, and loops that compute are slower by a
        quarter.
        """
        return f'"prefer-vector-width"="{8 * self.vector_bytes}"'

    def has(self, feature: str) -> bool:
        """Whether the processor has what LLVM calls `feature`: "fma", "f16c", "avx512bf16"."""
        return f"+{feature}" in self.features.split(",")


@functools.cache
def host() -> Target:
    """The processor that this process runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    widths = (size for name, size in _VECTOR_BYTES.items() if features.get(name))
    return Target(
        triple=llvm.get_process_triple(),
        cpu=llvm.get_host_cpu_name(),
        features=features.flatten(),
        vector_bytes=next(widths, _SCALAR_BYTES),
    )


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
