"""The area under the curve of true over false positives, from counts that outlive a batch."""

from __future__ import annotations

from typing import Literal

import numpy as np

from twinoar.core.dtype import bool_, float64, int32, int64
from twinoar.core.loop.procedure import cast, fail, procedure
from twinoar.core.op.declare import Desc, Spec, Tensor, primitive
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.reduce._counting import blocks_of, counts_of


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
    slow_kernel=True,
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


@auc.procedure
def _(p, predict, label, positives, negatives, num_thresholds, slide_steps):
    bins = num_thresholds + 1
    at = p.scratch((predict.shape[0],), int32)
    blocks = blocks_of(at.size)
    p.launch(_placed, blocks, predict, label.reshape(-1), at, blocks, num_thresholds)
    batch = counts_of(p, at, 2 * bins).reshape(2, bins)
    new = [out.reshape(-1) for out in p.results[1:]]
    given = (positives.reshape(-1), negatives.reshape(-1), *new, batch, slide_steps)
    p.launch(_updated, 2, *given)
    p.launch(_area, 1, *new, slide_steps * bins, bins, p.results[0].reshape(1))


@procedure
def _placed(block, predict, label, at, blocks, thresholds):
    """By its score, those of positives before those of negatives."""
    n, last = predict.shape[0], predict.shape[1] - 1
    is_outside = cast(False, bool_)
    for k in range(block * n // blocks, (block + 1) * n // blocks):
        score = predict[k, last]
        is_score = (score >= 0) & (score <= 1)
        is_outside = is_outside | (not is_score)
        place = cast((score if is_score else cast(0, score)) * cast(thresholds, score), int32)
        at[k] = place if label[k] > 0 else place + cast(thresholds + 1, int32)
    if is_outside:  # which is told when all places are written: counting goes on
        fail()


@procedure
def _updated(row, positives, negatives, new_positives, new_negatives, batch, steps):
    """Counts of all examples: of positives, and of negatives in the second row."""
    if row == 0:
        _added(positives, new_positives, batch, 0, steps)
    else:
        _added(negatives, new_negatives, batch, 1, steps)


@procedure
def _added(counts, new, batch, which, steps):
    bins = batch.shape[1]
    for k in range(counts.shape[0]):
        new[k] = counts[k]
    oldest = cast(0, int64)
    if steps > 0:
        last = counts.shape[0] - 1
        oldest = cast(counts[last], int64) % steps * bins
        new[last] += 1
    for k in range(bins):
        found = cast(batch[which, k], new)
        if steps > 0:
            found -= new[oldest + k]
            new[oldest + k] = cast(batch[which, k], new)
        new[steps * bins + k] += found


@procedure
def _area(row, positives, negatives, start, bins, out):
    """By trapezoids, from the highest score on."""
    found = cast(0, int64)
    false = cast(0, int64)
    area = cast(0, int64)
    for k in range(bins):
        at = start + bins - 1 - k
        more, wrong = cast(positives[at], int64), cast(negatives[at], int64)
        area += wrong * (2 * found + more)
        found += more
        false += wrong
    out[row] = cast(0, out)
    if found != 0 and false != 0:
        out[row] = cast(area, out) / 2 / cast(found, out) / cast(false, out)


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
