"""What two boxes share, by what either covers: of arrays, and in procedures to the same bits."""

from __future__ import annotations

import numpy as np

from twinoar.core.dtype import DType, float64
from twinoar.core.loop.language import compute_dtype
from twinoar.core.loop.procedure import Array, Launcher, cast, procedure


def overlap(box: np.ndarray, boxes: np.ndarray, offset: float = 0.0) -> np.ndarray:
    """Area that box [*,4] shares with each of boxes [N,4], by the area that either covers: [*,N].

    offset: 1 where corners are the numbers of pixels, which belong to the box.
    """
    left, top, right, bottom = (box[..., i, None] for i in range(4))
    lefts, tops, rights, bottoms = np.ascontiguousarray(boxes.T)
    wide = np.minimum(right, rights) - np.maximum(left, lefts) + offset
    high = np.minimum(bottom, bottoms) - np.maximum(top, tops) + offset
    shared = np.maximum(wide, 0) * np.maximum(high, 0)
    own = (right - left + offset) * (bottom - top + offset)
    covered = own + (rights - lefts + offset) * (bottoms - tops + offset) - shared
    return np.where(covered > 0, shared / np.where(covered > 0, covered, 1), 0)


def measured(dtype: DType) -> DType:
    """The dtype in which boxes of `dtype` are compared."""
    return compute_dtype(dtype) if dtype.is_floating else float64


def corners_of(p: Launcher, boxes: Array, offset: float) -> Array:
    """Launch the corners of boxes [B,N,4] side by side, and their areas: [B,5,N]."""
    lines, n, _ = boxes.shape
    corners = p.scratch((lines, 5, n), measured(boxes.dtype))
    p.launch(_side_by_side, lines * n, boxes, corners, offset)
    return corners


@procedure
def _side_by_side(row, boxes, corners, offset):
    line, k = row // boxes.shape[1], row % boxes.shape[1]
    for side in (0, 1, 2, 3):
        corners[line, side, k] = cast(boxes[line, k, side], corners)
    more = cast(offset, corners)
    wide = corners[line, 2, k] - corners[line, 0, k] + more
    high = corners[line, 3, k] - corners[line, 1, k] + more
    corners[line, 4, k] = wide * high


@procedure
def share_of(corners, line, i, k, offset):
    """`overlap` of two boxes of a line. offset: in the dtype of the corners."""
    right, bottom = (
        min(corners[line, 2, i], corners[line, 2, k]),
        min(corners[line, 3, i], corners[line, 3, k]),
    )
    left, top = (
        max(corners[line, 0, i], corners[line, 0, k]),
        max(corners[line, 1, i], corners[line, 1, k]),
    )
    area = max(right - left + offset, 0.0) * max(bottom - top + offset, 0.0)
    shared = max(area, 0.0)  # keeps the product from being fused with what follows
    covered = corners[line, 4, i] + corners[line, 4, k] - shared
    has_area = covered > 0.0
    share = shared / (covered if has_area else cast(1.0, covered))
    return share if has_area else cast(0.0, share)
