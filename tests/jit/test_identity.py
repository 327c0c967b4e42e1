"""Where a tensor decides what a name stands for, `is` and changes in place are right or refused."""

import pytest

import twinoar as paddle
from tests.jit.parity import assert_same, tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static

OUTSIDE = paddle.ones([3])
INPUTS = [(1.0, 2.0, 3.0), (-1.0, -2.0, -3.5)]


def one_on_both_sides(x):
    y = z = x + 1
    if x.sum() > 0:
        z = z * 1
        y = x
    else:
        y = x
    return x * (2 if y is x else 3) + (1 if z is not x else 0)


def others_than_those_it_may_be(x):
    y = OUTSIDE if x.sum() > 0 else x * 1
    z = x * 2
    while z.sum() < 0:
        z = z + 5
    return x * (2 if y is x else 3) + (1 if z is y else 0)


def truths(x):
    positive = bool(x.sum() > 0)
    if positive is True:
        x = x + 1
    return (x * 2, positive) if positive is not False else (x, positive)


def none_and_types(x):
    n = int(x.sum())
    y = x if n > 0 else x * 1
    kind = type(y)
    return x + (1 if n is None or y is None else 2) + (1 if kind is type(x) else 0)


@pytest.mark.parametrize(
    "function",
    [one_on_both_sides, others_than_those_it_may_be, truths, none_and_types],
    ids=lambda f: f.__name__,
)
def test_is_where_the_program_knows(function, capsys):
    assert_same(function, capsys, INPUTS)


def chosen(x):
    y = x if x.sum() > 0 else x * 2
    return x * 10 if y is x else y


def chosen_from_outside(x):
    y = OUTSIDE if x.sum() > 0 else x * 2
    return x * 10 if y is not OUTSIDE else y


def made_on_one_side_together(x):
    if x.sum() > 0:
        y = z = x + 1
    else:
        y, z = x, x * 2
    return x * 10 if y is z else y


def made_in_a_iteration_together(x):
    y, z = x, x * 1
    while y.sum() < 10:
        y = z = y + 1
    return x * 10 if y is z else y


def perhaps_no_iteration(x):
    y = x
    while y.sum() < 10:
        y = y + 1
    return x * 10 if y is x else y


def lists(x):
    y, z = [x], [x + 1]
    y = z if x.sum() > 0 else y
    return x * 10 if y is z else x


@pytest.mark.parametrize(
    "function",
    [
        chosen,
        chosen_from_outside,
        made_on_one_side_together,
        made_in_a_iteration_together,
        perhaps_no_iteration,
        lists,
    ],
    ids=lambda f: f.__name__,
)
def test_is_is_refused_where_a_tensor_decides(function):
    with pytest.raises(ConversionError, match="two names stand for one object"):
        to_static(function)(tensor(1.0, 2.0))


def test_is_of_numbers_is_refused():
    @to_static
    def number(x):
        return x * 2 if int(x.sum()) is x.shape[0] * 1 else x

    with pytest.raises(ConversionError, match="compare them by =="):
        number(tensor(1.0, 2.0))


def changed_together_on_one_side(x):
    if x.sum() > 0:
        y = z = x + 1
    else:
        y, z = x * 2, x * 3
    z.add_(x)
    return y


def changed_from_outside(x):
    y = OUTSIDE if x.sum() > 0 else x * 1
    y.add_(x)
    return y * 1


def changed_list_with_equal_items(x):
    first = [x]
    second = first
    if x.sum() > 0:
        second = [x]
    second.append(x)
    return sum(first)


def changed_dict_with_equal_items(x):
    first = {"k": x}
    second = first
    if x.sum() > 0:
        second = {"k": x}
    second["k"] = x * 2
    return first["k"]


@pytest.mark.parametrize(
    "function",
    [
        changed_together_on_one_side,
        changed_from_outside,
        changed_list_with_equal_items,
        changed_dict_with_equal_items,
    ],
    ids=lambda f: f.__name__,
)
def test_a_change_of_what_may_be_another_is_refused(function):
    with pytest.raises(ConversionError, match="changed in place that may be the same as"):
        to_static(function)(tensor(1.0, 2.0, 3.0))
