"""Accuracy: the share of samples whose label is among the k highest scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.metric.metric import Metric
from twinoar.ops.index.sort import topk
from twinoar.ops.math.cast import cast
from twinoar.ops.math.compare import equal
from twinoar.ops.reduce.extreme import argmax
from twinoar.ops.shape.reshape import unsqueeze


class Accuracy(Metric):
    """Top-k accuracy, for one k or several.

    topk: the values of k. name: prefix of the names; "acc" by default. With several k, `update`
    and `accumulate` give lists, and the names are `acc_top1`, `acc_top5`.

    >>> accuracy = Accuracy()
    >>> scores = Tensor(np.array([[0.1, 0.9], [0.8, 0.2]]))
    >>> correct = accuracy.compute(scores, Tensor(np.array([[1], [1]])))
    >>> float(accuracy.update(correct)), float(accuracy.accumulate()), accuracy.name()
    (0.5, 0.5, ['acc'])
    """

    def __init__(
        self, topk: Sequence[int] = (1,), name: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if not isinstance(topk, Sequence) or not topk or min(topk) < 1:
            raise ArgumentError(
                f"expected topk to be a sequence of positive integers, received {topk!r}",
                cure="topk=(1, 5)",
            )
        self.topk, self.maxk = tuple(topk), max(topk)
        prefix = name or "acc"
        self._names = [prefix] if self.topk == (1,) else [f"{prefix}_top{k}" for k in self.topk]
        self.reset()

    def compute(self, pred: Any, label: Any, *args: Any) -> Any:
        """For each sample, 1 at the rank of its label among the highest scores, else 0.

        pred: scores [..., C]. label: class numbers [...] or [..., 1], or one-hot [..., C].
        Returns a Tensor [..., K], float32, K being the largest k (at most C); equal scores rank
        by class number. Raises ShapeError where the label does not fit.
        """
        scores = _value(pred)
        classes = _class_numbers(_value(label), scores.shape)
        _, order = topk(scores, min(self.maxk, scores.shape[-1]))
        return cast(equal(order, classes), "float32")

    def update(self, correct: Any, *args: Any) -> Any:
        """Take in a batch as `compute` gives it; returns its accuracy, a list with several k."""
        ranks = np.asarray(correct)
        samples = int(np.prod(ranks.shape[:-1]))
        accuracies = []
        for number, k in enumerate(self.topk):
            hits = ranks[..., :k].sum(dtype=np.float64)
            self.total[number] += float(hits)
            self.count[number] += samples
            accuracies.append(hits / samples if samples else 0.0)
        return _one_or_all(accuracies)

    def reset(self) -> None:
        """Forget all batches."""
        self.total = [0.0] * len(self.topk)
        self.count = [0] * len(self.topk)

    def accumulate(self) -> Any:
        """The accuracy over all batches, a list with several k; 0.0 before the first batch."""
        pairs = zip(self.total, self.count, strict=True)
        return _one_or_all([total / count if count else 0.0 for total, count in pairs])

    def name(self) -> list[str]:
        """One name for each k."""
        return self._names


def _class_numbers(label: Value, scores_shape: list[Any]) -> Any:
    """Labels of any of the three forms as class numbers [..., 1]."""
    batch, classes = scores_shape[:-1], scores_shape[-1]
    if label.ndim == len(batch) and _may_be(label.shape, batch):
        return cast(unsqueeze(label, -1), "int64")
    if label.ndim == len(scores_shape) and _may_be(label.shape[:-1], batch):
        if label.shape[-1] == 1:
            return cast(label, "int64")
        if label.shape[-1] == classes:
            return argmax(label, axis=-1, keepdim=True)
    raise ShapeError(
        f"scores of shape {scores_shape} want labels of shape {batch}, {[*batch, 1]} "
        f"or {scores_shape}, received {label.shape}"
    )


def _may_be(shape: list[Any], other: list[Any]) -> bool:
    """True where the shapes are equal as far as they are known: a Program has open dimensions."""
    pairs = zip(shape, other, strict=True)
    return all(not (_known(a) and _known(b)) or a == b for a, b in pairs)


def _known(dimension: Any) -> bool:
    return isinstance(dimension, int) and dimension >= 0


def _value(x: Any) -> Value:
    return x if isinstance(x, Value) else Tensor(np.asarray(x))


def _one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values
