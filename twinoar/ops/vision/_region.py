"""Rectangles of images, brought to one size by weights of rows and columns, and the transpose.

Only the pixels that have a weight are read, so neither time nor memory follow the size of images.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from twinoar.core.dim import Dim
from twinoar.core.dtype import int64
from twinoar.core.loop.language import compute_dtype
from twinoar.core.loop.procedure import Array, Launcher, cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, primitive
from twinoar.ops.index._position import refuse_range


@primitive(
    slow_kernel=True,
    infer=lambda x, rows, columns, image, apart: Spec(
        (rows.shape[0], _channels(x, rows, columns, apart), rows.shape[1], columns.shape[1]),
        x.dtype,
    ),
    grad=lambda g, rows, columns, image, specs, apart: (
        spread_regions(g, rows, columns, image, specs[0].shape[0], apart),
        None,
        None,
        None,
    ),
)
def weighed_regions(
    x: Tensor, rows: Tensor, columns: Tensor, image: Tensor, apart: bool = False
) -> Tensor:
    """Sums of pixels by weights of their rows and columns, which get no gradient.

    x: [N,C,H,W]. rows: [R,PH,H]. columns: [R,PW,W]. image: [R], integers, in which image each
    region is. Returns [R,C,PH,PW]. apart: each part is of a channel of its own, x [N,C PH PW,H,W].
    """


def _channels(x: Spec, rows: Spec, columns: Spec, apart: bool) -> Dim:
    """Of the regions."""
    return x.shape[1] // (rows.shape[1] * columns.shape[1]) if apart else x.shape[1]


@weighed_regions.kernel
def _(x, rows, columns, image, apart):
    refuse_range(image, len(x), 0)
    high, wide = rows.shape[1], columns.shape[1]
    out = np.empty((len(rows), _channels(x, rows, columns, apart), high, wide), x.dtype)
    for r, top, left in _used(rows, columns):
        part = x[image[r], :, top, left]
        found = _weighed(rows[r][:, top], part, columns[r][:, left])
        if apart:
            own = found.reshape(-1, high * wide, high * wide)
            found = np.diagonal(own, 0, 1, 2).reshape(-1, high, wide)
        out[r] = found
    return out


@weighed_regions.procedure
def _(p, x, rows, columns, image, apart):
    out, used = p.results[0], (_launch_used(p, rows), _launch_used(p, columns))
    count = out.shape[0] * out.shape[1]
    if apart:
        work = count * (rows.shape[1] * columns.shape[2] + columns.shape[1] * rows.shape[2])
        p.launch(_gathered_apart, count, x, rows, columns, image, *used, out, work=work)
        return
    lines = p.scratch((count, x.shape[3]), compute_dtype(x.dtype))
    work = count * rows.shape[1] * (x.shape[3] + rows.shape[2])
    p.launch(_gathered, count, x, rows, columns, image, *used, lines, out, work=work)


def _launch_used(p: Launcher, weights: Array) -> Array:
    """Launch the first pixel with a weight in each part, and the one after the last: [R,B,2]."""
    regions, bins, size = weights.shape
    used = p.scratch((regions * bins, 2), int64)
    p.launch(_bounded, regions * bins, weights.reshape(regions * bins, size), used)
    return used.reshape(regions, bins, 2)


@procedure
def _bounded(row, weights, used):
    first, stop = weights.shape[1], cast(0, int64)
    for k in range(weights.shape[1]):
        if weights[row, k] != 0:
            first = min(first, k)
            stop = k + 1
    used[row, 0] = first
    used[row, 1] = stop


@procedure
def _image_of(image, r, count):
    n = cast(image[r], int64)
    n = n + count if n < 0 else n
    if n < 0 or n >= count:
        fail()
    return n


@procedure
def _ends_of(used, r):
    """The first pixel that any part of a region uses, and the one after the last."""
    first, stop = used[r, 0, 0], used[r, 0, 1]
    for k in range(1, used.shape[1]):
        first = min(first, used[r, k, 0])
        stop = max(stop, used[r, k, 1])
    return first, stop


@procedure
def _gathered(row, x, rows, columns, image, high, wide, lines, out):
    """Each line of a region: the sum of its rows, then of columns; what has no weight is not."""
    r, c = row // x.shape[1], row % x.shape[1]
    n = _image_of(image, r, x.shape[0])
    left, right = _ends_of(wide, r)
    for b in range(out.shape[2]):
        for w in range(left, right):
            lines[row, w] = cast(0, lines)
        for h in range(high[r, b, 0], high[r, b, 1]):
            weight = cast(rows[r, b, h], lines)
            if weight != 0:
                for w in range(left, right):
                    lines[row, w] += weight * x[n, c, h, w]
        for k in range(out.shape[3]):
            total = cast(0, lines)
            for w in range(wide[r, k, 0], wide[r, k, 1]):
                weight = cast(columns[r, k, w], lines)
                if weight != 0:
                    total += weight * lines[row, w]
            out[r, c, b, k] = total


@procedure
def _gathered_apart(row, x, rows, columns, image, high, wide, out):
    """The same where each part is of a channel of its own."""
    r, c = row // out.shape[1], row % out.shape[1]
    n = _image_of(image, r, x.shape[0])
    for b in range(out.shape[2]):
        for k in range(out.shape[3]):
            channel = (c * out.shape[2] + b) * out.shape[3] + k
            total = cast(0, x)
            for h in range(high[r, b, 0], high[r, b, 1]):
                line = cast(0, x)
                for w in range(wide[r, k, 0], wide[r, k, 1]):
                    if columns[r, k, w] != 0:
                        line += cast(columns[r, k, w], x) * x[n, channel, h, w]
                if rows[r, b, h] != 0:
                    total += cast(rows[r, b, h], x) * line
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
    slow_kernel=True,
    infer=lambda g, rows, columns, image, count, apart: Spec(
        (count, math.prod(g.shape[1 : 4 if apart else 2]), rows.shape[2], columns.shape[2]), g.dtype
    ),
    grad=lambda g, rows, columns, image, apart: (
        weighed_regions(g, rows, columns, image, apart),
        *[None] * 3,
    ),
)
def spread_regions(
    values: Tensor,
    rows: Tensor,
    columns: Tensor,
    image: Tensor,
    count: int,
    apart: bool = False,
) -> Tensor:
    """The transpose of `weighed_regions`: values [R,C,PH,PW] become [count,C,H,W]."""


@spread_regions.kernel
def _(values, rows, columns, image, count, apart):
    refuse_range(image, count, 0)
    _, c, high, wide = values.shape
    if apart:  # a plane for each part, which is 0 but for that part
        whole = np.zeros((len(values), c, high * wide, high * wide), values.dtype)
        at = np.arange(high * wide)
        whole[:, :, at, at] = values.reshape(len(values), c, -1)
        values = whole.reshape(len(values), -1, high, wide)
    out = np.zeros((count, values.shape[1], rows.shape[2], columns.shape[2]), values.dtype)
    for r, top, left in _used(rows, columns):
        part = _weighed(rows[r][:, top].T, values[r], columns[r][:, left].T)
        out[image[r], :, top, left] += part
    return out


@spread_regions.procedure
def _(p, values, rows, columns, image, count, apart):
    out, used = p.results[0], (_launch_used(p, rows), _launch_used(p, columns))
    planes = count * out.shape[1]
    work = out.size + math.prod(values.shape[:2]) * (rows.shape[2] + columns.shape[2])
    if apart:
        p.launch(_spread_apart, planes, values, rows, columns, image, *used, out, work=work)
        return
    lines = p.scratch((planes, values.shape[3]), compute_dtype(values.dtype))
    p.launch(_spread, planes, values, rows, columns, image, *used, lines, out, work=work)


@procedure
def _cleared(n, c, out):
    for h in range(out.shape[2]):
        for w in range(out.shape[3]):
            out[n, c, h, w] = cast(0, out)


@procedure
def _spread(row, values, rows, columns, image, high, wide, lines, out):
    """A plane, to which each region of its image adds, in order."""
    n, c = row // out.shape[1], row % out.shape[1]
    _cleared(n, c, out)
    for r in range(values.shape[0]):
        if _image_of(image, r, out.shape[0]) != n:
            continue
        top, bottom = _ends_of(high, r)
        for h in range(top, bottom):
            for k in range(lines.shape[1]):
                lines[row, k] = cast(0, lines)
            for b in range(rows.shape[1]):
                weight = cast(rows[r, b, h], lines)
                if weight != 0:
                    for k in range(lines.shape[1]):
                        lines[row, k] += weight * values[r, c, b, k]
            for k in range(lines.shape[1]):
                for w in range(wide[r, k, 0], wide[r, k, 1]):
                    weight = cast(columns[r, k, w], lines)
                    if weight != 0:
                        out[n, c, h, w] += weight * lines[row, k]


@procedure
def _spread_apart(row, values, rows, columns, image, high, wide, out):
    """The same where each part is of a channel of its own."""
    n, channel = row // out.shape[1], row % out.shape[1]
    _cleared(n, channel, out)
    k, rest = channel % values.shape[3], channel // values.shape[3]
    b, c = rest % values.shape[2], rest // values.shape[2]
    for r in range(values.shape[0]):
        if _image_of(image, r, out.shape[0]) != n:
            continue
        for h in range(high[r, b, 0], high[r, b, 1]):
            if rows[r, b, h] != 0:
                share = cast(rows[r, b, h], values) * values[r, c, b, k]
                for w in range(wide[r, k, 0], wide[r, k, 1]):
                    if columns[r, k, w] != 0:
                        out[n, channel, h, w] += cast(columns[r, k, w], values) * share


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
    yield s(s.randn(2, 12, 4, 5), rows, s.randn(3, 3, 5), image, True, gradient=False)


@spread_regions.samples
def _(s):
    image = np.array([1, 0, 1])
    sides = s.randn(3, 2, 4), s.randn(3, 3, 5)
    yield s(s.randn(3, 4, 2, 3), *sides, image, 2, gradient=False)
    yield s(s.randn(3, 4, 2, 3), *sides, image, 2, True, gradient=False)
