"""How a processor multiplies vectors of integers of 8 bits and adds the products, exactly.

A lane of 32 bits is the sum of the products of some neighbors of k: of four, where a processor has
an instruction for that, which knows one kind of signs, so that the other becomes it by its highest
bit, that is by adding 128 to A, and the sums begin with what that adds; else of two of 16 bits,
which all have that have vectors of integers; else products are LLVM's own.
"""

from __future__ import annotations

from twinoar.compile.target import Target
from twinoar.core.dtype import DType, int8, int16, uint8
from twinoar.late import dataclass

FLIPPED = 128  # what changing the highest bit of 8 adds to A, or takes from it


@dataclass(frozen=True)
class Dot:
    """group: neighbors of k in a lane. dtype: what A is multiplied as. name: of LLVM's function.

    adds: that function adds to sums that it is given.
    """

    group: int
    dtype: DType
    name: str = ""
    adds: bool = False

    def flips(self, x: DType, nonnegative: bool) -> int:
        """What is added to A of a dtype: 128, -128, or 0."""
        if self.group < 4 or x is self.dtype or (x is int8 and nonnegative):
            return 0
        return FLIPPED if x is int8 else -FLIPPED


def dot_of(target: Target) -> Dot:
    """That of a processor."""
    if target.has("avx512vnni") and target.vector_bits == 512:
        return Dot(4, uint8, "x86.avx512.vpdpbusd.512", adds=True)
    if target.has("dotprod"):
        return Dot(4, int8, "aarch64.neon.sdot.v4i32.v16i8", adds=True)
    return Dot(2, int16, _of_pairs(target)) if _of_pairs(target) else Dot(1, int16)


def _of_pairs(target: Target) -> str:
    if target.has("simd128"):
        return "wasm.dot"
    if not target.triple.startswith("x86"):
        return ""
    if target.vector_bits == 512:
        return "x86.avx512.pmaddw.d.512" if target.has("avx512bw") else ""
    if target.vector_bits == 256:
        return "x86.avx2.pmadd.wd" if target.has("avx2") else ""
    return "x86.sse2.pmadd.wd"
