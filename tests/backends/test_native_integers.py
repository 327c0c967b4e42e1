"""Integers divided and raised by data, compiled: NumPy's results, or its error."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar.errors import ArgumentError
from twinoar.jit import to_static

SIGNED = ("int8", "int16", "int32", "int64")


def compiled(function):
    """A function that is one Program, of which no command calls Python."""
    static = to_static(function, full_graph=True)

    def run(*arrays):
        found = static(*map(paddle.to_tensor, arrays)).numpy()
        assert "host commands: 0" in static.concrete_program.explain()
        return found

    return run


def numbers_of(dtype, random):
    """Numbers of all sizes, with the least and the greatest."""
    info = np.iinfo(dtype)
    wide = random.integers(info.min, info.max, 400, dtype, endpoint=True)
    return np.concatenate([wide, np.array([info.min, info.max, 0, 1], dtype), wide % 7])


@pytest.mark.parametrize("dtype", ["uint8", *SIGNED])
def test_division_rounds_down_and_leaves_the_rest(dtype):
    random = np.random.default_rng(3)
    x, y = numbers_of(dtype, random), random.permutation(numbers_of(dtype, random))
    y = np.where(y == 0, np.array(1, dtype), y)
    with np.errstate(over="ignore"):
        wanted = x // y, x % y
    assert np.array_equal(compiled(lambda x, y: x // y)(x, y), wanted[0])
    assert np.array_equal(compiled(lambda x, y: x % y)(x, y), wanted[1])


@pytest.mark.parametrize("dtype", SIGNED)
def test_the_least_integer_over_minus_one_is_itself(dtype):
    least = np.array([np.iinfo(dtype).min], dtype)
    assert compiled(lambda x, y: x // y)(least, np.array([-1], dtype)) == least
    assert compiled(lambda x, y: x % y)(least, np.array([-1], dtype)) == 0


@pytest.mark.parametrize("dtype", ["uint8", *SIGNED])
def test_powers_wrap_as_products_do(dtype):
    random = np.random.default_rng(5)
    x, y = numbers_of(dtype, random), random.integers(0, 100, 804).astype(dtype)
    assert np.array_equal(compiled(lambda x, y: x**y)(x, y), x**y)


@pytest.mark.parametrize("dtype", SIGNED)
def test_of_negative_powers_the_whole_part_is_left(dtype):
    x, y = np.array([2, 0, 1, -1, -1, -3], dtype), np.array([-1, -2, -3, -1, -2, -3], dtype)
    assert compiled(lambda x, y: x**y)(x, y).tolist() == [0, 0, 1, -1, 1, 0]


@pytest.mark.parametrize("divide", [lambda x, y: x // y, lambda x, y: x % y])
def test_zero_is_refused_before_a_state_changes(divide):
    total = paddle.zeros([3], "int64")

    def add(x, y):
        total.add_(divide(x, y))
        return total

    static = to_static(add, full_graph=True)
    x = paddle.to_tensor(np.array([7, -7, 9]))
    for wrong in ([0, 1, 2], [1, 2, 0]):
        with pytest.raises(ArgumentError, match="an integer is divided by zero"):
            static(x, paddle.to_tensor(np.array(wrong)))
    assert total.tolist() == [0, 0, 0]
    assert static(x, paddle.to_tensor(np.array([8, 8, 8]))).tolist() == divide(x, 8).tolist()


def test_zero_is_told_of_where_nothing_can_run_again():
    paddle.enable_static()
    try:
        program = paddle.static.Program()
        with paddle.static.program_guard(program):
            n = paddle.static.data("n", [1], "int64")
            k = program.current_block().create_var(name="k", shape=[1], dtype="int64")
            paddle.static.py_func(lambda a: np.asarray(a) - 1, n, k)
            out = n // k
        with pytest.raises(ArgumentError) as caught:
            paddle.static.Executor().run(program, {"n": np.array([1])}, [out])
    finally:
        paddle.disable_static()
    text = str(caught.value)
    assert text.startswith("floor_divide: an integer is divided by zero")
    assert "out = n // k" in text
