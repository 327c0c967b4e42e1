"""Calls of functions: arguments, closures, decorators, recursion, other modules."""

from __future__ import annotations

import functools
import math

import twinoar as paddle
from tests.jit.matrix import library
from tests.jit.matrix.case import case, case_of_new, given, number
from tests.jit.matrix.library import clipped as renamed
from twinoar.jit import not_to_static
from twinoar.nn import functional

SIGNS = ([1.0, 2.0], [-1.0, -2.0])


def helper(x, scale=2.0):
    if x.sum() > 0:
        y = x * scale
    else:
        y = x - scale
    return y


def returning_early(x):
    if x.sum() > 0:
        return x * 3
    return -x


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
def user_function_that_returns_early(x):
    y = returning_early(x)
    return returning_early(y * 2) + y


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


@case(given([1.0], [2.0], flag=True), given([1.0], [2.0], flag=False))
def keyword_only(x, y, *, flag):
    if flag and x < y:
        return y
    return x


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
def closure(x):
    factor = x.max()

    def scaled(v):
        if v.sum() > 0:
            return v * factor
        return v + factor

    return scaled(x) + scaled(-x)


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


@case(*SIGNS)
def nonlocal_in_a_branch(x):
    total = x * 0

    def note(v):
        nonlocal total
        if v.sum() > 0:
            total = total + v
        else:
            total = total - v * 2

    note(x)
    note(x + 1)
    return total


def doubled(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2

    return wrapper


def repeated(times):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(x):
            for _ in range(times):
                x = function(x)
            return x

        return wrapper

    return decorate


@doubled
@repeated(3)
def decorated(x):
    if x.sum() > 4:
        return x - 3
    return x + 2


@case(*SIGNS)
def calls_a_decorated_function(x):
    return decorated(x) + 1


@case(*SIGNS)
@doubled
def is_decorated(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


def power(x, n):
    if n == 0:
        return paddle.ones_like(x)
    if n % 2:
        return x * power(x, n - 1)
    half = power(x, n // 2)
    return half * half


@case(given([1.0, 2.0], 5), given([1.5, -2.0], 0))
def recursion(x, n):
    return power(x, n)


def tree_sum(node):
    if isinstance(node, (list, tuple)):
        return sum(tree_sum(child) for child in node)
    if node.sum() > 0:
        return node
    return node * 10


@case(*SIGNS)
def recursion_over_a_tree(x):
    return tree_sum([x, [x * 2, (-x, [x + 1])], x - 3])


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@case(given([1.0], 4), given([1.0], 7))
def mutual_recursion(x, n):
    return x * 2 if is_even(n) else x * 3


@case(*SIGNS)
def functions_of_other_modules(x):
    return library.absolute(x) + renamed(x, high=1.5) + functional.relu(x) * math.sqrt(2.0)


@case(*SIGNS)
def partial(x):
    half = functools.partial(helper, scale=0.5)
    third = functools.partial(half, x * 2)
    return half(x) + third()


@case(*SIGNS)
def functions_in_containers(x):
    table = {"double": lambda v: v * 2, "help": helper, "tanh": paddle.tanh}
    for name in ("double", "help"):
        x = table[name](x)
    for function in [returning_early, paddle.exp]:
        x = function(x * 0.1)
    return x


@case(*SIGNS)
def functions_as_arguments(x):
    def twice(function, v):
        return function(function(v))

    return twice(helper, x) + twice(lambda v: v + 1, x)


@case(*SIGNS)
def map_and_filter(x):
    parts = list(map(helper, [x, -x]))
    kept = list(filter(lambda n: n > 1, [1, 2, 3]))
    return parts[0] + parts[1] * sum(kept) + functools.reduce(lambda a, b: a * b, [x, x, x])


@not_to_static
def left_alone(x):
    return x * 4


@case(*SIGNS)
def calls_what_is_not_converted(x):
    if x.sum() > 0:
        return left_alone(x)
    return left_alone(x) + left_alone(1)


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


@case(given([2.0], number(3)), given([2.0], number(0)))
def user_function_in_a_tensor_loop(x, n):
    for _ in range(n):
        x = returning_early(x) - 4
    return x


@case_of_new(*SIGNS)
def made_by_a_factory():
    def make(scale):
        weight = paddle.to_tensor([scale, scale + 1], stop_gradient=False)

        def apply(x):
            if x.sum() > 0:
                return x * weight
            return x + weight

        return apply

    inner = make(3.0)

    def function(x):
        return inner(x) + make(1.0)(x)

    return function


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
