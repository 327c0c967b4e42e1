"""Operators for objects in images: what is kept, what is pooled, what boxes become."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import twinoar
from twinoar.errors import ArgumentError, DTypeError, FileError, ShapeError
from twinoar.vision import ops

RANDOM = np.random.RandomState(0)
BOXES = np.array([[0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30], [0, 0, 9, 10]], "float32")
SCORES = np.array([0.5, 0.9, 0.7, 0.6], "float32")
X = RANDOM.randn(2, 4, 6, 7).astype("float32")
REGIONS = np.array([[0, 0, 4, 4], [1, 2, 5, 5], [2, 1, 6, 4]], "float32")
COUNTS = np.array([1, 2], "int32")


def tensors(*arrays: Any) -> list:
    return [twinoar.to_tensor(array) for array in arrays]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ((0.5,), [0, 2]),
        ((0.95,), [0, 1, 2, 3]),
        ((0.5, SCORES), [1, 2]),
        ((0.5, SCORES, [0, 1, 0, 0], [0, 1]), [1, 2, 3]),
        ((0.5, SCORES, [0, 1, 0, 0], [0]), [2, 3]),
        ((0.5, SCORES, [0, 1, 0, 0], [0, 1], 2), [1, 2]),
    ],
)
def test_of_boxes_that_overlap_the_best_is_kept(arguments: tuple, kept: list[int]) -> None:
    threshold, *more = arguments
    given = [twinoar.to_tensor(a) for a in more[:2]] + list(more[2:])
    assert ops.nms(twinoar.to_tensor(BOXES), threshold, *given).tolist() == kept


def test_nms_follows_data_in_a_program() -> None:
    static = twinoar.jit.to_static(lambda boxes, scores: ops.nms(boxes, 0.5, scores))
    for order in ([0, 1, 2, 3], [3, 2, 1, 0]):
        given = tensors(BOXES[order], SCORES)
        assert static(*given).tolist() == ops.nms(given[0], 0.5, given[1]).tolist()


@pytest.mark.parametrize(
    "call",
    [
        lambda boxes: ops.nms(boxes, 0.5, None, twinoar.to_tensor([0, 0, 0, 0]), [0]),
        lambda boxes: ops.nms(boxes, 0.5, twinoar.to_tensor(SCORES), twinoar.to_tensor([0] * 4)),
    ],
)
def test_categories_need_scores_and_names(call: Any) -> None:
    with pytest.raises(ArgumentError, match="category_idxs needs"):
        call(twinoar.to_tensor(BOXES))


@pytest.mark.parametrize("pool", [ops.roi_align, ops.roi_pool])
def test_one_region_of_each_pixel_is_the_image(pool: Any) -> None:
    whole = [[0, 0, 7, 6]] if pool is ops.roi_align else [[0, 0, 6, 5]]
    boxes = np.array(whole, "float32")
    out = pool(*tensors(X[:1], boxes, COUNTS[:1]), (6, 7))
    assert np.allclose(out.numpy(), X[:1], atol=1e-6)


def test_what_is_infinite_stays_in_its_part() -> None:
    x = np.ones((1, 2, 6, 6), "float32")
    x[0, 0, 5, 5], x[0, 0, 5, 1] = np.inf, np.nan
    boxes = np.array([[0, 0, 6, 6]], "float32")
    out = ops.roi_align(*tensors(x, boxes, COUNTS[:1]), 2, sampling_ratio=2, aligned=True)
    assert (
        out.numpy()[0, 0, 0].tolist() == [1.0, 1.0]
        and out.numpy()[0, 1].tolist() == [[1.0] * 2] * 2
    )
    assert np.isnan(out.numpy()[0, 0, 1, 0]) and np.isinf(out.numpy()[0, 0, 1, 1])


@pytest.mark.parametrize("run", [lambda f: f, twinoar.jit.to_static], ids=["eager", "to_static"])
def test_what_is_infinite_stays_in_its_part_of_its_own_channel(run: Any) -> None:
    x = np.ones((1, 4, 6, 6), "float32")
    x[0, 3, 5, 5], x[0, 2, 5, 1], x[0, 0, 5, 5] = np.inf, np.nan, np.nan
    boxes = np.array([[0, 0, 5, 5]], "float32")
    out = run(lambda *given: ops.psroi_pool(*given, 2))(*tensors(x, boxes, COUNTS[:1]))
    np.testing.assert_array_equal(out.numpy()[0, 0], [[1.0, 1.0], [np.nan, np.inf]])


def test_regions_are_of_their_images() -> None:
    out = ops.roi_align(*tensors(X, REGIONS, COUNTS), 2)
    alone = ops.roi_align(*tensors(X[1:], REGIONS[1:], COUNTS[1:]), 2)
    assert np.allclose(out.numpy()[1:], alone.numpy(), atol=1e-6)


def test_parts_outside_of_the_image_are_0() -> None:
    far = np.array([[50, 50, 60, 60]], "float32")
    for pool in (ops.roi_align, ops.roi_pool, ops.psroi_pool):
        assert not pool(*tensors(X[:1], far, COUNTS[:1]), 2).numpy().any()


def test_position_sensitive_parts_have_channels_of_their_own() -> None:
    x = np.broadcast_to(np.arange(8, dtype="float32")[:, None, None], (1, 8, 6, 7)).copy()
    out = ops.psroi_pool(*tensors(x, REGIONS[:1], COUNTS[:1]), 2)
    assert np.allclose(out.numpy().reshape(-1), range(8), atol=1e-5)


@pytest.mark.parametrize("pool", [ops.roi_align, ops.roi_pool, ops.psroi_pool])
def test_pooled_regions_have_gradients_for_the_image(pool: Any) -> None:
    x = twinoar.to_tensor(X, stop_gradient=False)
    boxes, counts = tensors(REGIONS, COUNTS)
    weights = twinoar.to_tensor(RANDOM.randn(3, 4 if pool is not ops.psroi_pool else 1, 2, 2))
    weights = weights.astype("float32")
    (pool(x, boxes, counts, 2) * weights).sum().backward()
    step = 1e-2 * RANDOM.randn(*X.shape).astype("float32")

    def value(image: np.ndarray) -> float:
        return float((pool(twinoar.to_tensor(image), boxes, counts, 2) * weights).sum())

    change = (value(X + 0.01 * step) - value(X - 0.01 * step)) / 0.02
    assert np.isclose(change, (x.grad.numpy() * step).sum(), rtol=2e-2, atol=1e-4)


def test_the_first_of_equal_maxima_of_a_region_gets_the_gradient() -> None:
    x = twinoar.ones([1, 1, 3, 3])
    x.stop_gradient = False
    ops.roi_pool(x, *tensors(np.array([[0, 0, 2, 2]], "float32"), COUNTS[:1]), 1).sum().backward()
    assert x.grad.flatten().tolist() == [1.0] + [0.0] * 8


def test_compiled_regions_end_where_eager_ones_do() -> None:
    first, length = map(np.ravel, np.meshgrid(np.arange(-9.0, 0), np.arange(1.0, 25)))
    boxes = np.stack([first, first, first + length - 1, first + length - 1], 1).astype("float32")
    given = tensors(np.arange(400, dtype="float32").reshape(1, 1, 20, 20), boxes, [len(boxes)])
    compiled = twinoar.jit.to_static(lambda *given: ops.roi_pool(*given, 3))
    assert np.array_equal(compiled(*given).numpy(), ops.roi_pool(*given, 3).numpy())


@pytest.mark.parametrize(
    ("layer", "function"),
    [
        (ops.RoIAlign, ops.roi_align),
        (ops.RoIPool, ops.roi_pool),
        (ops.PSRoIPool, ops.psroi_pool),
    ],
)
def test_layers_are_the_functions(layer: Any, function: Any) -> None:
    given = tensors(X, REGIONS, COUNTS)
    assert layer(2, 0.5)(*given).tolist() == function(*given, 2, 0.5).tolist()


def test_deformable_convolution_without_offsets_is_a_convolution() -> None:
    layer = ops.DeformConv2D(4, 6, 3, padding=1, groups=2)
    plain = twinoar.nn.Conv2D(4, 6, 3, padding=1, groups=2)
    plain.set_state_dict(layer.state_dict())
    x = twinoar.to_tensor(X)
    out = layer(x, twinoar.zeros([2, 18, 6, 7]), twinoar.ones([2, 9, 6, 7]))
    assert np.allclose(out.numpy(), plain(x).numpy(), atol=1e-5)


@pytest.mark.parametrize("variance", [None, [0.1, 0.1, 0.2, 0.2], np.full((3, 4), 0.5, "float32")])
@pytest.mark.parametrize("normalized", [True, False])
def test_decoded_boxes_are_those_encoded(variance: Any, normalized: bool) -> None:
    prior, target = tensors(REGIONS, BOXES)
    if isinstance(variance, np.ndarray):
        variance = twinoar.to_tensor(variance)
    codes = ops.box_coder(prior, variance, target, "encode_center_size", normalized)
    back = ops.box_coder(prior, variance, codes, "decode_center_size", normalized)
    expected = np.broadcast_to(BOXES[:, None], (4, 3, 4))
    # Paddle takes the middle of a target from its corners, without the pixel they include.
    assert np.allclose(back.numpy(), expected, atol=1e-4 if normalized else 0.51)


def test_yolo_boxes_stand_around_their_cells() -> None:
    x = np.zeros((1, 7, 2, 2), "float32")
    x[0, 4] = [[9, 9], [9, -9]]
    boxes, scores = ops.yolo_box(*tensors(x, np.array([[64, 64]], "int32")), [16, 8], 2, 0.5, 32)
    assert boxes.numpy()[0].tolist() == [
        [8, 12, 24, 20],
        [40, 12, 56, 20],
        [8, 44, 24, 52],
        [0] * 4,
    ]
    assert np.allclose(scores.numpy()[0, :, 0], [0.5, 0.5, 0.5, 0], atol=1e-3)


def test_prior_boxes_stand_around_each_place() -> None:
    feature, image = tensors(np.zeros((1, 1, 1, 2), "float32"), np.zeros((1, 3, 10, 20), "float32"))
    boxes, variances = ops.prior_box(feature, image, 4.0, 9.0, [4.0])
    assert (boxes.shape, variances.shape) == ([1, 2, 3, 4], [1, 2, 3, 4])
    assert np.allclose(boxes.numpy()[0, 0, 0], [0.15, 0.3, 0.35, 0.7])
    assert np.allclose(boxes.numpy()[0, 0, 1], [0.05, 0.4, 0.45, 0.6])
    assert np.allclose(boxes.numpy()[0, 0, 2], [0.1, 0.2, 0.4, 0.8])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x, b: ops.nms(x), ShapeError),
        (lambda x, b: ops.roi_align(x, x, b, 2), ShapeError),
        (lambda x, b: ops.psroi_pool(x, b, twinoar.to_tensor([4, 0]), 3), ShapeError),
        (lambda x, b: ops.yolo_box(x, b, [1, 2], 3, 0.5, 32), ShapeError),
        (lambda x, b: ops.box_coder(b, None, b, "encode"), ArgumentError),
        (lambda x, b: ops.prior_box(x, x, [1.0], [1.0, 2.0]), ArgumentError),
    ],
)
def test_other_arguments_are_refused(call: Any, error: type) -> None:
    with pytest.raises(error):
        call(*tensors(X, BOXES))


def test_a_picture_is_read_and_decoded(tmp_path: Path) -> None:
    path = tmp_path / "picture.jpg"
    Image.fromarray(np.full((4, 5, 3), (200, 10, 10), "uint8")).save(path, quality=100)
    content = ops.read_file(str(path))
    assert (content.dtype, content.shape) == ("uint8", [path.stat().st_size])
    shapes = [ops.decode_jpeg(content, mode).shape for mode in ("unchanged", "gray", "rgb")]
    assert shapes == [[3, 4, 5], [1, 4, 5], [3, 4, 5]]
    assert abs(ops.decode_jpeg(content).numpy()[:, 0, 0].astype(int) - [200, 10, 10]).max() < 3


def test_files_that_cannot_be_read_are_errors() -> None:
    with pytest.raises(FileError, match="/nowhere"):
        ops.read_file("/nowhere")
    with pytest.raises(FileError, match="cannot read an image"):
        ops.decode_jpeg(twinoar.to_tensor(np.zeros(3, "uint8")))
    with pytest.raises(ArgumentError, match="received 'cmyk'"):
        ops.decode_jpeg(twinoar.to_tensor(np.zeros(3, "uint8")), "cmyk")


def test_nms_of_many_boxes_keeps_what_one_after_the_other_keeps() -> None:
    corners = np.random.RandomState(0).rand(150, 2) * 60  # more than are looked at together
    boxes = np.concatenate([corners, corners + 15], 1).astype("float32")
    kept: list[int] = []
    for i, (left, top, right, bottom) in enumerate(boxes):
        others = boxes[kept]
        wide = np.minimum(others[:, 2], right) - np.maximum(others[:, 0], left)
        high = np.minimum(others[:, 3], bottom) - np.maximum(others[:, 1], top)
        shared = wide.clip(0) * high.clip(0)
        if (shared / (450 - shared) <= 0.3).all():
            kept.append(i)
    assert ops.nms(*tensors(boxes), 0.3).tolist() == kept


def test_maxima_of_whole_numbers_are_whole_numbers() -> None:
    x = twinoar.arange(36).reshape([1, 1, 6, 6])
    out = ops.roi_pool(x, *tensors(np.array([[0, 0, 4, 4]]), np.array([1], "int32")), 2)
    assert out.dtype == "int64" and out.tolist() == [[[[14, 16], [26, 28]]]]


@pytest.mark.parametrize("pool", [ops.roi_align, ops.psroi_pool])
def test_whole_numbers_are_not_averaged(pool: Any) -> None:
    with pytest.raises(DTypeError, match="averages are of floating numbers"):
        pool(twinoar.arange(36).reshape([1, 1, 6, 6]), *tensors(REGIONS[:1], COUNTS[:1]), 1)
