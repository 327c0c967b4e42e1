"""Lengths and distances of vectors and matrices: norm, dist, renorm, cdist, pdist."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.op.declare import Tensor, function, normalize_axes, normalize_axis
from twinoar.errors import ArgumentError, AxisError, ShapeError
from twinoar.ops.index.diagonal import triu_indices
from twinoar.ops.index.gather import gather_op
from twinoar.ops.linalg.decomposition import svd_op
from twinoar.ops.linalg.p_norm import p_norm
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.cast import astype
from twinoar.ops.math.select import select
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.reduce.extreme import amax, amin
from twinoar.ops.reduce.reduction import axes_of, sum_op
from twinoar.ops.shape.reshape import flatten, moveaxis, reshape_op, unsqueeze_op


def _vector_norm(x: Tensor, p: float, axis: Any, keepdim: bool) -> Tensor:
    sizes = magnitude(x) if x.dtype.is_complex else x
    axes = axes_of(x, axis)
    if len(normalize_axes(axes, x.ndim)) == x.ndim:
        out = p_norm(sizes, float(p), asvector=True)
        return reshape_op(out, (1,) * x.ndim) if keepdim else out
    if len(axes) == 1:
        return p_norm(sizes, float(p), axes[0], keepdim=keepdim)
    joined = flatten(moveaxis(sizes, axes, list(range(-len(axes), 0))), -len(axes), -1)
    out = p_norm(joined, float(p), -1)
    return unsqueeze_op(out, normalize_axes(axes, x.ndim)) if keepdim else out


def _in_dtype(x: Tensor, dtype: Any) -> Tensor:
    return x if dtype is None else astype(x, dtype)


def _number(p: Any) -> float:
    if isinstance(p, bool) or not isinstance(p, (int, float)):
        raise ArgumentError(f"p must be a number, received {p!r}")
    return p


@function
def vector_norm(
    x: Tensor,
    p: float = 2.0,
    axis: Any = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    dtype: Any = None,
) -> Tensor:
    """The p-norm of the vectors along `axis`, of x as one vector for None.

    x: [*], floating or complex; with `dtype`, x is cast to it first. p: a number; 0 counts what is
    not 0, inf takes the largest size and -inf the smallest. Returns the shape without the axes, or
    with sizes of 1 for `keepdim`, real. Raises AxisError, DTypeError, ArgumentError.

    >>> twinoar.linalg.vector_norm(twinoar.to_tensor([3.0, -4.0])).item()
    5.0
    """
    return _vector_norm(_in_dtype(x, dtype), _number(p), axis, keepdim)


MATRIX_NORMS = ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)


@function
def matrix_norm(
    x: Tensor,
    p: Any = "fro",
    axis: Any = (-2, -1),
    keepdim: bool = False,
    name: str | None = None,
    *,
    dtype: Any = None,
) -> Tensor:
    """The norm of the matrices in the two dimensions `axis`.

    x: [*], floating; with `dtype`, x is cast to it first. p: "fro"; "nuc", the sum of the singular
    values; 2 or -2, the largest or smallest of them; 1 or -1, the largest or smallest sum of the
    sizes in a column; inf or -inf, the same of rows. Returns the shape without the axes, or with
    sizes of 1 for `keepdim`. Raises ArgumentError, AxisError.

    >>> x = twinoar.to_tensor([[3.0, 0.0], [0.0, -4.0]])
    >>> [round(twinoar.linalg.matrix_norm(x, p).item(), 4) for p in ("fro", "nuc", 1)]
    [5.0, 7.0, 4.0]
    """
    x = _in_dtype(x, dtype)
    if p not in MATRIX_NORMS:
        raise ArgumentError(f"p must be one of {MATRIX_NORMS}, received {p!r}")
    rows, columns = _two_axes(x, axis)
    if p == "fro":
        return _vector_norm(x, 2.0, (rows, columns), keepdim)
    if p == "nuc" or abs(p) == 2:
        singular = svd_op(moveaxis(x, [rows, columns], [-2, -1]))[1]
        found = (amax if p == 2 else amin)(singular, -1)
        out = sum_op(singular, (-1,)) if p == "nuc" else found
        return unsqueeze_op(out, tuple(sorted((rows, columns)))) if keepdim else out
    summed, other = (rows, columns) if abs(p) == 1 else (columns, rows)
    sums = sum_op(magnitude(x), (summed,), True)
    out = (amax if p > 0 else amin)(sums, other, True)
    return out if keepdim else sum_op(out, (rows, columns))


def _two_axes(x: Tensor, axis: Any) -> tuple[int, int]:
    if not isinstance(axis, (list, tuple)) or len(axis) != 2:
        raise ArgumentError(f"axis must name two dimensions, received {axis!r}")
    rows, columns = (normalize_axis(a, x.ndim) for a in axis)
    if rows == columns:
        raise AxisError(f"axis names a dimension twice: {list(axis)}", cure="name two dimensions")
    return rows, columns


@function(method=True)
def norm(
    x: Tensor,
    p: Any = None,
    axis: Any = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """The norm of x as one vector, of the vectors along one axis, or of matrices for two axes.

    x: [*], floating or complex; with `dtype`, x is cast to it first. p: as in `vector_norm`, or as
    in `matrix_norm` where `axis` names two dimensions; None is 2, also of matrices. Without an axis
    "fro" is the norm of x as one vector. `out` takes the result where it is given. Returns the
    shape without the axes, or with sizes of 1 for `keepdim`. Raises ArgumentError, AxisError.

    >>> x = twinoar.to_tensor([[3.0, 4.0], [6.0, 8.0]])
    >>> x.norm(axis=1).tolist(), x.norm(p=1).item()
    ([5.0, 10.0], 21.0)
    """
    x = _in_dtype(x, dtype)
    axis = list(axis) if isinstance(axis, tuple) else axis
    if isinstance(axis, list) and len(axis) == 1:
        axis = axis[0]
    if isinstance(axis, list) and len(axis) == 2:
        found = matrix_norm(x, 2 if p is None else p, axis, keepdim)
    elif p == "nuc":
        found = matrix_norm(x, p, axis or [-2, -1], keepdim)
    else:
        found = _vector_norm(x, 2.0 if p in (None, "fro") else _number(p), axis, keepdim)
    return found if out is None else out.copy_(found)


@function(method=True)
def dist(x: Tensor, y: Tensor, p: float = 2) -> Tensor:
    """The p-norm of x - y.

    x, y: shapes that broadcast, floating. p: as in `vector_norm`. Returns [].

    >>> twinoar.dist(twinoar.to_tensor([3.0, 4.0]), twinoar.to_tensor([0.0, 0.0])).item()
    5.0
    """
    return _vector_norm(x - y, _number(p), None, False)


@function(method=True, inplace=True, named=False)
def renorm(x: Tensor, p: float, axis: int, max_norm: float) -> Tensor:
    """x with the slices along `axis` scaled down to a p-norm of `max_norm` where theirs is larger.

    x: [*], floating. Returns [*]. Raises AxisError.

    >>> twinoar.renorm(twinoar.to_tensor([[3.0, 4.0], [0.0, 1.0]]), 2.0, 0, 1.0).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 1.0]]
    """
    at = normalize_axis(axis, x.ndim)
    others = [i for i in range(x.ndim) if i != at]
    size = _vector_norm(x, _number(p), others, True) if others else magnitude(x)
    return x * select(size > max_norm, divide(max_norm, size + SMALLEST), 1.0)


SMALLEST = 1e-7  # Paddle adds it to the norms in renorm


@function(method=True)
def cdist(
    x: Tensor, y: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    """The p-norms of the differences of each vector of x and each of y.

    x: [...,M,D]. y: [...,N,D], leading sizes broadcast. compute_mode: makes no difference. Returns
    [...,M,N]. Raises ShapeError.

    >>> x, y = twinoar.to_tensor([[0.0, 0.0]]), twinoar.to_tensor([[3.0, 4.0], [0.0, 1.0]])
    >>> twinoar.cdist(x, y).tolist()
    [[5.0, 1.0]]
    """
    if x.ndim < 2 or y.ndim < 2:
        raise ShapeError(f"x and y must hold rows of vectors, received {x.spec} and {y.spec}")
    return p_norm(unsqueeze_op(x, (-2,)) - unsqueeze_op(y, (-3,)), float(p), -1)


@function
def pdist(x: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each pair of rows of x.

    x: [N,D]. Returns [N (N - 1) / 2], pairs in the order (0, 1), (0, 2), ... Raises ShapeError.

    >>> twinoar.pdist(twinoar.to_tensor([[0.0, 0.0], [3.0, 4.0]])).tolist()
    [5.0]
    """
    if x.ndim != 2:
        raise ShapeError(f"x must be a matrix, received {x.spec}")
    n: Any = x.spec.shape[0]
    pairs = triu_indices(n, n, 1)
    return p_norm(gather_op(x, pairs[0]) - gather_op(x, pairs[1]), float(p), -1)
