"""Products of matrices and vectors: matmul and what is said with it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import bool_
from twinoar.core.op import library
from twinoar.core.op.declare import (
    Desc,
    Shape,
    Spec,
    Tensor,
    Value,
    function,
    loop,
    method,
    op,
    primitive,
)
from twinoar.core.spec import broadcast, may_equal
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.create.fill import assign, fill_like
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.ops.math.cast import (
    astype,
    in_equal_shapes,
    promote_after_two,
    promote_operands,
    sum_to,
)
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze

MANY = 3  # dimensions of matrices that each row, or head, has of its own


def _read_matmul(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    """Also the older type `matmul`, which scales by alpha."""
    transposed = [
        attrs.get(new, attrs.get(old, False))
        for new, old in (("trans_x", "transpose_X"), ("trans_y", "transpose_Y"))
    ]
    out = matmul(slots["X"][0], slots["Y"][0], *transposed)
    alpha = attrs.get("alpha", 1.0)
    return out if alpha == 1.0 else multiply(out, alpha)


@primitive(
    method=True,
    promote=promote_after_two,
    amp="low",
    desc=Desc(
        "matmul_v2",
        {"X": "x", "Y": "y"},
        attrs={"trans_x": "transpose_x", "trans_y": "transpose_y"},
        read=_read_matmul,
        reads=("matmul",),
    ),
)
def matmul(x: Tensor, y: Tensor, transpose_x: bool = False, transpose_y: bool = False) -> Tensor:
    """The matrix product of x and y.

    x: [...,M,K] or [K]. y: [...,K,N] or [K]. Leading dimensions broadcast; transpose_x and
    transpose_y swap the last two of a matrix and leave a vector as it is. Returns [...,M,N],
    without M or N where x or y is a vector. Raises ShapeError where the sizes K differ, DTypeError
    where the dtypes do.

    >>> twinoar.matmul(twinoar.to_tensor([[1.0, 2.0]]), twinoar.to_tensor([[3.0], [4.0]])).tolist()
    [[11.0]]
    """


@matmul.infer
def _(x, y, transpose_x, transpose_y):
    rows, x_inner = _matrix(x, transpose_x, "x")
    y_inner, columns = _matrix(y, transpose_y, "y")
    if y.ndim == 1:
        y_inner, columns = columns, None
    if is_known(x_inner, y_inner) and x_inner != y_inner:
        raise ShapeError(
            f"x has {x_inner} columns and y {y_inner} rows: shapes {list(x.shape)} and "
            f"{list(y.shape)}{_transposes(transpose_x, transpose_y)}",
            cure="make them equal, or transpose an operand",
        )
    kept = tuple(d for d in (rows, columns) if d is not None)
    return Spec((*broadcast(x.shape[:-2], y.shape[:-2]), *kept), x.dtype)


@matmul.kernel
def product(x, y, transpose_x=False, transpose_y=False):
    """The product in NumPy; 16-bit floats are summed in float32."""
    dtype = x.dtype
    if dtype.itemsize == 2 and dtype.kind in "fV":
        x, y = x.astype(np.float32), y.astype(np.float32)
    if transpose_x and x.ndim > 1:
        x = x.swapaxes(-1, -2)
    if transpose_y and y.ndim > 1:
        y = y.swapaxes(-1, -2)
    if y.ndim == 2 and x.ndim > 2 and not transpose_x:  # one BLAS call instead of many
        rows = np.matmul(x.reshape(math.prod(x.shape[:-1]), x.shape[-1]), y)
        return rows.reshape(*x.shape[:-1], y.shape[1]).astype(dtype, copy=False)
    return np.matmul(x, y).astype(dtype, copy=False)


@matmul.grad
def _(g, x, y, specs, wanted, transpose_x, transpose_y):
    x_shape, y_shape = specs[0].shape, specs[1].shape
    if len(y_shape) == 1:
        y, g, transpose_y = unsqueeze(y, 1), unsqueeze(g, -1), False
    if len(x_shape) == 1:
        x, g, transpose_x = unsqueeze(x, 0), unsqueeze(g, -2), False
    dx = dy = None
    if wanted[0]:
        dx = (
            matmul(y, g, transpose_y, True) if transpose_x else matmul(g, y, False, not transpose_y)
        )
        dx = _shaped(sum_to(dx, x.spec), x_shape)
    if wanted[1]:
        dy = _right_gradient(g, x, y, transpose_x, transpose_y)
        dy = _shaped(sum_to(dy, y.spec), y_shape)
    return dx, dy


@matmul.lower
def _(i, x, y, transpose_x, transpose_y):
    batch = list(i)
    column = batch.pop() if y.ndim > 1 else None
    row = batch.pop() if x.ndim > 1 else None

    def term(k):
        left = _entry(x, batch, row, k, transpose_x)
        return left * _entry(y, batch, k, column, transpose_y)

    return loop.sum((x.shape[-2 if transpose_x and x.ndim > 1 else -1],), term)


def _row_by_loops(x: Tensor, y: Tensor, transpose_x: bool, transpose_y: bool) -> Tensor | None:
    """Rows times matrices that are no weights, as of one query and what a text keeps, as sums."""
    one = min(x.ndim, y.ndim) >= MANY and x.spec.shape[-1 if transpose_x else -2]
    if one.__class__ is not int or one != 1 or not x.dtype.is_floating or x.dtype.itemsize < 4:
        return None
    shape = x.spec.shape
    if transpose_y:  # [...,1,K] * [...,N,K]
        row = reshape(x, (*shape[:-2], 1, shape[-2])) if transpose_x else x
        return unsqueeze(sum_op(multiply(row, y), (-1,), False), -2)
    column = x if transpose_x else reshape(x, (*shape[:-2], shape[-1], 1))
    return sum_op(multiply(column, y), (-2,), True)


matmul.attach("open", _row_by_loops)


def _entry(x: loop.Reader, batch: list[Any], row: Any, column: Any, transposed: bool) -> loop.Expr:
    """An entry of an operand; None stands for the dimension that a vector lacks."""
    if row is None or column is None:
        return x[column if row is None else row]
    return x.broadcast((*batch, column, row) if transposed else (*batch, row, column))


@matmul.library
def _(specs, transpose_x, transpose_y):
    x, y = specs
    if x.ndim < 2 or y.ndim < 2 or not x.dtype.is_floating:
        return None
    return library.Matmul(transpose_x, transpose_y)


def _right_gradient(
    g: Tensor, x: Tensor, y: Tensor, transpose_x: bool, transpose_y: bool
) -> Tensor:
    """The gradient of y, not yet summed over broadcast dimensions."""
    if y.spec.ndim == 2 and x.spec.ndim > 2 and not transpose_x:
        x, g = _as_matrix(x), _as_matrix(g)
    return matmul(g, x, True, transpose_x) if transpose_y else matmul(x, g, not transpose_x, False)


@matmul.flops
def _(x, y, transpose_x, transpose_y):
    inner = x.shape[-1] if x.ndim == 1 or not transpose_x else x.shape[-2]
    out = matmul.rules["infer"](x, y, transpose_x, transpose_y)
    return 2 * inner * out.size


@matmul.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(3, 4))
    yield s(s.randn(3, 2), s.randn(4, 3), True, True)
    yield s(s.randn(5, 1, 2, 3), s.randn(4, 3, 6), tolerance=1e-4)
    yield s(s.randn(5, 3, 2), s.randn(4, 3), True, True)
    yield s(s.randn(2, 5, 3), s.randn(3, 4))
    yield s(s.randn(2, 5, 3), s.randn(4, 3), False, True)
    yield s(s.randn(2, 3), s.randn(5, 3, 4))
    yield s(s.randn(3), s.randn(3))
    yield s(s.randn(3), s.randn(3, 4), True)
    yield s(s.randn(5, 2, 3), s.randn(3), False, True)
    yield s(s.randn(3), s.randn(5, 3, 2))
    yield s(s.randn(1, 1), s.randn(1, 1))
    yield s(s.zeros(0, 3), s.randn(3, 2))
    yield s(s.zeros(2, 0), s.zeros(0, 2))
    yield s(s.zeros(0, 2, 3), s.randn(3, 2))
    yield s(s.randn(2, 3, dtype="float64"), s.randn(3, 4, dtype="float64"))
    yield s(s.ints(0, 9, 2, 3), s.ints(0, 9, 3, 2), gradient=False)
    yield s.bad(DTypeError, "of one dtype", s.randn(2, 3), s.ints(0, 9, 3, 2))
    yield s.bad(DTypeError, "of one dtype", s.randn(2, 3, dtype="float64"), s.randn(3, 2))
    yield s.bad(ShapeError, "x has 3 columns and y 4 rows", s.randn(2, 3), s.randn(4, 5))
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 2, 3), s.randn(4, 3, 5))
    yield s.bad(ShapeError, "at least one dimension", s.randn(), s.randn(3))


@method("__matmul__")
def _matmul(x: Tensor, y: Any) -> Tensor:
    """x @ y; y, which may be an array, is brought to the dtype of x where their kinds are one."""
    if isinstance(y, Value) and y.dtype is x.dtype:
        return matmul.function(x, y)
    y = assign(y) if isinstance(y, np.ndarray) else y
    if isinstance(y, Value) and y.dtype.category == x.dtype.category:
        return matmul.function(x, astype(y, x.dtype))
    return matmul.function(*promote_operands((x, y)))


@method("__rmatmul__")
def _rmatmul(x: Tensor, y: Any) -> Tensor:
    return _matmul(assign(y) if isinstance(y, np.ndarray) else y, x)


@op(promote=promote_after_two, amp="low")
def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x times weight, plus bias.

    x: [...,I]. weight: [I,O]. bias: [O] or [1]. Returns [...,O]. Raises ShapeError where sizes
    differ, DTypeError where the dtypes of x and weight do.

    >>> x, weight = twinoar.ones([1, 2]), twinoar.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> twinoar.nn.functional.linear(x, weight, twinoar.to_tensor([0.5, 0.0])).tolist()
    [[4.5, 6.0]]
    """
    out = matmul(x, weight)
    return out if bias is None else add(out, bias)


@linear.grad
def _(g, x, weight, specs, wanted):
    assert matmul.grad_rule is not None
    of_product = matmul.grad_rule.function(g, x, weight, specs[:2], wanted[:2], False, False)
    return (*of_product, sum_to(g, specs[2]) if wanted[2] else None)


@linear.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(3, 4), s.randn(4))
    yield s(s.randn(2, 5, 3), s.randn(3, 4), s.randn(4))
    yield s(s.randn(3), s.randn(3, 4), s.randn(4))
    yield s(s.randn(2, 3), s.randn(3, 4))
    yield s(s.zeros(0, 3), s.randn(3, 4), s.randn(4))
    yield s.bad(ShapeError, "x has 5 columns", s.randn(2, 5), s.randn(3, 4), s.randn(4))
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(3, 4), s.randn(3))


@op(
    name="mul",
    amp="low",
    desc=Desc(
        "mul",
        {"X": "x", "Y": "y"},
        attrs={"x_num_col_dims": "x_num_col_dims", "y_num_col_dims": "y_num_col_dims"},
    ),
)
def fc_mul(x: Tensor, y: Tensor, x_num_col_dims: int = 1, y_num_col_dims: int = 1) -> Tensor:
    """The product of two tensors flattened to matrices, as a fully connected layer takes it.

    x: the first x_num_col_dims dimensions become rows, the others columns. y: likewise. Returns the
    rows of x by the columns of y, in their own dimensions. Raises ShapeError, ArgumentError.
    """
    (rows, inner), (_, columns) = _cut(x, x_num_col_dims, "x"), _cut(y, y_num_col_dims, "y")
    left = reshape(x, (math.prod(rows), math.prod(inner)))
    right = reshape(y, (math.prod(y.spec.shape[:y_num_col_dims]), math.prod(columns)))
    return reshape(matmul(left, right), (*rows, *columns))


@fc_mul.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(3, 4))
    yield s(s.randn(2, 3, 4), s.randn(12, 5))
    yield s(s.randn(2, 3, 4), s.randn(2, 2, 5), 2, 2)
    yield s.bad(ShapeError, "x has 12 columns", s.randn(2, 3, 4), s.randn(4, 5))
    yield s.bad(ArgumentError, "x_num_col_dims", s.randn(2, 3), s.randn(3, 4), 2)


@op(method=True, desc=Desc("bmm", {"X": "x", "Y": "y"}))
def bmm(x: Tensor, y: Tensor) -> Tensor:
    """The matrix products of two batches.

    x: [B,M,K]. y: [B,K,N]. Returns [B,M,N]. Raises ShapeError; nothing broadcasts.

    >>> twinoar.bmm(twinoar.ones([2, 1, 3]), twinoar.ones([2, 3, 1])).tolist()
    [[[3.0]], [[3.0]]]
    """
    _check_ndim(x, 3, "x")
    _check_ndim(y, 3, "y")
    m, n = x.spec.shape[0], y.spec.shape[0]
    if is_known(m, n) and m != n:
        raise ShapeError(f"x is a batch of {m} matrices, y of {n}")
    return matmul(x, y)


@bmm.samples
def _(s):
    yield s(s.randn(2, 3, 4), s.randn(2, 4, 5))
    yield s(s.zeros(0, 3, 4), s.zeros(0, 4, 5))
    yield s.bad(ShapeError, "batch of 2 matrices", s.randn(2, 3, 4), s.randn(1, 4, 5))
    yield s.bad(ShapeError, "3 dimensions", s.randn(3, 4), s.randn(4, 5))


@function(method=True)
def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The matrix product of input and mat2. See `matmul`.

    >>> twinoar.mm(twinoar.ones([1, 2]), twinoar.ones([2, 1])).tolist()
    [[2.0]]
    """
    return matmul(input, mat2)


@op(method=True, desc=Desc("dot", {"X": "x", "Y": "y"}))
def dot(x: Tensor, y: Tensor) -> Tensor:
    """The inner product of two vectors, or of two batches of vectors row by row.

    x, y: [K] or [B,K]. Returns [] or [B]. Raises ShapeError where the shapes differ.

    >>> twinoar.dot(twinoar.to_tensor([1.0, 2.0]), twinoar.to_tensor([3.0, 4.0])).item()
    11.0
    """
    x_shape, y_shape = x.spec.shape, y.spec.shape
    if len(x_shape) not in (1, 2) or len(x_shape) != len(y_shape):
        raise ShapeError(
            f"expected two vectors or two matrices, received {list(x_shape)} and {list(y_shape)}"
        )
    if not may_equal(x_shape, y_shape):
        raise ShapeError(
            f"shapes must be equal, received {list(x_shape)} and {list(y_shape)}",
            cure="cut or reshape them to one size",
        )
    x, y = in_equal_shapes(x, y)
    if len(x_shape) == 1:
        return matmul(x, y)
    return squeeze(matmul(unsqueeze(x, 1), unsqueeze(y, 2)), [1, 2])


@dot.samples
def _(s):
    yield s(s.randn(3), s.randn(3))
    yield s(s.randn(2, 3), s.randn(2, 3))
    yield s(s.ints(0, 5, 3), s.ints(0, 5, 3), gradient=False)
    yield s.bad(ShapeError, "two vectors", s.randn(2, 3), s.randn(3))
    yield s.bad(ShapeError, "must be equal", s.randn(3), s.randn(4))


@op(method=True, desc=Desc("mv", {"X": "x", "Vec": "vec"}))
def mv(x: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector.

    x: [M,N]. vec: [N]. Returns [M]. Raises ShapeError.

    >>> twinoar.mv(twinoar.ones([2, 3]), twinoar.ones([3])).tolist()
    [3.0, 3.0]
    """
    _check_ndim(x, 2, "x")
    _check_ndim(vec, 1, "vec")
    return matmul(x, vec)


@mv.samples
def _(s):
    yield s(s.randn(2, 3), s.randn(3))
    yield s.bad(ShapeError, "vec must have 1 dimension", s.randn(2, 3), s.randn(3, 1))


@function(method=True)
def outer(x: Tensor, y: Tensor) -> Tensor:
    """The products of every element of x with every element of y.

    x, y: any shapes, flattened. Returns [size of x, size of y].

    >>> twinoar.outer(twinoar.to_tensor([1, 2]), twinoar.to_tensor([3, 4])).tolist()
    [[3, 4], [6, 8]]
    """
    return multiply(reshape(x, (x.spec.size, 1)), reshape(y, (1, y.spec.size)))


@function(method=True)
def inner(x: Tensor, y: Tensor) -> Tensor:
    """The inner products of every row of x with every row of y.

    x: [...,K]. y: [***,K]. Returns [...,***]. Raises ShapeError where the last sizes differ.

    >>> twinoar.inner(twinoar.ones([2, 3]), twinoar.ones([4, 3])).shape
    [2, 4]
    """
    if x.spec.ndim == 0 or y.spec.ndim == 0:
        return multiply(x, y)
    shape = (*x.spec.shape[:-1], *y.spec.shape[:-1])
    return reshape(matmul(_as_matrix(x), _as_matrix(y), transpose_y=True), shape)


@op(
    method=True,
    desc=Desc(
        "addmm", {"Input": "input", "X": "x", "Y": "y"}, attrs={"Beta": "beta", "Alpha": "alpha"}
    ),
)
def addmm(input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0) -> Tensor:
    """beta * input + alpha * x @ y.

    input: a shape that broadcasts to [M,N]. x: [M,K]. y: [K,N]. Returns [M,N]. Raises ShapeError.

    >>> x = twinoar.ones([2, 2])
    >>> twinoar.addmm(x, x, x, beta=0.5, alpha=2.0).tolist()
    [[4.5, 4.5], [4.5, 4.5]]
    """
    _check_ndim(x, 2, "x")
    _check_ndim(y, 2, "y")
    scaled = share_of(input, beta)
    product = matmul(x, y)
    return add(scaled, product if alpha == 1.0 else multiply(product, alpha))


def share_of(input: Tensor, beta: float) -> Tensor:
    """beta * input; nothing of it for 0, what is infinite or nan included."""
    if beta == 0.0:
        return select(fill_like(input, False, bool_), input, 0.0)
    return input if beta == 1.0 else multiply(input, beta)


@addmm.samples
def _(s):
    yield s(s.randn(2, 4), s.randn(2, 3), s.randn(3, 4))
    yield s(s.randn(4), s.randn(2, 3), s.randn(3, 4), 0.5, 2.0)
    yield s.bad(ShapeError, "2 dimensions", s.randn(2, 4), s.randn(3), s.randn(3, 4))
    yield s.bad(ShapeError, "do not broadcast", s.randn(2, 3), s.randn(2, 3), s.randn(3, 4))


def _matrix(x: Spec, transpose: bool, name: str) -> tuple[Any, ...]:
    """Rows and columns of an operand; a vector is one row without a size."""
    if x.ndim == 0:
        raise ShapeError(
            f"{name} must have at least one dimension", cure="use multiply for numbers"
        )
    if x.ndim == 1:
        return None, x.shape[0]
    return x.shape[-2:][::-1] if transpose else x.shape[-2:]


def _transposes(transpose_x: bool, transpose_y: bool) -> str:
    flags = (("transpose_x", transpose_x), ("transpose_y", transpose_y))
    shown = [f"{name}=True" for name, given in flags if given]
    return f" with {', '.join(shown)}" if shown else ""


def _swapped(ndim: int) -> tuple[int, ...]:
    return (*range(ndim - 2), ndim - 1, ndim - 2)


def _as_matrix(x: Tensor) -> Tensor:
    """x [...,K] as [*,K]."""
    *rows, inner = x.spec.shape
    return reshape(x, (math.prod(rows), inner))


def _shaped(x: Tensor | None, shape: Shape) -> Tensor:
    assert x is not None
    return x if x.spec.shape == shape else reshape(x, shape)


def _cut(x: Tensor, count: int, name: str) -> tuple[Shape, Shape]:
    shape = x.spec.shape
    if not 0 < count < len(shape):
        raise ArgumentError(
            f"{name}_num_col_dims must be in [1, {len(shape) - 1}] for {name} of shape "
            f"{list(shape)}, received {count}"
        )
    return shape[:count], shape[count:]


def _check_ndim(x: Tensor, ndim: int, name: str) -> None:
    if x.spec.ndim != ndim:
        noun = "dimension" if ndim == 1 else "dimensions"
        raise ShapeError(f"{name} must have {ndim} {noun}, received shape {x.shape}")
