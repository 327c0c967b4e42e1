"""Whole quotients of float64 numbers, and what they leave, as procedures: exact as C's `fmod`.

Floats of 32 bits are divided in float64, whose steps are expressions (`arithmetic`). Here a step
subtracts a whole multiple of the divisor that is at most 2**53 of it, so what it leaves fits into a
float64 without rounding; how many steps there are the data decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import float64
from twinoar.core.loop import bits
from twinoar.core.loop.procedure import Array, Launcher, Procedure, cast, procedure
from twinoar.core.op.declare import loop

BLOCK = 1024  # elements that a thread takes at a time
EXACT = 2.0**53  # whole numbers below it are float64 numbers, each
STRIDE = 2.0**52  # by which a divisor grows until the quotient is below


def of_wide_floats(called: Procedure) -> Callable[[Launcher, Any, Any], bool | None]:
    """A `procedure` rule of float64 operands that broadcast; it declines all others."""

    def rule(p: Launcher, x: Any, y: Any) -> bool | None:
        out = p.results[0]
        if out.dtype is not float64:
            return False
        given = [_spread_to(p, v, out) if isinstance(v, Array) else float(v) for v in (x, y)]
        whole = [v for v in given if isinstance(v, Array)]
        count = -(-out.size // BLOCK)
        if len(whole) == 2:
            p.launch(_of_two, count, *whole, out.reshape(-1), of_two=called, work=20 * out.size)
        else:
            is_first = isinstance(given[0], Array)
            number = given[1] if is_first else given[0]
            p.launch(
                _of_one, count, whole[0], number, out.reshape(-1),
                of_two=called, is_first=is_first, work=20 * out.size,
            )  # fmt: skip
        return None

    return rule


def _spread_to(p: Launcher, x: Array, out: Array) -> Array:
    """All elements of x in the shape of the result, as a line."""
    if x.shape == out.shape:
        return x.reshape(-1)
    shape = (1,) * (out.ndim - x.ndim) + x.shape
    strides = [0 if n == 1 else math.prod(shape[k + 1 :]) for k, n in enumerate(shape)]
    *outer, (last, step) = zip(out.shape, strides, strict=True)
    copy = p.scratch((out.size // max(1, last), last), x.dtype)
    rows = copy.shape[0]
    p.launch(_spread_row, rows, x.reshape(-1), copy, step, outer=tuple(outer[::-1]), work=copy.size)
    return copy.reshape(-1)


@procedure
def _spread_row(row, source, out, step, *, outer):
    place = 0
    rest = row
    for size, stride in outer:
        place += rest % size * stride
        rest = rest // size
    for k in range(out.shape[1]):
        out[row, k] = source[place + k * step]


@procedure
def _of_two(row, x, y, out, *, of_two):
    for k in range(row * BLOCK, min(out.shape[0], (row + 1) * BLOCK)):
        out[k] = of_two(x[k], y[k])


@procedure
def _of_one(row, x, number, out, *, of_two, is_first):
    for k in range(row * BLOCK, min(out.shape[0], (row + 1) * BLOCK)):
        out[k] = of_two(x[k], number) if is_first else of_two(number, x[k])


@procedure
def whole_quotient(x, y):
    """floor(x / y), by what is left: the quotient itself may be rounded up to a whole number."""
    found = x / y
    if y != 0.0:
        left = _left(x, y)
        whole = (x - left) / y
        if left != 0.0 and (left < 0.0) != (y < 0.0):
            whole -= 1.0
        found = bits.copysign(cast(0.0, float64), x / y)
        if whole != 0.0:
            found = loop.floor(whole)
            if whole - found > 0.5:
                found += 1.0
    return found


@procedure
def rest_of(x, y):
    """What is left of x, with the sign of y; nan of a division by zero."""
    left = _left(x, y)
    if left == 0.0:
        left = bits.copysign(cast(0.0, float64), y)
    elif (left < 0.0) != (y < 0.0):
        left += y
    return left


@procedure
def _left(x, y):
    """What is left of x, with the sign of x."""
    left, divisor = abs(x), abs(y)
    if not (left < math.inf and divisor > 0.0):
        left = cast(math.nan, float64)
    while left >= divisor:
        multiple = divisor
        while not left / multiple < EXACT:
            multiple = multiple * STRIDE
        left = loop.fma(-loop.trunc(left / multiple), multiple, left)
        if left < 0.0:  # the quotient was rounded up
            left += multiple
    if not divisor >= 0.0:
        left = cast(math.nan, float64)
    return bits.copysign(left, x)
