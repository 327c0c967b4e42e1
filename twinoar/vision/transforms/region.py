"""Parts of images: turned around, cut out, bordered, overwritten. No pixel is computed anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np

from twinoar.core.op.explain import told
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.vision.image import is_pillow_image, pillow
from twinoar.vision.transforms.kind import by_array, channels_of, size_of

PaddingMode = Literal["constant", "edge", "reflect", "symmetric"]


@told
def hflip(img: Any) -> Any:
    """An image with left and right exchanged.

    img: a Pillow image, an ndarray [H,W] or [H,W,C], or a Tensor [C,H,W]; the same kind comes back.

    >>> hflip(np.array([[1, 2, 3]], "uint8"))
    array([[3, 2, 1]], dtype=uint8)
    """
    if is_pillow_image(img):
        return img.transpose(pillow().Transpose.FLIP_LEFT_RIGHT)
    return by_array(img, _columns_reversed)


def _columns_reversed(pixels: np.ndarray) -> np.ndarray:
    """A copy, channel by channel: NumPy would move a pixel's few channels with a loop for each."""
    if pixels.ndim != 3:
        return pixels[:, ::-1].copy()
    found = np.empty(pixels.shape, pixels.dtype)
    for channel in range(pixels.shape[2]):
        found[:, :, channel] = pixels[:, ::-1, channel]
    return found


@told
def vflip(img: Any) -> Any:
    """An image with top and bottom exchanged; kinds as of `hflip`.

    >>> vflip(np.array([[1], [2]], "uint8")).tolist()
    [[2], [1]]
    """
    if is_pillow_image(img):
        return img.transpose(pillow().Transpose.FLIP_TOP_BOTTOM)
    return by_array(img, lambda pixels: pixels[::-1].copy())


@told
def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """The part of an image that begins at row top and column left; kinds as of `hflip`.

    Of Pillow images what lies outside is 0; of other kinds it is left out.

    >>> crop(np.arange(12).reshape(3, 4), 1, 2, 2, 2)
    array([[ 6,  7],
           [10, 11]])
    """
    if is_pillow_image(img):
        return img.crop((left, top, left + width, top + height))
    return by_array(img, lambda pixels: pixels[top : top + height, left : left + width].copy())


@told
def center_crop(img: Any, output_size: int | Sequence[int]) -> Any:
    """The middle of an image; output_size: (height, width), or both as one number.

    >>> center_crop(np.zeros((40, 50, 3), "uint8"), 16).shape
    (16, 16, 3)
    """
    height, width = pair_of(output_size)
    rows, columns = size_of(img)
    top, left = round((rows - height) / 2), round((columns - width) / 2)
    return crop(img, top, left, height, width)


@told
def pad(
    img: Any,
    padding: int | Sequence[int],
    fill: float | Sequence[float] = 0,
    padding_mode: PaddingMode = "constant",
) -> Any:
    """An image with borders; kinds as of `hflip`.

    padding: pixels, one number, (left and right, top and bottom), or (left, top, right, bottom).
    fill: the value of a constant border, one or one for each channel. padding_mode: "constant",
    "edge" (the last pixel again), "reflect" (mirrored at the last pixel), "symmetric" (mirrored
    with the last pixel again). Raises ArgumentError for other arguments.

    >>> pad(np.array([[1, 2, 3]], "uint8"), (2, 0), padding_mode="reflect")
    array([[3, 2, 1, 2, 3, 2, 1]], dtype=uint8)
    """
    left, top, right, bottom = _sides(padding)
    if padding_mode not in get_args(PaddingMode):
        raise ArgumentError(
            f"expected one of {get_args(PaddingMode)} as padding_mode, received {padding_mode!r}"
        )
    values = fill_of(img, fill) if padding_mode == "constant" else None
    borders = ((top, bottom), (left, right))

    def padded(pixels: np.ndarray) -> np.ndarray:
        if values is None:
            return np.pad(pixels, (*borders, *((0, 0),) * (pixels.ndim - 2)), padding_mode)
        rows, columns = pixels.shape[0] + top + bottom, pixels.shape[1] + left + right
        out = np.empty((rows, columns, *pixels.shape[2:]), pixels.dtype)
        out[...] = np.asarray(values, pixels.dtype) if pixels.ndim == 3 else values[0]
        out[top : rows - bottom, left : columns - right] = pixels
        return out

    return by_array(img, padded)


@told
def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Any:
    """An image in which h by w pixels from row i and column j on are v; kinds as of `hflip`.

    v: a number, or what broadcasts to the pixels: [h,w,C] for Pillow images and ndarrays, [C,h,w]
    for a Tensor. inplace: change the ndarray or Tensor itself, and return it.

    >>> erase(np.ones((2, 3)), 0, 1, 2, 2, 0).tolist()
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    values = np.asarray(v.numpy() if isinstance(v, Tensor) else v)
    if isinstance(img, Tensor):
        pixels = img.numpy().copy()
        pixels[..., i : i + h, j : j + w] = values
        if not inplace:
            return Tensor(pixels)
        img.set_value(pixels)
        return img

    def erased(pixels: np.ndarray) -> np.ndarray:
        out = pixels if inplace and pixels.flags.writeable else pixels.copy()
        flat = out.ndim == 2 and values.ndim == 3
        part = values[..., 0] if flat else values
        out[i : i + h, j : j + w] = part.astype(out.dtype)
        return out

    return by_array(img, erased)


def pair_of(size: int | Sequence[int]) -> tuple[int, int]:
    """(height, width) of a size that may be one number. Raises ArgumentError."""
    sides = (size, size) if isinstance(size, (int, np.integer)) else tuple(size)
    if len(sides) != 2:
        raise ArgumentError(f"expected a number or (height, width), received {size!r}")
    return int(sides[0]), int(sides[1])


def fill_of(img: Any, fill: float | Sequence[float]) -> list[float]:
    """One value for each channel. Raises ShapeError where their numbers differ."""
    channels = channels_of(img)
    values = list(fill) if isinstance(fill, Sequence) else [fill]
    if len(values) not in (1, channels):
        raise ShapeError(f"expected 1 or {channels} values in fill, received {len(values)}")
    return values * channels if len(values) == 1 else values


def _sides(padding: int | Sequence[int]) -> Sequence[int]:
    """(left, top, right, bottom)."""
    if isinstance(padding, (int, np.integer)):
        return (int(padding),) * 4
    if isinstance(padding, Sequence) and len(padding) in (2, 4):
        return tuple(padding) * (4 // len(padding))
    raise ArgumentError(
        "expected padding to be a number, (left and right, top and bottom) or "
        f"(left, top, right, bottom), received {padding!r}"
    )
