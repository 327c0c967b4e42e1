"""Regions proposed by a network, made of scores and codes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY, bool_, int32
from twinoar.core.loop.procedure import cast, procedure
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.along_axis import take_along_axis_op
from twinoar.ops.index.gather import gather_op
from twinoar.ops.math.cast import astype
from twinoar.ops.math.compare import equal, greater_equal, isnan, less_equal
from twinoar.ops.math.exponential import exp
from twinoar.ops.math.logical import logical_and, logical_not, logical_or
from twinoar.ops.math.select import maximum, minimum, select
from twinoar.ops.reduce.reduction import all_op, any_op, sum_op
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import reshape_op, transpose_op, unsqueeze_op
from twinoar.ops.vision._best import best_first, chosen_rows, slices_at
from twinoar.ops.vision._overlap import corners_of, measured, overlap, share_of

LARGEST_GROWTH = math.log(1000 / 16)  # of a side, as a logarithm
FEW = 32  # boxes that NumPy's kernel is through with before a compiled one would pay


def _as_mask(boxes: Spec, mask: Spec, **attrs: object) -> Spec:
    if not may_equal(boxes.shape, (*mask.shape, 4)):
        raise ShapeError(f"boxes must be [*,4] for a mask [*], received {boxes} and {mask}")
    if mask.dtype is not bool_ or not boxes.dtype.is_floating:
        raise DTypeError(f"expected floating boxes and a mask, received {boxes} and {mask}")
    return mask


@primitive(slow_kernel=True, infer=_as_mask, compiled_from=4 * FEW)
def kept_boxes(
    boxes: Tensor, mask: Tensor, threshold: float, eta: float, offset: float, most: int
) -> Tensor:
    """Which boxes of a line no earlier one that is kept overlaps by too much: [B,N], bool.

    boxes: [B,N,4]. mask: [B,N], of the boxes that may be kept. eta: below 1, what the threshold is
    multiplied by at each one kept while it is above 0.5. most: how many of a line are kept; all
    that may where it is not above 0.
    """


@kept_boxes.kernel
def _(boxes, mask, threshold, eta, offset, most):
    if boxes.ndim != 3 or boxes.shape != (*mask.shape, 4) or mask.dtype != np.bool_:
        raise IndexError
    boxes = boxes.astype(measured(BY_NUMPY[boxes.dtype]).numpy)
    out = np.zeros_like(mask)
    for line in range(len(boxes)):
        share = np.array(threshold, boxes.dtype)
        kept: list[int] = []
        for i in np.flatnonzero(mask[line]).tolist():
            if 0 < most == len(kept):
                break
            if (overlap(boxes[line, i], boxes[line, kept], offset) <= share).all():
                kept.append(i)
                if eta < 1 and share > 0.5:
                    share = share * np.array(eta, boxes.dtype)
        out[line, kept] = True
    return out


@kept_boxes.procedure
def _(p, boxes, mask, threshold, eta, offset, most):
    lines, n, _ = boxes.shape
    corners = corners_of(p, boxes, float(offset))
    numbers = float(threshold), float(eta), float(offset), most if most > 0 else n
    p.launch(_kept, lines, corners, mask, *numbers, p.results[0], work=lines * n * n // 4,
             adapts=eta < 1)  # fmt: skip


@procedure
def _kept(line, corners, mask, threshold, eta, offset, most, out, *, adapts):
    """The corners of boxes that are kept move to the front of their line."""
    share, more = cast(threshold, corners), cast(offset, corners)
    count = 0
    for i in range(mask.shape[1]):
        stays = mask[line, i]
        if stays:
            stays = stays & (count < most)
        start = 0
        while stays and start < count:
            stop = min(start + 64, count)
            for k in range(start, stop):
                stays = stays & (share_of(corners, line, i, k, more) <= share)
            start = stop
        out[line, i] = stays
        if stays:
            for side in (0, 1, 2, 3, 4):
                corners[line, side, count] = corners[line, side, i]
            count += 1
            if adapts and share > 0.5:
                share = share * cast(eta, corners)


@kept_boxes.samples
def _(s):
    corners = s.uniform(0, 10, 2, 9, 2)
    boxes = np.concatenate([corners, corners + s.uniform(4, 9, 2, 9, 2)], 2)
    mask = s.bools(2, 9)
    yield s(boxes, mask, 0.3, 1.0, 0.0, 9, gradient=False, half=False)
    yield s(boxes, mask, 0.7, 0.9, 1.0, 3, gradient=False, half=False)
    yield s(boxes, mask, 0.7, 1.0, 1.0, -1, gradient=False, half=False)
    yield s.bad(ShapeError, "boxes must be [*,4]", boxes[0], mask, 0.3, 1.0, 0.0, 9)
    yield s.bad(DTypeError, "and a mask", boxes, s.randn(2, 9), 0.3, 1.0, 0.0, 9)


def _specs(
    scores: Spec, deltas: Spec, size: Spec, anchors: Spec, variances: Spec, **attrs: object
) -> tuple[Spec, ...]:
    if scores.ndim != 4 or deltas.ndim != 4 or size.ndim != 2:
        raise ShapeError(
            f"scores must be [N,A,H,W], bbox_deltas [N,4A,H,W], img_size [N,2], received "
            f"{scores}, {deltas}, {size}"
        )
    if not scores.dtype.is_floating:
        raise DTypeError(f"scores must be floating, received {scores}")
    some: Any = None  # the data decides
    dtype = scores.dtype
    return Spec((some, 4), dtype), Spec((some, 1), dtype), Spec(scores.shape[:1], int32)


@op(
    name="generate_proposals",
    infer=_specs,
    desc=Desc(
        "generate_proposals_v2",
        {
            "Scores": "scores",
            "BboxDeltas": "bbox_deltas",
            "ImShape": "img_size",
            "Anchors": "anchors",
            "Variances": "variances",
        },
        outputs=("RpnRois", "RpnRoiProbs", "RpnRoisNum"),
        attrs={
            "pre_nms_topN": "pre_nms_top_n",
            "post_nms_topN": "post_nms_top_n",
            "nms_thresh": "nms_thresh",
            "min_size": "min_size",
            "eta": "eta",
            "pixel_offset": "pixel_offset",
        },
    ),
)
def generate_proposals_op(
    scores: Tensor,
    bbox_deltas: Tensor,
    img_size: Tensor,
    anchors: Tensor,
    variances: Tensor,
    pre_nms_top_n: int = 6000,
    post_nms_top_n: int = 1000,
    nms_thresh: float = 0.5,
    min_size: float = 0.1,
    eta: float = 1.0,
    pixel_offset: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """Proposals, their scores, and how many each image has."""
    _specs(*(x.spec for x in (scores, bbox_deltas, img_size, anchors, variances)))
    n, a, h, w = scores.spec.shape
    offset = 1.0 if pixel_offset else 0.0
    chances = reshape_op(transpose_op(scores, (0, 2, 3, 1)), (n, h * w * a))
    codes = transpose_op(reshape_op(bbox_deltas, (n, a, 4, h, w)), (0, 3, 4, 1, 2))
    ranked = select(isnan(chances), -math.inf, chances)
    order = best_first(ranked, pre_nms_top_n)[1]  # [N,K]
    places = reshape_op(order, (-1,))
    own, factors = (
        reshape_op(gather_op(reshape_op(x, (-1, 4)), places), (*order.spec.shape, 4))
        for x in (anchors, variances)
    )
    codes = slices_at(reshape_op(codes, (n, h * w * a, 4)), order) * factors
    sides = img_size[:, 1:2], img_size[:, 0:1]  # width, height
    size = unsqueeze_op(concat_op((*sides, *sides), 1), (1,))
    boxes = minimum(maximum(_moved(own, codes, offset), 0.0), size - offset)
    boxes = astype(boxes, scores.dtype)
    kept = _large(boxes, size, min_size, offset)
    if nms_thresh > 0:
        kept = kept_boxes(boxes, kept, nms_thresh, eta, offset, post_nms_top_n)
    return _shown(boxes, take_along_axis_op(chances, order, 1), kept)


def _moved(anchors: Tensor, codes: Tensor, offset: float) -> Tensor:
    """Anchors moved by shares of their sides, and grown by factors given as logarithms."""
    sides = anchors[..., 2:] - anchors[..., :2] + offset
    middles = anchors[..., :2] + 0.5 * sides + codes[..., :2] * sides
    half = sides * exp(minimum(codes[..., 2:], LARGEST_GROWTH)) / 2
    return concat_op((middles - half, middles + half - offset), -1)


def _large(boxes: Tensor, size: Tensor, least: float, offset: float) -> Tensor:
    """Which boxes are large enough; with an offset, their middles must be in the image too."""
    sides = boxes[..., 2:] - boxes[..., :2] + offset
    large = greater_equal(sides, max(least, 1.0))
    if offset:
        large = logical_and(large, less_equal(boxes[..., :2] + sides / 2, size[..., :2]))
    return all_op(large, (2,))


def _shown(boxes: Tensor, chances: Tensor, kept: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The rows that are kept; an image without any has a box of zeros, so that each has one."""
    is_first = equal(iota(kept.spec.shape[1]), 0)
    lacks = logical_not(any_op(kept, (1,), True))
    mask = logical_or(kept, logical_and(is_first, lacks))
    rois, found = (
        chosen_rows(select(unsqueeze_op(kept, (2,)), x, 0.0), mask)
        for x in (boxes, unsqueeze_op(chances, (2,)))
    )
    return rois, found, astype(sum_op(astype(mask, int32), (1,)), int32)


@generate_proposals_op.samples
def _(s):
    corners = s.uniform(0, 20, 3, 4, 2, 2)
    anchors = np.concatenate([corners, corners + s.uniform(4, 12, 3, 4, 2, 2)], 3)
    codes = (s.uniform(0, 1, 2, 2, 3, 4), s.uniform(-0.3, 0.3, 2, 8, 3, 4))
    size = np.array([[24, 30], [20, 25]], "float32")
    given = (*codes, size, anchors, np.full_like(anchors, 0.5))
    yield s(*given, 20, 5, gradient=False, half=False)
    yield s(*given, 6000, 10, 0.7, 2.0, 0.9, True, gradient=False, half=False)
    yield s(*given, -1, -1, 0.0, 30.0, gradient=False, half=False)
    yield s.bad(ShapeError, "img_size [N,2]", *codes, size[0], *given[3:])
    yield s.bad(DTypeError, "must be floating", s.ints(0, 9, 2, 2, 3, 4), *given[1:])


@function
def generate_proposals(
    scores: Tensor,
    bbox_deltas: Tensor,
    img_size: Tensor,
    anchors: Tensor,
    variances: Tensor,
    pre_nms_top_n: int = 6000,
    post_nms_top_n: int = 1000,
    nms_thresh: float = 0.5,
    min_size: float = 0.1,
    eta: float = 1.0,
    pixel_offset: bool = False,
    return_rois_num: bool = False,
) -> Any:
    """The best regions that a network proposes, of those that overlap the best one.

    scores: [N,A,H,W]. bbox_deltas: [N,4A,H,W], relative to anchors. img_size: [N,2], height and
    width. anchors, variances: [H,W,A,4]. pre_nms_top_n, post_nms_top_n: how many are looked at and
    kept for each image, all where it is not above 0. nms_thresh: not above 0, all that are large
    enough are kept. min_size: least side, at least 1. eta: below 1, what nms_thresh is
    multiplied by at each one kept while it is above 0.5. pixel_offset: corners are numbers of
    pixels, which belong to the box. Returns rois [R,4], their scores [R,1], and with
    return_rois_num how many each image has, [N], int32, else None: one of zeros where none is
    kept. No gradient. Raises ShapeError, DTypeError.
    Source: Ren et al. 2015, arXiv 1506.01497, section 3.
    """
    rest = (pre_nms_top_n, post_nms_top_n, nms_thresh, min_size, eta, pixel_offset)
    rois, chances, counts = generate_proposals_op(
        scores, bbox_deltas, img_size, anchors, variances, *rest
    )
    return rois, chances, counts if return_rois_num else None
