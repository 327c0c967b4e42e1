"""Fractional max pooling: windows that cover the axis, of sizes that a number decides."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError, ShapeError
from twinoar.nn import functional as F


def edges(n: int, count: int, **options) -> list[tuple[int, int]]:
    """First and last pixel of each window along an axis of n."""
    rising = np.arange(n, dtype="float32").reshape(1, 1, 1, n)
    last, first = (
        F.fractional_max_pool2d(paddle.to_tensor(x), [1, count], return_mask=True, **options)[1]
        for x in (rising, -rising)
    )
    return list(zip(first.flatten().tolist(), last.flatten().tolist(), strict=True))


@pytest.mark.parametrize("u", [0.01, 0.3, 0.5, 0.77, 0.99])
@pytest.mark.parametrize(("n", "count"), [(7, 5), (9, 4), (10, 10), (11, 1), (13, 6)])
def test_windows_side_by_side_cover_the_axis_and_differ_by_one(n: int, count: int, u: float):
    found = edges(n, count, random_u=u)
    assert found[0][0] == 0 and found[-1][1] == n - 1
    assert all(a[1] + 1 == b[0] for a, b in pairwise(found))
    assert {last - first + 1 for first, last in found} <= {n // count, n // count + 1}


@pytest.mark.parametrize("u", [0.1, 0.6, 0.9])
def test_windows_of_a_given_size_reach_from_the_first_to_the_last_pixel(u: float) -> None:
    found = edges(9, 4, kernel_size=[1, 3], random_u=u)
    assert found[0][0] == 0 and found[-1][1] == 8
    assert all(last - first == 2 for first, last in found)


def test_the_seed_decides_where_windows_begin() -> None:
    x = paddle.randn([1, 1, 30, 30])

    def pooled(seed: int) -> list:
        paddle.seed(seed)
        return F.fractional_max_pool2d(x, 20).tolist()

    assert pooled(1) == pooled(1)
    assert len({str(pooled(seed)) for seed in range(5)}) > 1


def test_a_program_draws_anew_in_each_run() -> None:
    pooled = paddle.jit.to_static(lambda x: F.fractional_max_pool2d(x, 20))
    x = paddle.randn([1, 1, 30, 30])
    assert len({str(pooled(x).tolist()) for _ in range(6)}) > 1


@pytest.mark.parametrize("u", [0.0, 1.0])
def test_the_number_is_between_0_and_1(u: float) -> None:
    with pytest.raises(ArgumentError, match="between 0 and 1"):
        F.fractional_max_pool2d(paddle.ones([1, 1, 4, 4]), 2, random_u=u)


def test_more_windows_than_pixels_are_refused() -> None:
    with pytest.raises(ShapeError, match="too few pixels"):
        F.fractional_max_pool3d(paddle.ones([1, 1, 4, 4, 4]), 5)


def test_a_window_has_pixels() -> None:
    with pytest.raises(ArgumentError, match="kernel_size must be positive"):
        F.fractional_max_pool2d(paddle.ones([1, 1, 4, 4]), 2, kernel_size=0)
