"""Convolution of images and of volumes as operators, `conv2d` and `conv3d`, with equal rules.

With the operators of `conv_grad` they are closed under differentiation: each is linear in both its
operands, and its gradients are the other two. Kernels gather windows into columns and leave the
arithmetic to one BLAS call per group.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from twinoar.core.op.declare import Desc, Spec, Tensor, loop, op_named, primitive
from twinoar.core.op.library import Convolution, Direction
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.math.cast import promote_after_two
from twinoar.ops.window._columns import batches, channels_first, filtered, padded, windows_of
from twinoar.ops.window._geometry import (
    all_windows,
    check_filters,
    check_floating,
    check_images,
    image_shape,
    paddle_paddings,
    read_padding,
    spatial_sizes,
    working,
)
from twinoar.ops.window._pixel import in_window, joined, parted


def convolution(direction: Direction) -> Callable[..., Convolution]:
    """A `library` rule."""

    def describe(
        stride: Any, padding: Any, dilation: Any, groups: int, data_format: str
    ) -> Convolution:
        return Convolution(direction, stride, dilation, padding, groups, data_format[-1] == "C")

    return describe


def conv_desc(type: str, rank: int, x: str, **rest: Any) -> Desc:
    """Paddle's form of a convolution of `rank` spatial axes, of the operand called `x`."""
    names = {"strides": "stride", "dilations": "dilation", "groups": "groups"}
    more = (f"depthwise_{type}",) if rank == 2 else ()
    slots = {"Input": x, "Filter": "weight"}
    return Desc(type, slots, outputs=("Output",), attrs=names, reads=more, **rest)


def _write(attrs: dict[str, Any], specs: Sequence[Spec]) -> dict[str, Any]:
    return {"data_format": attrs["data_format"], **paddle_paddings(attrs["padding"])}


def _read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    x, weight = slots["Input"][0], slots["Filter"][0]
    stride, dilation, data_format = read_geometry(x.ndim, attrs)
    sizes = spatial_sizes(x.spec.shape, data_format)
    padding = read_padding(attrs, data_format, sizes, weight.spec.shape[2:], stride)
    window = (stride, padding, dilation, attrs.get("groups", 1), data_format)
    return op_named(f"conv{x.ndim - 2}d")(x, weight, *window)


def read_geometry(ndim: int, attrs: dict[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """Stride, dilation and data format of Paddle's attributes; SAME padding means no dilation
    there.
    """
    last = attrs.get("data_format", "NCHW")[-1] == "C"
    data_format = {4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}[ndim][last]
    ones = (1,) * (ndim - 2)
    same = attrs.get("padding_algorithm") == "SAME"
    dilation = ones if same else tuple(attrs.get("dilations", ones))
    return tuple(attrs.get("strides", ones)), dilation, data_format


@primitive(
    name="conv2d",
    promote=promote_after_two,
    amp="low",
    library=convolution("forward"),
    desc=conv_desc("conv2d", 2, "x", write=_write, read=_read),
)
def conv2d_op(
    x: Tensor,
    weight: Tensor,
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
    groups: int = 1,
    data_format: Literal["NCHW", "NHWC"] = "NCHW",
) -> Tensor:
    """Cross-correlation of images with a bank of filters, without bias: the operator under
    `conv2d`.

    x: [N,C,H,W] or [N,H,W,C]. weight: [O,C/groups,KH,KW]. stride, dilation: pixels (h, w). padding:
    zeros at (top, bottom, left, right). Returns [N,O,OH,OW] or [N,OH,OW,O]. Raises ShapeError where
    the channels do not fit. Source: Dumoulin and Visin 2016, arXiv 1603.07285, relationship 15.
    """


@primitive(
    name="conv3d",
    promote=promote_after_two,
    library=convolution("forward"),
    desc=conv_desc("conv3d", 3, "x", write=_write, read=_read),
)
def conv3d_op(
    x: Tensor,
    weight: Tensor,
    stride: tuple[int, ...] = (1, 1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1, 1),
    groups: int = 1,
    data_format: Literal["NCDHW", "NDHWC"] = "NCDHW",
) -> Tensor:
    """Cross-correlation of volumes with a bank of filters: `conv2d` with one spatial axis more.

    x: [N,C,D,H,W] or [N,D,H,W,C]. weight: [O,C/groups,KD,KH,KW]. padding: zeros at (front, back,
    top, bottom, left, right).
    """


@conv3d_op.infer
@conv2d_op.infer
def _(x, weight, stride, padding, dilation, groups, data_format):
    check_images(x.ndim, data_format)
    check_filters(x.shape, weight.shape, groups, data_format)
    check_floating(x)
    sizes = spatial_sizes(x.shape, data_format)
    out = all_windows(sizes, weight.shape[2:], stride, padding, dilation)
    return Spec(image_shape(x.shape[0], weight.shape[0], out, data_format), x.dtype)


@conv3d_op.kernel
@conv2d_op.kernel
def _(x, weight, stride, padding, dilation, groups, data_format):
    check_images(x.ndim, data_format)
    check_filters(x.shape, weight.shape, groups, data_format)
    dtype, (x, weight) = x.dtype, working(x, weight)
    o, kernel_size = weight.shape[0], weight.shape[2:]
    out = all_windows(spatial_sizes(x.shape, data_format), kernel_size, stride, padding, dilation)
    images = channels_first(x, data_format)
    result = np.empty(image_shape(images.shape[1], o, out, data_format), x.dtype)
    view = channels_first(result, data_format)
    for part in batches(images, kernel_size, out):
        windows = windows_of(padded(images[:, part], padding), kernel_size, stride, dilation, out)
        view[:, part] = filtered(windows, weight, groups)
    return result.astype(dtype, copy=False)


@conv3d_op.lower
@conv2d_op.lower
def _(i, x, weight, stride, padding, dilation, groups, data_format):
    n, o, window = parted(i, data_format)
    filters, channels, *kernel_size = weight.shape
    first = o // (filters // groups) * channels

    def term(c, *place):
        pixel = in_window(window, place, stride, padding, dilation)
        return x.padded(joined(n, first + c, pixel, data_format)) * weight[(o, c, *place)]

    return loop.sum((channels, *kernel_size), term)


@conv3d_op.grad
@conv2d_op.grad
def _(g, x, weight, specs, wanted, stride, padding, dilation, groups, data_format):
    rest = (stride, padding, dilation, groups, data_format)
    size, rank = spatial_sizes(specs[0].shape, data_format), len(stride)
    return (
        op_named(f"conv{rank}d_grad_x")(g, weight, size, *rest) if wanted[0] else None,
        op_named(f"conv{rank}d_grad_weight")(x, g, specs[1].shape[2:], *rest)
        if wanted[1]
        else None,
    )


@conv3d_op.flops
@conv2d_op.flops
def _(x, weight, stride, padding, dilation, groups, data_format):
    sizes = spatial_sizes(x.shape, data_format)
    out = all_windows(sizes, weight.shape[2:], stride, padding, dilation)
    return 2 * x.shape[0] * math.prod(out) * weight.size


@conv2d_op.samples
def _(s):
    yield s(s.randn(2, 3, 7, 6), s.randn(4, 3, 3, 3))
    yield s(s.randn(2, 3, 7, 6), s.randn(4, 3, 3, 2), (2, 1), (1, 0, 2, 1), tolerance=1e-4)
    yield s(s.randn(1, 4, 7, 8), s.randn(6, 2, 3, 2), (1, 2), (1, 1, 1, 1), (2, 3), 2)
    yield s(s.randn(2, 3, 5, 5), s.randn(6, 1, 3, 3), padding=(1, 1, 1, 1), groups=3)
    yield s(s.randn(2, 6, 5, 2), s.randn(4, 2, 3, 3), padding=(1, 1, 0, 0), data_format="NHWC")
    yield s(s.randn(1, 1, 1, 1), s.randn(1, 1, 1, 1))
    yield s(s.zeros(0, 2, 4, 4), s.randn(3, 2, 3, 3))
    yield s(s.randn(2, 2, 4, 4, dtype="float64"), s.randn(3, 2, 2, 2, dtype="float64"))
    yield s(
        s.randn(2, 2, 4, 4, dtype="bfloat16"), s.randn(3, 2, 2, 2, dtype="bfloat16"), gradient=False
    )
    yield s.bad(ShapeError, "weight expects 5", s.randn(2, 3, 7, 6), s.randn(4, 5, 3, 3))
    yield s.bad(ShapeError, "4 dimensions", s.randn(3, 7, 6), s.randn(4, 3, 3, 3))
    yield s.bad(ShapeError, "does not fit", s.randn(1, 3, 2, 2), s.randn(4, 3, 3, 3))
    yield s.bad(
        ArgumentError, "multiple of groups", s.randn(1, 4, 5, 5), s.randn(3, 2, 3, 3), groups=2
    )
    yield s.bad(DTypeError, "floating", s.ints(0, 9, 1, 1, 3, 3), s.ints(0, 9, 1, 1, 2, 2))


@conv3d_op.samples
def _(s):
    yield s(s.randn(2, 2, 4, 3, 5), s.randn(3, 2, 2, 2, 3), tolerance=1e-4)
    window = ((2, 1, 1), (1, 0, 0, 1, 1, 1), (1, 2, 1))
    yield s(s.randn(1, 4, 4, 5, 3), s.randn(2, 2, 3, 2, 2), *window, 2, tolerance=1e-4)
    yield s(s.randn(2, 2, 4, 2, 2), s.randn(1, 2, 2, 3, 1), data_format="NDHWC")
    yield s(s.zeros(0, 2, 2, 2, 2), s.randn(3, 2, 2, 1, 1))
    yield s.bad(ShapeError, "5 dimensions", s.randn(3, 7, 6, 5), s.randn(4, 3, 3, 3, 3))
    yield s.bad(ShapeError, "weight expects 5", s.randn(2, 3, 7, 6, 4), s.randn(4, 5, 3, 3, 3))
