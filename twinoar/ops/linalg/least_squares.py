"""Equations without one solution: pinv, lstsq, and the ranks and conditions that tell."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import int32
from twinoar.core.op.declare import Spec, Tensor, Value, function, primitive
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.create.fill import ones
from twinoar.ops.linalg import _shortest
from twinoar.ops.linalg._matrices import adjoint, as_columns
from twinoar.ops.linalg.decomposition import NEVER, eigh_op, least_size, svd_op
from twinoar.ops.linalg.linear_system import (
    check_matrices,
    check_square,
    inv,
    lapack,
    require_finite,
)
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.linalg.vector_norm import matrix_norm
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.cast import astype
from twinoar.ops.math.select import maximum, select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.reduce.extreme import amax
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.reshape import squeeze_op
from twinoar.ops.shape.slice import slice_op

EPSILON = {
    "float32": float(np.finfo(np.float32).eps),
    "float64": float(np.finfo(np.float64).eps),
    "complex64": float(np.finfo(np.float32).eps),
    "complex128": float(np.finfo(np.float64).eps),
}


def _inverted(x: Tensor, rcond: Any) -> Tensor:
    """1 / x, and 0 where x is no more than the largest times rcond."""
    size = magnitude(x)
    is_kept = size > amax(size, -1, True) * _as_column(rcond)
    return select(is_kept, divide(1.0, select(is_kept, x, 1.0)), 0.0)


@function(method=True)
def pinv(x: Tensor, rcond: Any = 1e-15, hermitian: bool = False) -> Tensor:
    """The pseudo-inverse of matrices, from their singular values.

    x: [...,M,N]. rcond: values no more than the largest times this count as 0, [...] or a number.
    hermitian: x is symmetric or Hermitian, and its eigenvalues are taken. Returns [...,N,M].

    >>> twinoar.linalg.pinv(twinoar.to_tensor([[2.0], [0.0]])).tolist()
    [[0.5, 0.0]]
    """
    if hermitian:
        values, vectors = eigh_op(x)
        return matmul(vectors, as_columns(_inverted(values, rcond)) * adjoint(vectors))
    u, s, vh = svd_op(x)
    return matmul(adjoint(vh), as_columns(_inverted(s, rcond)) * adjoint(u))


@function(method=True)
def matrix_rank(
    x: Tensor, tol: Any = None, hermitian: bool = False, atol: Any = None, rtol: Any = None
) -> Tensor:
    """How many singular values are above a tolerance.

    x: [...,M,N]. tol: the tolerance; by default the largest one times max(M, N) and the precision
    of the dtype. atol, rtol: instead of it, the larger of `atol` and `rtol` times the largest.
    hermitian: the sizes of eigenvalues are taken. Returns [...], int64. Raises ArgumentError for
    tol beside the others.

    >>> twinoar.linalg.matrix_rank(twinoar.to_tensor([[1.0, 2.0], [2.0, 4.0]])).item()
    1
    """
    check_matrices(x.spec)
    if tol is not None and (atol is not None or rtol is not None):
        raise ArgumentError("expected tol, or atol and rtol, received both")
    values = magnitude(eigh_op(x)[0]) if hermitian else svd_op(x)[1]
    m, n = x.spec.shape[-2:]
    share = rtol
    if share is None and not atol:
        share = (m + n - least_size(m, n)) * EPSILON[x.dtype.name]  # type: ignore[operator]
    limit: Any = _as_column(tol)
    if tol is None:
        limit = amax(values, -1, True) * _as_column(0.0 if share is None else share)
        limit = maximum(limit, _as_column(0.0 if atol is None else atol))
    return sum_op(astype(values > limit, "int64"), (-1,))


def _as_column(x: Any) -> Any:
    return as_columns(x) if isinstance(x, Value) and x.ndim else x


@function(method=True)
def cond(x: Tensor, p: Any = None) -> Tensor:
    """The condition number of matrices: the norm of x times that of its inverse.

    x: [...,M,N]; square but for p = None, 2 and -2, which divide singular values. p: as in
    `matrix_norm`; None is 2. Returns [...]. Raises ArgumentError, ShapeError.

    >>> twinoar.linalg.cond(twinoar.to_tensor([[2.0, 0.0], [0.0, 4.0]])).item()
    2.0
    """
    if p in (None, 2, -2):
        s = svd_op(x)[1]
        k: Any = s.spec.shape[-1]
        largest, smallest = (slice_op(s, (-1,), (i,), (i + 1,)) for i in (0, k - 1))
        top, bottom = (smallest, largest) if p == -2 else (largest, smallest)
        return squeeze_op(divide(top, bottom), (-1,))
    check_square(x.spec)
    return matrix_norm(x, p, [-2, -1]) * matrix_norm(inv(x), p, [-2, -1])


def _least_specs(x: Spec, y: Spec, rcond: float) -> tuple[Spec, Spec]:
    check_matrices(x)
    check_matrices(y, "y")
    if x.shape[:-1] != y.shape[:-1]:
        raise ShapeError(f"x {x} and y {y} must have as many rows, and the same leading sizes")
    solution = Spec((*x.shape[:-2], x.shape[-1], y.shape[-1]), x.dtype)
    return solution, Spec(x.shape[:-2], int32)


@primitive(apart=2, name="least_squares", infer=_least_specs, compiled_from=NEVER, amp="full")
def least_squares(x: Tensor, y: Tensor, rcond: float) -> tuple[Tensor, Tensor]:
    """The shortest of the best solutions of `x @ out = y`, and the ranks. See `lstsq`."""


@least_squares.kernel
@lapack("there is no least squares solution", check_matrices)
def _(x, y, rcond):
    if y.dtype != x.dtype or y.shape[:-1] != x.shape[:-1]:
        raise ValueError
    require_finite(x, y)
    *batch, _, n = x.shape
    out, ranks = np.empty((*batch, n, y.shape[-1]), x.dtype), np.empty(batch, np.int32)
    for index in np.ndindex(*batch):
        out[index], _, ranks[index], _ = np.linalg.lstsq(x[index], y[index], rcond)
    return out, ranks


@least_squares.procedure
def _(p, x, y, rcond):
    return False if x.dtype.is_complex else _shortest.least_squares(p, x, y, rcond)


@least_squares.samples
def _(s):
    yield s(s.randn(4, 2), s.randn(4, 3), 1e-7, gradient=False, half=False)
    yield s(s.randn(2, 2, 3), s.randn(2, 2, 1), 1e-7, gradient=False, half=False)
    yield s.bad(ShapeError, "as many rows", s.randn(3, 2), s.randn(2, 1), 1e-7)


@function(method=True)
def lstsq(
    x: Tensor, y: Tensor, rcond: float | None = None, driver: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The solution of least squares of `x @ out = y`; no gradient flows.

    x: [...,M,N]. y: [...,M,K]. rcond: singular values no more than the largest times this count as
    0. driver: "gels", "gelsy", "gelsd" or "gelss"; what they return besides differs. Returns the
    solution [...,N,K], the squared residuals [...,K] where M > N and the rank is full (empty
    otherwise, and for "gelsy"), the ranks [...], int32, and the singular values (empty for "gels"
    and "gelsy"). Raises ArgumentError, ShapeError.

    >>> x, y = twinoar.to_tensor([[1.0], [1.0]]), twinoar.to_tensor([[1.0], [3.0]])
    >>> solution, residuals, rank, _ = twinoar.linalg.lstsq(x, y, driver="gelsd")
    >>> round(solution.item(), 4), round(residuals.item(), 4), rank.item()
    (2.0, 2.0, 1)
    """
    driver = "gelsy" if driver is None else driver
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise ArgumentError(f"driver {driver!r} is none of gels, gelsy, gelsd, gelss")
    if x.dtype.name not in ("float32", "float64") or y.dtype != x.dtype:
        raise DTypeError(
            f"x and y must both be float32 or float64, received {x.dtype.name} and {y.dtype.name}"
        )
    m, n = x.spec.shape[-2:]
    largest = m + n - least_size(m, n)
    share = EPSILON[x.dtype.name] * largest if rcond is None else rcond  # type: ignore[operator]
    solution, ranks = least_squares(x, y, share)
    empty = ones([0], x.dtype)
    left = matmul(x, solution) - y
    has_residuals = driver != "gelsy" and isinstance(m, int) and isinstance(n, int) and m > n
    residuals = sum_op(left * left, (-2,)) if has_residuals else empty
    return solution, residuals, ranks, svd_op(x)[1] if driver in ("gelsd", "gelss") else empty
