"""Smaller images without aliasing: each result is a mean over all elements that it stands for.

The kernel of linear or cubic interpolation is stretched by the ratio of the sizes, and its weights
are divided by their sum, as Pillow does it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from twinoar.core.dim import Dim, is_known
from twinoar.core.dtype import float32
from twinoar.core.op.declare import Tensor
from twinoar.errors import ArgumentError, UnsupportedError
from twinoar.ops.create.fill import constant
from twinoar.ops.linalg.matmul import matmul
from twinoar.ops.math.cast import astype
from twinoar.ops.shape.reshape import reshape
from twinoar.ops.window._geometry import spatial_axes

CUBIC = -0.5  # the parameter a of the cubic convolution, here as Pillow has it
REACH = {"bilinear": 1.0, "bicubic": 2.0}  # how far the kernel of each mode reaches


def antialiased(
    x: Tensor,
    size: tuple[Dim, ...],
    factors: tuple[float, ...],
    mode: str,
    align_corners: bool,
    data_format: str,
) -> Tensor:
    """Images x of another size, whose aliases are filtered out.

    factors: what the sizes were multiplied by, or nothing. Raises ArgumentError, UnsupportedError.
    """
    if mode not in REACH:
        raise ArgumentError(
            f"antialias serves the modes bilinear and bicubic, received {mode!r}",
            cure="leave antialias out",
        )
    axes = spatial_axes(x.ndim, data_format)
    before = [x.spec.shape[axis] for axis in axes]
    if not is_known(*size, *before):
        raise UnsupportedError(
            f"antialias wants sizes that are known, received {before} to {list(size)}",
            cure="give the sizes of the images in the InputSpec",
        )
    out = astype(x, float32) if x.dtype.itemsize < 4 else x
    for axis, count, factor in zip(axes, size, factors or (0.0,) * len(axes), strict=True):
        matrix = _weights(mode, x.spec.shape[axis], count, factor, align_corners)
        out = multiplied_along(out, axis, constant.function(matrix))
    return astype(out, x.dtype)


@lru_cache(maxsize=64)
def _weights(mode: str, n: Any, count: Any, factor: float, align_corners: bool) -> np.ndarray:
    """The weight of each of n elements for each of `count` results, [count,n]."""
    ratio = n / count if not factor else 1.0 / factor
    if align_corners:
        ratio = (n - 1) / (count - 1) if count > 1 else 0.0
    stretch = max(ratio, 1.0)
    reach = REACH[mode] * stretch
    matrix = np.zeros((count, n))
    for i in range(count):
        center = ratio * (i + 0.5)
        first, end = max(int(center - reach + 0.5), 0), min(int(center + reach + 0.5), n)
        distance = np.abs(np.arange(first, end) + 0.5 - center) / stretch
        weights = _triangle(distance) if mode == "bilinear" else _cubic(distance)
        matrix[i, first:end] = weights / weights.sum()
    return matrix


def _triangle(d: np.ndarray) -> np.ndarray:
    return np.maximum(1.0 - d, 0.0)


def _cubic(d: np.ndarray) -> np.ndarray:
    """The cubic convolution; DOI 10.1109/TASSP.1981.1163711, equation 15."""
    near = ((CUBIC + 2.0) * d - (CUBIC + 3.0)) * d * d + 1.0
    far = ((d - 5.0) * d + 8.0) * d * CUBIC - 4.0 * CUBIC
    return np.where(d < 1.0, near, np.where(d < 2.0, far, 0.0))


def multiplied_along(x: Tensor, axis: int, matrix: Tensor) -> Tensor:
    """A matrix times the vectors along an axis."""
    before, after = x.spec.shape[:axis], x.spec.shape[axis + 1 :]
    columns = reshape(x, [-1, x.spec.shape[axis], math.prod(after)])
    out = matmul(astype(matrix, x.dtype), columns)
    return reshape(out, [*before, matrix.spec.shape[0], *after])
