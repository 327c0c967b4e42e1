"""Convolutions by filters of 3 by 3 as products of matrices, where that is faster."""

from __future__ import annotations

from typing import Any

from twinoar.core.dtype import float32
from twinoar.core.ir.program import State, Variable
from twinoar.core.ir.rewrite import Attr, rewrite
from twinoar.core.spec import Shape
from twinoar.ops.conv.gradient import conv2d_grad_x
from twinoar.ops.conv.operator import conv2d_op
from twinoar.ops.conv.winograd import (
    PLACES,
    TURNED,
    tiles,
    winograd_filter,
    winograd_input,
    winograd_output,
)
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.shape.concat import stack_op
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
    height, width = images.spec.shape[1:3]
    top, bottom, left, right = padding
    size = height + top + bottom - 2, width + left + right - 2
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


def _is_served(x: Variable, weight: Variable, stride: Any, dilation: Any, groups: int) -> bool:
    """True for float32, every pixel, and filters of 3 by 3 that are transformed once, or a step."""
    if not isinstance(weight, State) or x.spec.dtype is not float32 or not x.spec.is_static:
        return False
    return groups == 1 and {*stride, *dilation} == {1} and weight.spec.shape[2:] == (3, 3)


def _products(
    images: Variable, weight: Variable, size: Any, padding: Any, data_format: str, turned: bool
) -> Any:
    """The convolution of [N,H,W,C]; None where the library's own takes less time."""
    (n, _, _, channels), filters = images.spec.shape, weight.spec.shape[1 if turned else 0]
    count = n * tiles(size[0]) * tiles(size[1])
    if count < FEWEST_TILES or min(channels, filters) < FEWEST_CHANNELS:
        return None
    given = reshape_op(winograd_input(images, padding), (PLACES, count, channels))
    parts = winograd_filter(weight)
    matrices = stack_op([parts[place] for place in TURNED] if turned else list(parts))
    products = matmul(given, matrices, False, not turned)
    shape = (PLACES, n, tiles(size[0]), tiles(size[1]), filters)
    out = winograd_output(reshape_op(products, shape), size)
    return out if data_format == "NHWC" else transpose_op(out, FIRST)
