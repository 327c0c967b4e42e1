"""Helpers of Paddle's transforms of images that programs import by their paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.values import Value
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.vision.image import is_pillow_image as _is_pil_image


def _is_tensor_image(img: Any) -> bool:
    """True for a Tensor."""
    return isinstance(img, Value)


def _is_numpy_image(img: Any) -> bool:
    """True for an array of two or three dimensions."""
    return isinstance(img, np.ndarray) and img.ndim in (2, 3)


def _check_input(
    value: Any,
    name: str,
    center: float = 1,
    bound: Sequence[float] = (0, float("inf")),
    clip_first_on_zero: bool = True,
) -> Sequence[float] | None:
    """The range that `value` means, around `center` or as it is; None where nothing would change.

    Raises ArgumentError for a range outside of `bound`, TypeMismatchError for what is none.

    >>> _check_input(0.5, "brightness")
    [0.5, 1.5]
    """
    if isinstance(value, (int, float)):
        if value < 0:
            raise ArgumentError(f"{name} must not be negative, received {value}")
        low = center - value
        found: Sequence[float] = [max(low, 0) if clip_first_on_zero else low, center + value]
    elif isinstance(value, (tuple, list)) and len(value) == 2:
        found = value
        if not bound[0] <= found[0] <= found[1] <= bound[1]:
            raise ArgumentError(f"{name} must be a range within {list(bound)}, received {value}")
    else:
        raise TypeMismatchError(f"{name} must be a number or two, received {value!r}")
    return None if found[0] == found[1] == center else found


__all__ = ["_check_input", "_is_numpy_image", "_is_pil_image", "_is_tensor_image"]
