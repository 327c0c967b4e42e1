"""Images at the points of a grid: the numbers of Paddle 2.6.2."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle

F = paddle.nn.functional


def waves(*shape: int, offset: float = 0.0) -> paddle.Tensor:
    numbers = np.sin(np.arange(np.prod(shape)) + offset).reshape(shape)
    return paddle.to_tensor(numbers.astype("float32"))


RECORDED = [
    ("bilinear", "zeros", True, [0.4643, 0.7401, 0.046, 0.508]),
    ("bilinear", "zeros", False, [0.0, 0.2565, 0.0, 0.0]),
    ("bilinear", "border", True, [0.9894, 0.8558, 0.082, 0.9845]),
    ("bilinear", "reflection", True, [0.2441, 0.632, 0.0079, 0.0452]),
    ("bilinear", "reflection", False, [0.8999, 0.863, 0.0832, 0.5489]),
    ("nearest", "zeros", True, [0.9894, 0.8415, 0.1411, 0.9894]),
]


@pytest.mark.parametrize(("mode", "padding_mode", "align_corners", "expected"), RECORDED)
def test_each_mode_reads_what_paddle_reads(mode, padding_mode, align_corners, expected) -> None:
    points = waves(1, 2, 2, 2, offset=1.0) * 1.5
    out = F.grid_sample(waves(1, 1, 3, 3), points, mode, padding_mode, align_corners)
    np.testing.assert_allclose(out.numpy().reshape(-1), expected, atol=1e-4)


@pytest.mark.parametrize(
    ("align_corners", "expected"),
    [
        (
            True,
            [
                0.0678,
                -0.3432,
                0.0678,
                -0.2021,
                0.0678,
                -0.061,
                1.7508,
                -1.8568,
                1.7508,
                -1.7157,
                1.7508,
                -1.5746,
            ],
        ),
        (
            False,
            [
                0.4886,
                -0.6746,
                0.4886,
                -0.5805,
                0.4886,
                -0.4864,
                1.33,
                -1.4314,
                1.33,
                -1.3373,
                1.33,
                -1.2432,
            ],
        ),
    ],
)
def test_an_affine_map_makes_the_grid_that_paddle_makes(align_corners, expected) -> None:
    grid = F.affine_grid(waves(1, 2, 3), [1, 1, 2, 3], align_corners)
    np.testing.assert_allclose(grid.numpy().reshape(-1), expected, atol=1e-4)


@pytest.mark.parametrize("align_corners", [True, False])
@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (2, 3, 4, 5, 2)])
def test_the_grid_of_the_identity_reads_the_image_itself(shape, align_corners: bool) -> None:
    axes = len(shape) - 2
    theta = paddle.eye(axes, axes + 1).unsqueeze(0).expand([2, axes, axes + 1])
    grid = F.affine_grid(theta, shape, align_corners)
    x = waves(*shape)
    out = F.grid_sample(x, grid, align_corners=align_corners)
    np.testing.assert_allclose(out.numpy(), x.numpy(), atol=1e-5)


def test_a_single_pixel_has_a_grid() -> None:
    theta = paddle.to_tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    assert F.affine_grid(theta, [1, 1, 1, 1]).flatten().tolist() == [-1.0, -1.0]
