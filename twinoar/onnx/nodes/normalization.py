"""Normalization and dropout."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.nn import functional as F
from twinoar.onnx.nodes.elementwise import held
from twinoar.onnx.table import Kept, Known, node


@node("BatchNormalization")
def batch_normalization(
    x: Any,
    scale: Any,
    bias: Any,
    mean: Kept,
    variance: Kept,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    training_mode: int = 0,
    spatial: int = 1,
    is_test: int = 1,
    consumed_inputs: list | None = None,
    training: bool,
    results: list,
) -> Any:
    if training_mode:
        axis = [a for a in range(len(x.shape)) if a != 1]
        now = paddle.mean(x, axis)
        spread = paddle.mean(x * x, axis) - now * now
        kept = [
            mean * momentum + now * (1 - momentum),
            variance * momentum + spread * (1 - momentum),
        ]
        return (_normalized(x, scale, bias, now, spread, epsilon), *kept)
    if training:
        return F.batch_norm(x, mean, variance, scale, bias, True, momentum, epsilon)
    if len(x.shape) < 2 or scale.dtype != x.dtype or mean.dtype != x.dtype:
        return _normalized(x, scale, bias, mean, variance, epsilon)
    return F.batch_norm(x, mean, variance, scale, bias, False, momentum, epsilon)


def _normalized(x: Any, scale: Any, bias: Any, mean: Any, variance: Any, epsilon: float) -> Any:
    shape = [1, -1, *[1] * (len(x.shape) - 2)]
    factor = scale.reshape(shape) / paddle.sqrt(variance.reshape(shape) + epsilon)
    return ((x - mean.reshape(shape)) * factor + bias.reshape(shape)).astype(x.dtype)


@node("InstanceNormalization")
def instance_normalization(
    x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5, consumed_inputs: list | None = None
) -> Any:
    return _by_group(x, list(range(2, len(x.shape))), scale, bias, epsilon)


@node("GroupNormalization")
def group_normalization_of_groups(
    x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5, num_groups: int, stash_type: int = 1
) -> Any:
    times = x.shape[1] // num_groups
    each_scale = paddle.repeat_interleave(scale, times)
    return group_normalization(
        x, each_scale, paddle.repeat_interleave(bias, times), epsilon=epsilon, num_groups=num_groups
    )


@node("GroupNormalization", since=21)
def group_normalization(
    x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5, num_groups: int, stash_type: int = 1
) -> Any:
    return F.group_norm(x, num_groups, epsilon, scale, bias)


def _by_group(x: Any, axis: list[int], scale: Any, bias: Any, epsilon: float) -> Any:
    mean = paddle.mean(x, axis, keepdim=True)
    variance = paddle.mean((x - mean) ** 2, axis, keepdim=True)
    shape = [1, -1, *[1] * (len(x.shape) - 2)]
    normal = (x - mean) / paddle.sqrt(variance + epsilon)
    return normal * scale.reshape(shape) + bias.reshape(shape)


@node("LayerNormalization")
def layer_normalization(
    x: Any,
    scale: Any,
    bias: Any = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
    results: list,
) -> Any:
    axes = list(range(axis % len(x.shape), len(x.shape)))
    if len(results) == 1:
        sizes = [x.shape[a] for a in axes]
        if list(scale.shape) == sizes:
            return F.layer_norm(x, sizes, scale, bias, epsilon)
    wide = x.astype(held(stash_type))
    mean = paddle.mean(wide, axes, keepdim=True)
    deviation = wide - mean
    inverse = paddle.rsqrt(paddle.mean(deviation * deviation, axes, keepdim=True) + epsilon)
    found = (deviation * inverse).astype(x.dtype) * scale
    return found if bias is None else found + bias, mean, inverse


@node("RMSNormalization")
def rms_normalization(
    x: Any, scale: Any, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1
) -> Any:
    axes = list(range(axis % len(x.shape), len(x.shape)))
    wide = x.astype(held(stash_type))
    inverse = paddle.rsqrt(paddle.mean(wide * wide, axes, keepdim=True) + epsilon)
    return (wide * inverse).astype(x.dtype) * scale


@node("LRN")
def local_response_normalization(
    x: Any, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0
) -> Any:
    channels = x.shape[1]
    squares = x * x
    total: Any = None
    for shift in range(-((size - 1) // 2), math.ceil((size - 1) / 2) + 1):
        start, end = max(shift, 0), channels + min(shift, 0)
        if start >= end:
            continue
        part = paddle.slice(squares, [1], [start], [end])
        empty = paddle.zeros([x.shape[0], abs(shift), *x.shape[2:]], x.dtype)
        if shift:
            part = paddle.concat([part, empty] if shift > 0 else [empty, part], 1)
        total = part if total is None else total + part
    return x / (bias + alpha / size * total) ** beta


@node("LpNormalization")
def lp_normalization(x: Any, *, axis: int = -1, p: int = 2) -> Any:
    size = (
        paddle.sum(paddle.abs(x), axis, keepdim=True)
        if p == 1
        else paddle.sqrt(paddle.sum(x * x, axis, keepdim=True))
    )
    return paddle.where(size == 0, paddle.zeros_like(x), x / size)


@node("MeanVarianceNormalization")
def mean_variance_normalization(x: Any, *, axes: list | None = None) -> Any:
    axis = [0, 2, 3] if axes is None else axes
    mean = paddle.mean(x, axis, keepdim=True)
    spread = paddle.mean(x * x, axis, keepdim=True) - mean * mean
    return (x - mean) / (paddle.sqrt(spread) + 1e-9)


@node("Dropout")
def dropout_of_attribute(
    x: Any,
    *,
    ratio: float = 0.5,
    is_test: int = 1,
    consumed_inputs: list | None = None,
    training: bool,
    results: list,
) -> Any:
    return _dropped(x, ratio, training, results)


@node("Dropout", since=12)
def dropout(
    x: Any,
    ratio: Known | None = None,
    training_mode: Known | None = None,
    *,
    seed: int | None = None,
    training: bool,
    results: list,
) -> Any:
    share = 0.5 if ratio is None else float(np.asarray(ratio).reshape(-1)[0])
    is_asked = training_mode is not None and bool(np.asarray(training_mode).reshape(-1)[0])
    return _dropped(x, share, training or is_asked, results)


def _dropped(x: Any, ratio: float, is_active: bool, results: list) -> Any:
    if len(results) == 1:
        return F.dropout(x, ratio, training=is_active)
    kept = F.dropout(paddle.ones_like(x), ratio, training=is_active)
    return x * kept, kept != 0
