"""Draws of the likely: the next token of a text, from the smallest set that has enough weight."""

from __future__ import annotations

from typing import Any, Literal

from twinoar.core.op.declare import Tensor, function
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.create.range import arange
from twinoar.ops.index.along_axis import take_along_axis
from twinoar.ops.index.sort import argsort
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal
from twinoar.ops.math.logical import logical_or
from twinoar.ops.math.select import minimum, select
from twinoar.ops.random.uniform import uniform
from twinoar.ops.reduce.cumulative_sum import cumsum
from twinoar.ops.reduce.reduction import sum as total
from twinoar.ops.shape.concat import concat
from twinoar.ops.shape.reshape import reshape

MODES = ("truncated", "non-truncated")


@function
def top_p_sampling(
    x: Tensor,
    ps: Tensor,
    threshold: Tensor | None = None,
    topp_seed: Tensor | None = None,
    seed: int = -1,
    k: int = 0,
    mode: Literal["truncated", "non-truncated"] = "truncated",
    return_top: bool = False,
) -> Any:
    """One position of each row, drawn by its probability among the likeliest that make up ps.

    x: [B,V], probabilities. ps: [B] or [B,1]; the likeliest is always among them. threshold: [B] or
    [B,1], of what is less likely none is drawn otherwise. seed, and topp_seed, [B], of each row: 0
    or less means new numbers each time. k, return_top: the k likeliest of each row come along. mode
    "non-truncated" draws from all. Returns the probabilities and the positions, [B,1], int64; with
    return_top also those of the likeliest, [B,k]. Raises ShapeError, ArgumentError. Source: arXiv
    1904.09751.

    >>> x = twinoar.to_tensor([[0.2, 0.7, 0.1]])
    >>> x.top_p_sampling(twinoar.to_tensor([0.5]))[1].tolist()
    [[1]]
    """
    if x.ndim != 2:
        raise ShapeError(f"x must be [B,V], received {x.spec}")
    if mode not in MODES:
        raise ArgumentError(f"mode must be one of {MODES}, received {mode!r}")
    order = argsort(x, -1, descending=True, stable=True)
    likely = take_along_axis(x, order, 1)
    wide = astype(likely, "float32")
    is_first = equal(arange(0, x.shape[1]), 0)
    if mode == "truncated":
        before = cumsum(wide, 1) - wide
        wide = select(logical_or(before < reshape(ps, [-1, 1]), is_first), wide, 0.0)
    if threshold is not None:
        is_kept = logical_or(likely >= reshape(threshold, [-1, 1]), is_first)
        wide = select(is_kept, wide, 0.0)
    sums = cumsum(wide, 1)
    drawn = _uniform(x, topp_seed, seed) * sums[:, -1:]
    place = total(astype(sums <= drawn, "int64"), 1, keepdim=True)
    place = minimum(place, total(astype(wide > 0.0, "int64"), 1, keepdim=True) - 1)
    found = take_along_axis(likely, place, 1), take_along_axis(order, place, 1)
    return (*found, likely[:, :k], order[:, :k]) if return_top else found


def _uniform(x: Tensor, seeds: Tensor | None, seed: int) -> Tensor:
    """A number in [0, 1) for each row."""
    if seeds is None:
        return uniform([x.shape[0], 1], "float32", 0.0, 1.0, max(seed, 0))
    each = [max(int(row), 0) for row in seeds.flatten()]
    return concat([uniform([1, 1], "float32", 0.0, 1.0, one) for one in each])
