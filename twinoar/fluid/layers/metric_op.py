"""Metrics of a Program by 1.x names."""

# ruff: noqa: F401  # the calls in the table use what is imported

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar import static
from twinoar.fluid.layers.adapter import define
from twinoar.nn import functional as F


def overlap(input: Any, label: Any, num_classes: int) -> tuple[Any, Any, Any]:
    """The mean of |both| / |either| over the classes that occur, and how many are wrong and right.

    input, label: class numbers, [*]. Returns [1], float32, and [num_classes], int32, twice.
    """
    guessed, true = (F.one_hot(paddle.reshape(v, [-1]), num_classes) for v in (input, label))
    right = paddle.sum(guessed * true, 0)
    either = paddle.sum(paddle.maximum(guessed, true), 0)
    wrong = either - right
    occurs = paddle.cast(either > 0.0, "float32")
    share = right / paddle.maximum(either, paddle.ones([1]))
    counts = [paddle.cast(v, "int32") for v in (wrong, right)]
    return paddle.sum(share) / paddle.sum(occurs), counts[0], counts[1]


__all__ = define(
    globals(),
    """
accuracy(input, label, k=1, correct=None, total=None)
    -> static.accuracy(input, label, k, correct, total)
auc(input, label, curve='ROC', num_thresholds=4095, topk=1, slide_steps=1)
    -> static.auc(input, label, curve, num_thresholds, topk, slide_steps)
mean_iou(input, label, num_classes)
    -> overlap(input, label, num_classes)  # F.one_hot, of which the intersection and union
""",
)
