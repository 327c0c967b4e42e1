"""Floating-point numbers as bits, and the steps that the elementary functions share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twinoar.core.dtype import DType, float32, float64, int32, int64
from twinoar.core.loop.bits import bits, sign_bit
from twinoar.core.loop.expression import Expr, const, lt, select
from twinoar.core.loop.language import and_, bitcast, fma, or_, shl, xor_
from twinoar.late import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """How a float is laid out: sign, biased exponent, fraction."""

    dtype: DType
    integer: DType  # of the same size
    fraction: int  # bits
    bias: int

    @property
    def whole(self) -> float:
        """Added to a small number, this leaves the nearest whole number in the last bits."""
        return 1.5 * 2.0**self.fraction

    @property
    def least_normal(self) -> float:
        """The least positive number with full precision."""
        return 2.0 ** (1 - self.bias)

    def bits(self, value: float) -> int:
        """The bits of a number that the dtype has, as an integer."""
        return int(self.dtype.numpy.type(value).view(self.integer.numpy))


FORMATS = {
    float32: Format(float32, int32, 23, 127),
    float64: Format(float64, int64, 52, 1023),
}


def format_of(x: Expr) -> Format:
    """The layout of x's dtype, float32 or float64."""
    return FORMATS[x.dtype]


def horner(x: Expr, coefficients: Sequence[float]) -> Expr:
    """coefficients[0] + coefficients[1] x + coefficients[2] x^2 + ..."""
    *lower, highest = coefficients
    result = const(highest, x.dtype)
    for c in reversed(lower):
        result = fma(result, x, c)
    return result


def polynomial(x: Expr, table: Mapping[str, Sequence[float]]) -> Expr:
    """The polynomial of x that a table has for its dtype."""
    return horner(x, table[x.dtype.name])


def at_least(low: float, x: Expr) -> Expr:
    """The greater of a number and x; x where that is nan."""
    return select(lt(x, low), low, x)


def at_most(high: float, x: Expr) -> Expr:
    """The lesser of a number and x; x where that is nan."""
    return select(lt(high, x), high, x)


def nearest(x: Expr, scale: float, offset: int = 0) -> tuple[Expr, Expr]:
    """The whole number n nearest to x * scale, and bits whose lower half has n + offset.

    |n| must be less than a quarter of what the fraction has room for.
    """
    form = format_of(x)
    shifted = fma(x, scale, form.whole + offset)
    return shifted - (form.whole + offset), bits(shifted)


def power_of_two(biased: Expr, form: Format) -> Expr:
    """2^n, of bits whose lower half has n + bias."""
    return bitcast(shl(biased, form.fraction), form.dtype)


def inverse_power(power: Expr) -> Expr:
    """1 / 2^n, of 2^n."""
    form = format_of(power)
    return bitcast(const(2 * form.bias << form.fraction, form.integer) - bits(power), form.dtype)


def with_sign(magnitude: Expr, x: Expr) -> Expr:
    """A number that is not negative, with the sign of x."""
    return bitcast(or_(bits(magnitude), and_(bits(x), sign_bit(x.dtype))), x.dtype)


def sign_flipped(x: Expr, bit: Expr) -> Expr:
    """x or -x; `bit` is an integer whose highest bit says which, its others are 0."""
    return bitcast(xor_(bits(x), bit), x.dtype)


def two_sum(x: Expr, y: Expr) -> tuple[Expr, Expr]:
    """x + y, and what rounding lost of it: D. Knuth, volume 2, theorem 4.2.2B."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def two_product(x: Expr, y: Expr) -> tuple[Expr, Expr]:
    """x * y, and what rounding lost of it."""
    product = x * y
    return product, fma(x, y, -product)
