"""Windows of images as columns of a matrix: the NumPy side of convolution.

Images are views [C,N,*sizes], channels first, so that the columns of all images make one matrix and
the arithmetic is one BLAS call for each group. Works for any number of spatial axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

Sizes = tuple[Any, ...]
Index = tuple[Any, ...]
COLUMN_BYTES = 1 << 26  # columns of so many images at a time as fit into this


def channels_first(x: np.ndarray, data_format: str) -> np.ndarray:
    """View of images as [C,N,*sizes]: columns of all images then make one matrix."""
    return np.moveaxis(x, -1, 0) if data_format[-1] == "C" else x.swapaxes(0, 1)


def padded(images: np.ndarray, padding: Sequence[int]) -> np.ndarray:
    """Images [C,N,*sizes] with zeros around them."""
    if not any(padding):
        return images
    whole = np.zeros(padded_shape(images.shape, padding), images.dtype)
    whole[inside(padding, images.shape[2:])] = images
    return whole


def windows_of(
    images: np.ndarray, kernel_size: Sizes, stride: Sizes, dilation: Sizes, out: Sizes
) -> np.ndarray:
    """View of padded images [C,N,*sizes] as [C,*kernel,N,*out]."""
    c, n = images.shape[:2]
    channel, image, *steps = images.strides
    within = [step * d for step, d in zip(steps, dilation, strict=True)]
    between = [step * s for step, s in zip(steps, stride, strict=True)]
    return np.lib.stride_tricks.as_strided(
        images, (c, *kernel_size, n, *out), (channel, *within, image, *between), writeable=False
    )


def batches(images: np.ndarray, kernel_size: Sizes, out: Sizes) -> Iterator[slice]:
    """Parts of the batch of images [C,N,*sizes] whose columns fit into COLUMN_BYTES."""
    c, n = images.shape[:2]
    bytes_each = c * math.prod(kernel_size) * math.prod(out) * images.itemsize
    count = max(1, COLUMN_BYTES // max(1, bytes_each))
    return (slice(start, start + count) for start in range(0, n, count))


def filtered(windows: np.ndarray, weight: np.ndarray, groups: int) -> np.ndarray:
    """Filters applied to windows [C,*kernel,N,*out]: [O,N,*out]."""
    o, c, *kernel_size = weight.shape
    places = windows.shape[1 + len(kernel_size) :]
    if c == 1 and groups > 1:
        return _filtered_by_channel(windows, weight, groups)
    columns = windows.reshape(groups, c * math.prod(kernel_size), math.prod(places))
    filters = weight.reshape(groups, o // groups, columns.shape[1])
    return np.matmul(filters, columns).reshape(o, *places)


def _filtered_by_channel(windows: np.ndarray, weight: np.ndarray, groups: int) -> np.ndarray:
    """Depthwise filters: too little arithmetic for BLAS, so a pass over memory a position."""
    o, _, *kernel_size = weight.shape
    places = windows.shape[1 + len(kernel_size) :]
    result = np.zeros((groups, o // groups, *places), windows.dtype)
    term = np.empty_like(result)
    filters = weight.reshape(groups, o // groups, *kernel_size, *(1,) * len(places))
    for position in positions(kernel_size):
        pixels = windows[_everywhere(position)]
        factors = filters[_everywhere(_everywhere(position))]
        result += np.multiply(pixels[:, None], factors, out=term)
    return result.reshape(o, *places)


def scatter_filtered(
    whole: np.ndarray,
    dy: np.ndarray,
    weight: np.ndarray,
    stride: Sizes,
    dilation: Sizes,
    groups: int,
) -> None:
    """Add to padded images [C,N,*sizes] what each element of dy [O,N,*out] puts into its window."""
    o, c, *kernel_size = weight.shape
    n, *out = dy.shape[1:]
    filters = weight.reshape(groups, o // groups, c * math.prod(kernel_size))
    if c == 1 and o == groups > 1:  # depthwise: too little arithmetic for BLAS
        parts = (
            dy * weight[:, 0][_everywhere(position)].reshape(o, *(1,) * (dy.ndim - 1))
            for position in positions(kernel_size)
        )
    else:
        gradients = np.ascontiguousarray(dy).reshape(groups, o // groups, n * math.prod(out))
        columns = np.matmul(filters.swapaxes(1, 2), gradients)
        columns = columns.reshape(groups * c, *kernel_size, n, *out)
        parts = (columns[_everywhere(position)] for position in positions(kernel_size))
    for position, part in zip(positions(kernel_size), parts, strict=True):
        pixels = tuple(
            slice(p * d, p * d + (m - 1) * s + 1, s)
            for p, d, m, s in zip(position, dilation, out, stride, strict=True)
        )
        whole[(slice(None), slice(None), *pixels)] += part


def correlated(windows: np.ndarray, dy: np.ndarray, shape: Sizes, groups: int) -> np.ndarray:
    """Gradient of filters of `shape`: windows [C,*kernel,N,*out] times dy [O,N,*out], summed."""
    o, c, *kernel_size = shape
    places = math.prod(dy.shape[1:])
    columns = windows.reshape(groups, c * math.prod(kernel_size), places)
    gradients = np.ascontiguousarray(dy).reshape(groups, o // groups, places)
    return np.matmul(gradients, columns.swapaxes(1, 2)).reshape(shape)


def positions(kernel_size: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every position within a kernel, row by row."""
    return product(*map(range, kernel_size))


def _everywhere(position: Index) -> Index:
    """An index with all of one more axis before it."""
    return (slice(None), *position)


def padded_shape(shape: Sizes, padding: Sequence[int]) -> Sizes:
    """The shape of padded images [C,N,*sizes]."""
    return (
        *shape[:2],
        *(
            n + low + high
            for n, low, high in zip(shape[2:], padding[::2], padding[1::2], strict=True)
        ),
    )


def inside(padding: Sequence[int], sizes: Sizes) -> tuple[slice, ...]:
    """Where in padded images [C,N,*sizes] the images are."""
    spatial = (slice(low, low + n) for low, n in zip(padding[::2], sizes, strict=True))
    return (slice(None), slice(None), *spatial)
