"""Operators that change nothing, alone or together with what comes before them."""

from __future__ import annotations

from typing import Any

from twinoar.core.ir.program import Program, Variable
from twinoar.core.ir.rewrite import Attr, Rule, apply_rules, rewrite
from twinoar.ops.create.fill import identity
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.affine import scale_op
from twinoar.ops.math.cast import cast
from twinoar.ops.random.dropout import dropout_op
from twinoar.ops.shape.reshape import flatten, reshape_op, squeeze_op, transpose_op, unsqueeze_op
from twinoar.passes.registry import enabled

# What gives the same elements in the same order another shape, and how many attributes say which.
VIEWS = ((reshape_op, 1), (squeeze_op, 1), (unsqueeze_op, 1), (flatten, 2))


@rewrite(
    lambda x, key: dropout_op(x, key, Attr("p"), Attr("axis"), False, Attr("mode")), shared=True
)
def remove_dropout(x: Variable, p: float, mode: str) -> Any:
    """Dropout that is not training leaves x as it is, or scales it."""
    return x if mode == "upscale_in_train" else scale_op(x, 1 - p)


@rewrite(lambda x: identity(x))
def drop_copy(x: Variable) -> Any:
    """identity(x) = x."""
    return x


@rewrite(lambda x: scale_op(x, 1.0, 0.0, Attr("after")))
def drop_scale_one(x: Variable) -> Any:
    """1 * x + 0 = x."""
    return x


@rewrite(lambda x: reshape_op(x, Attr("shape")), where=lambda x, shape: x.spec.shape == shape)
def drop_reshape_to_itself(x: Variable) -> Any:
    """reshape(x, shape of x) = x."""
    return x


@rewrite(
    lambda x: transpose_op(x, Attr("perm")), where=lambda perm: perm == tuple(range(len(perm)))
)
def drop_transpose_to_itself(x: Variable) -> Any:
    """A transpose that leaves all axes where they are is x."""
    return x


@rewrite(lambda x: transpose_op(transpose_op(x, Attr("first")), Attr("second")), shared=True)
def merge_transposes(x: Variable, first: Any, second: Any) -> Any:
    """Two transposes are one."""
    return transpose_op(x, tuple(first[axis] for axis in second))


@rewrite(lambda x, y: matmul(x, transpose_op(y, Attr("perm")), Attr("of_x"), Attr("of_y")))
def transpose_in_matmul(x: Variable, y: Variable, perm: Any, of_x: bool, of_y: bool) -> Any:
    """x times a transpose that moves the last axis by one is a product that transposes itself."""
    if len(perm) < 2 or perm[-2] != len(perm) - 1:
        return None
    return matmul(x, transpose_op(y, (*perm[:-2], perm[-1], perm[-2])), of_x, not of_y)


@rewrite(lambda x: cast(cast(x, Attr("wide")), Attr("dtype")), shared=True)
def drop_cast_there_and_back(x: Variable, wide: Any, dtype: Any) -> Any:
    """cast(cast(x, wider), dtype of x) = x."""
    is_float = x.spec.dtype.is_floating and wide.is_floating
    is_wider = is_float and wide.itemsize > dtype.itemsize
    return x if x.spec.dtype is dtype and is_wider else None


def _merge_views(inner: Any, inner_count: int, outer: Any, outer_count: int) -> Rule:
    def pattern(x: Variable) -> Any:
        first = inner(x, *[Attr(f"inner{n}") for n in range(inner_count)])
        return outer(first, *[Attr(f"outer{n}") for n in range(outer_count)])

    def merge_views(x: Variable, **attrs: Any) -> Any:
        """One reshape for two operators in a row that only change the shape; none if it is x's."""
        between = inner(x, *[attrs[f"inner{n}"] for n in range(inner_count)])
        after = outer(between, *[attrs[f"outer{n}"] for n in range(outer_count)])
        return x if after.spec == x.spec else reshape_op(x, after.spec.shape)

    return rewrite(pattern, shared=True)(merge_views)


RULES: list[Rule] = [
    drop_copy,
    drop_scale_one,
    drop_reshape_to_itself,
    drop_transpose_to_itself,
    merge_transposes,
    transpose_in_matmul,
    drop_cast_there_and_back,
    *(_merge_views(*inner, *outer) for inner in VIEWS for outer in VIEWS),
]


def drop_identities(program: Program) -> Program:
    """Drop, in place, what changes nothing: reshapes and transposes that cancel, scales by 1.

    Returns the program.
    """
    return apply_rules(program, enabled(RULES))
