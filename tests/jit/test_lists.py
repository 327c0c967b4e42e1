"""Lists in converted code that grow and shrink as tensors decide."""

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.test_control_flow import INPUTS, compare, tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static
from twinoar.static import InputSpec


def append_in_a_while(x):
    found = []
    n = paddle.to_tensor(0)
    while n < 3:
        x = x * 2
        found.append(x)
        n = n + 1
    return paddle.stack(found)


def append_over_a_tensor_range(x):
    found = [x]
    for i in range(x.abs().sum().astype("int64") % 4):
        found.append(found[-1] + i)
    return paddle.concat(found, axis=-1)


def append_where_a_tensor_decides(x):
    found = [x * 0]
    for i in range(4):
        if (x * i).sum() > 3:
            found.append(x * i)
    return paddle.stack(found, axis=1)


def append_and_pop(x):
    waiting = [x, x + 1]
    total = x * 0
    n = paddle.to_tensor(0)
    while waiting:
        last = waiting.pop()
        total = total + last
        if n < 2:
            waiting.append(last * 0.5)
        n = n + 1
    return total


def numbers_in_a_list(x):
    steps = []
    while x.abs().sum() < 40:
        steps.append(len(steps))
        x = x * 2 + 1
    total = 0
    for step in steps:
        total = total + step
    return x + total


def item_assignment_and_pop_in_front(x):
    held = []
    n = paddle.to_tensor(0)
    while n < 4:
        held.append(x + n.astype("float32"))
        n = n + 1
    held[1] = x * 10
    first = held.pop(0)
    return held[0] + held[-1] * first


def iteration_over_what_has_grown(x):
    held = []
    n = paddle.to_tensor(0)
    while n < 3:
        held.append(x * n.astype("float32"))
        n = n + 1
    total = x * 0
    for i, each in enumerate(held):
        total = total + each * (i + 1)
    return total


def tensor_index_into_a_plain_list(x):
    choices = [x, x * 2, x * 3]
    n = x.abs().sum().astype("int64") % 3
    return choices[int(n)]


class Record:
    """Something that an iteration or a branch makes and changes."""


def made_and_changed_in_every_iteration(x):
    n = paddle.to_tensor(0)
    while n < 3:
        row, record, by_name = [x, x * 2], Record(), {}
        row[0] = row[1] + n
        row.append(x)
        record.value = sum(row)
        by_name["value"] = record.value
        x = by_name["value"]
        n = n + 1
    return x


def rebound_and_changed_in_every_iteration(x):
    pair = [x, x]
    n = paddle.to_tensor(0)
    while n < 3:
        pair = [pair[0] + 1, pair[1]]
        pair[0] = pair[0] * 2
        n = n + 1
    return pair[0] + pair[1]


def made_and_changed_on_one_side(x):
    if x.sum() > 0:
        row = [x]
        row.append(x * 2)
        y = sum(row)
    else:
        record, by_name = Record(), {}
        by_name["value"] = x * 3
        record.value = by_name["value"]
        y = record.value
    return y


FUNCTIONS = [
    append_in_a_while, append_over_a_tensor_range, append_where_a_tensor_decides, append_and_pop,
    numbers_in_a_list, item_assignment_and_pop_in_front, iteration_over_what_has_grown,
    tensor_index_into_a_plain_list,
    made_and_changed_in_every_iteration,
    rebound_and_changed_in_every_iteration,
    made_and_changed_on_one_side,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_lists_give_what_python_gives(function):
    static = to_static(function)
    for values in INPUTS:
        compare(function, static, values)
    assert len(static.program_cache) == 1


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_lists_serve_all_sizes(function):
    static = to_static(function, input_spec=[InputSpec([None], "float32")])
    for values in [*INPUTS, (2.0,), (1.0, -1.0)]:
        found, expected = static(tensor(*values)), function(tensor(*values))
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)


def test_a_list_of_unknown_length_is_not_returned():
    @to_static
    def grow(x):
        found = []
        n = paddle.to_tensor(0)
        while n < 2:
            found.append(x)
            n = n + 1
        return found

    with pytest.raises(ConversionError, match="as many items as a tensor decides"):
        grow(tensor(1.0))


def test_an_item_of_another_kind_is_refused():
    @to_static
    def grow(x):
        found = [x]
        n = paddle.to_tensor(0)
        while n < 2:
            found.append(x.reshape([1, -1]))
            n = n + 1
        return paddle.stack(found)

    with pytest.raises(ConversionError, match="list of 2 after an iteration"):
        grow(tensor(1.0))


def test_what_a_stack_cannot_do_is_refused():
    @to_static
    def grow(x):
        found = []
        n = paddle.to_tensor(0)
        while n < 2:
            found.append(x)
            n = n + 1
        found.reverse()
        return found[0]

    with pytest.raises(ConversionError, match="as many items as a tensor decides"):
        grow(tensor(1.0))
