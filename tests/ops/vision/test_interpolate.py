"""Images of another size: the numbers of Paddle, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import twinoar as paddle
from twinoar.errors import ArgumentError, UnsupportedError

F = paddle.nn.functional


def waves(*shape: int) -> paddle.Tensor:
    return paddle.to_tensor(np.sin(np.arange(np.prod(shape))).reshape(shape).astype("float32"))


RECORDED = [
    (
        "nearest",
        (1, 1, 2, 3),
        [3, 5],
        {},
        [
            0.0,
            0.0,
            0.8415,
            0.8415,
            0.9093,
            0.0,
            0.0,
            0.8415,
            0.8415,
            0.9093,
            0.1411,
            0.1411,
            -0.7568,
            -0.7568,
            -0.9589,
        ],
    ),
    (
        "bilinear",
        (1, 1, 2, 3),
        [3, 4],
        {},
        [
            0.0,
            0.5259,
            0.8669,
            0.9093,
            0.0706,
            0.0529,
            0.0172,
            -0.0248,
            0.1411,
            -0.4201,
            -0.8326,
            -0.9589,
        ],
    ),
    (
        "bilinear",
        (1, 1, 2, 3),
        [3, 4],
        {"align_corners": True},
        [
            0.0,
            0.561,
            0.8641,
            0.9093,
            0.0706,
            0.0517,
            0.02,
            -0.0248,
            0.1411,
            -0.4575,
            -0.8242,
            -0.9589,
        ],
    ),
    (
        "bilinear",
        (1, 1, 2, 3),
        [3, 4],
        {"align_mode": 1},
        [
            0.0,
            0.6311,
            0.8754,
            0.9093,
            0.0941,
            -0.1445,
            -0.2801,
            -0.3362,
            0.1411,
            -0.5323,
            -0.8579,
            -0.9589,
        ],
    ),
    (
        "bicubic",
        (1, 1, 3, 2),
        [2, 4],
        {},
        [0.2164, 0.3681, 0.618, 0.7697, -0.3065, -0.435, -0.6466, -0.7751],
    ),
    (
        "bicubic",
        (1, 1, 3, 2),
        [2, 4],
        {"align_corners": True},
        [0.0, 0.2649, 0.5766, 0.8415, -0.7568, -0.8204, -0.8953, -0.9589],
    ),
    (
        "linear",
        (1, 1, 4),
        [6],
        {"data_format": "NCW"},
        [0.0, 0.4207, 0.8528, 0.898, 0.5252, 0.1411],
    ),
    (
        "trilinear",
        (1, 1, 2, 2, 2),
        [3, 1, 2],
        {"data_format": "NCDHW"},
        [0.4546, 0.4913, -0.0317, 0.1702, -0.5181, -0.151],
    ),
    ("area", (1, 1, 3, 4), [2, 2], {}, [-0.2186, 0.357, -0.0786, -0.2916]),
]


@pytest.mark.parametrize(("mode", "shape", "size", "options", "expected"), RECORDED)
def test_each_mode_computes_what_paddle_computes(mode, shape, size, options, expected) -> None:
    out = F.interpolate(waves(*shape), size, mode=mode, **options)
    assert out.shape == [*shape[:2], *size]
    np.testing.assert_allclose(out.numpy().reshape(-1), expected, atol=1e-4)


def test_distances_follow_the_factor_and_not_the_sizes() -> None:
    out = F.interpolate(waves(1, 1, 1, 5), scale_factor=[1, 1.5], mode="bilinear")
    expected = [0.0, 0.4207, 0.8528, 0.898, 0.5252, -0.0085, -0.6071]
    np.testing.assert_allclose(out.numpy().reshape(-1), expected, atol=1e-4)


@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic"])
def test_channels_may_be_last(mode: str) -> None:
    x = waves(2, 3, 4, 5)
    first = F.interpolate(x, [6, 7], mode=mode)
    last = F.interpolate(x.transpose([0, 2, 3, 1]), [6, 7], mode=mode, data_format="NHWC")
    assert np.array_equal(first.numpy(), last.transpose([0, 3, 1, 2]).numpy())


def test_a_size_may_be_a_tensor() -> None:
    out = F.upsample(waves(1, 1, 2, 2), paddle.to_tensor([3, 4], dtype="int32"))
    assert out.shape == [1, 1, 3, 4]


@pytest.mark.parametrize("scale", [2, 0.5, 1.5, [3.0, 0.25]])
def test_a_factor_of_unknown_sizes_is_followed(scale) -> None:
    def resize(x):
        return F.interpolate(x, scale_factor=scale, mode="bilinear")

    spec = paddle.static.InputSpec([1, 1, None, None])
    converted = paddle.jit.to_static(resize, input_spec=[spec])
    for shape in ((6, 5), (8, 9)):
        x = waves(1, 1, *shape)
        np.testing.assert_allclose(converted(x).numpy(), resize(x).numpy(), atol=1e-6)


@pytest.mark.parametrize(
    ("shape", "options", "message"),
    [
        ((1, 1, 2, 2), {}, "size or scale_factor must be given"),
        ((1, 1, 2, 2), {"size": [2, 2], "scale_factor": 2}, "only one of them"),
        ((1, 1, 2, 2), {"size": [2]}, "size must hold 2 numbers"),
        ((1, 1, 2, 2), {"scale_factor": [1, 2, 3]}, "scale_factor must hold 2 numbers"),
        ((1, 1, 2, 2), {"scale_factor": -1}, "scale_factor must be positive"),
        ((1, 1, 2, 2), {"size": [2, 2], "mode": "linear"}, "mode 'linear' does not serve"),
        ((1, 1, 2, 2), {"size": [2, 2], "mode": "cubic"}, "mode 'cubic' does not serve"),
        ((1, 1, 2, 2), {"size": [2, 2], "align_corners": True}, "no meaning for mode 'nearest'"),
        ((1, 1, 2, 2), {"size": [2, 2], "align_mode": 2}, "align_mode must be 0 or 1"),
        ((1, 1, 2, 2), {"size": [2, 2], "data_format": "NWC"}, "data_format must be NCHW or NHWC"),
        ((1, 1, 2, 2), {"scale_factor": 2, "mode": "area"}, "mode 'area' needs a size"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(shape, options, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        F.interpolate(waves(*shape), **options)


@pytest.mark.parametrize(
    ("mode", "shape", "size"),
    [("linear", (1, 1, 4), [1]), ("trilinear", (1, 1, 4, 1, 1), [1, 1, 1])],
)
@pytest.mark.parametrize(("options", "expected"), [({}, 1.5), ({"align_corners": True}, 0.0)])
def test_one_result_lies_in_the_middle_unless_corners_are_aligned(
    mode, shape, size, options, expected
):
    x = paddle.arange(4.0).reshape(shape)
    x.stop_gradient = False
    layout = "NCW" if mode == "linear" else "NCDHW"
    out = F.interpolate(x, size, mode=mode, data_format=layout, **options)
    out.sum().backward()
    assert out.item() == expected
    slope = [0.0, 0.5, 0.5, 0.0] if expected else [1.0, 0.0, 0.0, 0.0]
    assert x.grad.flatten().tolist() == slope


def test_one_result_of_a_size_that_only_a_run_knows_lies_in_the_middle():
    @paddle.jit.to_static(input_spec=[paddle.static.InputSpec([1, 1, None])])
    def single(x):
        return F.interpolate(x, [1], mode="linear", data_format="NCW")

    assert single(paddle.arange(4.0).reshape([1, 1, 4])).item() == 1.5


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("size", [(3, 3), (2, 9), (1, 1), (12, 4), (6, 7)])
def test_antialiased_images_are_pillows(mode: str, size: tuple[int, int]) -> None:
    image = np.random.default_rng(0).standard_normal((6, 7)).astype("float32")
    kernel = {"bilinear": Image.Resampling.BILINEAR, "bicubic": Image.Resampling.BICUBIC}[mode]
    expected = np.asarray(Image.fromarray(image).resize(size[::-1], kernel))
    x = paddle.to_tensor(image[None, None], stop_gradient=False)

    def resized(x):
        return F.interpolate(x, list(size), mode=mode, antialias=True)

    for call in (resized, paddle.jit.to_static(resized)):
        found = call(x)
        np.testing.assert_allclose(found.numpy()[0, 0], expected, atol=1e-5)
        (g,) = paddle.grad(found.sum(), x)
        np.testing.assert_allclose(g.numpy().sum(), size[0] * size[1], rtol=1e-5)
    last = F.interpolate(x.transpose([0, 2, 3, 1]), list(size), None, mode, False, 0, "NHWC")
    assert last.shape == [1, *size, 1]


def test_recomputed_factors_are_those_of_the_sizes() -> None:
    x = paddle.to_tensor(np.random.default_rng(0).standard_normal((1, 2, 6, 6)).astype("float32"))
    by_size = F.interpolate(x, [3, 3], mode="bilinear").numpy()
    for found in (
        F.interpolate(x, scale_factor=0.55, mode="bilinear", recompute_scale_factor=True),
        F.interpolate(x, None, 0.55, "bilinear", False, True),  # in the place of align_mode
    ):
        np.testing.assert_array_equal(found.numpy(), by_size)
    as_given = F.interpolate(x, scale_factor=0.55, mode="bilinear").numpy()
    assert np.abs(as_given - by_size).max() > 1e-3
    smooth = F.interpolate(x, None, 0.55, "bilinear", False, None, True).numpy()
    assert np.abs(smooth - as_given).max() > 1e-3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": [2, 2], "recompute_scale_factor": True}, "no meaning with a size"),
        ({"size": [2, 2], "antialias": True}, "serves the modes bilinear and bicubic"),
    ],
)
def test_keywords_that_do_not_fit_are_refused(settings, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        F.interpolate(paddle.ones([1, 1, 4, 4]), **settings)


def test_antialias_of_unknown_sizes_is_refused() -> None:
    spec = paddle.static.InputSpec([1, 1, None, 4])
    program = paddle.jit.to_static(
        lambda x: F.interpolate(x, [2, 2], mode="bilinear", antialias=True), [spec]
    )
    with pytest.raises(UnsupportedError, match="antialias wants sizes that are known"):
        str(program.main_program)
