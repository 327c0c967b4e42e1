"""What code is made for: said where an Executable is asked for, and passed down from there."""

from __future__ import annotations

from dataclasses import replace

from twinoar.late import dataclass

# What LLVM calls the units of x86 that multiply bfloat16: of vectors, and of tiles (AMX).
BFLOAT16_UNITS = ("avx512bf16", "amx-bf16")


@dataclass(frozen=True, slots=True)
class Target:
    """A processor as LLVM names it, and what it computes with.

    features: such as "+avx2,-avx512f". vector_bits: of its widest registers. threads: among which
    kernels divide their rows. library: the kernel library and its instructions, "" without one.
    offset_bytes: of a word in the tables of offsets that kernels look up, 8 or 4. rounds: whether
    sums of products of float32 may take operands that are rounded to bfloat16.
    """

    triple: str
    cpu: str
    features: str
    vector_bits: int
    threads: int = 1
    library: str = ""
    offset_bytes: int = 8
    rounds: bool = False

    @property
    def vector_bytes(self) -> int:
        """Bytes of the widest registers."""
        return self.vector_bits // 8

    @property
    def processor(self) -> str:
        """What makes the machine code of one text differ."""
        return f"{self.triple} {self.cpu} {self.features} {self.vector_bits}"

    @property
    def multiplies_bfloat16(self) -> bool:
        """Whether products of bfloat16 are faster than those of float32: units and a library."""
        return bool(self.library) and any(map(self.has, BFLOAT16_UNITS))

    def rounding(self) -> Target:
        """The same where products may round their operands; itself where that is no faster."""
        return replace(self, rounds=True) if self.multiplies_bfloat16 else self

    def exact(self) -> Target:
        """The same where products are those of their operands."""
        return replace(self, rounds=False)

    def has(self, feature: str) -> bool:
        """Whether the processor has what LLVM calls `feature`: "fma", "f16c", "avx512bf16"."""
        return f"+{feature}" in self.features.split(",")
