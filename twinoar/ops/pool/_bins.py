"""Bins of adaptive pooling: an axis of n pixels cut into so many bins.

Bin i holds floor(i n / bins) to ceil((i + 1) n / bins), so bins may overlap by a pixel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from twinoar.core.op.declare import Shape, Spec
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.window._geometry import check_floating, check_images, image_shape, spatial_sizes


def binned(x: Spec, output_size: Shape, data_format: str) -> Spec:
    """The spec of images or volumes that are pooled to so many bins."""
    check_images(x.ndim, data_format)
    check_floating(x)
    if any(isinstance(bins, int) and bins < 1 for bins in output_size):
        raise ArgumentError(f"output_size must be positive, received {list(output_size)}")
    if 0 in spatial_sizes(x.shape, data_format):
        raise ShapeError(f"x of shape {list(x.shape)} has no pixels to pool")
    channels = x.shape[-1 if data_format[-1] == "C" else 1]
    return Spec(image_shape(x.shape[0], channels, output_size, data_format), x.dtype)


def bins_of(n: Any, bins: Any) -> Iterator[tuple[int, int]]:
    """First pixel and the one after the last of each bin.

    >>> list(bins_of(5, 2))
    [(0, 3), (2, 5)]
    """
    return ((i * n // bins, -((-i - 1) * n // bins)) for i in range(bins))


def bins_around(
    bin_: Sequence[Any], size: Sequence[Any], bins: Sequence[Any]
) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[int, ...]]:
    """In the loop language: the first pixel of a bin, how many it has, and how many one may have.

    The same function of sizes exchanged gives the bins that hold a pixel.
    """
    first = tuple(i * n // m for i, n, m in zip(bin_, size, bins, strict=True))
    last = (-((-i - 1) * n // m) for i, n, m in zip(bin_, size, bins, strict=True))
    counts = tuple(b - a for a, b in zip(first, last, strict=True))
    most = tuple(max(b - a for a, b in bins_of(n, m)) for n, m in zip(size, bins, strict=True))
    return first, counts, most


def averaging(n: int, bins: int, dtype: Any) -> np.ndarray:
    """The matrix [bins, n] that averages n pixels into bins."""
    matrix = np.zeros((bins, n), dtype)
    for i, (first, last) in enumerate(bins_of(n, bins)):
        matrix[i, first:last] = 1 / (last - first)
    return matrix
