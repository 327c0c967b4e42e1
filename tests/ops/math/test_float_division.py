"""Whole quotients of float64 numbers and what they leave: compiled code has NumPy's bits."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import jit
from twinoar.backends.host import host
from twinoar.backends.native.executable import NativeExecutable
from twinoar.core.dtype import float64
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.ops.math.arithmetic import floor_divide, remainder

random = np.random.default_rng(4)
TINY, HUGE = 5e-324, 1.7e308
SPECIAL = np.array(
    [
        0.0,
        -0.0,
        1,
        -1,
        np.inf,
        -np.inf,
        np.nan,
        TINY,
        -TINY,
        HUGE,
        -HUGE,
        1e-300,
        3,
        -0.1,
        2.5,
        1e22,
    ]
)
ORACLES = {floor_divide: np.floor_divide, remainder: np.remainder}


def bits_of_any(count: int) -> np.ndarray:
    """Numbers of all sizes."""
    return random.integers(-(2**63), 2**63 - 1, count).view(np.float64)


def assert_equal_bits(operator, x, y) -> None:
    with np.errstate(all="ignore"):
        expected = np.asarray(ORACLES[operator](x, y))
    found = jit.to_static(lambda a, b: operator(a, b))(*map(paddle.to_tensor, (x, y))).numpy()
    same = found.view(np.int64) == expected.view(np.int64)
    assert (same | (np.isnan(found) & np.isnan(expected))).all()


@pytest.mark.parametrize("operator", ORACLES)
def test_special_numbers_have_the_bits_of_numpy(operator):
    x, y = np.meshgrid(SPECIAL, SPECIAL)
    assert_equal_bits(operator, x.copy(), y.copy())


@pytest.mark.parametrize("operator", ORACLES)
def test_numbers_of_all_sizes_have_the_bits_of_numpy(operator):
    assert_equal_bits(operator, bits_of_any(50_000), bits_of_any(50_000))
    near = random.standard_normal(50_000)
    assert_equal_bits(operator, near * 10.0 ** random.integers(0, 40, near.size), near[::-1].copy())


@pytest.mark.parametrize("operator", ORACLES)
@pytest.mark.parametrize(
    ("x", "y"), [((2, 1, 3), (4, 1)), ((3,), ()), ((), ()), ((0, 3), (1,)), ((5, 1), (1, 7))]
)
def test_operands_broadcast(operator, x, y):
    assert_equal_bits(operator, random.standard_normal(x), random.standard_normal(y))


@pytest.mark.parametrize("operator", ORACLES)
def test_a_number_may_stand_on_either_side(operator):
    x = bits_of_any(3000)
    first = jit.to_static(lambda a: operator(a, -2.5))(paddle.to_tensor(x)).numpy()
    last = jit.to_static(lambda a: 1e5 // a if operator is floor_divide else 1e5 % a)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(first, ORACLES[operator](x, -2.5))
        expected = ORACLES[operator](1e5, x)
    np.testing.assert_array_equal(last(paddle.to_tensor(x)).numpy(), expected)


@pytest.mark.parametrize("operator", ORACLES)
def test_no_program_calls_numpy_for_it(operator):
    spec = Spec((40, 50), float64)
    program = trace(lambda a, b: operator(a, b) * 2.0, spec, spec)
    executable = NativeExecutable(program, host())
    executable.execute([np.ones((40, 50)), np.ones((40, 50))], [])
    assert "host commands: 0" in executable.explain()
