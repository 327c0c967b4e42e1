"""Metrics: what is measured over the batches of an epoch."""

from twinoar.metric.accuracy import Accuracy
from twinoar.metric.auc import Auc
from twinoar.metric.binary import Precision, Recall
from twinoar.metric.metric import Metric
from twinoar.ops.loss.accuracy import (
    accuracy,  # last: it takes the place of the module of that name
)

__all__ = ["Accuracy", "Auc", "Metric", "Precision", "Recall", "accuracy"]
