"""Householder reflections: householder_product, ormqr."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ShapeError
from twinoar.ops.index.diagonal import eye_op, tril
from twinoar.ops.linalg._matrices import adjoint, as_columns
from twinoar.ops.linalg.linear_system import check_matrices
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.complex_number import conj
from twinoar.ops.math.fill import zeros_of
from twinoar.ops.shape.slice import slice_op


@function(method=True)
def householder_product(x: Tensor, tau: Tensor) -> Tensor:
    """The first N columns of the product of the reflections I - tau v v^T.

    x: [...,M,N]; column i holds v below its element i, which is 1. tau: [...,K], K <= N <= M.
    Returns [...,M,N]. Raises ShapeError.

    >>> x, tau = twinoar.to_tensor([[1.0], [1.0]]), twinoar.to_tensor([1.0])
    >>> twinoar.linalg.householder_product(x, tau).tolist()
    [[0.0], [-1.0]]
    """
    m, n = x.spec.shape[-2:]
    return _reflected(x, tau, zeros_of(x.spec) + eye_op(m, n, x.dtype))


def _reflected(x: Tensor, tau: Tensor, out: Tensor, backward: bool = False) -> Tensor:
    """The product of the reflections, or of their adjoints, times `out`."""
    check_matrices(x.spec)
    m, n = x.spec.shape[-2:]
    k: Any = tau.spec.shape[-1]
    if tau.spec.shape[:-1] != x.spec.shape[:-2]:
        raise ShapeError(f"tau {tau.spec} must have the leading sizes of x {x.spec}")
    below = eye_op(m, n, x.dtype) + tril(x, -1)
    for i in range(k) if backward else reversed(range(k)):
        v = slice_op(below, (-1,), (i,), (i + 1,))
        t = as_columns(slice_op(tau, (-1,), (i,), (i + 1,)))
        t = conj(t) if backward and x.dtype.is_complex else t
        out = out - t * matmul(v, matmul(adjoint(v), out))
    return out


@function(method=True)
def ormqr(x: Tensor, tau: Tensor, y: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """The product of the reflections of `householder_product`, all M columns, and y.

    x: [...,M,N]. tau: [...,K]. y: [...,M,L], or [...,L,M] where it stands to the left. left: the
    reflections stand to the left of y. transpose: their product is transposed (conjugated).

    >>> x, tau = twinoar.to_tensor([[1.0], [1.0]]), twinoar.to_tensor([1.0])
    >>> twinoar.linalg.ormqr(x, tau, twinoar.to_tensor([[1.0], [0.0]])).tolist()
    [[0.0], [-1.0]]
    """
    if left:
        return _reflected(x, tau, y, transpose)
    return adjoint(_reflected(x, tau, adjoint(y), not transpose))
