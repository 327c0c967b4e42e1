"""Convolutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import twinoar as paddle
from twinoar.nn import functional as F
from twinoar.onnx.nodes.window import window
from twinoar.onnx.table import node
from twinoar.vision import ops as vision_ops

CONVOLUTIONS: dict[int, Callable[..., Any]] = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED: dict[int, Callable[..., Any]] = {
    1: F.conv1d_transpose,
    2: F.conv2d_transpose,
    3: F.conv3d_transpose,
}


@node("Conv")
def convolution(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: list | None = None,
    group: int = 1,
    kernel_shape: list | None = None,
    pads: list | None = None,
    strides: list | None = None,
) -> Any:
    kernel = list(weight.shape[2:])
    w = window(list(x.shape[2:]), kernel, strides, dilations, pads, auto_pad)
    if w.rank == 1:  # conv1d takes one number on both sides
        x = w.padded(x, 0.0) if w.before != w.after else x
        padding: Any = 0 if w.before != w.after else w.before
    else:
        padding = [p for pair in zip(w.before, w.after, strict=True) for p in pair]
    return CONVOLUTIONS[w.rank](x, weight, bias, w.strides, padding, w.dilations, group)


@node("ConvTranspose")
def transposed_convolution(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: list | None = None,
    group: int = 1,
    kernel_shape: list | None = None,
    output_padding: list | None = None,
    output_shape: list | None = None,
    pads: list | None = None,
    strides: list | None = None,
) -> Any:
    rank = len(weight.shape) - 2
    strides, dilations = strides or [1] * rank, dilations or [1] * rank
    added, pads = output_padding or [0] * rank, pads or [0] * (2 * rank)
    whole = (
        TRANSPOSED[rank](x, weight, None, strides, 0, 0, group, dilations)
        if rank != 2
        else TRANSPOSED[rank](x, weight, None, strides, 0, 0, dilations, group)
    )
    sizes = list(whole.shape[2:])
    before, after = pads[:rank], pads[rank:]
    if auto_pad in ("SAME_UPPER", "SAME_LOWER") and output_shape is None:
        output_shape = [d * s for d, s in zip(x.shape[2:], strides, strict=True)]
    if output_shape is not None:
        output_shape = output_shape[-rank:]
        totals = [d + a - o for d, a, o in zip(sizes, added, output_shape, strict=True)]
        less, more = [t // 2 for t in totals], [t - t // 2 for t in totals]
        before, after = (less, more) if auto_pad == "SAME_UPPER" else (more, less)
    for n in range(rank):
        axis = 2 + n
        end = sizes[n] + added[n] - after[n]
        if end > sizes[n]:
            shape = [*whole.shape[:axis], end - sizes[n], *whole.shape[axis + 1 :]]
            whole = paddle.concat([whole, paddle.zeros(shape, whole.dtype)], axis)
        if before[n] < 0:
            shape = [*whole.shape[:axis], -before[n], *whole.shape[axis + 1 :]]
            whole = paddle.concat([paddle.zeros(shape, whole.dtype), whole], axis)
            end -= before[n]
        whole = paddle.slice(whole, [axis], [max(before[n], 0)], [end])
    return whole if bias is None else whole + bias.reshape([1, -1, *[1] * rank])


@node("DeformConv")
def deformable_convolution(
    x: Any,
    weight: Any,
    offset: Any,
    bias: Any = None,
    mask: Any = None,
    *,
    dilations: list | None = None,
    group: int = 1,
    kernel_shape: list | None = None,
    offset_group: int = 1,
    pads: list | None = None,
    strides: list | None = None,
) -> Any:
    w = window(list(x.shape[2:]), list(weight.shape[2:]), strides, dilations, pads, "NOTSET")
    if w.before != w.after:
        x, w.before = w.padded(x, 0.0), [0, 0]
    return vision_ops.deform_conv2d(
        x, offset, weight, bias, w.strides, w.before, w.dilations, offset_group, group, mask
    )


@node("CausalConvWithState", since=27)
def causal_convolution(
    x: Any, weight: Any, bias: Any = None, past: Any = None, *, activation: str = "none"
) -> Any:
    reach = weight.shape[2] - 1
    if past is None:
        past = paddle.zeros([x.shape[0], x.shape[1], reach], x.dtype)
    whole = paddle.concat([past, x], 2)
    found = F.conv1d(whole, weight, bias, groups=weight.shape[0])
    if activation in ("silu", "swish"):
        found = F.silu(found)
    start = whole.shape[2] - reach
    return found, paddle.slice(whole, [2], [start], [start + reach])
