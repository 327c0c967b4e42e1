"""Auc: the area under the ROC curve; the numbers with a seed are Paddle's."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ShapeError, UnsupportedError
from twinoar.metric import Auc

RANDOM = np.random.RandomState(0)
POSITIVE = RANDOM.rand(50)
LABELS = (RANDOM.rand(50) < POSITIVE).astype("int64")
SCORES = np.stack([1 - POSITIVE, POSITIVE], 1)


@pytest.mark.parametrize(("steps", "area"), [(4095, 0.830220713073005), (10, 0.8370118845500848)])
def test_area(steps: int, area: float) -> None:
    auc = Auc(num_thresholds=steps)
    auc.update(SCORES, LABELS)
    assert auc.accumulate() == pytest.approx(area, rel=1e-12)


def test_same_batch_twice_has_the_same_area() -> None:
    auc = Auc()
    auc.update(Tensor(SCORES), Tensor(LABELS[:, None]))
    once = auc.accumulate()
    auc.update(SCORES, LABELS)
    assert auc.accumulate() == pytest.approx(once, rel=1e-12)


def test_area_is_the_share_of_pairs_in_the_right_order() -> None:
    scores = np.array([0.1, 0.4, 0.6, 0.7, 0.9])
    auc = Auc()
    auc.update(np.stack([1 - scores, scores], 1), np.array([0, 1, 0, 1, 1]))
    assert auc.accumulate() == pytest.approx(5 / 6)


def test_one_class_only_is_zero_and_reset_forgets() -> None:
    auc = Auc()
    auc.update(SCORES[:2], np.array([1, 1]))
    assert auc.accumulate() == 0.0
    auc.update(SCORES, LABELS)
    auc.reset()
    assert auc.accumulate() == 0.0


@pytest.mark.parametrize("scores", [POSITIVE, POSITIVE[:, None], SCORES[:3]])
def test_other_shapes_are_refused(scores: np.ndarray) -> None:
    with pytest.raises(ShapeError, match=r"preds \[N,2\] and N labels"):
        Auc().update(scores, LABELS)


def test_scores_out_of_range_are_refused() -> None:
    with pytest.raises(ArgumentError, match="scores from 0 to 1"):
        Auc().update(np.array([[-0.2, 1.2]]), np.array([1]))


def test_other_curve_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="'PR'"):
        Auc(curve="PR")
