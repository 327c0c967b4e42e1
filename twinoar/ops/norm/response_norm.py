"""Channels divided by the size of their neighbors: local response normalization."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.root import square
from twinoar.ops.shape.pad import pad_constant
from twinoar.ops.shape.slice import slice as slice_

FORMATS = {3: ("NCL", "NLC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}  # by dimensions


@function
def local_response_norm(
    x: Tensor,
    size: int,
    alpha: float = 1e-4,
    beta: float = 0.75,
    k: float = 1.0,
    data_format: str = "NCHW",
) -> Tensor:
    """x / (k + alpha m)^beta, where m is the mean square of `size` channels around each.

    x: [N,C,*] with one to three spatial axes, or with channels last; zeros are taken to lie beyond
    the channels. Returns the shape of x. Raises ShapeError, ArgumentError. Source: Krizhevsky,
    "ImageNet classification with deep convolutional neural networks", 2012, section 3.3.

    >>> x = twinoar.ones([1, 2, 1, 1])
    >>> twinoar.nn.functional.local_response_norm(x, 1, alpha=3.0, beta=0.5).flatten().tolist()
    [0.5, 0.5]
    """
    if x.ndim not in FORMATS:
        raise ShapeError(f"x must have 3, 4 or 5 dimensions, received {x.spec}")
    if data_format not in {form for forms in FORMATS.values() for form in forms}:
        raise ArgumentError(f"data_format must be NCL, NCHW or the like, received {data_format!r}")
    if size < 1:
        raise ArgumentError(f"size must be positive, received {size}")
    axis = x.ndim - 1 if data_format[-1] == "C" else 1
    around = [0] * (2 * x.ndim)
    around[2 * axis : 2 * axis + 2] = size // 2, (size - 1) // 2
    squares = pad_constant(square(x), around)
    count = x.spec.shape[axis]
    total: Any = 0.0
    for first in range(size):
        total = total + slice_(squares, [axis], [first], [first + count])
    scale = total * (alpha / size) + k
    return divide(x, scale**beta)
