"""to_tensor, normalize and resize on Pillow images, arrays and Tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.vision.transforms import functional as F
from twinoar.vision.transforms.resampling import FILTERS

RANDOM = np.random.RandomState(0)
RGB = RANDOM.randint(0, 256, (40, 50, 3)).astype("uint8")
GRAY = np.ascontiguousarray(RGB[..., 0])
PIXEL = np.array([[[10, 20, 30]]], "uint8")
THREE = ([127.5] * 3, [127.5] * 3)


def tensor_of(array: np.ndarray) -> Tensor:
    """An array [H,W,C] as a Tensor [C,H,W]."""
    return Tensor(np.ascontiguousarray(array.transpose(2, 0, 1)))


@pytest.mark.parametrize(
    ("image", "shape", "dtype", "largest"),
    [
        (RGB, [3, 40, 50], "float32", 1.0),
        (GRAY, [1, 40, 50], "float32", 1.0),
        (GRAY[..., None], [1, 40, 50], "float32", 1.0),
        (RGB.astype("float32"), [3, 40, 50], "float32", 255.0),
        (RGB.astype("float64"), [3, 40, 50], "float64", 255.0),
        (RGB.astype("int64"), [3, 40, 50], "int64", 255.0),
        (GRAY > 9, [1, 40, 50], "bool", 1.0),
        (Image.fromarray(RGB), [3, 40, 50], "float32", 1.0),
        (Image.fromarray(GRAY), [1, 40, 50], "float32", 1.0),
        (Image.fromarray(GRAY > 9), [1, 40, 50], "float32", 1.0),
        (Image.fromarray(GRAY.astype("int32")), [1, 40, 50], "int32", 255.0),
        (Image.fromarray(GRAY.astype("uint16") * 200), [1, 40, 50], "int32", 51000.0),
        (Image.fromarray(GRAY.astype("float32")), [1, 40, 50], "float32", 255.0),
        (Image.fromarray(np.dstack([RGB, GRAY])), [4, 40, 50], "float32", 1.0),
        (Image.fromarray(GRAY).convert("LA"), [2, 40, 50], "float32", 1.0),
    ],
)
def test_to_tensor_shape_type_and_range(
    image: Any, shape: list[int], dtype: str, largest: float
) -> None:
    tensor = F.to_tensor(image)
    assert (tensor.shape, tensor.dtype, tensor.numpy().max()) == (shape, dtype, largest)
    assert tensor.stop_gradient


def test_to_tensor_scales_by_255_and_puts_channels_first() -> None:
    expected = RGB.transpose(2, 0, 1).astype("float32") / 255
    assert np.array_equal(F.to_tensor(RGB).numpy(), expected)
    assert np.array_equal(F.to_tensor(Image.fromarray(RGB)).numpy(), expected)


@pytest.mark.parametrize("image", [RGB, Image.fromarray(RGB), tensor_of(RGB)])
def test_to_tensor_with_channels_last(image: Any) -> None:
    assert F.to_tensor(image, "HWC").shape == [40, 50, 3]


def test_to_tensor_does_not_alias_the_array() -> None:
    image = np.zeros((2, 2), "float32")
    tensor = F.to_tensor(image)
    image[:] = 1
    assert tensor.numpy().max() == 0


@pytest.mark.parametrize("value", [[[1, 2]], RGB[None], np.zeros(3), None])
@pytest.mark.parametrize("function", [F.to_tensor, lambda image: F.resize(image, 10)])
def test_what_is_no_image_is_refused(function: Any, value: Any) -> None:
    with pytest.raises(TypeMismatchError, match="expected a Pillow image"):
        function(value)


@pytest.mark.parametrize(
    "function", [lambda f: F.to_tensor(RGB, f), lambda f: F.normalize(RGB, 0.0, 1.0, f)]
)
def test_unknown_layout_is_refused(function: Any) -> None:
    with pytest.raises(ArgumentError, match="'CHW' or 'HWC', received 'XYZ'"):
        function("XYZ")


@pytest.mark.parametrize(
    ("image", "dtype"),
    [
        (RGB, "float32"),
        (RGB.astype("float32"), "float32"),
        (RGB.astype("float64"), "float64"),
        (RGB.astype("int64"), "float64"),
        (Image.fromarray(RGB), "float32"),
    ],
)
def test_normalize_centers_each_channel(image: Any, dtype: str) -> None:
    normalized = F.normalize(image, *THREE, data_format="HWC")
    assert normalized.dtype == dtype
    assert np.allclose(normalized, RGB / 127.5 - 1, atol=1e-6)


def test_normalize_of_gray_takes_one_channel() -> None:
    assert F.normalize(Image.fromarray(GRAY), [127.5], [127.5]).shape == (1, 40, 50)
    assert F.normalize(GRAY, [127.5], [127.5]).shape == (1, 40, 50)


def test_normalize_leaves_its_input_alone() -> None:
    image = RGB.astype("float32")
    F.normalize(image, *THREE, data_format="HWC")
    assert np.array_equal(image, RGB)


@pytest.mark.parametrize(
    ("image", "data_format"),
    [(PIXEL, "HWC"), (Image.fromarray(PIXEL), "HWC"), (PIXEL.transpose(2, 0, 1), "CHW")],
)
def test_to_rgb_turns_the_channels_around(image: Any, data_format: str) -> None:
    normalized = F.normalize(image, [1, 2, 3], [1, 1, 1], data_format, to_rgb=True)
    assert normalized.ravel().tolist() == [29, 18, 7]


def test_normalize_refuses_channels_that_do_not_fit() -> None:
    with pytest.raises(ShapeError, match=r"3 channels in the layout CHW, received shape \[40, 50"):
        F.normalize(RGB, *THREE)


@pytest.mark.parametrize("data_format", ["CHW", "HWC"])
def test_normalize_of_a_tensor_agrees_with_the_array(data_format: str) -> None:
    array = RGB.astype("float32")
    image = tensor_of(array) if data_format == "CHW" else Tensor(array)
    normalized = F.normalize(image, *THREE, data_format=data_format)
    expected = F.normalize(image.numpy(), *THREE, data_format=data_format)
    assert isinstance(normalized, Tensor)
    assert np.array_equal(normalized.numpy(), expected)


def test_normalize_of_a_tensor_can_turn_the_channels_around() -> None:
    image = Tensor(PIXEL.astype("float32"))
    normalized = F.normalize(image, [1, 2, 3], [1, 1, 1], "HWC", to_rgb=True)
    assert normalized.numpy().ravel().tolist() == [29, 18, 7]


@pytest.mark.parametrize(
    ("image", "error", "message"),
    [
        (tensor_of(RGB), DTypeError, "Tensor of floats, received uint8"),
        (Tensor(GRAY.astype("float32")), ShapeError, r"received shape \[40, 50\]"),
        (Tensor(RGB.astype("float32")), ShapeError, "3 channels in the layout CHW"),
    ],
)
def test_normalize_refuses_other_tensors(image: Tensor, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        F.normalize(image, *THREE)


@pytest.mark.parametrize(
    ("size", "height", "width"),
    [
        (32, 32, 40),
        (40, 40, 50),
        (60, 60, 75),
        ((20, 30), 20, 30),
        ([20, 30], 20, 30),
    ],
)
def test_resize_gives_the_size_in_all_kinds(size: Any, height: int, width: int) -> None:
    assert F.resize(Image.fromarray(RGB), size).size == (width, height)
    assert F.resize(RGB, size).shape == (height, width, 3)
    assert F.resize(GRAY, size).shape == (height, width)
    assert F.resize(GRAY[..., None], size).shape == (height, width, 1)
    assert F.resize(tensor_of(RGB), size).shape == [3, height, width]


@pytest.mark.parametrize(
    ("shape", "size", "expected"),
    [((37, 53), 15, (15, 21)), ((53, 37), 100, (143, 100)), ((37, 37), 5, (5, 5))],
)
def test_longer_side_is_rounded_down(shape: tuple, size: int, expected: tuple) -> None:
    assert F.resize(np.zeros(shape, "uint8"), size).shape == expected


@pytest.mark.parametrize("interpolation", FILTERS)
@pytest.mark.parametrize("size", [(20, 30), (80, 70)])
def test_the_three_kinds_agree(interpolation: str, size: tuple[int, int]) -> None:
    image = np.asarray(F.resize(Image.fromarray(RGB), size, interpolation))
    array = F.resize(RGB, size, interpolation)
    tensor = F.resize(tensor_of(RGB), size, interpolation)
    assert np.array_equal(array, image)
    assert np.array_equal(tensor.numpy().transpose(1, 2, 0), image)


@pytest.mark.parametrize("interpolation", FILTERS)
def test_float_arrays_are_resized_as_mode_f(interpolation: str) -> None:
    channel = RGB[..., 1].astype("float32")
    expected = np.asarray(F.resize(Image.fromarray(channel), (20, 30), interpolation))
    resized = F.resize(RGB.astype("float32"), (20, 30), interpolation)
    assert np.array_equal(resized[..., 1], expected)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "int64", "float16", "float64"])
def test_resize_keeps_the_type(dtype: str) -> None:
    assert F.resize(np.ones((4, 6), dtype), (2, 3)).dtype == dtype


def test_integers_that_overshoot_stay_in_range() -> None:
    edge = np.repeat(np.array([[-128, -128, 127, 127]], "int8"), 4, axis=0)
    resized = F.resize(edge, (4, 16), "bicubic")
    assert (resized.min(), resized.max()) == (-128, 127)


def test_same_size_gives_the_same_image() -> None:
    image = Image.fromarray(RGB)
    assert F.resize(image, (40, 50)) is image


@pytest.mark.parametrize("image", [RGB, Image.fromarray(RGB), tensor_of(RGB)])
@pytest.mark.parametrize("size", [0, -1, 2.5, "a", (32,), (20, 30, 3), (20, 0), None])
def test_other_sizes_are_refused(image: Any, size: Any) -> None:
    with pytest.raises(ArgumentError, match="expected size to be"):
        F.resize(image, size)


@pytest.mark.parametrize("name", ["area", "cubic", ""])
def test_unknown_interpolation_is_refused_with_the_names(name: str) -> None:
    with pytest.raises(ArgumentError, match="nearest, bilinear, bicubic, box, lanczos, hamming"):
        F.resize(RGB, (20, 30), name)


def test_tensor_without_three_axes_is_refused() -> None:
    with pytest.raises(ShapeError, match=r"\[N,C,H,W\], received shape \[40, 50\]"):
        F.resize(Tensor(GRAY), 10)
