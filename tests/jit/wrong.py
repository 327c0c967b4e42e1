"""Programs with an error each, and how `to_static` must tell of it.

A line of a function that ends with `# HERE` is the one that the message must name.
"""

from __future__ import annotations

import numpy as np

import twinoar as paddle
from twinoar import nn
from twinoar.jit import to_static

ones = paddle.ones
number = paddle.to_tensor


class Holder:
    value: object = 1


holder = Holder()
optimizer = paddle.optimizer.SGD(0.1, parameters=[paddle.create_parameter([3], "float32")])


def reshape_in_a_branch(x):
    if x.sum() > 0:
        y = paddle.reshape(x, [7, 7])  # HERE
    else:
        y = x
    return y


def undefined_in_one_branch(x):
    if x.sum() > 0:
        y = x
    return y + 1  # HERE


def dtype_differs_between_branches(x):
    if x.sum() > 0:
        y = x
    else:
        y = x.astype("int64")
    return y + 1  # HERE


def rank_differs_between_branches(x):
    if x.sum() > 0:
        y = x
    else:
        y = x.unsqueeze(0)
    return y + 1  # HERE


def structure_of_returns_differs(x):
    if x.sum() > 0:  # HERE
        return x, x
    return x


def none_before_a_loop(x):
    best = None
    while x.sum() < 100:
        x = x * 2
        best = x
    return best + 1  # HERE


def dtype_changes_over_iterations(x):
    y = paddle.zeros([3], "int64")
    while x.sum() < 100:
        x = x * 2
        y = y + x  # HERE
    return y


def born_in_a_loop_and_used_after(x):
    while x.sum() < 100:
        x = x * 2
        last = x
    return last * 2  # HERE


def born_in_a_loop_and_returned(x):
    while x.sum() < 100:
        x = x * 2
        last = x
    return last  # HERE


def attribute_of_another_type(x):
    if x.sum() > 0:  # HERE
        holder.value = x
    else:
        holder.value = "none"
    return x


def list_of_another_length(x):
    found = [x]
    if x.sum() > 0:
        found.append(x)
    return found  # HERE


def recursion_on_a_tensor(x):
    if x.sum() > 100:  # HERE
        return x
    return recursion_on_a_tensor(x * 2)


def numpy_in_the_middle(x):
    y = x * 2
    return paddle.to_tensor(y.numpy() + 1)  # HERE


def numpy_function_of_a_tensor(x):
    return np.sin(x)  # HERE


def text_of_a_tensor_as_a_key(x):
    return {str(x): x}  # HERE


def format_of_a_tensor_as_a_key(x):
    name = f"{x.sum():.2f}"
    return {name: x}  # HERE


def list_sorted_by_tensors(x):
    items = [x.sum(), x.mean()]
    items.sort()  # HERE
    return items


def dict_looked_up_by_a_tensor(x):
    table = {1: x, 2: x * 2}
    return table[int(x.sum())]  # HERE


def condition_of_three_elements(x):
    if x > 0:  # HERE
        x = x + 1
    return x


def loop_condition_of_three_elements(x):
    while x < 3:  # HERE
        x = x + 1
    return x


def shapes_that_do_not_divide(x, y):
    return x / y  # HERE


def parameter_made_while_tracing(x):
    return x * paddle.create_parameter([3], "float32")  # HERE


def layer_made_while_tracing(x):
    return nn.Linear(3, 2)(x)  # HERE


def rate_set_while_tracing(x):
    optimizer.set_lr(0.5)  # HERE
    return x


def seed_while_tracing(x):
    paddle.seed(1)  # HERE
    return x + paddle.rand([3])


def squared(x):
    return paddle.reshape(x, [2, 2])  # HERE


def shifted(x):
    return squared(x + 1)


def error_in_a_nested_call(x):
    y = shifted(x)
    return y + 1


def raise_in_a_try(x):
    try:
        if x.sum() > 0:
            raise ValueError("positive")  # HERE
    except ValueError:
        x = x * 2
    return x


def error_of_a_branch_in_a_try(x):
    try:
        if x.sum() > 0:
            y = paddle.reshape(x, [7])
        else:
            y = x * 5
    except ValueError:  # HERE
        y = x
    return y


def loop_over_a_tensor_without_dimensions(x):
    total = 0
    for v in x.sum():  # HERE
        total = total + v
    return total


def loop_that_never_ends(x):
    while True:  # HERE
        x = x + 1


def index_of_a_wrong_type(x):
    return x[0.5]  # HERE


def reshape_after_and(x):
    return x.sum() > 0 and paddle.reshape(x, [7]).sum() > 0  # HERE


def list_times_a_tensor(x):
    return [x] * x.sum()  # HERE


def text_added_to_a_tensor(x):
    return x + "a"  # HERE


# What only a run finds.


def assertion_that_fails(x):
    y = x - 5
    assert y.sum() > 0, "the sum must be positive"  # HERE
    return y


def index_out_of_range_in_a_loop(x, n):
    y = x.sum()
    for i in range(n):
        y = y + x[i]  # HERE
    return y


def product_in_a_loop(x, n):
    weight = ones([3, 4])
    for _ in range(n):
        x = x @ weight  # HERE
    return x


def gather_in_a_branch(x, n):
    if x.sum() > 0:
        y = paddle.gather(x, n)  # HERE
    else:
        y = x
    return y


# What Python itself says: its own error, at the user's line.


def raise_under_a_condition(x):
    if x.sum() > 0:
        raise ValueError("x is positive")  # HERE
    return x


def name_that_is_not_defined(x):
    if x.sum() > 0:
        y = x + undefined_name  # HERE  # noqa: F821
    else:
        y = x
    return y


def length_of(x):
    return len(3)  # HERE


def type_error_in_a_helper(x):
    y = x
    if x.sum() > 0:
        y = x * length_of(x)
    return y


def attribute_that_is_not_there(x):
    return x.summ()  # HERE


def import_of_nothing(x):
    if x.sum() > 0:
        import not_a_module  # HERE

        x = not_a_module.f(x)
    return x


def plain_index_out_of_range(x):
    return [x][3]  # HERE


def deleted_before_use(x):
    y = x
    del y
    return y  # HERE  # noqa: F821


def broken_before_a_raise(x):
    for v in [1, 0]:
        x = x * (1 / v)  # HERE
    return x


# Functions that cannot be converted at all.


def generator(x):
    yield x


async def coroutine(x):
    return x


class Generating(nn.Layer):
    def forward(self, x):
        yield x


def without_source():
    made: dict = {}
    exec("def made_of_text(x):\n    if x.sum() > 0:\n        x = x + 1\n    return x", made)
    return to_static(made["made_of_text"])
