"""Square matrices and the equations they stand for: inv, solve, det, cholesky.

LAPACK does the work for small matrices, through NumPy; blocked loops of our own for others, and in
Programs. Gradients: Giles, "Collected matrix derivative results for forward and reverse mode
algorithmic differentiation", 2008, where nothing else is named.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op, primitive
from twinoar.core.spec import broadcast, may_equal
from twinoar.errors import ArgumentError, DTypeError, GradientError, ShapeError
from twinoar.ops.index.diagonal import tril, triu
from twinoar.ops.linalg import _elimination, _triangular
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import promote_operands, sum_to
from twinoar.ops.shape.concat import stack_op
from twinoar.ops.shape.reshape import squeeze_op, swapaxes, unsqueeze_op


def check_matrices(x: Spec, name: str = "x") -> None:
    """Raise unless x, [...,M,N], holds matrices of floating or complex numbers."""
    if x.ndim < 2:
        raise ShapeError(f"{name} must be a matrix or a batch of them, received {x}")
    if not x.dtype.is_differentiable or x.dtype.itemsize < 4:
        raise DTypeError(
            f"{name} must be float32, float64 or complex, received {x}",
            cure="convert it: x.astype('float32')",
        )


def check_square(x: Spec, name: str = "x") -> None:
    """Raise unless x, [...,N,N], holds square matrices of floating or complex numbers."""
    check_matrices(x, name)
    if not may_equal(x.shape[-1:], x.shape[-2:-1]):
        raise ShapeError(f"{name} must hold square matrices, received {x}")


def square(x: Spec, **attrs: Any) -> Spec:
    """An `infer` rule: the spec of x, which holds square matrices."""
    check_square(x)
    return x


def lapack(problem: str, check: Any = check_square) -> Callable[[Any], Any]:
    """Decorator of kernels: x must pass `check`, and what LAPACK refuses is told as `problem`."""

    def decorate(kernel: Any) -> Any:
        @functools.wraps(kernel)
        def checked(x: np.ndarray, *args: Any, **kwargs: Any) -> Any:
            check(Spec(x.shape, BY_NUMPY[x.dtype]))
            try:
                return kernel(x, *args, **kwargs)
            except np.linalg.LinAlgError as error:
                raise ArgumentError(f"{problem}: {error}") from None

        return checked

    return decorate


def require_finite(*arrays: np.ndarray) -> None:
    """Raise LinAlgError for what is infinite or nan: LAPACK's iterations may not end with it."""
    if not all(np.isfinite(array).all() for array in arrays):
        raise np.linalg.LinAlgError("elements are infinite or not a number")


def require_real(g: Tensor, name: str) -> None:
    """Raise GradientError for complex matrices."""
    if g.dtype.is_complex:
        raise GradientError(
            f"{name} has no gradient for complex matrices, {g.spec}",
            cure="detach() them, or write the real and the imaginary part as one real matrix",
        )


def transposed(x: Tensor) -> Tensor:
    """x with its last two dimensions exchanged."""
    return swapaxes(x, -1, -2)


def well_conditioned(s: Any, *shape: int, dtype: Any = "float32") -> np.ndarray:
    """Random square matrices that are far from singular, for samples."""
    small = s.uniform(-0.5, 0.5, *shape, dtype=dtype)
    return small + 2 * np.eye(shape[-1], dtype=dtype)


def _square_samples(s):
    yield s(well_conditioned(s, 3, 3), half=False)
    yield s(well_conditioned(s, 2, 3, 3, dtype="float64"), half=False, tolerance=1e-10)
    yield s(s.zeros(0, 2, 2), half=False)
    yield s.bad(ShapeError, "square", s.randn(2, 3))
    yield s.bad(ShapeError, "must be a matrix", s.randn(2))
    yield s.bad(DTypeError, "must be float32", s.ints(0, 3, 2, 2))


@primitive(
    apart=2,
    method="inverse",
    name="inverse",
    infer=square,
    kernel=lapack("the matrix has no inverse")(np.linalg.inv),
    grad=lambda g, out: -matmul(matmul(out, g, True), out, False, True),
    desc=Desc("inverse", {"Input": "x"}, outputs=("Output",)),
    amp="full",
)
def inv(x: Tensor) -> Tensor:
    """The inverse of square matrices.

    x: [...,N,N]. Returns [...,N,N]. Raises ArgumentError where a matrix is singular, ShapeError,
    DTypeError.

    >>> twinoar.linalg.inv(twinoar.to_tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """


@inv.procedure
def _(p, x):
    return False if x.dtype.is_complex else _elimination.inverse(p, x)


inverse = inv


@inv.samples
def _(s):
    yield from _square_samples(s)
    yield s.bad(ArgumentError, "no inverse", s.zeros(2, 2), static_error=False)


@primitive(
    apart=2,
    name="determinant",
    infer=lambda x: Spec(square(x).shape[:-2], x.dtype),
    kernel=lapack("there is no determinant")(lambda x: np.asarray(np.linalg.det(x), x.dtype)),
    grad=lambda g, x, out: _grown(g * out) * transposed(inv(x)),
    desc=Desc("determinant", {"Input": "x"}),
    samples=_square_samples,
    amp="full",
)
def det(x: Tensor) -> Tensor:
    """The determinants of square matrices.

    x: [...,N,N]. Returns [...]. The gradient wants an inverse. Raises ShapeError, DTypeError.

    >>> twinoar.linalg.det(twinoar.to_tensor([[2.0, 0.0], [0.0, 4.0]])).item()
    8.0
    """


@det.procedure
def _(p, x):
    return False if x.dtype.is_complex else _elimination.determinant(p, x)


def _grown(x: Tensor) -> Tensor:
    """x, [...], as [...,1,1]."""
    return unsqueeze_op(x, (-2, -1))


@primitive(
    apart=2,
    name="sign_and_log_det",
    infer=lambda x: (Spec(square(x).shape[:-2], x.dtype),) * 2,
    grad=lambda gs, x: _grown(gs[1]) * transposed(inv(x)),
    samples=_square_samples,
    amp="full",
)
def slogdet_op(x: Tensor) -> tuple[Tensor, Tensor]:
    """Sign and logarithm of the size of determinants: the operator under `slogdet`."""


@slogdet_op.kernel
@lapack("there is no determinant")
def _(x):
    return tuple(np.asarray(part, x.dtype) for part in np.linalg.slogdet(x))


@slogdet_op.procedure
def _(p, x):
    return False if x.dtype.is_complex else _elimination.sign_and_log_det(p, x)


@op(
    method=True,
    name="slogdeterminant",
    desc=Desc("slogdeterminant", {"Input": "x"}),
    samples=_square_samples,
    amp="full",
)
def slogdet(x: Tensor) -> Tensor:
    """The sign of the determinants of square matrices, and the logarithm of their size.

    x: [...,N,N]. Returns [2,...]: the signs, then the logarithms, -inf where a matrix is singular.
    Raises ShapeError, DTypeError.

    >>> twinoar.linalg.slogdet(twinoar.to_tensor([[1.0, 0.0], [0.0, -1.0]])).tolist()
    [-1.0, 0.0]
    """
    return stack_op(slogdet_op(x), 0)


def _solved(x: Spec, y: Spec, **attrs: Any) -> Spec:
    check_square(x)
    check_matrices(y, "y")
    if not may_equal(x.shape[-1:], y.shape[-2:-1]):
        raise ShapeError(
            f"x {x} and y {y} do not fit: a matrix of {x.shape[-1]} columns meets "
            f"{y.shape[-2]} rows",
            cure="give y one row for each row of x",
        )
    return Spec((*broadcast(x.shape[:-2], y.shape[:-2]), *y.shape[-2:]), y.dtype)


@primitive(
    apart=2,
    name="solve",
    infer=_solved,
    kernel=lapack("the matrix is singular")(np.linalg.solve),
    promote=promote_operands,
    desc=Desc("solve", {"X": "x", "Y": "y"}),
    amp="full",
)
def solve_op(x: Tensor, y: Tensor) -> Tensor:
    """The solution of `x @ out = y` for matrices y: the operator under `solve`."""


@solve_op.procedure
def _(p, x, y):
    return False if y.dtype.is_complex else _elimination.solve(p, x, y)


@solve_op.grad
def _(g, x, out, specs, wanted):
    back = solve_op(transposed(x), g)
    dx = sum_to(-matmul(back, out, False, True), specs[0]) if wanted[0] else None
    return dx, sum_to(back, specs[1])


@solve_op.samples
def _(s):
    yield s(well_conditioned(s, 3, 3), s.randn(3, 2), half=False)
    yield s(well_conditioned(s, 2, 1, 3, 3, dtype="float64"), s.randn(4, 3, 2), half=False)
    yield s(s.zeros(0, 2, 2), s.zeros(0, 2, 1), half=False)
    yield s.bad(ShapeError, "do not fit", s.randn(3, 3), s.randn(2, 1))
    yield s.bad(ArgumentError, "singular", s.zeros(2, 2), s.randn(2, 1), static_error=False)


@function(method=True)
def solve(x: Tensor, y: Tensor, left: bool = True) -> Tensor:
    """The solution of `x @ out = y`, or of `out @ x = y` where `left` is False.

    x: [...,N,N]. y: [...,N,K], a vector [N], or [...,K,N] where `left` is False. Leading sizes
    broadcast. Returns the shape of y. Raises ArgumentError where x is singular, ShapeError.

    >>> x = twinoar.to_tensor([[2.0, 0.0], [0.0, 4.0]])
    >>> twinoar.linalg.solve(x, twinoar.to_tensor([2.0, 4.0])).tolist()
    [1.0, 1.0]
    """
    if y.ndim == 1 or (y.ndim == x.ndim - 1 and may_equal(y.spec.shape, x.spec.shape[:-1])):
        return squeeze_op(solve_op(x if left else transposed(x), unsqueeze_op(y, (-1,))), (-1,))
    if left:
        return solve_op(x, y)
    return transposed(solve_op(transposed(x), transposed(y)))


@primitive(
    slow_kernel=True,
    apart=2,
    method=True,
    infer=_solved,
    promote=promote_operands,
    desc=Desc(
        "triangular_solve",
        {"X": "x", "Y": "y"},
        attrs={"upper": "upper", "transpose": "transpose", "unitriangular": "unitriangular"},
    ),
    amp="full",
)
def triangular_solve(
    x: Tensor,
    y: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> Tensor:
    """The solution of `x @ out = y` for triangular matrices x; what is off the triangle is ignored.

    x: [...,N,N]. y: [...,N,K]. upper: the upper triangle counts. transpose: `x.T @ out = y` is
    solved. unitriangular: the diagonal of x is taken to be 1. Returns the broadcast [...,N,K].
    Raises ArgumentError where x is singular, ShapeError.

    >>> x, y = twinoar.to_tensor([[1.0, 1.0], [9.0, 2.0]]), twinoar.to_tensor([[3.0], [4.0]])
    >>> twinoar.linalg.triangular_solve(x, y).tolist()
    [[1.0], [2.0]]
    """


@triangular_solve.kernel
@lapack("the matrix is singular")
def _(x, y, upper, transpose, unitriangular):
    x = np.triu(x) if upper else np.tril(x)
    if unitriangular:
        x[..., *np.diag_indices(x.shape[-1])] = 1
    return np.linalg.solve(x.swapaxes(-1, -2) if transpose else x, y)


@triangular_solve.procedure
def _(p, x, y, upper, transpose, unitriangular):
    if y.dtype.is_complex:
        return False
    kinds = {"upper": upper, "turned": transpose, "unit": unitriangular}
    return _triangular.triangular_solve(p, x, y, **kinds)


@triangular_solve.grad
def _(g, x, out, specs, wanted, upper, transpose, unitriangular):
    dy = triangular_solve(x, g, upper, not transpose, unitriangular)
    dx = None
    if wanted[0]:
        dx = -(matmul(out, dy, False, True) if transpose else matmul(dy, out, False, True))
        offset = int(unitriangular)
        dx = sum_to(triu(dx, offset) if upper else tril(dx, -offset), specs[0])
    return dx, sum_to(dy, specs[1])


@triangular_solve.samples
def _(s):
    yield s(well_conditioned(s, 3, 3), s.randn(3, 2), half=False)
    yield s(well_conditioned(s, 2, 3, 3), s.randn(3, 1), False, True, half=False)
    wide = well_conditioned(s, 3, 3, dtype="float64")
    yield s(wide, s.randn(3, 2), True, False, True, half=False)
    yield s(well_conditioned(s, 3, 3), s.randn(3, 2), False, True, True, half=False)
    yield s.bad(ShapeError, "do not fit", s.randn(3, 3), s.randn(2, 1))


@primitive(
    apart=2,
    method=True,
    infer=square,
    desc=Desc("cholesky", {"X": "x"}, attrs={"upper": "upper"}),
    amp="full",
)
def cholesky(x: Tensor, upper: bool = False) -> Tensor:
    """The triangular L with `L @ L.T = x`, or U with `U.T @ U = x` where `upper` is True.

    x: [...,N,N], symmetric or Hermitian, and positive definite; the triangle that is asked for is
    read. Returns [...,N,N]. Raises ArgumentError where x is not positive definite, ShapeError.
    Gradient: Murray, arXiv 1602.07527, eq. 10.

    >>> twinoar.linalg.cholesky(twinoar.to_tensor([[4.0, 0.0], [0.0, 9.0]])).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """


@cholesky.kernel
@lapack("the matrix is not positive definite")
def _(x, upper):
    return np.linalg.cholesky(x, upper=upper)


@cholesky.procedure
def _(p, x, upper):
    return False if x.dtype.is_complex else _triangular.cholesky(p, x, upper=upper)


@cholesky.grad
def _(g, out, upper):
    require_real(out, "cholesky")
    lower, g = (transposed(out), transposed(g)) if upper else (out, g)
    inner = matmul(lower, g, True)
    both = tril(inner) + transposed(tril(inner, -1))
    half = triangular_solve(lower, both, False, True)
    return 0.5 * transposed(triangular_solve(lower, transposed(half), False, True))


def positive_definite(s: Any, *shape: int, dtype: Any = "float32") -> np.ndarray:
    """Random symmetric positive definite matrices, for samples."""
    x = well_conditioned(s, *shape, dtype=dtype)
    return x @ x.swapaxes(-1, -2)


@cholesky.samples
def _(s):  # a triangle is read and the gradient is symmetric: finite differences do not compare
    yield s(positive_definite(s, 3, 3), gradient=False)
    yield s(positive_definite(s, 2, 3, 3, dtype="float64"), True, gradient=False)
    yield s(s.zeros(0, 2, 2), gradient=False)
    yield s.bad(ShapeError, "square", s.randn(2, 3))
    yield s.bad(ArgumentError, "positive definite", -np.eye(2), static_error=False)


@function(method=True)
def cholesky_solve(x: Tensor, y: Tensor, upper: bool = False) -> Tensor:
    """The solution of `A @ out = x`, with A known by its Cholesky factor y.

    x: [...,N,K]. y: [...,N,N], lower triangular, or upper where `upper` is True. Returns the
    broadcast [...,N,K]. Raises ShapeError, ArgumentError where y is singular.

    >>> x, y = twinoar.to_tensor([[4.0]]), twinoar.to_tensor([[2.0]])
    >>> twinoar.linalg.cholesky_solve(x, y).tolist()
    [[1.0]]
    """
    half = triangular_solve(y, x, upper, upper)
    return triangular_solve(y, half, upper, not upper)


@function(method=True)
def cholesky_inverse(x: Tensor, upper: bool = False) -> Tensor:
    """The inverse of A, with A known by its Cholesky factor x.

    x: [N,N], lower triangular, or upper where `upper` is True. Returns [N,N]. Raises ShapeError,
    ArgumentError where x is singular.

    >>> twinoar.linalg.cholesky_inverse(twinoar.to_tensor([[2.0]])).tolist()
    [[0.25]]
    """
    root = inv(x)
    return matmul(root, root, not upper, upper)
