"""Deformable convolution: without offsets it is convolution, with offsets it reads elsewhere."""

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.nn import functional
from twinoar.ops.conv.deformable import deform_conv2d

random = np.random.default_rng(6)


def normal(*shape):
    return to_tensor(random.standard_normal(shape).astype("float32"))


@pytest.mark.parametrize(
    ("stride", "padding", "dilation", "groups", "parts"),
    [(1, 0, 1, 1, 1), (2, 1, 1, 2, 1), ((1, 2), (0, 1), 2, 1, 2)],
)
def test_without_offsets_it_is_convolution(stride, padding, dilation, groups, parts):
    x, weight, bias = normal(2, 4, 7, 6), normal(6, 4 // groups, 3, 2), normal(6)
    plain = functional.conv2d(x, weight, bias, stride, padding, dilation, groups)
    offset = to_tensor(np.zeros((2, 12 * parts, *plain.shape[2:]), "float32"))
    window = (stride, padding, dilation, parts, groups)
    out = deform_conv2d(x, offset, weight, bias, *window)
    np.testing.assert_allclose(out.numpy(), plain.numpy(), rtol=1e-4, atol=1e-5)


def test_an_offset_of_whole_pixels_moves_the_image():
    x, one = normal(1, 1, 5, 5), to_tensor(np.ones((1, 1, 1, 1), "float32"))
    offset = np.zeros((1, 2, 5, 5), "float32")
    offset[:, 0], offset[:, 1] = 1, -2  # a row below, two columns to the left
    out = deform_conv2d(x, to_tensor(offset), one).numpy()[0, 0]
    expected = np.zeros((5, 5), "float32")
    expected[:4, 2:] = x.numpy()[0, 0, 1:, :3]
    np.testing.assert_allclose(out, expected)


def test_what_is_read_outside_of_an_image_is_0_beside_an_infinite_pixel():
    x = np.ones((1, 1, 2, 2), "float32")
    x[0, 0, 0, 0] = np.inf
    far = to_tensor(np.full((1, 2, 2, 2), 9.0, "float32"))
    out = deform_conv2d(to_tensor(x), far, to_tensor(np.ones((1, 1, 1, 1), "float32")))
    np.testing.assert_array_equal(out.numpy(), np.zeros((1, 1, 2, 2)))


def test_a_mask_is_a_factor_for_each_place():
    x, weight = normal(1, 2, 4, 4), normal(3, 2, 1, 1)
    offset = to_tensor(np.zeros((1, 2, 4, 4), "float32"))
    mask = normal(1, 1, 4, 4)
    out = deform_conv2d(x, offset, weight, mask=mask)
    expected = functional.conv2d(x * mask, weight)
    np.testing.assert_allclose(out.numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
