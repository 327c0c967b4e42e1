"""`for` over ranges, tensors, lists, tuples, dicts, enumerate, zip and layers."""

import itertools

import twinoar as paddle
from tests.jit.matrix.case import case, case_of_new, given, number
from twinoar import nn

ROWS = ([[1.0, 2.0], [3.0, 4.0]], [[5.0, -6.0], [0.5, 0.0]])
LENGTHS = ([[1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])  # of a dimension that may vary


@case(*ROWS)
def over_range(x):
    for i in range(3):
        x = x + x * i
    return x


@case(*ROWS)
def over_range_with_step(x):
    for i in range(5, -1, -2):
        x = x * 0.5 + i
    return x


@case(given([1.0], number(0)), given([1.0], number(1)), given([1.0], number(4)))
def over_range_of_a_tensor(x, n):
    for i in range(n):
        x = x * 2 + i
    return x


@case(given([1.0], number(0), number(3)), given([1.0], number(4), number(2)))
def over_range_between_tensors(x, start, stop):
    for i in range(start, stop):
        x = x + i
    return x


@case(given([1.0], number(7)), given([1.0], number(-3)))
def over_range_of_a_tensor_with_step(x, n):
    for i in range(n, 0, -2):
        x = x + i
    for j in range(0, n, 3):
        x = x * 2 + j
    return x


@case(given([1.0], number(3)), given([2.0], number(1)))
def target_read_after_the_loop(x, n):
    i = 0
    for i in range(n):
        x = x + i * 0.5
    return x * i


@case(*LENGTHS)
def over_rows(x):
    total = paddle.zeros([2])
    for row in x:
        total = total + row * row
    return total


@case(*LENGTHS)
def over_rows_with_branch(x):
    total = paddle.zeros([2])
    for row in x:
        if row.sum() > 4:
            total = total + row
        else:
            total = total - row
    return total


@case(*LENGTHS)
def enumerate_rows(x):
    total = paddle.zeros([2])
    for i, row in enumerate(x):
        total = total + row * i
    return total


@case(*LENGTHS)
def zip_of_tensors(x):
    total = paddle.zeros([2])
    for a, b in zip(x, x * 2, strict=False):
        total = total + a * b
    return total


@case(*LENGTHS)
def over_range_of_a_size(x):
    total = paddle.zeros([2])
    for i in range(x.shape[0]):
        total = total + x[i] * (i + 1)
    return total


@case(*LENGTHS)
def over_range_of_len(x):
    total = paddle.zeros([2])
    for i in range(len(x)):
        total = total * 0.5 + x[i]
    return total


@case(*ROWS)
def over_columns(x):
    total = paddle.zeros_like(x[:, 0])
    for j in range(x.shape[1]):
        total = total + x[:, j] * j
    return total


@case(given(([1.0], [2.0], [3.0]), [0.0]), given(([1.0], [-2.0], [3.0]), [2.0]))
def over_a_tuple_argument(parts, x):
    for part in parts:
        if part.sum() > x.sum():
            x = x + part
    return x


@case(*ROWS)
def over_a_list_of_tensors(x):
    parts = [x, x * 2, x - 1]
    total = paddle.zeros([2, 2])
    for part in parts:
        if part.sum() > 3:
            total = total + part
    return total


@case(*ROWS)
def over_dict_items(x):
    weights = {"a": 1.0, "b": 2.0, "c": -1.0}
    total = x
    for name, weight in weights.items():
        if name != "b":
            total = total + x * weight
        else:
            total = total * weight
    return total


@case(given({"a": [1.0], "b": [2.0]}), given({"a": [-1.0], "b": [5.0]}))
def over_a_dict_of_tensors(values):
    total = paddle.zeros([1])
    for key in values:
        if values[key].sum() > 0:
            total = total + values[key]
    for value in values.values():
        total = total * value
    return total


@case(*ROWS)
def over_a_string(x):
    for letter in "abca":
        x = x * (2 if letter == "a" else 0.5)
    return x


@case(*ROWS)
def enumerate_from_a_start(x):
    for i, factor in enumerate([2.0, 3.0], start=1):
        x = x * factor + i
    return x


@case(*ROWS)
def zip_of_lists(x):
    for scale, (low, high) in zip([1.0, 2.0], [(0, 1), (2, 3)], strict=True):
        x = x * scale + low - high
    return x


@case(*ROWS)
def reversed_and_sorted(x):
    for i in reversed(range(3)):
        x = x * 2 + i
    for i in sorted({3, 1, 2}):
        x = x - i
    return x


@case(*ROWS)
def standard_library_iterators(x):
    for a, b in itertools.product([1.0, 2.0], [3.0, 4.0]):
        x = x * a - b
    for a in itertools.chain([1.0], [2.0]):
        x = x + a
    return x


@case(*ROWS)
def unpacked_targets(x):
    for (a, b), *rest in [((1.0, 2.0), 3.0, 4.0), ((5.0, 6.0), 7.0, 8.0)]:
        x = x * a + b - sum(rest)
    return x


@case(*ROWS)
def over_an_empty_list(x):
    last = x
    for part in []:
        last = part
    return last * 2


@case_of_new([[1.0, 2.0], [0.5, -1.0]], [[-1.0, -2.0], [3.0, 1.0]])
class OverLayerList(nn.Layer):
    def __init__(self):
        super().__init__()
        self.layers = nn.LayerList([nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = paddle.tanh(layer(x))
        for i, layer in enumerate(self.layers):
            if x.sum() > 0:
                x = layer(x) * (i + 1)
        return x


@case_of_new([[1.0, 2.0], [0.5, -1.0]], [[-1.0, -2.0], [3.0, 1.0]])
class OverNamedChildren(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x):
        for name, layer in self.named_children():
            x = layer(x) if name == "first" else layer(x) + x
        for parameter in self.parameters():
            x = x + parameter.sum()
        return x


@case(*ROWS)
def over_split_and_unbind(x):
    a = paddle.zeros([2, 1])
    for part in paddle.split(x, 2, axis=1):
        a = a + part * part
    for column in paddle.unbind(x, axis=1):
        a = a + column.sum()
    return a


@case(*LENGTHS)
def nested_over_rows_and_elements(x):
    total = paddle.zeros([])
    for row in x:
        for value in row:
            if value > 2:
                total = total + value
    return total
