"""Regions proposed by a network, made of scores and codes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import int32
from twinoar.core.op.declare import Desc, Spec, Tensor, function, primitive
from twinoar.ops.vision._overlap import overlap

LARGEST_GROWTH = math.log(1000 / 16)  # of a side, as a logarithm


def _some(*shape: Any) -> Any:
    return (None, *shape)  # the data decides


@primitive(
    name="generate_proposals",
    infer=lambda scores, bbox_deltas, img_size, anchors, variances, **attrs: (
        Spec(_some(4), scores.dtype),
        Spec(_some(1), scores.dtype),
        Spec((scores.shape[0],), int32),
    ),
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


@generate_proposals_op.kernel
def _(scores, bbox_deltas, img_size, anchors, variances, pre_nms_top_n, post_nms_top_n, **rest):
    offset = 1.0 if rest["pixel_offset"] else 0.0
    anchors, variances = anchors.reshape(-1, 4), variances.reshape(-1, 4)
    rois, chances = [], []
    for score, deltas, size in zip(scores, bbox_deltas, img_size, strict=True):
        score = score.transpose(1, 2, 0).reshape(-1)
        deltas = deltas.reshape(-1, 4, *deltas.shape[1:]).transpose(2, 3, 0, 1).reshape(-1, 4)
        best = np.argsort(-score, kind="stable")
        best = best[:pre_nms_top_n] if pre_nms_top_n > 0 else best
        boxes = _moved(anchors[best], deltas[best] * variances[best], offset)
        boxes = np.clip(boxes, 0, np.tile(size[::-1] - offset, 2)).astype(scores.dtype)
        large = _large(boxes, size, rest["min_size"], offset)
        best, boxes = best[large], boxes[large]
        kept = _kept(boxes, rest["nms_thresh"], rest["eta"], offset)[:post_nms_top_n]
        rois.append(boxes[kept])
        chances.append(score[best[kept], None])
    counts = np.array([len(part) for part in rois], np.int32)
    return np.concatenate(rois), np.concatenate(chances), counts


@generate_proposals_op.samples
def _(s):
    corners = s.uniform(0, 20, 3, 4, 2, 2)
    anchors = np.concatenate([corners, corners + s.uniform(4, 12, 3, 4, 2, 2)], 3)
    codes = (s.uniform(0, 1, 2, 2, 3, 4), s.uniform(-0.3, 0.3, 2, 8, 3, 4))
    size = np.array([[24, 30], [20, 25]], "float32")
    given = (*codes, size, anchors, np.full_like(anchors, 0.5))
    yield s(*given, 20, 5, gradient=False, half=False)
    yield s(*given, 6000, 10, 0.7, 2.0, 0.9, True, gradient=False, half=False)


def _moved(anchors: np.ndarray, codes: np.ndarray, offset: float) -> np.ndarray:
    """Anchors moved by shares of their sides, and grown by factors given as logarithms."""
    sides = anchors[:, 2:] - anchors[:, :2] + offset
    middles = anchors[:, :2] + 0.5 * sides + codes[:, :2] * sides
    sides = sides * np.exp(np.minimum(codes[:, 2:], LARGEST_GROWTH))
    return np.concatenate([middles - sides / 2, middles + sides / 2 - offset], 1)


def _large(boxes: np.ndarray, size: np.ndarray, least: float, offset: float) -> np.ndarray:
    """Which boxes are large enough; with an offset, their middles must be in the image too."""
    least = max(least, 1.0)
    sides = boxes[:, 2:] - boxes[:, :2] + offset
    large = (sides >= least).all(1)
    if offset:
        large &= (boxes[:, :2] + sides / 2 <= size[::-1]).all(1)
    return large


def _kept(boxes: np.ndarray, threshold: float, eta: float, offset: float) -> list[int]:
    """Boxes that none kept before overlaps too much; eta: what lowers the threshold each time."""
    kept: list[int] = []
    for i, box in enumerate(boxes):
        if not kept or (overlap(box, boxes[kept], offset) <= threshold).all():
            kept.append(i)
            if eta < 1 and threshold > 0.5:
                threshold *= eta
    return kept


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
    kept for each image. min_size: least side, at least 1. eta: below 1, what nms_thresh is
    multiplied by at each one kept while it is above 0.5. pixel_offset: corners are numbers of
    pixels, which belong to the box. Returns rois [R,4], their scores [R,1], and with
    return_rois_num how many each image has, [N], int32, else None. No gradient.
    Source: Ren et al. 2015, arXiv 1506.01497, section 3.
    """
    rest = (pre_nms_top_n, post_nms_top_n, nms_thresh, min_size, eta, pixel_offset)
    rois, chances, counts = generate_proposals_op(
        scores, bbox_deltas, img_size, anchors, variances, *rest
    )
    return rois, chances, counts if return_rois_num else None
