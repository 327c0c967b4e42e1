"""Linear algebra on top of decompositions: pinv, lstsq, cond, ranks, powers, covariances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import int32
from twinoar.core.explain import explained
from twinoar.core.op import primitive
from twinoar.core.spec import Spec
from twinoar.core.values import Value, method
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.cast import astype
from twinoar.ops.complex_number import conj
from twinoar.ops.create import ones, zeros_of
from twinoar.ops.decomposition import eigh_op, least_size, svd_op
from twinoar.ops.diagonal import diagonal, eye_op, tril
from twinoar.ops.elementwise import divide
from twinoar.ops.extreme import amax
from twinoar.ops.join import concat_op
from twinoar.ops.linear_system import (
    check_matrices,
    check_square,
    inv,
    lapack,
    require_finite,
    square,
    transposed,
    well_conditioned,
)
from twinoar.ops.math import abs as magnitude
from twinoar.ops.math import sqrt
from twinoar.ops.matmul import matmul
from twinoar.ops.reduce import mean_op, sum_op
from twinoar.ops.select import clip, maximum, select
from twinoar.ops.shape import reshape_op, squeeze_op, swapaxes, unsqueeze_op
from twinoar.ops.slice import slice_op
from twinoar.ops.vector_norm import matrix_norm

Tensor = Value
EPSILON = {
    "float32": float(np.finfo(np.float32).eps),
    "float64": float(np.finfo(np.float64).eps),
    "complex64": float(np.finfo(np.float32).eps),
    "complex128": float(np.finfo(np.float64).eps),
}


def _adjoint(x: Tensor) -> Tensor:
    return conj(transposed(x)) if x.dtype.is_complex else transposed(x)


def _column(x: Tensor) -> Tensor:
    return unsqueeze_op(x, (-1,))


def _inverted(x: Tensor, rcond: Any) -> Tensor:
    """1 / x, and 0 where x is no more than the largest times rcond."""
    size = magnitude(x)
    is_kept = size > amax(size, -1, True) * _as_column(rcond)
    return select(is_kept, divide(1.0, select(is_kept, x, 1.0)), 0.0)


@explained
@method("pinv")
def pinv(x: Tensor, rcond: Any = 1e-15, hermitian: bool = False, name: str | None = None) -> Tensor:
    """The pseudo-inverse of matrices, from their singular values.

    x: [...,M,N]. rcond: values no more than the largest times this count as 0, [...] or a number.
    hermitian: x is symmetric or Hermitian, and its eigenvalues are taken. Returns [...,N,M].

    >>> import twinoar
    >>> twinoar.linalg.pinv(twinoar.to_tensor([[2.0], [0.0]])).tolist()
    [[0.5, 0.0]]
    """
    if hermitian:
        values, vectors = eigh_op(x)
        return matmul(vectors, _column(_inverted(values, rcond)) * _adjoint(vectors), name=name)
    u, s, vh = svd_op(x)
    return matmul(_adjoint(vh), _column(_inverted(s, rcond)) * _adjoint(u), name=name)


@explained
@method("matrix_power")
def matrix_power(x: Tensor, n: int, name: str | None = None) -> Tensor:
    """Square matrices to the power n, an integer; of the inverse where it is negative.

    >>> import twinoar
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


@explained
@method("matrix_rank")
def matrix_rank(
    x: Tensor,
    tol: Any = None,
    hermitian: bool = False,
    atol: Any = None,
    rtol: Any = None,
    name: str | None = None,
) -> Tensor:
    """How many singular values are above a tolerance.

    x: [...,M,N]. tol: the tolerance; by default the largest one times max(M, N) and the precision
    of the dtype. atol, rtol: instead of it, the larger of `atol` and `rtol` times the largest.
    hermitian: the sizes of eigenvalues are taken. Returns [...], int64. Raises ArgumentError for
    tol beside the others.

    >>> import twinoar
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
    return sum_op(astype(values > limit, "int64"), (-1,), name=name)


def _as_column(x: Any) -> Any:
    return _column(x) if isinstance(x, Value) and x.ndim else x


@explained
@method("cond")
def cond(x: Tensor, p: Any = None, name: str | None = None) -> Tensor:
    """The condition number of matrices: the norm of x times that of its inverse.

    x: [...,M,N]; square but for p = None, 2 and -2, which divide singular values. p: as in
    `matrix_norm`; None is 2. Returns [...]. Raises ArgumentError, ShapeError.

    >>> import twinoar
    >>> twinoar.linalg.cond(twinoar.to_tensor([[2.0, 0.0], [0.0, 4.0]])).item()
    2.0
    """
    if p in (None, 2, -2):
        s = svd_op(x)[1]
        k: Any = s.spec.shape[-1]
        largest, smallest = (slice_op(s, (-1,), (i,), (i + 1,)) for i in (0, k - 1))
        top, bottom = (smallest, largest) if p == -2 else (largest, smallest)
        return squeeze_op(divide(top, bottom), (-1,), name=name)
    check_square(x.spec)
    return matrix_norm(x, p, [-2, -1]) * matrix_norm(inv(x), p, [-2, -1])


def _least_specs(x: Spec, y: Spec, rcond: float) -> tuple[Spec, Spec]:
    check_matrices(x)
    check_matrices(y, "y")
    if x.shape[:-1] != y.shape[:-1]:
        raise ShapeError(f"x {x} and y {y} must have as many rows, and the same leading sizes")
    solution = Spec((*x.shape[:-2], x.shape[-1], y.shape[-1]), x.dtype)
    return solution, Spec(x.shape[:-2], int32)


@primitive(name="least_squares", infer=_least_specs)
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


@least_squares.samples
def _(s):
    yield s(s.randn(4, 2), s.randn(4, 3), 1e-7, gradient=False, half=False)
    yield s(s.randn(2, 2, 3), s.randn(2, 2, 1), 1e-7, gradient=False, half=False)
    yield s.bad(ShapeError, "as many rows", s.randn(3, 2), s.randn(2, 1), 1e-7)


@explained
@method("lstsq")
def lstsq(
    x: Tensor,
    y: Tensor,
    rcond: float | None = None,
    driver: str | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The solution of least squares of `x @ out = y`; no gradient flows.

    x: [...,M,N]. y: [...,M,K]. rcond: singular values no more than the largest times this count as
    0. driver: "gels", "gelsy", "gelsd" or "gelss"; what they return besides differs. Returns the
    solution [...,N,K], the squared residuals [...,K] where M > N and the rank is full (empty
    otherwise, and for "gelsy"), the ranks [...], int32, and the singular values (empty for "gels"
    and "gelsy"). Raises ArgumentError, ShapeError.

    >>> import twinoar
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


@primitive(name="matrix_exp", infer=square)
def matrix_exp(x: Tensor) -> Tensor:
    """The exponential of square matrices, the sum of x^k / k!.

    x: [...,N,N]. Returns [...,N,N]. By scaling and squaring of a Taylor sum. Gradient: Najfeld and
    Havel, "Derivatives of the matrix exponential and their computation", 1995, theorem 4.13.

    >>> import twinoar
    >>> twinoar.linalg.matrix_exp(twinoar.to_tensor([[0.0, 1.0], [0.0, 0.0]])).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """


TAYLOR_TERMS = 18


@matrix_exp.kernel
@lapack("there is no exponential")
def _(x):
    wide = x.astype(np.result_type(x, np.float64))
    size = np.abs(wide).sum(-2).max(initial=0.0)
    halvings = max(0, math.ceil(math.log2(size)) + 2) if size > 0 and math.isfinite(size) else 0
    wide = wide / 2.0**halvings
    term = total = np.broadcast_to(np.eye(x.shape[-1], dtype=wide.dtype), x.shape)
    for k in range(1, TAYLOR_TERMS):
        term = term @ wide / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total.astype(x.dtype)


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


@explained
@method("householder_product")
def householder_product(x: Tensor, tau: Tensor, name: str | None = None) -> Tensor:
    """The first N columns of the product of the reflections I - tau v v^T.

    x: [...,M,N]; column i holds v below its element i, which is 1. tau: [...,K], K <= N <= M.
    Returns [...,M,N]. Raises ShapeError.

    >>> import twinoar
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
        t = _column(slice_op(tau, (-1,), (i,), (i + 1,)))
        t = conj(t) if backward and x.dtype.is_complex else t
        out = out - t * matmul(v, matmul(_adjoint(v), out))
    return out


@explained
@method("ormqr")
def ormqr(
    x: Tensor,
    tau: Tensor,
    y: Tensor,
    left: bool = True,
    transpose: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of the reflections of `householder_product`, all M columns, and y.

    x: [...,M,N]. tau: [...,K]. y: [...,M,L], or [...,L,M] where it stands to the left. left: the
    reflections stand to the left of y. transpose: their product is transposed (conjugated).

    >>> import twinoar
    >>> x, tau = twinoar.to_tensor([[1.0], [1.0]]), twinoar.to_tensor([1.0])
    >>> twinoar.linalg.ormqr(x, tau, twinoar.to_tensor([[1.0], [0.0]])).tolist()
    [[0.0], [-1.0]]
    """
    if left:
        return _reflected(x, tau, y, transpose)
    return _adjoint(_reflected(x, tau, _adjoint(y), not transpose))


@explained
@method("svd_lowrank")
def svd_lowrank(
    x: Tensor,
    q: int | None = None,
    niter: int = 2,
    M: Tensor | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The q largest singular values of x - M, and their vectors.

    x: [...,M,N]. q: 6 or the least size by default. niter: makes no difference, as all values are
    found and the largest kept. Returns U [...,M,q], S [...,q] and V [...,N,q]. Raises
    ArgumentError.

    >>> import twinoar
    >>> _, s, _ = twinoar.linalg.svd_lowrank(twinoar.to_tensor([[3.0, 0.0], [0.0, 4.0]]), 1)
    >>> s.tolist()
    [4.0]
    """
    m, n = x.spec.shape[-2:]
    least: Any = least_size(m, n)
    count = min(6, least) if q is None else q
    if not 0 <= count <= least or niter < 0:
        raise ArgumentError(
            f"q must lie between 0 and {least} and niter be 0 or more, received {q} and {niter}"
        )
    u, s, vh = svd_op(x if M is None else x - M)
    u, v = (slice_op(part, (-1,), (0,), (count,)) for part in (u, _adjoint(vh)))
    return u, slice_op(s, (-1,), (0,), (count,)), v


@explained
@method("pca_lowrank")
def pca_lowrank(
    x: Tensor, q: int | None = None, center: bool = True, niter: int = 2, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """The q main components of the rows of x: `svd_lowrank`, of x less its mean row for `center`.

    >>> import twinoar
    >>> _, s, _ = twinoar.linalg.pca_lowrank(twinoar.to_tensor([[1.0, 0.0], [3.0, 0.0]]), 1)
    >>> round(s.item(), 4)
    1.4142
    """
    return svd_lowrank(x - mean_op(x, (-2,), True) if center else x, q, niter)


@explained
@method("cov")
def cov(
    x: Tensor,
    rowvar: bool = True,
    ddof: bool = True,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """The covariances of variables, each a row of x, or a column for `rowvar=False`.

    x: [N,M] or [M]. ddof: the sum is divided by one less than the weights. fweights: how often
    each observation occurs, [M]; aweights: how much it counts. Returns [N,N]; [] of one variable.
    Raises ShapeError.

    >>> import twinoar
    >>> twinoar.linalg.cov(twinoar.to_tensor([[1.0, 3.0], [2.0, 6.0]])).tolist()
    [[2.0, 4.0], [4.0, 8.0]]
    """
    if x.ndim not in (1, 2):
        raise ShapeError(f"x must be a vector or a matrix, received {x.spec}")
    rows = reshape_op(x, (1, -1)) if x.ndim == 1 else x if rowvar else swapaxes(x, 0, 1)
    weights = ones([rows.shape[1]], x.dtype)
    for given in (fweights, aweights):
        weights = weights if given is None else weights * astype(given, x.dtype)
    total = sum_op(weights)
    lost: Any = 0.0
    if ddof:
        lost = sum_op(weights * astype(aweights, x.dtype)) / total if aweights is not None else 1.0
    centered = rows - sum_op(rows * weights, (1,), True) / total
    product = matmul(centered * weights, _adjoint(centered))
    out = product / maximum(total - lost, 0.0)
    return reshape_op(out, ()) if rows.spec.shape[0] == 1 else out


@explained
@method("corrcoef")
def corrcoef(x: Tensor, rowvar: bool = True, name: str | None = None) -> Tensor:
    """The correlations of variables, each a row of x, or a column for `rowvar=False`. See `cov`.

    >>> import twinoar
    >>> twinoar.linalg.corrcoef(twinoar.to_tensor([[1.0, 3.0], [2.0, 6.0]])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    c = cov(x, rowvar)
    if c.ndim == 0:
        return c / c
    deviation = sqrt(diagonal(c))
    return clip(c / unsqueeze_op(deviation, (1,)) / unsqueeze_op(deviation, (0,)), -1.0, 1.0)


__all__ = [
    "cond", "corrcoef", "cov", "householder_product", "lstsq", "matrix_exp", "matrix_power",
    "matrix_rank", "ormqr", "pca_lowrank", "pinv", "svd_lowrank",
]  # fmt: skip
