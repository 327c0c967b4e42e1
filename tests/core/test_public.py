"""Public operators are plain functions for those who look."""

from __future__ import annotations

import functools
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import twinoar
from tests.project.test_api_page import ABSENT, NAMES, find
from twinoar.core.op.definition import Op, operator_of, registry
from twinoar.errors import TypeMismatchError

FUNCTIONS = [
    name
    for name in NAMES.read_text().split()
    if not name.startswith("paddle.Tensor.")
    and not inspect.isclass(find(name))
    and callable(find(name))
    and not hasattr(find(name), "__origin__")  # a name of a type
    and find(name) is not ABSENT
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_is_a_function_and_no_object(name: str) -> None:
    found: Any = find(name)
    assert inspect.isfunction(found) or inspect.ismethod(found)
    assert isinstance(found.__name__, str)
    assert inspect.signature(found) is not None


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if operator_of(find(n)) is not None])
def test_a_public_operator_is_pickled_by_reference(name: str) -> None:
    found: Any = find(name)
    assert pickle.loads(pickle.dumps(found)) is found
    assert found.__qualname__ == found.__name__
    assert found.__doc__


@pytest.mark.parametrize("name", ["relu_", "exp_", "add_", "squeeze_"])
def test_an_in_place_function_is_pickled_by_reference(name: str) -> None:
    found = getattr(twinoar, name)
    assert pickle.loads(pickle.dumps(found)) is found


def test_the_operator_of_a_public_function_is_found() -> None:
    assert operator_of(twinoar.add) is twinoar.add.op is registry["add"]
    assert isinstance(registry["add"], Op)
    assert registry["add"].public is twinoar.add


def test_what_wraps_a_public_function_is_not_the_operator() -> None:
    @functools.wraps(twinoar.add)
    def wrapped(x: Any, y: Any) -> Any:
        return twinoar.add(x, y) * 2

    assert (wrapped.__name__, wrapped.__module__) == ("add", "twinoar")
    assert inspect.signature(wrapped) == inspect.signature(twinoar.add)
    assert wrapped(twinoar.ones([1]), twinoar.ones([1])).item() == 4.0
    assert operator_of(wrapped) is None


def test_the_signature_is_that_of_the_operator() -> None:
    parameters = inspect.signature(twinoar.allclose).parameters
    assert list(parameters) == ["x", "y", "rtol", "atol", "equal_nan", "name"]
    assert twinoar.allclose.__name__ == "allclose"


@pytest.mark.parametrize("call", [twinoar.add, registry["add"]])
def test_a_call_that_does_not_fit_is_told_alike(call: Callable[..., Any]) -> None:
    with pytest.raises(TypeMismatchError, match=r"add: the arguments do not fit") as caught:
        call(twinoar.ones([1]), no_such=1)
    assert str(caught.value.cure).startswith("call it as add(x, y, name=None")


def test_keywords_of_paddle_3_are_taken() -> None:
    assert twinoar.abs(input=twinoar.to_tensor([-1.0])).tolist() == [1.0]
