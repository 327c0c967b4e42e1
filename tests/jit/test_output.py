"""Converted code prints, asserts and raises when it runs, as eager mode does."""

from __future__ import annotations

import dataclasses
import sys

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.parity import assert_same, outcome, tensor
from twinoar import nn
from twinoar.errors import ConversionError, FailedAssertion, TwinoarError
from twinoar.jit import to_static
from twinoar.static import InputSpec

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
        print("iteration", int(i), float(x[0]))
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


# Files, static Programs and gradients.


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


def in_pairs(function):
    return lambda x: function(x.reshape([-1, 2]))


def test_a_saved_model_prints_and_stops_as_the_plain_one(tmp_path, capsys):
    layer = Talkative()
    spec = [InputSpec([None, 2], "float32", "x")]
    paddle.jit.save(layer, str(tmp_path / "model"), input_spec=spec)
    loaded = paddle.jit.load(str(tmp_path / "model"))
    plain = Talkative.forward.__get__(layer)
    for values in ((1.0, 2.0), (-1.0, -2.0, 0.5, 0.0), (-99.0, -99.0), (-40.0, -40.0)):
        found, expected = (outcome(in_pairs(f), values, capsys) for f in (loaded, plain))
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
            print("iteration", i)
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
    assert results[0] == results[1] and results[0][1] == "iteration 0\niteration 1\ndone\n"


def catches_what_a_tensor_decides(x):
    try:
        if x.sum() < 0:
            raise KeyError("negative")
        y = x
    except Exception:
        y = -x
    return y


def catches_what_cannot_be_converted(x):
    try:
        y = x * x.numpy()
    except Exception:
        y = x
    return y


def catches_plain_exceptions(x):
    try:
        y = x * {}["a"]
    except KeyError:
        y = x + 1
    return y


@pytest.mark.parametrize(
    "function", [catches_what_a_tensor_decides, catches_what_cannot_be_converted]
)
def test_no_except_hides_what_cannot_be_converted(function):
    with pytest.raises(ConversionError):
        to_static(function)(tensor(1.0))


def test_plain_exceptions_are_caught(capsys):
    assert_same(catches_plain_exceptions, capsys)
