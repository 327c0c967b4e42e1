"""Python's integers in the 64 bits that compiled code has: what may leave these is checked.

Where the ranges of the operands show that nothing can, no check is made.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any

from twinoar.core.dim import SymbolicDim
from twinoar.core.dtype import DType, bool_, float64, int64
from twinoar.core.op.declare import Value, op_named
from twinoar.core.op.definition import Op
from twinoar.errors import ConversionError
from twinoar.ops.control.assertion import check
from twinoar.ops.math.arithmetic import add, floor_divide, multiply, remainder, subtract
from twinoar.ops.math.cast import cast
from twinoar.ops.math.compare import (
    equal,
    greater_equal,
    greater_than,
    less_equal,
    less_than,
    not_equal,
)
from twinoar.ops.math.select import select

LEAST, GREATEST = -(2**63), 2**63 - 1
EXACT = 2**53  # integers up to here are floats, all of them
Bounds = tuple[int, int]
RANGES: dict[DType, Bounds] = {bool_: (0, 1), int64: (LEAST, GREATEST)}
OVERFLOW = (
    "an integer leaves the 64 bits that compiled code has for it; Python's would go on: compute "
    "it as a float, or outside of the converted function"
)
INEXACT = (
    "integers above 2**53 are divided, which Python does with more digits than compiled code: "
    "use //, or convert them with float()"
)
PLAIN: dict[Op, Callable[[Any, Any], bool]] = {
    less_than: operator.lt, less_equal: operator.le, greater_than: operator.gt,
    greater_equal: operator.ge, equal: operator.eq, not_equal: operator.ne,
}  # fmt: skip
TURNED = {
    less_than: greater_than, less_equal: greater_equal, greater_than: less_than,
    greater_equal: less_equal, equal: equal, not_equal: not_equal,
}  # fmt: skip


def bounds_of(x: Any) -> Bounds:
    """Between what an integer or truth value lies."""
    if isinstance(x, int):
        return int(x), int(x)
    if isinstance(x, SymbolicDim):
        return -EXACT, EXACT
    known: Bounds | None = getattr(x, "bounds", None)
    return known or RANGES[x.dtype]


def range_of(dtype: DType) -> Bounds:
    """What integers of a dtype can be."""
    if dtype is bool_:
        return RANGES[bool_]
    bits = 8 * dtype.itemsize
    return (0, 2**bits - 1) if dtype.name == "uint8" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def require_whole(x: Any) -> None:
    """Raise ConversionError for a plain integer that 64 bits do not hold."""
    if isinstance(x, int) and not LEAST <= x <= GREATEST:
        raise ConversionError(
            f"{x} meets a number that only a run knows, and needs more than 64 bits",
            cure="compute with floats, or outside of the converted function",
        )


def exact(op: Op, x: Any, y: Any, found: Any) -> Any:
    """`found`, what `op` gives of integers in 64 bits; the run stops where Python has another."""
    known = _bounds(op, bounds_of(x), bounds_of(y))
    if known is None or not LEAST <= known[0] <= known[1] <= GREATEST:
        _check_near(op, x, y, found)
    else:
        found.bounds = known
    return found


def _bounds(op: Op, x: Bounds, y: Bounds) -> Bounds | None:
    """Between what a result lies, None where that is not known."""
    if op is add:
        return x[0] + y[0], x[1] + y[1]
    if op is subtract:
        return x[0] - y[1], x[1] - y[0]
    if op is multiply:
        ends = [a * b for a in x for b in y]
        return min(ends), max(ends)
    if op is remainder:
        return min(y[0] + 1, 0), max(y[1] - 1, 0)
    if op is floor_divide and not (x[0] == LEAST and y[0] <= -1 <= y[1]):
        size = max(abs(x[0]), abs(x[1]))
        return x if y[0] > 0 and x[0] >= 0 else (-size, min(size, GREATEST))
    return RANGES[int64] if op.name.startswith("bitwise") else None


def _check_near(op: Op, x: Any, y: Any, found: Any) -> None:
    """Stop where the result is not near that of floats: what wraps is 2**64 away, at least."""
    wide = op.function(_as_float(x), _as_float(y))
    distance = op_named("abs").function(subtract.function(cast(found, float64), wide))
    check(less_than.function(distance, 2.0**62), "OverflowError", OVERFLOW)


def _as_float(x: Any) -> Any:
    return float(x) if isinstance(x, int) else cast(x, float64)


def check_not_least(x: Any) -> None:
    """Stop for the integer whose negative needs more than 64 bits."""
    if bounds_of(x)[0] == LEAST:
        check(not_equal.function(x, LEAST), "OverflowError", OVERFLOW)


def check_float(x: Any) -> None:
    """Stop for an integer that is no float: Python divides these without rounding them first."""
    low, high = bounds_of(x)
    if -EXACT <= low <= high <= EXACT:
        return
    if isinstance(x, int):
        if int(float(x)) != x:
            raise ConversionError(INEXACT)
        return
    check(equal.function(cast(cast(x, float64), int64), x), "OverflowError", INEXACT)


def check_fits(x: Value) -> None:
    """Stop for a float that is no integer of 64 bits once it is cut."""
    check(equal.function(x, x), "ValueError", "cannot convert float NaN to integer")
    fits = less_than.function(op_named("abs").function(x), 2.0**63)
    check(fits, "OverflowError", "a float is converted to an integer that leaves 64 bits")


def compared(op: Op, x: Any, y: Any) -> Any:
    """`op` of two numbers, one of them a symbol: exact, whatever their types are."""
    if _is_float(x) and not _is_float(y):
        return compared(TURNED[op], y, x)
    if _is_float(x) or not _is_float(y):
        if isinstance(y, int) and not LEAST <= y <= GREATEST:
            return PLAIN[op](0, y)
        if isinstance(x, int) and not LEAST <= x <= GREATEST:
            return PLAIN[op](x, 0)
        return op.function(x, y)
    if isinstance(y, float):
        return _with_float(op, x, y)
    if isinstance(x, int):
        return _with_whole(TURNED[op], y, x)
    low, high = bounds_of(x)
    wide = _as_float(x)
    if -EXACT <= low <= high <= EXACT:
        return op.function(wide, y)
    tie = op.function(x, cast(y, int64))  # of what is equal as floats
    tie = select(greater_equal.function(y, 2.0**63), PLAIN[op](0, 1), tie)
    return select(equal.function(wide, y), tie, op.function(wide, y))


def _is_float(x: Any) -> bool:
    return x.dtype is float64 if isinstance(x, Value) else isinstance(x, float)


def _with_float(op: Op, x: Any, y: float) -> Any:
    """A symbol of an integer beside a plain float."""
    if not math.isfinite(y):
        return PLAIN[op](0, y)
    if op in (equal, not_equal) and not y.is_integer():
        return op is not_equal
    return compared(op, x, math.ceil(y) if op in (less_than, greater_equal) else math.floor(y))


def _with_whole(op: Op, x: Any, y: int) -> Any:
    """A symbol of a float beside a plain integer: beside the float next to that."""
    above = op in (less_than, greater_equal)
    try:
        near = float(y)
    except OverflowError:
        near = sys.float_info.max if y > 0 else -sys.float_info.max
    if int(near) == y:
        return op.function(x, near)
    if op in (equal, not_equal):
        return op is not_equal
    if (near > y) is not above:
        near = math.nextafter(near, math.inf if above else -math.inf)
    return op.function(x, near)
