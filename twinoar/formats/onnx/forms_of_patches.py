"""The forms of windows side by side, of images that are sums of windows, and of other sums."""

from __future__ import annotations

import itertools
import math

import numpy as np

from twinoar.errors import UnsupportedError
from twinoar.formats.onnx.forms import Call, form
from twinoar.formats.onnx.forms_of_layers import pads_of

FARTHEST = (1 << 31) - 1


@form("patches")
def _(call: Call) -> None:
    """A part of the image for each place in a window, [N,C,OH,OW], put beside each other."""
    x = call.x[0]
    if any(call.padding):
        pads = call.ints([0, 0, *pads_of(call.padding)[:2], 0, 0, *pads_of(call.padding)[2:]])
        x = call.node("Pad", [x, pads, call.number(0)], mode="constant")
    axes, steps = call.ints([2, 3]), call.ints(call.stride)
    parts = []
    for place in itertools.product(*map(range, call.kernel_size)):
        starts = [p * d for p, d in zip(place, call.dilation, strict=True)]
        spans = [(k - 1) * d for k, d in zip(call.kernel_size, call.dilation, strict=True)]
        ends = [a - span or FARTHEST for a, span in zip(starts, spans, strict=True)]
        part = call.node("Slice", [x, call.ints(starts), call.ints(ends), axes, steps])
        parts.append(call.graph.with_axes("Unsqueeze", part, [4], since=13))
    beside = call.node("Concat", parts, axis=4)
    moved = call.node("Transpose", [beside], perm=[0, 2, 3, 1, 4])
    call.gives("Reshape", [moved, call.graph.shape(call.out.shape)])


@form("patch_sum")
def _(call: Call) -> None:
    """A transposed convolution with a kernel for each place, which is 1 there and 0 elsewhere."""
    n, rows, columns, channels, *kernel = call.specs[0].shape
    if call.out.dtype.name not in ("float16", "float32", "float64"):
        raise UnsupportedError(f"sums of windows of {call.out.dtype.name} have no form in ONNX")
    if not all(isinstance(d, int) for d in (*kernel, rows, columns, *call.operator.attrs["size"])):
        raise UnsupportedError(
            "sums of windows of a number that a run decides have no form in ONNX",
            cure="give the sizes of images as numbers",
        )
    count = math.prod(int(k) for k in kernel)
    turned = call.node("Transpose", call.x, perm=[0, 3, 4, 5, 1, 2])
    flat = call.graph.shape([n * channels, count, rows, columns])
    windows = call.node("Reshape", [turned, flat])
    weight = call.graph.constant(np.eye(count).reshape(count, 1, *kernel), call.out.dtype)
    more = []
    for axis, (windows_there, k) in enumerate(zip((rows, columns), kernel, strict=True)):
        covered = (windows_there - 1) * call.stride[axis] + (k - 1) * call.dilation[axis] + 1
        padding = sum(call.padding[2 * axis : 2 * axis + 2])
        more.append(call.operator.attrs["size"][axis] - (covered - padding))
    inside = [min(m, s - 1) for m, s in zip(more, call.stride, strict=True)]
    if any(m < 0 or m > i for m, i in zip(more, inside, strict=True)):
        raise UnsupportedError("sums of windows that leave much of the image out")
    images = call.node(
        "ConvTranspose",
        [windows, weight],
        strides=list(call.stride),
        pads=pads_of(call.padding),
        dilations=list(call.dilation),
        output_padding=more,
    )
    call.gives("Reshape", [images, call.graph.shape(call.out.shape)])


@form("sum_to_shape")
def _(call: Call) -> None:
    given, wanted = call.specs[0].shape, call.out.shape
    lead = len(given) - len(wanted)
    axes = [*range(lead)]
    axes += [n + lead for n, d in enumerate(wanted) if d == 1 and given[n + lead] != 1]
    if not axes:
        call.gives("Identity", call.x)
        return
    total = call.graph.with_axes("ReduceSum", call.x[0], axes, 13, keepdims=1)
    call.gives("Reshape", [total, call.graph.shape(wanted)])
