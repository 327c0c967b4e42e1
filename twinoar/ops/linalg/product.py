"""Products of vectors and matrices that are no matmul: cross, kron, vecdot, vander."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twinoar.core.op.declare import Tensor, function, normalize_axis
from twinoar.core.spec import broadcast
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.create.range import arange
from twinoar.ops.math.arithmetic import multiply, pow
from twinoar.ops.math.cast import astype, broadcast_to, promote_operands
from twinoar.ops.math.complex_number import conj
from twinoar.ops.reduce.reduction import sum as sum_of
from twinoar.ops.shape.reshape import reshape_op, unsqueeze_op
from twinoar.ops.shape.roll import roll

FIRST_OF_THREE = 9  # Paddle's default axis of `cross`


@function(method=True)
def cross(x: Tensor, y: Tensor, axis: int = FIRST_OF_THREE) -> Tensor:
    """The cross products of vectors of 3 along an axis, by default the first one of size 3.

    x, y: shapes that broadcast. Returns the broadcast shape. Raises ShapeError, AxisError.

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


@function(method=True)
def kron(x: Tensor, y: Tensor) -> Tensor:
    """The Kronecker product: every element of x times y, in blocks.

    >>> twinoar.kron(twinoar.to_tensor([[1, 2]]), twinoar.to_tensor([[1, 1]])).tolist()
    [[1, 1, 2, 2]]
    """
    ndim = max(x.ndim, y.ndim)
    of_x, of_y = ((1,) * (ndim - v.ndim) + v.spec.shape for v in (x, y))
    outer = reshape_op(x, tuple(d for n in of_x for d in (n, 1)))
    inner = reshape_op(y, tuple(d for n in of_y for d in (1, n)))
    shape = tuple(m * n for m, n in zip(of_x, of_y, strict=True))
    return reshape_op(outer * inner, shape)


@function(method=True)
def vander(x: Tensor, n: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of the elements of a vector as rows, falling from n - 1 to 0, or rising.

    x: [N]. Returns [N,n]; n is N by default. Raises ShapeError, ArgumentError.

    >>> twinoar.vander(twinoar.to_tensor([2.0, 3.0])).tolist()
    [[2.0, 1.0], [3.0, 1.0]]
    """
    if x.ndim != 1:
        raise ShapeError(f"x must be a vector, received {x.spec}")
    count: Any = x.spec.shape[0] if n is None else n
    if count < 0:
        raise ArgumentError(f"n must be 0 or more, received {n}")
    powers = arange(0, count) if increasing else arange(count - 1, -1, -1)
    return pow(unsqueeze_op(x, (1,)), astype(powers, x.dtype))


@function(method=True)
def vecdot(x: Tensor, y: Tensor, axis: int | Sequence[int] | None = -1) -> Tensor:
    """The dot products of vectors along an axis; x is conjugated where it is complex.

    x, y: shapes that broadcast. axis: or several, or None for all. Returns the broadcast shape
    without them.

    >>> twinoar.vecdot(twinoar.to_tensor([1.0, 2.0]), twinoar.to_tensor([3.0, 4.0])).item()
    11.0
    """
    product = multiply(conj(x) if x.dtype.is_complex else x, y)
    return sum_of(product, axis)
