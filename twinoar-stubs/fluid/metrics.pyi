"""Metrics over batches of ndarrays, by the names and arguments of Paddle 1.8."""

# Written by tools/stubs.py.

import builtins
import twinoar.fluid.metrics
from typing import Any, Literal, overload

import numpy as _numpy

class Accuracy(twinoar.fluid.metrics.MetricBase):
    """The mean of accuracies, each weighted by the number of its samples."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def update(self, value: Any, weight: Any) -> None:
        """Take in the accuracy of a batch"""
    def eval(self) -> Any:
        """The accuracy over all batches"""
    value: Any
    weight: Any
class Auc(twinoar.fluid.metrics.MetricBase):
    """The area under the ROC curve"""
    def __init__(self, name: builtins.str, curve: builtins.str = 'ROC', num_thresholds: Any = 4095) -> None: ...
    def reset(self) -> None:
        """Forget all batches."""
    def update(self, preds: _numpy.ndarray[Any, Any], labels: _numpy.ndarray[Any, Any]) -> None:
        """Take in a batch of ndarrays."""
    def eval(self) -> builtins.float:
        """The measure over all batches."""
class ChunkEvaluator(twinoar.fluid.metrics.MetricBase):
    """Precision, recall and F1 of chunks, from what `fluid.layers.chunk_eval` counts."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def update(self, num_infer_chunks: Any, num_label_chunks: Any, num_correct_chunks: Any) -> None:
        """Take in the counts of a batch: chunks found, chunks there are, and those in both."""
    def eval(self) -> builtins.tuple[builtins.float, builtins.float, builtins.float]:
        """Precision, recall and F1 over all batches."""
    num_infer_chunks: Any
    num_label_chunks: Any
    num_correct_chunks: Any
class CompositeMetric(twinoar.fluid.metrics.MetricBase):
    """Several metrics of the same predictions and labels."""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def add_metric(self, metric: twinoar.fluid.metrics.MetricBase) -> None:
        """Add one"""
    def reset(self) -> None:
        """Forget all batches."""
    def update(self, preds: Any, labels: Any) -> None:
        """Take in a batch."""
    def eval(self) -> builtins.list[Any]:
        """What each metric gives, in the order they were added."""
class EditDistance(twinoar.fluid.metrics.MetricBase):
    """The mean edit distance of sequences, and the share of those that are wrong at all."""
    def __init__(self, name: builtins.str) -> None: ...
    def update(self, distances: _numpy.ndarray[Any, Any], seq_num: Any) -> None:
        """Take in a batch"""
    def eval(self) -> builtins.tuple[builtins.float, builtins.float]:
        """Mean distance and share of wrong sequences"""
    total_distance: Any
    seq_num: Any
    instance_error: Any
class MetricBase:
    """A measure that is collected batch by batch: `update` takes one in, `eval` gives the measure."""
    def __init__(self, name: builtins.str | None) -> None: ...
    def reset(self) -> None:
        """Forget all batches: numbers and arrays of the state become zeros."""
    def get_config(self) -> builtins.dict[builtins.str, Any]:
        """The name, and the state."""
    def update(self, preds: Any, labels: Any) -> None:
        """Take in a batch."""
    def eval(self) -> Any:
        """The measure over all batches since `reset`."""
class Precision(twinoar.fluid.metrics.MetricBase):
    """The share of true ones among those predicted positive"""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def reset(self) -> None:
        """Forget all batches."""
    def update(self, preds: _numpy.ndarray[Any, Any], labels: _numpy.ndarray[Any, Any]) -> None:
        """Take in a batch of ndarrays."""
    def eval(self) -> builtins.float:
        """The measure over all batches."""
class Recall(twinoar.fluid.metrics.MetricBase):
    """The share of those predicted positive among the true ones"""
    def __init__(self, name: builtins.str | None = None) -> None: ...
    def reset(self) -> None:
        """Forget all batches."""
    def update(self, preds: _numpy.ndarray[Any, Any], labels: _numpy.ndarray[Any, Any]) -> None:
        """Take in a batch of ndarrays."""
    def eval(self) -> builtins.float:
        """The measure over all batches."""
