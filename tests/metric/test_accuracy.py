"""Accuracy, and the base of all metrics; the numbers are Paddle's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from twinoar.eager.tensor import Tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.metric import Accuracy, Metric

SCORES = Tensor(
    np.array([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4]], "float32")
)
LABELS = np.array([2, 1, 1, 0])
CORRECT = [[1, 0], [0, 1], [1, 0], [0, 1]]


@pytest.mark.parametrize("label", [LABELS, LABELS[:, None], np.eye(3)[LABELS]])
def test_compute_marks_the_rank_of_the_label(label: np.ndarray) -> None:
    correct = Accuracy(topk=(1, 2)).compute(SCORES, Tensor(label))
    assert (correct.shape, correct.dtype, correct.tolist()) == ([4, 2], "float32", CORRECT)


def test_several_k_give_lists_over_batches() -> None:
    accuracy = Accuracy(topk=(1, 2))
    assert accuracy.update(Tensor(np.array(CORRECT, "float32"))) == [0.5, 1.0]
    assert accuracy.update(np.array([[0, 0], [0, 0]], "float32")) == [0.0, 0.0]
    assert accuracy.accumulate() == [pytest.approx(2 / 6), pytest.approx(4 / 6)]
    assert (accuracy.total, accuracy.count) == ([2, 4], [6, 6])


def test_one_k_gives_a_number() -> None:
    accuracy = Accuracy()
    assert accuracy.update(accuracy.compute(SCORES, Tensor(LABELS))) == 0.5
    assert accuracy.accumulate() == 0.5


def test_reset_forgets_all_batches() -> None:
    accuracy = Accuracy(topk=(1, 2))
    accuracy.update(np.ones((3, 2)))
    accuracy.reset()
    assert (accuracy.accumulate(), accuracy.total, accuracy.count) == ([0, 0], [0, 0], [0, 0])


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, ["acc"]),
        ({"name": "x"}, ["x"]),
        ({"topk": (2,)}, ["acc_top2"]),
        ({"topk": (1, 5)}, ["acc_top1", "acc_top5"]),
        ({"topk": (1, 2), "name": "x"}, ["x_top1", "x_top2"]),
    ],
)
def test_names(options: dict, names: list[str]) -> None:
    assert Accuracy(**options).name() == names


def test_more_ranks_than_classes_are_all_classes() -> None:
    accuracy = Accuracy(topk=(1, 5))
    correct = accuracy.compute(SCORES, Tensor(LABELS))
    assert correct.shape == [4, 3]
    assert accuracy.update(correct) == [0.5, 1.0]


def test_equal_scores_rank_by_class_number() -> None:
    scores = Tensor(np.array([[0.5, 0.5, 0.2]], "float32"))
    hits = [Accuracy().compute(scores, Tensor(np.array([n]))).item() for n in (0, 1)]
    assert hits == [1, 0]


@pytest.mark.parametrize("shape", [(2, 4), (2, 4, 1)])
def test_each_position_of_a_sequence_is_a_sample(shape: tuple) -> None:
    accuracy = Accuracy(topk=(1, 2))
    scores = np.random.RandomState(0).rand(2, 4, 3)
    correct = accuracy.compute(Tensor(scores), Tensor(scores.argmax(-1).reshape(shape)))
    assert correct.shape == [2, 4, 2]
    assert (accuracy.update(correct), accuracy.count) == ([1.0, 1.0], [8, 8])


@pytest.mark.parametrize("shape", [(3,), (4, 2), (1, 4)])
def test_labels_that_do_not_fit_are_refused(shape: tuple) -> None:
    with pytest.raises(ShapeError, match=r"scores of shape \[4, 3\] want labels of shape \[4\]"):
        Accuracy().compute(SCORES, Tensor(np.zeros(shape, "int64")))


@pytest.mark.parametrize("topk", [1, (), (0,)])
def test_topk_must_be_positive_integers(topk: Any) -> None:
    with pytest.raises(ArgumentError, match=r"topk=\(1, 5\)"):
        Accuracy(topk=topk)


def test_metric_wants_its_methods_defined() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Metric()


def test_metric_passes_outputs_and_labels_on() -> None:
    class Counted(Metric):
        def reset(self) -> None:
            self.batches = 0

        def update(self, *args: Any) -> None:
            self.batches += 1

        def accumulate(self) -> int:
            return self.batches

        def name(self) -> str:
            return "batches"

    assert Counted().compute(1, 2) == (1, 2)
