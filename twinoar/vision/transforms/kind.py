"""The kinds of images, brought to arrays [H,W] or [H,W,C], or to Pillow images, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twinoar.eager.tensor import Tensor
from twinoar.errors import ShapeError, TypeMismatchError
from twinoar.vision.image import is_pillow_image, pillow

Change = Callable[[np.ndarray], np.ndarray]


def by_array(img: Any, change: Change) -> Any:
    """What `change` makes of an image as an array [H,W] or [H,W,C], in the kind it was given in.

    img: a Pillow image, an ndarray [H,W] or [H,W,C], a Tensor [C,H,W] or [N,C,H,W].
    """
    if is_pillow_image(img):
        return _pillow_of(change(np.asarray(img)), img)
    if isinstance(img, Tensor):
        return _by_array_of_tensor(img, change)
    return change(checked_array(img))


def by_pillow(img: Any, change: Callable[[Any, int], Any], *, together: bool = False) -> Any:
    """What `change` makes of an image as Pillow images, in the kind it was given in.

    A Pillow image is changed as it is, `change(image, -1)`; of other kinds each channel c by
    itself, `change(image, c)`, in 8 bits for uint8, else in float32; bool by 0 and 1.
    together: three channels of 8 bits are one image, as the change is the same for each.
    """
    if is_pillow_image(img):
        return change(img, -1)

    def changed(pixels: np.ndarray) -> np.ndarray:
        if together and pixels.dtype == np.uint8 and pixels.shape[2:] == (3,):
            return np.array(change(pillow().fromarray(np.ascontiguousarray(pixels)), -1))
        return _by_channel(pixels, change)

    return by_array(img, changed)


def size_of(img: Any) -> tuple[int, int]:
    """(height, width) of an image of any kind."""
    if is_pillow_image(img):
        return img.height, img.width
    if isinstance(img, Tensor):
        _check_tensor(img)
        return img.shape[-2], img.shape[-1]
    height, width = checked_array(img).shape[:2]
    return height, width


def channels_of(img: Any) -> int:
    """The number of channels of an image of any kind."""
    if is_pillow_image(img):
        return len(img.getbands())
    if isinstance(img, Tensor):
        _check_tensor(img)
        return img.shape[-3]
    return 1 if checked_array(img).ndim == 2 else img.shape[2]


def checked_array(img: Any) -> np.ndarray:
    """`img`; raises TypeMismatchError unless it is an ndarray [H,W] or [H,W,C]."""
    if not isinstance(img, np.ndarray) or img.ndim not in (2, 3):
        raise no_image(img)
    return img


def no_image(value: Any) -> TypeMismatchError:
    """The error for a value that is no image."""
    shape = f" of shape {list(value.shape)}" if isinstance(value, np.ndarray) else ""
    return TypeMismatchError(
        "expected a Pillow image, an ndarray [H,W] or [H,W,C], or a Tensor [C,H,W], "
        f"received {type(value).__name__}{shape}"
    )


def _by_array_of_tensor(img: Tensor, change: Change) -> Tensor:
    _check_tensor(img)
    pixels = img.numpy()
    images = [change(image.transpose(1, 2, 0)) for image in pixels.reshape(-1, *pixels.shape[-3:])]
    changed = np.stack(images).transpose(0, 3, 1, 2)
    return Tensor(np.ascontiguousarray(changed if img.ndim == 4 else changed[0]))


def _check_tensor(img: Tensor) -> None:
    if img.ndim not in (3, 4):
        raise ShapeError(f"expected a Tensor [C,H,W] or [N,C,H,W], received shape {img.shape}")


def _pillow_of(pixels: np.ndarray, like: Any) -> Any:
    """Pixels as a Pillow image of the mode and palette of another one."""
    image = pillow()
    if pixels.ndim == 2:
        single = image.fromarray(np.ascontiguousarray(pixels))
        if like.mode == "P":
            single.putpalette(like.getpalette())
        return single
    bands = [image.fromarray(np.ascontiguousarray(band)) for band in np.moveaxis(pixels, 2, 0)]
    return image.merge(like.mode, bands)


def _by_channel(pixels: np.ndarray, change: Callable[[Any, int], Any]) -> np.ndarray:
    channels = pixels[:, :, None] if pixels.ndim == 2 else pixels
    changed = [_one_channel(channels[:, :, c], change, c) for c in range(channels.shape[2])]
    return changed[0] if pixels.ndim == 2 else np.stack(changed, axis=2)


def _one_channel(channel: np.ndarray, change: Callable[[Any, int], Any], c: int) -> np.ndarray:
    """Integers other than uint8 are rounded and kept in the range of their type."""
    dtype = channel.dtype
    exact = np.dtype(np.uint8 if dtype.kind == "b" or dtype == np.uint8 else np.float32)
    image = pillow().fromarray(np.ascontiguousarray(channel.astype(exact)))
    changed = np.array(change(image, c))
    if dtype.kind in "iu" and dtype != exact:
        limits = np.iinfo(dtype)
        changed = np.clip(np.rint(changed.astype(np.float64)), limits.min, limits.max)
    return changed.astype(dtype)
