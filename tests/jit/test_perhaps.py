"""What may share memory with something else, as a tensor decides, is right or refused."""

from __future__ import annotations

import functools

import pytest

import twinoar as paddle
from tests.jit.parity import assert_same, tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static

INPUTS = [(1.0, 2.0, 3.0), (-1.0, -2.0, -3.5)]
HELD: list = []


class Box:
    pass


def popped_from_a_list(x):
    a, items = x * 1, []
    items += [a, x * 2]
    if a.sum() > 0:
        items.pop()
    a.add_(x)
    return items[-1]


def appended_in_a_loop(x):
    a, items = x * 1, [x * 3]
    n = paddle.to_tensor(0)
    while n < 3:
        items.append(a)
        n += 1
    a.add_(x)
    return items[-1]


def an_item_of_a_list_that_grew(x):
    a = x * 1
    items = [x * 2]
    if a.sum() > 0:
        items.append(a)
    items[-1].add_(x)
    return a


def an_item_before_the_list_grows(x):
    items = [x * 1, x * 2]
    if x.sum() > 0:
        items.append(x * 3)
    first = items[0]
    items.append(x)
    first.add_(x)
    return items[0]


def one_item_twice(x):
    items = [x * 2] * 2
    if x.sum() > 0:
        items.append(x * 1)
    items[0].add_(x)
    return items[1]


def an_item_by_an_index_of_the_run(x):
    a = x * 2
    items = [a, x * 1]
    items[int(x.argmax()) % 2].add_(x)
    return a


def a_view_on_one_side(x):
    a, c = x * 1, x * 2
    if a.sum() > 0:
        c = a[:]
    a.add_(x)
    return c


def a_view_of_what_is_merged(x):
    a, c = x * 1, x * 2
    if a.sum() > 0:
        c = a
    part = c[1:]
    c = None
    a.add_(x)
    return part


def deep_in_an_object(x):
    box, a, c = Box(), x * 1, x * 2
    if a.sum() > 0:
        c = a
    box.inner = {"k": [c]}
    c = None
    a.add_(x)
    return box.inner["k"][0]


def held_outside(x):
    a, c = x.detach() * 1, x.detach() * 2
    if a.sum() > 0:
        c = a
    HELD.append(c)
    c = None
    a.add_(x)
    return a


def assigned_on_the_other_side(x):
    a, c = x * 1, x * 2
    if a.sum() > 0:
        c = a
    if x.max() > 1:
        a.add_(x)
    else:
        c = x * 5
    return c


@pytest.mark.parametrize(
    "function",
    [
        assigned_on_the_other_side,
        popped_from_a_list,
        appended_in_a_loop,
        an_item_of_a_list_that_grew,
        an_item_before_the_list_grows,
        one_item_twice,
        an_item_by_an_index_of_the_run,
        a_view_on_one_side,
        a_view_of_what_is_merged,
        deep_in_an_object,
        held_outside,
    ],
    ids=lambda f: f.__name__,
)
def test_what_may_have_changed_is_not_used(function):
    told = r"changed in place that may be the same as it(.|\n)*it is changed at .*test_perhaps"
    with pytest.raises(ConversionError, match=told) as caught:
        to_static(function)(tensor(1.0, 2.0, 3.0))
    assert "clone" in caught.value.cure


def changed_on_one_side_only(x):
    a, c = x * 1, x * 2
    if a.sum() > 0:
        c = a
    if x.max() > 1:
        a.add_(x)
    else:
        a = a + c
    return a


def changed_where_the_other_is_not_used(x):
    a, c = x * 1, x * 2
    if a.sum() > 0:
        c = a
    d = c * 3
    a.add_(x)
    return a + d


def changed_and_assigned_in_a_branch_of_a_loop(x):
    h, g = x * 1, x * 2
    n = paddle.to_tensor(0)
    while n < 3:
        if h.sum() > 0:
            g = g * 2
        else:
            h = h + 1
        h[0] = g[1]
        n += 1
    return h + g


def a_stacked_list(x):
    items = [x * 1]
    if x.sum() > 0:
        items.append(x * 2)
    whole, joined = paddle.stack(items), paddle.concat(items)
    whole.add_(paddle.ones([3]))
    joined[:2] = 7.0
    return items[0], whole[0], joined[:3]


@pytest.mark.parametrize(
    "function",
    [
        changed_on_one_side_only,
        changed_where_the_other_is_not_used,
        changed_and_assigned_in_a_branch_of_a_loop,
        a_stacked_list,
    ],
    ids=lambda f: f.__name__,
)
def test_what_nobody_else_uses_may_change(function, capsys):
    assert_same(function, capsys, INPUTS, specs=(None,))


def in_a_dict_of_an_object(items, other):
    box = Box()
    box.inner = {"k": (other,)}
    return lambda: box.inner["k"][0]


def in_a_default(items, other):
    return lambda held=other: held


def in_a_partial(items, other):
    return functools.partial(list.copy, other)


@pytest.mark.parametrize(
    "hide", [in_a_dict_of_an_object, in_a_default, in_a_partial], ids=lambda f: f.__name__
)
def test_a_list_that_may_be_another_is_not_changed_wherever_that_stands(hide):
    def function(x):
        items, other = [x], [x * 2]
        if x.sum() > 0:
            other = items
        get = hide(items, other)
        other = None
        items.append(x * 3)
        return get()[-1]

    with pytest.raises(ConversionError, match="changed in place that may be the same as a part of"):
        to_static(function)(tensor(1.0, 2.0, 3.0))


def by_an_index(x):
    items = [x * 1, x * 2]
    with paddle.no_grad():
        found = items[int((x * 0).sum())]
    return found * 1


def appended(x):
    items = [x * 1, x * 2]
    with paddle.no_grad():
        if x.sum() > 0:
            items.append(items[0])
        items.append(items[1])
        items[0] = items[1]
        last = items.pop()
    return items[-1] * 2 + items[0] + last


def in_iterations(x):
    items, n = [x * 1], paddle.to_tensor(0)
    with paddle.no_grad():
        while n < 3:
            items.append(items[0])
            n += 1
    return items[0] + items[-1] * 2


@pytest.mark.parametrize(
    "function", [by_an_index, appended, in_iterations], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("values", INPUTS)
def test_lists_keep_gradients_where_none_are_recorded(function, values):
    found = []
    for f in (function, to_static(function)):
        x = paddle.to_tensor(values, stop_gradient=False)
        f(x).sum().backward()
        found.append(x.grad.tolist())
    assert found[0] == found[1]
