"""Functions that may be refused: what they do has no Program, or has one in part only."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

import twinoar as paddle
from tests.jit.matrix.case import Given, given, number

FUNCTIONS: list[tuple[Callable, tuple[Given, ...]]] = []
SIGNS = (given([1.0, 2.0]), given([-1.0, -2.0]))
COUNTS = (given([1.0], number(0)), given([1.0], number(3)))


def calls(*inputs: Given) -> Callable[[Callable], Callable]:
    """Add what the factory makes to the list."""

    def add(factory: Callable) -> Callable:
        FUNCTIONS.append((factory, inputs))
        return factory

    return add


def each(*inputs: Given) -> Callable[[Callable], Callable]:
    """Add the function to the list."""

    def add(function: Callable) -> Callable:
        def factory() -> Callable:
            return function

        factory.__name__ = function.__name__
        FUNCTIONS.append((factory, inputs))
        return function

    return add


@each(*COUNTS)
def none_before_a_loop(x, n):
    best = None
    for i in range(n):
        best = x * i if best is None else best + x
    return x if best is None else best


@each(*COUNTS)
def dtype_changes_in_a_loop(x, n):
    k = n
    while n > 0:
        k = k * 0.5
        n = n - 1
    return x * k


@each(*COUNTS)
def shape_grows_in_a_loop(x, n):
    y = x
    for _ in range(n):
        y = paddle.concat([y, x])
    return y


@each(*SIGNS)
def none_on_one_side(x):
    found = None
    if x.sum() > 0:
        found = x * 2
    if found is not None:
        return found
    return x


@each(*SIGNS)
def text_on_each_side(x):
    name = "plus" if x.sum() > 0 else "minus"
    return x * len(name)


@each(*SIGNS)
def shape_differs_between_sides(x):
    if x.sum() > 0:
        y = x
    else:
        y = paddle.concat([x, x])
    return y.sum(), y


@each(*SIGNS)
def rank_differs_between_sides(x):
    if x.sum() > 0:
        y = x
    else:
        y = x.sum()
    return y * 2


@each(*SIGNS)
def dtype_differs_between_sides(x):
    y = x if x.sum() > 0 else x.astype("int64")
    return y + 1


@each(*SIGNS)
def born_on_one_side_only(x):
    if x.sum() > 0:
        y = x * 2
    return y


@each(*SIGNS)
def returns_nothing_on_one_side(x):
    if x.sum() > 0:
        return x * 2
    return None


@each(*SIGNS)
def returns_more_on_one_side(x):
    if x.sum() > 0:
        return x, x
    return x


@each(*SIGNS)
def numpy_in_the_middle(x):
    values = np.square(x.numpy())
    return x * paddle.to_tensor(values)


@each(*SIGNS)
def list_of_numbers_of_a_tensor(x):
    return x * sum(x.tolist())


@each(*SIGNS)
def function_chosen_by_a_tensor(x):
    function = paddle.tanh if x.sum() > 0 else paddle.exp
    return function(x)


@each(*SIGNS)
def generator_with_a_tensor_test(x):
    def parts():
        for i in range(3):
            if x.sum() > i:
                yield x * i

    return sum(parts()) + x


@each(*SIGNS)
def sorted_tensors(x):
    ordered = sorted([x.sum(), x.max(), x.min()], key=lambda t: -t)
    return paddle.stack(ordered)


@each(given([3.0]), given([0.0]))
def recursion_on_a_tensor(x):
    if x < 0.5:
        return x
    return recursion_on_a_tensor(x - 1) * 2


@each(given([1.0, 1.0]), given([2.0, 3.0]))
def match_on_a_tensor(x):
    match int(x[0]):
        case 1:
            return x * 10
        case _:
            return x


@each(*SIGNS)
def membership_of_a_tensor(x):
    total = x.sum()
    if total in [3.0, 4.0]:
        x = x * 2
    return x


@each(*SIGNS)
def dictionary_by_a_tensor(x):
    table = {3: 1.0, -3: 2.0}
    return x * table[int(x.sum())]


@each(*SIGNS)
def list_by_a_tensor(x):
    factors = [1.0, 2.0, 3.0]
    return x * factors[int(x.argmax())]


@each(*SIGNS)
def length_depends_on_a_tensor(x):
    parts = [x]
    if x.sum() > 0:
        parts.append(x * 2)
    return paddle.stack(parts).sum(axis=0) * len(parts)


@each(*SIGNS)
def key_depends_on_a_tensor(x):
    table = {"a": x}
    if x.sum() > 0:
        table["b"] = x * 2
    total = x
    for value in table.values():
        total = total + value
    return total


@each(*SIGNS)
def predicate_becomes_a_tensor(x):
    going = True
    steps = 0
    while going:
        x = x + 1
        steps += 1
        going = x.sum() < 8
    return x * steps


@each(*SIGNS)
def test_of_several_elements(x):
    if x > 0:
        x = x * 2
    return x


@each(*SIGNS)
def raise_in_a_tensor_branch(x):
    if x.sum() < 0:
        raise ValueError("negative")
    return x * 2


@each(*SIGNS)
def try_around_a_tensor_error(x):
    try:
        y = x.reshape([3])
    except Exception:
        y = x * 2
    return y


@each(*SIGNS)
def try_with_return_in_a_tensor_branch(x):
    try:
        if x.sum() > 0:
            return x * 2
        x = x + 1
    finally:
        pass
    return x


@each(*SIGNS)
def with_and_return_in_a_tensor_branch(x):
    with paddle.no_grad():
        if x.sum() > 0:
            return x * 2
    return x * 3


@each(*SIGNS)
def formatted_tensor_returned(x):
    name = f"{float(x.sum()):.1f}"
    return x * len(name)


@each(*SIGNS)
def random_of_python(x):
    random.seed(1)
    return x * random.choice([2.0, 2.0])


@each(*SIGNS)
def identity_of_tensors(x):
    y = x if x.sum() > 0 else x * 2
    if y is x:
        return x * 10
    return y


@each(*SIGNS)
def global_in_a_tensor_branch(x):
    global seen
    seen = 0.0
    if x.sum() > 0:
        seen = seen + 1
    return x * seen


seen = 0.0


@each(*COUNTS)
def iterator_consumed_in_a_tensor_loop(x, n):
    factors = iter([2.0, 3.0, 5.0, 7.0])
    while n > 0:
        x = x * next(factors)
        n = n - 1
    return x


@each(*COUNTS)
def list_indexed_by_a_loop_counter(x, n):
    factors = [2.0, 3.0, 5.0, 7.0]
    for i in range(n):
        x = x * factors[i]
    return x


@each(*COUNTS)
def text_grows_in_a_loop(x, n):
    text = ""
    while n > 0:
        text = text + "a"
        n = n - 1
    return x * len(text)


@each(*COUNTS)
def closures_made_in_a_tensor_loop(x, n):
    functions = []
    for i in range(n):
        functions.append(lambda v: v + i)  # noqa: B023
    for function in functions:
        x = function(x)
    return x


@each(*COUNTS)
def layer_list_by_a_tensor_index(x, n):
    functions = [paddle.tanh, paddle.exp, paddle.abs, paddle.sin]
    return functions[int(n)](x)


@each(*COUNTS)
def number_of_a_tensor_as_a_size(x, n):
    k = int(n) + 1
    return paddle.ones([k, 2]) * x


@each(*COUNTS)
def pop_in_a_tensor_loop(x, n):
    stack = [x, x * 2, x * 3, x * 4]
    while n > 0:
        x = x + stack.pop()
        n = n - 1
    return x * len(stack)


@calls(*SIGNS, *SIGNS)
def list_outside_in_a_tensor_branch():
    log = []

    def function(x):
        if x.sum() > 0:
            log.append(1)
        return x * len(log)

    return function


@calls(*SIGNS, *SIGNS)
def counter_outside_in_a_tensor_branch():
    count = 0

    def function(x):
        nonlocal count
        if x.sum() > 0:
            count += 1
        return x * count

    return function


@calls(*SIGNS, *SIGNS)
def attribute_outside_in_a_tensor_loop():
    class Counter:
        steps = 0

    counter = Counter()

    def function(x):
        while x.sum() < 5:
            counter.steps += 1
            x = x + 1
        return x * counter.steps

    return function


@calls(*SIGNS, *SIGNS)
def iterator_outside():
    source = iter([1.0, 2.0, 3.0, 4.0])

    def function(x):
        return x * next(source)

    return function


@calls(*SIGNS, *SIGNS)
def generator_of_random_numbers_outside():
    numbers = random.Random(4)

    def function(x):
        return x * numbers.randint(0, 100)

    return function


@calls(*SIGNS, *SIGNS)
def set_outside():
    seen = set()

    def function(x):
        seen.add(len(seen))
        return x * len(seen)

    return function


@calls(*SIGNS, *SIGNS)
def list_of_tensors_outside():
    history = []

    def function(x):
        history.append(x * 2)
        return sum(history)

    return function


@calls(*SIGNS, *SIGNS)
def plain_list_changed_between_calls():
    class Box:
        def __init__(self):
            self.factors = [1.0]

    box = Box()

    def function(x):
        y = x * box.factors[0]
        box.factors[0] = box.factors[0] + 1
        return y

    return function
