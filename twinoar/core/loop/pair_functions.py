"""Functions of complex numbers, given and returned as pairs of real expressions in float64.

W. Kahan, "Branch cuts for complex elementary functions, or much ado about nothing's sign bit"
(1987): formulas that neither overflow early nor cancel, on the side of a cut that a zero's sign
says. Beyond it stand the special values of C99, annex G, of exp, log, sqrt, sinh and cosh.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twinoar.core.loop.bits import copysign
from twinoar.core.loop.expression import Expr, const, eq, lt, make, select
from twinoar.core.loop.language import abs, call, fma, isfinite, isinf, isnan, not_

Pair = tuple[Expr, Expr]
FAR = 700.0  # e^x overflows near it, its product with a cosine may not
SQUARE = 2.0**500  # squares of what is greater may overflow, below its inverse vanish
SCALE = 2.0**600
ONE_FROM = 22.0  # tanh rounds to 1 from here
WHOLE = 100  # powers below are made by multiplication


def root(x: Expr) -> Expr:
    """The square root of a real number."""
    return make("sqrt", (x,), x.dtype)


# Arithmetic.


def multiplied(a: Expr, b: Expr, c: Expr, d: Expr) -> Pair:
    """(a + bi) (c + di)."""
    return a * c - b * d, a * d + b * c


def divided(a: Expr, b: Expr, c: Expr, d: Expr) -> Pair:
    """(a + bi) / (c + di), without squares that overflow.

    R. Smith, "Algorithm 116: Complex division" (1962), as NumPy computes it.
    """
    is_steep = lt(abs(c), abs(d))
    large, small = select(is_steep, d, c), select(is_steep, c, d)
    is_zero = eq(c, 0.0) & eq(d, 0.0)
    ratio = small / large
    scale = 1.0 / select(is_zero, abs(large), large + small * ratio)
    x, y = (select(is_zero, 0.0, v * ratio) for v in (a, b))
    real = select(is_steep, x + b, a + y)
    imag = select(is_steep, y - a, b - x)
    return real * scale, imag * scale


def size(x: Expr, y: Expr) -> Expr:
    """sqrt(x^2 + y^2), without squares that overflow; inf if either is, even beside a nan."""
    largest = select(lt(abs(x), abs(y)), abs(y), abs(x))
    is_large, is_small = lt(SQUARE, largest), lt(largest, 1.0 / SQUARE)
    one = const(1.0, x.dtype)
    scale = select(is_large, 1.0 / SCALE, select(is_small, SCALE, one))
    inverse = select(is_large, SCALE, select(is_small, 1.0 / SCALE, one))
    a, b = x * scale, y * scale
    return select(isinf(x) | isinf(y), math.inf, root(fma(a, a, b * b)) * inverse)


def size_of_narrow(x: Expr, y: Expr) -> Expr:
    """`size` of numbers that float32 has, whose squares float64 has."""
    return select(isinf(x) | isinf(y), math.inf, root(fma(x, x, y * y)))


def sqrt(x: Expr, y: Expr) -> Pair:
    """The root with a real part that is not negative."""
    largest = select(lt(abs(x), abs(y)), abs(y), abs(x))
    is_large, is_small = lt(SQUARE, largest), lt(largest, 1.0 / SQUARE)
    one = const(1.0, x.dtype)
    scale = select(is_large, 1.0 / 16, select(is_small, SCALE, one))
    inverse = select(is_large, 4.0, select(is_small, 1.0 / math.sqrt(SCALE), one))
    a, b = x * scale, y * scale
    first = root((abs(a) + size(a, b)) * 0.5) * inverse
    second = select(eq(first, 0.0), y, y * 0.5 / first)
    is_left = lt(x, 0.0)
    real = select(is_left, abs(second), first)
    imag = select(is_left, copysign(first, y), second)
    return select(isinf(y), math.inf, real), select(isinf(y), y, imag)


def rsqrt(x: Expr, y: Expr) -> Pair:
    return divided(const(1.0, x.dtype), const(0.0, x.dtype), *sqrt(x, y))


# Exponentials and logarithms.


def exp(x: Expr, y: Expr) -> Pair:
    """e^x (cos y + i sin y); where e^x might overflow it is the square of its root."""
    is_far = lt(FAR, x)
    power = call("exp", select(is_far, x * 0.5, x))
    again = select(is_far, power, 1.0)
    real, imag = call("cos", y) * power * again, call("sin", y) * power * again
    is_turning = not_(isfinite(y))
    real = select(is_turning & isinf(x), select(lt(x, 0.0), 0.0, x), real)
    imag = select(is_turning & eq(x, -math.inf), 0.0, imag)
    return real, select(eq(y, 0.0), y, imag)


def exp2(x: Expr, y: Expr) -> Pair:
    return exp(x * math.log(2), y * math.log(2))


def expm1(x: Expr, y: Expr) -> Pair:
    """expm1(x) cos y - 2 sin(y / 2)^2, which does not cancel near 0, and e^x sin y."""
    half = call("sin", y * 0.5)
    return call("expm1", x) * call("cos", y) - 2.0 * half * half, exp(x, y)[1]


def _log_size(x: Expr, y: Expr) -> Expr:
    """The logarithm of `size`; near 1 of what it differs from it."""
    found = size(x, y)
    is_steep = lt(abs(x), abs(y))
    large, small = select(is_steep, abs(y), abs(x)), select(is_steep, abs(x), abs(y))
    is_near = lt(0.5, found) & lt(found, 2.0)
    square = select(is_near, fma(small, small, fma(large, large, -1.0)), 0.0)
    # what overflows is left out of the logarithm and added to it
    is_large = lt(SQUARE, large)
    far = size(x / SCALE, y / SCALE)
    logarithm = call("log", select(is_large, far, found))
    logarithm = logarithm + select(is_large, math.log(SCALE), const(0.0, x.dtype))
    return select(is_near, call("log1p", square) * 0.5, logarithm)


def log(x: Expr, y: Expr) -> Pair:
    return _log_size(x, y), call("atan2", y, x)


def log2(x: Expr, y: Expr) -> Pair:
    real, imag = log(x, y)
    return real / math.log(2), imag / math.log(2)


def log10(x: Expr, y: Expr) -> Pair:
    real, imag = log(x, y)
    return real / math.log(10), imag / math.log(10)


def log1p(x: Expr, y: Expr) -> Pair:
    """log(1 + x + iy); near 0 the size is log1p(x (2 + x) + y^2) / 2."""
    is_near = lt(abs(x), 0.5) & lt(abs(y), 0.5)
    near = call("log1p", select(is_near, fma(y, y, x * (2.0 + x)), 0.0)) * 0.5
    real, imag = log(x + 1.0, y)
    return select(is_near, near, real), imag


def pow(x: Expr, y: Expr, u: Expr, v: Expr) -> Pair:
    """e^((u + iv) log(x + iy)); by multiplication for a whole number that is known."""
    zero, one = const(0.0, x.dtype), const(1.0, x.dtype)
    if v.value == 0.0 and u.value is not None:
        if u.value == 0.5:
            return sqrt(x, y)
        if u.value == int(u.value) and math.fabs(u.value) < WHOLE:
            return _whole_power(x, y, int(u.value))
    real, angle = log(x, y)
    found = exp(u * real - v * angle, u * angle + v * real)
    is_real, is_origin = eq(v, 0.0), eq(x, 0.0) & eq(y, 0.0)
    at_origin = select(lt(0.0, u) & is_real, 0.0, math.nan * one)
    found = select(is_origin, at_origin, found[0]), select(is_origin, at_origin, found[1])
    is_one = eq(u, 0.0) & is_real
    return select(is_one, one, found[0]), select(is_one, zero, found[1])


def _whole_power(x: Expr, y: Expr, exponent: int) -> Pair:
    one, zero = const(1.0, x.dtype), const(0.0, x.dtype)
    rest, square, found = math.fabs(exponent), (x, y), None
    while rest:
        if rest % 2:
            found = square if found is None else multiplied(*found, *square)
        rest //= 2
        square = multiplied(*square, *square) if rest else square
    if found is None:
        return one, zero
    return divided(one, zero, *found) if exponent < 0 else found


def sigmoid(x: Expr, y: Expr) -> Pair:
    real, imag = exp(-x, -y)
    return divided(const(1.0, x.dtype), const(0.0, x.dtype), 1.0 + real, imag)


# Hyperbolic functions, and of those the ones of the circle.


def sinh(x: Expr, y: Expr) -> Pair:
    even, odd, again = _both_sides(x)
    real, imag = odd * call("cos", y) * again, even * call("sin", y) * again
    real = select(isinf(x) & not_(isfinite(y)), x, real)
    return select(eq(x, 0.0), x, real), select(eq(y, 0.0), y, imag)


def cosh(x: Expr, y: Expr) -> Pair:
    even, odd, again = _both_sides(x)
    real, imag = even * call("cos", y) * again, odd * call("sin", y) * again
    real = select(isinf(x) & not_(isfinite(y)), math.inf, real)
    on_axis = copysign(const(0.0, x.dtype), _sign(x) * _sign(y))
    return real, select(eq(x, 0.0) | eq(y, 0.0), on_axis, imag)


def _sign(x: Expr) -> Expr:
    """1 with the sign of x."""
    return copysign(const(1.0, x.dtype), x)


def _both_sides(x: Expr) -> tuple[Expr, Expr, Expr]:
    """cosh x and sinh x, and what both are to be multiplied with where they would overflow."""
    is_far = lt(FAR, abs(x))
    power = call("exp", abs(x) * 0.5)
    even = select(is_far, power * 0.5, call("cosh", x))
    odd = select(is_far, copysign(power * 0.5, x), call("sinh", x))
    return even, odd, select(is_far, power, 1.0)


def tanh(x: Expr, y: Expr) -> Pair:
    is_far = lt(ONE_FROM, abs(x))
    t, s = call("tan", y), call("sinh", select(is_far, 0.0, x))
    slope = 1.0 + t * t
    divisor = 1.0 + slope * s * s
    sine, cosine = call("sin", y), call("cos", y)
    fading = 4.0 * sine * cosine * call("exp", -2.0 * abs(x))
    fading = select(isfinite(y) | isfinite(x), fading, 0.0)
    real = select(
        is_far & (isfinite(y) | isinf(x)), _sign(x), slope * root(1.0 + s * s) * s / divisor
    )
    imag = select(is_far, fading, t / divisor)
    return select(eq(x, 0.0), x, real), select(eq(y, 0.0), y, imag)


def asinh(x: Expr, y: Expr) -> Pair:
    real, imag = asin(-y, x)
    return imag, -real


def acosh(x: Expr, y: Expr) -> Pair:
    (a, b), (c, d) = sqrt(x - 1.0, y), sqrt(x + 1.0, y)
    angle = _where_infinite(x, y, lambda u, v: call("atan2", v, u), 2.0 * call("atan2", b, c))
    return call("asinh", a * c + b * d), angle


def atanh(x: Expr, y: Expr) -> Pair:
    square = y * y
    distance = 1.0 - abs(x)
    real = call("log1p", 4.0 * abs(x) / fma(distance, distance, square)) * 0.25
    imag = call("atan2", 2.0 * y, distance * (1.0 + abs(x)) - square) * 0.5
    is_infinite = isinf(x) | isinf(y)
    real = select(is_infinite, 0.0, real)
    return copysign(real, x), select(is_infinite, copysign(const(math.pi / 2, x.dtype), y), imag)


def _where_infinite(x: Expr, y: Expr, angle: Callable[[Expr, Expr], Expr], other: Expr) -> Expr:
    """An angle of the direction in which an infinite number lies; `other` of a finite one."""
    one, zero = const(1.0, x.dtype), const(0.0, x.dtype)
    u, v = (select(isnan(e), e, copysign(select(isinf(e), one, zero), e)) for e in (x, y))
    return select(isinf(x) | isinf(y), angle(u, v), other)


def _roots_around(x: Expr, y: Expr) -> tuple[Expr, Expr, Expr, Expr]:
    """The roots of 1 - z and of 1 + z; 1 - z keeps the sign of a zero."""
    return (*sqrt(1.0 - x, -y), *sqrt(1.0 + x, y))


def asin(x: Expr, y: Expr) -> Pair:
    a, b, c, d = _roots_around(x, y)
    angle = call("atan2", x, a * c - b * d)
    angle = _where_infinite(x, y, lambda u, v: call("atan2", u, abs(v)), angle)
    return angle, call("asinh", a * d - b * c)


def acos(x: Expr, y: Expr) -> Pair:
    a, b, c, d = _roots_around(x, y)
    angle = 2.0 * call("atan2", a, c)
    angle = _where_infinite(x, y, lambda u, v: call("atan2", abs(v), u), angle)
    return angle, call("asinh", c * b - d * a)


def _turned(function: Callable[..., Pair]) -> Callable[..., Pair]:
    """f(z) = -i F(iz), as that of the circle follows from the hyperbolic one."""

    def turned(x: Expr, y: Expr) -> Pair:
        real, imag = function(-y, x)
        return imag, -real

    return turned


def cos(x: Expr, y: Expr) -> Pair:
    return cosh(-y, x)


sin, tan, atan = _turned(sinh), _turned(tanh), _turned(atanh)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "acos": acos, "acosh": acosh, "asin": asin, "asinh": asinh, "atan": atan, "atanh": atanh,
    "cos": cos, "cosh": cosh, "exp": exp, "exp2": exp2, "expm1": expm1, "log": log,
    "log10": log10, "log1p": log1p, "log2": log2, "pow": pow, "rsqrt": rsqrt,
    "sigmoid": sigmoid, "sin": sin, "sinh": sinh, "tan": tan, "tanh": tanh,
}  # fmt: skip
