"""Calls of functions: arguments, closures, decorators, recursion, other modules."""

from __future__ import annotations

import functools

import twinoar as paddle
from tests.jit.matrix.case import case, given

SIGNS = ([1.0, 2.0], [-1.0, -2.0])


def helper(x, scale=2.0):
    if x.sum() > 0:
        y = x * scale
    else:
        y = x - scale
    return y


def collect(*args, scale=1.0, **kwargs):
    total = args[0] * scale
    for arg in args[1:]:
        if arg.sum() > 0:
            total = total + arg
    for name, value in kwargs.items():
        total = total + value * len(name)
    return total


@case(*SIGNS)
def user_function(x):
    return helper(x) + helper(x + 1, 3.0) * helper(x, scale=0.5)


@case(*SIGNS)
def star_arguments(x):
    parts = [x, x * 2]
    options = {"scale": 3.0, "bias": x}
    return collect(*parts, x + 1, **options)


@case(given([1.0, 2.0], [3.0, 4.0], scale=2.0), given([1.0, 2.0], [-3.0, 1.0]),
      given([1.0, 2.0]))  # fmt: skip
def default_arguments(x, y=None, scale=1.5):
    if y is None:
        return x * scale
    if y.sum() > 0:
        x = x + y
    return x * scale


@case(given([1.0], [2.0]), given([1.0], [2.0], [-3.0]))
def any_number_of_tensors(*xs):
    total = paddle.zeros([1])
    for x in xs:
        if x > 0:
            total = total + x
    return total


@case(*SIGNS)
def lambdas(x):
    double = lambda v: v * 2  # noqa: E731
    choose = lambda v: v * 3 if v.sum() > 0 else v - 1  # noqa: E731
    return (lambda a, b=1.0: a + b)(double(x)) + choose(x)


@case(*SIGNS)
def closure_over_a_name_that_changes(x):
    k = 1

    def add(v):
        return v + k

    y = add(x)
    k = 10
    if x.sum() > 0:
        y = add(y)
    return y


@case(*SIGNS)
def nonlocal_in_plain_code(x):
    count = 0

    def step(v):
        nonlocal count
        count += 1
        return v * count

    for _ in range(3):
        x = step(x)
    return x + count


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@case(given([1.0], 4), given([1.0], 7))
def mutual_recursion(x, n):
    return x * 2 if is_even(n) else x * 3


@case(*SIGNS)
def partial(x):
    half = functools.partial(helper, scale=0.5)
    third = functools.partial(half, x * 2)
    return half(x) + third()


@case(*SIGNS)
def functions_as_arguments(x):
    def twice(function, v):
        return function(function(v))

    return twice(helper, x) + twice(lambda v: v + 1, x)


@case(*SIGNS)
def function_defined_in_a_branch(x):
    if x.ndim == 1:

        def scale(v):
            return v * 2

    else:

        def scale(v):
            return v * 3

    return scale(x)


@case(*SIGNS)
def inner_function_with_loops(x):
    def settle(v, limit):
        while v.sum() < limit:
            v = v + 1
        return v

    return settle(x, 5) + settle(x, limit=x.max() * 3 + 6)


@functools.lru_cache
def table_of(n):
    return [i * i for i in range(n)]


@functools.singledispatch
def described(value):
    return 1.0


@described.register
def _(value: str):
    return 2.0


@case(*SIGNS)
def cached_and_dispatched(x):
    return x * sum(table_of(4)) + described("a") - described(3)
