"""Control flow that no Program can hold: each says what, where and how to mend it."""

import itertools

import pytest

import twinoar as paddle
from tests.jit.test_control_flow import tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static


def none_in_one_branch(x):
    y = None
    if x.sum() > 0:
        y = x
    if y is None:
        return x - 1
    return y


def undefined_in_one_branch(x):
    if x.sum() > 0:
        y = None
    return x if y is None else y


def returned_though_undefined(x):
    if x.sum() > 0:
        y = x
    return y


def deleted_in_one_branch(x):
    y = x
    if x.sum() > 0:
        del y
    return y


def two_dtypes(x):
    if x.sum() > 0:
        y = x
    else:
        y = x.astype("int64")
    return y


def two_ranks(x):
    if x.sum() > 0:
        y = x
    else:
        y = x.sum()
    return y + 1


def two_types_in_a_ternary(x):
    return x if x.sum() > 0 else None


def functions_born_in_branches(x):
    if x.sum() > 0:

        def scale(v):
            return v * 2
    else:

        def scale(v):
            return v - 1

    return scale(x)


def falls_off_the_end(x):  # noqa: RET503
    if x.sum() > 0:
        return x


def two_structures(x):
    if x.sum() > 0:
        return x, x
    return x


def another_key(x):
    held = {"a": x}
    if x.sum() > 0:
        held["b"] = x * 2
    return held["a"]


def text_beside_a_tensor(x):
    if x.sum() > 0:
        return x, "big"
    return x, "small"


def text_in_a_dict_of_a_tuple(x):
    found = (x, {"size": "small"})
    if x.sum() > 0:
        found = (x, {"size": "big"})
    return found


def an_item_of_another_length(x):
    return (x, (x, x)) if x.sum() > 0 else (x, (x,))


def an_item_of_another_dtype(x):
    if x.sum() > 0:
        pair = [x, x]
    else:
        pair = [x, x.astype("int64")]
    return pair


def text_of_a_pair_grows_in_a_loop(x):
    pair = (x, "")
    while x.sum() < 100:
        x = x * 2
        pair = (x, pair[1] + "!")
    return pair


def none_before_a_loop(x):
    previous = None
    n = paddle.to_tensor(0)
    while n < 3:
        previous = x if previous is None else previous + x
        n = n + 1
    return previous


def dtype_changes_in_a_loop(x):
    y = paddle.to_tensor(1)
    while y < 3:
        y = y * 0.5
    return x * y


def rank_changes_in_a_loop(x):
    y = 0
    n = paddle.to_tensor(0)
    while n < 3:
        y = y + x
        n = n + 1
    return y


def text_grows_in_a_loop(x):
    text = ""
    n = paddle.to_tensor(0)
    while n < 3:
        text = text + "a"
        n = n + 1
    return x * len(text)


def born_in_a_while(x):
    n = paddle.to_tensor(0)
    while n < 3:
        y = x * 2
        n = n + 1
    return y


def read_before_a_iteration_assigns_it(x):
    n = paddle.to_tensor(0)
    while n < 3:
        if n > 0:
            x = x + last  # noqa: F821
        last = x * 2  # noqa: F841
        n = n + 1
    return x


def target_of_a_for_after_it(x):
    for i in range(x.sum().astype("int64")):
        x = x * i
    return x + i


def recursion(x):
    if x.sum() > 0:
        return recursion(x - 1)
    return x


def two_recursions(x):
    def fibonacci(n):
        if n <= 1:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2)

    return fibonacci(x.max())


def comprehension_that_chooses(x):
    return [row for row in x if row > 0]


def match_on_a_tensor(x):
    match x.sum():
        case 6.0:
            return x
        case _:
            return -x


def endless_plain_loop(x):
    n = 0
    while True:
        n += 1
        if n < 0:
            break
    return x


def endless_iterator(x):
    for n in itertools.count():
        if x.sum() + n > 1e9:
            break
    return x


def leaves_by_finally(x):
    try:
        y = x * 2
    finally:
        if x.sum() > 0:
            return x  # noqa: B012
    return y


def change_of_what_may_be_another(x):
    y, z = x * 1, x * 3
    if x.sum() > 0:
        w = y
    else:
        w = z
    w[0] = 100.0
    return y + z


def changed_and_assigned_in_a_loop(x):
    y = x * 1
    z = y
    n = paddle.to_tensor(0)
    while n < 2:
        y[0] = 7.0
        y = y * 2
        n = n + 1
    return z + y


def zip_of_a_list_and_unknown_rows(x):
    rows = x[x > 0]
    for a, b in zip(rows, [1, 2]):  # noqa: B905
        x = x + a * b
    return x


class Vector:
    def __init__(self, of):
        self.of = of

    def __mul__(self, factor):
        return Vector(self.of * factor)


def an_object_for_another(x):
    v = Vector(x)
    if x.sum() > 0:
        v = v * 2
    return v.of


def an_object_for_another_in_a_loop(x):
    v, n = Vector(x), paddle.to_tensor(0)
    while n < 2:
        v = v * 2
        n = n + 1
    return v.of


REFUSED = [
    (
        an_object_for_another,
        r"v is one Vector at line \d+ and another Vector before"
        r"(.|\n)*cure: let a tensor decide the attributes of one Vector",
    ),
    (an_object_for_another_in_a_loop, "one Vector before .* and another Vector after an iteration"),
    (none_in_one_branch, r"y is f32\[1\] at line \d+ and None before"),
    (undefined_in_one_branch, "y may be undefined here"),
    (returned_though_undefined, "y may be undefined here"),
    (deleted_in_one_branch, "y may be undefined here"),
    (two_dtypes, r"y is f32\[1\] at line \d+ and i64\[1\] at line \d+"),
    (two_ranks, r"y is f32\[1\] at line \d+ and f32\[\] at line \d+"),
    (two_types_in_a_ternary, r"the conditional expression is f32\[1\] .* and None"),
    (functions_born_in_branches, "scale is one function .* and another function"),
    (falls_off_the_end, r"the function returns f32\[1\] at line \d+ and None"),
    (two_structures, r"returns a tuple of 2 at line \d+ and f32\[1\] at line \d+"),
    (another_key, "a dict of 2 .* and a dict of 1 before"),
    (
        text_beside_a_tensor,
        r"item 1 of what the function returns is the text 'big' at line \d+ "
        r"and the text 'small' at line \d+(.|\n)*cure: a str cannot depend on a tensor: return",
    ),
    (
        text_in_a_dict_of_a_tuple,
        r"item 'size' of item 1 of found is the text 'big' at line \d+ and the text 'small' before"
        r"(.|\n)*cure: a str cannot depend on a tensor: keep",
    ),
    (an_item_of_another_length, r"item 1 of .* is a tuple of 2 .* and a tuple of 1"),
    (an_item_of_another_dtype, r"item 1 of pair is f32\[1\] at line \d+ and i64\[1\] at line \d+"),
    (
        text_of_a_pair_grows_in_a_loop,
        "item 1 of pair is the text '' before a loop .* and the text '!' after an iteration",
    ),
    (none_before_a_loop, r"previous is None before a loop .* and f32\[1\] after an iteration"),
    (dtype_changes_in_a_loop, r"y is i64\[\] before a loop .* and f32\[\] after an iteration"),
    (rank_changes_in_a_loop, r"y is the int 0 before a loop .* and f32\[1\] after an iteration"),
    (text_grows_in_a_loop, "text is the text '' before a loop"),
    (born_in_a_while, "y is undefined here if the loop before makes no iteration"),
    (read_before_a_iteration_assigns_it, "last is undefined here .* or in its first iteration"),
    (target_of_a_for_after_it, "i is undefined here if the loop before makes no iteration"),
    (recursion, "recursion calls itself under a condition"),
    (two_recursions, "calls itself under a condition"),
    (comprehension_that_chooses, "a comprehension chooses its items by a tensor"),
    (match_on_a_tensor, r"match is done before a run, and what it matches holds f32\[\]"),
    (endless_plain_loop, "has run 10000 times while it was traced"),
    (endless_iterator, "has run 1000 times while it was traced"),
    (leaves_by_finally, "a finally clause leaves by return, break or continue"),
    (change_of_what_may_be_another, "changed in place that may be the same as"),
    (changed_and_assigned_in_a_loop, "changed in place and then replaced by another"),
    (zip_of_a_list_and_unknown_rows, r"zip\(\) joins a tensor whose length only a run knows"),
]


@pytest.mark.parametrize(("function", "message"), REFUSED, ids=lambda x: getattr(x, "__name__", ""))
def test_what_no_program_can_hold_is_refused(function, message):
    with pytest.raises(ConversionError, match=message) as caught:
        to_static(function)(tensor(1.0))
    assert caught.value.cure
