"""What code is made for: said where an Executable is asked for, and passed down from there."""

from __future__ import annotations

from twinoar.late import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A processor as LLVM names it, and what it computes with.

    features: such as "+avx2,-avx512f". vector_bits: of its widest registers. threads: among which
    kernels divide their rows. library: the kernel library and its instructions, "" without one.
    offset_bytes: of a word in the tables of offsets that kernels look up, 8 or 4.
    """

    triple: str
    cpu: str
    features: str
    vector_bits: int
    threads: int = 1
    library: str = ""
    offset_bytes: int = 8

    @property
    def vector_bytes(self) -> int:
        """Bytes of the widest registers."""
        return self.vector_bits // 8

    @property
    def processor(self) -> str:
        """What makes the machine code of one text differ."""
        return f"{self.triple} {self.cpu} {self.features} {self.vector_bits}"

    def has(self, feature: str) -> bool:
        """Whether the processor has what LLVM calls `feature`: "fma", "f16c", "avx512bf16"."""
        return f"+{feature}" in self.features.split(",")
