"""Tensors print as the real Paddle 3.3.1 prints them; see `printed.py` for the cases."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import twinoar
from tests.core.printed import CASES, DEFAULTS, RECORDED
from twinoar.errors import ArgumentError, TypeMismatchError

EXPECTED = json.loads(RECORDED.read_text())


@pytest.fixture(autouse=True)
def default_options() -> Iterator[None]:
    yield
    twinoar.set_printoptions(**DEFAULTS)


@pytest.mark.parametrize("name", CASES)
def test_prints_as_paddle(name: str) -> None:
    case = CASES[name]
    twinoar.set_printoptions(**{**DEFAULTS, **case.options})
    x = twinoar.to_tensor(case.data, dtype=case.dtype, stop_gradient=case.stop_gradient)
    assert str(x) == EXPECTED[name]


def test_every_case_is_recorded() -> None:
    assert EXPECTED.keys() == CASES.keys()


def test_repr_is_str() -> None:
    x = twinoar.to_tensor([[1.5, -2.0]])
    assert repr(x) == str(x)


def test_a_parameter_says_so_first() -> None:
    parameter = twinoar.create_parameter(
        [2], "float32", default_initializer=twinoar.nn.initializer.Constant(1.5)
    )
    assert str(parameter) == (
        "Parameter containing:\n"
        "Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=False,\n"
        "       [1.50000000, 1.50000000])"
    )


def test_a_gradient_prints_as_wanting_one() -> None:
    x = twinoar.to_tensor([1.0, 2.0], stop_gradient=False)
    (x * x).sum().backward()
    assert str(x.grad) == (
        "Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=False,\n       [2., 4.])"
    )


def test_options_that_are_not_given_stay() -> None:
    twinoar.set_printoptions(precision=2)
    twinoar.set_printoptions(linewidth=120)
    assert "[0.50])" in str(twinoar.to_tensor([0.5]))


@pytest.mark.parametrize("name", ["precision", "threshold", "edgeitems", "linewidth"])
def test_a_negative_option_is_refused(name: str) -> None:
    with pytest.raises(ArgumentError, match=f"{name} must not be negative, received -1"):
        twinoar.set_printoptions(**{name: -1})


@pytest.mark.parametrize("name", ["precision", "threshold", "edgeitems", "linewidth"])
def test_an_option_must_be_a_whole_number(name: str) -> None:
    with pytest.raises(TypeMismatchError, match=f"{name} must be an int, received 'a'"):
        twinoar.set_printoptions(**{name: "a"})
