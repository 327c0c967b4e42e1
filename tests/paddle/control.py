"""Functions with branches and loops that depend on a tensor x [N,3], to be saved and run."""

# ruff: noqa: SIM108  # statements are what is saved here
from __future__ import annotations

from typing import Any

import numpy as np

import twinoar as paddle
from twinoar import nn

INPUTS = [
    np.array([[1, 2, 3], [0.5, -1, 2]], "float32"),
    np.array([[-1, -2, -3], [-0.5, 1, -2]], "float32"),
    np.array([[0.1, 0.2, -0.3]], "float32"),
    np.array([[40, 2, 3], [0.5, -1, 2], [1, 1, 1]], "float32"),
]


class Net(nn.Layer):
    """A parameter, and a buffer that is a constant of the Program."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.register_buffer("table", paddle.arange(12.0).reshape([4, 3]))


paddle.seed(1)
NET = Net()
SHIFT = paddle.to_tensor([1.0, 2.0, 3.0])


def reads_parameters_and_constants_in_a_branch(x: Any) -> Any:
    if x.sum() > 0:
        y = NET.linear(x) * SHIFT
    else:
        y = x - SHIFT
    return y


def branch_in_a_branch(x: Any) -> Any:
    if x.sum() > 0:
        if x.max() > 1:
            y = x * 2
        else:
            y = x * 3
        y = y + 1
    else:
        y = -x
    return y


def reads_parameters_in_a_loop(x: Any) -> Any:
    i = paddle.zeros([], "int64")
    while i < 3:
        x = NET.linear(x) + SHIFT
        i = i + 1
    return x


def data_decides_how_often(x: Any) -> Any:
    iterations = 0
    while x.sum() < 30:
        x = x.abs() + 1
        iterations += 1
    return x * iterations


def branch_in_a_loop_in_a_loop(x: Any) -> Any:
    i = paddle.zeros([], "int64")
    total = paddle.zeros_like(x)
    while i < 3:
        j = paddle.zeros([], "int64")
        while j < i + 1:
            if (i + j) % 2 == 0:
                total = total + x * j.astype("float32")
            else:
                total = total - x
            j = j + 1
        i = i + 1
    return total


def range_over_a_size(x: Any) -> Any:
    total = paddle.zeros([3])
    for i in range(x.shape[0]):
        total = total + x[i] * i
    return total


def values_change_places(x: Any) -> Any:
    a, b = x, x * 2
    i = paddle.zeros([], "int64")
    while i < 3:
        a, b = b, a
        i = i + 1
    return a - b * 0.5


def grows(x: Any) -> Any:
    y = x[:1]
    while paddle.shape(y)[0] < 5:
        y = paddle.concat([y, y[-1:] * 2])
    return y


def its_own_size_ends_it(x: Any) -> Any:
    while x.shape[0] < 7:
        x = paddle.concat([x, x[-1:] * 2])
    return x * x.shape[0]


def grows_by_what_the_data_says(x: Any) -> Any:
    y = paddle.zeros([1, 3])
    i = paddle.zeros([], "int64")
    while i < x.shape[0] * 2:
        if i % 2 == 0:
            y = paddle.concat([y, x[:1]])
        else:
            y = paddle.concat([y, x, x])
        i = i + 1
    return y


def appends_to_a_list(x: Any) -> Any:
    found = []
    for i in range(x.shape[0]):
        found.append(x[i] * 2)
    return paddle.stack(found)


def size_that_nothing_in_the_loop_has(x: Any) -> Any:
    i = paddle.zeros([], "int64")
    total = paddle.zeros([])
    while i < 2:
        total = total + paddle.ones([x.shape[0], 2]).sum()
        i = i + 1
    return total + x.sum()


def breaks(x: Any) -> Any:
    i = paddle.zeros([], "int64")
    while i < 10:
        x = x + 1
        if x.sum() > 20:
            break
        i = i + 1
    return x * i.astype("float32")


def returns_early(x: Any) -> Any:
    if x.sum() > 0:
        return x * 2
    x = x - 1
    if x.sum() < -10:
        return x * 3
    return x


def carries_integers_and_truths(x: Any) -> Any:
    going = x.sum() > 0
    n = paddle.full([], 3, "int32")
    while going:
        n = n - 1
        going = paddle.logical_and(going, n > 0)
        x = x + n.astype("float32")
    return x, n


def one_side_returns_what_it_was_given(x: Any) -> Any:
    if x.sum() > 0:
        y = x
    else:
        y = SHIFT + x * 0
    return y


def prints_and_asserts(x: Any) -> Any:
    if x.sum() > 0:
        print("positive", x)
    else:
        print("negative")
    while x.sum() < 10:
        x = x.abs() + 1
    assert x.sum() > -100, "too small"
    return x


def chooses_by_and_and_not(x: Any) -> Any:
    return (x * 2 if x.sum() > 0 and x.max() < 9 else x - 1) if not x.min() > 5 else x


def sets_elements(x: Any) -> Any:
    y = x * 1
    i = paddle.zeros([], "int64")
    while i < 2:
        y[0] = y[0] + 1
        i = i + 1
    return y


def changes_in_place(x: Any) -> Any:
    y = x * 1
    if x.sum() > 0:
        y.add_(SHIFT)
    i = paddle.zeros([], "int64")
    while i < 2:
        y.scale_(2.0)
        i = i + 1
    return y


def gathers_from_a_table(x: Any) -> Any:
    if x.sum() > 0:
        y = paddle.gather(NET.table, (x[0] > 0).astype("int64"))
    else:
        y = NET.table[:3] * 2
    return y


def counts_rows(x: Any) -> Any:
    rows = paddle.arange(1, x.shape[0] + 1).astype("float32")
    if x.sum() > 0:
        rows = rows + paddle.arange(x.shape[0], dtype="float32")
    return x * rows.unsqueeze(-1)


def slices_by_what_the_data_says(x: Any) -> Any:
    n = (x.max() > 2).astype("int64") - 1
    i = paddle.zeros([], "int64")
    total = x[n:].sum() + x[: n + 2, 1:].sum() * 3 + x[::-1][n + 1 : 4 * n + 9].sum() * 5
    while i < 3:
        total = total + x[: i + 1].sum() + x[-i:][:, i::-1].sum() * 7
        i = i + 1
    return total


def fills_up_to_a_multiple(x: Any) -> Any:
    missing = -x.shape[0] % 4
    if missing > 0:
        x = paddle.concat([x, paddle.zeros([missing, 3])])
    return x.reshape([-1, 4, 3]) * max(missing, 2)


def counts_what_is_chosen(x: Any) -> Any:
    chosen = x[x > -0.25]
    return x * paddle.ones([chosen.shape[0], 1, 1]).sum() * (chosen.shape[0] % 3)


FUNCTIONS = [
    reads_parameters_and_constants_in_a_branch, branch_in_a_branch, reads_parameters_in_a_loop,
    data_decides_how_often, branch_in_a_loop_in_a_loop, range_over_a_size, values_change_places,
    grows, its_own_size_ends_it, grows_by_what_the_data_says, appends_to_a_list,
    size_that_nothing_in_the_loop_has, breaks, returns_early, carries_integers_and_truths,
    one_side_returns_what_it_was_given, prints_and_asserts, chooses_by_and_and_not, sets_elements,
    changes_in_place, gathers_from_a_table, counts_rows, slices_by_what_the_data_says,
    fills_up_to_a_multiple, counts_what_is_chosen,
]  # fmt: skip
