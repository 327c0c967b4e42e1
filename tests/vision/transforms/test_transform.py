"""Transforms as objects, their keys, and Compose."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from PIL import Image

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ShapeError, TypeMismatchError, UnsupportedError
from twinoar.vision.transforms import (
    BaseTransform,
    Compose,
    Normalize,
    Resize,
    ToTensor,
    Transpose,
)

RGB = np.arange(4 * 5 * 3).reshape(4, 5, 3).astype("uint8")
GRAY = np.ascontiguousarray(RGB[..., 0])


class Marked(BaseTransform):
    """Says what was done with each part."""

    def _get_params(self, inputs: tuple) -> int:
        return len(inputs)

    def _apply_image(self, image: Any) -> Any:
        return "image", image, self.params

    def _apply_boxes(self, boxes: Any) -> Any:
        return "boxes", boxes


@pytest.mark.parametrize(
    ("keys", "inputs", "outputs"),
    [
        (None, 1, ("image", 1, 1)),
        (None, [1, 2], ("image", [1, 2], 1)),
        (None, (1, 2), (("image", 1, 2), 2)),
        (("image", "boxes"), (1, 2), (("image", 1, 2), ("boxes", 2))),
        (("image", "boxes", "image"), (1, 2, 3), (("image", 1, 3), ("boxes", 2), ("image", 3, 3))),
        (("image", "boxes"), (1, 2, 3, 4), (("image", 1, 4), ("boxes", 2), 3, 4)),
        (("image", "boxes"), (1,), (("image", 1, 1),)),
        (["image"], 1, ("image", 1, 1)),
    ],
)
def test_parts_go_to_the_methods_of_their_keys(keys: Any, inputs: Any, outputs: Any) -> None:
    assert Marked(keys)(inputs) == outputs


@pytest.mark.parametrize("keys", ["image", 3])
def test_keys_must_be_a_sequence_of_names(keys: Any) -> None:
    with pytest.raises(TypeMismatchError, match="expected keys to be a sequence"):
        Marked(keys)


def test_key_without_a_method_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="Marked has no _apply_mask"):
        Marked(("image", "mask"))


def test_base_transform_says_what_to_define() -> None:
    with pytest.raises(NotImplementedError, match="BaseTransform has no _apply_image"):
        BaseTransform()(1)


def test_compose_applies_in_order() -> None:
    assert Compose([lambda x: x + 1, lambda x: x * 2])(3) == 8


def test_compose_notes_where_an_exception_was_raised() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        Compose([Resize(2), lambda image: 1 / 0])(RGB)
    assert caught.value.__notes__[0].startswith("in transform 1 of Compose, <function")


def test_compose_prints_its_transforms() -> None:
    assert repr(Compose([Resize(3), ToTensor()])) == (
        "Compose(\n    Resize(size=3, interpolation='bilinear')\n    ToTensor(data_format='CHW')\n)"
    )


@pytest.mark.parametrize("image", [RGB, Image.fromarray(RGB)])
def test_usual_pipeline_gives_a_normalized_tensor(image: Any) -> None:
    pipeline = Compose([Resize((4, 5)), ToTensor()])
    assert np.array_equal(pipeline(image).numpy(), RGB.transpose(2, 0, 1).astype("float32") / 255)


def test_pipelines_can_be_sent_to_workers() -> None:
    pipeline = pickle.loads(pickle.dumps(Compose([Resize(2), Normalize(1.0, 2.0, "HWC")])))
    assert pipeline(RGB).shape == (2, 2, 3)


def test_to_tensor_passes_the_label_on() -> None:
    image, label = ToTensor()((RGB, 5))
    assert (image.shape, label) == ([3, 4, 5], 5)


@pytest.mark.parametrize("mean", [2.0, [2.0, 2.0, 2.0], (2, 2, 2), np.array([2.0, 2.0, 2.0])])
def test_normalize_takes_one_number_or_one_for_each_channel(mean: Any) -> None:
    assert np.array_equal(Normalize(mean, 1, "HWC")(RGB), RGB.astype("float32") - 2)


@pytest.mark.parametrize("size", [2.5, "abc", (32,), (1, 2, 3)])
def test_resize_refuses_other_sizes_at_once(size: Any) -> None:
    with pytest.raises(ArgumentError, match="expected size to be an integer or a pair"):
        Resize(size)


@pytest.mark.parametrize("order", [(2, 0, 1), (0, 1, 2), (1, 0, 2)])
@pytest.mark.parametrize("image", [RGB, Image.fromarray(RGB)])
def test_transpose_orders_the_axes(image: Any, order: tuple) -> None:
    assert np.array_equal(Transpose(order)(image), RGB.transpose(order))


@pytest.mark.parametrize("image", [GRAY, GRAY[..., None], Image.fromarray(GRAY)])
def test_transpose_gives_gray_one_channel(image: Any) -> None:
    assert np.array_equal(Transpose()(image), GRAY[None])


def test_transpose_of_a_tensor_is_a_tensor() -> None:
    transposed = Transpose()(Tensor(RGB))
    assert isinstance(transposed, Tensor)
    assert np.array_equal(transposed.numpy(), RGB.transpose(2, 0, 1))


def test_transpose_refuses_another_number_of_axes() -> None:
    with pytest.raises(ShapeError, match=r"3 axes, received shape \[1, 4, 5, 3\]"):
        Transpose()(RGB[None])
