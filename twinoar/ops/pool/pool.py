"""Pooling of images, volumes and sequences over windows as users call it: maxima and averages.

Adaptive pooling is in `adaptive_pool`.
"""

from __future__ import annotations

import math
from typing import Any

from twinoar.core.op.declare import Shape, Tensor, function, op_named
from twinoar.errors import ArgumentError
from twinoar.ops.math.arithmetic import pow as power
from twinoar.ops.pool.average import avg_pool2d_op
from twinoar.ops.pool.maximum import max_pool2d_op
from twinoar.ops.pool.maximum_index import max_pool2d_with_index
from twinoar.ops.shape.reshape import squeeze, unsqueeze
from twinoar.ops.window._geometry import (
    FORMATS,
    check_format,
    check_images,
    explicit_padding,
    per_axis,
    spatial_sizes,
)


@function
def max_pool2d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
) -> Tensor | tuple[Tensor, Tensor]:
    """The maximum over windows of an image.

    x: [N,C,H,W] or [N,H,W,C], floating. kernel_size, stride: pixels, one number or (h, w); stride
    is kernel_size where None. padding: "SAME", "VALID", one, two or four numbers, or a pair for
    every dimension. ceil_mode: windows may hang over the edge. Returns [N,C,OH,OW] or [N,OH,OW,C];
    with return_mask also the position of each maximum in its H*W plane, int32. A gradient goes to
    the first of equal maxima. Raises ShapeError and ArgumentError.

    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> twinoar.nn.functional.max_pool2d(x, 2).tolist()
    [[[[4.0]]]]
    """
    window = (kernel_size, stride, padding, ceil_mode, data_format)
    return _maxima(x, 2, *window, return_mask)


@function
def max_pool3d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
) -> Tensor | tuple[Tensor, Tensor]:
    """The maximum over windows of a volume: `max_pool2d` with one axis more.

    x: [N,C,D,H,W] or [N,D,H,W,C], floating. kernel_size, stride: one number or (d, h, w). padding:
    "SAME", "VALID", one, three or six numbers, or a pair for every dimension. Returns
    [N,C,OD,OH,OW] or [N,OD,OH,OW,C]; with return_mask also the position of each maximum in its
    volume, int32. Raises ShapeError and ArgumentError.

    >>> x = twinoar.to_tensor([1.0, 2.0, 4.0, 3.0]).reshape([1, 1, 2, 1, 2])
    >>> twinoar.nn.functional.max_pool3d(x, [2, 1, 1]).flatten().tolist()
    [4.0, 3.0]
    """
    window = (kernel_size, stride, padding, ceil_mode, data_format)
    return _maxima(x, 3, *window, return_mask)


@function
def avg_pool2d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCHW",
) -> Tensor:
    """The average over windows of an image.

    x: [N,C,H,W] or [N,H,W,C], floating. kernel_size, stride, padding, ceil_mode: as `max_pool2d`.
    exclusive: padding does not count. divisor_override: divides the sum instead of the count.
    Returns [N,C,OH,OW] or [N,OH,OW,C]. Raises ShapeError and ArgumentError.

    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> twinoar.nn.functional.avg_pool2d(x, 2).tolist()
    [[[[2.5]]]]
    """
    window = (kernel_size, stride, padding, ceil_mode, data_format)
    return _averages(x, 2, *window, exclusive, divisor_override)


@function
def avg_pool3d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCDHW",
) -> Tensor:
    """The average over windows of a volume: `avg_pool2d` with one axis more.

    x: [N,C,D,H,W] or [N,D,H,W,C], floating. kernel_size, stride, padding, ceil_mode: as
    `max_pool3d`. Returns [N,C,OD,OH,OW] or [N,OD,OH,OW,C]. Raises ShapeError and ArgumentError.

    >>> x = twinoar.to_tensor([1.0, 2.0, 4.0, 3.0]).reshape([1, 1, 2, 1, 2])
    >>> twinoar.nn.functional.avg_pool3d(x, [2, 1, 1]).flatten().tolist()
    [2.5, 2.5]
    """
    window = (kernel_size, stride, padding, ceil_mode, data_format)
    return _averages(x, 3, *window, exclusive, divisor_override)


@function
def max_pool1d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """The maximum over windows of a sequence: `max_pool2d` with one row.

    x: [N,C,L]. Returns [N,C,OL], with return_mask also positions, int32. Raises ShapeError.

    >>> twinoar.nn.functional.max_pool1d(twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]]), 2).tolist()
    [[[3.0, 2.0]]]
    """
    check_images(x.ndim, "NCL")
    window = _window_along(x, kernel_size, stride, padding, ceil_mode)
    row = unsqueeze(x, 2)
    if not return_mask:
        return squeeze(max_pool2d_op(row, *window, ceil_mode), 2)
    out, mask = max_pool2d_with_index(row, *window, ceil_mode)
    return squeeze(out, 2), squeeze(mask, 2)


@function
def avg_pool1d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    exclusive: bool = True,
    ceil_mode: bool = False,
) -> Tensor:
    """The average over windows of a sequence: `avg_pool2d` with one row.

    x: [N,C,L]. Returns [N,C,OL]. Raises ShapeError.

    >>> twinoar.nn.functional.avg_pool1d(twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]]), 2).tolist()
    [[[2.0, 1.0]]]
    """
    check_images(x.ndim, "NCL")
    window = _window_along(x, kernel_size, stride, padding, ceil_mode)
    return squeeze(avg_pool2d_op(unsqueeze(x, 2), *window, ceil_mode, exclusive), 2)


@function
def lp_pool1d(
    x: Tensor,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    data_format: str = "NCL",
) -> Tensor:
    """(sum of x^p)^(1/p) of each window of sequences, with p = norm_type.

    x: [N,C,L], or [N,L,C] for NLC. The others: see `lp_pool2d`.

    >>> x = twinoar.to_tensor([[[3.0, 4.0, 6.0, 8.0]]])
    >>> twinoar.nn.functional.lp_pool1d(x, 2.0, 2).tolist()
    [[[5.0, 10.0]]]
    """
    if data_format not in ("NCL", "NLC"):
        raise ArgumentError(f"data_format must be NCL or NLC, received {data_format!r}")
    at = 2 if data_format == "NCL" else 1
    stride = kernel_size if stride is None else stride
    window = (_image_sizes(kernel_size, 1), _image_sizes(stride, 1))
    borders = padding if isinstance(padding, str) else _image_sizes(padding, 0)
    image = "NCHW" if data_format == "NCL" else "NHWC"
    out = lp_pool2d(unsqueeze(x, at), norm_type, *window, borders, ceil_mode, image)
    return squeeze(out, at)


@function
def lp_pool2d(
    x: Tensor,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
) -> Tensor:
    """(sum of x^p)^(1/p) of each window of images, with p = norm_type; the maximum for inf.

    x: [N,C,H,W], or [N,H,W,C] for NHWC. kernel_size to ceil_mode: as of `avg_pool2d`; padding
    counts as 0. Not a number where the sum of an odd or broken p is negative. Raises ArgumentError
    for p = 0 and p = -inf, ShapeError.

    >>> twinoar.nn.functional.lp_pool2d(twinoar.ones([1, 1, 2, 2]), 2.0, 2).item()
    2.0
    """
    if norm_type in (0, -math.inf):
        raise ArgumentError(f"norm_type must not be {norm_type}", cure="2 is the Euclidean norm")
    if math.isinf(norm_type):
        options: Any = {"ceil_mode": ceil_mode, "data_format": data_format}
        largest: Any = max_pool2d(x, kernel_size, stride, padding, **options)
        return largest
    size, steps, sides = _window(x, 2, kernel_size, stride, padding, ceil_mode, data_format)
    if ceil_mode:  # windows that are not whole become so
        sides = (sides[0], sides[1] + steps[0] - 1, sides[2], sides[3] + steps[1] - 1)
    powers = power(x, float(norm_type))
    sums = avg_pool2d_op(powers, size, steps, sides, False, False, data_format) * math.prod(size)
    return power(sums, 1.0 / norm_type)


def _maxima(
    x: Tensor,
    rank: int,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    data_format: str,
    return_mask: bool,
) -> Any:
    window = _window(x, rank, kernel_size, stride, padding, ceil_mode, data_format)
    if not return_mask:
        return op_named(f"max_pool{rank}d")(x, *window, ceil_mode, data_format)
    first = FORMATS[rank][0]
    if data_format != first:
        raise ArgumentError(f"return_mask needs data_format={first!r}", cure="transpose x")
    return op_named(f"max_pool{rank}d_with_index")(x, *window, ceil_mode)


def _averages(
    x: Tensor,
    rank: int,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    data_format: str,
    exclusive: bool,
    divisor_override: float | None,
) -> Tensor:
    window = _window(x, rank, kernel_size, stride, padding, ceil_mode, data_format)
    out = op_named(f"avg_pool{rank}d")(x, *window, ceil_mode, exclusive, data_format)
    if divisor_override is None:
        return out
    if divisor_override <= 0:
        raise ArgumentError(f"divisor_override must be positive, received {divisor_override}")
    return out * (math.prod(window[0]) / divisor_override)


def _window(
    x: Tensor,
    rank: int,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    data_format: str,
) -> tuple[Shape, Shape, Shape]:
    """Kernel size, stride and padding in normal form."""
    check_format(data_format, rank)
    check_images(x.ndim, data_format)
    if ceil_mode and isinstance(padding, str) and padding.upper() == "VALID":
        raise ArgumentError("ceil_mode needs a padding in numbers, received 'VALID'")
    size = per_axis(kernel_size, rank, "kernel_size")
    steps = size if stride is None else per_axis(stride, rank, "stride")
    sizes = spatial_sizes(x.spec.shape, data_format)
    return size, steps, explicit_padding(padding, data_format, sizes, size, steps)


def _window_along(
    x: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool
) -> tuple[Shape, Shape, Shape]:
    """The same for a sequence seen as an image of one row."""
    if ceil_mode and isinstance(padding, str) and padding.upper() == "VALID":
        raise ArgumentError("ceil_mode needs a padding in numbers, received 'VALID'")
    size = per_axis(kernel_size, 1, "kernel_size")
    steps = size if stride is None else per_axis(stride, 1, "stride")
    sides = explicit_padding(padding, "NCL", x.spec.shape[2:], size, steps)
    return (1, *size), (1, *steps), (0, 0, *sides)


def _image_sizes(sizes: Any, of_height: int) -> list[int]:
    """Sizes along L as those along H, which is 1 long, and W."""
    given = [sizes] if isinstance(sizes, int) else list(sizes)
    return [of_height] * len(given) + given
