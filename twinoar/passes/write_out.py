"""Operators whose loops would be slow as one kernel, written out as several."""

from __future__ import annotations

from typing import Any

from twinoar.core.ir.program import Program, Variable
from twinoar.core.ir.rewrite import Attr, Rule, apply_rules, rewrite
from twinoar.core.loop.language import compute_dtype
from twinoar.core.spec import normalize_axis
from twinoar.core.varying import is_one
from twinoar.ops.activation.softmax import log_softmax_op, softmax_op
from twinoar.ops.math.cast import astype
from twinoar.ops.math.exponential import exp, log
from twinoar.ops.reduce.extreme import max_op
from twinoar.ops.reduce.reduction import sum_op

# Along an axis that does not lie innermost each row of a softmax goes through memory in steps, and
# neighbors could not share an instruction. Its reductions alone are accumulated over such rows, so
# they become values of their own: of [8, 20, 128, 128] along the channels 4 ms instead of 300.


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


RULES: list[Rule] = [write_out_softmax, write_out_log_softmax]


def write_out(program: Program) -> Program:
    """Write out what is slow as one kernel, in place. Returns the program."""
    return apply_rules(program, RULES)
