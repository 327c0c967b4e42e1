"""`and`, `or`, comparisons and `in` of converted code are those of Python."""

from __future__ import annotations

import pytest

import twinoar as paddle
from tests.jit.parity import ANY_LENGTH, assert_same, tensor
from twinoar.errors import TwinoarError
from twinoar.jit import to_static


def short_circuits(x):
    if x.shape[0] > 5 and x[5] > 0:
        return x
    if x.sum() > 0 and x[int(x.sum()) - int(x.sum())] > 0:
        x = x + 1
    return x


def right_side_only_when_needed(x):
    if x.sum() > 0 and checked(x):
        return x * 2
    return x


def checked(x):
    assert x.sum() > 0, "not called where the left side is false"
    print("asked")
    return x.max() > 2


def value_of_or(x):
    n = x.argmax() or 5
    m = x.argmax() and 7
    return x * n + m


def logic(x):
    m = x.mean()
    if m > 0 and m < 10 or not (m > -5):
        return x + 1
    return x - 1


def chains(x):
    if 0 < told(x.sum()) < 4 <= told(x.shape[0]) + 3 < told(10):
        return x * 2
    return x


def told(v):
    print("asked", v)
    return v


def membership(x):
    return x * (1.0 if x.shape[0] in (1, 3) else 2.0) + (1 if 2.0 in x else 0)


@pytest.mark.parametrize(
    "function",
    [short_circuits, right_side_only_when_needed, value_of_or, logic, chains, membership],
    ids=lambda f: f.__name__,
)
def test_logic_is_pythons(function, capsys):
    assert_same(function, capsys)


def test_a_truth_of_several_elements_is_refused():
    @to_static
    def several(x):
        if x > 0 and x.sum() > 0:
            return x
        return -x

    with pytest.raises(TwinoarError, match="truth of a tensor with 3 elements"):
        several(tensor(1.0, 2.0, 3.0))


# Sizes that only a run knows.


def size_conditions(x):
    n = x.shape[0]
    if n > 4:
        return x * 2
    if n == 3:
        return x + n
    if 1 < n < 3:
        return x - n
    return x


def size_arithmetic(x):
    n = x.shape[0]
    y = x * n + n / 2 + int(n) + n // 2 + n % 2 - n**2
    z = paddle.concat([x, y]).reshape([n * 2, 1])
    total = paddle.zeros([n])
    for i in range(n - 1):
        total = total + x * i
    return y + len(x), z, total + float(n), x * min(n, 2) * max(n, 4), paddle.to_tensor(n)


@pytest.mark.parametrize("function", [size_conditions, size_arithmetic], ids=lambda f: f.__name__)
def test_sizes_serve_any_length_under_one_program(function, capsys):
    assert_same(function, capsys, [(1.0,), (1.0, 2.0), (1.0, 2.0, 3.0), tuple(range(6))])


def test_a_size_is_compared_where_it_is_known_to_differ():
    @to_static(input_spec=ANY_LENGTH)
    def known(x):
        n = x.shape[0]
        if n + 1 > n and n >= 0 and n != n + 2:
            return x + 1
        return x

    assert "if(" not in str(known.main_program)
