"""Boxes that overlap, with lower scores in place of being left out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.core.dtype import BY_NUMPY, int32
from twinoar.core.loop import language as loop
from twinoar.core.loop.procedure import cast, procedure
from twinoar.core.op.declare import Desc, Spec, Tensor, function, op, primitive
from twinoar.core.spec import may_equal
from twinoar.errors import DTypeError, ShapeError
from twinoar.ops.create.range import iota
from twinoar.ops.index.along_axis import take_along_axis_op
from twinoar.ops.math.cast import astype, broadcast_to
from twinoar.ops.math.compare import greater_than, not_equal
from twinoar.ops.math.logical import logical_and
from twinoar.ops.math.select import select
from twinoar.ops.reduce.reduction import sum_op
from twinoar.ops.shape.concat import concat_op
from twinoar.ops.shape.reshape import reshape_op, unsqueeze_op
from twinoar.ops.vision._best import best_first, chosen_rows, slices_at
from twinoar.ops.vision._overlap import corners_of, measured, overlap, share_of

ATTRS = (
    *("score_threshold", "post_threshold", "nms_top_k", "keep_top_k"),
    *("use_gaussian", "gaussian_sigma", "background_label", "normalized"),
)


def _as_scores(boxes: Spec, scores: Spec, **attrs: object) -> Spec:
    if not may_equal(boxes.shape, (*scores.shape, 4)):
        raise ShapeError(f"boxes must be [*,4] for scores [*], received {boxes} and {scores}")
    if not boxes.dtype.is_floating or scores.dtype is not boxes.dtype:
        raise DTypeError(f"boxes and scores must be of one dtype, received {boxes} and {scores}")
    return scores


@primitive(slow_kernel=True, infer=_as_scores)
def lowered_scores(
    boxes: Tensor, scores: Tensor, sigma: float | None = None, offset: float = 0.0
) -> Tensor:
    """Scores that are lower the more better boxes of their line overlap them: [B,K].

    boxes: [B,K,4]. scores: [B,K], falling along each line, and -inf behind its last box, as are
    the results. sigma: of a Gaussian in place of a line. offset: see `overlap`.
    """


@lowered_scores.kernel
def _(boxes, scores, sigma, offset):
    if boxes.ndim != 3 or boxes.shape != (*scores.shape, 4) or boxes.dtype != scores.dtype:
        raise IndexError
    boxes = boxes.astype(measured(BY_NUMPY[boxes.dtype]).numpy)
    out = np.full_like(scores, -np.inf)
    for line, here in enumerate(scores > -np.inf):
        n = len(here) if here.all() else here.argmin()
        out[line, :n] = scores[line, :n] * _decay(boxes[line, :n], sigma, offset)
    return out


def _decay(boxes: np.ndarray, sigma: float | None, offset: float) -> np.ndarray:
    """Factors of the scores of boxes, the best first: equation 4 of the paper."""
    if not len(boxes):
        return np.ones(0, boxes.dtype)
    shares = np.triu(overlap(boxes, boxes, offset), 1)  # better, worse
    most = shares.max(0)[:, None]  # how much each better one is itself overlapped
    is_better = np.triu(np.ones_like(shares), 1) > 0
    if sigma is None:
        with np.errstate(all="ignore"):  # of boxes that are the same
            factors = (1 - shares) / (1 - most)
        return np.asarray(np.fmin.reduce(np.where(is_better, factors, 1), 0))
    return np.exp(np.where(is_better, (most**2 - shares**2) * sigma, 0).min(0))


@lowered_scores.procedure
def _(p, boxes, scores, sigma, offset):
    lines, n = scores.shape
    corners = corners_of(p, boxes, float(offset))
    most, least = (p.scratch((lines, n), corners.dtype) for _ in range(2))
    given = (corners, scores, most, least, float(sigma or 0.0), float(offset), p.results[0])
    p.launch(_lowered, lines, *given, work=2 * lines * n * n, is_gaussian=sigma is not None)


@procedure
def _lowered(line, corners, scores, most, least, sigma, offset, out, *, is_gaussian):
    """most: by how much better boxes overlap each. least: its factor, or the exponent of that."""
    n = 0
    more, sharpness = cast(offset, corners), cast(sigma, corners)
    while n < scores.shape[1] and scores[line, n] > -math.inf:
        most[line, n] = cast(0.0, most)
        least[line, n] = cast(0.0 if is_gaussian else 1.0, least)
        n += 1
    for i in range(n):
        own = most[line, i]
        for k in range(i + 1, n):
            share = share_of(corners, line, i, k, more)
            if is_gaussian:
                factor = (own * own - share * share) * sharpness
            else:
                factor = (1.0 - share) / (1.0 - own)
            most[line, k] = max(most[line, k], share)
            least[line, k] = factor if factor < least[line, k] else least[line, k]
    for k in range(n):
        factor = loop.exp(least[line, k]) if is_gaussian else least[line, k]
        out[line, k] = cast(cast(scores[line, k], corners) * factor, out)
    for k in range(n, scores.shape[1]):
        out[line, k] = cast(-math.inf, out)


@lowered_scores.samples
def _(s):
    corners = s.uniform(0, 10, 2, 6, 2)
    boxes = np.concatenate([corners, corners + s.uniform(4, 9, 2, 6, 2)], 2)
    scores = -np.sort(-s.uniform(0, 1, 2, 6), 1)
    scores[1, 4:] = -np.inf
    yield s(boxes, scores, gradient=False, half=False)
    yield s(boxes, scores, 2.0, 1.0, gradient=False, half=False)
    yield s.bad(ShapeError, "boxes must be [*,4]", boxes[0], scores)
    yield s.bad(DTypeError, "of one dtype", boxes, scores.astype("float64"))


def _rows(bboxes: Spec, scores: Spec, **attrs: object) -> tuple[Spec, ...]:
    if bboxes.ndim != 3 or bboxes.shape[2] != 4 or scores.ndim != 3:
        raise ShapeError(f"bboxes must be [N,M,4] and scores [N,C,M], received {bboxes}, {scores}")
    if not bboxes.dtype.is_floating or scores.dtype is not bboxes.dtype:
        raise DTypeError(f"bboxes and scores must be of one dtype, received {bboxes}, {scores}")
    some: Any = None  # the data decides
    dtype = bboxes.dtype
    return Spec((some, 6), dtype), Spec((some, 1), int32), Spec(bboxes.shape[:1], int32)


@op(
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
    _rows(bboxes.spec, scores.spec)
    chances, order, labels = _candidates(scores, score_threshold, nms_top_k, background_label)
    (n, m), (_, c, k) = bboxes.spec.shape[:2], chances.spec.shape
    boxes = slices_at(bboxes, order)  # [N,CK,4]
    lines = reshape_op(boxes, (n * c, k, 4)), reshape_op(chances, (n * c, k))
    sigma, offset = gaussian_sigma if use_gaussian else None, 0.0 if normalized else 1.0
    lowered = reshape_op(lowered_scores(*lines, sigma, offset), (n, c * k))
    lowered = select(greater_than(lowered, post_threshold), lowered, -math.inf)
    values, places = best_first(lowered, keep_top_k)  # [N,J]
    is_left = greater_than(values, -math.inf)
    columns = (astype(labels, bboxes.dtype), lowered)
    table = concat_op((*(unsqueeze_op(x, (2,)) for x in columns), boxes), 2)
    numbers = take_along_axis_op(reshape_op(iota(n * m, int32), (n, m)), order, 1)
    rows = chosen_rows(slices_at(table, places), is_left)
    index = chosen_rows(slices_at(unsqueeze_op(numbers, (2,)), places), is_left)
    return rows, index, astype(sum_op(astype(is_left, int32), (1,)), int32)


def _candidates(
    scores: Tensor, threshold: float, count: int, background: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The best of each class: scores [N,C,K], -inf for none, boxes [N,CK] and classes [N,CK]."""
    classes = iota(scores.spec.shape[1])
    is_wanted = unsqueeze_op(not_equal(classes, background), (1,))
    is_wanted = logical_and(greater_than(scores, threshold), is_wanted)
    chances, order = best_first(select(is_wanted, scores, -math.inf), count)
    n, c, k = chances.spec.shape
    labels = broadcast_to(reshape_op(classes, (1, c, 1)), (n, c, k))
    return chances, reshape_op(order, (n, c * k)), reshape_op(labels, (n, c * k))


@matrix_nms_op.samples
def _(s):
    corners = s.uniform(0, 10, 2, 6, 2)
    boxes = np.concatenate([corners, corners + s.uniform(4, 9, 2, 6, 2)], 2)
    scores = s.uniform(0, 1, 2, 3, 6)
    yield s(boxes, scores, 0.1, 0.05, 5, 8, gradient=False, half=False)
    yield s(boxes, scores, 0.1, 0.1, -1, -1, True, 2.0, 1, False, gradient=False, half=False)
    yield s(boxes, scores, 2.0, 0.1, -1, -1, gradient=False, half=False)
    yield s(boxes[:0], scores[:0], 0.1, 0.1, 5, 5, gradient=False, half=False)
    yield s(boxes[:, :0], scores[:, :, :0], 0.1, 0.1, 5, 5, gradient=False, half=False)
    yield s.bad(ShapeError, "bboxes must be [N,M,4]", boxes[0], scores, 0.1, 0.1, 5, 5)
    yield s.bad(DTypeError, "one dtype", boxes, scores.astype("float64"), 0.1, 0.1, 5, 5)


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
    ShapeError, DTypeError. Source: Wang et al. 2020, arXiv 2003.10152, section 3.3.
    """
    rest = (score_threshold, post_threshold, nms_top_k, keep_top_k)
    more = (use_gaussian, gaussian_sigma, background_label, normalized)
    rows, index, counts = matrix_nms_op(bboxes, scores, *rest, *more)
    return rows, counts if return_rois_num else None, index if return_index else None
