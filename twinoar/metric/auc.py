"""Auc: the area under the ROC curve of a classifier with two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.metric.metric import Metric
from twinoar.ops.loss.auc import area_under_curve


class Auc(Metric):
    """The area under the receiver operating characteristic, from a histogram of the scores.

    curve: "ROC", the only one (Paddle accepts "PR" and gives the same area). num_thresholds:
    steps of the histogram. Raises UnsupportedError for another curve.

    >>> auc = Auc()
    >>> auc.update(np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), np.array([[0], [1], [1]]))
    >>> auc.accumulate()
    1.0
    """

    def __init__(
        self,
        curve: str = "ROC",
        num_thresholds: int = 4095,
        name: str = "auc",
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if curve != "ROC":
            raise UnsupportedError(f"expected curve 'ROC', received {curve!r}")
        self._steps, self._name = num_thresholds, name
        self.reset()

    def update(self, preds: Any, labels: Any) -> None:
        """Take in a batch. preds: [N,2], the scores of the classes 0 and 1, in 0..1; labels: 0 or
        1, [N] or [N,1]."""
        scores, truth = np.asarray(preds), np.asarray(labels).ravel()
        if scores.ndim != 2 or scores.shape[1] != 2 or len(scores) != len(truth):
            raise ShapeError(
                f"expected preds [N,2] and N labels, received preds {list(scores.shape)} "
                f"and {len(truth)} labels"
            )
        positive = scores[:, 1]
        if positive.size and not (positive.min() >= 0 and positive.max() <= 1):
            raise ArgumentError("expected scores from 0 to 1", cure="softmax or sigmoid first")
        steps = (positive * self._steps).astype(np.int64)
        self._positives += np.bincount(steps[truth == 1], minlength=self._steps + 1)
        self._negatives += np.bincount(steps[truth != 1], minlength=self._steps + 1)

    def reset(self) -> None:
        """Forget all batches."""
        self._positives = np.zeros(self._steps + 1, np.int64)
        self._negatives = np.zeros(self._steps + 1, np.int64)

    def accumulate(self) -> float:
        """The area over all batches; 0.0 where there is but one class."""
        return area_under_curve(self._positives, self._negatives)

    def name(self) -> str:
        """The name."""
        return self._name
