"""Functions of plain values alone, and of their errors: converted, they are what Python says."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

FUNCTIONS: list[tuple[Callable, tuple[tuple, ...]]] = []


def plain(*calls: tuple) -> Callable[[Callable], Callable]:
    """Add the function to the list. calls: the arguments of each call."""

    def add(function: Callable) -> Callable:
        FUNCTIONS.append((function, calls))
        return function

    return add


@plain((1,), (-1,))
def unbound_after_a_branch(n):
    if n > 0:
        y = n
    return y


@plain((3,), (0,))
def unbound_after_a_loop(n):
    for i in range(n):
        last = i
    return last, i


@plain((2,), (0,))
def unbound_in_a_while(n):
    while n > 0:
        y = n
        n -= 1
    try:
        return y
    except NameError as error:
        return type(error).__name__


@plain((1,), (0,))
def names_seen_by_locals(n):
    if n:
        y = 1
    return "y" in locals()


@plain((1,), (0,))
def deleted_in_a_branch(n):
    y = 5
    if n:
        del y
    return y


@plain((4, 2), (4, 0))
def error_in_a_branch(a, b):
    if b is not None:
        c = a / b
    return c


@plain(({"a": 1}, "a"), ({"a": 1}, "b"))
def lookup_with_default(table, key):
    try:
        value = table[key]
    except KeyError as error:
        return "missing", error.args
    else:
        return value
    finally:
        table["seen"] = key


@plain((1,), (2,), (3,), (9,))
def finally_and_jumps(n):
    log = []
    for i in range(5):
        try:
            if i == n:
                break
            if i == 2:
                continue
            log.append(i)
        finally:
            log.append(-i)
    else:
        log.append("else")
    return log


@plain((3,), (0,))
def generator_in_the_middle(n):
    def numbers():
        i = 0
        while i < n:
            yield i
            i += 1
        return

    return [x * 2 for x in numbers()], list(numbers())


@plain((3,), (0,))
def while_else_break(n):
    i = 0
    while i < 5:
        if i == n:
            found = "yes"
            break
        i += 1
    else:
        found = "no"
    return found, i


@plain(("ab",), ("",))
def truth_of_objects(text):
    class Empty:
        def __len__(self):
            return 0

    a = text or Empty()
    b = text and "full"
    return (not a), b, not text, (text or None) is None


@plain((1, 2, 3), (3, 2, 1), (2, 2, 2))
def chained_comparisons(a, b, c):
    return a < b < c, a <= b <= c, a < b > c, a == b == c, a in (b, c) == False  # noqa: E712


@plain((0,), (1,))
def order_of_evaluation(n):
    log = []

    def note(name, value):
        log.append(name)
        return value

    result = note("f", note("a", n) and note("b", 2) or note("c", 3))
    low = note("x", 1) < note("y", n) < note("z", 5)
    return result, low, log


@plain(([3, 1, 2],), ([],))
def lists_in_place(numbers):
    if numbers:
        numbers.sort()
        numbers.append(0)
        numbers[0] += 10
    else:
        numbers = [1]
    return numbers


@plain((2,), (5,))
def closures_in_a_loop(n):
    functions = []
    for i in range(n):
        functions.append(lambda: i)  # noqa: B023
    return [f() for f in functions]


@plain((2,), (5,))
def nonlocal_and_defaults(n):
    total = 0

    def add(k, *, times=n):
        nonlocal total
        if k > 2:
            total += k * times
        return total

    for k in range(n):
        add(k)
    return total, add(3, times=1)


@plain((5,), (1,), (0,))
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@plain((4,), (1,))
def swaps_and_unpacking(n):
    a, (b, *c), d = 1, [2, 3, 4], n
    while d > 2:
        a, b, d = b, a, d - 1
    a, b = (b, a) if n > 2 else (a, b)
    return a, b, c, d


@plain(({"kind": "a", "n": 1},), ({"kind": "b"},), ([1, 2],), (3,))
def match_statement(value):
    match value:
        case {"kind": "a", "n": n}:
            result = n
        case {"kind": kind}:
            result = kind
        case [first, *_]:
            result = first
        case int() as number if number > 2:
            result = number
    return result


@plain((1,), (0,))
def context_manager_that_swallows(n):
    with contextlib.suppress(ZeroDivisionError):
        n = 1 / n
        return n
    return "swallowed"


@plain((3,), (12,))
def walrus_in_a_while(n):
    seen = []
    while (half := n // 2) > 0:
        seen.append(half)
        n = half
    return seen, half


@plain((1,), (2,), (3,))
def return_in_nested_loops(n):
    for i in range(4):
        for j in range(4):
            if i * j == n:
                return i, j
            if j > i:
                break
    return None


@plain((1,), (-1,))
def falls_off_the_end(n):
    if n > 0:
        return n


@plain((1,), (-1,))
def raises_and_chains(n):
    try:
        if n < 0:
            raise ValueError("negative")
    except ValueError as error:
        raise KeyError("other") from error
    return n


@plain((1,), ("1",), (None,))
def assertion(n):
    assert isinstance(n, int), f"received {n!r}"
    return n


@plain((0,), (2,))
def class_in_a_branch(n):
    if n:

        class Number:
            value = n

            def double(self):
                return self.value * 2 if self.value else 0

    else:
        Number = None
    return Number().double() if Number else Number


@plain((3,), (4,))
def comprehension_scopes(n):
    i = 100
    squares = [i * i for i in range(n) if i % 2 or i > 2]
    table = {k: v for k, v in zip("abc", squares, strict=False)}
    return i, squares, table, any(x > 8 for x in squares)


@plain((2,), (0,))
def augmented_targets(n):
    table, numbers = {"a": [1]}, [0, 1]
    table["a"] += [n]
    numbers[n // 2] -= 5
    if n:
        table["a"][0] *= 10
    return table, numbers


@plain(([1, 2, 3],), ([],))
def sum_until_none(numbers: list[Any]) -> Any:
    total: int = 0
    for number in [*numbers, None]:
        if number is None:
            break
        total += number
    return f"{total=} {len(numbers):>3}"
