"""Sizes that are asked for, and Pillow images in them."""

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


def _filter(interpolation: str) -> Any:
    if interpolation not in FILTERS:
        raise ArgumentError(
            f"expected an interpolation of {', '.join(FILTERS)}, received {interpolation!r}",
            cure="box averages over areas" if interpolation == "area" else None,
        )
    return pillow().Resampling[interpolation.upper()]


def _is_length(side: Any) -> bool:
    return isinstance(side, (int, np.integer)) and bool(side > 0)
