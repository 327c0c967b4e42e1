"""The forms of transposed convolutions, pooling with places, and whole normalizations."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.dim import Dim
from twinoar.errors import UnsupportedError
from twinoar.formats.onnx import schema
from twinoar.formats.onnx.forms import Call, channels_first, form
from twinoar.formats.onnx.forms_of_layers import pads_of


@form("conv2d_grad_x", "conv3d_grad_x")
@channels_first
def _(call: Call) -> None:
    """The transposed convolution; what its result has beyond the last window is padded."""
    given, kernel = call.specs[0].shape[2:], call.specs[1].shape[2:]
    more = []
    for axis, (n, k) in enumerate(zip(given, kernel, strict=True)):
        covered = (n - 1) * call.stride[axis] + (k - 1) * call.dilation[axis] + 1
        padding = sum(call.padding[2 * axis : 2 * axis + 2])
        more.append(call.operator.attrs["size"][axis] - (covered - padding))
    limits = zip(more, call.stride, call.dilation, strict=True)
    if not all(isinstance(n, int) and 0 <= n < max(s, d) for n, s, d in limits):
        raise UnsupportedError(
            f"{call.operator.op.name} to {list(call.operator.attrs['size'])} has no form in ONNX",
            cure="choose an output_padding that is less than the stride",
        )
    call.gives(
        "ConvTranspose",
        call.x,
        strides=list(call.stride),
        pads=pads_of(call.padding),
        dilations=list(call.dilation),
        output_padding=more,
        group=call.groups,
    )


@form("max_pool2d_with_index", "max_pool3d_with_index")
def _(call: Call) -> None:
    """ONNX counts places from the first plane of the first image on, and we in each plane."""
    sizes, kernel = call.specs[0].shape[2:], list(call.kernel_size)
    stride, padding = list(call.stride), pads_of(call.padding)
    if call.adaptive and not call.results[1] and _are_uneven(call, kernel):
        call.graph.node("Identity", [_largest_of_bins(call, kernel)], call.results[:1])
        return
    if call.adaptive:
        kernel = stride = _even_bins(call, kernel)
        padding = [0] * 2 * len(kernel)
    maxima = call.results[0] or call.graph.name("unread")
    places = call.graph.name("places")
    call.graph.node(
        "MaxPool",
        call.x,
        [maxima, places],
        kernel_shape=kernel,
        strides=stride,
        pads=padding,
        ceil_mode=int(call.ceil_mode and not call.adaptive),
    )
    plane: Dim = 1
    for d in sizes:
        plane = plane * d
    inside = call.node("Mod", [places, call.graph.size(plane)])
    if call.results[1]:
        code = schema.CODE_OF_DTYPE[call.operator.results[1].spec.dtype.name]
        call.graph.node("Cast", [inside], [call.results[1]], to=code)


def _are_uneven(call: Call, bins: list[int]) -> bool:
    pairs = zip(call.specs[0].shape[2:], bins, strict=True)
    return all(isinstance(d, int) and d > 0 for d, _ in pairs) and any(
        d % n for d, n in zip(call.specs[0].shape[2:], bins, strict=True)
    )


def _largest_of_bins(call: Call, bins: list[int]) -> str:
    """The maxima of bins that overlap: those of one axis after the other."""
    x = call.x[0]
    for axis, n in enumerate(bins, start=2):
        size: Any = call.specs[0].shape[axis]
        along = call.ints([axis])
        parts = []
        for k in range(n):
            start, end = call.ints([k * size // n]), call.ints([-(-(k + 1) * size // n)])
            part = call.node("Slice", [x, start, end, along])
            parts.append(call.graph.with_axes("ReduceMax", part, [axis], 18, keepdims=1))
        x = call.node("Concat", parts, axis=axis)
    return x


def _even_bins(call: Call, bins: list[int]) -> list[int]:
    """How large each bin is. Raises UnsupportedError where they are not all as large."""
    sizes = call.specs[0].shape[2:]
    found = [d // n for d, n in zip(sizes, bins, strict=True) if isinstance(d, int) and not d % n]
    if len(found) < len(bins):
        raise UnsupportedError(
            f"{call.operator.op.name} of {list(sizes)} to {bins} has no form in ONNX",
            cure="choose sizes that divide those of the input",
        )
    return found


@form("adaptive_avg_pool2d", "adaptive_avg_pool3d")
@channels_first
def _(call: Call) -> None:
    """Means over bins, which overlap where they are not even: a product for each axis."""
    shape, bins = call.specs[0].shape[2:], list(call.output_size)
    sizes = [d for d in shape if isinstance(d, int)]
    if set(bins) == {1}:
        call.gives("GlobalAveragePool", call.x)
        return
    if len(sizes) < len(shape):
        raise UnsupportedError(
            f"{call.operator.op.name} of {list(shape)} to {bins} has no form in ONNX",
            cure="give the sizes of images as numbers, or choose output_size=1",
        )
    if all(d % n == 0 for d, n in zip(sizes, bins, strict=True)):
        kernel = [d // n for d, n in zip(sizes, bins, strict=True)]
        call.gives("AveragePool", call.x, kernel_shape=kernel, strides=kernel)
        return
    x = call.x[0]
    for axis, (d, n) in enumerate(zip(sizes, bins, strict=True), start=2):
        perm = list(range(call.rank))
        perm[axis], perm[-1] = perm[-1], perm[axis]
        shares = call.graph.constant(_shares(d, n), call.out.dtype)
        turned = call.node("Transpose", [x], perm=perm)
        x = call.node("Transpose", [call.node("MatMul", [turned, shares])], perm=perm)
    call.gives("Identity", [x])


def _shares(size: int, bins: int) -> np.ndarray:
    """What each element has in the mean of each bin, [size,bins]."""
    found = np.zeros((size, bins))
    for n in range(bins):
        start, end = n * size // bins, -(-(n + 1) * size // bins)
        found[start:end, n] = 1 / (end - start)
    return found


@form("layer_norm", since=17)
def _(call: Call) -> None:
    x, weight, bias = call.x
    axis = call.begin_norm_axis
    sizes = call.specs[0].shape[axis:]
    if weight:
        weight = call.node("Reshape", [weight, call.graph.shape(sizes)])
    else:
        one = call.graph.constant(1.0, call.specs[0].dtype)
        weight = call.node("Expand", [one, call.graph.shape(sizes)])
    if bias:
        bias = call.node("Reshape", [bias, call.graph.shape(sizes)])
    wide = schema.CODE_OF_DTYPE["float64" if call.out.dtype.name == "float64" else "float32"]
    call.gives(
        "LayerNormalization",
        [x, weight, bias],
        axis=axis,
        epsilon=float(call.epsilon),
        stash_type=wide,
    )
