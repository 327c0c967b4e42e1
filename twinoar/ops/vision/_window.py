"""Maxima of windows of images, whose places the data gives, and where they are."""

from __future__ import annotations

import math

import numpy as np

from twinoar.core.dtype import int32, int64
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Spec, Tensor, primitive
from twinoar.ops.create.range import iota
from twinoar.ops.index._position import refuse_range
from twinoar.ops.index.gather import sum_at
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import less_than
from twinoar.ops.math.select import maximum, select
from twinoar.ops.pool.maximum_index import comes_first
from twinoar.ops.shape.reshape import reshape_op, unsqueeze_op


@primitive(
    slow_kernel=True,
    infer=lambda x, rows, columns, image: (
        Spec((rows.shape[0], x.shape[1], rows.shape[1], columns.shape[1]), x.dtype),
        Spec((rows.shape[0], x.shape[1], rows.shape[1], columns.shape[1]), int32),
    ),
)
def window_maxima(x: Tensor, rows: Tensor, columns: Tensor, image: Tensor) -> tuple[Tensor, Tensor]:
    """The maxima of windows of images, 0 for one without pixels, and their places in a plane or -1.

    x: [N,C,H,W]. rows: [R,PH,2], columns: [R,PW,2], floating: the first and the one after the last
    of each window, whole numbers that may lie outside. image: [R], integers, in which image each
    region is. Returns [R,C,PH,PW], and places, int32: of equal elements the first, nan before all.
    """


@window_maxima.kernel
def _(x, rows, columns, image):
    refuse_range(image, len(x), 0)
    out = np.zeros((len(rows), x.shape[1], rows.shape[1], columns.shape[1]), x.dtype)
    mask = np.full(out.shape, -1, np.int32)
    sides = _pixels(rows, x.shape[2]), _pixels(columns, x.shape[3])
    for r, i, j in np.ndindex(len(rows), rows.shape[1], columns.shape[1]):
        (top, bottom), (left, right) = sides[0][r, i], sides[1][r, j]
        if top < bottom and left < right:
            part = x[image[r], :, top:bottom, left:right].reshape(x.shape[1], -1)
            place = part.argmax(1)  # the first nan, if there is one
            row, column = np.divmod(place, right - left)
            best = part[np.arange(len(part)), place]
            is_found = best != lowest(x.dtype)
            out[r, :, i, j] = np.where(is_found, best, 0)
            place = (top + row) * x.shape[3] + left + column
            mask[r, :, i, j] = np.where(is_found, place, -1)
    return out, mask


def lowest(dtype: np.dtype) -> float:
    """What is no maximum: with no pixel above it, a window is as if it had none."""
    return float("-inf") if dtype.kind in "fV" else int(np.iinfo(dtype).min)


def _pixels(ends: np.ndarray, size: int) -> np.ndarray:
    """Whole numbers from 0 to size; of nan there are no pixels."""
    found = np.clip(np.where(np.isnan(ends).any(-1, keepdims=True), 0, ends), 0, size)
    return np.asarray(found.astype(np.int64))


@window_maxima.procedure
def _(p, x, rows, columns, image):
    out, mask = p.results
    work = 4 * out.size + x.size
    p.launch(_searched, out.shape[0] * out.shape[1], x, rows, columns, image, out, mask, work=work,
             least=lowest(x.dtype.numpy))  # fmt: skip


@procedure
def _pixel(ends, r, k, side, size):
    first, last = ends[r, k, 0], ends[r, k, 1]
    end = first if side == 0 else last
    found = cast(0, int64)
    if first == first and last == last:
        found = cast(min(max(end, 0.0), cast(size, ends)), int64)
    return found


@procedure
def _searched(row, x, rows, columns, image, out, mask, *, least):
    r, c = row // x.shape[1], row % x.shape[1]
    height, width = x.shape[2], x.shape[3]
    n = cast(image[r], int64)
    n = n + x.shape[0] if n < 0 else n
    if n < 0 or n >= x.shape[0]:
        fail()
    for i in range(out.shape[2]):
        top, bottom = _pixel(rows, r, i, 0, height), _pixel(rows, r, i, 1, height)
        for j in range(out.shape[3]):
            left, right = _pixel(columns, r, j, 0, width), _pixel(columns, r, j, 1, width)
            best = cast(least, x)
            place = cast(-1, int64)
            for h in range(top, bottom):
                for w in range(left, right):
                    new = x[n, c, h, w]
                    is_better = comes_first(new, best)
                    best = new if is_better else best
                    place = h * width + w if is_better else place
            out[r, c, i, j] = cast(0, x) if place < 0 else best
            mask[r, c, i, j] = cast(place, mask)


@window_maxima.grad
def _(gs, outs, x, rows, columns, image, specs):
    """Each maximum's gradient goes to where it is."""
    n, c, h, w = specs[0].shape
    plane = astype(image, int64) * c
    plane = unsqueeze_op(plane, (1,)) + unsqueeze_op(iota(c), (0,))  # [R,C]
    at = unsqueeze_op(plane, (2, 3)) * (h * w) + astype(maximum(outs[1], 0), int64)
    g = select(less_than(outs[1], 0), 0.0, gs[0])
    summed = sum_at(reshape_op(g, (-1,)), reshape_op(at, (-1,)), math.prod((n, c, h, w)), 0)
    return reshape_op(summed, (n, c, h, w)), None, None, None


@window_maxima.samples
def _(s):
    x, image = s.distinct(2, 3, 6, 7), np.array([1, 0, 1])
    first = np.array([[-2, 1], [0, 2], [5, 1]])
    rows, columns = (
        np.stack([first, first + length], 2).astype("float32") for length in (3, np.arange(2))
    )
    yield s(x, rows, columns, image, gradient=False, half=False)
    yield s(s.ints(-9, 9, 2, 3, 6, 7), rows, columns, image, gradient=False)
