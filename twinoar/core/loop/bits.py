"""Numbers as bits, in the loop language: signs, neighbors, mantissas, shifts of any length."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.dtype import (
    FLOAT8,
    DType,
    bfloat16,
    bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from twinoar.core.loop.expression import Expr, cast, const, eq, lt, not_, pair, select
from twinoar.core.loop.language import (
    abs,
    and_,
    bitcast,
    compute_dtype,
    isfinite,
    isnan,
    ne,
    or_,
    shl,
    shr,
    xor_,
)

INTEGER_OF: dict[DType, DType] = {
    **dict.fromkeys(FLOAT8, int8), float16: int16, bfloat16: int16, float32: int32, float64: int64,
}  # fmt: skip
FRACTION = {float16: 10, bfloat16: 7, float32: 23, float64: 52}  # bits of it that are written down


def width(dtype: DType) -> int:
    """Bits of an element."""
    return 8 * dtype.itemsize


def bits(x: Expr) -> Expr:
    """The bits of a float as an integer."""
    return bitcast(x, INTEGER_OF[x.dtype])


def greatest(dtype: DType) -> int:
    """The greatest signed integer of a size: all bits but that of the sign."""
    return (1 << (width(dtype) - 1)) - 1


def sign_bit(dtype: DType) -> Expr:
    """The integer of a float's size of which only the bit of the sign is set."""
    return const(-(1 << (width(dtype) - 1)), INTEGER_OF[dtype])


def signbit(x: Expr) -> Expr:
    """True where a number is negative, -0.0 among them."""
    return lt(bits(x), 0) if x.dtype.is_floating else lt(x, 0)


def rank(x: Expr) -> Expr:
    """An integer that stands among those of other floats as the float does; -0.0 is 0.0 there.

    Integers have minima and maxima that are taken many at once. That of nan says nothing.
    """
    found = bits(select(eq(x, 0.0), 0.0, x))
    mirrored = and_(shr(found, width(x.dtype) - 1), const(greatest(found.dtype), found.dtype))
    return xor_(found, mirrored)


def copysign(size: Expr, sign: Expr) -> Expr:
    """A number with the sign of another one, of which integers have no -0."""
    size, sign = pair(size, sign)
    if size.dtype is bool_:
        return size
    if not size.dtype.is_floating:
        return select(lt(sign, 0), -abs(size), abs(size))
    highest = sign_bit(size.dtype)
    found = or_(and_(bits(size), not_(highest)), and_(bits(sign), highest))
    return bitcast(found, size.dtype)


def nextafter(x: Expr, y: Expr, dtype: DType) -> Expr:
    """The element of `dtype` next to x in the direction of y; nan if either is nan."""
    highest, one = sign_bit(dtype), const(1, INTEGER_OF[dtype])
    own, other = bits(cast(x, dtype)), bits(cast(y, dtype))
    is_outwards = eq(lt(x, y), lt(0.0, x))
    moved = own + select(is_outwards, one, const(-1, one.dtype))
    moved = select(eq(x, 0.0), or_(and_(other, highest), one), moved)
    found = cast(bitcast(moved, dtype), x.dtype)
    return select(isnan(x) | isnan(y), math.nan, select(eq(x, y), y, found))


def frexp(x: Expr) -> tuple[Expr, Expr]:
    """Mantissa of size in [0.5, 1) and exponent of 2, both of the dtype of x.

    Zeros, infinities and nan are their own mantissas.
    """
    fraction, integer = FRACTION[x.dtype], INTEGER_OF[x.dtype]
    exponents = (1 << (width(x.dtype) - fraction - 1)) - 1
    bias, raised = exponents >> 1, fraction + 2
    is_small = lt(abs(x), 2.0 ** (1 - bias))  # and lacks the leading bit
    own = bits(select(is_small, x * 2.0**raised, x))
    exponent = and_(shr(own, fraction), exponents) - (bias - 1)
    exponent = exponent - select(is_small, const(raised, integer), const(0, integer))
    kept = and_(own, const(~(exponents << fraction), integer))
    mantissa = bitcast(or_(kept, const((bias - 1) << fraction, integer)), x.dtype)
    has_parts = isfinite(x) & ne(x, 0.0)
    return select(has_parts, mantissa, x), select(has_parts, cast(exponent, x.dtype), 0.0)


def shift_left(x: Expr, y: Expr) -> Expr:
    """x * 2 ** y in the bits of the dtype; 0 for y that no bit stays for, or negative."""
    x, y = pair(x, y)
    inside, count = _within_width(y)
    return select(inside, shl(x, count), const(0, x.dtype))


def shift_right(x: Any, y: Any, is_arithmetic: bool) -> Expr:
    """x // 2 ** y; for y that no bit stays for, or negative, what a long shift leaves.

    is_arithmetic: bits of the sign move in from above, else zeros.
    """
    x, y = pair(x, y)
    inside, count = _within_width(y)
    highest = const(width(x.dtype) - 1, x.dtype)
    if is_arithmetic or x.dtype is uint8:
        gone = const(0, x.dtype) if x.dtype is uint8 else shr(x, highest)
        return select(inside, shr(x, count), gone)
    moved_in = shl(shl(const(-1, x.dtype), highest - count), 1)
    return select(inside, and_(shr(x, count), not_(moved_in)), const(0, x.dtype))


def _within_width(count: Expr) -> tuple[Expr, Expr]:
    """Whether a shift is one, and its low bits: machines take others for another shift."""
    last = const(width(count.dtype) - 1, count.dtype)
    low = and_(count, last)
    return eq(low, count), low


def unsigned(x: Expr) -> Expr:
    """The bits of x as the low ones of an int64, below zeros."""
    integer = INTEGER_OF.get(x.dtype, x.dtype)
    whole = bitcast(x, integer) if x.dtype is not integer else x
    mask = (1 << width(integer)) - 1
    return cast(whole, int64) if integer in (int64, uint8) else and_(cast(whole, int64), mask)


def of_low_bits(x: Expr, dtype: DType) -> Expr:
    """The low bits of an int64 as an element of `dtype`, in the dtype it is computed in."""
    integer = INTEGER_OF.get(dtype, dtype)
    whole = cast(x, integer)
    return cast(whole if integer is dtype else bitcast(whole, dtype), compute_dtype(dtype))


def whole_power(x: Expr, y: Expr) -> Expr:
    """The whole part of an integer to the power of another: 0, 1 or -1 where that is negative.

    Squares of x are multiplied for the bits of y; what is too large wraps, as products do.
    """
    is_signed = x.dtype is not uint8
    power, square = const(1, x.dtype), x
    for bit in range(width(x.dtype) - is_signed):
        square = square * square if bit else x
        power = select(eq(shr(y, bit) & 1, 1), power * square, power)
    if not is_signed:
        return power
    of_minus_one = const(1, x.dtype) - 2 * (y & 1)
    inverse = select(eq(x, 1), 1, select(eq(x, -1), of_minus_one, 0))
    return select(y < 0, inverse, power)
