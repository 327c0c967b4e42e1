"""Linear algebra: `paddle.linalg`."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar import cholesky as cholesky
@overload
def cholesky_inverse(x: twinoar._TensorLike, upper: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of A, with A known by its Cholesky factor x."""
@overload
def cholesky_inverse(*args: Any, x: Any = ..., upper: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cholesky_solve(x: twinoar._TensorLike, y: twinoar._TensorLike, upper: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The solution of `A @ out = x`, with A known by its Cholesky factor y."""
@overload
def cholesky_solve(*args: Any, x: Any = ..., y: Any = ..., upper: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cond(x: twinoar._TensorLike, p: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The condition number of matrices: the norm of x times that of its inverse."""
@overload
def cond(*args: Any, x: Any = ..., p: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def corrcoef(x: twinoar._TensorLike, rowvar: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """The correlations of variables, each a row of x, or a column for `rowvar=False`"""
@overload
def corrcoef(*args: Any, x: Any = ..., rowvar: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def cov(x: twinoar._TensorLike, rowvar: builtins.bool = True, ddof: builtins.bool = True, fweights: twinoar._TensorLike | None = None, aweights: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The covariances of variables, each a row of x, or a column for `rowvar=False`."""
@overload
def cov(*args: Any, x: Any = ..., rowvar: Any = ..., ddof: Any = ..., fweights: Any = ..., aweights: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import cross as cross
@overload
def det(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The determinants of square matrices."""
@overload
def det(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import diagonal as diagonal
@overload
def eig(x: twinoar._TensorLike, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """Eigenvalues and eigenvectors of square matrices, complex; no gradient flows."""
@overload
def eig(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def eigh(x: twinoar._TensorLike, UPLO: Literal['L', 'U'] = 'L', name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]:
    """Eigenvalues, ascending, and eigenvectors of symmetric or Hermitian matrices."""
@overload
def eigh(*args: Any, x: Any = ..., UPLO: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor]: ...
@overload
def eigvals(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The eigenvalues of square matrices, complex; no gradient flows"""
@overload
def eigvals(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import eigvalsh as eigvalsh
@overload
def householder_product(x: twinoar._TensorLike, tau: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The first N columns of the product of the reflections I - tau v v^T."""
@overload
def householder_product(*args: Any, x: Any = ..., tau: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def inv(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The inverse of square matrices."""
@overload
def inv(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def lstsq(x: twinoar._TensorLike, y: twinoar._TensorLike, rcond: Any = None, driver: builtins.str | None = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """The solution of least squares of `x @ out = y`; no gradient flows."""
@overload
def lstsq(*args: Any, x: Any = ..., y: Any = ..., rcond: Any = ..., driver: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def lu(x: twinoar._TensorLike, pivot: builtins.bool = True, get_infos: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, ...]:
    """The decomposition A = P L U of matrices, with rows exchanged for the largest pivots."""
@overload
def lu(*args: Any, x: Any = ..., pivot: Any = ..., get_infos: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, ...]: ...
@overload
def lu_solve(b: twinoar._TensorLike, lu: twinoar._TensorLike, pivots: twinoar._TensorLike, trans: Literal['N', 'T', 'C'] = 'N', name: builtins.str | None = None) -> twinoar.Tensor:
    """The solution of `A @ out = b`, for 'T' and 'C' of the (conjugate) transpose, A known by `lu`."""
@overload
def lu_solve(*args: Any, b: Any = ..., lu: Any = ..., pivots: Any = ..., trans: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def lu_unpack(x: twinoar._TensorLike, y: twinoar._TensorLike, unpack_ludata: builtins.bool = True, unpack_pivots: builtins.bool = True, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor | None, twinoar.Tensor | None, twinoar.Tensor | None]:
    """P, L and U of what `lu` gave."""
@overload
def lu_unpack(*args: Any, x: Any = ..., y: Any = ..., unpack_ludata: Any = ..., unpack_pivots: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor | None, twinoar.Tensor | None, twinoar.Tensor | None]: ...
from twinoar import matmul as matmul
@overload
def matrix_exp(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The exponential of square matrices, the sum of x^k / k!."""
@overload
def matrix_exp(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def matrix_norm(x: twinoar._TensorLike, p: Any = 'fro', axis: Any = ..., keepdim: builtins.bool = False, name: builtins.str | None = None, *, dtype: Any = None) -> twinoar.Tensor:
    """The norm of the matrices in the two dimensions `axis`."""
@overload
def matrix_norm(*args: Any, x: Any = ..., p: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., dtype: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def matrix_power(x: twinoar._TensorLike, n: Any, name: builtins.str | None = None) -> twinoar.Tensor:
    """Square matrices to the power n, an integer; of the inverse where it is negative."""
@overload
def matrix_power(*args: Any, x: Any = ..., n: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def matrix_rank(x: twinoar._TensorLike, tol: Any = None, hermitian: builtins.bool = False, atol: Any = None, rtol: Any = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """How many singular values are above a tolerance."""
@overload
def matrix_rank(*args: Any, x: Any = ..., tol: Any = ..., hermitian: Any = ..., atol: Any = ..., rtol: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import matrix_transpose as matrix_transpose
@overload
def multi_dot(x: collections.abc.Sequence[twinoar._TensorLike], name: builtins.str | None = None) -> twinoar.Tensor:
    """The product of matrices, in the order of multiplications that takes the fewest steps."""
@overload
def multi_dot(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import norm as norm
@overload
def ormqr(x: twinoar._TensorLike, tau: twinoar._TensorLike, y: twinoar._TensorLike, left: builtins.bool = True, transpose: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The product of the reflections of `householder_product`, all M columns, and y."""
@overload
def ormqr(*args: Any, x: Any = ..., tau: Any = ..., y: Any = ..., left: Any = ..., transpose: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def pca_lowrank(x: twinoar._TensorLike, q: Any = None, center: builtins.bool = True, niter: Any = 2, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """The q main components of the rows of x: `svd_lowrank`, of x less its mean row for `center`."""
@overload
def pca_lowrank(*args: Any, x: Any = ..., q: Any = ..., center: Any = ..., niter: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def pinv(x: twinoar._TensorLike, rcond: Any = ..., hermitian: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The pseudo-inverse of matrices, from their singular values."""
@overload
def pinv(*args: Any, x: Any = ..., rcond: Any = ..., hermitian: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def qr(x: twinoar._TensorLike, mode: Literal['reduced', 'complete', 'r'] = 'reduced', name: builtins.str | None = None) -> twinoar.Tensor:
    """The decomposition of matrices into Q, orthonormal columns, and R, upper triangular."""
@overload
def qr(*args: Any, x: Any = ..., mode: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def slogdet(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The sign of the determinants of square matrices, and the logarithm of their size."""
@overload
def slogdet(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def solve(x: twinoar._TensorLike, y: twinoar._TensorLike, left: builtins.bool = True, name: builtins.str | None = None) -> twinoar.Tensor:
    """The solution of `x @ out = y`, or of `out @ x = y` where `left` is False."""
@overload
def solve(*args: Any, x: Any = ..., y: Any = ..., left: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def svd(x: twinoar._TensorLike, full_matrices: builtins.bool = False, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """The singular value decomposition `U @ diag(S) @ VH` of matrices."""
@overload
def svd(*args: Any, x: Any = ..., full_matrices: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def svd_lowrank(x: twinoar._TensorLike, q: Any = None, niter: Any = 2, M: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]:
    """The q largest singular values of x - M, and their vectors."""
@overload
def svd_lowrank(*args: Any, x: Any = ..., q: Any = ..., niter: Any = ..., M: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> builtins.tuple[twinoar.Tensor, twinoar.Tensor, twinoar.Tensor]: ...
@overload
def svdvals(x: twinoar._TensorLike, name: builtins.str | None = None) -> twinoar.Tensor:
    """The singular values of matrices, descending"""
@overload
def svdvals(*args: Any, x: Any = ..., name: Any = ..., A: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
@overload
def triangular_solve(x: twinoar._TensorLike, y: twinoar._TensorLike, upper: builtins.bool = True, transpose: builtins.bool = False, unitriangular: builtins.bool = False, name: builtins.str | None = None) -> twinoar.Tensor:
    """The solution of `x @ out = y` for triangular matrices x; what is off the triangle is ignored."""
@overload
def triangular_solve(*args: Any, x: Any = ..., y: Any = ..., upper: Any = ..., transpose: Any = ..., unitriangular: Any = ..., name: Any = ..., A: Any = ..., B: Any = ..., elements: Any = ..., exponent: Any = ..., input: Any = ..., mat2: Any = ..., obj: Any = ..., other: Any = ..., tensor: Any = ..., tensors: Any = ..., vec2: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
from twinoar import vecdot as vecdot
@overload
def vector_norm(x: twinoar._TensorLike, p: Any = ..., axis: Any = None, keepdim: builtins.bool = False, name: builtins.str | None = None, *, dtype: Any = None) -> twinoar.Tensor:
    """The p-norm of the vectors along `axis`, of x as one vector for None."""
@overload
def vector_norm(*args: Any, x: Any = ..., p: Any = ..., axis: Any = ..., keepdim: Any = ..., name: Any = ..., dtype: Any = ..., A: Any = ..., dim: Any = ..., dimension: Any = ..., dims: Any = ..., elements: Any = ..., input: Any = ..., obj: Any = ..., tensors: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
