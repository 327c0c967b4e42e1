"""Values as integers between -limit and limit, by a scale: what the operators here share.

The scale is the largest magnitude, which becomes limit = 2^(bits - 1) - 1. Source: arXiv
1712.05877, section 2.1.
"""

from __future__ import annotations

from twinoar.core.dim import is_known
from twinoar.core.op.declare import Tensor, Value, normalize_axis
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.math.compare import less_equal
from twinoar.ops.math.rounding import round_op, trunc
from twinoar.ops.math.select import clip_op, maximum, minimum, select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.reduce.extreme import max_op
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import check_floating, widened

FEWEST_BITS, MOST_BITS = 2, 16
LEAST_SCALE = 1e-30  # below it Paddle divides by the scale and this much more
INSTEAD_OF_ZERO = 1e-6
TO_EVEN, AWAY_FROM_ZERO = 0, 1  # by Paddle's numbers in `round_type`

# Paddle's attribute -> ours, of all that round.
ROUNDING = {"bit_length": "bit_length", "round_type": "round_type"}


def limit_of(bit_length: int) -> int:
    """The largest integer of so many bits, one of them the sign. Raises ArgumentError."""
    if not FEWEST_BITS <= bit_length <= MOST_BITS:
        raise ArgumentError(
            f"bit_length must be between {FEWEST_BITS} and {MOST_BITS}, received {bit_length}"
        )
    return 2 ** (bit_length - 1) - 1


def check(x: Value, round_type: int) -> None:
    """Raise DTypeError for what is not floating, ArgumentError for a rounding that is none."""
    check_floating(x.spec)
    if round_type not in (TO_EVEN, AWAY_FROM_ZERO):
        raise ArgumentError(
            f"round_type must be 0, halves to even, or 1, halves away from 0, received {round_type}"
        )


def largest(x: Tensor) -> Tensor:
    """The largest magnitude, [1]."""
    return reshape(max_op(magnitude(x)), (1,))


def largest_along(x: Tensor, axis: int) -> Tensor:
    """The largest magnitude at each index along an axis, [C]."""
    kept = normalize_axis(axis, x.ndim, "quant_axis")
    others = tuple(a for a in range(x.ndim) if a != kept)
    return max_op(magnitude(x), others) if others else magnitude(x)


def along(scale: Tensor, x: Tensor, axis: int) -> Tensor:
    """A scale [C] in a shape that broadcasts with x along an axis. Raises ShapeError."""
    kept = normalize_axis(axis, x.ndim, "quant_axis")
    size, given = x.spec.shape[kept], scale.spec.shape
    if len(given) != 1 or (is_known(size, *given) and given[0] != size):
        raise ShapeError(f"expected one scale for each of {size} along {axis}, got {list(given)}")
    return reshape(scale, [-1 if a == kept else 1 for a in range(x.ndim)])


def slope(scale: Tensor, limit: float) -> Tensor:
    """What x is multiplied by to become an integer: limit / scale."""
    wide = widened(scale)
    is_nothing = less_equal(wide, LEAST_SCALE)
    return 1.0 / select(is_nothing, wide + INSTEAD_OF_ZERO, wide) * limit


def integers(x: Tensor, scale: Tensor, limit: float, round_type: int) -> Tensor:
    """Whole numbers nearest to x * limit / scale, in the precision of sums.

    scale: broadcasts with x. What lies outside becomes limit, or -limit, of halves to even
    -limit - 1.
    """
    wide = widened(x)
    if round_type == TO_EVEN:
        return clip_op(round_op(wide * slope(scale, limit)), -limit - 1.0, float(limit))
    bound = widened(scale)
    return away_from_zero(minimum(maximum(wide, -bound), bound) * slope(scale, limit))


def away_from_zero(x: Tensor) -> Tensor:
    """The whole number nearest to x, of two the one farther from 0."""
    whole = trunc(x)
    return whole + trunc((x - whole) * 2.0)  # what is cut off is exact, and so is its double


def moved(
    x: Tensor, accum: Tensor | None, state: Tensor | None, moving_rate: float
) -> tuple[Tensor, Tensor, Tensor]:
    """The scale of a moving average, and its new count and sum. Raises ArgumentError."""
    if accum is None or state is None:
        raise ArgumentError(
            "the sum and the count of a moving average are missing",
            cure="pass both, or set is_test to take the scale as it is",
        )
    state = state * moving_rate + 1.0
    accum = accum * moving_rate + widened(largest(x))
    return accum / state, state, accum
