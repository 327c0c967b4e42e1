"""Lists, tuples, dicts and sets, in and around loops and branches."""

from collections import OrderedDict, namedtuple

import twinoar as paddle
from tests.jit.matrix.case import case, given, number

VALUES = ([1.0, 2.0, 3.0], [-1.0, -2.0, 9.0])
COUNTS = (given([1.0, 2.0], number(1)), given([1.0, 2.0], number(4)))
Pair = namedtuple("Pair", ["left", "right"])


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


@case(*COUNTS)
def append_in_a_tensor_loop(x, n):
    parts = []
    for i in range(n):
        x = x * 2
        parts.append(x + i)
    return paddle.stack(parts)


@case(*COUNTS)
def append_in_a_tensor_while(x, n):
    parts = [x]
    while n > 0:
        x = x + n
        parts.append(x)
        n = n - 1
    return paddle.concat(parts), len(parts) * x


@case(*COUNTS)
def list_of_a_tensor_loop_read_again(x, n):
    parts = [x, x + 1]
    while n > 0:
        parts.append(parts[-1] + parts[-2])
        n = n - 1
    return parts[-1]


@case(*COUNTS)
def item_set_in_a_tensor_loop(x, n):
    state = [x, x * 0]
    while n > 0:
        state[0] = state[0] * 2
        state[1] = state[1] + state[0]
        n = n - 1
    return state[0] + state[1]


@case(*COUNTS)
def dict_in_a_tensor_loop(x, n):
    state = {"h": x, "c": x * 0}
    while n > 0:
        state["c"] = state["c"] + state["h"]
        state["h"] = paddle.tanh(state["h"])
        n = n - 1
    return state["h"], state["c"]


@case(*VALUES)
def list_item_set_in_a_branch(x):
    parts = [x, x + 1]
    if x.sum() > 6:
        parts[0] = x * 5
    else:
        parts[1] = x * 7
    return parts[0] - parts[1]


@case(*VALUES)
def append_on_both_sides(x):
    parts = [x]
    if x.sum() > 6:
        parts.append(x * 2)
    else:
        parts.append(x * 3)
    return parts[0] + parts[1] + len(parts)


@case(*VALUES)
def dict_item_set_in_a_branch(x):
    found = {"a": x}
    if x.max() > 5:
        found["a"] = found["a"] * 2
    found["b"] = found["a"] + 1
    return found


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
def named_tuple(x):
    pair = Pair(x, x * 2)
    if x.sum() > 6:
        pair = Pair(pair.right, pair.left)
    return pair.left - pair.right * 2


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


@case(given(([1.0], [2.0])), given(([5.0], [-2.0])))
def tuple_argument(pair):
    a, b = pair
    if a > b:
        a, b = b, a
    return a, b


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


@case(*COUNTS)
def list_of_two_that_is_a_window(x, n):
    window = [x, x + 1]
    for _ in range(n):
        new = window[0] * 0.5 + window[1]
        window = [window[1], new]
    return window[0], window[1]
