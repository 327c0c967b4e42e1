"""Resizing: along each dimension the result is a matrix times the operand.

Source: https://github.com/onnx/onnx/blob/main/docs/Operators.md#Resize
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import twinoar as paddle
from twinoar.errors import UnsupportedError
from twinoar.onnx.table import Known, node


@node("Upsample", since=9)
def upsample(x: Any, scales: Known, *, mode: str = "nearest") -> Any:
    return resize(
        x,
        None,
        scales,
        mode=mode,
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )


@node("Upsample")
def upsample_by_attribute(x: Any, *, scales: list, mode: str = "nearest") -> Any:
    return upsample(x, np.asarray(scales), mode=mode)


@node("Resize", since=10)
def resize_by_scales(x: Any, scales: Known, *, mode: str = "nearest") -> Any:
    return upsample(x, scales, mode=mode)


@node("Resize", since=11)
def resize(
    x: Any,
    roi: Known | None = None,
    scales: Known | None = None,
    sizes: Known | None = None,
    *,
    antialias: int = 0,
    axes: list | None = None,
    coordinate_transformation_mode: str = "half_pixel",
    cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch",
    mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
) -> Any:
    rank = len(x.shape)
    axis = [a % rank for a in axes] if axes else list(range(rank))
    own = [x.shape[a] for a in axis]
    if sizes is not None and sizes.size:
        targets = [int(d) for d in sizes]
        factors = [t / d for t, d in zip(targets, own, strict=True)]
        if keep_aspect_ratio_policy != "stretch":
            choose = min if keep_aspect_ratio_policy == "not_larger" else max
            factors = [choose(factors)] * len(axis)
            targets = [math.floor(f * d + 0.5) for f, d in zip(factors, own, strict=True)]
    elif scales is not None and scales.size:
        factors = [float(s) for s in scales]
        targets = None
    else:
        raise UnsupportedError("expected scales or sizes, received neither")
    for n, a in enumerate(axis):
        if (
            factors[n] == 1.0
            and (targets is None or targets[n] == own[n])
            and coordinate_transformation_mode != "tf_crop_and_resize"
        ):
            continue
        if not isinstance(own[n], int):
            raise UnsupportedError(
                "resizing a dimension whose size a run decides",
                cure="give the sizes of the inputs as numbers",
            )
        size = targets[n] if targets else math.floor(own[n] * factors[n])
        region = (
            (0.0, 1.0)
            if roi is None or not roi.size
            else (float(roi[n]), float(roi[n + len(axis)]))
        )
        places, is_outside = _places(
            size, own[n], factors[n], coordinate_transformation_mode, region
        )
        x = _along(
            x,
            a,
            places,
            mode,
            nearest_mode,
            cubic_coeff_a,
            bool(exclude_outside),
            factors[n] if antialias else 1.0,
        )
        if is_outside.any():
            shape = [1] * rank
            shape[a] = size
            outside = paddle.to_tensor(is_outside.reshape(shape))
            x = paddle.where(outside, paddle.full([], extrapolation_value, x.dtype), x)
    return x


def _places(
    size: int, own: int, factor: float, mode: str, region: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Where each element of the result lies in the operand, and whether that is outside."""
    n = np.arange(size, dtype="float64")
    nowhere = np.zeros(size, bool)
    if mode == "asymmetric":
        return n / factor, nowhere
    if mode == "align_corners":
        return (n * (own - 1) / (own * factor - 1) if size > 1 else n * 0.0), nowhere
    if mode == "pytorch_half_pixel":
        return ((n + 0.5) / factor - 0.5 if size > 1 else n * 0.0), nowhere
    if mode == "half_pixel_symmetric":
        exact = own * factor
        adjustment = size / exact
        center = own / 2
        return center * (1 - adjustment) + (n + 0.5) / factor - 0.5, nowhere
    if mode == "tf_crop_and_resize":
        start, end = region
        if size > 1:
            places = start * (own - 1) + n * (end - start) * (own - 1) / (size - 1)
        else:
            places = 0.5 * (start + end) * (own - 1) + n * 0.0
        return places, (places < 0) | (places > own - 1)
    if mode == "half_pixel":
        return (n + 0.5) / factor - 0.5, nowhere
    raise UnsupportedError(f"the coordinates {mode!r} are not known")


NEAREST: dict[str, Callable[[Any], Any]] = {
    "round_prefer_floor": lambda p: np.ceil(p - 0.5),
    "round_prefer_ceil": lambda p: np.floor(p + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}


def _along(
    x: Any,
    axis: int,
    places: np.ndarray,
    mode: str,
    nearest: str,
    a: float,
    is_cut: bool,
    factor: float,
) -> Any:
    own = x.shape[axis]
    if mode == "nearest":
        index = np.clip(NEAREST[nearest](places), 0, own - 1).astype("int64")
        return paddle.index_select(x, paddle.to_tensor(index), axis)
    factor = min(factor, 1.0)
    reach = (1 if mode == "linear" else 2) / factor
    matrix = np.zeros((len(places), own))
    for row, place in enumerate(places):
        first, last = math.ceil(place - reach), math.floor(place + reach)
        taps = np.arange(first, last + 1)
        distance = np.abs((taps - place) * factor)
        weights = _linear(distance) if mode == "linear" else _cubic(distance, a)
        if is_cut:
            weights = np.where((taps < 0) | (taps >= own), 0.0, weights)
        if factor < 1.0 or is_cut:
            weights = weights / weights.sum()
        np.add.at(matrix[row], np.clip(taps, 0, own - 1), weights)
    dtype = x.dtype if x.dtype.is_floating else paddle.float32
    moved = paddle.moveaxis(x.astype(dtype), axis, -1)
    found = paddle.matmul(moved, paddle.to_tensor(matrix.T.copy()).astype(dtype))
    return paddle.moveaxis(found, -1, axis).astype(x.dtype)


def _linear(distance: np.ndarray) -> np.ndarray:
    return np.clip(1.0 - distance, 0.0, None)


def _cubic(d: np.ndarray, a: float) -> np.ndarray:
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0.0))
