"""Numbers and builtins of converted code are those of Python."""

import functools
import math

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.parity import ANY_LENGTH, assert_same, tensor
from twinoar.errors import TwinoarError
from twinoar.jit import to_static


def casts(x):
    return x * float(x.sum().astype("int32").astype("float32")) + int(len(x))  # noqa: RUF046


def number_arithmetic(x):
    n, f = int(x.sum()), float(x.max())
    half = n / 2
    return (
        x * n,
        x + half,
        x.astype("int32") * n,
        x.astype("float16") * f,
        paddle.to_tensor(n // 3),
        paddle.to_tensor(n % 3),
        paddle.to_tensor([f**2, -f, abs(f)]),
        paddle.to_tensor(round(f)),
        paddle.to_tensor(math.floor(f) + math.ceil(half)),
        x * (n > 2),
        x * math.exp(-abs(f)) + divmod(n, 2)[1],
        paddle.full([2], f),
        +x * (n << 2) + (n >> 1) + pow(n, 2, 5),
    )


def number_as_index_and_bound(x):
    i = int(x.argmax())
    total = x[i]
    for k in range(i):
        total = total + k
    return total + x[:i].sum() + x[-1]


def items(x):
    a, b = x.sum().item(), x.argmax().item()
    return x * a + b, x.item(1) * x, x[0].item() * x


def numbers_in_a_loop(x):
    n = 0
    f = 0.5
    i = paddle.zeros([], "int64")
    while i < 4:
        n = n + int(i)
        f = f * 2
        i = i + 1
    return x.astype("int32") * n, x.astype("float16") * f


def bools(x):
    if bool(x.sum() > 0) and bool(x[0]):
        return x
    return -x


def lists_of_numbers(x):
    a, b, c = x.tolist()
    return x * a + b * c


@pytest.mark.parametrize(
    "function",
    [casts, number_arithmetic, number_as_index_and_bound, items, numbers_in_a_loop, bools],
    ids=lambda f: f.__name__,
)
def test_numbers_compute_as_pythons_do(function, capsys):
    assert_same(function, capsys)


def test_a_small_tensor_becomes_a_list_of_numbers(capsys):
    assert_same(lists_of_numbers, capsys, specs=[None])


def test_no_gradient_flows_through_a_number():
    x = tensor(2.0, 3.0)
    x.stop_gradient = False
    (to_static(casts)(x)).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [5.0, 5.0])


def extremes(x):
    rows = [x[0], x[1], x[2]]
    return (
        max(rows),
        min(rows),
        sum(rows),
        max(rows, key=lambda r: -r),
        x * max(2, x.shape[0]),
        x * max(int(x.sum()), 1),
        x * (1.0 if any(r > 0.5 for r in rows) else 2.0),
        x + int(all(r > 0 for r in rows)),
        sum([float(r) for r in rows]) * x,
    )


def functional(x):
    doubled = list(map(double_if_positive, [x, -x]))
    total = functools.reduce(lambda a, b: a + b, doubled)
    ordered = sorted([(2, x), (1, -x)], key=lambda pair: pair[0])
    kept = list(filter(lambda pair: pair[0] > 1, ordered))
    places = [3, 1, 2]
    places.sort(key=negated)
    pairs = zip([x, -x], reversed(places), strict=False)
    return total + ordered[0][1] * kept[0][0] + sum(a * n for a, n in pairs) + places[0]


def double_if_positive(x):
    if x.sum() > 0:
        return x * 2
    return x


def negated(n):
    return -n


@pytest.mark.parametrize("function", [extremes, functional], ids=lambda f: f.__name__)
def test_builtins_take_tensors(function, capsys):
    assert_same(function, capsys)


def test_types_are_those_of_eager_mode():
    @to_static
    def types(x):
        assert isinstance(x, paddle.Tensor) and type(x) is paddle.Tensor and paddle.is_tensor(x)
        assert isinstance(int(x.sum()), int) and type(float(x.sum())) is float
        assert not isinstance(float(x.sum()), (paddle.Tensor, int))
        assert isinstance(x.shape[0], int) and callable(types) and hasattr(x, "shape")
        assert not isinstance(x, (list, tuple)) and x is not None
        return x + getattr(x, "ndim")  # noqa: B009

    assert types(tensor(1.0)).item() == 2.0


def sums_by_numpy(x):
    return np.sum(x)


def compares_by_numpy(x):
    return np.maximum(x, 0)


def asks_for_data(x):
    return paddle.to_tensor(x.numpy())


def draws_by_numpy(x):
    return x * np.random.rand()


def sorts_tensors(x):
    return sorted([x.sum(), x.max()])[0]


def filters_by_tensors(x):
    return next(iter(filter(lambda r: r > 0, [x[0], x[1]])))


def a_set_of_a_number(x):
    return x * len({int(x.sum()), 1})


def a_dict_by_a_pair(x):
    return x * {(int(x.sum()), 1): 2.0}[3, 1]


def a_dict_of_pairs(x):
    return x * len(dict([(int(x.sum()), 1), (2, 3)]))


def a_hash_of_a_number(x):
    return x * (hash(int(x.sum())) % 3)


def looks_up_a_number(x):
    return x * {3: 1}.get(int(x.sum()), 0)


def sums_along_a_number(x):
    return paddle.sum(x, axis=int(x[0]))


def makes_a_size_of_data(x):
    return paddle.zeros([int(x.sum())])


def picks_from_a_list(x):
    return (1.0, 2.0)[int(x.sum())] * x


def names_on_the_right(x):
    if x.sum() > 0 and (y := x.max()) > 1:
        x = x + y
    return x


@pytest.mark.parametrize(
    ("function", "match"),
    [
        (sums_by_numpy, "NumPy's sum"),
        (compares_by_numpy, "NumPy's maximum"),
        (asks_for_data, r"numpy\(\) asks for the data"),
        (draws_by_numpy, "another value at each call"),
        (sorts_tensors, "sorted by what only a run knows"),
        (filters_by_tensors, "filter keeps items"),
        (looks_up_a_number, "is the key in get"),
        (a_set_of_a_number, "is put into a set"),
        (a_dict_by_a_pair, "is put into a dict"),
        (a_dict_of_pairs, "is put into a dict"),
        (a_hash_of_a_number, "the hash of a number"),
        (sums_along_a_number, "axis"),
        (makes_a_size_of_data, "depends on the data"),
        (picks_from_a_list, r"Python wants a number now(.|\n)*cure: keep the items in a tensor"),
        (names_on_the_right, "assigned by :="),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_what_cannot_be_right_is_refused(function, match):
    with pytest.raises(TwinoarError, match=match) as caught:
        to_static(function)(tensor(1.0, 2.0, 3.0))
    assert "test_builtins.py" in str(caught.value) and "cure" in str(caught.value)


def test_numbers_come_back_as_pythons_numbers():
    @to_static(input_spec=ANY_LENGTH)
    def numbers(x):
        return int(x.sum()), {"mean": float(x.mean())}, [x.shape[0], bool(x.max() > 0)], x.sum() > 0

    count, means, (size, flag), tensor_flag = numbers(tensor(1.0, 2.5))
    assert (count, means, size, flag) == (3, {"mean": 1.75}, 2, True)
    assert [type(v) for v in (count, means["mean"], size, flag)] == [int, float, int, bool]
    assert isinstance(tensor_flag, paddle.Tensor)

    @to_static
    def one(x):
        return x.sum().item()

    assert one(tensor(1.0)) == 1.0 and type(one(tensor(1.0))) is float


COMPLEX = {
    "float": lambda z: float(z),
    "int": lambda z: int(z),
    "int of an item": lambda z: int(z.item()),
    "sqrt": lambda z: math.sqrt(z),
    "isnan": lambda z: math.isnan(z.item()),
    "floor": lambda z: math.floor(z.item()),
    "round": lambda z: round(z.item()),
    "an order": lambda z: z.item() < 2,
    "the greatest": lambda z: max(z.item(), 2),
}


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", COMPLEX)
def test_what_complex_numbers_cannot_do_raises_as_in_python(name, dtype):
    z = paddle.to_tensor(1 + 2j, dtype=dtype)
    for function in (COMPLEX[name], to_static(COMPLEX[name])):
        with pytest.raises(TypeError):
            function(z)


def parts_of_a_number(z):
    n, f = z.item(), float(z.real())
    try:
        f = float(z)
    except TypeError:
        f = f + 1
    return n, n.real, n.imag, n.conjugate(), n * 2 == 2 + 4j, complex(z), f.real, f.imag, f


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("value", [1 + 2j, -0.5j])
def test_complex_numbers_are_those_of_python(value, dtype):
    z = paddle.to_tensor(value, dtype=dtype)
    found, expected = to_static(parts_of_a_number)(z), parts_of_a_number(z)
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))
