"""Functions on images give the same pixels for Pillow images, arrays and Tensors."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, DTypeError, ShapeError, TypeMismatchError
from twinoar.vision.transforms import functional as F
from twinoar.vision.transforms.region import PaddingMode

RGB = np.random.RandomState(0).randint(0, 256, (7, 9, 3)).astype("uint8")
GRAY = np.ascontiguousarray(RGB[..., 0])
CORNERS = [[0, 0], [8, 0], [8, 6], [0, 6]]
MOVED = [[1, 1], [7, 0], [8, 5], [1, 6]]

Function = Callable[[Any], Any]


def call(name: str, *args: Any, **options: Any) -> Any:
    return pytest.param(
        lambda image: getattr(F, name)(image, *args, **options), id=f"{name}{args}{options or ''}"
    )


MOVING = [
    call("hflip"),
    call("vflip"),
    call("crop", 1, 2, 3, 4),
    call("center_crop", 4),
    call("center_crop", (3, 6)),
    call("pad", 2),
    call("pad", (1, 2), 5),
    call("pad", (1, 2, 3, 4), padding_mode="edge"),
    call("pad", (1, 2, 3, 4), padding_mode="reflect"),
    call("pad", (1, 2, 3, 4), padding_mode="symmetric"),
    call("erase", 1, 2, 3, 4, 7),
    call("rotate", 30),
    call("rotate", 30, "bilinear", True, fill=9),
    call("rotate", 30, "bicubic", center=(2, 3)),
    call("affine", 20, (1, -1), 1.2, (10, 5)),
    call("affine", 20, (1, -1), 0.8, 10, "bilinear", 3, (2, 2)),
    call("perspective", CORNERS, MOVED),
    call("perspective", CORNERS, MOVED, "bicubic", 4),
]
COLORING = [
    call("adjust_brightness", 1.4),
    call("adjust_contrast", 1.4),
    call("adjust_saturation", 1.4),
    call("adjust_hue", -0.3),
    call("to_grayscale", 3),
]


def tensor_of(array: np.ndarray) -> Tensor:
    """An array [H,W,C] as a Tensor [C,H,W]."""
    return Tensor(np.ascontiguousarray(array.transpose(2, 0, 1)))


@pytest.mark.parametrize("function", MOVING + COLORING)
def test_three_kinds_agree(function: Function) -> None:
    image = function(Image.fromarray(RGB))
    assert isinstance(image, Image.Image)
    assert np.array_equal(function(RGB), np.asarray(image))
    assert np.array_equal(function(tensor_of(RGB)).numpy().transpose(1, 2, 0), np.asarray(image))


@pytest.mark.parametrize("function", MOVING + COLORING[:2])
def test_gray_images_agree(function: Function) -> None:
    image = np.asarray(function(Image.fromarray(GRAY)))
    assert np.array_equal(function(GRAY), image)
    assert np.array_equal(function(GRAY[..., None])[..., 0], image)


@pytest.mark.parametrize("function", MOVING + COLORING)
def test_a_batch_is_its_images(function: Function) -> None:
    first, second = tensor_of(RGB), tensor_of(RGB[::-1])
    batch = function(Tensor(np.stack([first.numpy(), second.numpy()])))
    assert np.array_equal(batch.numpy()[1], function(second).numpy())
    assert batch.shape == [2, *function(first).shape]


@pytest.mark.parametrize("function", MOVING + COLORING)
def test_the_image_itself_stays(function: Function) -> None:
    array, tensor = RGB.copy(), tensor_of(RGB)
    function(array)[:] = 0
    function(tensor)
    assert np.array_equal(array, RGB)
    assert np.array_equal(tensor.numpy(), tensor_of(RGB).numpy())


@pytest.mark.parametrize("function", COLORING)
def test_floats_are_colored_as_8_bits(function: Function) -> None:
    floats = function((RGB / 255).astype("float32"))
    # One of 255 levels is what the eight bits round, and the hue has 256 of them for six sectors.
    assert np.abs(floats * 255 - function(RGB).astype(int)).max() < 7
    assert floats.dtype == np.float32


@pytest.mark.parametrize("shift", [-0.5, -0.25, 0.0, 0.1, 0.5])
def test_hue_of_floats_turns_as_colorsys(shift: float) -> None:
    pixels = RGB.reshape(-1, 3) / 255
    hsv = [colorsys.rgb_to_hsv(*pixel) for pixel in pixels]
    expected = [colorsys.hsv_to_rgb((h + shift) % 1, s, v) for h, s, v in hsv]
    turned = F.adjust_hue(pixels.reshape(RGB.shape), shift)
    assert np.allclose(turned.reshape(-1, 3), expected, atol=1e-9)


def test_one_channel_of_gray_is_what_pillow_makes() -> None:
    gray = F.to_grayscale(RGB)
    assert np.array_equal(gray[..., 0], np.asarray(Image.fromarray(RGB).convert("L")))
    assert F.to_grayscale(tensor_of(RGB)).shape == [1, 7, 9]
    assert F.to_grayscale(Image.fromarray(RGB)).mode == "L"


def test_gray_has_no_hue() -> None:
    assert np.array_equal(F.adjust_hue(GRAY, 0.3), GRAY)


def test_palettes_stay() -> None:
    image = Image.fromarray(RGB).convert("P")
    flipped = F.hflip(image)
    assert (flipped.mode, flipped.getpalette()) == ("P", image.getpalette())


def test_fill_has_a_value_for_each_channel() -> None:
    padded = F.pad(RGB, 1, (1, 2, 3))
    assert padded[0, 0].tolist() == [1, 2, 3]
    assert F.rotate(Image.fromarray(RGB), 45, fill=(1, 2, 3)).getpixel((0, 0)) == (1, 2, 3)
    with pytest.raises(ShapeError, match="1 or 3 values in fill, received 2"):
        F.pad(RGB, 1, (1, 2))


def test_crop_of_a_pillow_image_may_reach_outside() -> None:
    assert F.crop(Image.fromarray(RGB), 5, 5, 10, 10).size == (10, 10)
    assert F.crop(RGB, 5, 5, 10, 10).shape == (2, 4, 3)


def test_erase_in_place() -> None:
    array, tensor = RGB.copy(), tensor_of(RGB)
    assert F.erase(array, 0, 0, 2, 2, 0, inplace=True) is array
    assert F.erase(tensor, 0, 0, 2, 2, 0, inplace=True) is tensor
    assert array[:2, :2].max() == tensor.numpy()[:, :2, :2].max() == 0


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda: F.hflip([1, 2]), TypeMismatchError, "expected a Pillow image"),
        (lambda: F.pad(RGB, (1, 2, 3)), ArgumentError, "expected padding to be"),
        (lambda: F.pad(RGB, 1, padding_mode="wrap"), ArgumentError, "received 'wrap'"),
        (lambda: F.center_crop(RGB, (1, 2, 3)), ArgumentError, "a number or"),
        (lambda: F.rotate(RGB, 1, "box"), ArgumentError, "nearest, bilinear, bicubic"),
        (lambda: F.affine(RGB, 1, (1, 1), 0, 1), ArgumentError, "scale above 0"),
        (lambda: F.affine(RGB, 1, (1,), 1, 1), ArgumentError, "expected pairs"),
        (lambda: F.perspective(RGB, CORNERS[:3], MOVED), ArgumentError, "expected 4 points"),
        (lambda: F.adjust_hue(RGB, 0.6), ArgumentError, "received 0.6"),
        (lambda: F.adjust_brightness(RGB.astype("int32"), 1), DTypeError, "uint8 or floats"),
        (lambda: F.adjust_brightness(RGB.astype("float32"), 1), ArgumentError, "floats in 0..1"),
        (lambda: F.adjust_contrast(RGB[..., :2], 1), ShapeError, "1 or 3 channels, received 2"),
        (lambda: F.to_grayscale(RGB, 2), ArgumentError, "1 or 3, received 2"),
    ],
)
def test_other_arguments_are_refused(function: Callable, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        function()


def test_padding_modes_are_numpys() -> None:
    for mode in PaddingMode.__args__:
        expected = np.pad(RGB, ((2, 4), (1, 3), (0, 0)), mode)
        assert np.array_equal(F.pad(RGB, (1, 2, 3, 4), padding_mode=mode), expected)
