"""sin, cos, tan.

The angle is taken in turns, x / (2 pi), of which whole ones are dropped, and then quarters. For any
size of x this needs the bits of 1 / (2 pi) that matter for its exponent: M. Payne, R. Hanek,
"Radian reduction for trigonometric functions", ACM SIGNUM Newsletter 18 (1983). On the remaining
eighth of a turn sine and cosine are polynomials.
"""

from __future__ import annotations

from twinoar.compile.math.coefficients import COS, HALF_PI, SIN, TURN
from twinoar.compile.math.floats import nearest, polynomial, sign_flipped
from twinoar.core.dtype import float32, float64, int32
from twinoar.core.expr import Expr, cast, const, eq, le, lt, select
from twinoar.core.loop import abs, and_, fma, round, shl

# Arguments from which a later row of TURN is precise enough, and the leading one is not.
TURN_FROM = (2.0**53, 2.0**83, 2.0**113)
EIGHTH = 0.785
TURN_ANGLE = tuple(4 * c for c in HALF_PI["float64"])


def _angle_of_float32(x: Expr) -> tuple[Expr, Expr]:
    """The rest r of x after n quarters of a turn, |r| <= pi / 4, in float64; and n mod 4.

    The first two products are exact, so that whole turns leave them without error.
    """
    first, second, third = (const(c, float64) for c in TURN["float32"][0])
    for start, row in zip(TURN_FROM, TURN["float32"][1:], strict=True):
        is_far = le(start, abs(x))
        first, second, third = (
            select(is_far, c, kept) for c, kept in zip(row, (first, second, third), strict=True)
        )
    wide = cast(x, float64)
    turn, finer = (wide * c - round(wide * c) for c in (first, second))
    n, quarter = nearest(fma(wide, third, turn + finer), 4.0)
    turn = fma(wide, third, fma(n, -0.25, turn) + finer)
    return turn * TURN_ANGLE[0], quarter


def _two_sum(x: Expr, y: Expr) -> tuple[Expr, Expr]:
    """x + y as a sum and what rounding lost of it: D. Knuth, volume 2, theorem 4.2.2B."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _angle_of_float64(x: Expr) -> tuple[Expr, Expr, Expr]:
    """The rest of x after n quarters of a turn as a sum of two, and n mod 4; for |x| < 2^42."""
    first, second, third = TURN["float64"][0]
    turns, finer = x * first, x * second
    n, quarter = nearest(turns - round(turns), 4.0)
    turn = fma(n, -0.25, turns - round(turns))
    middle, lost = _two_sum(fma(x, first, -turns), finer)
    turn, rest = _two_sum(turn, middle)
    rest = rest + (lost + (fma(x, second, -finer) + x * third))
    angle = turn * TURN_ANGLE[0]
    rest = fma(rest, TURN_ANGLE[0], fma(turn, TURN_ANGLE[1], fma(turn, TURN_ANGLE[0], -angle)))
    return angle, rest, quarter


def _angle(x: Expr) -> tuple[Expr, Expr | None, Expr]:
    """The rest of x after n quarters of a turn, what it lacks, and n mod 4, in the dtype of x."""
    is_near = lt(abs(x), EIGHTH)  # with n = 0
    if x.dtype is float32:
        wide, quarter = _angle_of_float32(x)
        return select(is_near, x, cast(wide, float32)), None, cast(quarter, int32)
    angle, rest, quarter = _angle_of_float64(x)
    return select(is_near, x, angle), select(is_near, 0.0, rest), quarter


def _sine(r: Expr, rest: Expr | None) -> Expr:
    """sin(r + rest) for |r| <= pi / 4."""
    cubic = polynomial(r * r, SIN) * (r * r)
    return fma(cubic, r, r) if rest is None else r + fma(cubic, r, rest)


def _cosine(r: Expr, rest: Expr | None) -> Expr:
    """cos(r + rest) for |r| <= pi / 4."""
    square = r * r
    small = polynomial(square, COS) * (square * square)
    if rest is not None:
        small = fma(-r, rest, small)
    return fma(square, -0.5, 1.0) + small


def _circular(x: Expr, quarters: int) -> Expr:
    """sin(x + quarters * pi / 2), without the sign of a 0."""
    r, rest, quarter = _angle(x)
    quarter = quarter + quarters
    is_cosine = eq(and_(quarter, 1), 1)
    value = select(is_cosine, _cosine(r, rest), _sine(r, rest))
    return sign_flipped(value, shl(and_(quarter, 2), 8 * x.dtype.itemsize - 2))


def sin(x: Expr) -> Expr:
    """The sine of x radians; float64 loses precision from |x| = 2^42 on."""
    return select(eq(x, 0.0), x, _circular(x, 0))


def cos(x: Expr) -> Expr:
    """The cosine of x radians; float64 loses precision from |x| = 2^42 on."""
    return _circular(x, 1)
