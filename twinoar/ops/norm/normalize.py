"""Vectors of length one."""

from __future__ import annotations

import math

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError
from twinoar.ops.math.root import rsqrt
from twinoar.ops.math.select import maximum
from twinoar.ops.math.sign import abs as magnitude
from twinoar.ops.reduce.extreme import max as largest
from twinoar.ops.reduce.reduction import sum as total


@function
def normalize(x: Tensor, p: float = 2, axis: int = 1, epsilon: float = 1e-12) -> Tensor:
    """x divided by its p-norm along an axis, or by epsilon where the norm is less.

    x: [*], floating. p: positive, or infinity. Returns the shape of x. Raises AxisError.

    >>> twinoar.nn.functional.normalize(twinoar.to_tensor([[3.0, 4.0]])).tolist()
    [[0.6..., 0.8...]]
    """
    if p <= 0:
        raise ArgumentError(f"p must be positive, received {p}")
    if p == 2:  # the square is cut off before the root, whose slope at 0 is infinite
        squares = total(x * x, axis=axis, keepdim=True)
        return x * rsqrt(maximum(squares, epsilon * epsilon))
    sizes = magnitude(x)
    if p == math.inf:
        norm = largest(sizes, axis=axis, keepdim=True)
    else:
        norm = total(sizes**p, axis=axis, keepdim=True)
        if p != 1:
            norm = maximum(norm, epsilon**p) ** (1 / p)
    return x / maximum(norm, epsilon)
