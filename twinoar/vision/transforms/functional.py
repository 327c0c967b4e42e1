"""Functions on images, of any kind: those made here, and those of the modules for parts of them.

An image is a Pillow image, an ndarray [H,W] or [H,W,C], or a Tensor [C,H,W]. A function gives back
the kind it was given, unless it says otherwise. No OpenCV: arrays are resized by Pillow too, so
the three kinds agree.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from twinoar.core.interpreter import current
from twinoar.core.op.explain import told
from twinoar.core.values import Value
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.ops.math.arithmetic import divide, subtract
from twinoar.ops.shape.roll import flip
from twinoar.vision.image import is_pillow_image
from twinoar.vision.transforms.color import (
    adjust_brightness,
    adjust_contrast,
    adjust_hue,
    adjust_saturation,
    to_grayscale,
)
from twinoar.vision.transforms.kind import by_pillow, no_image, size_of
from twinoar.vision.transforms.region import center_crop, crop, erase, hflip, pad, vflip
from twinoar.vision.transforms.resampling import resize_pillow, target_size
from twinoar.vision.transforms.warp import affine, perspective, rotate

FORMATS = ("CHW", "HWC")
FLOAT32 = np.dtype(np.float32)


@told
def to_tensor(pic: Any, data_format: str = "CHW") -> Tensor:
    """An image as a Tensor [C,H,W], or [H,W,C] with data_format="HWC".

    8-bit images, Pillow's of modes 1 and P among them, become float32 in 0..1; all others keep
    their values and types. [H,W] becomes one channel. A Tensor [C,H,W] is only laid out anew.
    Raises TypeMismatchError for what is no image, ArgumentError for another format.

    >>> to_tensor(np.full((2, 3), 51, "uint8")).shape
    [1, 2, 3]
    """
    _check_format(data_format)
    if isinstance(pic, Tensor):
        return _laid_out(pic, data_format)
    pixels = pillow_pixels(pic) if is_pillow_image(pic) else pic
    if not isinstance(pixels, np.ndarray) or pixels.ndim not in (2, 3):
        raise no_image(pic)
    if pixels.ndim == 2:
        pixels = pixels[:, :, None]  # [H,W,1]
    if data_format == "CHW":
        pixels = pixels.transpose(2, 0, 1)
    if pixels.dtype == np.uint8:
        return Tensor(np.divide(pixels, 255, dtype=np.float32, order="C"))
    return Tensor(np.array(pixels, order="C"))


@told
def normalize(
    img: Any,
    mean: float | Sequence[float],
    std: float | Sequence[float],
    data_format: str = "CHW",
    to_rgb: bool = False,
) -> Any:
    """(img - mean) / std, channel by channel.

    img: a Pillow image, an ndarray, or a Tensor of floats; its layout is data_format, so a Pillow
    image of several channels wants "HWC". mean, std: one value for each channel. to_rgb: turn the
    channels around first (BGR to RGB); Paddle turns the last axis around, whatever it is.
    Returns a Tensor for a Tensor, else an ndarray: float64 for float64 and integers of more than
    16 bits, float32 otherwise. Raises ShapeError where the channels do not fit.

    >>> normalize(np.array([[[10, 20, 30]]], "uint8"), [10, 10, 10], [1, 2, 4], "HWC")
    array([[[0., 5., 5.]]], dtype=float32)
    """
    _check_format(data_format)
    shape = (-1, 1, 1) if data_format == "CHW" else (1, 1, -1)
    axis = shape.index(-1)
    if isinstance(img, Value):
        return _normalize_tensor(img, mean, std, shape, to_rgb)
    pixels = np.asarray(img, np.float32) if is_pillow_image(img) else np.asarray(img)
    center, spread = _by_channel(mean, std, FLOAT32, shape)
    if to_rgb and pixels.ndim == 3:
        pixels = np.flip(pixels, axis)
    try:
        return (pixels - center) / spread
    except ValueError:
        raise _misfit(list(pixels.shape), data_format, center.size) from None


@told
def resize(img: Any, size: int | Sequence[int], interpolation: str = "bilinear") -> Any:
    """An image in another size.

    size: (height, width), or the length of the shorter side, the other one following.
    interpolation: nearest, bilinear, bicubic, box, lanczos or hamming, all of Pillow's, so where
    it makes an image smaller it averages over what it leaves out. Channels of arrays and Tensors
    are resized each by itself, in 8 bits for uint8, else in float32. No gradient.
    Raises ArgumentError for another size or interpolation, TypeMismatchError for what is no image.

    >>> resize(np.zeros((40, 50, 3), "uint8"), 20).shape
    (20, 25, 3)
    """
    wanted = target_size(size, *size_of(img))
    return by_pillow(
        img, lambda image, _: resize_pillow(image, wanted, interpolation), together=True
    )


def pillow_pixels(image: Any) -> np.ndarray:
    """The pixels of a Pillow image, [H,W] or [H,W,C]; mode 1 as 0 and 255, I;16 as int32."""
    pixels = np.asarray(image)
    if pixels.dtype == bool:
        return pixels.astype(np.uint8) * 255
    if pixels.dtype.kind == "u" and pixels.dtype.itemsize == 2:
        return pixels.astype(np.int32)
    return pixels


def _laid_out(tensor: Tensor, data_format: str) -> Tensor:
    if data_format == "CHW":
        return tensor
    if tensor.ndim != 3:
        raise ShapeError(f"expected a Tensor [C,H,W], received shape {tensor.shape}")
    return Tensor(np.ascontiguousarray(tensor.numpy().transpose(1, 2, 0)))


def _normalize_tensor(img: Any, mean: Any, std: Any, shape: tuple[int, ...], to_rgb: bool) -> Any:
    """With operators where gradients flow or Programs hold it; of pixels alone by NumPy."""
    if not img.dtype.is_floating:
        raise DTypeError(f"expected a Tensor of floats, received {img.dtype.name}", cure="astype")
    center, spread = _by_channel(mean, std, img.dtype.numpy, shape)
    axis = shape.index(-1)
    if _is_plain(img) and not to_rgb:
        pixels = img._data
        if pixels.ndim == 3 and (center.size == 1 or center.size == pixels.shape[axis]):
            return Tensor(_normalized(pixels, center, spread))
    if img.ndim != 3 or (center.size != 1 and img.shape[axis] not in (1, center.size)):
        raise _misfit(img.shape, FORMATS[axis > 0], center.size)
    if to_rgb:
        img = flip(img, axis)
    if _is_plain(img):
        return Tensor(_normalized(img._data, center, spread))
    return divide(subtract(img, Tensor(center)), Tensor(spread))


def _is_plain(img: Any) -> bool:
    """True for elements in the memory of this machine that no gradient or Program asks for."""
    if not isinstance(img, Tensor) or not (img.stop_gradient and current().runs):
        return False
    return img._data.__class__ is np.ndarray and img._data.dtype.kind == "f"


def _normalized(pixels: np.ndarray, center: np.ndarray, spread: np.ndarray) -> np.ndarray:
    out = np.subtract(pixels, center)
    return np.divide(out, spread, out=out)


def _by_channel(
    mean: float | Sequence[float],
    std: float | Sequence[float],
    dtype: np.dtype,
    shape: tuple[int, ...],
) -> tuple[np.ndarray, np.ndarray]:
    """A mean and a deviation for each channel, in shapes that broadcast over pixels."""
    try:
        return _kept_by_channel(tuple(mean), tuple(std), dtype, shape)  # type: ignore[arg-type]
    except TypeError:  # one number for all, or what cannot be a key
        return np.asarray(mean, dtype).reshape(shape), np.asarray(std, dtype).reshape(shape)


@functools.lru_cache(maxsize=64)
def _kept_by_channel(
    mean: tuple[float, ...], std: tuple[float, ...], dtype: np.dtype, shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    found = np.array(mean, dtype).reshape(shape), np.array(std, dtype).reshape(shape)
    for numbers in found:
        numbers.flags.writeable = False  # tensors may be made on them
    return found


def _check_format(data_format: str) -> None:
    if data_format not in FORMATS:
        raise ArgumentError(f"expected data_format 'CHW' or 'HWC', received {data_format!r}")


def _misfit(shape: list[int], data_format: str, channels: int) -> ShapeError:
    return ShapeError(
        f"expected an image of {channels} channels in the layout {data_format}, "
        f"received shape {shape}",
        cure="data_format='HWC' for Pillow images and arrays with the channels last",
    )


__all__ = [
    "adjust_brightness",
    "adjust_contrast",
    "adjust_hue",
    "adjust_saturation",
    "affine",
    "center_crop",
    "crop",
    "erase",
    "hflip",
    "normalize",
    "pad",
    "perspective",
    "resize",
    "rotate",
    "to_grayscale",
    "to_tensor",
    "vflip",
]
