"""What an image is: which form datasets and `image_load` give it, and how Pillow is reached."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from types import ModuleType
from typing import Any

import numpy as np

from twinoar.core.settings import announce, count_setting
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, FileError, UnsupportedError

BACKENDS = ("pil", "cv2", "tensor")
DATASET_BACKENDS = ("pil", "cv2")

_backend = "pil"


def set_image_backend(backend: str) -> None:
    """Choose the form of images: "pil" (Pillow images), "cv2" (ndarrays) or "tensor".

    OpenCV is not needed: "cv2" means ndarrays laid out as OpenCV has them.
    Raises ArgumentError for another name.

    >>> set_image_backend("cv2"); get_image_backend()
    'cv2'
    >>> set_image_backend("pil")
    """
    global _backend
    _backend = checked_backend(backend, BACKENDS)
    count_setting()


def get_image_backend() -> str:
    """The name of the form that images have: "pil" unless `set_image_backend` chose another."""
    return _backend


announce("the image backend", get_image_backend)


def image_load(path: str | PathLike[str], backend: str | None = None) -> Any:
    """The image in a file, read by Pillow.

    backend: "pil" gives the Pillow image; "cv2" an ndarray [H,W,3], uint8, blue first, as OpenCV
    gives it; "tensor" a Tensor [3,H,W], uint8, red first; None what `set_image_backend` chose.
    Raises FileError for a file that is not there or is no image.
    """
    kind = checked_backend(_backend if backend is None else backend, BACKENDS)
    image = opened(path, path)
    if kind == "pil":
        return image
    pixels = np.asarray(image.convert("RGB"))
    if kind == "cv2":
        return pixels[..., ::-1].copy()
    return Tensor(pixels.transpose(2, 0, 1).copy())


def checked_backend(backend: str, allowed: tuple[str, ...]) -> str:
    """`backend`; raises ArgumentError unless it is one of `allowed`."""
    if backend not in allowed:
        raise ArgumentError(
            f"expected an image backend of {', '.join(allowed)}, received {backend!r}",
            cure="twinoar.vision.set_image_backend('pil')",
        )
    return backend


def image_of(pixels: np.ndarray, backend: str) -> Any:
    """Pixels [H,W] or [H,W,3], uint8, as a Pillow image, or as float32 in 0..255 for "cv2"."""
    if backend == "pil":
        return pillow().fromarray(pixels)
    return pixels.astype(np.float32)


def is_pillow_image(value: Any) -> bool:
    """True for a Pillow image; does not load Pillow."""
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(value, module.Image)


def pillow() -> ModuleType:
    """The module PIL.Image; raises UnsupportedError where Pillow is not installed."""
    with _explained():
        return importlib.import_module("PIL.Image")


def pillow_enhance() -> ModuleType:
    """The module PIL.ImageEnhance; raises UnsupportedError where Pillow is not installed."""
    with _explained():
        return importlib.import_module("PIL.ImageEnhance")


@contextmanager
def _explained() -> Iterator[None]:
    """What a missing Pillow says."""
    try:
        yield
    except ModuleNotFoundError:
        raise UnsupportedError(
            "Pillow images need the package Pillow, which is not installed",
            cure="pip install twinoar[vision], or set_image_backend('cv2') for ndarrays",
        ) from None


def opened(source: Any, name: object) -> Any:
    """The Pillow image in a file or stream; name: for messages. Raises FileError."""
    open_image = pillow().open
    try:
        image = open_image(source)
        image.load()
    except MemoryError:
        raise
    except Exception as error:  # damaged files make Pillow raise errors of a dozen kinds
        raise FileError(f"cannot read an image from {name}: {error}") from error
    return image
