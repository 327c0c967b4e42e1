"""What converted code calls is converted, where it is the user's; debuggers stop in it."""

from __future__ import annotations

import dataclasses
import functools
import subprocess
import sys

import numpy as np
import pytest

import twinoar as paddle
from tests.jit.parity import VECTORS, assert_same, tensor
from twinoar import nn
from twinoar.errors import TypeMismatchError
from twinoar.jit import not_to_static, to_static


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


@dataclasses.dataclass
class Pair:
    first: object
    second: object


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


def double_if_positive(x):
    if x.sum() > 0:
        return x * 2
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


@pytest.mark.parametrize("call", ["break" + "point()", "import p" + "db; pdb." + "set_trace()"])
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


class Halved:
    def __init__(self, x):
        if x.sum() > 0:
            self.value = x / 2
        else:
            self.value = x

    @property
    def largest(self):
        if self.value.sum() > 1:
            return self.value.max()
        return self.value.min()

    def __getitem__(self, i):
        return self.value[i]

    def __repr__(self):
        return f"<halved {self.value.sum()}>"


def makes_an_object(x):
    halved = Halved(x)
    print(halved)
    return halved.value * halved.largest + halved[0]


def test_objects_of_the_users_classes_are_made_by_converted_code(capsys):
    assert_same(makes_an_object, capsys)


@not_to_static
def doubled_if_a_tensor(x):
    return x * 2 if isinstance(x, paddle.Tensor) else x * 3


@functools.singledispatch
def dispatched(x):
    return x * 3


@dispatched.register(paddle.Tensor)
def _(x):
    return x * 2


@not_to_static
def kind_of_number(n):
    return "float" if isinstance(n, float) else "other"


@pytest.mark.parametrize("function", [doubled_if_a_tensor, dispatched])
def test_code_that_is_not_converted_takes_symbols_for_tensors(function):
    assert to_static(lambda x: function(x))(paddle.ones([1])).item() == 2.0


def test_code_that_is_not_converted_takes_numbers_of_a_run_for_numbers():
    @to_static
    def step(x):
        return kind_of_number(float(x)), kind_of_number(x)

    assert step(paddle.ones([])) == ("float", "other")


def test_symbols_are_no_tensors_where_a_program_is_built_by_hand():
    with paddle.static.program_guard(paddle.static.Program()):
        assert not isinstance(paddle.static.data("x", [1]), paddle.Tensor)
