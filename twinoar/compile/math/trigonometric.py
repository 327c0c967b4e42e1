"""sin, cos and tan.

The angle is taken in turns, x / (2 pi), of which whole ones are dropped, and then quarters. For any
size of x this needs the bits of 1 / (2 pi) that matter for its exponent: M. Payne, R. Hanek,
"Radian reduction for trigonometric functions", ACM SIGNUM Newsletter 18 (1983). On the remaining
eighth of a turn sine and cosine are polynomials.
"""

from __future__ import annotations

from twinoar.compile.math.coefficients import COS, HALF_PI, SIN, TURN, TURN_RAISED, TURN_STEP
from twinoar.compile.math.floats import (
    format_of,
    horner,
    nearest,
    sign_flipped,
    two_product,
    two_sum,
)
from twinoar.core.dtype import float32, float64, int32
from twinoar.core.loop.expression import Expr, cast, const, eq, le, lt, select
from twinoar.core.loop.language import abs, and_, fma, round, shl

EIGHTH = 0.785
TURN_ANGLE = tuple(4 * c for c in HALF_PI["float64"])


def _turn_factors(size: Expr) -> list[Expr]:
    """The row of TURN for an argument; it leaves out what gives whole turns."""
    name, fraction = size.dtype.name, format_of(size).fraction
    found = [const(c, float64) for c in TURN[name][0]]
    for nth, row in enumerate(TURN[name][1:], start=1):
        is_far = le(2.0 ** (fraction + nth * TURN_STEP[name]), size)
        found = [select(is_far, c, kept) for c, kept in zip(row, found, strict=True)]
    return found


def _part(turns: Expr) -> Expr:
    """What remains when whole turns are dropped, which is exact."""
    return turns - round(turns)


def _angle_of_float32(x: Expr) -> tuple[Expr, Expr]:
    """The rest of x after n quarters of a turn, in float64, and n mod 4.

    The first two products are exact, and the third is small.
    """
    first, second, third = _turn_factors(abs(x))
    wide = cast(x, float64)
    turn, finer = _part(wide * first), _part(wide * second)
    n, quarter = nearest(fma(wide, third, turn + finer), 4.0)
    turn = fma(wide, third, fma(n, -0.25, turn) + finer)
    return turn * TURN_ANGLE[0], quarter


def _angle_of_float64(x: Expr) -> tuple[Expr, Expr, Expr]:
    """The rest of x after n quarters of a turn as a sum of two, and n mod 4."""
    first, second, third, fourth = _turn_factors(abs(x))
    scaled = x * 2.0 ** -TURN_RAISED["float64"]
    (turn, a), (b, c), (d, rest) = (two_product(scaled, f) for f in (first, second, third))
    turn, a, b = _part(turn), _part(a), _part(b)
    n, quarter = nearest((turn + a) + b + (c + d), 4.0)
    turn = fma(n, -0.25, turn)
    rest = fma(scaled, fourth, rest)
    for term in (a, b, c, d):
        turn, lost = two_sum(turn, term)
        rest = rest + lost
    angle, lost = two_product(turn, const(TURN_ANGLE[0], float64))
    rest = fma(rest, TURN_ANGLE[0], fma(turn, TURN_ANGLE[1], lost))
    is_near = lt(abs(x), EIGHTH)  # with n = 0
    return select(is_near, x, angle), select(is_near, 0.0, rest), quarter


def _sine(r: Expr, rest: Expr | None, table: str) -> Expr:
    """sin(r + rest) for |r| <= pi / 4, as precise as the dtype `table`."""
    cubic = horner(r * r, SIN[table]) * (r * r)
    return fma(cubic, r, r) if rest is None else r + fma(cubic, r, rest)


def _cosine(r: Expr, rest: Expr | None, table: str) -> Expr:
    """cos(r + rest) for |r| <= pi / 4, as precise as the dtype `table`."""
    square = r * r
    small = horner(square, COS[table]) * (square * square)
    if rest is not None:
        small = fma(-r, rest, small)
    return fma(square, -0.5, 1.0) + small


def _circular(x: Expr, quarters: int) -> Expr:
    """sin(x + quarters * pi / 2), without the sign of a 0."""
    rest = None
    if x.dtype is float32:
        angle, whole = _angle_of_float32(x)
        r, quarter = cast(angle, float32), cast(whole, int32)
    else:
        r, rest, quarter = _angle_of_float64(x)
    quarter = quarter + quarters
    name = x.dtype.name
    value = select(_is_odd(quarter), _cosine(r, rest, name), _sine(r, rest, name))
    return sign_flipped(value, shl(and_(quarter, 2), 8 * x.dtype.itemsize - 2))


def _is_odd(quarter: Expr) -> Expr:
    return eq(and_(quarter, 1), 1)


def sin(x: Expr) -> Expr:
    """The sine of x radians."""
    return select(eq(x, 0.0), x, _circular(x, 0))


def cos(x: Expr) -> Expr:
    """The cosine of x radians."""
    return _circular(x, 1)


def tan(x: Expr) -> Expr:
    """The tangent of x radians: the quotient of sine and cosine, for float32 in float64."""
    rest = None
    if x.dtype is float32:
        r, quarter = _angle_of_float32(x)
    else:
        r, rest, quarter = _angle_of_float64(x)
    sine, cosine = _sine(r, rest, x.dtype.name), _cosine(r, rest, x.dtype.name)
    is_odd = _is_odd(quarter)
    quotient = select(is_odd, -cosine, sine) / select(is_odd, sine, cosine)
    return select(eq(x, 0.0), x, cast(quotient, x.dtype))
