"""Metrics over batches of ndarrays, by the names and arguments of Paddle 1.8."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar import metric
from twinoar.core.public import declared
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError
from twinoar.fluid.absent import refusing


class MetricBase:
    """A measure that is collected batch by batch: `update` takes one in, `eval` gives the measure.

    Subclasses define both. Attributes that begin with no underscore are its state.
    """

    def __init__(self, name: str | None):
        self._name = name if name is not None else type(self).__name__

    def __str__(self) -> str:
        return self._name

    def reset(self) -> None:
        """Forget all batches: numbers and arrays of the state become zeros."""
        state: dict[str, Any] = self._state()
        for key, value in state.items():
            if isinstance(value, (int, float, np.ndarray, np.generic)):
                setattr(self, key, state[key] * 0)
            else:
                setattr(self, key, None)

    def get_config(self) -> dict[str, Any]:
        """The name, and the state."""
        return {"name": self._name, "states": dict(self._state())}

    def update(self, preds: Any, labels: Any) -> None:
        """Take in a batch."""
        raise self._undefined("update")

    def eval(self) -> Any:
        """The measure over all batches since `reset`."""
        raise self._undefined("eval")

    def _state(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if not key.startswith("_")}

    def _undefined(self, method: str) -> ArgumentError:
        kind = type(self).__name__
        return ArgumentError(f"{kind} has no {method}", cure=f"define {kind}.{method}")


class CompositeMetric(MetricBase):
    """Several metrics of the same predictions and labels.

    >>> from twinoar.fluid import metrics
    >>> both = metrics.CompositeMetric()
    >>> both.add_metric(metrics.Precision()); both.add_metric(metrics.Recall())
    >>> both.update(np.array([[0.1], [0.9]]), np.array([[1], [1]]))
    >>> both.eval()
    [1.0, 0.5]
    """

    def __init__(self, name: str | None = None):
        super().__init__(name)
        self._metrics: list[MetricBase] = []

    def add_metric(self, metric: MetricBase) -> None:
        """Add one. Raises TypeMismatchError for what is no metric."""
        if not isinstance(metric, MetricBase):
            raise TypeMismatchError(
                f"expected a metric of fluid.metrics, received {type(metric).__name__}"
            )
        self._metrics.append(metric)

    def reset(self) -> None:
        """Forget all batches."""
        for one in self._metrics:
            one.reset()

    def update(self, preds: Any, labels: Any) -> None:
        """Take in a batch."""
        for one in self._metrics:
            one.update(preds, labels)

    def eval(self) -> list[Any]:
        """What each metric gives, in the order they were added."""
        return [one.eval() for one in self._metrics]


class _Modern(MetricBase):
    """A metric of Paddle 2 by the names of Paddle 1."""

    def __init__(self, name: str | None, modern: metric.Metric):
        super().__init__(name)
        self._modern = modern

    def reset(self) -> None:
        """Forget all batches."""
        self._modern.reset()

    def update(self, preds: np.ndarray, labels: np.ndarray) -> None:
        """Take in a batch of ndarrays."""
        self._modern.update(_array("preds", preds), _array("labels", labels))

    def eval(self) -> float:
        """The measure over all batches."""
        found: float = self._modern.accumulate()
        return found


class Precision(_Modern):
    """The share of true ones among those predicted positive. preds: [N,1] in 0..1, labels: 0 or 1.

    >>> from twinoar.fluid import metrics
    >>> precision = metrics.Precision()
    >>> precision.update(np.array([[0.1], [0.9], [0.8]]), np.array([[0], [1], [0]]))
    >>> precision.eval()
    0.5
    """

    def __init__(self, name: str | None = None):
        super().__init__(name, metric.Precision())


class Recall(_Modern):
    """The share of those predicted positive among the true ones. preds, labels: as of Precision."""

    def __init__(self, name: str | None = None):
        super().__init__(name, metric.Recall())


class Auc(_Modern):
    """The area under the ROC curve. preds: [N,2], the scores of classes 0 and 1; labels: [N,1].

    Raises UnsupportedError for a curve other than "ROC".
    """

    def __init__(self, name: str, curve: str = "ROC", num_thresholds: int = 4095):
        super().__init__(name, metric.Auc(curve, num_thresholds))


class Accuracy(MetricBase):
    """The mean of accuracies, each weighted by the number of its samples.

    >>> from twinoar.fluid import metrics
    >>> accuracy = metrics.Accuracy()
    >>> accuracy.update(0.5, weight=10)
    >>> accuracy.update(1.0, weight=30)
    >>> float(accuracy.eval())
    0.875
    """

    def __init__(self, name: str | None = None):
        super().__init__(name)
        self.value: Any = 0.0
        self.weight = 0.0

    def update(self, value: Any, weight: float) -> None:
        """Take in the accuracy of a batch. Raises ArgumentError for a negative weight."""
        if weight < 0:
            raise ArgumentError(f"weight must not be negative, received {weight}")
        self.value = self.value + np.asarray(value) * weight
        self.weight += weight

    def eval(self) -> Any:
        """The accuracy over all batches. Raises ArgumentError where there was none."""
        if self.weight == 0:
            raise ArgumentError("there is no accuracy before the first batch", cure="call update")
        return self.value / self.weight


class ChunkEvaluator(MetricBase):
    """Precision, recall and F1 of chunks, from what `fluid.layers.chunk_eval` counts."""

    def __init__(self, name: str | None = None):
        super().__init__(name)
        self.num_infer_chunks = self.num_label_chunks = self.num_correct_chunks = 0

    def update(  # type: ignore[override]  # Paddle calls its arguments so
        self, num_infer_chunks: Any, num_label_chunks: Any, num_correct_chunks: Any
    ) -> None:
        """Take in the counts of a batch: chunks found, chunks there are, and those in both."""
        self.num_infer_chunks += _count(num_infer_chunks)
        self.num_label_chunks += _count(num_label_chunks)
        self.num_correct_chunks += _count(num_correct_chunks)

    def eval(self) -> tuple[float, float, float]:
        """Precision, recall and F1 over all batches."""
        correct = self.num_correct_chunks
        precision = correct / self.num_infer_chunks if self.num_infer_chunks else 0.0
        recall = correct / self.num_label_chunks if self.num_label_chunks else 0.0
        f1 = 2 * precision * recall / (precision + recall) if correct else 0.0
        return precision, recall, f1


class EditDistance(MetricBase):
    """The mean edit distance of sequences, and the share of those that are wrong at all."""

    def __init__(self, name: str):
        super().__init__(name)
        self.total_distance, self.seq_num, self.instance_error = 0.0, 0, 0

    def update(self, distances: np.ndarray, seq_num: int) -> None:
        """Take in a batch. distances: [N,1], one per sequence."""
        found = _array("distances", distances)
        self.total_distance += float(found.sum())
        self.seq_num += _count(seq_num)
        self.instance_error += _count(seq_num) - int(np.sum(found == 0))

    def eval(self) -> tuple[float, float]:
        """Mean distance and share of wrong sequences. Raises ArgumentError where there was none."""
        if self.seq_num == 0:
            raise ArgumentError("there is no distance before the first batch", cure="call update")
        return self.total_distance / self.seq_num, self.instance_error / self.seq_num


def _array(name: str, value: Any) -> np.ndarray:
    if not isinstance(value, np.ndarray):
        raise TypeMismatchError(
            f"{name} must be an ndarray, received {type(value).__name__}", cure="use np.array(...)"
        )
    return value


def _count(value: Any) -> int:
    array = np.asarray(value)
    if array.size != 1:
        raise ShapeError(f"expected one number, received shape {list(array.shape)}")
    return int(array.reshape(()))


__getattr__ = refusing(
    __name__, {"DetectionMAP": "compute the mean average precision of the fetched boxes in NumPy"}
)

__all__ = declared(globals())
