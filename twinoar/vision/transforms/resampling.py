"""Resizing of Pillow images and of arrays, with Pillow's filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.errors import ArgumentError
from twinoar.vision.image import pillow

FILTERS = ("nearest", "bilinear", "bicubic", "box", "lanczos", "hamming")


def target_size(size: Any, height: int, width: int) -> tuple[int, int]:
    """(height, width) that `size` asks for: a pair, or the length of the shorter side."""
    if isinstance(size, (int, np.integer)) and size > 0:
        shorter = min(height, width)
        return int(size * height / shorter), int(size * width / shorter)
    if isinstance(size, Sequence) and len(size) == 2 and all(_is_length(side) for side in size):
        return int(size[0]), int(size[1])
    raise ArgumentError(
        f"expected size to be a positive integer or a pair (height, width), received {size!r}"
    )


def resize_pillow(image: Any, size: tuple[int, int], interpolation: str) -> Any:
    """A Pillow image in the size (height, width)."""
    if (image.height, image.width) == size:
        return image
    return image.resize(size[::-1], _filter(interpolation))


def resize_array(pixels: np.ndarray, size: tuple[int, int], interpolation: str) -> np.ndarray:
    """An array [H,W] or [H,W,C] in the size (height, width), of the same type.

    uint8 is computed as Pillow does its 8-bit images, bool by nearest neighbor; the rest in
    float32, where integers are rounded and kept in the range of their type.
    """
    if pixels.ndim == 2:
        return _resize_channel(pixels, size, interpolation)
    channels = [
        _resize_channel(channel, size, interpolation) for channel in np.moveaxis(pixels, 2, 0)
    ]
    return np.stack(channels, axis=2)


def _resize_channel(channel: np.ndarray, size: tuple[int, int], interpolation: str) -> np.ndarray:
    dtype = channel.dtype
    if dtype == np.uint8:
        return _resampled(channel, size, interpolation)
    if dtype.kind == "b":
        return _resampled(channel.astype(np.uint8), size, "nearest").astype(bool)
    resampled = _resampled(channel.astype(np.float32), size, interpolation)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        resampled = np.clip(np.rint(resampled.astype(np.float64)), limits.min, limits.max)
    return resampled.astype(dtype)


def _resampled(channel: np.ndarray, size: tuple[int, int], interpolation: str) -> np.ndarray:
    """uint8 or float32 [H,W] through Pillow's modes L and F."""
    image = pillow().fromarray(np.ascontiguousarray(channel))
    return np.array(resize_pillow(image, size, interpolation))


def _filter(interpolation: str) -> Any:
    if interpolation not in FILTERS:
        raise ArgumentError(
            f"expected an interpolation of {', '.join(FILTERS)}, received {interpolation!r}",
            cure="box averages over areas" if interpolation == "area" else None,
        )
    return pillow().Resampling[interpolation.upper()]


def _is_length(side: Any) -> bool:
    return isinstance(side, (int, np.integer)) and side > 0
