"""Weights as integers of 8 or 4 bits with a scale for each column, and products with them.

How they lie, `ops.quant.weight_only` says; Paddle's GPU kernels lay the same numbers out for their
own instructions.
"""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import bfloat16, dtype_of, float16, float32, int8
from twinoar.core.op.declare import Tensor, function
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.control.assertion import check
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, greater_than, isfinite
from twinoar.ops.math.rounding import round_op
from twinoar.ops.math.select import clip_op, select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.quant.weight_only import matrix_of, packed, weight_only_product
from twinoar.ops.reduce.extreme import max_op
from twinoar.ops.reduce.reduction import all_op, any_op
from twinoar.ops.shape.reshape import reshape, transpose

LARGEST = {"weight_only_int8": 127, "weight_only_int4": 7, "llm.int8": 127}
GROUPS = (-1, 64, 128)
FLOATS = (float16, bfloat16, float32)


@function(named=False)
def weight_quantize(
    x: Tensor, algo: str = "weight_only_int8", arch: Any = None, group_size: int = -1
) -> tuple[Tensor, Tensor]:
    """A matrix as integers, and what they are multiplied by.

    x: [K,N], float16, bfloat16 or float32. algo: "weight_only_int8", "weight_only_int4" or
    "llm.int8". arch: without effect. group_size: 64 or 128 rows with a scale of their own, -1 for
    one scale for each column. Returns integers [N,K], of 4 bits [N / 2,K], int8, and scales [N] or
    [K / group_size,N], the largest magnitude divided by 127 or 7, in the dtype of x, for "llm.int8"
    float32. Raises ArgumentError, also for weights that are not finite, DTypeError, ShapeError.

    >>> q, scale = weight_quantize(twinoar.to_tensor([[1.27, -2.0], [-0.5, 1.0]]))
    >>> q.tolist(), [round(s, 4) for s in scale.tolist()]
    ([[127, -50], [-127, 64]], [0.01, 0.0157])
    """
    _check_algo(algo, group_size)
    if x.dtype not in FLOATS:
        raise DTypeError(f"x must be one of float16, bfloat16, float32, received {x.spec}")
    if x.ndim != 2:
        raise ShapeError(f"x must be [K,N], received {x.spec}")
    rows, columns = x.spec.shape
    if group_size > 0 and isinstance(rows, int) and rows % group_size:
        raise ShapeError(f"groups of {group_size} rows do not divide {rows}")
    check(all_op(isfinite(x)), "ValueError", "weights to quantize must be finite")
    wide = astype(x, float32)
    grouped = reshape(wide, (-1, group_size if group_size > 0 else rows, columns))
    largest = max_op(magnitude(grouped), (1,), True)
    limit = LARGEST[algo]
    scale = astype(largest * (1.0 / limit), float32 if algo == "llm.int8" else x.dtype)
    divisor = astype(scale, float32)
    parts = grouped / select(equal(divisor, 0.0), 1.0, divisor)
    numbers = clip_op(round_op(parts), -float(limit), float(limit))
    kept = astype(transpose(reshape(numbers, (rows, columns)), [1, 0]), int8)
    scales = reshape(scale, (-1, columns) if group_size > 0 else (columns,))
    return (packed(kept) if algo == "weight_only_int4" else kept), scales


@function(named=False)
def weight_dequantize(
    x: Tensor,
    scale: Tensor,
    algo: str = "weight_only_int8",
    out_dtype: Any = "float16",
    group_size: int = -1,
) -> Tensor:
    """The matrix [K,N] that `weight_quantize` made integers of, in a dtype.

    x, scale: what that returned. algo, group_size: what it was given. Raises ArgumentError,
    DTypeError, ShapeError.

    >>> q, scale = weight_quantize(twinoar.to_tensor([[1.27, -2.54], [-0.5, 1.0]]))
    >>> weight_dequantize(q, scale, out_dtype="float32").round(decimals=2).tolist()
    [[1.2699..., -2.5399...], [-0.5, 1.0]]
    """
    _check_algo(algo, group_size)
    dtype = dtype_of(out_dtype)
    if dtype not in FLOATS:
        raise DTypeError(f"out_dtype must be one of {FLOATS}, received {dtype.name}")
    is_half_byte = algo == "weight_only_int4"
    _check_kept(x, scale, is_half_byte, group_size)
    return matrix_of(x, scale, 4 if is_half_byte else 8, group_size, dtype)


@function(named=False)
def weight_only_linear(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    weight_scale: Tensor | None = None,
    weight_dtype: Any = "int8",
    arch: Any = None,
    group_size: int = -1,
) -> Tensor:
    """x times a matrix that `weight_quantize` made integers of, plus a bias.

    x: [*,K], floating. weight, weight_scale: what that returned. bias: [N]. weight_dtype: "int8",
    or "int4". arch: without effect. group_size: what that was given. Returns [*,N] in the dtype of
    x. Raises ArgumentError, also where weight_scale is missing, DTypeError, ShapeError.

    >>> q, scale = weight_quantize(twinoar.to_tensor([[1.27, -2.54], [-1.27, 2.54]]))
    >>> weight_only_linear(twinoar.to_tensor([[1.0, 0.0]]), q, None, scale).tolist()
    [[1.2699..., -2.5399...]]
    """
    if str(weight_dtype).rpartition(".")[2] not in ("int8", "int4"):
        raise ArgumentError(f"weight_dtype must be 'int8' or 'int4', received {weight_dtype!r}")
    _check_algo("weight_only_int8", group_size)
    if weight_scale is None:
        raise ArgumentError(
            "weight_scale is missing: the integers alone do not say how large weights are",
            cure="pass the second result of weight_quantize",
        )
    if x.dtype not in FLOATS:
        raise DTypeError(f"x must be one of float16, bfloat16, float32, received {x.spec}")
    is_half_byte = str(weight_dtype).endswith("int4")
    _check_kept(weight, weight_scale, is_half_byte, group_size)
    out = weight_only_product(x, weight, weight_scale, 4 if is_half_byte else 8, group_size)
    return out if bias is None else out + bias


@function(named=False)
def llm_int8_linear(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    weight_scale: Tensor | None = None,
    threshold: float = 6.0,
) -> Tensor:
    """x times an int8 matrix: columns of x with large elements in floats, the others as int8, too.

    x: [*,K], floating. weight, weight_scale: of `weight_quantize(algo="llm.int8")`. bias: [N].
    threshold: a column of x with a larger magnitude is not made int8. Returns [*,N] in the dtype
    of x. Raises ArgumentError, DTypeError, ShapeError. Source: arXiv 2208.07339, section 3.

    >>> q, scale = weight_quantize(twinoar.to_tensor([[1.27], [-1.27]]), algo="llm.int8")
    >>> round(llm_int8_linear(twinoar.to_tensor([[1.0, 8.0]]), q, None, scale).item(), 2)
    -8.89
    """
    if weight_scale is None:
        raise ArgumentError(
            "weight_scale is missing: the integers alone do not say how large weights are",
            cure="pass the second result of weight_quantize",
        )
    if x.dtype not in FLOATS:
        raise DTypeError(f"x must be one of float16, bfloat16, float32, received {x.spec}")
    _check_kept(weight, weight_scale, False, -1)
    wide = astype(x, float32)
    others = tuple(range(x.ndim - 1))
    is_large = any_op(greater_than(magnitude(wide), threshold), others, True)
    small, large = select(is_large, 0.0, wide), select(is_large, wide, 0.0)
    largest = max_op(magnitude(small), (-1,), True)
    row_scale = select(equal(largest, 0.0), 1.0, largest) * (1.0 / 127)
    # Products of int8 add up exactly in float32 up to 1,040 of them, and beyond almost so.
    numbers, kept = round_op(small / row_scale), astype(weight, float32)
    out = matmul(numbers, kept, transpose_y=True) * row_scale
    out = out + matmul(large, kept, transpose_y=True)
    out = astype(out * astype(weight_scale, float32), x.dtype)
    return out if bias is None else out + bias


def _check_algo(algo: str, group_size: int) -> None:
    if algo not in LARGEST:
        raise ArgumentError(f"algo must be one of {', '.join(LARGEST)}, received {algo!r}")
    if group_size not in GROUPS:
        raise ArgumentError(f"group_size must be -1, 64 or 128, received {group_size!r}")


def _check_kept(weight: Tensor, scale: Tensor, is_half_byte: bool, group_size: int) -> None:
    if weight.dtype is not int8 or weight.ndim != 2:
        raise DTypeError(
            f"expected integers [N,K], int8, received {weight.spec}",
            cure="pass the first result of weight_quantize",
        )
    columns: Any = weight.spec.shape[0]
    columns = columns * 2 if is_half_byte else columns
    rows: Any = weight.spec.shape[1]
    wanted = (rows // group_size, columns) if group_size > 0 else (columns,)
    if len(scale.spec.shape) != len(wanted) or not may_equal(scale.spec.shape, wanted):
        raise ShapeError(
            f"scales of {weight.spec} must be {list(wanted)}, received {scale.spec}",
            cure="pass what weight_quantize returned, and what it was given",
        )
