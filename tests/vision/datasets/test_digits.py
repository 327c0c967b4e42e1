"""The digits that come with twinoar."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from twinoar.errors import ArgumentError
from twinoar.vision.datasets import Digits


def labels(mode: str) -> np.ndarray:
    return np.array([label for _, label in Digits(mode, backend="cv2")])[:, 0]


def test_parts_have_their_sizes_and_all_classes_in_proportion() -> None:
    assert [len(Digits(mode)) for mode in ("train", "test")] == [1437, 360]
    counts = np.bincount(labels("test"))
    assert counts.tolist() == [36, 37, 35, 37, 36, 36, 36, 36, 35, 36]
    assert (np.bincount(labels("train")) + counts).tolist() == [
        *[178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    ]


def test_parts_have_no_image_in_common() -> None:
    train, test = ({image.tobytes() for image in Digits(m).images} for m in ("train", "test"))
    assert (len(train), len(test), train & test) == (1437, 360, set())


def test_cv2_sample_is_float_array_and_label() -> None:
    image, label = Digits(backend="cv2")[0]
    assert (image.shape, image.dtype, label.shape, label.dtype) == (
        (8, 8),
        "float32",
        (1,),
        "int64",
    )
    assert Digits(backend="cv2").images.max() == 255


def test_pil_image_has_the_pixels_of_the_array() -> None:
    image, array = Digits()[7][0], Digits(backend="cv2")[7][0]
    assert (image.mode, image.size) == ("L", (8, 8))
    assert np.array_equal(np.asarray(image), array)


def test_first_image_is_the_zero_of_the_source() -> None:
    image, label = Digits(backend="cv2")[0]
    assert label == 0
    assert (image[0] * 16 / 255).round().tolist() == [0, 0, 5, 13, 9, 1, 0, 0]


def test_transform_is_applied_to_the_image() -> None:
    image, label = Digits(transform=lambda image: image.size)[0]
    assert (image, label.tolist()) == ((8, 8), [0])


def test_changing_a_sample_does_not_change_the_data_set() -> None:
    digits = Digits(backend="cv2")
    image, label = digits[0]
    image[:], label[:] = 7, 7
    assert (digits[0][0][0, 0], digits[0][1][0]) == (0, 0)


@pytest.mark.parametrize("options", [{"mode": "validation"}, {"backend": "tensor"}])
def test_unknown_mode_or_backend_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="expected"):
        Digits(**options)
