"""Divisors and multiples of integers of every size, native and NumPy's."""

from __future__ import annotations

import math

import numpy as np
import pytest

import twinoar as paddle

MANY = 20_000  # elements that a native kernel computes in eager mode
FUNCTIONS = [(paddle.gcd, np.gcd), (paddle.lcm, np.lcm)]


def numbers(dtype: str) -> np.ndarray:
    """Numbers of all sizes; then pairs of the least, the greatest and small ones."""
    rng, info = np.random.default_rng(0), np.iinfo(dtype)
    ends = np.array([info.min, info.min + 1, info.min // 2, info.max, 0, 1, 2, 6], dtype)
    pairs = np.stack([a.ravel() for a in np.meshgrid(ends, ends)])
    anywhere = rng.integers(info.min, info.max, (2, MANY), dtype, endpoint=True)
    small = rng.integers(0, 100, (2, MANY)).astype(dtype)
    return np.concatenate([anywhere, small, pairs], axis=1)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
@pytest.mark.parametrize(("function", "kernel"), FUNCTIONS)
def test_divisors_and_multiples_are_those_of_numpy(function, kernel, dtype):
    x, y = numbers(dtype)
    found = function(paddle.to_tensor(x), paddle.to_tensor(y)).numpy()
    np.testing.assert_array_equal(found, kernel(x, y))


@pytest.mark.parametrize(("function", "kernel"), FUNCTIONS)
def test_shapes_broadcast_where_they_are_compiled(function, kernel):
    x = np.arange(-9, 9).reshape(3, 1, 6)
    y = np.arange(4).reshape(4, 1)
    found = paddle.jit.to_static(function)(paddle.to_tensor(x), paddle.to_tensor(y))
    np.testing.assert_array_equal(found.numpy(), kernel(x, y))
    with_number = paddle.jit.to_static(lambda t: function(t, 6))(paddle.to_tensor(x))
    np.testing.assert_array_equal(with_number.numpy(), kernel(x, 6))


def test_neighbors_in_fibonaccis_sequence_take_the_most_steps():
    a, b = 1, 1
    while a + b < 2**63:
        a, b = b, a + b
    x = np.full(MANY, b)
    assert math.gcd(a, b) == 1
    assert (paddle.gcd(paddle.to_tensor(x), paddle.to_tensor(np.full(MANY, a))).numpy() == 1).all()
