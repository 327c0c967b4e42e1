"""Volumes one pixel deep are images: convolution and pooling of both agree."""

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.nn import functional as F

random = np.random.default_rng(4)
IMAGES = random.permutation(2 * 3 * 6 * 5).reshape(2, 3, 6, 5).astype("float32") / 50
FILTERS = random.standard_normal((4, 3, 3, 2)).astype("float32")

# name: (of images, of volumes that are one pixel deep)
PAIRS = {
    "conv": (
        lambda x: F.conv2d(x, to_tensor(FILTERS), None, 2, [1, 0], [1, 2]),
        lambda x: F.conv3d(
            x, to_tensor(FILTERS[:, :, None]), None, [1, 2, 2], [0, 1, 0], [1, 1, 2]
        ),
    ),
    "conv_transpose": (
        lambda x: F.conv2d_transpose(x, to_tensor(FILTERS[:3]), None, 2, 1, [1, 0]),
        lambda x: F.conv3d_transpose(
            x, to_tensor(FILTERS[:3, :, None]), None, [1, 2, 2], [0, 1, 1], [0, 1, 0]
        ),
    ),
    "max": (
        lambda x: F.max_pool2d(x, 3, 2, 1),
        lambda x: F.max_pool3d(x, [1, 3, 3], [1, 2, 2], [0, 1, 1]),
    ),
    "where maxima are": (
        lambda x: F.max_pool2d(x, 2, return_mask=True)[1],
        lambda x: F.max_pool3d(x, [1, 2, 2], return_mask=True)[1],
    ),
    "average": (
        lambda x: F.avg_pool2d(x, 3, 2, 1, True),
        lambda x: F.avg_pool3d(x, [1, 3, 3], [1, 2, 2], [0, 1, 1], True),
    ),
    "adaptive average": (
        lambda x: F.adaptive_avg_pool2d(x, [4, 2]),
        lambda x: F.adaptive_avg_pool3d(x, [1, 4, 2]),
    ),
    "adaptive maxima": (
        lambda x: F.adaptive_max_pool2d(x, [4, 2]),
        lambda x: F.adaptive_max_pool3d(x, [None, 4, 2]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_a_volume_one_pixel_deep_is_an_image(name):
    image, volume = PAIRS[name]
    x, deep = (to_tensor(a, stop_gradient=False) for a in (IMAGES, IMAGES[:, :, None]))
    a, b = image(x), volume(deep)
    np.testing.assert_allclose(b.numpy()[:, :, 0], a.numpy(), rtol=1e-5, atol=1e-6)
    if a.dtype.is_floating:
        (a * a).sum().backward()
        (b * b).sum().backward()
        np.testing.assert_allclose(deep.grad.numpy()[:, :, 0], x.grad.numpy(), rtol=1e-4, atol=1e-5)


WRONG = [
    (lambda x: F.conv3d(x, to_tensor(FILTERS)), ShapeError, "weight must have 5 dimensions"),
    (lambda x: F.conv3d(x, to_tensor(FILTERS), data_format="NCHW"), ArgumentError, "NCDHW"),
    (lambda x: F.conv2d(x, to_tensor(FILTERS), data_format="NCDHW"), ArgumentError, "NCHW"),
    (lambda x: F.conv3d_transpose(x, to_tensor(FILTERS)), ShapeError, "5 dimensions"),
    (lambda x: F.max_pool3d(x[:, :, 0], 2), ShapeError, "5 dimensions"),
    (lambda x: F.max_pool3d(x, [2, 2]), ArgumentError, "3 integers"),
    (lambda x: F.max_pool3d(x, 1, return_mask=True, data_format="NDHWC"), ArgumentError, "NCDHW"),
    (lambda x: F.avg_pool3d(x, 1, data_format="NHWC"), ArgumentError, "NCDHW"),
    (lambda x: F.avg_pool3d(x, 1, divisor_override=0), ArgumentError, "positive"),
    (lambda x: F.adaptive_avg_pool3d(x, [1, 2]), ArgumentError, "3 numbers"),
]


@pytest.mark.parametrize(("call", "error", "text"), WRONG)
def test_wrong_volumes_are_refused(call, error, text):
    with pytest.raises(error) as raised:
        call(to_tensor(IMAGES[:, :, None]))
    assert text in str(raised.value)
