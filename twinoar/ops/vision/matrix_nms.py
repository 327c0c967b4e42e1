"""Boxes that overlap, with lower scores in place of being left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dtype import int32
from twinoar.core.op.declare import Desc, Spec, Tensor, function, primitive
from twinoar.errors import ShapeError
from twinoar.ops.vision.nms import overlap

ATTRS = (
    *("score_threshold", "post_threshold", "nms_top_k", "keep_top_k"),
    *("use_gaussian", "gaussian_sigma", "background_label", "normalized"),
)


def _rows(bboxes: Spec, scores: Spec, **attrs: object) -> tuple[Spec, ...]:
    if bboxes.ndim != 3 or bboxes.shape[2] != 4 or scores.ndim != 3:
        raise ShapeError(f"bboxes must be [N,M,4] and scores [N,C,M], received {bboxes}, {scores}")
    some: Any = None  # the data decides
    dtype = bboxes.dtype
    return Spec((some, 6), dtype), Spec((some, 1), int32), Spec(bboxes.shape[:1], int32)


@primitive(
    name="matrix_nms",
    infer=_rows,
    desc=Desc(
        "matrix_nms",
        {"BBoxes": "bboxes", "Scores": "scores"},
        outputs=("Out", "Index", "RoisNum"),
        attrs={name: name for name in ATTRS},
    ),
)
def matrix_nms_op(
    bboxes: Tensor,
    scores: Tensor,
    score_threshold: float,
    post_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    use_gaussian: bool = False,
    gaussian_sigma: float = 2.0,
    background_label: int = 0,
    normalized: bool = True,
) -> tuple[Tensor, Tensor, Tensor]:
    """Class, score and box of each that is left; which it was; how many each image has."""


@matrix_nms_op.kernel
def _(bboxes, scores, score_threshold, post_threshold, nms_top_k, keep_top_k, **rest):
    rows, indices, counts = [np.zeros((0, 6))], [np.zeros(0, int)], []
    sigma = rest["gaussian_sigma"] if rest["use_gaussian"] else None
    offset = 0.0 if rest["normalized"] else 1.0
    for image, (boxes, classes) in enumerate(zip(bboxes, scores, strict=True)):
        found = [(np.zeros((0, 6)), np.zeros(0, int))]
        for label, score in enumerate(classes):
            if label == rest["background_label"]:
                continue
            best = np.argsort(-score, kind="stable")
            best = best[score[best] > score_threshold][: nms_top_k if nms_top_k > 0 else None]
            lowered = score[best] * _decay(boxes[best], sigma, offset)
            kept = lowered > post_threshold
            best, lowered = best[kept], lowered[kept]
            labels = np.full(len(best), label)
            found.append((np.column_stack([labels, lowered, boxes[best]]), best))
        table, which = (np.concatenate(part) for part in zip(*found, strict=True))
        order = np.argsort(-table[:, 1], kind="stable")[: keep_top_k if keep_top_k > 0 else None]
        rows.append(table[order])
        indices.append(which[order] + image * len(boxes))
        counts.append(len(order))
    index = np.concatenate(indices).astype(np.int32)[:, None]
    return np.concatenate(rows).astype(bboxes.dtype), index, np.array(counts, np.int32)


@matrix_nms_op.samples
def _(s):
    corners = s.uniform(0, 10, 2, 6, 2)
    boxes = np.concatenate([corners, corners + s.uniform(4, 9, 2, 6, 2)], 2)
    scores = s.uniform(0, 1, 2, 3, 6)
    yield s(boxes, scores, 0.1, 0.05, 5, 8, gradient=False, half=False)
    yield s(boxes, scores, 0.1, 0.1, -1, -1, True, 2.0, 1, False, gradient=False, half=False)
    yield s(boxes, scores, 2.0, 0.1, -1, -1, gradient=False, half=False)
    yield s.bad(ShapeError, "bboxes must be [N,M,4]", boxes[0], scores, 0.1, 0.1, 5, 5)


def _decay(boxes: np.ndarray, sigma: float | None, offset: float) -> np.ndarray:
    """Factors of the scores of boxes, the best first: equation 4 of the paper."""
    if not len(boxes):
        return np.ones(0)
    shares = np.triu(overlap(boxes, boxes, offset), 1)  # better, worse
    most = shares.max(0)[:, None]  # how much each better one is itself overlapped
    if sigma is None:
        factors = (1 - shares) / (1 - most)
    else:
        factors = np.exp((most**2 - shares**2) * sigma)
    return np.where(np.triu(np.ones_like(shares), 1) > 0, factors, 1).min(0)


@function
def matrix_nms(
    bboxes: Tensor,
    scores: Tensor,
    score_threshold: float,
    post_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    use_gaussian: bool = False,
    gaussian_sigma: float = 2.0,
    background_label: int = 0,
    normalized: bool = True,
    return_index: bool = False,
    return_rois_num: bool = True,
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """Boxes with scores that are lower the more better ones of the same class overlap them.

    bboxes: [N,M,4], corners. scores: [N,C,M]. score_threshold, post_threshold: what scores must be
    above, before and after. nms_top_k, keep_top_k: how many of a class are looked at and how many
    of an image kept, -1 for all. use_gaussian, gaussian_sigma: how scores fall. background_label:
    a class to leave out, -1 for none. normalized: corners are places, not numbers of pixels, which
    would belong to the box. Returns rows of class, score and box [K,6]; how many of each image
    [N], int32, or None; and places among the N M boxes, [K,1], int32, or None. No gradient. Raises
    ShapeError. Source: Wang et al. 2020, arXiv 2003.10152, section 3.3.
    """
    rest = (score_threshold, post_threshold, nms_top_k, keep_top_k)
    more = (use_gaussian, gaussian_sigma, background_label, normalized)
    rows, index, counts = matrix_nms_op(bboxes, scores, *rest, *more)
    return rows, counts if return_rois_num else None, index if return_index else None
