"""Floats of 8 bits as LLVM instructions: made float32 and back, which no processor does itself.

The formats are those of "FP8 Formats for Deep Learning", Micikevicius et al., 2022: e5m2 is the
upper byte of a float16, e4m3 has no infinity and one nan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twinoar.core.dtype import DType, float8_e5m2, float32, limits

if TYPE_CHECKING:
    from twinoar.backends.llvm.conversion import Conversions

NAN = 0x7F  # of e4m3: all bits but that of the sign
QUIET: dict[DType, int] = {float8_e5m2: 0x7E}  # the nan that is written, where there are several


def widened(to: Conversions, x: str, dtype: DType) -> str:
    """A float of 8 bits as a float32."""
    if dtype is float8_e5m2:
        wide = to.line(f"zext i8 {x} to i16")
        high = to.line(f"shl i16 {wide}, 8")
        half = to.line(f"bitcast i16 {high} to half")
        return to.line(f"fpext half {half} to float")
    wide = to.line(f"zext i8 {x} to i32")
    size = to.line(f"and i32 {wide}, 127")
    placed = to.line(f"shl i32 {size}, 20")
    # The exponent counts from 7 here and from 127 there: one product serves subnormals, too.
    small = to.line(f"bitcast i32 {placed} to float")
    found = to.line(f"fmul float {small}, {to.constant(2.0**120, float32)}")
    is_nan = to.line(f"icmp eq i32 {size}, {NAN}")
    nan = to.constant(float("nan"), float32)
    return _signed(to, wide, 24, to.line(f"select i1 {is_nan}, float {nan}, float {found}"))


def _signed(to: Conversions, bits: str, places: int, x: str) -> str:
    """A float that is not negative, with the 8th of some bits as its sign."""
    sign = to.line(f"and i32 {bits}, 128")
    moved = to.line(f"shl i32 {sign}, {places}")
    own = to.line(f"bitcast float {x} to i32")
    return to.line(f"bitcast i32 {to.line(f'or i32 {own}, {moved}')} to float")


def narrowed(to: Conversions, x: str, dtype: DType) -> str:
    """A float32 as one of 8 bits: the nearest, ties to even, at most the largest; a nan stays."""
    own = limits(dtype)
    dropped = 23 - own.nmant
    largest, normal = (to.constant(float(n), float32) for n in (own.max, own.tiny))
    size = to.intrinsic("fabs.f32", "float", f"float {x}", "float")
    is_large = to.line(f"fcmp ogt float {size}, {largest}")
    size = to.line(f"select i1 {is_large}, float {largest}, float {size}")
    bits = to.line(f"bitcast float {size} to i32")
    # Half of what is dropped is added, less a little where the last bit that stays is even.
    last = to.line(f"and i32 {to.line(f'lshr i32 {bits}, {dropped}')}, 1")
    half = to.line(f"add i32 {last}, {(1 << (dropped - 1)) - 1}")
    cut = to.line(f"lshr i32 {to.line(f'add i32 {bits}, {half}')}, {dropped}")
    plain = to.line(f"sub i32 {cut}, {(126 + own.minexp) << own.nmant}")
    # Beside a number whose last bit is worth the least subnormal, the sum is rounded to it.
    anchor = float(own.smallest_subnormal) * 2.0**23
    beside = to.line(f"fadd float {size}, {to.constant(anchor, float32)}")
    rest = to.line(f"bitcast float {beside} to i32")
    base = to.line(f"bitcast float {to.constant(anchor, float32)} to i32")
    tiny = to.line(f"sub i32 {rest}, {base}")
    is_tiny = to.line(f"fcmp olt float {size}, {normal}")
    found = to.line(f"select i1 {is_tiny}, i32 {tiny}, i32 {plain}")
    is_nan = to.line(f"fcmp uno float {x}, {x}")
    found = to.line(f"select i1 {is_nan}, i32 {QUIET.get(dtype, NAN)}, i32 {found}")
    whole = to.line(f"bitcast float {x} to i32")
    sign = to.line(f"and i32 {to.line(f'lshr i32 {whole}, 24')}, 128")
    return to.line(f"trunc i32 {to.line(f'or i32 {found}, {sign}')} to i8")
