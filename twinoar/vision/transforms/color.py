"""The colors of images: brighter, stronger, turned, or gray."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.core.op.explain import told
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError
from twinoar.vision.image import is_pillow_image, pillow, pillow_enhance
from twinoar.vision.transforms.kind import by_array, channels_of

# Source: ITU-R BT.601, as Paddle rounds them for floats.
LUMA = np.array([0.2989, 0.5870, 0.1140])
Pixels = np.ndarray


@told
def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """An image whose pixels are brightness_factor times as bright: 0 is black, 1 the image.

    img: a Pillow image, an ndarray [H,W] or [H,W,C], or a Tensor [C,H,W]; the same kind comes
    back. uint8 is computed as Pillow does; floats are in 0..1, and cut off there.
    Raises DTypeError for other types, ArgumentError for arrays of floats above 1.

    >>> adjust_brightness(np.array([[10, 200]], "uint8"), 1.5)
    array([[ 15, 255]], dtype=uint8)
    """
    return _blended(img, "Brightness", np.zeros_like, brightness_factor)


@told
def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """An image contrast_factor times as far from its average: 0 is gray, 1 the image.

    Kinds, types and errors as of `adjust_brightness`.

    >>> adjust_contrast(np.array([[100, 200]], "uint8"), 0.5)
    array([[125, 175]], dtype=uint8)
    """
    return _blended(img, "Contrast", lambda pixels: _gray(pixels).mean(), contrast_factor)


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """An image whose colors are saturation_factor times as strong: 0 is gray, 1 the image.

    Kinds, types and errors as of `adjust_brightness`.

    >>> adjust_saturation(np.array([[[100, 200, 100]]], "uint8"), 0.0).tolist()
    [[[159, 159, 159]]]
    """
    return _blended(img, "Color", _gray, saturation_factor)


@told
def adjust_hue(img: Any, hue_factor: float) -> Any:
    """An image whose colors are turned by hue_factor of the color circle; gray stays.

    hue_factor: -0.5..0.5. Kinds, types and errors as of `adjust_brightness`; also ArgumentError
    for another factor.

    >>> adjust_hue(np.array([[[255, 0, 0]]], "uint8"), 0.5).tolist()
    [[[0, 255, 252]]]
    """
    if not -0.5 <= hue_factor <= 0.5:
        raise ArgumentError(f"expected hue_factor in -0.5..0.5, received {hue_factor}")
    if channels_of(img) == 1:
        return img
    if is_pillow_image(img):
        return _turned(img, hue_factor)
    return _colored(img, lambda image: _turned(image, hue_factor), lambda p: _turn(p, hue_factor))


@told
def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """A gray image; a Pillow image and an ndarray [H,W] or [H,W,1] for one channel.

    num_output_channels: 1, or 3 equal ones. uint8 is computed as Pillow does.
    Raises ArgumentError for another number.

    >>> to_grayscale(np.array([[[100, 200, 100]]], "uint8")).tolist()
    [[[159]]]
    """
    if num_output_channels not in (1, 3):
        raise ArgumentError(f"expected num_output_channels 1 or 3, received {num_output_channels}")
    if is_pillow_image(img):
        gray = img.convert("L")
        return gray if num_output_channels == 1 else pillow().merge("RGB", [gray] * 3)

    def grayed(pixels: Pixels) -> Pixels:
        eight_bits = pixels.dtype == np.uint8
        gray = _array(_image(pixels).convert("L")) if eight_bits else _gray(pixels)
        return np.repeat(gray, num_output_channels, axis=2).astype(pixels.dtype)

    return by_array(img, lambda p: grayed(p[:, :, None] if p.ndim == 2 else p))


def _blended(img: Any, enhancer: str, base: Callable[[Pixels], Any], factor: float) -> Any:
    """factor of an image and 1 - factor of what `base` makes of it, by Pillow for 8 bits."""

    def enhanced(image: Any) -> Any:
        return getattr(pillow_enhance(), enhancer)(image).enhance(factor)

    def mixed(pixels: Pixels) -> Pixels:
        plain = base(pixels)
        return np.clip(plain + factor * (pixels - plain), 0, 1)

    return enhanced(img) if is_pillow_image(img) else _colored(img, enhanced, mixed)


def _colored(img: Any, in_eight_bits: Callable[[Any], Any], in_floats: Callable) -> Any:
    """An ndarray or Tensor changed as a Pillow image if it is uint8, else as floats [H,W,C]."""
    bounded = not isinstance(img, Tensor)

    def changed(pixels: Pixels) -> Pixels:
        channels = pixels[:, :, None] if pixels.ndim == 2 else pixels
        if pixels.dtype == np.uint8:
            out = _array(in_eight_bits(_image(channels)))
        else:
            _check_floats(pixels, bounded)
            out = in_floats(channels).astype(pixels.dtype)
        return out.reshape(pixels.shape)

    return by_array(img, changed)


def _check_floats(pixels: Pixels, bounded: bool) -> None:
    cure = "astype('uint8') for values in 0..255"
    if pixels.dtype.kind != "f":
        raise DTypeError(f"expected uint8 or floats, received {pixels.dtype}", cure=cure)
    if bounded and pixels.size and pixels.max() > 1:
        raise ArgumentError(f"expected floats in 0..1, received {pixels.max()}", cure=cure)


def _image(pixels: Pixels) -> Any:
    """[H,W,1] or [H,W,3], uint8, as a Pillow image."""
    if pixels.shape[2] not in (1, 3):
        raise ShapeError(f"expected 1 or 3 channels, received {pixels.shape[2]}")
    gray = pixels.shape[2] == 1
    return pillow().fromarray(np.ascontiguousarray(pixels[:, :, 0] if gray else pixels))


def _array(image: Any) -> Pixels:
    """A Pillow image as [H,W,C]."""
    pixels = np.array(image)
    return pixels[:, :, None] if pixels.ndim == 2 else pixels


def _gray(pixels: Pixels) -> Pixels:
    """[H,W,C] as floats [H,W,1]."""
    if pixels.shape[2] == 1:
        return pixels
    if pixels.shape[2] != len(LUMA):
        raise ShapeError(f"expected 1 or 3 channels, received {pixels.shape[2]}")
    return (pixels @ LUMA.astype(pixels.dtype if pixels.dtype.kind == "f" else float))[:, :, None]


def _turned(image: Any, factor: float) -> Any:
    """A Pillow image with its hue, of 8 bits, turned by factor."""
    if len(image.getbands()) == 1:
        return image
    hue, saturation, value = image.convert("HSV").split()
    turned = (np.asarray(hue).astype(int) + int(factor * 255)) % 256
    parts = (pillow().fromarray(turned.astype(np.uint8)), saturation, value)
    return pillow().merge("HSV", parts).convert(image.mode)


def _turn(pixels: Pixels, factor: float) -> Pixels:
    """Floats [H,W,3] with their hue turned by factor.

    Of the color circle, each of red, green and blue follows one trapezoid: it is highest where the
    others meet, and lowest on the other side. Source: A. R. Smith, "Color gamut transform pairs",
    1978.
    """
    highest, lowest = pixels.max(2, keepdims=True), pixels.min(2, keepdims=True)
    spread = highest - lowest
    r, g, b = np.moveaxis(pixels, 2, 0)
    divisor = np.where(spread == 0, 1, spread)[:, :, 0]
    sector = np.where(
        r == highest[:, :, 0],
        (g - b) / divisor,
        np.where(g == highest[:, :, 0], 2 + (b - r) / divisor, 4 + (r - g) / divisor),
    )  # of six, from red over green and blue
    place = (sector[:, :, None] + 6 * factor + np.array([5, 3, 1])) % 6
    return np.clip(highest - spread * np.clip(np.minimum(place, 4 - place), 0, 1), 0, 1)
