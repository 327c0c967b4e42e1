"""Functions of square matrices: powers and the exponential."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Tensor, function, primitive
from twinoar.errors import ShapeError
from twinoar.ops.index.diagonal import eye_op
from twinoar.ops.linalg import _exponential
from twinoar.ops.linalg.linear_system import (
    check_square,
    inv,
    lapack,
    square,
    transposed,
    well_conditioned,
)
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.slice import slice_op


@function(method=True)
def matrix_power(x: Tensor, n: int) -> Tensor:
    """Square matrices to the power n, an integer; of the inverse where it is negative.

    >>> twinoar.linalg.matrix_power(twinoar.to_tensor([[1.0, 1.0], [0.0, 1.0]]), 3).tolist()
    [[1.0, 3.0], [0.0, 1.0]]
    """
    check_square(x.spec)
    base, n = (inv(x), -n) if n < 0 else (x, n)
    size: Any = x.spec.shape[-1]
    out = None if n else zeros_of(x.spec) + eye_op(size, size, x.dtype)
    while n:
        if n % 2:
            out = base if out is None else matmul(out, base)
        n //= 2
        base = matmul(base, base) if n else base
    return out  # type: ignore[return-value]  # n is 0 only at the start


@primitive(slow_kernel=True, apart=2, name="matrix_exp", infer=square, amp="full")
def matrix_exp(x: Tensor) -> Tensor:
    """The exponential of square matrices, the sum of x^k / k!.

    x: [...,N,N]. Returns [...,N,N]. By scaling and squaring of a Taylor sum. Gradient: Najfeld and
    Havel, "Derivatives of the matrix exponential and their computation", 1995, theorem 4.13.

    >>> twinoar.linalg.matrix_exp(twinoar.to_tensor([[0.0, 1.0], [0.0, 0.0]])).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """


TAYLOR_TERMS = 18


@matrix_exp.kernel
@lapack("there is no exponential")
def _(x):
    wide = x.astype(np.result_type(x, np.float64))
    size = np.abs(wide).sum(-2).max(-1, initial=0.0)
    counts = np.ceil(
        np.log2(size, where=(size > 0) & np.isfinite(size), out=np.full_like(size, -2))
    )
    halvings = np.maximum(counts + 2, 0).astype(int)[..., None, None]  # each matrix its own
    wide = wide * np.ldexp(1.0, -halvings)
    term = total = np.broadcast_to(np.eye(x.shape[-1], dtype=wide.dtype), x.shape)
    for k in range(1, TAYLOR_TERMS):
        term = term @ wide / k
        total = total + term
    for step in range(halvings.max(initial=0)):
        total = np.where(halvings > step, total @ total, total)
    return total.astype(x.dtype)


@matrix_exp.procedure
def _(p, x):
    return False if x.dtype.is_complex else _exponential.exponential(p, x)


@matrix_exp.grad
def _(g, x):
    # exp([[X, G], [0, X]]) with X = x^T has the gradient in its upper right corner
    n = x.spec.shape[-1]
    upper = concat_op((transposed(x), g), -1)
    lower = concat_op((zeros_of(g.spec), transposed(x)), -1)
    whole = matrix_exp(concat_op((upper, lower), -2))
    return slice_op(whole, (-2, -1), (0, n), (n, n + n))


@matrix_exp.samples
def _(s):
    yield s(well_conditioned(s, 3, 3), half=False)
    yield s(s.randn(2, 2, 2, dtype="float64"), half=False)
    yield s(s.zeros(0, 2, 2), half=False)
    yield s.bad(ShapeError, "square", s.randn(2, 3))
