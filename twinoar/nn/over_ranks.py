"""Batch normalization by the statistics of the batches of all ranks."""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.dtype import float32
from twinoar.core.interpreter import current
from twinoar.errors import ShapeError
from twinoar.ops.collective.all_reduce import all_reduce_sum
from twinoar.ops.create.fill import full
from twinoar.ops.math.cast import astype
from twinoar.ops.math.root import rsqrt
from twinoar.ops.reduce.reduction import sum as total_of
from twinoar.ops.shape.reshape import reshape
from twinoar.runtime.collective import current_world


def ranks_now() -> int:
    """The number of ranks that compute together here."""
    return current_world().size


def normalized_over_ranks(layer: Any, x: Any) -> Any:
    """x with mean 0 and variance 1 in each channel of all ranks' x, then scaled and shifted.

    layer: the batch normalization, whose running statistics move. x: [N,C,*] or [N,*,C], floating;
    N may differ among ranks. Returns the shape of x. The sums are differentiated through ranks.
    """
    if x.ndim < 2:
        raise ShapeError(f"x must have at least 2 dimensions, received {x.ndim}")
    channel = x.ndim - 1 if layer._data_format[-1] == "C" and x.ndim > 2 else 1
    axes = [a for a in range(x.ndim) if a != channel]
    along = [1 if a in axes else x.shape[a] for a in range(x.ndim)]
    wide = astype(x, float32) if x.dtype.itemsize < float32.itemsize else x
    count = all_reduce_sum(full([], math.prod(x.shape[a] for a in axes), wide.dtype))
    mean = all_reduce_sum(total_of(wide, axes)) / count
    centered = wide - reshape(mean, along)
    variance = all_reduce_sum(total_of(centered * centered, axes)) / count
    _move(layer, mean, variance)
    out = centered * reshape(rsqrt(variance + layer._epsilon), along)
    if layer.weight is not None:
        out = out * reshape(layer.weight, along)
    if layer.bias is not None:
        out = out + reshape(layer.bias, along)
    return astype(out, x.dtype)


def _move(layer: Any, mean: Any, variance: Any) -> None:
    """The running statistics move towards those of the batches."""
    rate = layer._momentum
    for running, now in ((layer._mean, mean), (layer._variance, variance)):
        new: Any = astype(rate * running + (1 - rate) * now.detach(), running.dtype)
        new.stop_gradient = True  # statistics are remembered, not differentiated
        current().rebind(running, new)
