"""Normalization by moments that were collected over all data seen so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.op.declare import Desc, Tensor, op
from twinoar.errors import ShapeError, UnsupportedError
from twinoar.ops.math.fill import fill
from twinoar.ops.math.root import sqrt
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.expand import expand
from twinoar.ops.window._geometry import check_floating


def _read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    if attrs.get("slot_dim", -1) > 0:
        raise UnsupportedError("features with show counts in front are not served")
    statistics = [slots[name][0] for name in ("BatchSize", "BatchSum", "BatchSquareSum")]
    out = data_norm(slots["X"][0], *statistics, attrs["epsilon"])
    if attrs.get("enable_scale_and_shift", False):
        out = out * slots["scale_w"][0] + slots["bias"][0]
    return out


@op(
    amp="full",
    desc=Desc(
        "data_norm",
        {
            "X": "x",
            "BatchSize": "batch_size",
            "BatchSum": "batch_sum",
            "BatchSquareSum": "batch_square_sum",
        },
        outputs=("Y",),
        attrs={"epsilon": "epsilon"},
        read=_read,
        extra_outputs=("Means", "Scales"),
    ),
)
def data_norm(
    x: Tensor,
    batch_size: Tensor,
    batch_sum: Tensor,
    batch_square_sum: Tensor,
    epsilon: float = 1e-5,
) -> Tensor:
    """(x - mean) / deviation, with mean = sum / size and deviation = sqrt(square sum / size).

    x: [N,C]. batch_size, batch_sum, batch_square_sum: [C]. What the last three get as gradients is
    not the slope, but what the batch adds to each: N, sum x and sum (x - mean)^2 + N epsilon.
    Returns [N,C]. Raises ShapeError.

    >>> from twinoar.ops.norm.data_norm import data_norm
    >>> one = twinoar.ones([1])
    >>> data_norm(twinoar.to_tensor([[3.0]]), one * 2, one * 4, one * 8).item()
    0.5
    """
    check_floating(x.spec)
    if x.ndim != 2:
        raise ShapeError(f"x must have 2 dimensions, [N,C], received {x.spec}")
    return (x - batch_sum / batch_size) * sqrt(batch_size / batch_square_sum)


@data_norm.grad
def _(g, x, batch_size, batch_sum, batch_square_sum, epsilon):
    centered = x - batch_sum / batch_size
    count = expand(fill((), x.spec.shape[0], x.dtype), batch_size.spec.shape)
    squares = total(centered * centered, axis=0) + count * epsilon
    return g * sqrt(batch_size / batch_square_sum), count, total(x, axis=0), squares


@data_norm.samples
def _(s):
    def given(n: int, c: int) -> tuple[Any, ...]:
        return s.randn(n, c), s.uniform(5, 9, c), s.randn(c), s.uniform(5, 9, c)

    yield s(*given(4, 3), gradient=False)
    yield s(*given(1, 1), 1e-3, gradient=False)
    yield s.bad(ShapeError, "2 dimensions", np.ones((2, 3, 4), "float32"), *given(2, 3)[1:])
