"""Builtin functions on tensors and plain values."""

import twinoar as paddle
from tests.jit.matrix.case import case, given

VALUES = ([1.0, 2.0, 3.0], [-1.0, -2.0, 9.0])


@case(*VALUES)
def len_of_tensor_and_list(x):
    parts = [x, x]
    return x * len(x) + len(parts) + len("abc")


@case(*VALUES)
def abs_pow_divmod_round(x):
    y = abs(x) + pow(x, 2)
    q, r = divmod(7, 3)
    return y * q + r + round(2.4)


@case(*VALUES)
def min_and_max_of_plain_values(x):
    return x * min(3, 5) + max([1, 4, 2]) - max(2, 1, key=lambda v: -v)


@case(given([1.0], [2.0]), given([5.0], [2.0]))
def min_and_max_of_tensors(x, y):
    return min(x, y) * 2 + max(x, y, x + 1)


@case(given([1.0], [2.0]), given([5.0], [2.0]))
def min_with_a_key(x, y):
    return min([x, y], key=lambda v: -v) + max((x, y), key=lambda v: (v - 3).abs())


@case(*VALUES, fixed=True)
def sum_of_tensors(x):
    return sum([x, x * 2], x * 3) + sum(x)


@case(given([1.0, 2.0], [3.0, 4.0]), given([1.0, 2.0], [-3.0, 0.0]))
def isinstance_of_tensor(x, y):
    if isinstance(x, paddle.Tensor) and not isinstance(x, (int, float)):
        x = x + y
    if isinstance(y.sum() > 0, paddle.Tensor) and y.sum() > 0:
        x = x * 2
    return x


@case(given([1.0], 3), given([1.0], 3.5), given([1.0], "3"))
def isinstance_of_plain_values(x, value):
    if isinstance(value, int):
        return x + value
    elif isinstance(value, float):
        return x * value
    return x - float(value)


@case(*VALUES)
def getattr_setattr_hasattr(x):
    function = getattr(paddle, "tanh")  # noqa: B009
    missing = getattr(x, "no_such_name", None)
    return function(x) if missing is None and hasattr(x, "shape") else x


@case(*VALUES)
def type_and_callable(x):
    factor = 2 if type(3) is int and callable(len) else 3
    return x * factor


@case(*VALUES)
def zip_enumerate_reversed_as_values(x):
    pairs = list(zip([1, 2], [3, 4], strict=True))
    numbered = dict(enumerate("ab"))
    backward = list(reversed([1, 2, 3]))
    return x * pairs[1][0] + len(numbered) - backward[0]


@case(*VALUES)
def slice_object(x):
    window = slice(0, 2)
    return x[window] * 2


@case(*VALUES, fixed=True)
def tuple_and_list_of_a_tensor(x):
    a, b, c = x
    items = list(x)
    return a + b * c + items[0] * tuple(x)[1]


@case(*VALUES)
def iterates_by_hand(x):
    iterator = iter([x, x * 2])
    first = next(iterator)
    second = next(iterator)
    return first + second + next(iterator, 5.0)


@case(*VALUES)
def string_methods(x):
    name = "layer_{}".format(2).upper()  # noqa: UP032
    return x * len(name.split("_")) if name.startswith("LAYER") else x
