"""Columns of windows, and images from them: the numbers of Paddle 2.6.2."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError

F = paddle.nn.functional


def waves(*shape: int) -> paddle.Tensor:
    return paddle.to_tensor(np.sin(np.arange(np.prod(shape))).reshape(shape).astype("float32"))


def test_four_paddings_are_top_left_bottom_right() -> None:
    out = F.unfold(waves(1, 1, 3, 3), 2, 2, [1, 0, 0, 1])
    expected = [
        0.0,
        0.0,
        0.1411,
        -0.9589,
        0.0,
        0.0,
        -0.7568,
        0.0,
        0.0,
        0.9093,
        -0.2794,
        0.9894,
        0.8415,
        0.0,
        0.657,
        0.0,
    ]
    np.testing.assert_allclose(out.numpy().reshape(-1), expected, atol=1e-4)


def test_pixels_are_the_sums_of_the_windows_that_cover_them() -> None:
    out = F.fold(waves(1, 4, 4), [3, 3], 2)
    expected = [0.0, 0.0847, -0.9589, 1.8987, -0.2627, 1.0772, -0.544, -0.0094, 0.6503]
    np.testing.assert_allclose(out.numpy().reshape(-1), expected, atol=1e-4)


def test_folding_what_was_unfolded_counts_the_windows_of_each_pixel() -> None:
    x = waves(2, 3, 5, 6)
    arguments = {"kernel_sizes": [3, 2], "strides": [2, 1], "paddings": 1, "dilations": [1, 2]}
    back = F.fold(F.unfold(x, **arguments), [5, 6], **arguments)
    count = F.fold(F.unfold(paddle.ones_like(x), **arguments), [5, 6], **arguments)
    np.testing.assert_allclose(back.numpy(), (x * count).numpy(), atol=1e-5)


def test_three_paddings_are_refused() -> None:
    with pytest.raises(ArgumentError, match="paddings must be 1, 2 or 4 integers"):
        F.unfold(waves(1, 1, 3, 3), 2, paddings=[1, 1, 1])
