"""Precision and recall of a classifier with two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.errors import ShapeError, TypeMismatchError
from twinoar.metric.metric import Metric

THRESHOLD = 0.5  # scores from here on are positive


class _Counted(Metric):
    """Counts the pairs of a predicted and a true class."""

    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = name
        self.reset()

    def update(self, preds: Any, labels: Any) -> None:
        """Take in a batch. preds: scores in 0..1, [N] or [N,1]; labels: 0 or 1, as many."""
        scores, truth = _array("preds", preds), _array("labels", labels)
        if scores.size != truth.size:
            raise ShapeError(f"expected as many labels as preds, {scores.size}, not {truth.size}")
        positive, true = scores.ravel() >= THRESHOLD, truth.ravel() == 1
        self.tp += int(np.sum(positive & true))
        self.fp += int(np.sum(positive & ~true))
        self.fn += int(np.sum(~positive & true))

    def reset(self) -> None:
        """Forget all batches."""
        self.tp = self.fp = self.fn = 0

    def name(self) -> str:
        """The name."""
        return self._name


class Precision(_Counted):
    """The share of true ones among those predicted positive: tp / (tp + fp).

    >>> precision = Precision()
    >>> precision.update(np.array([0.1, 0.5, 0.6, 0.7]), np.array([0, 1, 1, 0]))
    >>> round(precision.accumulate(), 3)
    0.667
    """

    def __init__(self, name: str = "precision", *args: Any, **kwargs: Any) -> None:
        super().__init__(name, *args, **kwargs)

    def accumulate(self) -> float:
        """The precision over all batches; 0.0 where nothing was predicted positive."""
        return _share(self.tp, self.fp)


class Recall(_Counted):
    """The share of those predicted positive among the true ones: tp / (tp + fn).

    >>> recall = Recall()
    >>> recall.update(np.array([0.1, 0.5, 0.6, 0.7]), np.array([1, 1, 1, 0]))
    >>> round(recall.accumulate(), 3)
    0.667
    """

    def __init__(self, name: str = "recall", *args: Any, **kwargs: Any) -> None:
        super().__init__(name, *args, **kwargs)

    def accumulate(self) -> float:
        """The recall over all batches; 0.0 where nothing was true."""
        return _share(self.tp, self.fn)


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else 0.0


def _array(name: str, value: Any) -> np.ndarray:
    if isinstance(value, (list, tuple, int, float)) or value is None:
        raise TypeMismatchError(
            f"expected {name} to be an ndarray or a Tensor, received {type(value).__name__}"
        )
    return np.asarray(value)
