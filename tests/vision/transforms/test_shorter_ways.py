"""Shorter ways of transforms give what the longer ones give."""

import numpy as np
import pytest
from PIL import Image

import twinoar as paddle
from twinoar.io.collate import default_collate_fn
from twinoar.vision import transforms

PIXELS = np.random.default_rng(0).integers(0, 256, (9, 7, 3), dtype=np.uint8)
MEAN, STD = [0.4, 0.5, 0.6], [0.2, 0.3, 0.25]


@pytest.mark.parametrize("to_rgb", [False, True])
def test_normalizing_pixels_alone_is_what_the_operators_compute(to_rgb):
    image = transforms.ToTensor()(PIXELS)
    wanting = image.clone()
    wanting.stop_gradient = False
    normalize = transforms.Normalize(MEAN, STD, to_rgb=to_rgb)
    alone, recorded = normalize(image), normalize(wanting)
    assert alone.stop_gradient and not recorded.stop_gradient
    np.testing.assert_array_equal(alone.numpy(), recorded.numpy())


def test_normalizing_leaves_the_image_and_the_numbers_alone():
    image = transforms.ToTensor()(PIXELS)
    before, mean = image.numpy(), list(MEAN)
    normalize = transforms.Normalize(mean, STD)
    first = normalize(image)
    first.add_(paddle.ones([1]))
    mean[0] = 9.0
    np.testing.assert_array_equal(image.numpy(), before)
    assert not np.array_equal(normalize(image).numpy(), transforms.Normalize(MEAN, STD)(image))


@pytest.mark.parametrize("interpolation", ["nearest", "bilinear", "bicubic", "lanczos"])
def test_three_channels_resized_as_one_image_are_those_of_each_alone(interpolation):
    whole = transforms.resize(PIXELS, (5, 11), interpolation)
    alone = [transforms.resize(PIXELS[:, :, c], (5, 11), interpolation) for c in range(3)]
    np.testing.assert_array_equal(whole, np.stack(alone, 2))


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "RGBA"])
def test_pillow_turns_its_own_images_as_arrays_are_turned(mode):
    image = Image.fromarray(PIXELS).convert(mode)
    array = np.asarray(image)
    assert transforms.hflip(image).mode == mode
    np.testing.assert_array_equal(np.asarray(transforms.hflip(image)), array[:, ::-1])
    np.testing.assert_array_equal(np.asarray(transforms.vflip(image)), array[::-1])


def test_a_batch_of_tensors_is_memory_of_its_own():
    sample = paddle.ones([2, 3])
    batch = default_collate_fn([sample, sample])
    batch[...] = 7.0
    assert sample.numpy().max() == 1.0


def test_a_transform_without_keys_passes_its_input_on():
    assert transforms.RandomHorizontalFlip(1.0, keys=())("anything") == "anything"
