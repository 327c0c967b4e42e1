"""Products with matrices that are kept as integers of 8 or 4 bits, and how these lie.

A matrix [K,N] is kept as [N,K], int8: each row is a column, divided by its scale. Of 4 bits, two
columns share a row: column 2j has the low bits of row j, column 2j + 1 the high ones.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import DType, int8, int32
from twinoar.core.loop.language import compute_dtype
from twinoar.core.op.declare import Tensor, op
from twinoar.core.op.library import WeightOnly
from twinoar.errors import ShapeError
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import floor_divide
from twinoar.ops.math.cast import astype
from twinoar.ops.math.logical import bitwise_and, bitwise_xor
from twinoar.ops.shape.concat import stack
from twinoar.ops.shape.reshape import reshape, transpose


@op(amp="low", amp_operands=("x",))
def weight_only_product(
    x: Tensor, weight: Tensor, scale: Tensor, bits: int = 8, group_size: int = -1
) -> Tensor:
    """x times a matrix [K,N] of integers of 8 or 4 bits with scales.

    x: [...,M,K], floating. weight: [N,K], of 4 bits [N / 2,K], int8. scale: [N], or for groups of
    so many rows [K / group_size,N]. Returns [...,M,N], the dtype of x. Raises ShapeError.

    >>> from twinoar.ops.quant.weight_only import weight_only_product
    >>> weight = twinoar.to_tensor([[1, 2], [3, 4]], "int8")
    >>> weight_only_product(twinoar.ones([1, 2]), weight, twinoar.to_tensor([1.0, 0.5])).tolist()
    [[3.0, 3.5]]
    """
    if group_size > 0:
        return matmul(x, matrix_of(weight, scale, bits, group_size, x.dtype))
    numbers = unpacked(weight) if bits == 4 else weight
    # The scale of a column is that of a result.
    return matmul(x, astype(numbers, x.dtype), transpose_y=True) * astype(scale, x.dtype)


@weight_only_product.kernel
def _(x, weight, scale, bits, group_size):
    halves = np.stack([(weight << 4) >> 4, weight >> 4], 1) if bits == 4 else weight
    numbers = halves.reshape(-1, weight.shape[1]).T
    kind = np.result_type(x.dtype, np.float32)
    groups = scale.astype(kind).reshape(-1, 1, numbers.shape[1])
    wide = numbers.reshape(len(groups), -1, numbers.shape[1]) * groups
    return (x.astype(kind) @ wide.reshape(numbers.shape)).astype(x.dtype)


@weight_only_product.library
def _(specs, bits, group_size):
    return WeightOnly(bits, group_size) if specs[0].ndim > 1 else None


@weight_only_product.flops
def _(x, weight, scale, bits, group_size):
    return 2 * math.prod(x.shape[:-1]) * weight.size * (8 // bits)


@weight_only_product.samples
def _(s):
    def some(low, high, *shape):
        return s.ints(low, high, *shape, dtype="int8")

    x, wide = s.randn(3, 20), s.randn(2, 2, 128)
    yield s(x, some(-127, 128, 5, 20), s.uniform(0.5, 1, 5))
    yield s(x, some(-128, 128, 3, 20), s.uniform(0.5, 1, 6), bits=4)
    yield s(wide, some(-127, 128, 4, 128), s.uniform(0.5, 1, 2, 4), group_size=64)
    yield s(wide, some(-128, 128, 2, 128), s.uniform(0.5, 1, 1, 4), 4, 128)
    yield s.bad(ShapeError, "x has 20 columns", x, some(-127, 128, 5, 30), s.uniform(0.5, 1, 5))


def matrix_of(weight: Tensor, scale: Tensor, bits: int, group_size: int, dtype: DType) -> Tensor:
    """The matrix [K,N] that integers and scales stand for."""
    kept = unpacked(weight) if bits == 4 else weight
    kind = compute_dtype(dtype)
    numbers = astype(transpose(kept, [1, 0]), kind)
    rows, columns = numbers.spec.shape
    grouped = reshape(numbers, (-1, group_size if group_size > 0 else rows, columns))
    factors = reshape(astype(scale, kind), (-1, 1, columns))
    return astype(reshape(grouped * factors, (rows, columns)), dtype)


def packed(kept: Tensor) -> Tensor:
    """Pairs of rows, of -8 to 7, as one row. Raises ShapeError."""
    columns, rows = kept.spec.shape
    if isinstance(columns, int) and columns % 2:
        raise ShapeError(f"of 4 bits two columns share a row: N must be even, received {columns}")
    pairs: Any = astype(reshape(kept, (-1, 2, rows)), int32)
    return astype(bitwise_and(pairs[:, 0], 15) + pairs[:, 1] * 16, int8)


def unpacked(x: Tensor) -> Tensor:
    """Rows of pairs, each as two rows again."""
    wide = astype(x, int32)
    low = bitwise_xor(bitwise_and(wide, 15), 8) - 8  # its fourth bit is a sign
    pairs = stack([low, floor_divide(wide, 16)], 1)
    return astype(reshape(pairs, (-1, x.spec.shape[1])), int8)
