"""Pooling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.errors import UnsupportedError
from twinoar.nn import functional as F
from twinoar.onnx.nodes.reduction import _least
from twinoar.onnx.nodes.window import Window, window
from twinoar.onnx.table import Known, ints, node

MAXIMA: dict[int, Callable[..., Any]] = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
MEANS: dict[int, Callable[..., Any]] = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}


def _is_plain(x: Any, w: Window) -> bool:
    """Whether the functions of layers know this window."""
    return (
        w.rank in MAXIMA
        and x.dtype.is_floating
        and not w.is_ceiled
        and w.before == w.after
        and set(w.dilations) == {1}
        and all(2 * b <= k for b, k in zip(w.before, w.kernel, strict=True))
    )


@node("MaxPool")
def max_pool(
    x: Any,
    *,
    kernel_shape: list,
    strides: list | None = None,
    dilations: list | None = None,
    pads: list | None = None,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    storage_order: int = 0,
    results: list,
) -> Any:
    w = window(list(x.shape[2:]), kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    if len(results) < 2 and _is_plain(x, w):
        return MAXIMA[w.rank](x, w.kernel, w.strides, w.before)
    fill = float(_least(x)) if x.dtype.is_floating else _least(x)
    parts = paddle.stack(list(w.elements(x, fill)))
    found = (
        paddle.max(parts.astype("int32"), 0).astype(x.dtype)
        if x.dtype in (paddle.int8, paddle.uint8)
        else paddle.max(parts, 0)
    )
    if len(results) < 2:
        return found
    order = list(range(len(x.shape)))
    if storage_order:
        order[2:] = order[:1:-1]  # columns first
    sizes = [x.shape[a] for a in order]
    places = np.arange(int(np.prod(sizes))).reshape(sizes).transpose(np.argsort(order))
    index = paddle.stack(list(w.elements(paddle.to_tensor(places), -1)))
    first = paddle.argmax(parts, 0).unsqueeze(0)
    return found, paddle.take_along_axis(index, first, 0).squeeze(0)


@node("AveragePool")
def average_pool(
    x: Any,
    *,
    kernel_shape: list,
    strides: list | None = None,
    dilations: list | None = None,
    pads: list | None = None,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    count_include_pad: int = 0,
) -> Any:
    w = window(list(x.shape[2:]), kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    if _is_plain(x, w):
        return MEANS[w.rank](x, w.kernel, w.strides, w.before, exclusive=not count_include_pad)
    total = _total(w.elements(x, 0.0))
    for n, size in enumerate(x.shape[2:]):
        counts = _taps(w, n, size, bool(count_include_pad))
        shape = [1] * len(x.shape)
        shape[2 + n] = -1
        total = total / paddle.to_tensor(counts.reshape(shape)).astype(x.dtype)
    return total


def _taps(w: Window, n: int, size: int, with_padding: bool) -> np.ndarray:
    """How many elements of one dimension each window has; what it reaches beyond does not count."""
    starts = np.arange(w.counts([size] * w.rank)[n]) * w.strides[n] - w.before[n]
    places = starts[:, None] + np.arange(w.kernel[n]) * w.dilations[n]
    low, high = (-w.before[n], size + w.after[n]) if with_padding else (0, size)
    return ((places >= low) & (places < high)).sum(1)


def _total(parts: Any) -> Any:
    total = None
    for part in parts:
        total = part if total is None else total + part
    return total


@node("LpPool")
def lp_pool(
    x: Any,
    *,
    kernel_shape: list,
    p: float = 2,
    strides: list | None = None,
    dilations: list | None = None,
    pads: list | None = None,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
) -> Any:
    w = window(list(x.shape[2:]), kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    total = _total(paddle.abs(part) ** p for part in w.elements(x, 0.0))
    return total ** (1.0 / p)


def _over_all(function: Callable) -> Callable:
    return lambda x: function(x, axis=list(range(2, len(x.shape))), keepdim=True)


node("GlobalMaxPool")(_over_all(paddle.max))
node("GlobalAveragePool")(_over_all(paddle.mean))


@node("GlobalLpPool")
def global_lp_pool(x: Any, *, p: float = 2) -> Any:
    axis = list(range(2, len(x.shape)))
    return paddle.sum(paddle.abs(x) ** p, axis, keepdim=True) ** (1.0 / p)


@node("MaxUnpool")
def max_unpool(
    x: Any,
    index: Any,
    output_shape: Known | None = None,
    *,
    kernel_shape: list,
    strides: list | None = None,
    pads: list | None = None,
) -> Any:
    rank = len(kernel_shape)
    strides, pads = strides or [1] * rank, pads or [0] * (2 * rank)
    sizes = [
        (d - 1) * s + k - a - b
        for d, s, k, a, b in zip(
            x.shape[2:], strides, kernel_shape, pads[:rank], pads[rank:], strict=True
        )
    ]
    own = [*x.shape[:2], *sizes]
    flat = paddle.zeros([int(np.prod(own))], x.dtype)
    places = index.reshape([-1]).astype("int64")
    found = paddle.index_put(flat, [places], x.reshape([-1])).reshape(own)
    if output_shape is None:
        return found
    asked = ints(output_shape)
    for axis, size in enumerate(asked):
        more = size - found.shape[axis]
        if more < 0:
            raise UnsupportedError(f"expected an output of at least {own}, received {asked}")
        if more:
            shape = [*found.shape[:axis], more, *found.shape[axis + 1 :]]
            found = paddle.concat([found, paddle.zeros(shape, x.dtype)], axis)
    return found


@node("RoiAlign")
def roi_align(
    x: Any,
    boxes: Any,
    batch: Any,
    *,
    mode: str = "avg",
    output_height: int = 1,
    output_width: int = 1,
    sampling_ratio: int = 0,
    spatial_scale: float = 1.0,
    coordinate_transformation_mode: str = "half_pixel",
    opset: int,
) -> Any:
    is_half = coordinate_transformation_mode == "half_pixel" and opset >= 16
    corners = boxes * spatial_scale - (0.5 if is_half else 0.0)
    x1, y1, x2, y2 = (corners[:, n] for n in range(4))
    width, height = x2 - x1, y2 - y1
    if not is_half:
        width, height = paddle.clip(width, 1.0), paddle.clip(height, 1.0)
    found = []
    for n in range(boxes.shape[0]):
        found.append(
            _of_box(
                x[batch[n]],
                (y1[n], x1[n]),
                (height[n] / output_height, width[n] / output_width),
                (output_height, output_width),
                sampling_ratio,
                mode,
            )
        )
    return (
        paddle.stack(found)
        if found
        else paddle.zeros([0, x.shape[1], output_height, output_width], x.dtype)
    )


def _of_box(x: Any, start: tuple, bins: tuple, counts: tuple, ratio: int, mode: str) -> Any:
    """The bins of one box. x: [channels, height, width]."""
    samples = [ratio or int(np.ceil(float(b))) for b in bins]
    axes = []
    for n in range(2):
        place = (np.arange(samples[n]) + 0.5) / samples[n]
        offset = (np.arange(counts[n])[:, None] + place).reshape(-1).astype("float32")
        at = start[n] + paddle.to_tensor(offset) * bins[n]
        size = x.shape[1 + n]
        is_inside = paddle.logical_and(at >= -1.0, at <= float(size))
        at = paddle.clip(at, 0.0, size - 1.0)
        low = paddle.floor(at).astype("int64")
        high = paddle.clip(low + 1, max=size - 1)
        share = at - low.astype(at.dtype)
        axes.append((low, high, share, is_inside.astype(x.dtype)))
    (y0, y1, v, in_y), (x0, x1, u, in_x) = axes
    v, u = v.reshape([1, -1, 1]), u.reshape([1, 1, -1])
    parts = []
    for rows, w in ((y0, 1 - v), (y1, v)):
        line = paddle.index_select(x, rows, 1)
        for columns, s in ((x0, 1 - u), (x1, u)):
            parts.append(paddle.index_select(line, columns, 2) * w * s)
    inside = in_y.reshape([1, -1, 1]) * in_x.reshape([1, 1, -1])
    shape = [x.shape[0], counts[0], samples[0], counts[1], samples[1]]
    if mode == "max":
        largest = paddle.max(paddle.stack([p * inside for p in parts]), 0)
        return paddle.max(largest.reshape(shape), [2, 4])
    return paddle.mean((sum(parts[1:], parts[0]) * inside).reshape(shape), [2, 4])
