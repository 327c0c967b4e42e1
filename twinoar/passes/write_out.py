"""Operators whose loops would be slow as one kernel, written out as several."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.dtype import DType, int32, int64
from twinoar.core.ir.program import Program, Variable
from twinoar.core.ir.rewrite import Attr, Rule, apply_rules, rewrite
from twinoar.core.loop.language import compute_dtype
from twinoar.core.spec import normalize_axis
from twinoar.core.varying import is_one, less
from twinoar.ops.activation.softmax import log_softmax_op, softmax_op
from twinoar.ops.create.range import iota
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, isnan
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.math.select import select
from twinoar.ops.reduce.extreme import MANY, argmax_op, argmin_op, max_op, min_op
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.reshape import reshape_op

# Along an axis that does not lie innermost each row of a softmax goes through memory in steps, and
# neighbors could not share an instruction. Its reductions alone are accumulated over such rows, so
# they become values of their own: of [8, 20, 128, 128] along the channels 4 ms instead of 300. So
# do those of positions: of [1000, 1000] along the columns 0.25 ms instead of 2.6.


@rewrite(lambda x: softmax_op(x, Attr("axis")))
def write_out_softmax(x: Variable, axis: int) -> Any:
    """softmax(x) = exp(x - max(x)) / sum(exp(x - max(x)))."""
    if _lies_innermost(x, axis):
        return None
    powers = exp(_less_the_largest(x, axis))
    return astype(powers / sum_op(powers, (axis,), True), x.spec.dtype)


@rewrite(lambda x: log_softmax_op(x, Attr("axis")))
def write_out_log_softmax(x: Variable, axis: int) -> Any:
    """log_softmax(x) = x - max(x) - log(sum(exp(x - max(x))))."""
    if _lies_innermost(x, axis):
        return None
    less = _less_the_largest(x, axis)
    return astype(less - log(sum_op(exp(less), (axis,), True)), x.spec.dtype)


@rewrite(lambda x: argmax_op(x, Attr("axis"), Attr("keepdim"), Attr("dtype")))
def write_out_argmax(x: Variable, axis: int | None, keepdim: bool, dtype: DType) -> Any:
    """The first position of max(x)."""
    return _first_position(x, axis, keepdim, dtype, max_op, -math.inf)


@rewrite(lambda x: argmin_op(x, Attr("axis"), Attr("keepdim"), Attr("dtype")))
def write_out_argmin(x: Variable, axis: int | None, keepdim: bool, dtype: DType) -> Any:
    """The first position of min(x)."""
    return _first_position(x, axis, keepdim, dtype, min_op, math.inf)


def _first_position(
    x: Variable, axis: int | None, keepdim: bool, dtype: DType, extreme: Any, last: float
) -> Any:
    """Where the extreme along an axis stands first; a nan counts as `last`."""
    if axis is None or _lies_innermost(x, axis):
        return None
    count, rank = x.spec.shape[axis], len(x.spec.shape)
    wide = astype(x, compute_dtype(x.spec.dtype))
    if x.spec.dtype.is_floating:
        wide = select(isnan(wide), last, wide)
    form: list[Any] = [1] * rank
    form[axis] = count
    place = int32 if less(count, MANY) else int64
    here = reshape_op(iota(count, place), tuple(form))
    places = select(equal(wide, extreme(wide, (axis,), True)), here, count)
    return astype(min_op(places, (axis,), keepdim), dtype)


def _lies_innermost(x: Variable, axis: int) -> bool:
    """True where rows along the axis are contiguous, or there are no elements."""
    shape = x.spec.shape
    if not shape or 0 in shape:
        return True
    return all(map(is_one, shape[normalize_axis(axis, len(shape)) + 1 :]))


def _less_the_largest(x: Variable, axis: int) -> Any:
    """x less its maximum, in the precision in which kernels compute."""
    wide = astype(x, compute_dtype(x.spec.dtype))
    return wide - max_op(wide, (axis,), True)


RULES: list[Rule] = [
    write_out_softmax, write_out_log_softmax, write_out_argmax, write_out_argmin,
]  # fmt: skip


def write_out(program: Program) -> Program:
    """Write out what is slow as one kernel, in place. Returns the program."""
    return apply_rules(program, RULES)
