"""Pooling of images, volumes and sequences to a size that is asked for, as users call it."""

from __future__ import annotations

from typing import Any

from twinoar.core.op.declare import Shape, Tensor, function, op_named
from twinoar.errors import ArgumentError
from twinoar.ops.pool.adaptive_average import adaptive_avg_pool2d_op
from twinoar.ops.pool.maximum_index import max_pool2d_with_index
from twinoar.ops.shape.reshape import squeeze, unsqueeze
from twinoar.ops.window._geometry import (
    FORMATS,
    check_format,
    check_images,
    per_axis,
    spatial_sizes,
)


@function
def adaptive_avg_pool2d(x: Tensor, output_size: Any, data_format: str = "NCHW") -> Tensor:
    """The averages of an image cut into output_size bins.

    x: [N,C,H,W] or [N,H,W,C], floating. output_size: one number or (h, w); None keeps a size.
    Returns [N,C,h,w] or [N,h,w,C]. Raises ShapeError and ArgumentError.

    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> twinoar.nn.functional.adaptive_avg_pool2d(x, 1).tolist()
    [[[[2.5]]]]
    """
    return _averaged(x, output_size, 2, data_format)


@function
def adaptive_avg_pool3d(x: Tensor, output_size: Any, data_format: str = "NCDHW") -> Tensor:
    """The averages of a volume cut into output_size bins.

    x: [N,C,D,H,W] or [N,D,H,W,C], floating. output_size: one number or (d, h, w); None keeps a
    size. Returns [N,C,d,h,w] or [N,d,h,w,C]. Raises ShapeError and ArgumentError.

    >>> x = twinoar.to_tensor([1.0, 2.0, 4.0, 3.0]).reshape([1, 1, 1, 2, 2])
    >>> twinoar.nn.functional.adaptive_avg_pool3d(x, [1, 2, 1]).flatten().tolist()
    [1.5, 3.5]
    """
    return _averaged(x, output_size, 3, data_format)


@function
def adaptive_max_pool2d(
    x: Tensor, output_size: Any, return_mask: bool = False
) -> Tensor | tuple[Tensor, Tensor]:
    """The maxima of an image cut into output_size bins.

    x: [N,C,H,W], floating. output_size: one number or (h, w); None keeps a size. Returns
    [N,C,h,w]; with return_mask also the position of each maximum in its H*W plane, int32.

    >>> x = twinoar.to_tensor([[[[1.0, 2.0], [4.0, 3.0]]]])
    >>> twinoar.nn.functional.adaptive_max_pool2d(x, 1).tolist()
    [[[[4.0]]]]
    """
    return _maxima(x, output_size, 2, return_mask)


@function
def adaptive_max_pool3d(
    x: Tensor, output_size: Any, return_mask: bool = False
) -> Tensor | tuple[Tensor, Tensor]:
    """The maxima of a volume cut into output_size bins.

    x: [N,C,D,H,W], floating. output_size: one number or (d, h, w); None keeps a size. Returns
    [N,C,d,h,w]; with return_mask also the position of each maximum in its volume, int32.

    >>> x = twinoar.to_tensor([1.0, 2.0, 4.0, 3.0]).reshape([1, 1, 1, 2, 2])
    >>> twinoar.nn.functional.adaptive_max_pool3d(x, [1, 2, 1]).flatten().tolist()
    [2.0, 4.0]
    """
    return _maxima(x, output_size, 3, return_mask)


@function
def adaptive_avg_pool1d(x: Tensor, output_size: int) -> Tensor:
    """The averages of a sequence cut into output_size bins.

    x: [N,C,L], floating. Returns [N,C,output_size].

    >>> x = twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]])
    >>> twinoar.nn.functional.adaptive_avg_pool1d(x, 2).tolist()
    [[[2.0, 1.0]]]
    """
    check_images(x.ndim, "NCL")
    bins = (1, *per_axis(output_size, 1, "output_size"))
    return squeeze(adaptive_avg_pool2d_op(unsqueeze(x, 2), bins), 2)


@function
def adaptive_max_pool1d(
    x: Tensor, output_size: int, return_mask: bool = False
) -> Tensor | tuple[Tensor, Tensor]:
    """The maxima of a sequence cut into output_size bins.

    x: [N,C,L], floating. Returns [N,C,output_size]; with return_mask also positions, int32.

    >>> x = twinoar.to_tensor([[[1.0, 3.0, 2.0, 0.0]]])
    >>> twinoar.nn.functional.adaptive_max_pool1d(x, 2).tolist()
    [[[3.0, 2.0]]]
    """
    check_images(x.ndim, "NCL")
    bins = (1, *per_axis(output_size, 1, "output_size"))
    out, mask = max_pool2d_with_index(unsqueeze(x, 2), bins, adaptive=True)
    out = squeeze(out, 2)
    return (out, squeeze(mask, 2)) if return_mask else out


def _averaged(x: Tensor, output_size: Any, rank: int, data_format: str) -> Any:
    check_format(data_format, rank)
    check_images(x.ndim, data_format)
    bins = bins_wanted(x, output_size, data_format)
    return op_named(f"adaptive_avg_pool{rank}d")(x, bins, data_format)


def _maxima(x: Tensor, output_size: Any, rank: int, return_mask: bool) -> Any:
    data_format = FORMATS[rank][0]
    check_images(x.ndim, data_format)
    bins = bins_wanted(x, output_size, data_format)
    out, mask = op_named(f"max_pool{rank}d_with_index")(x, bins, adaptive=True)
    return (out, mask) if return_mask else out


def bins_wanted(x: Tensor, output_size: Any, data_format: str) -> Shape:
    """Numbers of bins, with the size of x where None stands."""
    sizes = spatial_sizes(x.spec.shape, data_format)
    rank = len(sizes)
    given = output_size if isinstance(output_size, (list, tuple)) else [output_size] * rank
    if len(given) != rank:
        raise ArgumentError(f"output_size must be one or {rank} numbers, received {output_size!r}")
    return tuple(n if bins is None else int(bins) for bins, n in zip(given, sizes, strict=True))
