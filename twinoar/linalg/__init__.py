"""Linear algebra: `paddle.linalg`."""

from __future__ import annotations

from twinoar.ops.decomposition import eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from twinoar.ops.einsum import multi_dot
from twinoar.ops.linear_system import (
    cholesky,
    cholesky_inverse,
    cholesky_solve,
    det,
    inv,
    slogdet,
    solve,
    triangular_solve,
)
from twinoar.ops.vector_norm import matrix_norm, norm, vector_norm

__all__ = [
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "det",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matrix_norm",
    "multi_dot",
    "norm",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "triangular_solve",
    "vector_norm",
]
