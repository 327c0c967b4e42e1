"""Converted control flow: it gives what Python gives, or says why it cannot."""

from collections import namedtuple

import numpy as np
import pytest

import twinoar as paddle
from twinoar.jit import to_static
from twinoar.static import InputSpec

Pair = namedtuple("Pair", ["low", "high"])
INPUTS = [(1.0, 2.0, 3.0), (-1.0, -2.0, 0.5), (0.25, -0.5, 0.125), (30.0, 4.0, -8.0)]


def tensor(*values, stop_gradient=True):
    return paddle.to_tensor(list(values), dtype="float32", stop_gradient=stop_gradient)


# Returns


def early_return(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


def several_returns(x):
    if x.sum() > 10:
        return x
    y = x * 3
    if y.max() < 2:
        return y - x
    if y.min() > 0:
        return y * y
    return y + 1


def nested_returns(x):
    if x.sum() > 0:
        if x.max() > 2:
            return x * 3
        y = x * 2
    else:
        y = -x
    return y + 1


def return_after_a_partly_jumping_branch(x):
    if x.sum() > 0:
        if x.max() > 5:
            return x
        n = 2
    else:
        n = 3
    return x * n


def return_in_a_loop(x):
    for i in range(5):
        if x.sum() > 10:
            return x + i
        x = x + 1
    return x * 100


def return_in_nested_loops(x):
    for i in range(3):
        for j in range(3):
            if (x * i).sum() + j > 4:
                return x * (i + 1) + j
        x = x + 0.5
    return -x


def return_in_a_while_on_a_tensor(x):
    count = paddle.to_tensor(0)
    while count < 6:
        if x.max() > 4:
            return x * 10
        x = x + 1
        count = count + 1
    return x


def return_of_a_pair(x):
    if x.sum() > 0:
        return x, x + 1
    return x * 2, x


def return_inside_with(x):
    with paddle.no_grad():
        if x.sum() > 0:
            return x * 1.0 + (x.detach() * 2)
    return x


def return_inside_try(x):
    try:
        if x.sum() > 0:
            return x * 2
        y = x + 1
    finally:
        x = x - 1
    return y


# Break, continue, else


def break_out_of_range(x):
    for i in range(6):
        x = x + i
        if x.sum() > 12:
            break
    return x


def continue_in_range(x):
    total = x * 0
    for i in range(4):
        if (x * i).sum() > 4:
            continue
        total = total + x * i
    return total


def continue_and_break(x):
    total = x
    for i in range(5):
        if i == 1:
            continue
        if total.sum() > 20:
            break
        if total.max() < 0:
            total = total + 5
            continue
        total = total + i
    return total


def continue_deep_inside(x):
    total = x * 0
    for i in range(4):
        if x.sum() > 0:
            if x.max() > i:
                continue
            total = total + 1
        y = x * i
        total = total + y
    return total


def else_of_a_for(x):
    for i in range(4):
        if x.sum() > i + 5:
            break
        x = x + 0.5
    else:
        x = x * 100
    return x


def else_of_a_while(x):
    n = paddle.to_tensor(0)
    while n < 3:
        if x.max() > 20:
            break
        n = n + 1
        x = x + 1
    else:
        x = -x
    return x


def endless_loop_with_a_break(x):
    while True:
        x = x + 1
        y = x * 2
        if y.sum() > 10:
            break
    return y


def break_of_a_while_on_a_tensor(x):
    i = paddle.to_tensor(0)
    while i < 10:
        i = i + 1
        if x.sum() > 20:
            break
        if i == 2:
            continue
        x = x * 1.5 + 1
    return x + i.astype("float32")


def break_out_of_a_list(x):
    for factor in [1.0, 2.0, 3.0]:
        x = x * factor
        if x.abs().sum() > 8:
            break
    return x


def break_out_of_the_inner_loop(x):
    for i in range(3):
        for j in range(4):
            if x.sum() > 6 + i:
                break
            x = x + j
        x = x - 1
    return x


def endless_loop_with_a_return(x):
    while True:
        x = x + 1
        if x.min() < 0:
            continue
        if x.sum() > 15:
            return x


def walrus_in_a_while(x):
    while (total := x.abs().sum()) < 20:
        x = x * 2 + 1
    return x + total


def try_in_a_loop(x):
    for _ in range(3):
        try:
            if x.sum() > 4:
                break
            x = x + 1
        except ValueError:
            continue
        else:
            x = x * 2
        finally:
            x = x + 0.25
    return x


# Branches


def born_in_both(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y


def plain_numbers_that_agree(x):
    if x.sum() > 0:
        n, y = 3, x
    else:
        n, y = 3, -x
    return y * [0, 1, 2, 3][n]


def whole_numbers_that_differ(x):
    n = 1
    if x.sum() > 0:
        n = 4
    return x * n + n // 2


def fractions_that_differ(x):
    if x.sum() > 0:
        scale = 0.1
    else:
        scale = 0.3
    return x.astype("float64") * scale


def number_or_tensor(x):
    penalty = 0
    if x.sum() > 0:
        penalty = x.max()
    return x + penalty


def truths_that_differ(x):
    big = False
    if x.sum() > 3:
        big = True
    if big:
        x = x * 10
    return x


def structures(x):
    if x.sum() > 0:
        state = {"pair": Pair(x, x + 1), "rest": [x * 2, (x, 1)]}
    else:
        state = {"pair": Pair(-x, x), "rest": [x, (x * 3, 1)]}
    return state["pair"].low + state["pair"].high * state["rest"][0] + state["rest"][1][0]


def chain_of_elifs(x):
    if x.sum() > 20:
        y = x
    elif x.sum() > 3:
        y = x * 2
    elif x.max() > 0:
        y = x * 3
    else:
        y = x * 4
    return y


def unused_name_of_two_types(x):
    if x.sum() > 0:
        label = "positive"
        y = x
    else:
        label = None  # noqa: F841
        y = -x
    return y


def ternaries(x):
    y = x * 2 if x.sum() > 0 else (x - 1 if x.max() > 0.2 else x)
    n = 2 if x.min() < 0 else 3
    return y * n


def ternary_of_pairs(x):
    a, b = (x, x * 2) if x.sum() > 0 else (x * 3, x)
    return a - b


def walrus(x):
    if (total := x.sum()) > 0:
        y = x * total
    else:
        y = x - total
    return y


def closure_sees_the_branch(x):
    def scaled():
        return x * factor

    factor = 1.0
    if x.sum() > 0:
        factor = x.max()
    return scaled()


def change_in_place_seen_under_another_name(x):
    y = x * 1
    z = y
    if x.sum() > 0:
        y[0] = 9.0
    return z


def dict_in_a_loop(x):
    held = {"x": x, "iterations": 0}
    while held["iterations"] < x.abs().sum():
        held["x"] = held["x"] + 1
        held["iterations"] += 1
    return held["x"]


def lambda_with_a_ternary(x):
    scale = lambda v: v * 2 if v.sum() > 0 else v  # noqa: E731
    return scale(x)


def class_inside(x):
    class Scale:
        factor = 3 if len(INPUTS) else 4

        def of(self, v):
            if v.sum() > 0:
                return v * self.factor
            return v

        @staticmethod
        def sign(v):
            return v if v.max() > 0 else -v

    return Scale().of(x) + Scale.sign(x)


def nonlocal_in_a_branch(x):
    count = x * 0

    def step():
        nonlocal count
        if x.sum() > 0:
            count = count + x
        else:
            count = count - 1

    step()
    step()
    return count


def delete_in_a_branch(x):
    y = x * 2
    if x.sum() > 0:
        z = y + 1
        x = z
        del z
    return x


def match_on_a_plain_value(x, mode="double"):
    match mode:
        case "double":
            y = x * 2
        case _:
            y = x
    if x.sum() > 0:
        return y
    return -y


def raise_that_is_not_reached(x):
    if x.sum() > 1e6:
        raise ValueError("too large")
    return x + 1


FUNCTIONS = [
    early_return, several_returns, nested_returns, return_after_a_partly_jumping_branch,
    return_in_a_loop, return_in_nested_loops, return_in_a_while_on_a_tensor, return_of_a_pair,
    return_inside_with, return_inside_try, break_out_of_range, continue_in_range,
    continue_and_break, continue_deep_inside, else_of_a_for, else_of_a_while,
    endless_loop_with_a_break, break_of_a_while_on_a_tensor, break_out_of_a_list,
    break_out_of_the_inner_loop, endless_loop_with_a_return, walrus_in_a_while, try_in_a_loop,
    change_in_place_seen_under_another_name, dict_in_a_loop, lambda_with_a_ternary, class_inside,
    born_in_both, plain_numbers_that_agree, whole_numbers_that_differ, fractions_that_differ,
    number_or_tensor, truths_that_differ, structures, chain_of_elifs, unused_name_of_two_types,
    ternaries, ternary_of_pairs, walrus, closure_sees_the_branch, nonlocal_in_a_branch,
    delete_in_a_branch, match_on_a_plain_value, raise_that_is_not_reached,
]  # fmt: skip


def leaves(x):
    return [x] if isinstance(x, paddle.Tensor) else [t for part in x for t in leaves(part)]


def summed(x):
    return sum(t.sum() for t in leaves(x))


def compare(function, static, values):
    x, y = tensor(*values, stop_gradient=False), tensor(*values, stop_gradient=False)
    expected, found = function(x), static(y)
    for a, b in zip(leaves(found), leaves(expected), strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-6)
    if all(t.stop_gradient for t in leaves(expected)):
        return
    summed(expected).backward()
    summed(found).backward()
    assert (x.grad is None) == (y.grad is None)
    if x.grad is not None:
        np.testing.assert_allclose(y.grad.numpy(), x.grad.numpy(), rtol=1e-5)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_one_program_gives_what_python_gives(function):
    static = to_static(function)
    for values in INPUTS:
        compare(function, static, values)
    assert len(static.program_cache) == 1


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_one_program_serves_all_sizes(function):
    static = to_static(function, input_spec=[InputSpec([None], "float32")])
    for values in [*INPUTS, (2.0,), (1.0, -1.0)]:
        np.testing.assert_allclose(
            np.concatenate([t.numpy().ravel() for t in leaves(static(tensor(*values)))]),
            np.concatenate([t.numpy().ravel() for t in leaves(function(tensor(*values)))]),
            rtol=1e-6,
        )
    assert len(static.program_cache) == 1
