"""What a tensor decides as a condition: the same in eager mode and in a Program."""

import pytest

import twinoar
from twinoar.jit import to_static

DECIDING = [
    (-1.0, "float32", False),
    (float("nan"), "float32", False),
    (float("inf"), "float32", True),
    (1e-30, "float64", True),
    (-0.5, "bfloat16", False),
    (0.5, "float16", True),
    (-1, "int8", False),
    (255, "uint8", True),
    (-(2**40), "int64", False),
    (0, "int64", False),
    (True, "bool", True),
    ([[-2.0]], "float32", False),
    (1j, "complex64", True),
    (-1 + 1j, "complex64", False),
]


def branch(t):
    return twinoar.ones([1]) if t else twinoar.zeros([1])


def negated(t):
    return twinoar.zeros([1]) if not t else twinoar.ones([1])


def joined(t):
    return twinoar.ones([1]) if t and twinoar.to_tensor(True) else twinoar.zeros([1])


def converted(t):
    return twinoar.ones([1]) * bool(t)


def loop(t):
    count = twinoar.zeros([1])
    while t:
        count = count + 1.0
        t = t - t
    return count


@pytest.mark.parametrize(("value", "dtype", "truth"), DECIDING)
@pytest.mark.parametrize("function", [branch, negated, joined, converted])
def test_a_tensor_is_true_above_zero(function, value, dtype, truth):
    t = twinoar.to_tensor(value, dtype=dtype)
    assert function(t).item() == truth == to_static(function)(t).item() == bool(t)


@pytest.mark.parametrize(
    ("value", "iterations"), [(-1.0, 0), (3.0, 1), (0.0, 0), (float("nan"), 0)]
)
def test_a_loop_goes_on_while_a_tensor_is_above_zero(value, iterations):
    t = twinoar.to_tensor(value)
    assert loop(t).item() == iterations == to_static(loop)(t).item()


@pytest.mark.parametrize("value", [-1.5, 0.0, 2.0])
def test_a_number_from_a_tensor_has_pythons_truth(value):
    def function(t):
        return twinoar.ones([1]) if float(t) else twinoar.zeros([1])

    t = twinoar.to_tensor(value)
    assert function(t).item() == bool(value) == to_static(function)(t).item()
