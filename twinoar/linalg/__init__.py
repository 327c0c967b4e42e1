"""Linear algebra: `paddle.linalg`."""

from twinoar.core.op.definition import publish
from twinoar.core.public import exported
from twinoar.ops.index.diagonal import diagonal
from twinoar.ops.linalg.covariance import corrcoef, cov
from twinoar.ops.linalg.decomposition import eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from twinoar.ops.linalg.einsum import multi_dot
from twinoar.ops.linalg.householder import householder_product, ormqr
from twinoar.ops.linalg.least_squares import cond, lstsq, matrix_rank, pinv
from twinoar.ops.linalg.linear_system import (
    cholesky,
    cholesky_inverse,
    cholesky_solve,
    det,
    inv,
    slogdet,
    solve,
    triangular_solve,
)
from twinoar.ops.linalg.low_rank import pca_lowrank, svd_lowrank
from twinoar.ops.linalg.lu import lu, lu_solve, lu_unpack
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.linalg.matrix_function import matrix_exp, matrix_power
from twinoar.ops.linalg.product import cross, vecdot
from twinoar.ops.linalg.vector_norm import matrix_norm, norm, vector_norm
from twinoar.ops.shape.reorder import matrix_transpose

__all__ = exported(globals(), but=["publish"])

publish(globals())
