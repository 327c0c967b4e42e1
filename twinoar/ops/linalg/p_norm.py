"""Lengths of vectors: the p-norm along an axis, and the squared one of all elements."""

from __future__ import annotations

import math

from twinoar.core.op.declare import Desc, Tensor, normalize_axis, op
from twinoar.errors import DTypeError
from twinoar.ops.math.arithmetic import multiply
from twinoar.ops.math.cast import cast
from twinoar.ops.math.compare import equal, not_equal
from twinoar.ops.math.root import sqrt
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.math.sign import sign
from twinoar.ops.reduce.extreme import max as largest
from twinoar.ops.reduce.extreme import min as smallest
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.reshape import reshape, unsqueeze


@op(
    desc=Desc(
        "p_norm",
        {"X": "x"},
        attrs={
            "porder": "porder",
            "axis": "axis",
            "epsilon": "epsilon",
            "keepdim": "keepdim",
            "asvector": "asvector",
        },
    ),
    amp="high",
)
def p_norm(
    x: Tensor,
    porder: float = 2.0,
    axis: int = -1,
    epsilon: float = 1e-12,
    keepdim: bool = False,
    asvector: bool = False,
) -> Tensor:
    """(sum |x|**porder)**(1/porder) along an axis, or with asvector of all elements.

    x: [*], float. porder: inf is the largest magnitude, -inf the smallest, 0 counts what is not
    zero. epsilon: keeps the gradient finite at zero, where it is zero. Returns [*] without the
    axis, which keepdim keeps. Raises AxisError, DTypeError.

    >>> from twinoar.ops.linalg.p_norm import p_norm
    >>> p_norm(twinoar.to_tensor([[3.0, 4.0]])).tolist()
    [5.0]
    """
    if not x.dtype.is_floating:
        raise DTypeError(f"x must be floating, received {x.dtype.name}")
    sizes = magnitude(_vector(x) if asvector else x)
    at = 0 if asvector else normalize_axis(axis, x.ndim)
    if porder == math.inf:
        return largest(sizes, axis=at, keepdim=keepdim)
    if porder == -math.inf:
        return smallest(sizes, axis=at, keepdim=keepdim)
    if porder == 0:
        return total(cast(not_equal(sizes, 0.0), x.dtype), axis=at, keepdim=keepdim)
    if porder == 2:
        return sqrt(total(multiply(sizes, sizes), axis=at, keepdim=keepdim))
    return total(sizes**porder, axis=at, keepdim=keepdim) ** (1.0 / porder)


def _vector(x: Tensor) -> Tensor:
    return reshape(x, [-1])


@p_norm.grad
def _(g, x, out, porder, axis, epsilon, keepdim, asvector):
    if porder == 0:
        return None
    if not asvector and not keepdim:
        at = normalize_axis(axis, x.ndim)
        g, out = unsqueeze(g, at), unsqueeze(out, at)
    if asvector:
        shape = [1] * x.ndim
        g, out = reshape(g, shape), reshape(out, shape)
    if math.isinf(porder):
        return g * sign(x) * cast(equal(magnitude(x), out), x.dtype)
    slope = sign(x) * magnitude(x) ** (porder - 1.0)
    return g * slope / (out ** (porder - 1.0) + epsilon)


@p_norm.samples
def _(s):
    yield s(s.randn(2, 5))
    yield s(s.randn(2, 5), 3.0, 0, keepdim=True)
    yield s(s.randn(2, 3), 1.0, asvector=True)
    yield s(s.randn(2, 5), math.inf)
    yield s(s.randn(2, 5), -math.inf, 0)
    yield s(s.randn(2, 5), 0.0, gradient=False)
    yield s.bad(DTypeError, "must be floating", s.ints(0, 5, 3))


@op(desc=Desc("squared_l2_norm", {"X": "x"}))
def squared_l2_norm(x: Tensor) -> Tensor:
    """The sum of the squares of all elements, [1].

    >>> from twinoar.ops.linalg.p_norm import squared_l2_norm
    >>> squared_l2_norm(twinoar.to_tensor([3.0, 4.0])).tolist()
    [25.0]
    """
    return reshape(total(multiply(x, x)), [1])


@squared_l2_norm.samples
def _(s):
    yield s(s.randn(2, 3))
    yield s(s.zeros(0, 2))
