"""Factors of matrices: eigh, eig, svd, qr.

LAPACK does the work eagerly, through NumPy; in Programs, and for QR, loops of our own do. Gradients
through vectors hold where the eigenvalues, or the singular values, differ from each other; those
through the values alone hold everywhere.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from twinoar.core.dim import Dim, max_dim
from twinoar.core.dtype import COMPLEX_OF, REAL_OF, DType
from twinoar.core.op.declare import Desc, Spec, Tensor, function, primitive
from twinoar.errors import ArgumentError, GradientError, ShapeError
from twinoar.ops.index.diagonal import diag_embed, tril
from twinoar.ops.linalg import _reflections, _singular, _symmetric
from twinoar.ops.linalg.linear_system import (
    check_matrices,
    check_square,
    lapack,
    positive_definite,
    require_finite,
    require_real,
    transposed,
    triangular_solve,
)
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.compare import equal
from twinoar.ops.math.select import select
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import unsqueeze_op
from twinoar.ops.shape.slice import slice_op


def real_dtype(d: DType) -> DType:
    """The dtype of the size of numbers of dtype d."""
    return REAL_OF.get(d, d)


def least_size(m: Dim, n: Dim) -> Dim:
    """min(m, n)."""
    return m + n - max_dim(m, n)


def _reciprocal(x: Tensor) -> Tensor:
    """1 / x; 0 where x is 0, so that a gradient of 0 stays 0."""
    is_zero = equal(x, 0.0)
    return select(is_zero, 0.0, divide(1.0, select(is_zero, 1.0, x)))


def _differences(values: Tensor) -> Tensor:
    """1 / (values[j] - values[i]) at [...,i,j]; 0 where they are equal."""
    return _reciprocal(unsqueeze_op(values, (-2,)) - unsqueeze_op(values, (-1,)))


def _eigen_specs(x: Spec, upper: bool) -> tuple[Spec, Spec]:
    check_square(x)
    return Spec(x.shape[:-1], real_dtype(x.dtype)), x


# LAPACK divides and conquers: our loops take 0.8 to 1 times as long for many small matrices, but 2
# to 3 times for one of 1000 rows. So they are for Programs, which do without Python.
NEVER = math.inf


@primitive(
    apart=2,
    name="eigh",
    compiled_from=NEVER,
    infer=_eigen_specs,
    desc=Desc(
        "eigh",
        {"X": "x"},
        outputs=("Eigenvalues", "Eigenvectors"),
        attrs={"UPLO": ("upper", lambda v: "U" if v else "L", lambda v: v == "U")},
    ),
    amp="full",
)
def eigh_op(x: Tensor, upper: bool = False) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of symmetric matrices: the operator under `eigh`."""


@eigh_op.kernel
@lapack("the eigenvalues were not found")
def _(x, upper):
    require_finite(np.triu(x) if upper else np.tril(x))
    return tuple(np.linalg.eigh(x, "U" if upper else "L"))


@eigh_op.procedure
def _(p, x, upper):
    return False if x.dtype.is_complex else _symmetric.eigh(p, x, upper=upper)


@eigh_op.grad
def _(gs, outs):
    values, vectors = outs
    require_real(vectors, "eigh")
    turned = matmul(vectors, gs[1], True) * _differences(values) + diag_embed(gs[0])
    dx = matmul(matmul(vectors, turned), vectors, False, True)
    return (dx + transposed(dx)) * 0.5  # so that a symmetric matrix stays one


@eigh_op.samples
def _(s):  # a triangle is read, and signs are free: finite differences do not compare
    yield s(positive_definite(s, 3, 3), gradient=False)
    yield s(positive_definite(s, 2, 3, 3, dtype="float64"), True, gradient=False)
    yield s.bad(ShapeError, "square", s.randn(2, 3))


def _is_upper(UPLO: str) -> bool:
    if UPLO not in ("L", "U"):
        raise ArgumentError(f"UPLO must be 'L' or 'U', received {UPLO!r}")
    return UPLO == "U"


@function
def eigh(x: Tensor, UPLO: Literal["L", "U"] = "L") -> tuple[Tensor, Tensor]:
    """Eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices.

    x: [...,N,N]; its lower triangle is read, or the upper one for "U". Returns [...,N], real, and
    [...,N,N], a vector a column. Raises ShapeError, ArgumentError. Gradient: Giles 2008, sec. 3.1.

    >>> values, _ = twinoar.linalg.eigh(twinoar.to_tensor([[2.0, 0.0], [0.0, 1.0]]))
    >>> values.tolist()
    [1.0, 2.0]
    """
    return eigh_op(x, _is_upper(UPLO))


@function(method=True)
def eigvalsh(x: Tensor, UPLO: Literal["L", "U"] = "L") -> Tensor:
    """The eigenvalues, ascending, of symmetric or Hermitian matrices. See `eigh`.

    >>> twinoar.linalg.eigvalsh(twinoar.to_tensor([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [1.0, 2.0]
    """
    return eigh_op(x, _is_upper(UPLO))[0]


def _complex_specs(x: Spec) -> tuple[Spec, Spec]:
    check_square(x)
    dtype = COMPLEX_OF.get(x.dtype, x.dtype)
    return Spec(x.shape[:-1], dtype), Spec(x.shape, dtype)


@primitive(
    apart=2,
    method=True,
    infer=_complex_specs,
    host="general eigenvalues: iterations that LAPACK has",
    desc=Desc("eig", {"X": "x"}, outputs=("Eigenvalues", "Eigenvectors")),
    amp="full",
)
def eig(x: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of square matrices, complex; no gradient flows.

    x: [...,N,N]. Returns [...,N] and [...,N,N], a vector a column. Raises ShapeError.

    >>> twinoar.linalg.eig(twinoar.to_tensor([[2.0, 0.0], [0.0, 1.0]]))[0].tolist()
    [(2+0j), (1+0j)]
    """


@eig.kernel
@lapack("the eigenvalues were not found")
def _(x):
    dtype = np.result_type(x.dtype, np.complex64)
    return tuple(part.astype(dtype) for part in np.linalg.eig(x))


@eig.samples
def _(s):
    yield s(np.diag([1.0, 3.0, 2.0]).astype(np.float32), gradient=False)
    yield s(np.array([[[1.0, 2.0], [3.0, -4.0]]]), gradient=False)
    yield s.bad(ShapeError, "square", s.randn(2, 3))


@function(method=True)
def eigvals(x: Tensor) -> Tensor:
    """The eigenvalues of square matrices, complex; no gradient flows. See `eig`.

    >>> twinoar.linalg.eigvals(twinoar.to_tensor([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [(2+0j), (1+0j)]
    """
    return eig(x)[0]


def _svd_specs(x: Spec, full_matrices: bool) -> tuple[Spec, Spec, Spec]:
    check_matrices(x)
    *batch, m, n = x.shape
    k = least_size(m, n)
    rows, columns = (m, n) if full_matrices else (k, k)
    singular = Spec((*batch, k), real_dtype(x.dtype))
    return Spec((*batch, m, rows), x.dtype), singular, Spec((*batch, columns, n), x.dtype)


@primitive(
    apart=2,
    name="svd",
    compiled_from=NEVER,
    infer=_svd_specs,
    desc=Desc(
        "svd", {"X": "x"}, outputs=("U", "S", "VH"), attrs={"full_matrices": "full_matrices"}
    ),
    amp="full",
)
def svd_op(x: Tensor, full_matrices: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """The singular value decomposition: the operator under `svd`."""


@svd_op.kernel
@lapack("the singular values were not found", check_matrices)
def _(x, full_matrices):
    require_finite(x)
    return tuple(np.linalg.svd(x, full_matrices))


@svd_op.procedure
def _(p, x, full_matrices):
    return False if x.dtype.is_complex else _singular.svd(p, x, full=full_matrices)


@svd_op.grad
def _(gs, outs, full_matrices, specs):
    # With U, S, V thin, K = 1 / (S[j]^2 - S[i]^2), skew(X) = X - X^T:
    # dx = U (diag(gS) + K*skew(U^T gU) S + S K*skew(V^T gV)) V^T
    #      + (I - U U^T) gU S^-1 V^T + U S^-1 gV^T (I - V V^T)
    u, s, vh = outs
    require_real(u, "svd")
    gu, gs_, gvh = gs
    if full_matrices:
        k = s.spec.shape[-1]
        u, gu = (slice_op(v, (-1,), (0,), (k,)) for v in (u, gu))
        vh, gvh = (slice_op(v, (-2,), (0,), (k,)) for v in (vh, gvh))
    gaps = _differences(s * s)
    row = unsqueeze_op(s, (-2,))
    of_u, of_v = matmul(u, gu, True), matmul(vh, gvh, False, True)
    inner = diag_embed(gs_) + gaps * (of_u - transposed(of_u)) * row
    inner = inner + unsqueeze_op(s, (-1,)) * gaps * (of_v - transposed(of_v))
    left = matmul(u, inner) + (gu - matmul(u, of_u)) * _reciprocal(row)
    right = (gvh - matmul(of_v, vh, True)) * _reciprocal(unsqueeze_op(s, (-1,)))
    return matmul(left, vh) + matmul(u, right)


@svd_op.samples
def _(s):  # signs are free: finite differences do not compare
    yield s(s.randn(3, 2), gradient=False)
    yield s(s.randn(2, 2, 3, dtype="float64"), True, gradient=False)
    yield s.bad(ShapeError, "must be a matrix", s.randn(2))


@function
def svd(x: Tensor, full_matrices: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """The singular value decomposition `U @ diag(S) @ VH` of matrices.

    x: [...,M,N]; K = min(M, N). Returns U [...,M,K], S [...,K], descending, and VH [...,K,N]; U
    [...,M,M] and VH [...,N,N] for `full_matrices`. Raises ShapeError. Gradient: Townsend,
    "Differentiating the singular value decomposition", 2016; that of the vectors which only
    `full_matrices` adds is left out.

    >>> _, s, _ = twinoar.linalg.svd(twinoar.to_tensor([[3.0, 0.0], [0.0, 4.0]]))
    >>> s.tolist()
    [4.0, 3.0]
    """
    return svd_op(x, full_matrices)


@function
def svdvals(x: Tensor) -> Tensor:
    """The singular values of matrices, descending. See `svd`.

    >>> twinoar.linalg.svdvals(twinoar.to_tensor([[3.0, 0.0], [0.0, 4.0]])).tolist()
    [4.0, 3.0]
    """
    return svd_op(x)[1]


def _qr_specs(x: Spec, complete: bool) -> tuple[Spec, Spec]:
    check_matrices(x)
    *batch, m, n = x.shape
    k = m if complete else least_size(m, n)
    return Spec((*batch, m, k), x.dtype), Spec((*batch, k, n), x.dtype)


@primitive(
    slow_kernel=True,
    apart=2,
    name="qr",
    infer=_qr_specs,
    desc=Desc(
        "qr",
        {"X": "x"},
        outputs=("Q", "R"),
        attrs={
            "mode": (
                "complete",
                lambda v: "complete" if v else "reduced",
                lambda v: v == "complete",
            )
        },
    ),
    amp="full",
)
def qr_op(x: Tensor, complete: bool = False) -> tuple[Tensor, Tensor]:
    """The QR decomposition: the operator under `qr`."""


@qr_op.kernel
@lapack("there is no QR decomposition", check_matrices)
def _(x, complete):
    return tuple(np.linalg.qr(x, "complete" if complete else "reduced"))


@qr_op.procedure
def _(p, x):
    return False if x.dtype.is_complex else _reflections.qr(p, x)


@qr_op.grad
def _(gs, outs, specs, complete):
    *_, m, n = specs[0].shape
    require_real(outs[0], "qr")
    if complete and m > n:
        raise GradientError(
            f"qr in mode 'complete' has no gradient for {specs[0]}, which is taller than wide",
            cure="use mode='reduced'",
        )
    (gq, gr), (q, r) = gs, outs
    if m >= n:
        return _qr_gradient(gq, gr, q, r)
    # x = [a, b] with a square: q, r_a = qr(a), r_b = q^T b, so that dx = [da, q r_b]
    square, rest = slice_op(r, (-1,), (0,), (m,)), slice_op(r, (-1,), (m,), (n,))
    g_square, g_rest = slice_op(gr, (-1,), (0,), (m,)), slice_op(gr, (-1,), (m,), (n,))
    back = gq + matmul(matmul(q, rest), g_rest, False, True)
    return concat_op((_qr_gradient(back, g_square, q, square), matmul(q, g_rest)), -1)


def _qr_gradient(gq: Tensor, gr: Tensor, q: Tensor, r: Tensor) -> Tensor:
    """dx = (gQ + Q copyltu(R gR^T - gQ^T Q)) R^-T, where copyltu mirrors the lower triangle."""
    inner = matmul(r, gr, False, True) - matmul(gq, q, True)
    mirrored = tril(inner) + transposed(tril(inner, -1))
    return transposed(triangular_solve(r, transposed(gq + matmul(q, mirrored))))


@qr_op.samples
def _(s):
    yield s(s.randn(3, 2), half=False, second=False)
    yield s(s.randn(2, 2, 3, dtype="float64"), half=False, second=False)
    yield s(s.randn(3, 2), True, gradient=False)
    yield s.bad(ShapeError, "must be a matrix", s.randn(2))


@function(method=True)
def qr(
    x: Tensor, mode: Literal["reduced", "complete", "r"] = "reduced"
) -> Tensor | tuple[Tensor, Tensor]:
    """The decomposition of matrices into Q, orthonormal columns, and R, upper triangular.

    x: [...,M,N]; K = min(M, N), or M for "complete". Returns Q [...,M,K] and R [...,K,N]; R alone
    for "r". Raises ShapeError, ArgumentError for another mode, GradientError for the gradient of
    "complete" where M > N. Gradient: Walter and Lehmann, arXiv 1009.6112; Roberts and Roberts,
    arXiv 2009.10071, where M < N.

    >>> q, r = twinoar.linalg.qr(twinoar.to_tensor([[3.0], [4.0]]))
    >>> round(abs(r.item()), 4)
    5.0
    """
    if mode not in ("reduced", "complete", "r"):
        raise ArgumentError(f"mode must be 'reduced', 'complete' or 'r', received {mode!r}")
    q, r = qr_op(x, mode == "complete")
    return r if mode == "r" else (q, r)
