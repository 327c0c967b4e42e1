"""Accuracy of the best guesses."""

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ShapeError
from twinoar.ops.loss.accuracy import accuracy

SCORES = to_tensor([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.6, 0.1, 0.3]])
LABEL = to_tensor([[1], [1], [1], [1]])


@pytest.mark.parametrize(("k", "share"), [(1, 0.25), (2, 0.75), (3, 1.0)])
def test_accuracy_counts_labels_among_the_k_best(k, share):
    found = accuracy(SCORES, LABEL, k)
    assert found.shape == [] and found.item() == share


def test_accuracy_takes_int32_labels():
    assert accuracy(SCORES, LABEL.astype("int32")).item() == 0.25


def test_counts_go_into_the_tensors_given():
    correct, total = to_tensor(np.zeros((), "int32")), to_tensor(np.zeros((), "int32"))
    accuracy(SCORES, LABEL, 2, correct, total)
    assert (correct.item(), total.item()) == (3, 4)


def test_labels_without_their_axis_are_refused():
    with pytest.raises(ShapeError, match=r"label must be \[4, 1\]"):
        accuracy(SCORES, to_tensor([1, 1, 1, 1]))


def test_more_guesses_than_classes_are_refused():
    with pytest.raises(ArgumentError):
        accuracy(SCORES, LABEL, 4)
