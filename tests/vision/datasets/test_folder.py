"""DatasetFolder and ImageFolder find the files of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from twinoar import vision
from twinoar.errors import ArgumentError, FileError, TypeMismatchError
from twinoar.vision.datasets import DatasetFolder, ImageFolder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number, name in enumerate("ba"):
        (tmp_path / name / "deep").mkdir(parents=True)
        for file in ("x.png", "y.PNG", "deep/w.bmp", "z.txt"):
            pixels = np.full((2, 3), number, "uint8")
            Image.fromarray(pixels).save(tmp_path / name / file, "PNG")
    return tmp_path


def test_classes_are_folders_by_name(root: Path) -> None:
    data = DatasetFolder(root)
    assert (data.classes, data.class_to_idx) == (["a", "b"], {"a": 0, "b": 1})
    assert [(Path(p).name, n) for p, n in data.samples[:3]] == [
        ("x.png", 0),
        ("y.PNG", 0),
        ("w.bmp", 0),
    ]
    assert data.targets == [0, 0, 0, 1, 1, 1]
    image, number = data[4]
    assert (image.mode, image.size, number, len(data)) == ("RGB", (3, 2), 1, 6)


def test_images_without_classes_are_lists_of_one(root: Path) -> None:
    data = ImageFolder(root, transform=lambda image: image.size)
    assert (len(data), data[0]) == (6, [(3, 2)])


def test_loader_and_choice_of_files_are_the_users(root: Path) -> None:
    data = DatasetFolder(root, loader=len, is_valid_file=lambda path: path.endswith("txt"))
    assert data[0] == (len(str(root / "a" / "z.txt")), 0)
    assert len(ImageFolder(root, extensions=(".TXT", ".bmp"))) == 4


def test_images_have_the_form_of_the_backend(root: Path) -> None:
    vision.set_image_backend("cv2")
    try:
        assert DatasetFolder(root)[0][0].shape == (2, 3, 3)
    finally:
        vision.set_image_backend("pil")


@pytest.mark.parametrize("make", [DatasetFolder, ImageFolder])
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"extensions": (".q",)}, FileError, r"no files with the extensions \.q"),
        ({"extensions": ".png"}, TypeMismatchError, "sequence of names"),
        ({"extensions": (), "is_valid_file": len}, ArgumentError, "both given"),
    ],
)
def test_other_arguments_are_refused(
    make: Any, options: dict, error: type, message: str, root: Path
) -> None:
    with pytest.raises(error, match=message):
        make(root, **options)


@pytest.mark.parametrize("make", [DatasetFolder, ImageFolder])
def test_a_folder_that_is_not_there_is_named(make: Any) -> None:
    with pytest.raises(FileError, match="no folder /nowhere"):
        make("/nowhere")
