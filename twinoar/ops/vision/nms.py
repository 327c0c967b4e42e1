"""Boxes that overlap: all but the best of them are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.dtype import bool_, int64
from twinoar.core.loop.procedure import cast, procedure
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import ArgumentError, DTypeError, ShapeError, UnsupportedError
from twinoar.ops.index._scatter import begin
from twinoar.ops.index.gather import gather_op
from twinoar.ops.index.mask import nonzero_op
from twinoar.ops.index.sort import argsort
from twinoar.ops.shape.reshape import reshape_op
from twinoar.ops.vision._overlap import corners_of, overlap, share_of

AT_ONCE = 64  # boxes whose overlaps are computed at once: few enough to stay in a cache
FEW = 32  # boxes that NumPy's kernel is through with before a compiled one would pay


def _checked(boxes: Spec, group: Spec | None, **attrs: object) -> Spec:
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ShapeError(f"boxes must be [N,4], received {boxes}")
    if group is not None and not may_equal(group.shape, boxes.shape[:1]):
        raise ShapeError(f"there must be a category for each of {boxes}, received {group}")
    if group is not None and not group.dtype.is_integer:
        raise DTypeError(f"categories must be integers, received {group}")
    return Spec(boxes.shape[:1], bool_)


@primitive(slow_kernel=True, infer=_checked, compiled_from=4 * FEW)
def standing_boxes(
    boxes: Tensor,
    group: Tensor | None = None,
    iou_threshold: float = 0.3,
    groups: tuple[int, ...] | None = None,
) -> Tensor:
    """Which boxes no earlier one that stands, of the same group, overlaps by too much: [N], bool.

    group: [N], integers; boxes of other groups than `groups` do not stand.
    """


@standing_boxes.kernel
def _(boxes, group, iou_threshold, groups):
    group = np.zeros(len(boxes), int) if group is None else group
    if group.shape != (len(boxes),) or group.dtype.kind not in "iu":
        raise IndexError
    left = np.ones(len(boxes), bool) if groups is None else np.isin(group, groups)
    kept = np.zeros(len(boxes), bool)
    for start in range(0, len(boxes), AT_ONCE):
        block = start + np.flatnonzero(left[start : start + AT_ONCE])
        stays = overlap(boxes[block], boxes[start:]) <= iou_threshold
        stays |= group[block, None] != group[start:]
        for i, others in zip(block, stays, strict=True):
            if left[i]:
                kept[i] = True
                left[start:] &= others
    return kept


@standing_boxes.procedure
def _(p, boxes, group, iou_threshold, groups):
    n = boxes.shape[0]
    own = p.scratch((n,), int64)
    corners = corners_of(p, boxes.reshape(1, n, 4), 0.0)
    begin(p, own, 0 if group is None else group)
    p.launch(_asked_for, n, own, p.results[0], groups=groups)
    rest = (float(iou_threshold), p.results[0])
    p.launch(_left_out, 1, corners, own, *rest, work=n * n // 8, grouped=group is not None)


@procedure
def _asked_for(row, own, out, *, groups):
    stands = cast(groups is None, bool_)
    for group in groups or ():
        stands = stands | (own[row] == group)
    out[row] = stands


@procedure
def _left_out(row, corners, own, threshold, out, *, grouped):
    n = out.shape[0]
    most, offset = cast(threshold, corners), cast(0.0, corners)
    for i in range(n):
        if out[i]:
            for k in range(i + 1, n):
                stays = share_of(corners, row, i, k, offset) <= most
                if grouped:
                    stays = stays | (own[i] != own[k])
                out[k] = out[k] & stays


@standing_boxes.samples
def _(s):
    corners = s.uniform(0, 10, 12, 2)
    boxes = np.concatenate([corners, corners + s.uniform(4, 9, 12, 2)], 1)
    yield s(boxes, gradient=False, half=False)
    yield s(boxes, s.ints(0, 3, 12), 0.1, (0, 2), gradient=False, half=False)


def _counted_by_data(boxes: Spec, group: Spec | None) -> Spec:
    _checked(boxes, group)
    return Spec((None,), int64)  # type: ignore[arg-type]  # the data decides


def _ungrouped(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    if operands[1] is not None:
        raise UnsupportedError(
            "nms of groups has no form in Paddle's files",
            cure="call it once for each group before the model is saved",
        )
    return operands


@op(
    name="nms",
    infer=lambda boxes, group, **attrs: _counted_by_data(boxes, group),
    desc=Desc(
        "nms",
        {"Boxes": "boxes"},
        outputs=("KeepBoxesIdxs",),
        attrs={"iou_threshold": "iou_threshold"},
        prepare=lambda operands, attrs: _ungrouped(operands),
    ),
)
def nms_op(
    boxes: Tensor,
    group: Tensor | None = None,
    iou_threshold: float = 0.3,
    groups: tuple[int, ...] | None = None,
) -> Tensor:
    """Indices of the boxes that stand. See `standing_boxes`."""
    return reshape_op(nonzero_op(standing_boxes(boxes, group, iou_threshold, groups)), (-1,))


@nms_op.samples
def _(s):
    corners = s.uniform(0, 10, 12, 2)
    boxes = np.concatenate([corners, corners + s.uniform(4, 9, 12, 2)], 1)
    yield s(boxes, gradient=False, half=False)
    yield s(boxes, s.ints(0, 3, 12), 0.1, (0, 2), gradient=False, half=False)
    yield s(boxes[:0], gradient=False)
    yield s.bad(ShapeError, "boxes must be [N,4]", s.randn(3, 5))
    yield s.bad(ShapeError, "a category for each", boxes, s.ints(0, 3, 11))
    yield s.bad(DTypeError, "must be integers", boxes, s.randn(12))


@function(named=False)
def nms(
    boxes: Tensor,
    iou_threshold: float = 0.3,
    scores: Tensor | None = None,
    category_idxs: Tensor | None = None,
    categories: Sequence[int] | None = None,
    top_k: int | None = None,
) -> Tensor:
    """Indices of the boxes that are left where of those that overlap only the best is kept.

    boxes: [N,4], floating, corners x1, y1, x2, y2, the best first unless there are scores. Two
    overlap if the area they share is more than iou_threshold of what they cover. scores: [N]; the
    best comes first in the result. category_idxs: [N], integers; boxes of different categories
    never overlap, and only those of `categories` are kept, at most top_k in all.
    Returns [K], int64. Raises ShapeError, DTypeError, ArgumentError. Source: Girshick et al. 2014,
    arXiv 1311.2524, section 2.2.

    >>> boxes = twinoar.to_tensor([[0.0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30]])
    >>> nms(boxes, 0.5, twinoar.to_tensor([0.5, 0.9, 0.7])).tolist()
    [1, 2]
    """
    if scores is None:
        if category_idxs is not None:
            raise ArgumentError("category_idxs needs scores", cure="give scores as well")
        return nms_op(boxes, iou_threshold=iou_threshold)
    order = argsort(scores, descending=True)
    best = gather_op(boxes, order)
    if category_idxs is None:
        return gather_op(order, nms_op(best, iou_threshold=iou_threshold))
    if categories is None:
        raise ArgumentError("category_idxs needs categories", cure="give the categories to keep")
    group = gather_op(category_idxs, order)
    kept = gather_op(order, nms_op(best, group, iou_threshold, tuple(categories)))
    return kept if top_k is None else kept[:top_k]
