"""Transforms that draw at random: what they draw, and that seeds decide it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from PIL import Image

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError
from twinoar.vision import transforms as T

RGB = np.random.RandomState(0).randint(0, 256, (20, 25, 3)).astype("uint8")
TRANSFORMS = {
    "crop": T.RandomCrop(16, padding=3),
    "large crop": T.RandomCrop(30, pad_if_needed=True),
    "center": T.CenterCrop(16),
    "pad": T.Pad((1, 2), 5),
    "resized crop": T.RandomResizedCrop((8, 12)),
    "horizontal flip": T.RandomHorizontalFlip(),
    "vertical flip": T.RandomVerticalFlip(),
    "brightness": T.BrightnessTransform(0.4),
    "contrast": T.ContrastTransform(0.4),
    "saturation": T.SaturationTransform(0.4),
    "hue": T.HueTransform(0.4),
    "jitter": T.ColorJitter(0.4, 0.4, 0.4, 0.4),
    "rotation": T.RandomRotation(30, expand=True),
    "affine": T.RandomAffine(30, (0.2, 0.1), (0.5, 1.5), (-10, 10, -5, 5)),
    "perspective": T.RandomPerspective(1.0),
    "erasing": T.RandomErasing(1.0, value=(1, 2, 3)),
    "gray": T.Grayscale(3),
}


def seeded(transform: Any, image: Any, seed: int = 3) -> Any:
    random.seed(seed)
    np.random.seed(seed)
    return transform(image)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_kinds_agree_where_seeds_do(name: str) -> None:
    transform = TRANSFORMS[name]
    image = np.asarray(seeded(transform, Image.fromarray(RGB)))
    tensor = seeded(transform, Tensor(RGB.transpose(2, 0, 1).copy()))
    assert np.array_equal(seeded(transform, RGB), image)
    assert np.array_equal(tensor.numpy().transpose(1, 2, 0), image)


@pytest.mark.parametrize("name", sorted(TRANSFORMS.keys() - {"center", "pad", "gray"}))
def test_calls_differ(name: str) -> None:
    results = [seeded(TRANSFORMS[name], RGB, seed).tobytes() for seed in range(8)]
    assert len(set(results)) > 1


@pytest.mark.parametrize("transform", [T.RandomHorizontalFlip, T.RandomVerticalFlip])
@pytest.mark.parametrize("prob", [0.0, 1.0])
def test_flips_have_a_probability(transform: Any, prob: float) -> None:
    assert np.array_equal(transform(prob)(RGB), RGB) == (prob == 0.0)


@pytest.mark.parametrize("transform", [T.RandomErasing(0.0), T.RandomPerspective(0.0)])
def test_what_is_not_drawn_stays(transform: Any) -> None:
    assert transform(RGB) is RGB


@pytest.mark.parametrize("value", [0, (1.0, 1.0)])
def test_a_range_of_one_neutral_factor_changes_nothing(value: Any) -> None:
    assert T.ContrastTransform(value)(RGB) is RGB


def test_a_range_is_where_the_factor_is_drawn_from() -> None:
    half = T.BrightnessTransform((0.5, 0.5))(RGB)
    assert np.array_equal(half, T.adjust_brightness(RGB, 0.5))


@pytest.mark.parametrize(
    ("shape", "ratio", "part"),
    [((10, 30), (3.5, 4.0), (0, 0, 9, 30)), ((30, 10), (0.25, 0.3), (0, 0, 30, 9))],
)
def test_where_no_part_fits_the_middle_is_taken(shape: tuple, ratio: tuple, part: tuple) -> None:
    crop = T.RandomResizedCrop(4, scale=(2.0, 2.0), ratio=ratio)
    assert crop._part(*shape) == part


def test_erased_pixels_are_the_share_asked_for() -> None:
    erased = seeded(T.RandomErasing(1.0, scale=(0.25, 0.25), ratio=(1.0, 1.0)), RGB + 1)
    assert abs((erased.sum(2) == 0).mean() - 0.25) < 0.05


def test_random_values_are_pixels() -> None:
    erased = seeded(T.RandomErasing(1.0, value="random"), np.zeros((20, 25, 3), "float32"))
    assert np.abs(erased).max() > 10


@pytest.mark.parametrize(
    "make",
    [
        lambda: T.RandomHorizontalFlip(1.5),
        lambda: T.RandomErasing(scale=(0.5, 0.1)),
        lambda: T.RandomErasing(value=(1, 2)),
        lambda: T.RandomErasing(value="noise"),
        lambda: T.RandomResizedCrop(4, ratio=(2, 1)),
        lambda: T.BrightnessTransform(-1),
        lambda: T.HueTransform(0.7),
        lambda: T.RandomRotation(-1),
        lambda: T.RandomAffine(1, translate=(2, 0)),
        lambda: T.RandomAffine(1, scale=(0, 1)),
        lambda: T.RandomAffine(1, shear=(1, 2, 3)),
        lambda: T.RandomCrop(30)(RGB),
    ],
)
def test_other_settings_are_refused(make: Any) -> None:
    with pytest.raises(ArgumentError, match=r"expected|has no part"):
        make()


def test_what_is_drawn_holds_for_all_parts_of_a_sample() -> None:
    image, label = T.RandomCrop(4)((RGB, "label"))
    assert (image.shape, label) == ((4, 4, 3), "label")
