"""Counts in intervals: histogram, its edges, and histograms of several dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY, DType, float32, float64, int32, int64
from twinoar.core.loop.procedure import cast, procedure
from twinoar.core.op.declare import Spec, Tensor, Value, function, primitive
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.create.fill import full, ones
from twinoar.ops.create.range import arange
from twinoar.ops.math._unary import quiet
from twinoar.ops.math.arithmetic import divide
from twinoar.ops.math.cast import astype
from twinoar.ops.math.select import select
from twinoar.ops.reduce._counting import (
    counts_of,
    launch_edges,
    places_among,
    places_between,
    zeros,
)
from twinoar.ops.reduce.extreme import amax, amin
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.shape.slice import slice_op


def _bounds(x: np.ndarray, low: float, high: float, margin: float) -> tuple[float, float]:
    """The bounds of a histogram; those of the data where both are 0."""
    if low == high == 0 and x.size:
        low, high = float(x.min()), float(x.max())
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ArgumentError(f"the bounds of a histogram must be finite, received {low} to {high}")
    return (low - margin, high + margin) if low == high else (low, high)


def _check_bins(bins: int, min: float, max: float) -> None:
    if bins < 1 or min > max:
        raise ArgumentError(f"expected bins >= 1 and min <= max, received {bins}, {min}, {max}")


def _counts(input: Spec, weight: Spec | None, bins: int, min: float, max: float, density: bool):
    _check_bins(bins, min, max)
    if weight is not None and weight.shape != input.shape:
        raise ShapeError(f"weight {weight} must have the shape of input {input}")
    return Spec((bins,), int64 if weight is None and not density else float32)


@primitive(
    slow_kernel=True,
    name="histogram",
    infer=_counts,
    grad=lambda: (None, None),
)
def histogram_op(
    input: Tensor,
    weight: Tensor | None = None,
    bins: int = 100,
    min: float = 0.0,
    max: float = 0.0,
    density: bool = False,
) -> Tensor:
    """Counts in equal intervals: the operator under `histogram`."""


@histogram_op.kernel
def _(input, weight, bins, min, max, density):
    _check_bins(bins, min, max)
    if weight is not None and weight.shape != input.shape:
        raise ValueError
    if input.dtype.kind in "biu":
        min, max = float(int(min)), float(int(max))
    low, high = _bounds(input, 0.0, 0.0, 1.0) if min == max else (min, max)
    x = input.reshape(-1).astype(_edge_dtype(BY_NUMPY[input.dtype]).numpy)
    edges = np.linspace(low, high, bins + 1).astype(x.dtype)
    inside = (edges[0] <= x) & (x <= edges[-1])
    places = np.minimum(np.searchsorted(edges, x[inside], "right") - 1, bins - 1)
    weights = None if weight is None else weight.reshape(-1)[inside].astype(np.float64)
    counts = np.bincount(places, weights, bins)
    if density:
        counts = counts / np.diff(edges.astype(np.float64)) / counts.sum()
    return counts.astype(np.int64 if weight is None and not density else np.float32)


def _edge_dtype(dtype: DType) -> DType:
    """That in which elements are compared with the bounds of intervals."""
    return float64 if dtype is float64 or not dtype.is_floating else float32


@histogram_op.procedure
def _(p, input, weight, bins, min, max, density):
    if not input.dtype.is_floating:
        min, max = float(int(min)), float(int(max))
    edges = p.scratch((bins + 1,), _edge_dtype(input.dtype))
    launch_edges(p, input, edges, min, max, margin=1.0, of_data=min == max)
    weights = None if weight is None else weight.reshape(-1)
    counts = counts_of(p, places_among(p, input, edges), bins, weights)
    p.launch(_written, 1, counts, edges, p.results[0], density=density)


@procedure
def _written(row, counts, edges, out, *, density):
    total = cast(0, counts)
    for k in range(counts.shape[0]):
        total += counts[k]
    for k in range(counts.shape[0]):
        if density:
            width = cast(edges[k + 1], float64) - cast(edges[k], float64)
            out[k] = cast(cast(counts[k], float64) / width / cast(total, float64), out)
        else:
            out[k] = cast(counts[k], out)


@histogram_op.samples
def _(s):
    yield s(s.randn(9), None, 4, gradient=False)
    yield s(s.randn(2, 3), None, 4, -1.0, 1.0, True, gradient=False)
    yield s(s.randn(4), s.uniform(0, 1, 4), 3, gradient=False)
    yield s(s.ints(0, 5, 9), None, 5, 0.0, 4.0)
    yield s(s.ints(0, 5, 9), s.ints(0, 5, 9), 4, 0.5, 3.7)
    yield s(s.zeros(3), None, 4, gradient=False)
    yield s.bad(ArgumentError, "bins >= 1", s.randn(3), None, 0)
    yield s.bad(ShapeError, "shape of input", s.randn(3), s.randn(2))


@function(method=True)
def histogram(
    input: Tensor,
    bins: int = 100,
    min: float = 0.0,
    max: float = 0.0,
    weight: Tensor | None = None,
    density: bool = False,
) -> Tensor:
    """How many elements lie in each of `bins` equal intervals from `min` to `max`.

    input: [*]. min, max: those of the data where both are equal; of integers their fractions are
    cut off. weight: counts in place of 1, of the shape of input. density: counts over their sum and
    the width. Returns [bins], int64, or float32 with weight or density. Raises ArgumentError,
    ShapeError.

    >>> twinoar.histogram(twinoar.to_tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3).tolist()
    [0, 2, 1, 0]
    """
    return histogram_op(input, weight, bins, float(min), float(max), density)


@primitive(
    slow_kernel=True,
    name="histogram_bin_edges",
    infer=lambda input, bins, min, max: _edges(bins, min, max),
    grad=lambda: None,
)
def histogram_bin_edges_op(
    input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0
) -> Tensor:
    """The bounds of equal intervals: the operator under `histogram_bin_edges`."""


def _edges(bins: int, min: float, max: float) -> Spec:
    _check_bins(bins, min, max)
    return Spec((bins + 1,), float32)


@histogram_bin_edges_op.kernel
def _(input, bins, min, max):
    _check_bins(bins, min, max)
    return np.linspace(*_bounds(input, min, max, 0.5), bins + 1, dtype=np.float32)


@histogram_bin_edges_op.procedure
def _(p, input, min, max):
    of_data = min == max == 0
    launch_edges(p, input, p.results[0], min, max, margin=0.5, of_data=of_data)


@histogram_bin_edges_op.samples
def _(s):
    yield s(s.randn(9), 4, gradient=False)
    yield s(s.zeros(3), 2, gradient=False)
    yield s(s.ints(0, 5, 9), 4, 0.0, 4.0)
    yield s.bad(ArgumentError, "bins >= 1", s.randn(3), 0)


@function(method=True)
def histogram_bin_edges(
    input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0
) -> Tensor:
    """The bounds of the intervals in which `histogram` counts, [bins + 1], float32.

    >>> twinoar.histogram_bin_edges(twinoar.to_tensor([1.0, 3.0]), bins=2).tolist()
    [1.0, 2.0, 3.0]
    """
    return histogram_bin_edges_op(input, bins, float(min), float(max))


def _grid_counts(x: Spec, weights: Spec, *edges: Spec) -> Spec:
    if x.ndim != 2 or weights.ndim != 1:
        raise ShapeError(f"expected points [N,D] and weights [N], received {x} and {weights}")
    return Spec(tuple(e.shape[0] - 1 for e in edges), x.dtype)


@primitive(
    slow_kernel=True,
    name="histogramdd",
    infer=_grid_counts,
    grad=lambda specs: (None,) * len(specs),
)
def histogramdd_op(x: Tensor, weights: Tensor, edges: Sequence[Tensor]) -> Tensor:
    """Counts of points in boxes: the operator under `histogramdd`."""


@histogramdd_op.kernel
@quiet
def _(x, weights, *edges):
    return np.histogramdd(x, edges, weights=weights)[0].astype(x.dtype)


@histogramdd_op.procedure
def _(p, x, weights, edges):
    bins = [e.size - 1 for e in edges]
    if min(bins) < 1:
        return
    at = p.scratch((x.shape[0],), int32)
    p.launch(zeros, 1, at)
    for column, e in enumerate(edges):
        places_between(p, x, column, e, at)
    counts = counts_of(p, at, math.prod(bins), weights)
    p.launch(_written, 1, counts, counts, p.results[0].reshape(-1), density=False)


@histogramdd_op.samples
def _(s):
    edges = [np.linspace(-2, 2, n).astype(np.float32) for n in (3, 5)]
    yield s(s.randn(9, 2), s.uniform(0, 1, 9), edges, gradient=False, half=False)
    yield s.bad(ShapeError, "expected points", s.randn(9), s.randn(9), edges)


@function(method=True)
def histogramdd(
    x: Tensor,
    bins: Any = 10,
    ranges: Sequence[float] | None = None,
    density: bool = False,
    weights: Tensor | None = None,
) -> tuple[Tensor, list[Tensor]]:
    """How many points lie in each box of a grid, and the bounds along each axis.

    x: [...,D], points. bins: how many intervals, for all axes or for each; or tensors of their
    bounds. ranges: the first and the last bound of each axis; those of the data by default.
    density: counts over their sum and the volume. weights: [...], counts in place of 1. Returns
    [bins of each axis], the dtype of x, and D vectors. Raises ArgumentError, ShapeError.

    >>> x = twinoar.to_tensor([[0.0, 1.0], [1.0, 2.0], [3.0, 4.0]])
    >>> twinoar.histogramdd(x, bins=[2, 2])[0].tolist()
    [[2.0, 0.0], [0.0, 1.0]]
    """
    if not x.ndim:
        raise ShapeError(f"x must be [*,D], received {x.spec}")
    width: Any = x.spec.shape[-1]
    points = reshape_op(x, (-1, width))
    several = list(bins) if isinstance(bins, (list, tuple)) else [bins] * width
    if len(several) != width or (ranges is not None and len(ranges) != 2 * width):
        raise ArgumentError(f"expected bins and bounds for {width} axes, received {bins}, {ranges}")
    edges = [
        b if isinstance(b, Value) else _even_edges(points, i, int(b), ranges)
        for i, b in enumerate(several)
    ]
    counted = ones([points.shape[0]], x.dtype) if weights is None else reshape_op(weights, (-1,))
    counts = histogramdd_op(points, counted, edges)
    if density:
        counts = divide(counts, sum_op(counts))
        for i, e in enumerate(edges):
            n: Any = e.spec.shape[0]
            widths = slice_op(e, (0,), (1,), (n,)) - slice_op(e, (0,), (0,), (n - 1,))
            counts = divide(counts, reshape_op(widths, (-1, *[1] * (width - i - 1))))
    return counts, edges


def _even_edges(points: Tensor, axis: int, bins: int, ranges: Any) -> Tensor:
    """The bounds of equal intervals along one axis."""
    if ranges is not None:
        low, high = (full([], ranges[2 * axis + i], points.dtype) for i in (0, 1))
    else:
        column = slice_op(points, (1,), (axis,), (axis + 1,))
        low, high = amin(column), amax(column)
    is_flat = low == high
    low, high = select(is_flat, low - 0.5, low), select(is_flat, high + 0.5, high)
    steps = astype(arange(0, bins + 1), points.dtype) / bins
    return low * (1.0 - steps) + high * steps  # which ends in `high` itself
