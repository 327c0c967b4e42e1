"""The LU decomposition with row exchanges, and what is solved with it."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from twinoar.core.dtype import DType, int32
from twinoar.core.op.declare import Desc, Spec, Tensor, function, primitive
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.index.diagonal import eye_op, tril, triu
from twinoar.ops.linalg import _elimination
from twinoar.ops.linalg.decomposition import least_size
from twinoar.ops.linalg.linear_system import (
    check_matrices,
    require_real,
    transposed,
    triangular_solve,
    well_conditioned,
)
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.complex_number import conj
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.slice import END, slice_op


def _lu_specs(x: Spec) -> tuple[Spec, Spec, Spec]:
    check_matrices(x)
    *batch, m, n = x.shape
    return x, Spec((*batch, least_size(m, n)), int32), Spec(tuple(batch), int32)


@primitive(
    slow_kernel=True,
    apart=2,
    name="lu",
    infer=_lu_specs,
    desc=Desc("lu", {"X": "x"}, outputs=("Out", "Pivots", "Infos"), fixed={"pivots": True}),
    amp="full",
)
def lu_op(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """L and U in one, row exchanges, and zero pivots: the operator under `lu`."""


@lu_op.kernel
def _(x):
    if x.ndim < 2 or x.dtype.kind not in "fc":
        raise TypeError
    out = x.copy()
    *batch, m, n = x.shape
    k = min(m, n)
    pivots, infos = np.zeros((*batch, k), np.int32), np.zeros(batch, np.int32)
    for index in np.ndindex(*batch):
        pivots[index], infos[index] = _eliminate(out[index])
    return out, pivots, infos


def _eliminate(a: np.ndarray) -> tuple[np.ndarray, int]:
    """Gaussian elimination of `a` in place; rows exchanged, counted from 1, and the first zero
    pivot.
    """
    k = min(a.shape)
    pivots, info = np.zeros(k, np.int32), 0
    for i in range(k):
        row = i + int((np.abs(a[i:, i].real) + np.abs(a[i:, i].imag)).argmax())  # LAPACK's izamax
        pivots[i] = row + 1
        a[[i, row]] = a[[row, i]]
        if a[i, i] == 0:
            info = info or i + 1
            continue
        a[i + 1 :, i] /= a[i, i]
        a[i + 1 :, i + 1 :] -= np.outer(a[i + 1 :, i], a[i, i + 1 :])
    return pivots, info


@lu_op.procedure
def _(p, x):
    return False if x.dtype.is_complex else _elimination.lu(p, x)


@lu_op.grad
def _(gs, outs, specs):
    # Source: Giles 2008 applied to A = P L U; dA = P L^-T (tril(L^T gL, -1) + triu(gU U^T)) U^-T.
    # Columns of U, or rows of L, beyond the square are U2 = L^-1 A2, or L2 = A2 U^-1.
    require_real(outs[0], "lu")
    *_, m, n = specs[0].shape
    size = least_size(m, n)
    (out, out_2), (g, g_2) = (_square_and_rest(x, size) for x in (outs[0], gs[0]))
    lower = tril(out, -1) + eye_op(size, size, out.dtype)
    upper = triu(out)
    of_lower, of_upper, rest = g, g, None
    if out_2 is not None and m == size:
        rest = triangular_solve(lower, g_2, False, True, True)
        of_lower = g - matmul(rest, out_2, False, True)
    elif out_2 is not None:
        rest = transposed(triangular_solve(upper, transposed(g_2)))
        of_upper = g - matmul(out_2, rest, True)
    inner = tril(matmul(lower, tril(of_lower, -1), True), -1)
    inner = inner + triu(matmul(triu(of_upper), upper, False, True))
    left = triangular_solve(lower, inner, False, True, True)
    both = transposed(triangular_solve(upper, transposed(left)))
    if rest is not None:
        both = concat([both, rest], -1 if m == size else -2)
    return matmul(row_exchanges(outs[1], m, out.dtype), both)


def _square_and_rest(x: Tensor, size: Any) -> tuple[Tensor, Any]:
    """The first `size` rows and columns, and the columns, or rows, beyond them; None for none."""
    *_, m, n = x.shape
    at = x.ndim - 1 if m == size else x.ndim - 2
    if m == n:
        return x, None
    return slice_op(x, (at,), (0,), (size,)), slice_op(x, (at,), (size,), (END,))


@lu_op.samples
def _(s):
    yield s(well_conditioned(s, 1, 3, 3), half=False, second=False)
    yield s(s.randn(2, 4, 4, dtype="float64"), half=False, second=False)
    yield s(s.randn(1, 3, 2), half=False, second=False)
    yield s(s.randn(2, 4, dtype="float64"), half=False, second=False)
    yield s(s.randn(2, 5, 3, dtype="float64"), half=False, second=False)
    yield s(s.zeros(1, 2, 2), gradient=False)
    yield s.bad(ShapeError, "must be a matrix", s.randn(2))


@primitive(apart=1, infer=lambda pivots, size, dtype: Spec((*pivots.shape[:-1], size, size), dtype))
def row_exchanges(pivots: Tensor, size: int, dtype: DType) -> Tensor:
    """The permutation matrices P of A = P L U, from the row exchanges of `lu`."""


@row_exchanges.kernel
def _(pivots, size, dtype):
    out = np.zeros((*pivots.shape[:-1], size, size), dtype.numpy)
    for index in np.ndindex(*pivots.shape[:-1]):
        rows = np.arange(size)
        for i, row in enumerate(pivots[index]):
            rows[[i, row - 1]] = rows[[row - 1, i]]
        out[index][rows, np.arange(size)] = 1
    return out


@row_exchanges.procedure
def _(p, pivots, size, dtype):
    return False if dtype.is_complex else _elimination.row_exchanges(p, pivots, size, dtype)


@row_exchanges.samples
def _(s):
    yield s(np.array([2, 2], np.int32), 3, "float32")
    yield s(np.array([[3, 2, 3], [1, 2, 3]], np.int32), 3, "float64")


@function(method=True)
def lu(x: Tensor, pivot: bool = True, get_infos: bool = False) -> tuple[Tensor, ...]:
    """The decomposition A = P L U of matrices, with rows exchanged for the largest pivots.

    x: [...,M,N]; K = min(M, N). Returns L (below the diagonal; its own is 1) and U in one [...,M,N]
    and the row exchanges [...,K], int32, counted from 1; with `get_infos` also where the first
    pivot is zero, [...], 0 for nowhere. Raises ArgumentError without `pivot`, ShapeError.

    >>> lu, pivots = twinoar.linalg.lu(twinoar.to_tensor([[1.0, 2.0], [2.0, 2.0]]))
    >>> lu.tolist(), pivots.tolist()
    ([[2.0, 2.0], [0.5, 1.0]], [2, 2])
    """
    if not pivot:
        raise ArgumentError("lu exchanges rows, received pivot=False", cure="leave pivot out")
    out, pivots, infos = lu_op(x)
    return (out, pivots, infos) if get_infos else (out, pivots)


@function(method=True)
def lu_unpack(
    x: Tensor, y: Tensor, unpack_ludata: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """P, L and U of what `lu` gave.

    x: [...,M,N]. y: [...,K], row exchanges. Returns [...,M,M], [...,M,K] and [...,K,N]; None for
    what is not to be unpacked.

    >>> x = twinoar.to_tensor([[1.0, 2.0], [2.0, 2.0]])
    >>> p, l, u = twinoar.linalg.lu_unpack(*twinoar.linalg.lu(x))
    >>> (p @ l @ u).tolist()
    [[1.0, 2.0], [2.0, 2.0]]
    """
    m, n = x.spec.shape[-2:]
    k = least_size(m, n)
    exchanges = row_exchanges(y, m, x.dtype) if unpack_pivots else None
    if not unpack_ludata:
        return exchanges, None, None
    lower = tril(slice_op(x, (-1,), (0,), (k,)), -1) + eye_op(m, k, x.dtype)
    return exchanges, lower, triu(slice_op(x, (-2,), (0,), (k,)))


@function
def lu_solve(b: Tensor, lu: Tensor, pivots: Tensor, trans: Literal["N", "T", "C"] = "N") -> Tensor:
    """The solution of `A @ out = b`, for "T" and "C" of the (conjugate) transpose, A known by `lu`.

    b: [...,N,K]. lu: [...,N,N]. pivots: [...,N]. Returns [...,N,K]. Raises ArgumentError.

    >>> x, b = twinoar.to_tensor([[1.0, 2.0], [2.0, 2.0]]), twinoar.to_tensor([[3.0], [4.0]])
    >>> twinoar.linalg.lu_solve(b, *twinoar.linalg.lu(x)).tolist()
    [[1.0], [1.0]]
    """
    if trans not in ("N", "T", "C"):
        raise ArgumentError(f"trans must be 'N', 'T' or 'C', received {trans!r}")
    exchanges = row_exchanges(pivots, lu.spec.shape[-1], lu.dtype)
    if trans == "N":
        half = triangular_solve(lu, matmul(exchanges, b, True), False, False, True)
        return triangular_solve(lu, half)
    if trans == "C" and lu.dtype.is_complex:
        lu = conj(lu)
    half = triangular_solve(lu, b, True, True)
    return matmul(exchanges, triangular_solve(lu, half, False, True, True))
