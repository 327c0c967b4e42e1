"""ATen's operators that make tensors of sizes and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import DType, float32, float64, int64
from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.formats.torch.aten.table import result_dtype, target
from twinoar.ops.create.fill import full
from twinoar.ops.create.range import arange, linspace
from twinoar.ops.index.diagonal import tril_indices, triu_indices
from twinoar.ops.math.cast import astype


@target("aten.full")
def full_(size: Sequence[Any], fill_value: Any, dtype: DType | None = None) -> Any:
    """A tensor of one number."""
    return full(list(size), fill_value, dtype or result_dtype(fill_value))


@target("aten.zeros", "aten.empty", "aten.empty_permuted", "aten.empty_strided")
def zeros_(
    size: Sequence[Any], dtype: DType | None = None, physical_layout: Any = None, stride: Any = None
) -> Any:
    """Zeros, which stand for what is empty too."""
    return full(list(size), 0, dtype or float32)


@target("aten.ones")
def ones_(size: Sequence[Any], dtype: DType | None = None) -> Any:
    """Ones."""
    return full(list(size), 1, dtype or float32)


@target("aten.full_like")
def full_like(self: Value, fill_value: Any, dtype: DType | None = None) -> Any:
    """One number in the shape of self."""
    return full(list(self.spec.shape), fill_value, dtype or self.dtype)


@target("aten.zeros_like", "aten.empty_like")
def zeros_like(self: Value, dtype: DType | None = None) -> Any:
    """Zeros in the shape of self."""
    return full_like(self, 0, dtype)


@target("aten.ones_like")
def ones_like(self: Value, dtype: DType | None = None) -> Any:
    """Ones in the shape of self."""
    return full_like(self, 1, dtype)


@target("aten.new_full")
def new_full(self: Value, size: Sequence[Any], fill_value: Any, dtype: DType | None = None) -> Any:
    """One number in the dtype of self."""
    return full(list(size), fill_value, dtype or self.dtype)


@target("aten.new_zeros", "aten.new_empty", "aten.new_empty_strided")
def new_zeros(
    self: Value, size: Sequence[Any], dtype: DType | None = None, stride: Any = None
) -> Any:
    """Zeros in the dtype of self."""
    return new_full(self, size, 0, dtype)


@target("aten.new_ones")
def new_ones(self: Value, size: Sequence[Any], dtype: DType | None = None) -> Any:
    """Ones in the dtype of self."""
    return new_full(self, size, 1, dtype)


@target("aten.scalar_tensor")
def scalar_tensor(s: Any, dtype: DType | None = None) -> Any:
    """A number as a tensor."""
    return full([], s, dtype or float32)


@target("aten.arange")
def arange_(end: Any, start: Any = 0, step: Any = 1, dtype: DType | None = None) -> Any:
    """Numbers at equal steps."""
    whole = result_dtype(start, end, step) == int64
    return arange(start, end, step, dtype or (int64 if whole else float32))


@target("aten.linspace")
def linspace_(start: Any, end: Any, steps: Any, dtype: DType | None = None) -> Any:
    """So many numbers from one to another."""
    return linspace(start, end, steps, dtype or float32)


@target("aten.eye")
def eye(n: int, m: int | None = None, dtype: DType | None = None) -> Any:
    """Ones on the diagonal."""
    return op_named("eye")(n, n if m is None else m, dtype or float32)


@target("aten.tril_indices")
def places_below(row: int, col: int, offset: int = 0, dtype: DType | None = None) -> Any:
    """The positions of a matrix that do not lie above a diagonal."""
    return tril_indices(row, col, offset, dtype or int64)


@target("aten.triu_indices")
def places_above(row: int, col: int, offset: int = 0, dtype: DType | None = None) -> Any:
    """The positions of a matrix that do not lie below a diagonal."""
    return triu_indices(row, col, offset, dtype or int64)


@target("aten.logspace")
def logspace(
    start: Any, end: Any, steps: Any, base: float = 10.0, dtype: DType | None = None
) -> Any:
    """Powers of numbers at equal distances."""
    exponents = linspace(start, end, steps, float64)
    return astype(op_named("exp")(exponents * math.log(base)), dtype or float32)
