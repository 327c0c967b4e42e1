"""Iterators in converted code: taken from as Python does, or refused where only a run knows."""

import pytest

import twinoar as paddle
from twinoar.errors import ConversionError
from twinoar.jit import to_static
from twinoar.jit.convert.function import convert


def rest_after_a_break(x, limit):
    source = iter([1.0, 2.0, 3.0, 4.0])
    for item in source:
        if item >= limit:
            break
    return x * next(source, 10.0)


@pytest.mark.parametrize("limit", [0, 2, 4, 5])
def test_a_break_leaves_the_items_after_it(limit):
    x = paddle.ones([1])
    expected = rest_after_a_break(x, limit).tolist()
    assert to_static(rest_after_a_break)(x, limit).tolist() == expected
    assert convert(rest_after_a_break)(x, limit).tolist() == expected


def next_in_iterations(x):
    source = iter([2.0, 3.0, 5.0, 7.0])
    n = paddle.to_tensor(0)
    while n < 3:
        x = x * next(source)
        n = n + 1
    return x


def list_in_iterations(x):
    source = map(float, [2, 3])
    n = paddle.to_tensor(0)
    while n < 2:
        x = x + len(list(source))
        n = n + 1
    return x


def for_in_iterations(x):
    source = (float(i) for i in range(3))
    for _ in range(x.astype("int64").max()):
        for item in source:
            x = x + item
    return x


def on_a_side_and_after_it(x):
    source = iter([2.0, 3.0])
    if x.sum() > 0:
        x = x * next(source)
    return x * next(source)


def on_both_sides(x):
    source = iter([2.0, 3.0])
    if x.sum() > 0:
        x = x * next(source)
    else:
        x = x - next(source)
    return x


def after_a_break_of_a_tensor(x):
    source = iter([1.0, 2.0, 3.0])
    for item in source:
        if x.sum() < item:
            break
    return x * next(source, 10.0)


def below_what_broke(x):
    source = iter([1.0, 2.0, 3.0])
    for i, item in enumerate(source):
        if x.sum() < item + i:
            break
    return x * sum(source)


def right_of_and(x):
    source = iter([1.0, -1.0])
    if x.sum() > 0 and x.max() > next(source):
        x = x + 1
    return x * next(source)


REFUSED = (
    next_in_iterations, list_in_iterations, for_in_iterations, on_a_side_and_after_it,
    on_both_sides,
    after_a_break_of_a_tensor, below_what_broke, right_of_and,
)  # fmt: skip


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_an_iterator_is_not_advanced_where_a_tensor_decides_how_far(function):
    with pytest.raises(ConversionError, match="is advanced where a tensor decides") as caught:
        to_static(function)(paddle.ones([1]))
    assert caught.value.cure


def made_in_each_iteration(x):
    n = paddle.to_tensor(0)
    while n < 3:
        source = iter([2.0, 3.0])
        x = x * next(source) + next(source)
        n = n + 1
    return x


def made_on_one_side(x):
    if x.sum() > 0:
        pairs = zip([1.0, 2.0], [3.0, 4.0], strict=True)
        for a, b in pairs:
            x = x * a + b
    return x


def used_up_before(x):
    source = iter([2.0, 3.0, 5.0])
    x = x * next(source)
    if x.sum() < 0:
        return x
    return x * sum(source)


def unrolled_until_a_tensor_breaks(x):
    for i, item in enumerate([1.0, 2.0, 3.0]):
        if x.sum() > item * i:
            break
        x = x + item
    return x


def generator_expressions(x):
    n = paddle.to_tensor(0)
    while n < 2:
        x = x + sum(i * 2.0 for i in range(3)) + next(i + 1.0 for i in range(2))
        n = n + 1
    return x


RIGHT = (
    made_in_each_iteration, made_on_one_side, used_up_before, unrolled_until_a_tensor_breaks,
    generator_expressions,
)  # fmt: skip


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
def test_an_iterator_that_one_path_alone_advances_is_right(function):
    static = to_static(function)
    for value in (-3.0, 0.5, 2.0):
        x = paddle.full([1], value)
        assert static(x).tolist() == function(x).tolist()
