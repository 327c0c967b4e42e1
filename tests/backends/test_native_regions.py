"""Regions, windows, beams and tags as compiled loops: what NumPy's kernels say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.backends.test_native_order import compiled
from twinoar.errors import ArgumentError, AxisError
from twinoar.ops.loss.adaptive_softmax import head_position
from twinoar.ops.pool.fractional import fractional_max_pool
from twinoar.ops.pool.maximum_index import scatter_pixels
from twinoar.ops.sequence.gather_tree import gather_tree
from twinoar.ops.sequence.sparse_attention import csr_mask
from twinoar.ops.sequence.unpadded_attention import sequence_bounds
from twinoar.ops.sequence.viterbi import viterbi_paths
from twinoar.ops.vision._overlap import overlap
from twinoar.ops.vision._region import spread_regions, weighed_regions
from twinoar.ops.vision._window import window_maxima
from twinoar.ops.vision.levels import levels_of_regions
from twinoar.ops.vision.matrix_nms import lowered_scores
from twinoar.ops.vision.nms import standing_boxes
from twinoar.ops.vision.proposals import kept_boxes
from twinoar.ops.vision.roi import bilinear_weights

pytestmark = pytest.mark.usefixtures("strict")


def agree(op: Any, *arrays: np.ndarray, tolerance: float = 0.0, **attrs: Any) -> None:
    with np.errstate(all="ignore"):
        wanted = op.kernel_rule(*arrays, **attrs)
    found = compiled(lambda *given: op(*given, **attrs), *arrays)
    for f, w in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        assert (f.dtype, f.shape) == (w.dtype, w.shape)
        np.testing.assert_allclose(f, w, rtol=tolerance, atol=tolerance)


def sparse(random: np.random.Generator, *shape: int) -> np.ndarray:
    x = random.standard_normal(shape) * (random.random(shape) < 0.3)
    return x.astype("float32")


def spoiled(random: np.random.Generator, x: np.ndarray, by: float) -> np.ndarray:
    return np.where(random.random(x.shape) < 0.02, np.float32(by), x).astype("float32")


@pytest.mark.parametrize("seed", range(8))
def test_fractional_pooling(seed: int) -> None:
    random = np.random.default_rng(seed)
    size = random.integers(4, 14, random.integers(2, 4))
    out = tuple(int(random.integers(1, n // 2 + 1)) for n in size)
    kernel = tuple(int(random.integers(1, n - m + 2)) for n, m in zip(size, out, strict=True))
    x = spoiled(random, random.integers(0, 5, (2, 3, *size)), np.nan)
    u = np.array(random.random(), "float32")
    for chosen in ((), kernel):
        agree(fractional_max_pool, x, u, output_size=out, kernel_size=chosen)


@pytest.mark.parametrize("samples", [-1, 1, 3])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_weights_between_pixels(samples: int, dtype: str) -> None:
    random = np.random.default_rng(samples + 1)
    first, length = (random.uniform(low, 20, 40).astype(dtype) for low in (-5, -1))
    agree(bilinear_weights, first, length, bins=3, size=11, samples=samples, tolerance=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_regions_are_weighed_and_spread(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, columns = sparse(random, 5, 2, 9), sparse(random, 5, 3, 8)
    rows[0], columns[1] = 0, 0
    x = random.standard_normal((3, 12, 9, 8))
    values = random.standard_normal((5, 2, 2, 3))
    image = random.integers(-3, 3, 5)
    for by in (0.0, np.inf, np.nan):
        regions = rows, columns, image
        for apart in (False, True):
            agree(weighed_regions, spoiled(random, x, by), *regions, apart=apart, tolerance=1e-5)
        regions = rows, columns, image % 3
        for apart in (False, True):
            given = {"count": 3, "apart": apart, "tolerance": 1e-5}
            agree(spread_regions, spoiled(random, values, by), *regions, **given)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("seed", range(4))
def test_maxima_of_windows(seed: int, dtype: str) -> None:
    random = np.random.default_rng(seed)
    first = random.integers(-4, 9, (5, 3))
    rows, columns = (
        np.stack([first, first + random.integers(0, 5, (5, 3))], 2).astype("float32")
        for _ in range(2)
    )
    rows[0, 0, 0], rows[1, 0, 1] = np.nan, np.inf
    x = random.integers(-3, 3, (2, 3, 8, 7)).astype(dtype)
    if dtype != "int32":
        x[random.random(x.shape) < 0.1] = np.nan
        x[random.random(x.shape) < 0.5] = -np.inf
    agree(window_maxima, x, rows, columns, random.integers(-2, 2, 5))


@pytest.mark.parametrize("seed", range(4))
def test_matrices_beams_and_pixels(seed: int) -> None:
    random = np.random.default_rng(seed)
    offset = np.sort(random.integers(0, 9, (2, 2, 7)), -1)
    offset[..., 0] = 0
    agree(csr_mask, np.minimum(offset, 8), random.integers(0, 6, (2, 2, 8), "int32"))
    shape = tuple(random.integers(1, 7, 3))
    parents = random.integers(0, shape[2], shape)
    agree(gather_tree, random.integers(0, 99, shape, "int32"), parents)
    x, mask = sparse(random, 2, 3, 4, 5), random.integers(0, 30, (2, 3, 4, 5), "int32")
    agree(scatter_pixels, x, mask, size=(5, 6), tolerance=1e-6)
    agree(head_position, random.integers(0, 9, 50), cutoffs=(3, 5, 9))
    agree(sequence_bounds, random.integers(0, 4, 9).cumsum(), longest=3)


@pytest.mark.parametrize(
    ("error", "told", "call", "data"),
    [
        (AxisError, "rise from 0", lambda x: csr_mask(x, x), [[[0, 2, 1]]]),
        (AxisError, "from 0 to 1", lambda x: csr_mask(x, x + 1), [[[0, 1, 3]]]),
        (AxisError, "one of 2 beams", lambda x: gather_tree(x, x), [[[0, 2]]]),
        (AxisError, "names no class", lambda x: head_position(x, (2, 4)), [4]),
        (ArgumentError, "from 0 to 2", lambda x: sequence_bounds(x, 2), [0, 2, 5]),
        (AxisError, "out of range", lambda x: scatter_pixels(x, x, (2, 2)), [[[[4]]]]),
    ],
)
def test_data_that_is_refused_is_told(error: Any, told: str, call: Any, data: list) -> None:
    with pytest.raises(error, match=told):
        compiled(call, np.array(data))


def test_a_region_of_no_image_is_told() -> None:
    ones = [np.ones(shape, "float32") for shape in ((2, 1, 3, 3), (1, 2, 3), (1, 2, 3))]
    with pytest.raises(AxisError, match="index 2 is out of range"):
        compiled(lambda *given: weighed_regions(*given), *ones, np.array([2]))
    values = np.ones((1, 1, 2, 2), "float32")
    with pytest.raises(AxisError, match="index 2 is out of range"):
        compiled(lambda *given: spread_regions(*given, 2), values, *ones[1:], np.array([2]))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("seed", range(4))
def test_boxes_that_stand(seed: int, dtype: str) -> None:
    random = np.random.default_rng(seed)
    corners = random.integers(0, 30, (90, 2)) / (1 if dtype == "int32" else 4)
    boxes = np.concatenate([corners, corners + random.integers(-1, 20, (90, 2))], 1).astype(dtype)
    if dtype != "int32":
        boxes[random.random(boxes.shape) < 0.02] = np.nan
    threshold = float(random.choice([0.0, 0.25, 0.5, 1.0]))
    agree(standing_boxes, boxes, group=None, iou_threshold=threshold, groups=None)
    group = random.integers(-1, 4, 90)
    for groups in (None, (0, 2)):
        agree(standing_boxes, boxes, group, iou_threshold=threshold, groups=groups)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_boxes_that_overlap_by_just_as_much_as_is_allowed(dtype: str) -> None:
    random = np.random.default_rng(0)
    corners = random.uniform(0, 10, (60, 2))
    boxes = np.concatenate([corners, corners + random.uniform(4, 9, (60, 2))], 1).astype(dtype)
    shares = overlap(boxes, boxes)[np.triu_indices(60, 1)]
    for share in random.choice(shares[shares > 0.2], 20, replace=False):
        agree(standing_boxes, boxes, group=None, iou_threshold=float(share), groups=None)


@pytest.mark.parametrize("sigma", [None, 0.5])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_scores_that_fall_with_overlap(dtype: str, sigma: float | None) -> None:
    random = np.random.default_rng(0)
    corners = random.integers(0, 30, (5, 70, 2)) / 4
    boxes = np.concatenate([corners, corners + random.integers(-1, 20, (5, 70, 2)) / 4], 2)
    boxes[:, 10:20] = boxes[:, :10]
    boxes[random.random(boxes.shape) < 0.02] = np.nan
    scores = -np.sort(random.uniform(-1, 0, (5, 70)), 1)
    scores[np.arange(70) >= np.array([70, 69, 30, 1, 0])[:, None]] = -np.inf
    given = boxes.astype(dtype), scores.astype(dtype)
    for offset in (0.0, 1.0):
        agree(lowered_scores, *given, sigma=sigma, offset=offset, tolerance=2e-6)


@pytest.mark.parametrize("eta", [1.0, 0.9])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_boxes_that_are_kept_as_the_threshold_falls(dtype: str, eta: float) -> None:
    random = np.random.default_rng(0)
    corners = random.uniform(0, 30, (3, 300, 2))
    boxes = np.concatenate([corners, corners + random.uniform(-1, 20, (3, 300, 2))], 2)
    boxes = boxes.astype(dtype)
    boxes[random.random(boxes.shape) < 0.01] = np.nan
    mask = random.random((3, 300)) < np.array([[0.0], [0.5], [1.0]])
    for threshold, offset, most in ((0.7, 0.0, -1), (0.55, 1.0, 20), (0.3, 0.0, 900)):
        rest = {"threshold": threshold, "eta": eta, "offset": offset, "most": most}
        agree(kept_boxes, boxes, mask, **rest)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_levels_of_regions(dtype: str) -> None:
    random = np.random.default_rng(0)
    first, sides = random.uniform(0, 400, (2, 200, 2))
    sides[:40] = 2.0 ** random.integers(-2, 12, (40, 2)) * 7
    first[:30], sides[30:50] = 0, -sides[30:50]
    sides[0], sides[1, 0] = np.nan, np.inf
    regions = np.concatenate([first, first + sides], 1).astype(dtype)
    counts = np.array([0, 120, 0, 80, 0], random.choice(["int32", "int64"]))
    for levels, at, offset in ((4, 2, 0.0), (1, 0, 1.0), (6, 5, 1.0), (3, -1, 0.0)):
        agree(levels_of_regions, regions, counts, levels=levels, side=224, level=at, offset=offset)


@pytest.mark.parametrize("counts", [[3, 0], [5, -1], [2, 3]])
def test_regions_that_are_not_all_counted_are_refused(counts: list[int]) -> None:
    regions = np.ones((4, 4), "float32")
    with pytest.raises(ArgumentError, match="counts of the 4 regions"):
        compiled(lambda *given: levels_of_regions(*given, 2, 224, 0), regions, np.array(counts))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("ends", [True, False])
def test_best_sequences_of_tags(ends: bool, dtype: str) -> None:
    random = np.random.default_rng(ends)
    kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
    for tags, steps, batch in ((2, 1, 3), (5, 7, 40), (33, 20, 4)):
        given = random.integers(-9, 9, (batch, steps, tags))
        given = np.where(random.random(given.shape) < 0.02, np.nan, given / 4).astype(kind)
        follows = (random.integers(-3, 4, (tags, tags)) / 8).astype(kind)
        lengths = random.integers(1, steps + 1, batch).astype(random.choice(["int32", "int64"]))
        agree(viterbi_paths, given, follows, lengths, include_bos_eos_tag=ends)


@pytest.mark.parametrize("length", [0, 4])
def test_a_length_that_no_sequence_has_is_told(length: int) -> None:
    given = np.ones((2, 3, 2), "float32"), np.ones((2, 2), "float32"), np.array([1, length])
    with pytest.raises(ArgumentError, match="lengths must be in 1 to 3"):
        compiled(viterbi_paths, *given)


SEVERAL = """
import hashlib, sys
import numpy as np
sys.path.insert(0, {tests!r})
from tests.backends.compiled_calls import compiled
from twinoar.ops.sequence.viterbi import viterbi_paths
from twinoar.ops.vision.levels import levels_of_regions
from twinoar.ops.vision.matrix_nms import lowered_scores
from twinoar.ops.vision.nms import standing_boxes
from twinoar.ops.vision.proposals import kept_boxes
random = np.random.default_rng(0)
corners = random.uniform(0, 90, (12, 700, 2))
boxes = np.concatenate([corners, corners + random.uniform(1, 30, (12, 700, 2))], 2)
boxes, flat = boxes.astype("float32"), boxes.astype("float32").reshape(-1, 4)
scores = -np.sort(-random.random((12, 700)), 1).astype("float32")
tags = random.standard_normal((60, 40, 30)).astype("float32")
calls = [
    (lambda b: standing_boxes(b, iou_threshold=0.5), flat),
    (lambda b, m: kept_boxes(b, m, 0.7, 0.9, 0.0, 300), boxes, scores > 0.1),
    (lambda b, s: lowered_scores(b, s, 2.0), boxes, scores),
    (lambda b, n: levels_of_regions(b, n, 4, 12, 1), flat, np.array([8000, 400])),
    (viterbi_paths, tags, tags[0, :30], random.integers(1, 41, 60)),
]
found = hashlib.sha256()
for call, *given in calls:
    for out in [*compiled(call, *given), *compiled(call, *given)]:
        found.update(out.tobytes())
print(found.hexdigest())
"""


def test_detection_does_not_depend_on_the_number_of_threads() -> None:
    text = SEVERAL.format(tests=str(Path(__file__).parents[2]))
    found = {
        subprocess.run(
            [sys.executable, "-c", text],
            env={**os.environ, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2", "3")
    }
    assert len(found) == 1
