"""The gradients of convolution with respect to images and to filters, for images and volumes.

The former is transposed convolution too, and stands so in Paddle's files.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from twinoar.core.dim import differ, is_known
from twinoar.core.op.declare import Shape, Spec, Tensor, loop, op_named, primitive
from twinoar.errors import ShapeError
from twinoar.ops.conv.operator import conv_desc, convolution, read_geometry
from twinoar.ops.math.cast import promote_after_two
from twinoar.ops.window._columns import (
    batches,
    channels_first,
    correlated,
    inside,
    padded,
    padded_shape,
    scatter_filtered,
    windows_of,
)
from twinoar.ops.window._geometry import (
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
from twinoar.ops.window._pixel import covering, in_window, joined, parted


def _write(attrs: dict[str, Any], specs: Sequence[Spec]) -> dict[str, Any]:
    dy, weight = specs[0].shape, specs[1].shape
    small, padding = spatial_sizes(dy, attrs["data_format"]), attrs["padding"]
    least = transposed_sizes(small, weight[2:], attrs["stride"], padding, attrs["dilation"])
    more = tuple(m - n for m, n in zip(attrs["size"], least, strict=True))
    return {
        "output_size": attrs["size"] if is_known(*attrs["size"]) else (),
        "output_padding": more if is_known(*more) and any(more) else (),
        "data_format": "NHWC" if attrs["data_format"][-1] == "C" else "NCHW",  # of volumes too
        **paddle_paddings(padding),
    }


def _read(slots: dict[str, list[Any]], attrs: dict[str, Any]) -> Tensor:
    dy, weight = slots["Input"][0], slots["Filter"][0]
    stride, dilation, data_format = read_geometry(dy.ndim, attrs)
    small, kernel_size = spatial_sizes(dy.spec.shape, data_format), weight.spec.shape[2:]
    padding = read_padding(attrs, data_format, small, kernel_size, stride)
    size = tuple(attrs.get("output_size") or ())
    if not size or -1 in size:
        more = per_axis(attrs.get("output_padding") or 0, dy.ndim - 2, "output_padding")
        size = transposed_sizes(small, kernel_size, stride, padding, dilation, more)
    window = (stride, padding, dilation, attrs.get("groups", 1), data_format)
    return op_named(f"conv{dy.ndim - 2}d_grad_x")(dy, weight, size, *window)


@primitive(
    slow_kernel=True,
    promote=promote_after_two,
    library=convolution("backward_data"),
    desc=conv_desc("conv2d_transpose", 2, "dy", write=_write, read=_read),
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


@primitive(
    slow_kernel=True,
    promote=promote_after_two,
    library=convolution("backward_data"),
    desc=conv_desc("conv3d_transpose", 3, "dy", write=_write, read=_read),
)
def conv3d_grad_x(
    dy: Tensor,
    weight: Tensor,
    size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1, 1),
    groups: int = 1,
    data_format: Literal["NCDHW", "NDHWC"] = "NCDHW",
) -> Tensor:
    """`conv2d_grad_x` for volumes of `size` (D, H, W).

    dy: [N,O,OD,OH,OW] or [N,OD,OH,OW,O]. weight: [O,C/groups,KD,KH,KW].
    """


@conv3d_grad_x.infer
@conv2d_grad_x.infer
def _(dy, weight, size, stride, padding, dilation, groups, data_format):
    check_images(dy.ndim, data_format)
    check_floating(dy)
    channels = _check_gradient(
        dy.shape, weight.shape, size, stride, padding, dilation, groups, data_format
    )
    return Spec(image_shape(dy.shape[0], channels, size, data_format), dy.dtype)


@conv3d_grad_x.kernel
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


@conv3d_grad_x.lower
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


@conv3d_grad_x.flops
@conv2d_grad_x.flops
def _(dy, weight, size, stride, padding, dilation, groups, data_format):
    return 2 * dy.size * math.prod(weight.shape[1:])


@conv3d_grad_x.grad
@conv2d_grad_x.grad
def _(g, dy, weight, specs, wanted, stride, padding, dilation, groups, data_format):
    rest = (stride, padding, dilation, groups, data_format)
    return (
        op_named(f"conv{len(stride)}d")(g, weight, *rest) if wanted[0] else None,
        op_named(f"conv{len(stride)}d_grad_weight")(g, dy, specs[1].shape[2:], *rest)
        if wanted[1]
        else None,
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


@primitive(slow_kernel=True, promote=promote_after_two, library=convolution("backward_weights"))
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


@primitive(slow_kernel=True, promote=promote_after_two, library=convolution("backward_weights"))
def conv3d_grad_weight(
    x: Tensor,
    dy: Tensor,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...] = (1, 1, 1),
    padding: tuple[int, ...] = (0, 0, 0, 0, 0, 0),
    dilation: tuple[int, ...] = (1, 1, 1),
    groups: int = 1,
    data_format: Literal["NCDHW", "NDHWC"] = "NCDHW",
) -> Tensor:
    """`conv2d_grad_weight` for volumes and filters of `kernel_size` (KD, KH, KW).

    x: [N,C,D,H,W] or [N,D,H,W,C]. dy: [N,O,OD,OH,OW] or [N,OD,OH,OW,O].
    """


@conv3d_grad_weight.infer
@conv2d_grad_weight.infer
def _(x, dy, kernel_size, stride, padding, dilation, groups, data_format):
    check_images(x.ndim, data_format)
    check_images(dy.ndim, data_format)
    check_floating(x)
    shape = _filter_shape(x.shape, dy.shape, kernel_size, groups, data_format)
    size = spatial_sizes(x.shape, data_format)
    _check_gradient(dy.shape, shape, size, stride, padding, dilation, groups, data_format)
    return Spec(shape, x.dtype)


@conv3d_grad_weight.kernel
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


@conv3d_grad_weight.lower
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


@conv3d_grad_weight.flops
@conv2d_grad_weight.flops
def _(x, dy, kernel_size, stride, padding, dilation, groups, data_format):
    filter_shape = _filter_shape(x.shape, dy.shape, kernel_size, groups, data_format)
    return 2 * dy.size * math.prod(filter_shape[1:])


@conv3d_grad_weight.grad
@conv2d_grad_weight.grad
def _(g, x, dy, specs, wanted, stride, padding, dilation, groups, data_format):
    rest = (stride, padding, dilation, groups, data_format)
    size = spatial_sizes(specs[0].shape, data_format)
    return (
        op_named(f"conv{len(stride)}d_grad_x")(dy, g, size, *rest) if wanted[0] else None,
        op_named(f"conv{len(stride)}d")(x, g, *rest) if wanted[1] else None,
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


@conv3d_grad_x.samples
def _(s):
    yield s(s.randn(2, 3, 3, 2, 3), s.randn(3, 2, 2, 2, 3), (4, 3, 5), tolerance=1e-4)
    window = ((2, 1, 1), (1, 0, 0, 1, 1, 1), (1, 2, 1))
    yield s(s.randn(1, 2, 2, 4, 4), s.randn(2, 2, 3, 2, 2), (4, 5, 3), *window, 2)
    given = (s.randn(2, 1, 2, 2, 1), s.randn(1, 2, 2, 3, 1), (2, 4, 2))
    yield s(*given, data_format="NDHWC")


@conv3d_grad_weight.samples
def _(s):
    yield s(s.randn(2, 2, 4, 3, 5), s.randn(2, 3, 3, 2, 3), (2, 2, 3), tolerance=1e-4)
    window = ((2, 1, 1), (1, 0, 0, 1, 1, 1), (1, 2, 1))
    given = (s.randn(1, 4, 4, 5, 3), s.randn(1, 2, 2, 4, 4), (3, 2, 2))
    yield s(*given, *window, 2, tolerance=1e-4)
    given = (s.randn(2, 2, 4, 2, 2), s.randn(2, 1, 2, 2, 1), (2, 3, 1))
    yield s(*given, data_format="NDHWC")


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
