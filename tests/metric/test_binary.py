"""Precision and recall; the numbers are Paddle's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from twinoar.eager.tensor import Tensor
from twinoar.errors import ShapeError, TypeMismatchError
from twinoar.metric import Metric, Precision, Recall

SCORES = np.array([[0.1], [0.5], [0.6], [0.7], [0.2]])
LABELS = np.array([[0], [1], [0], [1], [1]])


@pytest.mark.parametrize(("kind", "one", "two"), [(Precision, 2 / 3, 0.5), (Recall, 2 / 3, 2 / 3)])
@pytest.mark.parametrize("wrap", [np.asarray, Tensor])
def test_batches_are_counted_together(kind: Any, one: float, two: float, wrap: Any) -> None:
    metric: Metric = kind()
    metric.update(wrap(SCORES), wrap(LABELS))
    assert metric.accumulate() == one
    metric.update(wrap(np.array([0.9])), wrap(np.array([0])))
    assert metric.accumulate() == two


@pytest.mark.parametrize("kind", [Precision, Recall])
def test_nothing_counted_is_zero(kind: Any) -> None:
    metric = kind()
    metric.update(SCORES, LABELS)
    metric.reset()
    assert metric.accumulate() == 0.0


def test_names() -> None:
    assert [Precision().name(), Recall().name(), Recall("r").name()] == ["precision", "recall", "r"]


def test_lists_are_refused() -> None:
    with pytest.raises(TypeMismatchError, match="preds to be an ndarray or a Tensor"):
        Precision().update([0.5], np.array([1]))


def test_other_number_of_labels_is_refused() -> None:
    with pytest.raises(ShapeError, match="as many labels as preds, 5, not 1"):
        Recall().update(SCORES, np.array([1]))
