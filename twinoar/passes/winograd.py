"""Convolutions by filters of 3 by 3 as products of matrices, where that is faster."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import float32
from twinoar.core.ir.program import State, Variable
from twinoar.core.ir.rewrite import Attr, rewrite
from twinoar.core.spec import Shape
from twinoar.ops.conv.gradient import conv2d_grad_weight, conv2d_grad_x
from twinoar.ops.conv.operator import conv2d_op
from twinoar.ops.conv.winograd import (
    PLACES,
    convolved_size,
    tiles,
    winograd_filter,
    winograd_filter_gradient,
    winograd_input,
    winograd_output,
    winograd_pixels,
)
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.reshape import reshape_op, transpose_op

FEWEST_CHANNELS = 48  # products grow with channels times filters, transforms with their sum
FEWEST_TILES = 40  # of all images: fewer are done while the filters are read
FORM = tuple(map(Attr, ("stride", "padding", "dilation", "groups", "data_format")))
LAST, FIRST = (0, 2, 3, 1), (0, 3, 1, 2)


@rewrite(lambda x, weight: conv2d_op(x, weight, *FORM))
def winograd(x: Variable, weight: Variable, padding: Any, data_format: str, **rest: Any) -> Any:
    """A convolution is sixteen products of tiles and filters, both transformed."""
    if not _is_served(x, weight, **rest):
        return None
    images = x if data_format == "NHWC" else transpose_op(x, LAST)
    size = convolved_size(images.spec, padding)
    return _products(images, weight, size, padding, data_format, turned=False)


@rewrite(lambda dy, weight: conv2d_grad_x(dy, weight, Attr("size"), *FORM))
def winograd_grad_x(
    dy: Variable, weight: Variable, size: Shape, padding: Any, data_format: str, **rest: Any
) -> Any:
    """The gradient of images is a convolution by filters that are turned around."""
    if not _is_served(dy, weight, **rest):
        return None
    images = dy if data_format == "NHWC" else transpose_op(dy, LAST)
    top, _, left, _ = padding
    below, right = (
        n - m + low for n, m, low in zip(size, images.spec.shape[1:3], (top, left), strict=True)
    )
    around = 2 - top, below, 2 - left, right
    if min(around) < 0:
        return None
    return _products(images, weight, size, around, data_format, turned=True)


@rewrite(lambda x, dy: conv2d_grad_weight(x, dy, Attr("kernel_size"), *FORM))
def winograd_grad_weight(
    x: Variable, dy: Variable, kernel_size: Shape, padding: Any, data_format: str, **rest: Any
) -> Any:
    """The gradient of filters is sixteen products of tiles of images and of the gradient."""
    if kernel_size != (3, 3) or not _fits(x, **rest) or not dy.spec.is_static:
        return None
    images, pixels = (v if data_format == "NHWC" else transpose_op(v, LAST) for v in (x, dy))
    (n, height, width, filters), channels = pixels.spec.shape, images.spec.shape[3]
    count = n * tiles(height) * tiles(width)
    if not _pays(count, channels, filters):
        return None
    given = reshape_op(winograd_input(images, padding), (PLACES, count, channels))
    wanted = reshape_op(winograd_pixels(pixels), (PLACES, count, filters))
    return winograd_filter_gradient(matmul(wanted, given, True, False))


def _is_served(x: Variable, weight: Variable, stride: Any, dilation: Any, groups: int) -> bool:
    """True for float32, every pixel, and filters of 3 by 3 that are transformed once, or a step."""
    if not isinstance(weight, State) or weight.spec.shape[2:] != (3, 3):
        return False
    return _fits(x, stride, dilation, groups)


def _fits(x: Variable, stride: Any, dilation: Any, groups: int) -> bool:
    is_static = x.spec.dtype is float32 and x.spec.is_static
    return is_static and groups == 1 and {*stride, *dilation} == {1}


def _pays(count: Any, channels: Any, filters: Any) -> bool:
    """True where products of so many tiles take less time than the library's own convolution."""
    return bool(count >= FEWEST_TILES and min(channels, filters) >= FEWEST_CHANNELS)


def _products(
    images: Variable, weight: Variable, size: Any, padding: Any, data_format: str, turned: bool
) -> Any:
    """The convolution of [N,H,W,C]; None where the library's own takes less time."""
    (n, _, _, channels), filters = images.spec.shape, weight.spec.shape[1 if turned else 0]
    count = n * tiles(size[0]) * tiles(size[1])
    if not _pays(count, channels, filters):
        return None
    given = reshape_op(winograd_input(images, padding, turned), (PLACES, count, channels))
    products = matmul(given, winograd_filter(weight), False, not turned)
    shape = (PLACES, n, tiles(size[0]), tiles(size[1]), filters)
    out = winograd_output(reshape_op(products, shape), size, turned)
    return out if data_format == "NHWC" else transpose_op(out, FIRST)
