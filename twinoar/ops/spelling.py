"""Paddle's other spellings of operators: eq, mul, ger, and what is named after other frameworks."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import dtype_of
from twinoar.core.interpreter import current
from twinoar.core.op.declare import Tensor, function, inplace, method
from twinoar.core.op.explain import told
from twinoar.core.values import INPLACE
from twinoar.ops.activation.softmax import softmax as shares_along
from twinoar.ops.create.range import arange, in_kind
from twinoar.ops.index.diagonal import tril, triu
from twinoar.ops.index.mask import where
from twinoar.ops.linalg.matmul import addmm, matmul, outer, share_of
from twinoar.ops.math.arithmetic import add, divide, multiply
from twinoar.ops.math.cast import astype, cast
from twinoar.ops.math.compare import (
    equal,
    greater_equal,
    greater_than,
    less_equal,
    less_than,
    not_equal,
)
from twinoar.ops.math.logical import bitwise_not
from twinoar.ops.shape.reshape import swapaxes, t

eq = method("eq")(equal)
ne = method("ne")(not_equal)
lt = method("lt")(less_than)
le = method("le")(less_equal)
gt = method("gt")(greater_than)
ge = method("ge")(greater_equal)
less = method("less")(less_than)
greater = method("greater")(greater_than)
mul = method("mul")(multiply)
bitwise_invert = method("bitwise_invert")(bitwise_not)
ger = method("ger")(outer)
swapdims = swapaxes

_SPELLINGS = {"less_": "less_than_", "mul_": "multiply_", "bitwise_invert_": "bitwise_not_"}
for _spelling, _name in _SPELLINGS.items():
    INPLACE[_spelling] = method(_spelling)(INPLACE[_name])
for _operator in (addmm, cast, t, tril, triu):
    inplace(_operator)


@function(method=True, named=False)
def true_divide(input: Tensor, other: Any) -> Tensor:
    """input / other. See `divide`.

    >>> twinoar.true_divide(twinoar.to_tensor([1]), twinoar.to_tensor([2])).tolist()
    [0.5]
    """
    return divide(input, other)


@function(method=True, named=False)
def softmax(input: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    """exp(x) / sum(exp(x)) along `dim`. See `nn.functional.softmax`.

    dim: None means the first dimension of x where it has none, one or three, else the second.

    >>> twinoar.softmax(twinoar.zeros([2])).tolist()
    [0.5, 0.5]
    """
    if dim is None:
        dim = 0 if input.ndim in (0, 1, 3) else 1
    return shares_along(input, dim, dtype)


@function(method=True, inplace=True)
def baddbmm(input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0) -> Tensor:
    """beta input + alpha x @ y, for batches of matrices.

    input: broadcasts to [B,M,N]. x: [B,M,K]. y: [B,K,N]. Returns [B,M,N]. Raises ShapeError.

    >>> x = twinoar.ones([1, 1, 2])
    >>> twinoar.baddbmm(twinoar.ones([1, 1, 1]), x, twinoar.ones([1, 2, 1]), alpha=2.0).item()
    5.0
    """
    return add(share_of(input, beta), multiply(matmul(x, y), alpha))


@told
def range(
    start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None
) -> Tensor:
    """Numbers from start to end, which is among them where a step meets it. See `arange`.

    >>> twinoar.range(1, 3, dtype="int64").tolist()
    [1, 2, 3]
    """
    kind = dtype_of(dtype or "float32")
    first, last, by = in_kind((0, start, step) if end is None else (start, end, step), kind)
    count = (last - first) // by + 1
    return astype(arange(0, count, dtype="float64") * by + first, kind)


def where_(condition: Tensor, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """In-place `where`: x takes the elements of y where `condition` is false, and is returned.

    >>> x = twinoar.to_tensor([1.0, 2.0])
    >>> twinoar.where_(x > 1.0, x, twinoar.zeros([2])).tolist()
    [0.0, 2.0]
    """
    current().rebind(x, where(condition, x, y))
    return x
