"""Lists, tuples, dicts and sets, in and around loops and branches."""

from __future__ import annotations

from collections import OrderedDict

import twinoar as paddle
from tests.jit.matrix.case import case

VALUES = ([1.0, 2.0, 3.0], [-1.0, -2.0, 9.0])


@case(*VALUES)
def append_in_a_static_loop(x):
    parts = []
    for i in range(3):
        parts.append(x * i)
    return paddle.stack(parts)


@case(*VALUES)
def append_under_a_plain_test(x):
    parts = [x]
    for i in range(4):
        if i % 2 == 0:
            parts.append(x + i)
    parts.extend([x * 2, x * 3])
    parts.insert(0, -x)
    return paddle.concat(parts)


@case(*VALUES)
def pop_and_index(x):
    stack = [x, x * 2, x * 3]
    last = stack.pop()
    first = stack.pop(0)
    stack[0] = stack[0] + last
    return first * stack[-1]


@case(*VALUES)
def dict_methods(x):
    table = {"a": x, "b": x * 2}
    table.update(c=x * 3)
    table.setdefault("d", x * 4)
    total = table.pop("a") + table.get("z", x)
    for key, value in table.items():
        if key in ("b", "c"):
            total = total + value
    return total * len(table)


@case(*VALUES)
def comprehensions(x):
    parts = [x * i for i in range(3) if i != 1]
    table = {i: part + i for i, part in enumerate(parts)}
    sizes = {part.ndim for part in parts}
    return sum(table.values()) + len(sizes)


@case(*VALUES)
def comprehension_with_a_tensor_test(x):
    parts = [part * 2 if part.sum() > 3 else part - 1 for part in (x, -x, x + 1)]
    return paddle.stack(parts)


@case(*VALUES)
def nested_comprehension(x):
    table = [[x[i] * j for j in range(2)] for i in range(3)]
    return paddle.stack([paddle.stack(row) for row in table])


@case([1.0, 2.0], [3.0, 4.0])
def generator_expression(x):
    total = sum(x * i for i in range(4))
    return total + max(i for i in (1, 5, 2))


@case(*VALUES)
def nested_lists(x):
    grid = [[x, x + 1], [x * 2, x * 3]]
    grid[1][0] = grid[0][1] - 1
    for row in grid:
        for i in range(len(row)):
            row[i] = row[i] * (i + 1)
    return grid[0][0] + grid[1][0] * grid[1][1]


@case(*VALUES)
def star_unpacking(x):
    first, *middle, last = [x, x * 2, x * 3, x * 4]
    joined = [*middle, last]
    table = {**{"a": first}, "b": joined[-1]}
    return table["a"] + table["b"] * len(middle)


@case(*VALUES)
def returns_a_dict(x):
    return {"twice": x * 2, "both": [x, x + 1], "name": "values"}


@case(*VALUES)
def returns_nested_tuples(x):
    return (x, (x * 2, [x * 3, {"k": x * 4}])), None


@case(*VALUES)
def ordered_dict_and_sets(x):
    table = OrderedDict([("b", x), ("a", x * 2)])
    wanted = {"a", "b"} - {"b"}
    return sum(v for k, v in table.items() if k in wanted) + next(iter(table.values()))


@case(*VALUES)
def sorted_with_a_key(x):
    names = sorted(["ccc", "a", "bb"], key=lambda name: -len(name))
    order = sorted(range(3), key=lambda i: (i - 1) ** 2, reverse=True)
    for i, name in zip(order, names, strict=True):
        x = x * len(name) + i
    return x


@case(*VALUES)
def list_sorted_in_place(x):
    numbers = [3, 1, 2]
    numbers.sort(key=lambda n: -n)
    numbers.reverse()
    for n in numbers:
        x = x * n + 1
    return x


@case(*VALUES)
def slices_of_lists(x):
    parts = [x * i for i in range(6)]
    return sum(parts[1:5:2]) + sum(parts[::-1][:2]) + parts[-1]


@case(*VALUES)
def list_filled_by_a_branch_in_a_static_loop(x):
    parts = []
    for i in range(3):
        if x[i] > 0:
            y = x[i] * 2
        else:
            y = x[i] - 1
        parts.append(y)
    return paddle.stack(parts)
