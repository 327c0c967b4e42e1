"""ATen's operators of linear algebra: systems, decompositions, norms of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import DType, int32
from twinoar.core.op.declare import op_named
from twinoar.core.values import Value
from twinoar.errors import UnsupportedError
from twinoar.formats.torch.aten.elementwise import add
from twinoar.formats.torch.aten.table import result_dtype, target
from twinoar.ops.create.fill import full
from twinoar.ops.index.diagonal import block_diag
from twinoar.ops.linalg.decomposition import eigh, eigvalsh, qr, svd, svdvals
from twinoar.ops.linalg.einsum import multi_dot, tensordot
from twinoar.ops.linalg.linear_system import (
    cholesky,
    cholesky_inverse,
    cholesky_solve,
    det,
    inv,
    slogdet_op,
    solve,
    triangular_solve,
)
from twinoar.ops.linalg.matmul import bmm, inner, outer
from twinoar.ops.linalg.matrix_function import matrix_exp, matrix_power
from twinoar.ops.linalg.product import cross, vecdot
from twinoar.ops.linalg.vector_norm import matrix_norm, vector_norm
from twinoar.ops.math.cast import astype
from twinoar.ops.shape.reshape import reshape, swapaxes


def _no_failure(x: Value) -> Any:
    """What ATen reports of matrices that were no problem; those that are one are an error here."""
    return full(list(x.spec.shape[:-2]), 0, int32)


@target("aten.linalg_det", "aten.det")
def determinant(self: Value | None = None, A: Value | None = None) -> Any:
    """The determinants of matrices."""
    return det(self if A is None else A)


@target("aten._linalg_det")
def determinant_and_factors(A: Value) -> Any:
    """The determinants; of the factors nothing is made."""
    return det(A), None, None


@target("aten.linalg_slogdet", "aten.slogdet")
def sign_and_logarithm(self: Value | None = None, A: Value | None = None) -> Any:
    """The signs of determinants, and the logarithms of their sizes."""
    return slogdet_op(self if A is None else A)


@target("aten._linalg_slogdet")
def sign_logarithm_and_factors(A: Value) -> Any:
    """`linalg_slogdet`; of the factors nothing is made."""
    return *slogdet_op(A), None, None


@target("aten.logdet")
def logarithm_of_determinant(self: Value) -> Any:
    """The logarithms of determinants."""
    return op_named("log")(det(self))


@target("aten.linalg_inv", "aten.inverse")
def inverse(self: Value | None = None, A: Value | None = None) -> Any:
    """The inverses of matrices."""
    return inv(self if A is None else A)


@target("aten.linalg_inv_ex")
def checked_inverse(A: Value, check_errors: bool = False) -> Any:
    """The inverses, and that there was no failure."""
    return inv(A), _no_failure(A)


@target("aten.linalg_solve")
def solution(A: Value, B: Value, left: bool = True) -> Any:
    """X of A X = B, or of X A = B."""
    return solve(A, B, left)


@target("aten.linalg_solve_ex")
def checked_solution(A: Value, B: Value, left: bool = True, check_errors: bool = False) -> Any:
    """The solution, and that there was no failure."""
    return solve(A, B, left), _no_failure(A)


@target("aten._linalg_solve_ex")
def solution_and_factors(A: Value, B: Value, left: bool = True, check_errors: bool = False) -> Any:
    """The solution; of the factors nothing is made."""
    return solve(A, B, left), None, None, _no_failure(A)


@target("aten.linalg_solve_triangular")
def triangular_solution(
    self: Value, B: Value, upper: bool, left: bool = True, unitriangular: bool = False
) -> Any:
    """X of self X = B, or of X self = B, where self is triangular."""
    if left:
        return triangular_solve(self, B, upper, False, unitriangular)
    turned = swapaxes(self, -1, -2), swapaxes(B, -1, -2)
    return swapaxes(triangular_solve(*turned, not upper, False, unitriangular), -1, -2)


@target("aten.linalg_cholesky", "aten.cholesky")
def root(self: Value, upper: bool = False) -> Any:
    """The triangular roots of positive definite matrices."""
    return cholesky(self, upper)


@target("aten.linalg_cholesky_ex")
def checked_root(self: Value, upper: bool = False, check_errors: bool = False) -> Any:
    """The triangular roots, and that there was no failure."""
    return cholesky(self, upper), _no_failure(self)


@target("aten.cholesky_solve")
def solution_by_root(self: Value, input2: Value, upper: bool = False) -> Any:
    """X of A X = self, where input2 is the triangular root of A."""
    return cholesky_solve(self, input2, upper)


@target("aten.cholesky_inverse")
def inverse_by_root(self: Value, upper: bool = False) -> Any:
    """The inverse of the matrix with this triangular root."""
    return cholesky_inverse(self, upper)


@target("aten.linalg_qr")
def orthogonal_and_triangular(A: Value, mode: str = "reduced") -> Any:
    """Q and R of matrices."""
    if mode == "r":
        raise UnsupportedError("the decomposition into Q and R with the mode r")
    return qr(A, "complete" if mode == "complete" else "reduced")


@target("aten.linalg_svd")
def singular(A: Value, full_matrices: bool = True, driver: str | None = None) -> Any:
    """The singular value decompositions of matrices."""
    return svd(A, full_matrices)


@target("aten._linalg_svd")
def singular_values_and_more(
    A: Value, full_matrices: bool = False, compute_uv: bool = True, driver: str | None = None
) -> Any:
    """The singular value decompositions of matrices; compute_uv: with the vectors."""
    return svd(A, full_matrices) if compute_uv else (None, svdvals(A), None)


@target("aten.linalg_svdvals")
def singular_values(A: Value, driver: str | None = None) -> Any:
    """The singular values of matrices."""
    return svdvals(A)


@target("aten.linalg_eigh")
def eigenvectors(self: Value, UPLO: str = "L") -> Any:
    """The eigenvalues and eigenvectors of symmetric matrices."""
    return eigh(self, "U" if UPLO == "U" else "L")


@target("aten._linalg_eigh")
def eigenvalues_and_more(A: Value, UPLO: str = "L", compute_v: bool = True) -> Any:
    """The eigenvalues of symmetric matrices; compute_v: with the vectors."""
    return eigenvectors(A, UPLO) if compute_v else (eigenvalues(A, UPLO), None)


@target("aten.linalg_eigvalsh")
def eigenvalues(self: Value, UPLO: str = "L") -> Any:
    """The eigenvalues of symmetric matrices."""
    return eigvalsh(self, "U" if UPLO == "U" else "L")


@target("aten.linalg_matrix_power", "aten.matrix_power")
def power(self: Value, n: int) -> Any:
    """The powers of matrices."""
    return matrix_power(self, n)


@target("aten.linalg_matrix_exp", "aten.matrix_exp")
def exponential(self: Value) -> Any:
    """The exponentials of matrices."""
    return matrix_exp(self)


@target("aten.linalg_matrix_norm")
def norm_of_matrices(
    self: Value,
    ord: float | str = "fro",
    dim: Sequence[int] = (-2, -1),
    keepdim: bool = False,
    dtype: DType | None = None,
) -> Any:
    """A norm of matrices."""
    x = self if dtype is None else astype(self, dtype)
    return matrix_norm(x, ord, list(dim), keepdim)


@target("aten.linalg_norm")
def norm_of_either(
    self: Value,
    ord: float | str | None = None,
    dim: Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: DType | None = None,
) -> Any:
    """A norm of vectors or matrices, of all elements without `ord` and `dim`."""
    x = self if dtype is None else astype(self, dtype)
    is_matrix = isinstance(ord, str) or (
        ord is not None and (len(dim) if dim is not None else x.ndim) == 2
    )
    if is_matrix:
        return norm_of_matrices(x, ord, dim or (-2, -1), keepdim)
    axes = None if dim is None else list(dim)
    return vector_norm(x, 2.0 if ord is None else ord, axes, keepdim)  # type: ignore[arg-type]


# Products.


@target("aten.linalg_cross", "aten.cross")
def cross_product(self: Value, other: Value, dim: int = -1) -> Any:
    """The cross products of vectors of 3."""
    return cross(self, other, dim)


@target("aten.linalg_vecdot")
def products_of_vectors(x: Value, y: Value, dim: int = -1) -> Any:
    """The inner products along a dimension."""
    return vecdot(x, y, dim)


@target("aten.linalg_multi_dot", "aten.chain_matmul")
def chained(tensors: Sequence[Value] = (), matrices: Sequence[Value] = ()) -> Any:
    """The product of several matrices, in the cheapest order."""
    return multi_dot(list(tensors or matrices))


@target("aten.inner")
def inner_product(self: Value, other: Value) -> Any:
    """The sums of products along the last dimensions."""
    return inner(self, other)


@target("aten.tensordot")
def contracted(
    self: Value, other: Value, dims_self: Sequence[int], dims_other: Sequence[int]
) -> Any:
    """The sums of products along some dimensions of each."""
    return tensordot(self, other, [list(dims_self), list(dims_other)])


@target("aten.addr")
def plus_outer(self: Value, vec1: Value, vec2: Value, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * self + alpha * the outer product."""
    return add(self * beta if beta != 1 else self, outer(vec1, vec2), alpha)


@target("aten.addbmm")
def plus_products(self: Value, batch1: Value, batch2: Value, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * self + alpha * the sum of products of matrices."""
    return add(self * beta if beta != 1 else self, bmm(batch1, batch2).sum(0), alpha)


@target("aten.block_diag")
def blocks(tensors: Sequence[Value]) -> Any:
    """A matrix with matrices on its diagonal."""
    dtype = result_dtype(*tensors)
    flat = [reshape(x, [1, -1]) if x.ndim < 2 else x for x in tensors]
    return block_diag([astype(x, dtype) for x in flat])
