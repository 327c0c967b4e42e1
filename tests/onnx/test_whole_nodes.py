"""What ONNX has as one node goes out as one node where it computes the same, and else in parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.nn import functional


def layer_of(function: Callable[..., Any]) -> nn.Layer:
    class Called(nn.Layer):
        def forward(self, *given):
            return function(*given)

    return Called()


def exported(folder: Path, layer: nn.Layer, specs: list, opset: int) -> tuple[list[str], Any]:
    """The kinds of nodes, and a session of ONNX Runtime."""
    onnxruntime.set_default_logger_severity(4)
    paddle.onnx.export(layer, str(folder / "net"), specs, opset_version=opset)
    model = onnx.load(folder / "net.onnx")
    onnx.checker.check_model(model, full_check=True)
    kinds = [node.op_type for node in model.graph.node]
    return kinds, onnxruntime.InferenceSession(model.SerializeToString())


def agrees(session: Any, layer: nn.Layer, *arrays: np.ndarray) -> None:
    """Check that ONNX Runtime computes what the layer does."""
    feed = {told.name: a for told, a in zip(session.get_inputs(), arrays, strict=True)}
    wanted = layer(*(paddle.to_tensor(a) for a in arrays))
    wanted = wanted if isinstance(wanted, (list, tuple)) else [wanted]
    for got, want in zip(session.run(None, feed), wanted, strict=True):
        np.testing.assert_allclose(got, want.numpy(), rtol=1e-5, atol=1e-5)


RESIZED: dict[str, tuple[list, tuple[int, ...], dict[str, Any], bool]] = {
    "twice as large": ([None, 3, None, None], (3, 5, 4), {"scale_factor": 2}, True),
    "of any size": ([None, 3, None, None], (3, 5, 4), {"scale_factor": 1.5}, True),
    "smaller": ([None, 3, 9, 7], (3, 9, 7), {"scale_factor": 0.5}, True),
    "to a size": ([None, 3, 5, 4], (3, 5, 4), {"size": [11, 3]}, True),
    "to a size, in the middle": (
        [None, 3, 5, 4], (3, 5, 4), {"size": [11, 6], "mode": "bilinear"}, True,
    ),
    "linearly": ([None, 3, None, None], (3, 5, 4), {"scale_factor": 2, "mode": "bilinear"}, True),
    "corners stay": (
        [None, 3, 5, 4], (3, 5, 4),
        {"size": [9, 11], "mode": "bilinear", "align_corners": True}, True,
    ),
    "from whole numbers": (
        [None, 3, 5, 4], (3, 5, 4), {"size": [9, 8], "mode": "bilinear", "align_mode": 1}, True,
    ),
    "cubic": ([None, 3, 5, 4], (3, 5, 4), {"size": [9, 8], "mode": "bicubic"}, True),
    "a line": (
        [None, 3, 5], (3, 5), {"size": [9], "mode": "linear", "data_format": "NCW"}, True,
    ),
    "a volume": (
        [None, 3, 2, 5, 4], (3, 2, 5, 4),
        {"size": [4, 7, 5], "mode": "trilinear", "data_format": "NCDHW"}, True,
    ),
    "channels last": (
        [None, 5, 4, 3], (5, 4, 3),
        {"scale_factor": 2, "mode": "bilinear", "data_format": "NHWC"}, True,
    ),
    "to one pixel, which is another there": (
        [None, 3, 5, 4], (3, 5, 4), {"size": [1, 3], "mode": "bilinear"}, False,
    ),
    "corners of an unknown size": (
        [None, 3, None, None], (3, 5, 4),
        {"scale_factor": 2, "mode": "bilinear", "align_corners": True}, False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("opset", [11, 17, 23])
@pytest.mark.parametrize("name", RESIZED)
def test_images_of_another_size_are_one_node(tmp_path: Path, name: str, opset: int) -> None:
    shape, sizes, settings, is_whole = RESIZED[name]
    layer = layer_of(lambda x: functional.interpolate(x, **settings))
    spec = [static.InputSpec(shape, "float32", "x")]
    kinds, session = exported(tmp_path, layer, spec, opset)
    assert ("Resize" in kinds) == is_whole
    for batch in (1, 2):
        agrees(session, layer, np.random.default_rng(batch).random((batch, *sizes), "float32"))


def test_a_nearest_pixel_that_rounding_moves_is_not_left_to_the_node(tmp_path: Path) -> None:
    """41 times the float32 nearest to 1 / 20.5 is not 2, which 41 / 20.5 is."""
    layer = layer_of(lambda x: functional.interpolate(x, scale_factor=20.5, mode="nearest"))
    spec = [static.InputSpec([1, 1, 3, 3], "float32", "x")]
    kinds, session = exported(tmp_path, layer, spec, 17)
    assert "Resize" not in kinds
    agrees(session, layer, np.random.default_rng(0).random((1, 1, 3, 3), "float32"))


WHOLE: dict[str, tuple[Callable[[], nn.Layer], list, int, str]] = {
    "instance_norm": (lambda: nn.InstanceNorm2D(4), [2, 4, 5, 3], 11, "InstanceNormalization"),
    "group_norm": (lambda: nn.GroupNorm(2, 4), [2, 4, 5, 3], 21, "GroupNormalization"),
    "rms_norm": (
        lambda: layer_of(lambda x: functional.rms_norm(x, [3])[0]), [2, 5, 3], 23,
        "RMSNormalization",
    ),
    "layer_norm": (lambda: nn.LayerNorm([3]), [2, 5, 3], 17, "LayerNormalization"),
    "pixel_shuffle": (lambda: nn.PixelShuffle(2), [2, 8, 3, 4], 11, "DepthToSpace"),
    "selu": (nn.SELU, [2, 3], 11, "Selu"),
    "celu": (lambda: nn.CELU(0.5), [2, 3], 12, "Celu"),
    "gelu": (nn.GELU, [2, 3], 20, "Gelu"),
    "prelu": (lambda: nn.PReLU(3), [2, 3, 4], 11, "PRelu"),
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_a_layer_is_one_node_of_its_kind(tmp_path: Path, name: str) -> None:
    make, shape, since, kind = WHOLE[name]
    layer = make()
    spec = [static.InputSpec(shape, "float32", "x")]
    x = np.random.default_rng(3).standard_normal(shape).astype("float32")
    for opset in (11, 23):
        kinds, session = exported(tmp_path, layer, spec, opset)
        assert (kind in kinds) == (opset >= since)
        agrees(session, layer, x)


def test_images_are_read_at_points_by_one_node(tmp_path: Path) -> None:
    layer = layer_of(lambda x, grid: functional.grid_sample(x, grid, padding_mode="border"))
    specs = [
        static.InputSpec([None, 2, 5, 6], "float32", "x"),
        static.InputSpec([None, 3, 4, 2], "float32", "grid"),
    ]
    draw = np.random.default_rng(0)
    x, grid = draw.random((2, 2, 5, 6), "float32"), draw.uniform(-1.2, 1.2, (2, 3, 4, 2))
    for opset in (11, 16, 23):
        kinds, session = exported(tmp_path, layer, specs, opset)
        assert ("GridSample" in kinds) == (opset >= 16)
        agrees(session, layer, x, grid.astype("float32"))


def boxes_of(count: int) -> np.ndarray:
    draw = np.random.default_rng(count)
    corners = draw.uniform(0, 20, (count, 2))
    return np.concatenate([corners, corners + draw.uniform(3, 9, (count, 2))], 1).astype("float32")


@pytest.mark.parametrize("opset", [11, 17, 23])
def test_boxes_that_overlap_are_left_out_by_one_node(tmp_path: Path, opset: int) -> None:
    def best(boxes, scores, kinds):
        return paddle.vision.ops.nms(boxes, 0.3, scores, kinds, [0, 2], 7)

    layer = layer_of(best)
    specs = [
        static.InputSpec([None, 4], "float32", "boxes"),
        static.InputSpec([None], "float32", "scores"),
        static.InputSpec([None], "int64", "kinds"),
    ]
    kinds, session = exported(tmp_path, layer, specs, opset)
    assert "NonMaxSuppression" in kinds and "Scan" not in kinds
    for count in (1, 40):
        draw = np.random.default_rng(7)
        scores = draw.random(count, "float32")
        agrees(session, layer, boxes_of(count), scores, draw.integers(0, 3, count))


def test_boxes_in_float64_are_compared_in_float64(tmp_path: Path) -> None:
    layer = layer_of(lambda boxes: paddle.vision.ops.nms(boxes, 0.3))
    specs = [static.InputSpec([None, 4], "float64", "boxes")]
    kinds, session = exported(tmp_path, layer, specs, 17)
    assert "Scan" in kinds and "NonMaxSuppression" not in kinds
    agrees(session, layer, boxes_of(30).astype("float64"))


@pytest.mark.parametrize("opset", [11, 17, 23])
@pytest.mark.parametrize("kind", ["roi_align", "roi_pool", "psroi_pool"])
def test_regions_of_images(tmp_path: Path, kind: str, opset: int) -> None:
    def regions(x, boxes, counts):
        return getattr(paddle.vision.ops, kind)(x, boxes, counts, 2, 0.5)

    layer = layer_of(regions)
    specs = [
        static.InputSpec([None, 8, None, None], "float32", "x"),
        static.InputSpec([None, 4], "float32", "boxes"),
        static.InputSpec([None], "int32", "counts"),
    ]
    if kind == "psroi_pool":
        specs[0] = static.InputSpec([None, 8, 12, 14], "float32", "x")
    kinds, session = exported(tmp_path, layer, specs, opset)
    assert ("RoiAlign" in kinds) == (kind == "roi_align" and opset == 17)
    assert ("MaxRoiPool" in kinds) == (
        kind == "roi_pool" and opset < 22
    )  # ONNX Runtime has no kernels for the newer nodes
    x = np.random.default_rng(0).random((2, 8, 12, 14), "float32")
    agrees(session, layer, x, boxes_of(5), np.array([2, 3], "int32"))


def test_counts_whose_number_the_data_decides(tmp_path: Path) -> None:
    def counted(x):
        values, where, counts = paddle.unique(x, return_inverse=True, return_counts=True)
        return values, where, counts, paddle.bincount(x), paddle.repeat_interleave(x, x % 3)

    layer = layer_of(counted)
    _, session = exported(tmp_path, layer, [static.InputSpec([None], "int64", "x")], 17)
    for n in (1, 50):
        agrees(session, layer, np.random.default_rng(n).integers(0, 9, n))


def test_maxima_of_bins_that_overlap(tmp_path: Path) -> None:
    layer = nn.AdaptiveMaxPool2D((3, 2))
    spec = [static.InputSpec([None, 3, 7, 5], "float32", "x")]
    for opset in (11, 23):
        _, session = exported(tmp_path, layer, spec, opset)
        agrees(session, layer, np.random.default_rng(0).random((2, 3, 7, 5), "float32"))
