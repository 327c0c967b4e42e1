"""Numbers of random words, written once: for elements of the loop language and for NumPy's arrays.

`s` is the loop language, or `ARRAYS`, which has the same functions of arrays. Each step is rounded
on its own and nothing is fused, so both give the same bits:

    unit      float32: (w >> 8) 2**-24; float64: the 53 upper bits of a wide word; in [0, 1)
    normal    by Box and Muller's transform of two words, or of two wide ones: see `bell`
    integer   the upper half of the product of a wide word and the number of integers
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from twinoar.core.dtype import DType, float32, float64, int32, int64
from twinoar.core.loop.philox import MASK, Wide


def scaled(x: Any, scale: Any, offset: Any) -> Any:
    """x * scale + offset, rounded twice."""
    return x * scale + offset


ARRAYS = SimpleNamespace(
    abs=np.abs,
    and_=np.bitwise_and,
    bitcast=lambda x, dtype: x.view(dtype.numpy),
    cast=lambda x, dtype: x.astype(dtype.numpy),
    eq=np.equal,
    floor=np.floor,
    le=np.less_equal,
    lt=np.less,
    or_=np.bitwise_or,
    round=np.rint,
    scaled=scaled,
    select=np.where,
    shl=np.left_shift,
    shr=np.right_shift,
    sqrt=np.sqrt,
)


def _small(s: Any, x: Any, dtype: DType) -> Any:
    """An int64 that int32 holds as a float: vectors have no conversion of 64 bits everywhere."""
    return s.cast(s.cast(x, int32), dtype)


def unit(s: Any, word: Any) -> Any:
    """A word as a float32 in [0, 1)."""
    return _small(s, s.shr(word, 8), float32) * 2.0**-24


def wide_positive(s: Any, wide: Wide) -> Any:
    """A wide word as a float64 in (0, 1]."""
    high, low = s.shr(wide.high, 5), s.shr(wide.low, 6) + 1
    return (_small(s, high, float64) * 2.0**26 + _small(s, low, float64)) * 2.0**-53


def wide_unit(s: Any, wide: Wide) -> Any:
    """A wide word as a float64 in [0, 1)."""
    high, low = s.shr(wide.high, 5), s.shr(wide.low, 6)
    return (_small(s, high, float64) * 2.0**26 + _small(s, low, float64)) * 2.0**-53


def below(s: Any, wide: Wide, count: int) -> Any:
    """A wide word as an int64 in [0, count), count up to 2**64, wrapped where that is above 2**63.

    Each is as likely as any other, but for one part in 2**64 / count. Source: D. Lemire, "Fast
    random integer generation in an interval", ACM TOMACS 29 (2019), section 4.
    """
    upper, lower = count >> 32, count & MASK
    carried = s.and_(s.shr(wide.low * lower, 32), MASK)
    if not upper:
        return s.and_(s.shr(wide.high * lower + carried, 32), MASK)
    first, second = wide.high * lower, wide.low * upper
    middle = carried + s.and_(first, MASK) + s.and_(second, MASK)
    parts = [s.and_(s.shr(x, 32), MASK) for x in (first, second, middle)]
    return wide.high * upper + parts[0] + parts[1] + parts[2]


# Normal numbers.


def radius_and_turn(s: Any, first: Any, second: Any, is_odd: Any) -> tuple[Any, Any]:
    """Operands of `bell` of two words: a float32 in (0, 1], and one in [0, 1)."""
    high, low = s.shr(first, 16), s.and_(first, 0xFFFF) + 1
    radius = (_small(s, high, float32) * 2.0**16 + _small(s, low, float32)) * 2.0**-32
    turn = s.and_(s.shr(second, 8) + s.select(is_odd, 3 << 22, 0), (1 << 24) - 1)
    return radius, _small(s, turn, float32) * 2.0**-24


def wide_radius_and_turn(s: Any, first: Wide, second: Wide, is_odd: Any) -> tuple[Any, Any]:
    """Operands of `bell` of two wide words, float64."""
    radius = wide_positive(s, first)
    turn = s.and_(s.shr(second.high, 5) + s.select(is_odd, 3 << 25, 0), (1 << 27) - 1)
    low = s.shr(second.low, 6)
    return radius, (_small(s, turn, float64) * 2.0**26 + _small(s, low, float64)) * 2.0**-53


def bell(s: Any, radius: Any, turn: Any) -> Any:
    """sqrt(-2 log(radius)) cos(2 pi turn): G. Box, M. Muller, "A note on the generation of random
    normal deviates", Annals of Mathematical Statistics 29 (1958).

    The sine is the cosine of a quarter of a turn less: element 2k of a draw has the cosine, element
    2k + 1 the sine of the same turn.
    """
    dtype = float32 if radius.dtype == float32 else float64
    return s.sqrt(log(s, radius, dtype) * -2.0) * _cosine(s, turn, dtype)


TERMS = {"float32": (5, 6, 5), "float64": (13, 10, 9)}  # of the series below


def series(x: Any, coefficients: list[float]) -> Any:
    """coefficients[0] + x (coefficients[1] + x (...))."""
    result = x * coefficients[-1]
    for c in coefficients[-2:0:-1]:
        result = (result + c) * x
    return result + coefficients[0]


def log(s: Any, x: Any, dtype: DType) -> Any:
    """The logarithm of a normal number, m 2**e with m from sqrt(1/2) to sqrt(2).

    log(m) = 2 atanh(t) = 2 t (1 + t^2 / 3 + t^4 / 5 + ...), where t = (m - 1) / (m + 1).
    """
    integer, fraction = (int32, 23) if dtype is float32 else (int64, 52)
    least = int(np.array(math.sqrt(0.5), dtype.numpy).view(integer.numpy))
    bits = s.bitcast(x, integer)
    exponent = s.shr(bits - least, fraction)
    m = s.bitcast(bits - s.shl(exponent, fraction), dtype)
    t = (m - 1.0) / (m + 1.0)
    small = t * series(t * t, [2.0 / (2 * k + 1) for k in range(TERMS[dtype.name][0])])
    return _small(s, exponent, dtype) * math.log(2) + small


def _cosine(s: Any, turn: Any, dtype: DType) -> Any:
    """cos(2 pi turn): what is left of the nearest quarter of a turn is exact."""
    quarter = s.round(turn * 4.0)
    x = (turn - quarter * 0.25) * (2 * math.pi)
    _, even, odd = TERMS[dtype.name]
    square = x * x
    cosine = series(square, [(-1) ** k / math.factorial(2 * k) for k in range(even)])
    sine = x * series(square, [(-1) ** k / math.factorial(2 * k + 1) for k in range(odd)])
    n = s.cast(quarter, int32)
    value = s.select(s.eq(s.and_(n, 1), 0), cosine, sine)
    return s.select(s.eq(s.and_(n + 1, 2), 0), value, -value)
