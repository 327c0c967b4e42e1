"""`if`, `elif`, `else` and the conditional expression."""

import twinoar as paddle
from tests.jit.matrix.case import case, case_of_new, given, number

SIGNS = ([1.0, 2.0], [-1.0, -2.0], [0.0, 0.0])


@case(*SIGNS)
def both_sides(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y


@case(*SIGNS)
def without_else(x):
    y = x
    if x.mean() > 0:
        y = y * y
    return y + 1


@case([1.0], [5.0], [-3.0], [-30.0], [0.0])
def chain(x):
    if x > 3:
        y = x * 3
    elif x > 0:
        y = x * 2
    elif x < -10:
        y = x / 2
    else:
        y = x - 7
    return y


@case([1.0, 3.0], [1.0, 1.0], [-1.0, -3.0], [-1.0, 0.5])
def nested(x):
    if x.sum() > 0:
        if x.max() > 2:
            y = x * 3
        else:
            y = x * 2
    else:
        if x.min() < -2:
            y = -x
        else:
            y = x - 1
    return y


@case(*SIGNS)
def born_in_both(x):
    if x.sum() > 0:
        scale, shift = 2.0, x.max()
    else:
        scale, shift = 0.5, x.min()
    return x * scale + shift


@case(*SIGNS)
def born_in_one_and_used_there(x):
    if x.sum() > 0:
        y = x * 2
        x = x + y
    return x


@case(*SIGNS)
def born_in_one_and_read_under_the_same_test(x):
    positive = x.sum() > 0
    if positive:
        bonus = x * 3
    out = x + 1
    if positive:
        bonus = x * 3
        out = out + bonus
    return out


@case(*SIGNS)
def none_becomes_a_tensor_on_both_sides(x):
    best = None
    if x.sum() > 0:
        best = x.max()
    else:
        best = x.min()
    return best * 2


@case(given([1.0, 2.0], True), given([1.0, 2.0], False), given([-1.0, -2.0], False))
def plain_test_around_a_tensor_test(x, flag):
    if flag:
        if x.sum() > 0:
            return x * 10
    y = x
    if not flag:
        if x.sum() < 0:
            y = x * 20
    return y


@case(given([1.0], None), given([1.0], [2.0]), given([-1.0], [2.0]))
def optional_tensor(x, bias):
    if bias is None:
        y = x
    else:
        y = x + bias
        if y < 2:
            y = y - bias * 3
    return y


@case(*SIGNS)
def same_plain_value_on_both_sides(x):
    if x.sum() > 0:
        y, axis = x * 2, 0
    else:
        y, axis = x, 0
    return y.sum(axis=axis)


@case(*SIGNS)
def number_on_each_side(x):
    if x.sum() > 0:
        factor = 3
    else:
        factor = 4
    return x * factor


@case(*SIGNS)
def int_on_one_side_float_in_the_tensor(x):
    k = 1.0
    if x.sum() > 0:
        k = x.max() + 1
    return x * k


@case(*SIGNS)
def conditional_expression(x):
    return x * 2 if x.sum() > 0 else x - 1


@case([1.0], [-1.0], [5.0])
def nested_conditional_expression(x):
    y = x * 2 if x > 0 else x - 1 if x < -0.5 else x
    return (y if y < 5 else y / 2) + (1 if x > 2 else 0)


@case(*SIGNS)
def conditional_expression_as_argument(x):
    return paddle.maximum(x if x.sum() > 0 else -x, (x + 1) if x.max() > 1 else x)


@case(given([1.0, 2.0], number(1)), given([1.0, 2.0], number(0)), given([1.0, 2.0], number(-3)))
def test_is_an_integer_tensor(x, n):
    if n:
        y = x + n
    else:
        y = x * 5
    return y


@case(given([1.0], [True]), given([1.0], [False]))
def test_is_a_boolean_tensor(x, flag):
    if flag:
        x = x * 2
    if not flag:
        x = x * 3
    return x


@case(*SIGNS)
def structure_on_each_side(x):
    if x.sum() > 0:
        pair = (x, x * 2)
    else:
        pair = (-x, x * 3)
    a, b = pair
    return a + b


@case(*SIGNS)
def dict_on_each_side(x):
    if x.sum() > 0:
        found = {"a": x, "b": x + 1}
    else:
        found = {"a": x * 2, "b": x - 1}
    return found["a"] * found["b"]


@case(*SIGNS)
def only_pass(x):
    if x.sum() > 0:
        pass
    else:
        x = x * 2
    return x


@case(*SIGNS)
def swap_in_a_branch(x):
    a, b = x + 1, x * 2
    if x.sum() > 0:
        a, b = b, a
    return a - b


@case(*SIGNS)
def deleted_and_made_again(x):
    y = x * 2
    if x.sum() > 0:
        del y
        y = x * 3
    return y


@case([1.0, -2.0, 3.0], [-1.0, -2.0, -3.0], [4.0])
def isinstance_tells_the_truth_after_a_branch(x):
    value = 1.0
    if x.sum() > 0:
        value = x * 2
    else:
        value = x * 3
    if isinstance(value, paddle.Tensor):
        return value + 1
    return x


@case_of_new(*SIGNS)
def branch_reads_what_is_around_it():
    weight = paddle.to_tensor([2.0, 3.0], stop_gradient=False)

    def function(x):
        if x.sum() > 0:
            y = x * weight
        else:
            y = x - weight
        return y

    return function
