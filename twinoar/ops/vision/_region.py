"""Rectangles of images, brought to one size by weights of rows and columns, and the transpose.

Only the pixels that have a weight are read, so neither time nor memory follow the size of images.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from twinoar.core.op.declare import Spec, Tensor, primitive


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
    shape = (len(rows), x.shape[1], rows.shape[1], columns.shape[1])
    out = np.empty(shape, x.dtype)
    for r, top, left in _used(rows, columns):
        part = x[image[r], :, top, left]
        out[r] = _weighed(rows[r][:, top], part, columns[r][:, left])
    return out


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
    out = np.zeros((count, values.shape[1], rows.shape[2], columns.shape[2]), values.dtype)
    for r, top, left in _used(rows, columns):
        out[image[r], :, top, left] += rows[r][:, top].T @ values[r] @ columns[r][:, left]
    return out


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
