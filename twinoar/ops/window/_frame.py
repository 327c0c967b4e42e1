"""Images in a frame as wide as all their windows need: the NumPy side of pooling.

A window is visited position by position: the pixels at one position of all windows are one strided
slice of the framed images, so a kernel of h by w costs h*w passes and no copy of the windows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from twinoar.late import dataclass
from twinoar.ops.window._geometry import spatial_axes

Sizes = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """How windows lie on images: kernel size, stride, padding (low, high for each axis), layout."""

    kernel_size: Sizes
    stride: Sizes
    padding: Sizes
    data_format: str

    def positions(self, out: Sizes) -> Iterator[tuple[slice, ...]]:
        """For each position in a window, row by row: where its pixels are in framed images.

        out: the shape of the pooled images.
        """
        axes = spatial_axes(len(out), self.data_format)
        for position in product(*map(range, self.kernel_size)):
            index = [slice(None)] * len(out)
            for axis, start, step in zip(axes, position, self.stride, strict=True):
                index[axis] = slice(start, start + (out[axis] - 1) * step + 1, step)
            yield tuple(index)

    def shape(self, images: Sizes, out: Sizes) -> Sizes:
        """The shape of framed images."""
        found = list(images)
        for i, axis in enumerate(spatial_axes(len(images), self.data_format)):
            reach = (out[axis] - 1) * self.stride[i] + self.kernel_size[i]
            found[axis] = max(reach, self.padding[2 * i] + images[axis])
        return tuple(found)

    def inside(self, images: Sizes) -> tuple[slice, ...]:
        """Where in framed images the images are."""
        index = [slice(None)] * len(images)
        for i, axis in enumerate(spatial_axes(len(images), self.data_format)):
            index[axis] = slice(self.padding[2 * i], self.padding[2 * i] + images[axis])
        return tuple(index)

    def framed(self, x: np.ndarray, out: Sizes, value: float) -> np.ndarray:
        """Images x in a frame of `value`; x itself where it needs none."""
        shape = self.shape(x.shape, out)
        if shape == x.shape:
            return x
        framed = np.full(shape, value, x.dtype)
        framed[self.inside(x.shape)] = x
        return framed

    def first_maxima(
        self, x: np.ndarray, out: np.ndarray
    ) -> Iterator[tuple[tuple[slice, ...], np.ndarray]]:
        """For each position: where its pixels are, and whether they are the first to equal out."""
        framed = self.framed(x, out.shape, -np.inf)
        free = np.ones(out.shape, np.bool_)
        for pixels in self.positions(out.shape):
            first = framed[pixels] == out
            first &= free
            free ^= first
            yield pixels, first

    def counts(self, images: Sizes, out: Sizes, exclusive: bool) -> np.ndarray:
        """The number of pixels in each window, in a shape that broadcasts against `out`.

        exclusive: padding does not count. What hangs over the padding never does.
        """
        counts = np.ones((1,) * len(out), np.int64)
        for i, axis in enumerate(spatial_axes(len(images), self.data_format)):
            low, high = self.padding[2 * i : 2 * i + 2]
            first = np.arange(out[axis]) * self.stride[i] - low
            last = np.minimum(
                first + self.kernel_size[i], images[axis] + (0 if exclusive else high)
            )
            along = [1] * len(out)
            along[axis] = out[axis]
            first = np.maximum(first, 0) if exclusive else first
            counts = counts * np.maximum(last - first, 1).reshape(along)
        return counts
