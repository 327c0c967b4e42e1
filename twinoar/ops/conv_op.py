"""Convolution of images as an operator, and the operators that are its gradients.

The three operators are closed under differentiation: each is linear in both its operands, and its
gradients are the other two. Kernels gather windows into columns and leave the arithmetic to one
BLAS call per group.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from twinoar.core import loop
from twinoar.core.desc import Desc
from twinoar.core.dim import differ, is_known
from twinoar.core.library import Convolution, Direction
from twinoar.core.op import primitive
from twinoar.core.spec import Shape, Spec
from twinoar.core.values import Value
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.cast import promote_operands
from twinoar.ops.columns import (
    batches,
    channels_first,
    correlated,
    filtered,
    inside,
    padded,
    padded_shape,
    scatter_filtered,
    windows_of,
)
from twinoar.ops.pixel import covering, in_window, joined, parted
from twinoar.ops.window import (
    all_windows,
    check_filters,
    check_floating,
    check_images,
    image_shape,
    paddle_paddings,
    per_axis,
    read_padding,
    spatial_sizes,
    transposed_sizes,
    working,
)

Tensor = Value


def _convolution(direction: Direction) -> Callable[..., Convolution]:
    """A `library` rule."""

    def describe(
        stride: Any, padding: Any, dilation: Any, groups: int, data_format: str
    ) -> Convolution:
        return Convolution(direction, stride, dilation, padding, groups, data_format == "NHWC")

    return describe


def _read_conv2d(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    x, weight = slots["Input"][0], slots["Filter"][0]
    stride, dilation, data_format = _read_geometry(attrs)
    sizes = spatial_sizes(x.spec.shape, data_format)
    padding = read_padding(attrs, data_format, sizes, weight.spec.shape[2:], stride)
    return conv2d_op(x, weight, stride, padding, dilation, attrs.get("groups", 1), data_format)


def _write_padding(attrs: dict[str, Any], specs: Sequence[Spec]) -> dict[str, Any]:
    return paddle_paddings(attrs["padding"])


@primitive(
    name="conv2d",
    promote=promote_operands,
    amp="low",
    library=_convolution("forward"),
    desc=Desc(
        "conv2d",
        {"Input": "x", "Filter": "weight"},
        outputs=("Output",),
        attrs={
            "strides": "stride",
            "dilations": "dilation",
            "groups": "groups",
            "data_format": "data_format",
        },
        write=_write_padding,
        read=_read_conv2d,
        reads=("depthwise_conv2d",),
    ),
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


@conv2d_op.infer
def _(x, weight, stride, padding, dilation, groups, data_format):
    check_images(x.ndim, data_format)
    check_filters(x.shape, weight.shape, groups, data_format)
    check_floating(x)
    sizes = spatial_sizes(x.shape, data_format)
    out = all_windows(sizes, weight.shape[2:], stride, padding, dilation)
    return Spec(image_shape(x.shape[0], weight.shape[0], out, data_format), x.dtype)


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


@conv2d_op.lower
def _(i, x, weight, stride, padding, dilation, groups, data_format):
    n, o, window = parted(i, data_format)
    filters, channels, *kernel_size = weight.shape
    first = o // (filters // groups) * channels

    def term(c, *place):
        pixel = in_window(window, place, stride, padding, dilation)
        return x.padded(joined(n, first + c, pixel, data_format)) * weight[(o, c, *place)]

    return loop.sum((channels, *kernel_size), term)


@conv2d_op.grad
def _(g, x, weight, specs, wanted, stride, padding, dilation, groups, data_format):
    rest = (stride, padding, dilation, groups, data_format)
    size = spatial_sizes(specs[0].shape, data_format)
    return (
        conv2d_grad_x(g, weight, size, *rest) if wanted[0] else None,
        conv2d_grad_weight(x, g, specs[1].shape[2:], *rest) if wanted[1] else None,
    )


@conv2d_op.flops
def _(x, weight, stride, padding, dilation, groups, data_format):
    sizes = spatial_sizes(x.shape, data_format)
    out = all_windows(sizes, weight.shape[2:], stride, padding, dilation)
    return 2 * x.shape[0] * math.prod(out) * weight.size


@conv2d_op.onnx
def _(g, x, weight, stride, padding, dilation, groups, data_format):
    if data_format != "NCHW":
        raise ArgumentError("ONNX has convolution in NCHW only", cure="build the model in NCHW")
    pads = (*padding[::2], *padding[1::2])
    return g.node("Conv", x, weight, strides=stride, pads=pads, dilations=dilation, group=groups)


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


def _read_conv2d_transpose(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    dy, weight = slots["Input"][0], slots["Filter"][0]
    stride, dilation, data_format = _read_geometry(attrs)
    small, kernel_size = spatial_sizes(dy.spec.shape, data_format), weight.spec.shape[2:]
    padding = read_padding(attrs, data_format, small, kernel_size, stride)
    size = tuple(attrs.get("output_size") or ())
    if not size or -1 in size:
        more = per_axis(attrs.get("output_padding") or 0, 2, "output_padding")
        size = transposed_sizes(small, kernel_size, stride, padding, dilation, more)
    groups = attrs.get("groups", 1)
    return conv2d_grad_x(dy, weight, size, stride, padding, dilation, groups, data_format)


def _write_transpose(attrs: dict[str, Any], specs: Sequence[Spec]) -> dict[str, Any]:
    dy, weight = specs[0].shape, specs[1].shape
    small, padding = spatial_sizes(dy, attrs["data_format"]), attrs["padding"]
    least = transposed_sizes(small, weight[2:], attrs["stride"], padding, attrs["dilation"])
    more = tuple(m - n for m, n in zip(attrs["size"], least, strict=True))
    size = attrs["size"] if is_known(*attrs["size"]) else ()
    more = more if is_known(*more) and any(more) else ()
    return {"output_size": size, "output_padding": more, **paddle_paddings(padding)}


@primitive(
    promote=promote_operands,
    amp="low",
    library=_convolution("backward_data"),
    desc=Desc(
        "conv2d_transpose",
        {"Input": "dy", "Filter": "weight"},
        outputs=("Output",),
        attrs={
            "strides": "stride",
            "dilations": "dilation",
            "groups": "groups",
            "data_format": "data_format",
        },
        write=_write_transpose,
        read=_read_conv2d_transpose,
        reads=("depthwise_conv2d_transpose",),
    ),
)
def conv2d_grad_x(
    dy: Tensor,
    weight: Tensor,
    size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
    groups: int = 1,
    data_format: Literal["NCHW", "NHWC"] = "NCHW",
) -> Tensor:
    """The gradient of convolution with respect to its images of `size` (H, W); also the transposed
    convolution.

    dy: [N,O,OH,OW] or [N,OH,OW,O]. weight: [O,C/groups,KH,KW]. Returns [N,C,H,W] or [N,H,W,C].
    Raises ShapeError where convolution of images of `size` does not give the shape of dy.
    """


@conv2d_grad_x.infer
def _(dy, weight, size, stride, padding, dilation, groups, data_format):
    check_images(dy.ndim, data_format)
    check_floating(dy)
    channels = _check_gradient(
        dy.shape, weight.shape, size, stride, padding, dilation, groups, data_format
    )
    return Spec(image_shape(dy.shape[0], channels, size, data_format), dy.dtype)


@conv2d_grad_x.kernel
def _(dy, weight, size, stride, padding, dilation, groups, data_format):
    check_images(dy.ndim, data_format)
    channels = _check_gradient(
        dy.shape, weight.shape, size, stride, padding, dilation, groups, data_format
    )
    dtype, (dy, weight) = dy.dtype, working(dy, weight)
    kernel_size = weight.shape[2:]
    gradients = channels_first(dy, data_format)
    result = np.empty(image_shape(gradients.shape[1], channels, size, data_format), dy.dtype)
    view = channels_first(result, data_format)
    middle = inside(padding, size)
    for part in batches(view, kernel_size, gradients.shape[2:]):
        images = view[:, part]
        whole = np.zeros(padded_shape(images.shape, padding), dy.dtype)
        scatter_filtered(whole, gradients[:, part], weight, stride, dilation, groups)
        images[...] = whole[middle]
    return result.astype(dtype, copy=False)


@conv2d_grad_x.lower
def _(i, dy, weight, stride, padding, dilation, groups, data_format):
    n, c, pixel = parted(i, data_format)
    filters, channels, *kernel_size = weight.shape
    each = filters // groups
    first = c // channels * each
    counts, found = covering(pixel, kernel_size, stride, padding, dilation)

    def term(o, *k):
        window, place, exists = found(*k)
        share = dy.padded(joined(n, first + o, window, data_format))
        share = share * weight.padded((first + o, c % channels, *place))
        return loop.select(exists, share, 0.0)

    return loop.sum((each, *counts), term)


@conv2d_grad_x.flops
def _(dy, weight, size, stride, padding, dilation, groups, data_format):
    return 2 * dy.size * math.prod(weight.shape[1:])


@conv2d_grad_x.grad
def _(g, dy, weight, specs, wanted, stride, padding, dilation, groups, data_format):
    rest = (stride, padding, dilation, groups, data_format)
    return (
        conv2d_op(g, weight, *rest) if wanted[0] else None,
        conv2d_grad_weight(g, dy, specs[1].shape[2:], *rest) if wanted[1] else None,
    )


@conv2d_grad_x.samples
def _(s):
    yield s(s.randn(2, 4, 5, 4), s.randn(4, 3, 3, 3), (7, 6))
    yield s(s.randn(2, 4, 3, 7), s.randn(4, 3, 3, 2), (6, 5), (2, 1), (1, 0, 2, 1), tolerance=1e-4)
    yield s(s.randn(1, 6, 5, 4), s.randn(6, 2, 3, 2), (7, 8), (1, 2), (1, 1, 1, 1), (2, 3), 2)
    yield s(s.randn(2, 6, 5, 5), s.randn(6, 1, 3, 3), (5, 5), padding=(1, 1, 1, 1), groups=3)
    yield s(
        s.randn(2, 6, 3, 4), s.randn(4, 2, 3, 3), (6, 5), padding=(1, 1, 0, 0), data_format="NHWC"
    )
    yield s(s.randn(1, 3, 2, 2), s.randn(3, 1, 3, 3), (4, 4), groups=3)
    yield s(s.zeros(0, 3, 2, 2), s.randn(3, 2, 3, 3), (4, 4))
    yield s.bad(ShapeError, "has 4 channels", s.randn(1, 4, 2, 2), s.randn(3, 2, 3, 3), (4, 4))
    yield s.bad(
        ShapeError, "images of 9x9 give 7x7", s.randn(1, 3, 2, 2), s.randn(3, 2, 3, 3), (9, 9)
    )


@primitive(promote=promote_operands, amp="low", library=_convolution("backward_weights"))
def conv2d_grad_weight(
    x: Tensor,
    dy: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1),
    groups: int = 1,
    data_format: Literal["NCHW", "NHWC"] = "NCHW",
) -> Tensor:
    """The gradient of convolution with respect to its filters of `kernel_size` (KH, KW).

    x: [N,C,H,W] or [N,H,W,C]. dy: [N,O,OH,OW] or [N,OH,OW,O]. Returns [O,C/groups,KH,KW].
    """


@conv2d_grad_weight.infer
def _(x, dy, kernel_size, stride, padding, dilation, groups, data_format):
    check_images(x.ndim, data_format)
    check_images(dy.ndim, data_format)
    check_floating(x)
    shape = _filter_shape(x.shape, dy.shape, kernel_size, groups, data_format)
    size = spatial_sizes(x.shape, data_format)
    _check_gradient(dy.shape, shape, size, stride, padding, dilation, groups, data_format)
    return Spec(shape, x.dtype)


@conv2d_grad_weight.kernel
def _(x, dy, kernel_size, stride, padding, dilation, groups, data_format):
    shape = _filter_shape(x.shape, dy.shape, kernel_size, groups, data_format)
    size = spatial_sizes(x.shape, data_format)
    _check_gradient(dy.shape, shape, size, stride, padding, dilation, groups, data_format)
    dtype, (x, dy) = x.dtype, working(x, dy)
    result = np.zeros(shape, x.dtype)
    images, gradients = channels_first(x, data_format), channels_first(dy, data_format)
    out = gradients.shape[2:]
    for part in batches(images, kernel_size, out):
        windows = windows_of(padded(images[:, part], padding), kernel_size, stride, dilation, out)
        result += correlated(windows, gradients[:, part], result.shape, groups)
    return result.astype(dtype, copy=False)


@conv2d_grad_weight.lower
def _(i, x, dy, spec, stride, padding, dilation, groups, data_format):
    o, c, *place = i
    filters, channels, *_ = spec.shape
    images, _, windows = parted(dy.shape, data_format)
    first = o // (filters // groups) * channels

    def term(n, *window):
        pixel = in_window(window, place, stride, padding, dilation)
        pixels = x.padded(joined(n, first + c, pixel, data_format))
        return pixels * dy[joined(n, o, window, data_format)]

    return loop.sum((images, *windows), term)


@conv2d_grad_weight.flops
def _(x, dy, kernel_size, stride, padding, dilation, groups, data_format):
    filter_shape = _filter_shape(x.shape, dy.shape, kernel_size, groups, data_format)
    return 2 * dy.size * math.prod(filter_shape[1:])


@conv2d_grad_weight.grad
def _(g, x, dy, specs, wanted, stride, padding, dilation, groups, data_format):
    rest = (stride, padding, dilation, groups, data_format)
    size = spatial_sizes(specs[0].shape, data_format)
    return (
        conv2d_grad_x(dy, g, size, *rest) if wanted[0] else None,
        conv2d_op(x, g, *rest) if wanted[1] else None,
    )


@conv2d_grad_weight.samples
def _(s):
    yield s(s.randn(2, 3, 7, 6), s.randn(2, 4, 5, 4), (3, 3), tolerance=1e-4)
    yield s(s.randn(2, 3, 6, 5), s.randn(2, 4, 3, 7), (3, 2), (2, 1), (1, 0, 2, 1), tolerance=1e-4)
    yield s(s.randn(1, 4, 7, 8), s.randn(1, 6, 5, 4), (3, 2), (1, 2), (1, 1, 1, 1), (2, 3), 2)
    yield s(
        s.randn(2, 3, 5, 5),
        s.randn(2, 6, 5, 5),
        (3, 3),
        padding=(1, 1, 1, 1),
        groups=3,
        tolerance=1e-4,
    )
    yield s(
        s.randn(2, 6, 5, 2), s.randn(2, 6, 3, 4), (3, 3), padding=(1, 1, 0, 0), data_format="NHWC"
    )
    yield s(s.zeros(0, 2, 4, 4), s.zeros(0, 3, 2, 2), (3, 3))
    yield s.bad(ShapeError, "give 3x3", s.randn(1, 2, 4, 4), s.randn(1, 3, 2, 2), (2, 2))


def _filter_shape(x: Shape, dy: Shape, kernel_size: Shape, groups: int, data_format: str) -> Shape:
    axis = -1 if data_format[-1] == "C" else 1
    return (dy[axis], x[axis] // groups, *kernel_size)


def _check_gradient(
    dy: Shape,
    weight: Shape,
    size: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
    data_format: str,
) -> Any:
    """The channels of the images; raises ShapeError where their convolution does not have the shape
    of dy.
    """
    channels = dy[-1 if data_format[-1] == "C" else 1]
    if differ(channels, weight[0]):
        raise ShapeError(
            f"dy has {channels} channels, weight has {weight[0]} filters",
            cure="check data_format and the layer's in_channels",
        )
    check_filters(
        image_shape(dy[0], weight[1] * groups, size, data_format), weight, groups, data_format
    )
    expected, received = (
        all_windows(size, weight[2:], stride, padding, dilation),
        spatial_sizes(dy, data_format),
    )
    if is_known(*expected, *received) and expected != received:
        shown = ("x".join(map(str, sizes)) for sizes in (size, expected, received))
        raise ShapeError("images of {} give {} and not the {} of dy".format(*shown))
    return weight[1] * groups


def _read_geometry(attrs: dict[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """Stride, dilation and data format of Paddle's attributes; SAME padding means no dilation
    there.
    """
    data_format = "NHWC" if attrs.get("data_format", "NCHW") == "NHWC" else "NCHW"
    same = attrs.get("padding_algorithm") == "SAME"
    dilation = (1, 1) if same else tuple(attrs.get("dilations", (1, 1)))
    return tuple(attrs.get("strides", (1, 1))), dilation, data_format
