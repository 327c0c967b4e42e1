"""Linear algebra: `paddle.linalg`."""

from __future__ import annotations

from twinoar.core.op import publish
from twinoar.ops.calculus import cross, vecdot
from twinoar.ops.decomposition import eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from twinoar.ops.diagonal import diagonal
from twinoar.ops.einsum import multi_dot
from twinoar.ops.linear_algebra import (
    cond,
    corrcoef,
    cov,
    householder_product,
    lstsq,
    matrix_exp,
    matrix_power,
    matrix_rank,
    ormqr,
    pca_lowrank,
    pinv,
    svd_lowrank,
)
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
from twinoar.ops.lu import lu, lu_solve, lu_unpack
from twinoar.ops.matmul import matmul
from twinoar.ops.rearrange import matrix_transpose
from twinoar.ops.vector_norm import matrix_norm, norm, vector_norm

__all__ = [
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "cond",
    "corrcoef",
    "cov",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "lstsq",
    "lu",
    "lu_solve",
    "lu_unpack",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "ormqr",
    "pca_lowrank",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svd_lowrank",
    "svdvals",
    "triangular_solve",
    "vecdot",
    "vector_norm",
]

publish(globals())
