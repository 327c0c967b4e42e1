"""Transposed convolution: the gradient of convolution with respect to its images, as a layer."""

from __future__ import annotations

from typing import Any

from twinoar.core.dim import is_known
from twinoar.core.op.declare import Shape, Tensor, function, op_named
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops._sizes import sizes as sizes_of
from twinoar.ops.conv.conv import channel_bias, row_axis
from twinoar.ops.math.arithmetic import add
from twinoar.ops.shape.reshape import squeeze, unsqueeze
from twinoar.ops.window._geometry import (
    check_format,
    check_images,
    check_weight,
    explicit_padding,
    per_axis,
    spatial_sizes,
    transposed_sizes,
)

Sizes = tuple[Any, ...]


@function
def conv2d_transpose(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    output_size: Any = None,
    data_format: str = "NCHW",
) -> Tensor:
    """Transposed convolution: every pixel of x puts a weighted filter into the output.

    x: [N,C,H,W] or [N,H,W,C], floating. weight: [C,O/groups,KH,KW]. bias: [O]. stride, padding,
    dilation, groups: of the convolution that this one is the transpose of. output_size: (h, w) of
    the output, or output_padding: what is added to its least size
    (H - 1) stride - top - bottom + dilation (KH - 1) + 1, less than stride. Returns [N,O,h,w] or
    [N,h,w,O]. Raises ShapeError and ArgumentError. Source: arXiv 1603.07285, chapter 4.

    >>> x, weight = twinoar.ones([1, 1, 1, 2]), twinoar.ones([1, 1, 1, 3])
    >>> twinoar.nn.functional.conv2d_transpose(x, weight, stride=2).tolist()
    [[[[1.0, 1.0, 2.0, 1.0, 1.0]]]]
    """
    window = (stride, padding, output_padding, dilation, output_size, groups, data_format)
    return _checked(2, x, weight, bias, *window)


@function
def conv3d_transpose(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
    output_size: Any = None,
    data_format: str = "NCDHW",
) -> Tensor:
    """Transposed convolution of volumes: `conv2d_transpose` with one axis more.

    x: [N,C,D,H,W] or [N,D,H,W,C], floating. weight: [C,O/groups,KD,KH,KW]. bias: [O]. Returns
    [N,O,d,h,w] or [N,d,h,w,O]. Raises ShapeError and ArgumentError.

    >>> x, weight = twinoar.ones([1, 1, 1, 1, 2]), twinoar.ones([1, 1, 1, 1, 3])
    >>> twinoar.nn.functional.conv3d_transpose(x, weight, stride=2).flatten().tolist()
    [1.0, 1.0, 2.0, 1.0, 1.0]
    """
    window = (stride, padding, output_padding, dilation, output_size, groups, data_format)
    return _checked(3, x, weight, bias, *window)


@function
def conv1d_transpose(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
    output_size: Any = None,
    data_format: str = "NCL",
) -> Tensor:
    """Transposed convolution of sequences: `conv2d_transpose` with one row.

    x: [N,C,L] or [N,L,C], floating. weight: [C,O/groups,K]. bias: [O]. Returns [N,O,l] or [N,l,O].
    Raises ShapeError and ArgumentError.

    >>> x, weight = twinoar.ones([1, 1, 2]), twinoar.ones([1, 1, 3])
    >>> twinoar.nn.functional.conv1d_transpose(x, weight, stride=2).tolist()
    [[[1.0, 1.0, 2.0, 1.0, 1.0]]]
    """
    check_images(x.ndim, data_format)
    steps, spread = per_axis(stride, 1, "stride"), per_axis(dilation, 1, "dilation")
    sizes, kernel_size = spatial_sizes(x.spec.shape, data_format), weight.spec.shape[2:]
    sides = explicit_padding(padding, data_format, sizes, kernel_size, steps)
    row, image_format = row_axis(data_format)
    if isinstance(padding, str) and padding.upper() == "SAME":
        spread = (1,)
    out = _transposed(
        unsqueeze(x, row),
        unsqueeze(weight, 2),
        bias,
        (1, *steps),
        (0, 0, *sides),
        (0, *per_axis(output_padding, 1, "output_padding")),
        (1, *spread),
        None if output_size is None else (1, *_output_size(output_size, 1)),
        groups,
        image_format,
    )
    return squeeze(out, row)


def _checked(
    rank: int,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    output_padding: Any,
    dilation: Any,
    output_size: Any,
    groups: int,
    data_format: str,
) -> Tensor:
    """Transposed convolution of images or volumes, with arguments as users give them."""
    check_format(data_format, rank)
    check_images(x.ndim, data_format)
    check_weight(weight.ndim, x.ndim)
    steps, spread = per_axis(stride, rank, "stride"), per_axis(dilation, rank, "dilation")
    more = per_axis(output_padding, rank, "output_padding")
    wanted = None if output_size is None else _output_size(output_size, rank)
    window = (steps, padding, more, spread, wanted)
    return _transposed(x, weight, bias, *window, groups, data_format)


def _transposed(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sizes,
    padding: Any,
    output_padding: Sizes,
    dilation: Sizes,
    output_size: Sizes | None,
    groups: int,
    data_format: str,
) -> Tensor:
    """Transposed convolution of images or volumes, with all but the padding in normal form."""
    small, kernel_size = spatial_sizes(x.spec.shape, data_format), weight.spec.shape[2:]
    sides = explicit_padding(padding, data_format, small, kernel_size, stride)
    if isinstance(padding, str) and padding.upper() == "SAME":
        dilation = (1,) * len(stride)
    if output_size is None:
        _check_output_padding(output_padding, stride)
        size = transposed_sizes(small, kernel_size, stride, sides, dilation, output_padding)
    else:
        if any(output_padding):
            raise ArgumentError("output_padding and output_size exclude each other")
        least = transposed_sizes(small, kernel_size, stride, sides, dilation)
        size = _checked_size(output_size, least, stride)
    op = op_named(f"conv{len(stride)}d_grad_x")
    out = op(x, weight, size, stride, sides, dilation, groups, data_format)
    return out if bias is None else add(out, channel_bias(bias, data_format))


def _output_size(output_size: Any, rank: int) -> Sizes:
    found = sizes_of(output_size, "output_size")
    if len(found) == 1:
        found *= rank
    if len(found) != rank:
        raise ArgumentError(f"output_size must be {rank} numbers, received {output_size!r}")
    return found


def _check_output_padding(output_padding: Sizes, stride: Sizes) -> None:
    if any(not 0 <= more < step for more, step in zip(output_padding, stride, strict=True)):
        raise ArgumentError(
            f"output_padding must be less than stride {list(stride)}, "
            f"received {list(output_padding)}"
        )


def _checked_size(output_size: Sizes, least: Shape, stride: Sizes) -> Sizes:
    """output_size; raises ShapeError where no convolution of that stride has such images."""
    for wanted, low, step in zip(output_size, least, stride, strict=True):
        if is_known(wanted, low) and not low <= wanted < low + step:
            raise ShapeError(
                f"output_size {list(output_size)} is not possible: each size must be at least "
                f"{list(least)} and less than that plus the stride {list(stride)}"
            )
    return output_size
