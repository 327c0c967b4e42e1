"""The form of images, and reading them from files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from twinoar import vision
from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, FileError, UnsupportedError

RED_TO_BLUE = np.array([[[10, 20, 30], [1, 2, 3]]], "uint8")  # [1,2,3]


@pytest.fixture(autouse=True)
def _pil_afterwards() -> Iterator[None]:
    yield
    vision.set_image_backend("pil")


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "picture.png"
    Image.fromarray(RED_TO_BLUE).save(path)
    return path


def test_pillow_is_the_default() -> None:
    assert vision.get_image_backend() == "pil"


@pytest.mark.parametrize("backend", ["pil", "cv2", "tensor"])
def test_backend_can_be_chosen(backend: str) -> None:
    vision.set_image_backend(backend)
    assert vision.get_image_backend() == backend


@pytest.mark.parametrize("use", [vision.set_image_backend, lambda b: vision.image_load("x", b)])
def test_unknown_backend_is_refused(use: Any) -> None:
    with pytest.raises(ArgumentError, match="pil, cv2, tensor, received 'gd'"):
        use("gd")


def test_pil_loads_a_pillow_image(picture: Path) -> None:
    image = vision.image_load(picture)
    assert isinstance(image, Image.Image)
    assert image.size == (2, 1)


def test_cv2_loads_an_array_with_blue_first(picture: Path) -> None:
    pixels = vision.image_load(picture, "cv2")
    assert pixels.dtype == np.uint8
    assert pixels.tolist() == [[[30, 20, 10], [3, 2, 1]]]


def test_chosen_backend_loads(picture: Path) -> None:
    vision.set_image_backend("tensor")
    tensor = vision.image_load(str(picture))
    assert isinstance(tensor, Tensor)
    assert tensor.tolist() == [[[10, 1]], [[20, 2]], [[30, 3]]]


@pytest.mark.parametrize("content", [None, b"", b"no picture"])
def test_file_that_is_no_image_is_a_file_error(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.png"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError, match=r"cannot read an image from .*x\.png"):
        vision.image_load(path)


def test_truncated_image_is_a_file_error(picture: Path) -> None:
    picture.write_bytes(picture.read_bytes()[:-30])
    with pytest.raises(FileError, match="cannot read an image"):
        vision.image_load(picture)


def test_missing_pillow_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(UnsupportedError, match=r"pip install twinoar\[vision\]"):
        vision.image_load("x.png")
