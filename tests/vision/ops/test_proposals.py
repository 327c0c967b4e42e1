"""Proposals are the best boxes, go to the level of their size, and lose scores to better ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar.errors import ArgumentError, ShapeError
from twinoar.vision import ops

BOXES = np.array([[0, 0, 10, 10], [0, 0, 10, 5], [20, 20, 30, 30]], "float32")


def tensors(*arrays: Any) -> list:
    return [twinoar.to_tensor(np.asarray(array, "float32")) for array in arrays]


def proposals(**options: Any) -> tuple:
    """With three anchors in one cell, the last of them the best."""
    scores = np.array([0.2, 0.5, 0.9]).reshape(1, 3, 1, 1)
    given = (scores, np.zeros((1, 12, 1, 1)), [[32, 25]], BOXES.reshape(1, 1, 3, 4))
    variances = np.ones((1, 1, 3, 4))
    return ops.generate_proposals(*tensors(*given, variances), return_rois_num=True, **options)


def test_without_codes_proposals_are_the_anchors_inside_of_the_image() -> None:
    rois, scores, count = proposals()
    assert rois.tolist() == [[20, 20, 25, 30], [0, 0, 10, 5], [0, 0, 10, 10]]
    assert np.allclose(scores.numpy()[:, 0], [0.9, 0.5, 0.2])
    assert count.tolist() == [3]


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"nms_thresh": 0.4}, 2),
        ({"min_size": 6.0}, 1),
        ({"post_nms_top_n": 1}, 1),
        ({"pre_nms_top_n": 2}, 2),
    ],
)
def test_fewer_proposals_are_kept(options: dict, count: int) -> None:
    rois, _, counts = proposals(**options)
    assert (len(rois), counts.tolist()) == (count, [count])


@pytest.mark.parametrize("options", [{"nms_thresh": 0.0}, {"pre_nms_top_n": 0}])
def test_limits_that_are_not_above_0_leave_nothing_out(options: dict) -> None:
    rois, _, counts = proposals(**options, post_nms_top_n=-1)
    assert (len(rois), counts.tolist()) == (3, [3])


def test_an_image_without_proposals_has_one_of_zeros() -> None:
    rois, scores, counts = proposals(min_size=100.0)
    assert (rois.tolist(), scores.tolist(), counts.tolist()) == ([[0, 0, 0, 0]], [[0]], [1])


def test_regions_go_to_the_level_of_their_size() -> None:
    sides = np.array([448, 224, 60, 100])
    rois = np.stack([sides * 0, sides * 0, sides, sides], 1).astype("float32")
    counts = twinoar.to_tensor(np.array([1, 3], "int32"))
    levels, restore, numbers = ops.distribute_fpn_proposals(
        *tensors(rois), 2, 5, 4, 224, rois_num=counts
    )
    assert [level.numpy()[:, 2].tolist() for level in levels] == [[60, 100], [], [224], [448]]
    assert [number.tolist() for number in numbers] == [[0, 2], [0, 0], [0, 1], [1, 0]]
    together = np.concatenate([level.numpy() for level in levels])
    assert np.array_equal(together[restore.numpy()[:, 0]], rois)


def test_the_number_of_regions_is_needed() -> None:
    with pytest.raises(ArgumentError, match="rois_num"):
        ops.distribute_fpn_proposals(*tensors(BOXES), 2, 5, 4, 224)


@pytest.mark.parametrize(("gaussian", "factor"), [(False, 0.5), (True, np.exp(-0.25 * 2.0))])
def test_scores_fall_with_overlap(gaussian: bool, factor: float) -> None:
    scores = np.array([[[0.9, 0.8, 0.7]]])
    rows, counts, index = ops.matrix_nms(
        *tensors(BOXES[None], scores), 0.1, 0.0, -1, -1, gaussian, 2.0, -1, return_index=True
    )
    expected = sorted([(0.9, 0), (0.8 * factor, 1), (0.7, 2)], reverse=True)
    assert np.allclose(rows.numpy()[:, 1], [score for score, _ in expected], atol=1e-6)
    assert index.numpy()[:, 0].tolist() == [i for _, i in expected]
    assert counts.tolist() == [3]


def test_the_background_is_left_out() -> None:
    found = ops.matrix_nms(*tensors(BOXES[None], np.ones((1, 1, 3))), 0.1, 0.0, -1, -1)
    assert (found[0].shape, found[1].tolist(), found[2]) == ([0, 6], [0], None)


def test_three_results_stand_for_what_was_not_asked_for_too() -> None:
    given = (*tensors(BOXES[None], np.ones((1, 2, 3))), 0.1, 0.0, -1, -1)
    found = ops.matrix_nms(*given, return_rois_num=False)
    assert len(found) == 3 and found[1] is None and found[2] is None


def test_boxes_of_one_image_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"\[N,M,4\]"):
        ops.matrix_nms(*tensors(BOXES, np.ones((1, 3))), 0.1, 0.0, -1, -1)
