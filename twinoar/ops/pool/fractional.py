"""Fractional max pooling: maxima of windows whose sizes differ by one, as a number decides."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from twinoar.core.dim import is_known
from twinoar.core.dtype import float32, int32, int64
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, function, loop, primitive
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.index._scatter import begin
from twinoar.ops.pool._bins import binned
from twinoar.ops.pool.adaptive import bins_wanted
from twinoar.ops.pool.maximum_index import binned_maxima, comes_first, scatter_pixels
from twinoar.ops.random.uniform import uniform
from twinoar.ops.window._geometry import FORMATS, array_spec, per_axis

Bins = list[tuple[int, int]]


@primitive(slow_kernel=True)
def fractional_max_pool(
    x: Tensor, u: Tensor, output_size: tuple[int, ...], kernel_size: tuple[int, ...] = ()
) -> tuple[Tensor, Tensor]:
    """The operator under `fractional_max_pool2d` and 3d: maxima and where they are.

    u: a number from 0 to 1. kernel_size: empty for windows that do not overlap.
    """


@fractional_max_pool.infer
def _(x, u, output_size, kernel_size):
    spec = binned(x, output_size, FORMATS[len(output_size)][0])
    kernel = kernel_size or (1,) * len(output_size)
    for n, count, k in zip(x.shape[2:], output_size, kernel, strict=True):
        if is_known(n) and n < count - 1 + k:
            raise ShapeError(
                f"x of shape {list(x.shape)} has too few pixels for output_size "
                f"{list(output_size)} and kernel_size {list(kernel_size) or None}",
                cure="ask for fewer or smaller windows",
            )
    return spec, Spec(spec.shape, int32)


@fractional_max_pool.kernel
def _(x, u, output_size, kernel_size):
    fractional_max_pool.rules["infer"](array_spec(x), None, output_size, kernel_size)
    sizes = zip(x.shape[2:], output_size, kernel_size or [None] * len(output_size), strict=True)
    return binned_maxima(x, [_windows(n, count, k, np.float32(u)) for n, count, k in sizes])


def _windows(n: int, count: int, kernel: int | None, u: np.float32) -> Bins:
    """First pixel and the one after the last of each window, in float32 as Paddle's are."""
    i = np.arange(count + 1, dtype=np.float32)
    if kernel is not None:
        alpha = np.float32(n - kernel) / np.float32(max(count - 1, 1))
        starts = np.floor((i[:-1] + u) * alpha) - np.floor(u * alpha)
        if count > 1:
            starts[-1] = n - kernel
        return [(int(start), int(start) + kernel) for start in starts]
    alpha, least = np.float32(n) / np.float32(count), n // count
    limits = np.float32(least + 2) / alpha - 1, np.float32(n + 1 - least) / alpha - (count - 1)
    u = u * min(limits)
    edges = (np.floor((i + u) * alpha) - np.floor(u * alpha)).astype(int).tolist()
    return list(pairwise(edges))


@fractional_max_pool.procedure
def _(p, x, u, output_size, kernel_size):
    planes, rank = math.prod(x.shape[:2]), len(output_size)
    ones, kernel = (1,) * (3 - rank), kernel_size or (0,) * rank
    given = x.reshape(planes, *ones, *x.shape[2:])
    out, mask = (r.reshape(planes, *ones, *output_size) for r in p.results)
    edges = p.scratch((3, 2, max(output_size)), int64)
    share = p.scratch((1,), float32)
    begin(p, share, u)
    p.launch(_placed, 1, given, share, out, edges, kernel=(*ones, *kernel))
    p.launch(_maxima, planes, given, edges, out, mask)


@procedure
def _placed(row, x, u, out, edges, *, kernel):
    """Where the windows along each axis start and end: `_windows`."""
    share = u[0]
    if not (share >= 0.0 and share <= 1.0):
        share = cast(0, float32)
        fail()
    for axis, k in enumerate(kernel):
        n, count = x.shape[axis + 1], out.shape[axis + 1]
        moved = share
        if k:
            alpha = cast(n - k, float32) / cast(max(count - 1, 1), float32)
        else:
            least = n // count
            alpha = cast(n, float32) / cast(count, float32)
            first = cast(least + 2, float32) / alpha - 1.0
            last = cast(n + 1 - least, float32) / alpha - cast(count - 1, float32)
            moved = share * min(first, last)
        for i in range(count):
            start = _edge(i, moved, alpha)
            stop = start + k if k else _edge(i + 1, moved, alpha)
            if k and count > 1 and i == count - 1:
                start = n - k
                stop = cast(n, int64)
            edges[axis, 0, i] = max(0, min(start, n - 1))
            edges[axis, 1, i] = max(1, min(stop, n))


@procedure
def _edge(i, moved, alpha):
    return cast(loop.floor((cast(i, float32) + moved) * alpha) - loop.floor(moved * alpha), int64)


@procedure
def _maxima(plane, x, edges, out, mask):
    for i in range(out.shape[1]):
        first_d, last_d = edges[0, 0, i], edges[0, 1, i]
        for j in range(out.shape[2]):
            first_h, last_h = edges[1, 0, j], edges[1, 1, j]
            for k in range(out.shape[3]):
                first_w, last_w = edges[2, 0, k], edges[2, 1, k]
                best = x[plane, first_d, first_h, first_w]
                place = (first_d * x.shape[2] + first_h) * x.shape[3] + first_w
                for d in range(first_d, last_d):
                    for h in range(first_h, last_h):
                        line = (d * x.shape[2] + h) * x.shape[3]
                        for w in range(first_w, last_w):
                            new = x[plane, d, h, w]
                            is_better = comes_first(new, best)
                            best = new if is_better else best
                            place = line + w if is_better else place
                out[plane, i, j, k] = best
                mask[plane, i, j, k] = cast(place, mask)


@fractional_max_pool.grad
def _(gs, outs, specs):
    return scatter_pixels(gs[0], outs[1], specs[0].shape[2:]), None


@fractional_max_pool.samples
def _(s):
    u = np.float32(0.4)
    yield s(s.distinct(2, 2, 7, 5), u, (5, 3))
    yield s(s.distinct(1, 2, 7, 6), u, (3, 2), (2, 4))
    yield s(s.distinct(1, 2, 3, 5, 4), u, (2, 3, 3))
    yield s(s.distinct(1, 1, 3, 5, 4), u, (2, 1, 3), (2, 2, 1))
    yield s(s.zeros(0, 2, 4, 4), u, (2, 2))
    yield s.bad(ShapeError, "too few pixels", s.randn(1, 2, 4, 4), u, (5, 2))
    yield s.bad(ShapeError, "too few pixels", s.randn(1, 2, 4, 4), u, (3, 3), (2, 3))
    yield s.bad(ArgumentError, "must be positive", s.randn(1, 3, 4, 4), u, (0, 2))


@function
def fractional_max_pool2d(
    x: Tensor,
    output_size: Any,
    kernel_size: Any = None,
    random_u: float | None = None,
    return_mask: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """The maxima of an image cut into output_size windows, whose sizes differ by one at random.

    x: [N,C,H,W], floating. output_size: one number or (h, w); None keeps a size. kernel_size: of
    windows that may overlap; None for windows side by side. random_u: between 0 and 1, decides
    where windows begin; None draws it. Returns [N,C,h,w]; with return_mask also the position of
    each maximum in its H*W plane, int32. Raises ShapeError, ArgumentError.
    Source: Graham 2014, arXiv 1412.6071.

    >>> x = twinoar.to_tensor([2.0, 4.0, 3.0, 1.0, 5.0, 2.0, 3.0]).reshape([1, 1, 1, 7])
    >>> twinoar.nn.functional.fractional_max_pool2d(x, [1, 5], random_u=0.3).flatten().tolist()
    [2.0, 4.0, 1.0, 5.0, 3.0]
    """
    return _pooled(x, output_size, kernel_size, random_u, return_mask, 2)


@function
def fractional_max_pool3d(
    x: Tensor,
    output_size: Any,
    kernel_size: Any = None,
    random_u: float | None = None,
    return_mask: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """`fractional_max_pool2d` of volumes, [N,C,D,H,W]; positions are in D*H*W.

    >>> x = twinoar.ones([1, 2, 5, 6, 7])
    >>> twinoar.nn.functional.fractional_max_pool3d(x, [2, 3, 4]).shape
    [1, 2, 2, 3, 4]
    """
    return _pooled(x, output_size, kernel_size, random_u, return_mask, 3)


def _pooled(
    x: Tensor, output_size: Any, kernel_size: Any, u: float | None, return_mask: bool, rank: int
) -> Any:
    bins = bins_wanted(x, output_size, FORMATS[rank][0])
    if len(bins) != rank:
        raise ArgumentError(f"output_size must have {rank} sizes, received {output_size}")
    kernel = () if kernel_size is None else per_axis(kernel_size, rank, "kernel_size")
    if any(k < 1 for k in kernel):
        raise ArgumentError(f"kernel_size must be positive, received {kernel_size}")
    if u is not None and not 0 < u < 1:
        raise ArgumentError(f"random_u must be between 0 and 1, received {u}")
    start: Any = uniform((), float32, 0.0, 1.0) if u is None else float(u)
    out, mask = fractional_max_pool(x, start, bins, kernel)
    return (out, mask) if return_mask else out
