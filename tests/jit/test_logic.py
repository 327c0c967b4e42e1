"""`and`, `or`, comparisons and `in` of converted code are those of Python."""

import pytest

import twinoar as paddle
from tests.jit.parity import ANY_LENGTH, assert_same, tensor
from twinoar.errors import ConversionError, TwinoarError
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


def types_of_truths(x):
    m, n = x.sum(), int(x.max())
    tensors = 0 < m < 5, m > 0 and m < 5, m > 0 or m > 5 or m < -20, (x[:1] > 0) and (x[:1] < 5)
    return *tensors, 0 < n < 3, n > 0 and bool(m > 2), not m and n > 0, n > 0 or not (m and n)


def test_truths_have_the_types_that_they_have_in_python(capsys):
    assert_same(types_of_truths, capsys)


def a_bool_or_a_tensor(x):
    return x.sum() > 0 and x.shape[0] > 1


def a_tensor_or_a_bool(x):
    return {"positive": bool(x.sum() > 0) or x.max() > 2}


def two_shapes(x):
    return x.sum() > 0 and x[:1] > 0


def a_type_is_asked_for(x):
    positive = x.sum() > 0 or not x.max() > 2
    return x if isinstance(positive, bool) else x * 2


@pytest.mark.parametrize(
    "function",
    [a_bool_or_a_tensor, a_tensor_or_a_bool, two_shapes, a_type_is_asked_for],
    ids=lambda f: f.__name__,
)
def test_a_truth_whose_type_a_tensor_decides_is_no_value(function):
    with pytest.raises(ConversionError, match="a bool on one path and a tensor on the other"):
        to_static(function)(tensor(1.0, 2.0, 3.0))


def truths_of_either_type_as_conditions(x):
    going, n = True, 0
    while going:
        x = x + 1
        n = n + 1
        going = x.sum() < 30 and not (x.max() > 20 and n > 2)
    enough = x.max() > 5 and n > 1
    return x * 2 if not enough or going else x


def test_a_truth_whose_type_a_tensor_decides_is_a_condition(capsys):
    assert_same(truths_of_either_type_as_conditions, capsys)


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
