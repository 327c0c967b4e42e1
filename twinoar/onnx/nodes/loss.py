"""Losses."""

from __future__ import annotations

from typing import Any

import twinoar as paddle
from twinoar.nn import functional as F
from twinoar.onnx.table import node


@node("NegativeLogLikelihoodLoss")
def negative_log_likelihood(
    x: Any,
    target: Any,
    weight: Any = None,
    *,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> Any:
    target = target.astype("int64")
    ignored = None if ignore_index is None else target == ignore_index
    index = target if ignored is None else paddle.where(ignored, paddle.zeros_like(target), target)
    loss = -paddle.take_along_axis(x, index.unsqueeze(1), 1, broadcast=False).squeeze(1)
    share = (
        paddle.ones_like(loss)
        if weight is None
        else paddle.gather(weight, index.reshape([-1])).reshape(index.shape)
    )
    if ignored is not None:
        share = paddle.where(ignored, paddle.zeros_like(share), share)
    loss = loss * share
    if reduction == "none":
        return loss
    total = paddle.sum(loss)
    return total if reduction == "sum" else total / paddle.sum(share)


@node("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy(
    x: Any,
    target: Any,
    weight: Any = None,
    *,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> Any:
    logs = F.log_softmax(x, 1)
    found = negative_log_likelihood(
        logs, target, weight, ignore_index=ignore_index, reduction=reduction
    )
    return found, logs
