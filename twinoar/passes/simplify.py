"""Algebra: rules that hold for every input, non-finite ones too, each with its equation."""

from __future__ import annotations

from typing import Any

from twinoar.core.ir.program import Program, Variable
from twinoar.core.ir.rewrite import Attr, Rule, apply_rules, rewrite
from twinoar.core.varying import same_shape
from twinoar.ops.math.affine import neg
from twinoar.ops.math.arithmetic import add, divide, multiply, subtract
from twinoar.ops.math.cast import broadcast_to, cast, sum_to_shape
from twinoar.passes.registry import enabled

# Integers decline, of which these make floats; complex numbers where 1 is 1 + 0j: 0 * inf is nan.


@rewrite(lambda x: multiply(x, 1.0))
def drop_multiply_one(x: Variable) -> Any:
    """x * 1 = x."""
    return x if x.spec.dtype.is_floating else None


@rewrite(lambda x: divide(x, 1.0))
def drop_divide_one(x: Variable) -> Any:
    """x / 1 = x."""
    return x if x.spec.dtype.is_floating else None


@rewrite(lambda x: subtract(x, 0.0))
def drop_subtract_zero(x: Variable) -> Any:
    """x - 0 = x, for -0.0 too (x + 0 is not: -0.0 + 0.0 = 0.0)."""
    return x if x.spec.dtype.is_differentiable else None


@rewrite(lambda x: neg(neg(x)), shared=True)
def drop_double_negation(x: Variable) -> Any:
    """-(-x) = x."""
    return x


@rewrite(lambda x, y: add(x, neg(y)), shared=True)
def add_of_negation(x: Variable, y: Variable) -> Any:
    """x + (-y) = x - y."""
    return subtract(x, y)


@rewrite(lambda x: cast(x, Attr("dtype")))
def drop_cast_to_itself(x: Variable, dtype: Any) -> Any:
    """cast(x, dtype of x) = x."""
    return x if x.spec.dtype == dtype else None


@rewrite(lambda x: broadcast_to(x, Attr("shape")))
def drop_broadcast_to_itself(x: Variable, shape: Any) -> Any:
    """broadcast_to(x, shape of x) = x."""
    return x if same_shape(x.spec.shape, shape) else None


@rewrite(lambda x: sum_to_shape(x, Attr("shape")))
def drop_sum_to_itself(x: Variable, shape: Any) -> Any:
    """sum_to_shape(x, shape of x) = x."""
    return x if same_shape(x.spec.shape, shape) else None


RULES: list[Rule] = [
    drop_multiply_one,
    drop_divide_one,
    drop_subtract_zero,
    drop_double_negation,
    add_of_negation,
    drop_cast_to_itself,
    drop_broadcast_to_itself,
    drop_sum_to_itself,
]


def simplify(program: Program) -> Program:
    """Apply the rules until none fires, in place. Returns the program."""
    return apply_rules(program, enabled(RULES))
