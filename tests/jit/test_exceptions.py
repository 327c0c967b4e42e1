"""Exceptions that a tensor decides about, and the try statements around them."""

import contextlib

import pytest

import twinoar as paddle
from tests.jit.parity import assert_same, tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static

INPUTS = [(1.0, 2.0, 3.0), (-1.0, -2.0, -3.5)]


def missing_key(x):
    return x * {}["missing"] if x.sum() > 0 else x


def raised(x):
    if x.sum() > 0:
        raise KeyError("raised")
    return x


def asserted(x):
    if x.max() > 0:
        assert x.sum() < 0, "asserted"
    return x


def divided(x):
    return x * (1 // int(x[0] - x[0])) if x.sum() > 0 else x


def in_a_loop(x):
    while x.sum() < 3:
        x = x + 1
        [][1]
    return x


FAILING = [missing_key, raised, asserted, divided, in_a_loop]


@pytest.mark.parametrize("fails", FAILING)
def test_an_except_around_the_call_is_not_passed_by(fails):
    def function(x):
        try:
            return fails(x)
        except (LookupError, AssertionError, ArithmeticError):
            return x * 100

    with pytest.raises(ConversionError, match="stands in a try") as told:
        to_static(function)(tensor(1.0, 1.0))
    assert "write an if" in told.value.cure


def test_a_finally_around_the_call_is_not_passed_by():
    def function(x):
        try:
            return raised(x)
        finally:
            print("after")

    with pytest.raises(ConversionError, match="stands in a try"):
        to_static(function)(tensor(1.0, 1.0))


@pytest.mark.parametrize("fails", [missing_key, asserted, divided])
def test_an_except_of_another_class_leaves_it_alone(fails):
    def function(x):
        try:
            return fails(x)
        except (OSError, TypeError):
            return x * 100

    static = to_static(function)
    assert static(tensor(-1.0, -1.0)).tolist() == [-1.0, -1.0]
    with pytest.raises((KeyError, AssertionError, ZeroDivisionError)):
        static(tensor(1.0, 1.0))


def test_an_except_in_the_same_branch_is_pythons(capsys):
    def function(x):
        y = x
        if x.sum() > 0:
            try:
                raise KeyError("near")
            except KeyError:
                y = x * 2
            try:
                try:
                    y = y * {}["near"]
                except ValueError:
                    y = y * 7
            except LookupError:
                y = y + 1
        return y

    assert_same(function, capsys, inputs=INPUTS, specs=(None,))


@pytest.mark.parametrize("fails", [missing_key, raised])
def test_what_python_raises_under_a_tensor_is_raised_when_it_comes_there(fails):
    static = to_static(fails)
    assert static(tensor(-1.0, 0.5)).tolist() == [-1.0, 0.5]
    with pytest.raises(KeyError):
        static(tensor(1.0))
    with pytest.raises(KeyError):
        static(tensor(1.0, 2.0))


def test_what_comes_before_an_exception_happens(capsys):
    def function(x):
        print("before")
        if x.sum() > 2:
            raise ValueError("left")
        return x * {}["missing"]

    static = to_static(function)
    with pytest.raises(KeyError):
        static(tensor(1.0))
    with pytest.raises(ValueError, match="left"):
        static(tensor(3.0))
    assert capsys.readouterr().out == "before\nbefore\n"


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


@pytest.mark.parametrize("manager", [lambda: contextlib.suppress(KeyError), Swallowing])
@pytest.mark.parametrize("fails", [missing_key, raised])
def test_a_manager_that_would_take_the_exception_is_not_passed_by(manager, fails):
    def function(x):
        with manager():
            x = fails(x)
        return x * 2

    with pytest.raises(ConversionError, match="stands in a try"):
        to_static(function)(tensor(1.0, 1.0))


def test_managers_that_let_exceptions_pass_are_left_alone(capsys):
    def function(x):
        with paddle.no_grad(), contextlib.nullcontext(x) as y:
            assert y.sum() < 9, "too large"
        with contextlib.suppress(KeyError):
            {}["missing"]
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.nullcontext())
            return y + 1

    assert_same(function, capsys, inputs=INPUTS, specs=(None,))
