"""Sums of very many floats in compiled code: each term counts, however many there are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import twinoar as paddle
from twinoar.backends.choice import may_compile
from twinoar.jit import to_static

COUNT = 1 << 25  # one after the other, a float32 of 2**24 stays as it is when 1 is added
ROUNDING = 2e-6

CASES: list[tuple[str, Callable, float]] = [
    ("all", lambda v: (v + paddle.zeros([COUNT])).mean(), 0.1),
    ("all of many axes", lambda v: (v + paddle.zeros([8, COUNT // 64, 8])).mean(), 0.1),
    ("two rows", lambda v: (v + paddle.zeros([2, COUNT // 2])).mean(1)[0], 0.1),
    ("two columns", lambda v: (v + paddle.zeros([COUNT, 2])).mean(0)[1], 0.1),
    ("channels", lambda v: (v + paddle.zeros([4, 3, COUNT // 8])).mean([0, 2])[2], 0.1),
    ("channels last", lambda v: (v + paddle.zeros([4, COUNT // 8, 3])).mean([0, 1])[2], 0.1),
    ("transposed", lambda v: (v + paddle.zeros([COUNT // 4, 4])).T.mean(1)[3], 0.1),
    ("two sums", lambda v: sum_and_squares(v + paddle.zeros([COUNT])), 0.11),
    ("norm", lambda v: (v + paddle.zeros([COUNT])).norm() / COUNT**0.5, 0.1),
    ("with a maximum", lambda v: beside_a_maximum(v + paddle.zeros([2, COUNT // 2])), 0.2),
]


def sum_and_squares(x: paddle.Tensor) -> paddle.Tensor:
    return (x.sum() + (x * x).sum()) / COUNT


def beside_a_maximum(x: paddle.Tensor) -> paddle.Tensor:
    return (x.mean(1) + x.max(1))[1]


@pytest.mark.skipif(not may_compile(), reason="about compiled code")
@pytest.mark.parametrize(("function", "wanted"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_sums_of_many_equal_terms_are_right_within_rounding(function, wanted):
    found = to_static(function)(paddle.to_tensor(np.float32(0.1)))
    np.testing.assert_allclose(float(found), wanted, rtol=ROUNDING)


@pytest.mark.skipif(not may_compile(), reason="about compiled code")
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("shape", [[COUNT], [COUNT // 2, 2]])
def test_means_of_many_16_bit_floats_are_of_sums_in_float32(dtype, shape):
    def mean(v):
        return (v + paddle.zeros(shape, dtype)).mean(0)

    found = to_static(mean)(paddle.full([], 0.25, dtype))
    np.testing.assert_array_equal(found.astype("float32").numpy(), 0.25)


@pytest.mark.skipif(not may_compile(), reason="about compiled code")
def test_as_many_ones_as_16_bit_indices_squared_are_counted():
    found = to_static(lambda v: v.expand([1 << 16, 1 << 16]).sum())(paddle.ones([1, 1]))
    assert float(found) == 1 << 32


@pytest.mark.skipif(not may_compile(), reason="about compiled code")
@pytest.mark.parametrize(
    "shape", [[70_001], [70_001, 3], [3, 70_001], [5, 70_001, 2], [4099, 4099]]
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_blocks_that_do_not_divide_a_sum_leave_nothing_out(shape, dtype):
    x = np.random.default_rng(3).integers(-9, 9, shape).astype(dtype)
    for axes in ([0], [x.ndim - 1], list(range(x.ndim))):
        found = to_static(lambda v, axes=axes: v.sum(axes))(paddle.to_tensor(x))
        np.testing.assert_array_equal(found.numpy(), x.sum(tuple(axes)))


@pytest.mark.skipif(not may_compile(), reason="about compiled code")
@pytest.mark.parametrize("shape", [[70_001], [70_001, 3]])
def test_sums_of_many_terms_keep_infinity_and_nan(shape):
    for special in (np.inf, np.nan):
        x = np.ones(shape, np.float32)
        x[40_000] = special
        found = to_static(lambda v: v.sum(0))(paddle.to_tensor(x))
        np.testing.assert_array_equal(found.numpy(), x.sum(0))
