"""Metrics: what is measured over the batches of an epoch."""

# Written by tools/stubs.py.

import abc
import builtins
import collections.abc
import twinoar
import twinoar.metric
from typing import Any, Literal, overload

import numpy as _numpy

class Accuracy(twinoar.metric.Metric):
    """Top-k accuracy, for one k or several."""
    def __init__(self, topk: collections.abc.Sequence[Any] = ..., name: builtins.str | None = None, *args: Any, **kwargs: Any) -> None: ...
    def compute(self, pred: Any, label: Any, *args: Any) -> twinoar.Tensor:
        """For each sample, 1 at the rank of its label among the highest scores, else 0."""
    def update(self, correct: Any, *args: Any) -> Any:
        """Take in a batch as `compute` gives it; returns its accuracy, a list with several k."""
    def reset(self) -> None:
        """Forget all batches."""
    def accumulate(self) -> Any:
        """The accuracy over all batches, a list with several k; 0.0 before the first batch."""
    def name(self) -> builtins.list[builtins.str]:
        """One name for each k."""
    topk: Any
    maxk: Any
    total: Any
    count: Any
class Auc(twinoar.metric.Metric):
    """The area under the receiver operating characteristic, from a histogram of the scores."""
    def __init__(self, curve: builtins.str = 'ROC', num_thresholds: Any = 4095, name: builtins.str = 'auc', *args: Any, **kwargs: Any) -> None: ...
    def update(self, preds: Any, labels: Any) -> None:
        """Take in a batch"""
    def reset(self) -> None:
        """Forget all batches."""
    def accumulate(self) -> builtins.float:
        """The area over all batches; 0.0 where there is but one class."""
    def name(self) -> builtins.str:
        """The name."""
class Metric:
    """A measure that is collected batch by batch; subclasses define `reset`, `update`, `accumulate` and `name`."""
    def reset(self) -> None:
        """Forget all batches."""
    def update(self, *args: Any) -> Any:
        """Take in a batch, given as `compute` returns it."""
    def accumulate(self) -> Any:
        """The measure over all batches since the last reset."""
    def name(self) -> builtins.str | builtins.list[builtins.str]:
        """The name, or the names where `accumulate` gives several values."""
    def compute(self, *args: Any) -> Any:
        """What `update` wants of the network's outputs and the labels: here, these as they are."""
class Precision(twinoar.metric.Metric):
    """The share of true ones among those predicted positive: tp / (tp + fp)."""
    def __init__(self, name: builtins.str = 'precision', *args: Any, **kwargs: Any) -> None: ...
    def accumulate(self) -> builtins.float:
        """The precision over all batches; 0.0 where nothing was predicted positive."""
    def update(self, preds: Any, labels: Any) -> None:
        """Take in a batch"""
    def reset(self) -> None:
        """Forget all batches."""
    def name(self) -> builtins.str:
        """The name."""
    tp: Any
    fp: Any
    fn: Any
class Recall(twinoar.metric.Metric):
    """The share of those predicted positive among the true ones: tp / (tp + fn)."""
    def __init__(self, name: builtins.str = 'recall', *args: Any, **kwargs: Any) -> None: ...
    def accumulate(self) -> builtins.float:
        """The recall over all batches; 0.0 where nothing was true."""
    def update(self, preds: Any, labels: Any) -> None:
        """Take in a batch"""
    def reset(self) -> None:
        """Forget all batches."""
    def name(self) -> builtins.str:
        """The name."""
    tp: Any
    fp: Any
    fn: Any
@overload
def accuracy(input: twinoar._TensorLike, label: twinoar._TensorLike, k: Any = 1, correct: twinoar._TensorLike | None = None, total: twinoar._TensorLike | None = None, name: builtins.str | None = None) -> twinoar.Tensor:
    """The share of examples whose label is among their k highest scores."""
@overload
def accuracy(*args: Any, input: Any = ..., label: Any = ..., k: Any = ..., correct: Any = ..., total: Any = ..., name: Any = ..., out: Any = ...) -> twinoar.Tensor: ...
