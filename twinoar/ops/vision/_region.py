"""Rectangles of images, brought to one size by weights of rows and columns, and the transpose.

Only the pixels that have a weight are read, so neither time nor memory follow the size of images.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from twinoar.core.dtype import int64
from twinoar.core.loop.language import compute_dtype
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, primitive
from twinoar.ops.index._position import refuse_range


@primitive(
    infer=lambda x, rows, columns, image: Spec(
        (rows.shape[0], x.shape[1], rows.shape[1], columns.shape[1]), x.dtype
    ),
    grad=lambda g, rows, columns, image, specs: (
        spread_regions(g, rows, columns, image, specs[0].shape[0]),
        None,
        None,
        None,
    ),
)
def weighed_regions(x: Tensor, rows: Tensor, columns: Tensor, image: Tensor) -> Tensor:
    """Sums of pixels by weights of their rows and columns, which get no gradient.

    x: [N,C,H,W]. rows: [R,PH,H]. columns: [R,PW,W]. image: [R], integers, in which image each
    region is. Returns [R,C,PH,PW].
    """


@weighed_regions.kernel
def _(x, rows, columns, image):
    refuse_range(image, len(x), 0)
    shape = (len(rows), x.shape[1], rows.shape[1], columns.shape[1])
    out = np.empty(shape, x.dtype)
    for r, top, left in _used(rows, columns):
        part = x[image[r], :, top, left]
        out[r] = _weighed(rows[r][:, top], part, columns[r][:, left])
    return out


@weighed_regions.procedure
def _(p, x, rows, columns, image):
    regions, channels = rows.shape[0], x.shape[1]
    used = _launch_used(p, rows, columns)
    lines = p.scratch((regions * channels, x.shape[3]), compute_dtype(x.dtype))
    out, work = p.results[0], regions * channels * rows.shape[1] * (x.shape[3] + rows.shape[2])
    p.launch(_gathered, regions * channels, x, rows, columns, image, used, lines, out, work=work)


def _launch_used(p: Launcher, rows: Array, columns: Array) -> Array:
    """Launch the first and the last row and column of each region that have weights, [R,4]."""
    used = p.scratch((rows.shape[0], 4), int64)
    p.launch(_bounded, rows.shape[0], rows, columns, used)
    return used


@procedure
def _bounded(r, rows, columns, used):
    for side, weights in ((0, rows), (2, columns)):
        first, stop = weights.shape[2], cast(0, int64)
        for b in range(weights.shape[1]):
            for k in range(weights.shape[2]):
                if weights[r, b, k] != 0:
                    first = min(first, k)
                    stop = max(stop, k + 1)
        used[r, side] = first
        used[r, side + 1] = stop


@procedure
def _image_of(image, r, count):
    n = cast(image[r], int64)
    n = n + count if n < 0 else n
    if n < 0 or n >= count:
        fail()
    return n


@procedure
def _gathered(row, x, rows, columns, image, used, lines, out):
    """Each line of a region: the sum of its rows, then of columns; what has no weight is not."""
    r, c = row // x.shape[1], row % x.shape[1]
    n = _image_of(image, r, x.shape[0])
    left, right = used[r, 2], used[r, 3]
    for b in range(out.shape[2]):
        for w in range(left, right):
            lines[row, w] = cast(0, lines)
        for h in range(used[r, 0], used[r, 1]):
            weight = cast(rows[r, b, h], lines)
            if weight != 0:
                for w in range(left, right):
                    lines[row, w] += weight * x[n, c, h, w]
        for k in range(out.shape[3]):
            total = cast(0, lines)
            for w in range(left, right):
                weight = cast(columns[r, k, w], lines)
                if weight != 0:
                    total += weight * lines[row, w]
            out[r, c, b, k] = total


def _weighed(rows: np.ndarray, part: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """rows @ part @ columns.T; what has no weight is left out, be it infinite."""
    if np.isfinite(part).all():
        return np.asarray(rows @ part @ columns.T)
    narrow = _share(rows[:, :, None], part[:, None]).sum(2)  # [C,PH,w]
    return np.asarray(_share(columns, narrow[:, :, None]).sum(3))


def _share(weights: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The product, 0 where the weight is."""
    with np.errstate(invalid="ignore"):
        return np.where(weights != 0, weights * x, x.dtype.type(0))


@primitive(
    infer=lambda g, rows, columns, image, count: Spec(
        (count, g.shape[1], rows.shape[2], columns.shape[2]), g.dtype
    ),
    grad=lambda g, rows, columns, image: (weighed_regions(g, rows, columns, image), *[None] * 3),
)
def spread_regions(
    values: Tensor, rows: Tensor, columns: Tensor, image: Tensor, count: int
) -> Tensor:
    """The transpose of `weighed_regions`: values [R,C,PH,PW] become [count,C,H,W]."""


@spread_regions.kernel
def _(values, rows, columns, image, count):
    refuse_range(image, count, 0)
    out = np.zeros((count, values.shape[1], rows.shape[2], columns.shape[2]), values.dtype)
    for r, top, left in _used(rows, columns):
        part = _weighed(rows[r][:, top].T, values[r], columns[r][:, left].T)
        out[image[r], :, top, left] += part
    return out


@spread_regions.procedure
def _(p, values, rows, columns, image, count):
    channels = values.shape[1]
    used, out = _launch_used(p, rows, columns), p.results[0]
    lines = p.scratch((count * channels, values.shape[3]), compute_dtype(values.dtype))
    work = out.size + math.prod(values.shape[:2]) * (rows.shape[2] + columns.shape[2])
    p.launch(_spread, count * channels, values, rows, columns, image, used, lines, out, work=work)


@procedure
def _spread(row, values, rows, columns, image, used, lines, out):
    """A plane, to which each region of its image adds, in order."""
    n, c = row // out.shape[1], row % out.shape[1]
    for h in range(out.shape[2]):
        for w in range(out.shape[3]):
            out[n, c, h, w] = cast(0, lines)
    for r in range(values.shape[0]):
        if _image_of(image, r, out.shape[0]) != n:
            continue
        for h in range(used[r, 0], used[r, 1]):
            for k in range(lines.shape[1]):
                lines[row, k] = cast(0, lines)
            for b in range(rows.shape[1]):
                weight = cast(rows[r, b, h], lines)
                if weight != 0:
                    for k in range(lines.shape[1]):
                        lines[row, k] += weight * values[r, c, b, k]
            for k in range(lines.shape[1]):
                for w in range(used[r, 2], used[r, 3]):
                    weight = cast(columns[r, k, w], lines)
                    if weight != 0:
                        out[n, c, h, w] += weight * lines[row, k]


def _used(rows: np.ndarray, columns: np.ndarray) -> Iterator[tuple[int, slice, slice]]:
    """Each region's number, and which rows and columns have weights in it."""
    have_weights = (np.asarray(weights.any(1)) for weights in (rows, columns))
    for r, sides in enumerate(zip(*have_weights, strict=True)):
        places = (np.flatnonzero(side) for side in sides)
        top, left = (slice(p[0], p[-1] + 1) if len(p) else slice(0) for p in places)
        yield r, top, left


@weighed_regions.samples
def _(s):  # weights are given, and get no gradient
    image = np.array([1, 0, 1])
    yield s(s.randn(2, 3, 4, 5), s.randn(3, 2, 4), s.randn(3, 3, 5), image, gradient=False)
    rows = s.zeros(3, 2, 4)
    rows[:2, :, 1:3] = s.randn(2, 2, 2)
    yield s(s.randn(2, 3, 4, 5), rows, s.randn(3, 3, 5), image, gradient=False)


@spread_regions.samples
def _(s):
    image = np.array([1, 0, 1])
    yield s(s.randn(3, 4, 2, 3), s.randn(3, 2, 4), s.randn(3, 3, 5), image, 2, gradient=False)
