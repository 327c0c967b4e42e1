"""Builtins, texts, assertions and logic of Python in converted code: what eager mode gives."""

from __future__ import annotations

import dataclasses
import functools
import math
import subprocess
import sys

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ConversionError, FailedAssertion, TwinoarError, TypeMismatchError
from twinoar.jit import to_static
from twinoar.static import InputSpec

VECTORS = [(1.0, 2.0, 3.0), (-1.0, -2.0, -3.5), (0.1, 0.2, 0.7)]
ANY_LENGTH = [InputSpec([None], "float32")]


def tensor(*values):
    return paddle.to_tensor(list(values), dtype="float32")


def outcome(function, values, capsys):
    """What a call gives: its value or exception, and what it printed."""
    capsys.readouterr()
    try:
        found = function(tensor(*values))
        result = [(v.numpy().tolist(), str(v.dtype)) if isinstance(v, paddle.Tensor) else v
                  for v in (found if isinstance(found, (list, tuple)) else [found])]  # fmt: skip
    except (AssertionError, ValueError, ZeroDivisionError, OverflowError) as error:
        kind = next(k for k in type(error).__mro__ if k.__module__ == "builtins")
        result = kind, str(error.args[0]).splitlines()[0] if error.args else ""
    return result, capsys.readouterr().out


def assert_same(function, capsys, inputs=VECTORS, specs=(None, ANY_LENGTH)):
    for spec in specs:
        static = to_static(function, input_spec=spec)
        for values in (*inputs, inputs[0]):
            found, expected = (outcome(f, values, capsys) for f in (static, function))
            assert found[1] == expected[1]
            assert len(found[0]) == len(expected[0])
            for a, b in zip(found[0], expected[0], strict=True):
                if isinstance(a, tuple):
                    assert a[1] == b[1]
                    np.testing.assert_allclose(a[0], b[0], rtol=1e-6)
                else:
                    assert a == b


# Printing.


def prints_tensors(x):
    print(x)
    print("sum", x.sum(), "shape", x.shape, sep=" | ", end="!\n")
    return x + 1


def prints_texts(x):
    print("only a text")
    print(f"mean {float(x.mean()):.3f}, {x!r}, {int(x.sum()):>5d}|{x.shape[0]}")
    print("%d and %.2f and %s" % (int(x.sum()), float(x.max()), x))  # noqa: UP031
    print("{} of {n:.1f}".format(x.sum(), n=float(x.min())))  # noqa: UP032
    print("a" + str(x.max()) + "b", [x.sum(), {"k": (x.min(),)}])
    return x


def prints_in_a_branch(x):
    if x.sum() > 0:
        print("positive", x.sum())
    else:
        print("negative")
    return x * 2


def prints_in_a_loop(x):
    i = paddle.zeros([], "int64")
    while i < 3:
        print("trip", int(i), float(x[0]))
        x = x + 1
        i = i + 1
    return x


def prints_what_objects_say(x):
    print(Pair(x.sum(), 2), x.sum() > 0, int(x.sum()) > 2, not x.sum() > 0, True)
    return x


@dataclasses.dataclass
class Pair:
    first: object
    second: object


@pytest.mark.parametrize(
    "function",
    [prints_tensors, prints_texts, prints_in_a_branch, prints_in_a_loop, prints_what_objects_say],
    ids=lambda f: f.__name__,
)
def test_prints_at_each_call_what_eager_mode_prints(function, capsys):
    assert_same(function, capsys)


def test_print_to_the_error_stream(capsys):
    @to_static
    def warn(x):
        print("careful", x.sum(), file=sys.stderr)
        return x

    warn(tensor(1.0))
    assert capsys.readouterr().err.startswith("careful Tensor(shape=[]")


def test_print_to_a_file_is_refused(tmp_path):
    with (tmp_path / "log").open("w") as log:

        @to_static
        def write(x):
            print(x, file=log)
            return x

        with pytest.raises(ConversionError, match="TextIOWrapper"):
            write(tensor(1.0))


def test_a_text_of_a_tensor_is_no_plain_text():
    names = {"3": 1}

    @to_static
    def named(x):
        return x * len(f"{int(x.sum())}") + names.get("3")

    with pytest.raises(ConversionError, match="known only when the Program runs"):
        named(tensor(1.0))


# Assertions and exceptions.


def asserts(x):
    assert x.mean() > -100, "mean too small"
    assert x.sum() > -5, f"sum is {float(x.sum()):.2f}"
    return x


def asserts_in_a_branch(x):
    y = x
    if x.sum() > 0:
        assert x.max() < 3, "too large"
        y = x * 2
    return y


def asserts_in_a_loop(x):
    for i in range(int(x.shape[0])):
        assert x[i] > -3, f"item {i}"
    return x


def asserts_without_a_message(x):
    assert x.sum() > 0
    return x


def asserts_a_size(x):
    assert x.shape[0] == 3, x.shape[0]
    return x


def raises_in_a_branch(x):
    if x.sum() < 0:
        raise ValueError(f"negative: {float(x.sum())}")
    return x + 1


def divides_by_a_number(x):
    return x / (1.0 / float((x > 0).astype("float32").sum()))


@pytest.mark.parametrize(
    "function",
    [
        asserts, asserts_in_a_branch, asserts_in_a_loop, asserts_a_size, raises_in_a_branch,
        divides_by_a_number,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_raises_what_eager_mode_raises(function, capsys):
    assert_same(function, capsys)


def test_a_failed_assertion_shows_line_and_operands():
    with pytest.raises(AssertionError) as caught:
        to_static(asserts_without_a_message)(tensor(-1.0, -2.0))
    assert isinstance(caught.value, FailedAssertion) and isinstance(caught.value, TwinoarError)
    assert "x.sum() = -3." in str(caught.value)
    assert "assert x.sum() > 0" in str(caught.value)


def test_an_exception_of_the_users_own_class_keeps_its_class():
    class TooLarge(Exception):
        code = 7

    @to_static
    def limited(x):
        if x.sum() > 3:
            raise TooLarge("over 3")
        return x

    assert limited(tensor(1.0)).item() == 1.0
    with pytest.raises(TooLarge, match="over 3") as caught:
        limited(tensor(4.0))
    assert caught.value.code == 7
    assert any("raise TooLarge" in note for note in caught.value.__notes__)


# Numbers.


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
        (sums_along_a_number, "axis"),
        (makes_a_size_of_data, "depends on the data"),
        (picks_from_a_list, "before the Program runs"),
        (names_on_the_right, "assigned by :="),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_what_cannot_be_right_is_refused(function, match):
    with pytest.raises(TwinoarError, match=match) as caught:
        to_static(function)(tensor(1.0, 2.0, 3.0))
    assert "test_builtins.py" in str(caught.value) and "cure" in str(caught.value)


# Logic.


def short_circuits(x):
    if x.shape[0] > 5 and x[5] > 0:
        return x
    if x.sum() > 0 and x[int(x.sum()) - int(x.sum())] > 0:
        x = x + 1
    return x


def right_side_only_when_needed(x):
    if x.sum() > 0 and checked(x):
        return x * 2
    return x


def checked(x):
    assert x.sum() > 0, "not called where the left side is false"
    print("asked")
    return x.max() > 2


def value_of_or(x):
    n = x.argmax() or 5
    m = x.argmax() and 7
    return x * n + m


def logic(x):
    m = x.mean()
    if m > 0 and m < 10 or not (m > -5):
        return x + 1
    return x - 1


def chains(x):
    calls = []

    def counted(v):
        calls.append(1)
        return v

    y = x
    if 0 < counted(x.sum()) < 4 <= counted(x.shape[0]) + 3:
        y = x * 2
    return y + len(calls)


def membership(x):
    return x * (1.0 if x.shape[0] in (1, 3) else 2.0) + (1 if 2.0 in x else 0)


@pytest.mark.parametrize(
    "function",
    [short_circuits, right_side_only_when_needed, value_of_or, logic, membership],
    ids=lambda f: f.__name__,
)
def test_logic_is_pythons(function, capsys):
    assert_same(function, capsys)


def test_a_truth_of_several_elements_is_refused():
    @to_static
    def several(x):
        if x > 0 and x.sum() > 0:
            return x
        return -x

    with pytest.raises(TwinoarError, match="truth of a tensor with 3 elements"):
        several(tensor(1.0, 2.0, 3.0))


# Sizes that only a run knows.


def size_conditions(x):
    n = x.shape[0]
    if n > 4:
        return x * 2
    if n == 3:
        return x + n
    if 1 < n < 3:
        return x - n
    return x


def size_arithmetic(x):
    n = x.shape[0]
    y = x * n + n / 2 + int(n) + n // 2 + n % 2 - n**2
    z = paddle.concat([x, y]).reshape([n * 2, 1])
    total = paddle.zeros([n])
    for i in range(n - 1):
        total = total + x * i
    return y + len(x), z, total + float(n), x * min(n, 2) * max(n, 4), paddle.to_tensor(n)


@pytest.mark.parametrize("function", [size_conditions, size_arithmetic], ids=lambda f: f.__name__)
def test_sizes_serve_any_length_under_one_program(function, capsys):
    assert_same(function, capsys, [(1.0,), (1.0, 2.0), (1.0, 2.0, 3.0), tuple(range(6))])


def test_a_size_is_compared_where_it_is_known_to_differ():
    @to_static(input_spec=ANY_LENGTH)
    def known(x):
        n = x.shape[0]
        if n + 1 > n and n >= 0 and n != n + 2:
            return x + 1
        return x

    assert "if(" not in str(known.main_program)


# Calls.


class Base(nn.Layer):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1

    @property
    def factor(self):
        return 3.0

    @staticmethod
    def halved(x):
        return x / 2

    @classmethod
    def named(cls, x):
        return x + len(cls.__name__)

    def __repr__(self):
        return "base"


class Derived(Base):
    def forward(this, x):  # self by another name
        y = super().forward(x)

        def inner(z):
            return super(Derived, this).forward(z)

        if x.sum() > 10:
            y = super().forward(y)
        return this.named(this.halved(inner(y))) * this.factor


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        if x.sum() > 0:
            return x * self.factor
        return x


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        if result.sum() > 5:
            result = result - 5
        return result

    return wrapper


@logged
def decorated(x):
    if x.sum() > 0:
        return x * 4
    return x


def calls(x):
    pair = Pair(x, 2)
    twice = functools.partial(double_if_positive)
    return decorated(x) + Scale(3.0)(x) + twice(pair.first) * pair.second + cached(2)


@functools.lru_cache
def cached(n):
    return n * 2


def test_calls_are_followed(capsys):
    assert_same(calls, capsys, VECTORS)


@pytest.mark.parametrize("values", [*VECTORS, (20.0, 3.0, 1.0)], ids=str)
def test_super_needs_no_name_and_no_arguments(values):
    layer = Derived()
    expected = layer(tensor(*values)).numpy()
    np.testing.assert_array_equal(to_static(Derived())(tensor(*values)).numpy(), expected)


DEBUGGED = """
import twinoar as paddle

@paddle.jit.to_static
def stops(x):
    y = x + 1
    if x.sum() > 0:
        {call}
        z = y * 2
    else:
        z = y
    return z

print(stops(paddle.to_tensor([1.0, 2.0])).tolist())
"""


@pytest.mark.parametrize("call", ["breakpoint()", "import pdb; pdb.set_trace()"])
def test_a_debugger_stops_in_the_users_source(call, tmp_path):
    script = tmp_path / "debugged.py"
    script.write_text(DEBUGGED.format(call=call))
    commands = "list\nwhere\np type(y)\ncontinue\n" * 2
    run = subprocess.run(
        [sys.executable, str(script)], input=commands, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert "->         z = y * 2" in run.stdout.replace("\t", " ") or "-> z = y * 2" in run.stdout
    assert str(script) in run.stdout
    assert "Variable" in run.stdout
    assert run.stdout.rstrip().endswith("[4.0, 6.0]")


def test_round_of_a_tensor_is_refused_as_in_eager_mode():
    def rounded(x):
        return round(x)

    with pytest.raises(TypeError):
        rounded(tensor(1.0))
    with pytest.raises(TypeMismatchError, match="round"):
        to_static(rounded)(tensor(1.0))


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


class Talkative(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x):
        print("sizes", x.shape, end="; ")
        assert x.sum() > -100, f"too small: {float(x.sum()):.1f}"
        y = self.linear(x)
        if x.sum() > 0:
            print("positive", float(x.sum()))
            y = y * 2
        elif x.max() < -30:
            raise ValueError("too negative")
        for i in range(int(x.shape[0])):
            print("row", i)
        return y


def test_a_saved_model_prints_and_stops_as_the_plain_one(tmp_path, capsys):
    layer = Talkative()
    spec = [InputSpec([None, 2], "float32", "x")]
    paddle.jit.save(layer, str(tmp_path / "model"), input_spec=spec)
    loaded = paddle.jit.load(str(tmp_path / "model"))
    for rows in ([[1.0, 2.0]], [[-1.0, -2.0], [0.5, 0.0]], [[-99.0, -99.0]], [[-40.0, -40.0]]):
        found, expected = (
            outcome(lambda *values, f=f: f(paddle.stack(list(values))[0].reshape([-1, 2])),
                    (tuple(sum(rows, [])),), capsys)
            for f in (loaded, Talkative.forward.__get__(layer))
        )  # fmt: skip
        assert found[1] == expected[1]
        if isinstance(expected[0][0], tuple):
            np.testing.assert_allclose(found[0][0][0], expected[0][0][0], rtol=1e-6)
        else:
            assert found[0] == expected[0]


def test_static_print_writes_at_each_run(capsys):
    program = paddle.static.Program()
    with paddle.static.program_guard(program, paddle.static.Program()):
        x = paddle.static.data("x", [2], "float32")
        y = paddle.static.Print(x, message="x: ") + 1
    for value in (1.0, 2.0):
        feed = {"x": np.full(2, value, "float32")}
        paddle.static.Executor().run(program, feed=feed, fetch_list=[y])
    out = capsys.readouterr().out
    assert out.count("x: Tensor(shape=[2]") == 2 and "[2., 2.]" in out


def test_gradients_print_once(capsys):
    def shown(x):
        i = 0
        while x.sum() < 10:
            print("trip", i)
            x = x * 2
            i += 1
        if x.sum() > 0:
            print("done")
            x = x * x
        return x

    results = []
    for function in (shown, to_static(shown)):
        x = tensor(1.0, 2.0)
        x.stop_gradient = False
        function(x).sum().backward()
        results.append((x.grad.tolist(), capsys.readouterr().out))
    assert results[0] == results[1] and results[0][1] == "trip 0\ntrip 1\ndone\n"
