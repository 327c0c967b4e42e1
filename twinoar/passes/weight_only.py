"""Products with integers that have scales, which files hold operator by operator, as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twinoar.core.dtype import int8, int32
from twinoar.core.ir.program import Program, Variable
from twinoar.core.ir.rewrite import Attr, Rule, apply_rules, rewrite
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.affine import scale_op
from twinoar.ops.math.arithmetic import floor_divide, multiply
from twinoar.ops.math.cast import cast
from twinoar.ops.math.logical import bitwise_and, bitwise_xor
from twinoar.ops.quant.weight_only import weight_only_product
from twinoar.ops.shape.concat import stack_op
from twinoar.ops.shape.reshape import reshape_op, transpose_op
from twinoar.passes.registry import enabled


def _unpacked(w: Any) -> Any:
    """What `ops.quant.weight_only.unpacked` is in a file."""
    wide = cast(w, int32)
    low = scale_op(bitwise_xor(bitwise_and(wide, 15), 8), bias=-8.0)
    return cast(reshape_op(stack_op([low, floor_divide(wide, 16)], 1), Attr("rows")), int8)


# How integers of so many bits are read.
READ: dict[int, Callable[[Any], Any]] = {8: lambda w: w, 4: _unpacked}


def _rules(bits: int) -> list[Rule]:
    """The rules for a scale for each column, and for each column of a group of rows."""

    def of_columns(x: Any, w: Any, s: Any) -> Any:
        return multiply(matmul(x, cast(READ[bits](w), Attr("dtype")), False, True), s)

    def of_groups(x: Any, w: Any, s: Any) -> Any:
        numbers = cast(transpose_op(READ[bits](w), (1, 0)), Attr("dtype"))
        factors = reshape_op(s, Attr("factors"))
        grouped = multiply(reshape_op(numbers, Attr("grouped")), factors)
        return matmul(x, reshape_op(grouped, Attr("matrix")))

    @rewrite(of_columns)
    def fuse_weight_only(x: Any, w: Any, s: Any, dtype: Any, rows: Any = None) -> Any:
        """(x w') s, for integers w and a scale for each column, is one operator."""
        is_same = _are_integers(x, w, s, bits) and dtype is x.spec.dtype
        columns = w.spec.shape[0] * 8 // bits if is_same else 0
        if not is_same or s.spec.shape != (columns,) or rows not in (None, (-1, w.spec.shape[1])):
            return None
        return weight_only_product(x, w, s, bits)

    @rewrite(of_groups)
    def fuse_weight_only_of_groups(
        x: Any,
        w: Any,
        s: Any,
        dtype: Any,
        factors: Any,
        grouped: Any,
        matrix: Any,
        rows: Any = None,
    ) -> Any:
        """x (w' s), for integers w and scales of groups of their rows, is one operator."""
        if not _are_integers(x, w, s, bits) or dtype is not x.spec.dtype or s.spec.ndim != 2:
            return None
        (count, inner), size = w.spec.shape, grouped[1] if len(grouped) == 3 else 0
        columns = count * 8 // bits
        is_same = size > 0 and s.spec.shape == (inner // size, columns) and inner % size == 0
        shapes = ((-1, 1, columns), (-1, size, columns), (inner, columns))
        if not is_same or (factors, grouped, matrix) != shapes or rows not in (None, (-1, inner)):
            return None
        return weight_only_product(x, w, s, bits, size)

    return [fuse_weight_only, fuse_weight_only_of_groups]


def _are_integers(x: Any, w: Any, s: Any, bits: int) -> bool:
    """True for rows of floats, integers of known sizes, and scales of the dtype of the rows."""
    if not all(isinstance(v, Variable) for v in (x, w, s)):
        return False
    is_known = all(isinstance(n, int) for v in (w, s) for n in v.spec.shape)
    is_matrix = is_known and w.spec.dtype is int8 and w.spec.ndim == 2 and x.spec.ndim > 1
    return is_matrix and x.spec.dtype.is_floating and s.spec.dtype is x.spec.dtype


RULES = [rule for bits in (4, 8) for rule in _rules(bits)]


def fuse_weight_only(program: Program) -> Program:
    """Let products with integers of 8 or 4 bits that have scales, in place, be one operator.

    Returns the program.
    """
    return apply_rules(program, enabled(RULES))
