"""Convolution of images, volumes and sequences as users call it: `conv2d`, `conv3d`, `conv1d`."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Tensor, function, op_named
from twinoar.ops.math.arithmetic import add
from twinoar.ops.shape.reshape import reshape, squeeze, unsqueeze
from twinoar.ops.window._geometry import (
    check_filters,
    check_format,
    check_images,
    explicit_padding,
    per_axis,
    spatial_sizes,
)


@function
def conv2d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NCHW",
) -> Tensor:
    """Cross-correlation of images with filters, plus a bias for each filter.

    x: [N,C,H,W] or [N,H,W,C], floating. weight: [O,C/groups,KH,KW]. bias: [O]. stride, dilation:
    pixels, one number or (h, w). padding: "SAME" (then dilation is 1), "VALID", one, two or four
    numbers (top, bottom, left, right), or a pair for every dimension. groups: channels and filters
    are cut into so many groups. Returns [N,O,OH,OW] or [N,OH,OW,O], where
    OH = (H + top + bottom - dilation (KH - 1) - 1) // stride + 1. Raises ShapeError where channels
    do not fit or the filter is larger than the image, ArgumentError for a padding of another form.
    Source: Dumoulin and Visin 2016, arXiv 1603.07285.

    >>> x, weight = twinoar.ones([1, 1, 3, 3]), twinoar.ones([1, 1, 2, 2])
    >>> twinoar.nn.functional.conv2d(x, weight, stride=2, padding=1).tolist()
    [[[[1.0, 2.0], [2.0, 4.0]]]]
    """
    window = (stride, padding, dilation, groups, data_format)
    return _convolved(2, x, weight, bias, *window)


@function
def conv3d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NCDHW",
) -> Tensor:
    """Cross-correlation of volumes with filters: `conv2d` with one axis more.

    x: [N,C,D,H,W] or [N,D,H,W,C], floating. weight: [O,C/groups,KD,KH,KW]. bias: [O]. stride,
    dilation: one number or (d, h, w). padding: "SAME", "VALID", one, three or six numbers (front,
    back, top, bottom, left, right), or a pair for every dimension. Returns [N,O,OD,OH,OW] or
    [N,OD,OH,OW,O]. Raises ShapeError and ArgumentError.

    >>> x, weight = twinoar.ones([1, 1, 2, 2, 2]), twinoar.ones([1, 1, 2, 2, 1])
    >>> twinoar.nn.functional.conv3d(x, weight).tolist()
    [[[[[4.0, 4.0]]]]]
    """
    window = (stride, padding, dilation, groups, data_format)
    return _convolved(3, x, weight, bias, *window)


@function
def conv1d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NCL",
) -> Tensor:
    """Cross-correlation of sequences with filters: `conv2d` with one row.

    x: [N,C,L] or [N,L,C], floating. weight: [O,C/groups,K]. bias: [O]. padding: "SAME", "VALID",
    one number, (left, right), or a pair for every dimension. Returns [N,O,OL] or [N,OL,O]. Raises
    ShapeError and ArgumentError.

    >>> x, weight = twinoar.ones([1, 1, 3]), twinoar.ones([1, 1, 2])
    >>> twinoar.nn.functional.conv1d(x, weight, padding=1).tolist()
    [[[1.0, 2.0, 2.0, 1.0]]]
    """
    check_images(x.ndim, data_format)
    check_filters(x.spec.shape, weight.spec.shape, groups, data_format)
    steps, spread = per_axis(stride, 1, "stride"), per_axis(dilation, 1, "dilation")
    sizes, kernel_size = spatial_sizes(x.spec.shape, data_format), weight.spec.shape[2:]
    sides = explicit_padding(padding, data_format, sizes, kernel_size, steps)
    row, image_format = row_axis(data_format)
    out = conv2d(
        unsqueeze(x, row),
        unsqueeze(weight, 2),
        bias,
        (1, *steps),
        (0, 0, *sides),
        (1, 1) if _is_same(padding) else (1, *spread),
        groups,
        image_format,
    )
    return squeeze(out, row)


def _convolved(
    rank: int,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    data_format: str,
) -> Tensor:
    """The convolution of images or volumes with `rank` spatial axes."""
    op = op_named(f"conv{rank}d")
    check_format(data_format, rank)
    check_images(x.ndim, data_format)
    check_filters(x.spec.shape, weight.spec.shape, groups, data_format)
    steps, spread = per_axis(stride, rank, "stride"), per_axis(dilation, rank, "dilation")
    spread = (1,) * rank if _is_same(padding) else spread
    sizes, kernel_size = spatial_sizes(x.spec.shape, data_format), weight.spec.shape[2:]
    sides = explicit_padding(padding, data_format, sizes, kernel_size, steps)
    out = op(x, weight, steps, sides, spread, groups, data_format)
    return out if bias is None else add(out, channel_bias(bias, data_format))


def channel_bias(bias: Tensor, data_format: str) -> Tensor:
    """A bias [O] in a shape that adds to images of O channels."""
    if data_format[-1] == "C":
        return bias
    return reshape(bias, (1, bias.spec.shape[0], *(1,) * (len(data_format) - 2)))


def row_axis(data_format: str) -> tuple[int, str]:
    """Where a sequence gets the axis that makes it an image of one row, and the image's format."""
    return (1, "NHWC") if data_format[-1] == "C" else (2, "NCHW")


def _is_same(padding: Any) -> bool:
    return isinstance(padding, str) and padding.upper() == "SAME"
