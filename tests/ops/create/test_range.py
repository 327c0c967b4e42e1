"""Numbers at equal distances: where integers are asked for between floats, and at both ends."""

from __future__ import annotations

import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda: paddle.arange(-2.78, 5.406, dtype="int64"), [-2, -1, 0, 1, 2, 3, 4]),
        (lambda: paddle.arange(8.59, 8.592, dtype="int64"), []),
        (lambda: paddle.arange(-3, 0.5, 1.5, dtype="int32"), [-3, -2, -1]),
        (lambda: paddle.arange(9.0, -1, -2.9, dtype="int64"), [9, 7, 5, 3, 1]),
        (lambda: paddle.linspace(8, 0.816, 6, dtype="int64"), [8, 6, 4, 3, 1, 0]),
        (lambda: paddle.linspace(-7, -8.6, 8, dtype="int32"), [-7] * 7 + [-8]),
        (lambda: paddle.linspace(3.9, 1.0, 1, dtype="int64"), [3]),
        (lambda: paddle.logspace(1.2, -0.6, 5, dtype="int32"), [10, 5, 3, 1, 1]),
        (lambda: paddle.logspace(1.7, -0.2, 3, 3.5, dtype="int64"), [3, 1, 1]),
        (lambda: paddle.range(-1.78, 3.1, 1.5, dtype="int32"), [-1, 0, 1, 2, 3]),
        (lambda: paddle.range(8.0, 11.75, 1), [8.0, 9.0, 10.0, 11.0]),
        (lambda: paddle.range(1.0, 2.0, 0.5), [1.0, 1.5, 2.0]),
    ],
)
def test_bounds_of_integers_lose_their_fractions(made, expected) -> None:
    assert made().tolist() == expected
    assert paddle.jit.to_static(made)().tolist() == expected


def test_bounds_that_only_a_run_knows_lose_their_fractions() -> None:
    @paddle.jit.to_static
    def counted(first, last):
        return paddle.arange(first, last, dtype="int64"), paddle.linspace(first, last, 3, "int32")

    found = counted(paddle.to_tensor(-2.78), paddle.to_tensor(2.4))
    assert [v.tolist() for v in found] == [[-2, -1, 0, 1], [-2, 0, 2]]


def test_a_step_below_one_between_integers_is_refused() -> None:
    with pytest.raises(ArgumentError, match="step must not be 0"):
        paddle.arange(0, 3, 0.5, dtype="int64")


@pytest.mark.parametrize("count", [2, 3, 7, 10, 49])
def test_both_ends_are_met_exactly(count: int) -> None:
    points = paddle.linspace(0.1, 0.7, count, dtype="float64").tolist()
    assert (points[0], points[-1]) == (0.1, 0.7) and len(points) == count
