"""Sums and differences along axes, and products of pairs: diff, trapezoid, cross, kron, cdist."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.dtype import dtype_of
from twinoar.core.explain import explained, told
from twinoar.core.spec import broadcast, normalize_axis
from twinoar.core.values import Value, method
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.assemble import triu_indices
from twinoar.ops.cast import astype, broadcast_to, in_dtype, promote_operands
from twinoar.ops.complex_number import conj
from twinoar.ops.create import ones
from twinoar.ops.elementwise import multiply, pow
from twinoar.ops.gather import gather_op
from twinoar.ops.join import concat_op
from twinoar.ops.logical import logical_xor
from twinoar.ops.p_norm import p_norm
from twinoar.ops.reduce import sum as sum_of
from twinoar.ops.reduce import sum_op
from twinoar.ops.roll import roll
from twinoar.ops.scan import cumsum_op
from twinoar.ops.sequence import arange, in_kind, linspace
from twinoar.ops.shape import reshape_op, unsqueeze_op
from twinoar.ops.slice import slice_op

Tensor = Value


def _ends(x: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """x without its first, and without its last slice along an axis."""
    n = x.spec.shape[axis]
    return slice_op(x, (axis,), (1,), (n,)), slice_op(x, (axis,), (0,), (n - 1,))


@explained
@method("diff")
def diff(
    x: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """Differences of neighbors along an axis, n times over; of truth values, where they differ.

    x: [*]. prepend, append: joined to x along the axis before. Returns the shape with n less along
    the axis. Raises AxisError, ArgumentError.

    >>> import twinoar
    >>> twinoar.diff(twinoar.to_tensor([1, 4, 9])).tolist()
    [3, 5]
    """
    if n < 0:
        raise ArgumentError(f"n must be 0 or more, received {n}")
    at = normalize_axis(axis, x.ndim)
    parts = [part for part in (prepend, x, append) if part is not None]
    out = x if len(parts) == 1 else concat_op(parts, at)
    for _ in range(n):
        later, earlier = _ends(out, at)
        out = logical_xor(later, earlier) if x.dtype == "bool" else later - earlier
    return out


def _areas(y: Tensor, x: Tensor | None, dx: Any, axis: int) -> Tensor:
    """What lies under y between neighbors along an axis."""
    if x is not None and dx is not None:
        raise ArgumentError("expected x or dx, received both")
    at = normalize_axis(axis, y.ndim)
    later, earlier = _ends(y, at)
    means = (later + earlier) * 0.5
    if x is None:
        return means * (1.0 if dx is None else dx)
    if x.ndim == 1:
        x = reshape_op(x, tuple(-1 if i == at else 1 for i in range(y.ndim)))
    after, before = _ends(x, normalize_axis(axis, x.ndim))
    return means * (after - before)


@explained
@method("trapezoid")
def trapezoid(
    y: Tensor, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None
) -> Tensor:
    """The integral of y along an axis by the trapezoid rule.

    y: [*], floating. x: where y is taken, [n] or the shape of y; else they are `dx` apart, 1 by
    default. Returns the shape without the axis. Raises ArgumentError for both, AxisError.

    >>> import twinoar
    >>> twinoar.trapezoid(twinoar.to_tensor([1.0, 2.0, 4.0])).item()
    4.5
    """
    return sum_op(_areas(y, x, dx, axis), (normalize_axis(axis, y.ndim),), name=name)


@explained
@method("cumulative_trapezoid")
def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None
) -> Tensor:
    """The running integral of y along an axis by the trapezoid rule. See `trapezoid`.

    >>> import twinoar
    >>> twinoar.cumulative_trapezoid(twinoar.to_tensor([1.0, 2.0, 4.0])).tolist()
    [1.5, 4.5]
    """
    return cumsum_op(_areas(y, x, dx, axis), normalize_axis(axis, y.ndim), name=name)


FIRST_OF_THREE = 9  # Paddle's default axis of `cross`


@explained
@method("cross")
def cross(x: Tensor, y: Tensor, axis: int = FIRST_OF_THREE, name: str | None = None) -> Tensor:
    """The cross products of vectors of 3 along an axis, by default the first one of size 3.

    x, y: shapes that broadcast. Returns the broadcast shape. Raises ShapeError, AxisError.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([1, 0, 0]), twinoar.to_tensor([0, 1, 0])
    >>> twinoar.cross(x, y).tolist()
    [0, 0, 1]
    """
    x, y = promote_operands((x, y))
    shape = broadcast(x.spec.shape, y.spec.shape)
    x, y = broadcast_to(x, shape), broadcast_to(y, shape)
    if axis == FIRST_OF_THREE:
        axis = next((i for i, n in enumerate(shape) if n == 3), -1)
    at = normalize_axis(axis, len(shape))
    if shape[at] != 3:
        raise ShapeError(f"cross wants vectors of 3, received {x.spec} with the axis {at}")
    return roll(x, -1, at) * roll(y, -2, at) - roll(x, -2, at) * roll(y, -1, at)


@explained
@method("kron")
def kron(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The Kronecker product: every element of x times y, in blocks.

    >>> import twinoar
    >>> twinoar.kron(twinoar.to_tensor([[1, 2]]), twinoar.to_tensor([[1, 1]])).tolist()
    [[1, 1, 2, 2]]
    """
    ndim = max(x.ndim, y.ndim)
    of_x, of_y = ((1,) * (ndim - v.ndim) + v.spec.shape for v in (x, y))
    outer = reshape_op(x, tuple(d for n in of_x for d in (n, 1)))
    inner = reshape_op(y, tuple(d for n in of_y for d in (1, n)))
    shape = tuple(m * n for m, n in zip(of_x, of_y, strict=True))
    return reshape_op(outer * inner, shape, name=name)


@explained
@method("cdist")
def cdist(
    x: Tensor,
    y: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    name: str | None = None,
) -> Tensor:
    """The p-norms of the differences of each vector of x and each of y.

    x: [...,M,D]. y: [...,N,D], leading sizes broadcast. compute_mode: makes no difference. Returns
    [...,M,N]. Raises ShapeError.

    >>> import twinoar
    >>> x, y = twinoar.to_tensor([[0.0, 0.0]]), twinoar.to_tensor([[3.0, 4.0], [0.0, 1.0]])
    >>> twinoar.cdist(x, y).tolist()
    [[5.0, 1.0]]
    """
    if x.ndim < 2 or y.ndim < 2:
        raise ShapeError(f"x and y must hold rows of vectors, received {x.spec} and {y.spec}")
    return p_norm(unsqueeze_op(x, (-2,)) - unsqueeze_op(y, (-3,)), float(p), -1)


@explained
def pdist(x: Tensor, p: float = 2.0, name: str | None = None) -> Tensor:
    """The p-norms of the differences of each pair of rows of x.

    x: [N,D]. Returns [N (N - 1) / 2], pairs in the order (0, 1), (0, 2), ... Raises ShapeError.

    >>> import twinoar
    >>> twinoar.pdist(twinoar.to_tensor([[0.0, 0.0], [3.0, 4.0]])).tolist()
    [5.0]
    """
    if x.ndim != 2:
        raise ShapeError(f"x must be a matrix, received {x.spec}")
    n: Any = x.spec.shape[0]
    pairs = triu_indices(n, n, 1)
    return p_norm(gather_op(x, pairs[0]) - gather_op(x, pairs[1]), float(p), -1)


@explained
@method("vander")
def vander(
    x: Tensor, n: int | None = None, increasing: bool = False, name: str | None = None
) -> Tensor:
    """The powers of the elements of a vector as rows, falling from n - 1 to 0, or rising.

    x: [N]. Returns [N,n]; n is N by default. Raises ShapeError, ArgumentError.

    >>> import twinoar
    >>> twinoar.vander(twinoar.to_tensor([2.0, 3.0])).tolist()
    [[2.0, 1.0], [3.0, 1.0]]
    """
    if x.ndim != 1:
        raise ShapeError(f"x must be a vector, received {x.spec}")
    count: Any = x.spec.shape[0] if n is None else n
    if count < 0:
        raise ArgumentError(f"n must be 0 or more, received {n}")
    powers = arange(0, count) if increasing else arange(count - 1, -1, -1)
    return pow(unsqueeze_op(x, (1,)), astype(powers, x.dtype), name=name)


@explained
@method("vecdot")
def vecdot(
    x: Tensor, y: Tensor, axis: int | Sequence[int] | None = -1, name: str | None = None
) -> Tensor:
    """The dot products of vectors along an axis; x is conjugated where it is complex.

    x, y: shapes that broadcast. axis: or several, or None for all. Returns the broadcast shape
    without them.

    >>> import twinoar
    >>> twinoar.vecdot(twinoar.to_tensor([1.0, 2.0]), twinoar.to_tensor([3.0, 4.0])).item()
    11.0
    """
    product = multiply(conj(x) if x.dtype.is_complex else x, y)
    return sum_of(product, axis, name=name)


@told
def logspace(
    start: Any,
    stop: Any,
    num: Any,
    base: Any = 10.0,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """`num` powers of `base` whose exponents go evenly from `start` to `stop`.

    For an integer dtype start, stop and base lose their fractions.

    >>> import twinoar
    >>> twinoar.logspace(0, 2, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    kind = dtype_of(dtype or "float32")
    start, stop, base = in_kind((start, stop, base), kind)
    exponents = linspace(start, stop, num, "float64")
    powers = pow(ones(exponents.shape, "float64") * base, exponents)
    return in_dtype(powers, kind, name)


__all__ = [
    "cdist", "cross", "cumulative_trapezoid", "diff", "kron", "logspace", "pdist", "trapezoid",
    "vander", "vecdot",
]  # fmt: skip
