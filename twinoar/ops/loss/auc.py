"""The area under the curve of true over false positives, from counts that outlive a batch."""

from __future__ import annotations

from typing import Literal

import numpy as np

from twinoar.core.dtype import float64
from twinoar.core.op.declare import Desc, Spec, Tensor, primitive
from twinoar.errors import ArgumentError, ShapeError


def counts_shape(num_thresholds: int, slide_steps: int) -> tuple[int, ...]:
    """The shape of a buffer of counts: one row, or with slide_steps what the operator says."""
    bins = num_thresholds + 1
    return ((1 + slide_steps) * bins + 1,) if slide_steps else (1, bins)


def _infer(
    predict: Spec,
    label: Spec,
    positives: Spec,
    negatives: Spec,
    curve: str,
    num_thresholds: int,
    slide_steps: int,
) -> tuple[Spec, Spec, Spec]:
    if predict.ndim != 2 or label.ndim not in (1, 2):
        raise ShapeError(f"expected scores [N,C] and labels [N,1], received {predict} and {label}")
    expected = counts_shape(num_thresholds, slide_steps)
    for counts in (positives, negatives):
        if counts.shape != expected:
            raise ShapeError(f"expected counts {list(expected)}, received {counts}")
    return Spec((), float64), positives, negatives


@primitive(
    infer=_infer,
    grad=lambda: (None, None, None, None),
    desc=Desc(
        "auc",
        {"Predict": "predict", "Label": "label", "StatPos": "positives", "StatNeg": "negatives"},
        outputs=("AUC", "StatPosOut", "StatNegOut"),
        attrs={
            "curve": "curve", "num_thresholds": "num_thresholds", "slide_steps": "slide_steps",
        },
    ),
)  # fmt: skip
def auc(
    predict: Tensor,
    label: Tensor,
    positives: Tensor,
    negatives: Tensor,
    curve: Literal["ROC", "PR"] = "ROC",
    num_thresholds: int = 4095,
    slide_steps: int = 0,
) -> tuple[Tensor, Tensor, Tensor]:
    """The area under the receiver operating characteristic, and the counts with this batch.

    predict: scores of the classes, in 0..1, [N,C]; those of the last class count. label: 0, or more
    for that class, [N,1]. positives, negatives: examples by score, int64, [1,num_thresholds+1];
    with slide_steps, those of as many batches one after the other, their sum, and the number of
    batches. curve: with "PR", Paddle gives the same area. Returns the area [], float64, 0 where
    there is but one class, and the new counts. Raises ArgumentError for scores outside 0..1.
    """


@auc.kernel
def _(predict, label, positives, negatives, curve, num_thresholds, slide_steps):
    scores = predict[:, -1]
    if not np.all((scores >= 0) & (scores <= 1)):
        raise ArgumentError("expected scores from 0 to 1", cure="softmax or sigmoid first")
    bins = (scores * num_thresholds).astype(np.int64)
    is_positive = label.reshape(-1) > 0
    both = [
        _counted(counts, np.bincount(bins[chosen], minlength=num_thresholds + 1), slide_steps)
        for counts, chosen in ((positives, is_positive), (negatives, ~is_positive))
    ]
    (all_positives, new_positives), (all_negatives, new_negatives) = both
    return np.asarray(area_under_curve(all_positives, all_negatives)), new_positives, new_negatives


def _counted(
    counts: np.ndarray, batch: np.ndarray, slide_steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """All examples by score, and the new counts."""
    new = counts.copy()
    if not slide_steps:
        new[0] += batch
        return new[0], new
    rows = new[:-1].reshape(slide_steps + 1, -1)
    oldest = new[-1] % slide_steps
    rows[-1] += batch - rows[oldest]
    rows[oldest] = batch
    new[-1] += 1
    return rows[-1], new


def area_under_curve(positives: np.ndarray, negatives: np.ndarray) -> float:
    """The area, by trapezoids, of examples counted by score; 0.0 where there is but one class."""
    found = np.concatenate([[0], np.cumsum(positives[::-1])])
    false = np.concatenate([[0], np.cumsum(negatives[::-1])])
    if not found[-1] or not false[-1]:
        return 0.0
    area = np.sum(np.diff(false) * (found[1:] + found[:-1])) / 2
    return float(area / found[-1] / false[-1])


@auc.samples
def _(s):
    scores, labels = s.uniform(0, 1, 6, 2), np.array([[0], [1], [1], [0], [1], [0]])
    for steps in (0, 1, 2):
        counts = np.zeros(counts_shape(9, steps), np.int64)
        yield s(scores, labels, counts, counts, num_thresholds=9, slide_steps=steps)
    counts = np.zeros((1, 10), np.int64)
    yield s(scores, labels.reshape(-1), counts, counts, curve="PR", num_thresholds=9)
    yield s.bad(ShapeError, "expected counts", scores, labels, counts, counts)
    yield s.bad(
        ArgumentError, "from 0 to 1", scores + 1, labels, counts, counts, num_thresholds=9,
        static_error=False,
    )  # fmt: skip
