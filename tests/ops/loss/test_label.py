"""Lengths as masks, and labels mixed with a prior."""

from __future__ import annotations

import pytest

import twinoar as paddle
from twinoar.errors import DTypeError, ShapeError

F = paddle.nn.functional


@pytest.mark.parametrize("maxlen", [None, 3])
def test_lengths_with_fractions_reach_into_the_next_position(maxlen: int | None) -> None:
    lengths = paddle.to_tensor([1.5, -1.0, 3.2])
    assert F.sequence_mask(lengths, maxlen).tolist() == [[1, 1, 0], [0, 0, 0], [1, 1, 1]]


def test_no_lengths_have_no_positions() -> None:
    assert F.sequence_mask(paddle.zeros([0], "int64")).shape == [0, 0]


def test_truth_values_are_no_lengths() -> None:
    with pytest.raises(DTypeError, match="must hold numbers"):
        F.sequence_mask(paddle.to_tensor([True]))


def test_a_prior_is_one_row() -> None:
    with pytest.raises(ShapeError, match="prior_dist must be"):
        F.label_smooth(paddle.ones([3, 3, 2]), paddle.ones([3, 1, 2]))
