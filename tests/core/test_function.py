"""One declaration of a public function: name, method, variant in place, what is said of a call."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import twinoar
from twinoar.core.op.function import function
from twinoar.core.values import INPLACE, Value
from twinoar.errors import TypeMismatchError


@function
def doubled(x: Value, times: int = 1) -> Value:
    """x, doubled so many times; itself for 0."""
    return x * 2**times if times else x


@function
def joined(x: Value, *more: Value) -> Value:
    """The sum of tensors."""
    return sum(more, x)


@pytest.fixture
def removed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Takes back what a declaration adds to tensors."""
    before, inplace = {*vars(Value)}, {*INPLACE}
    yield
    for name in {*vars(Value)} - before:
        delattr(Value, name)
    for name in {*INPLACE} - inplace:
        del INPLACE[name]


def test_a_function_takes_a_name_besides() -> None:
    assert list(inspect.signature(doubled).parameters) == ["x", "times", "name"]
    assert doubled.__name__ == "doubled"
    assert doubled(twinoar.ones([2]), name="d").name == "d"


def test_the_name_may_stand_last() -> None:
    assert doubled(twinoar.ones([2]), 1, "d").name == "d"


def test_behind_any_number_of_arguments_the_name_is_a_keyword() -> None:
    kind = inspect.signature(joined).parameters["name"].kind
    assert kind is inspect.Parameter.KEYWORD_ONLY
    assert joined(twinoar.ones([2]), twinoar.ones([2]), name="j").name == "j"


def test_an_argument_that_is_passed_on_keeps_its_name() -> None:
    x = twinoar.ones([2])
    before = x.name
    assert doubled(x, 0, name="d") is x
    assert x.name == before


def test_results_have_the_name_in_a_program() -> None:
    with twinoar.static.program_guard(twinoar.static.Program()):
        x = twinoar.static.data("x", [2])
        assert twinoar.trapezoid(x, name="area").name == "area"


def test_a_definition_with_a_name_of_its_own_keeps_it() -> None:
    @function
    def named(x: Value, name: str = "n") -> str:
        return name

    assert named(twinoar.ones([1])) == "n"
    assert list(inspect.signature(named).parameters) == ["x", "name"]


def test_one_without_a_name_refuses_it() -> None:
    @function(named=False)
    def bare(x: Value) -> Value:
        return x

    with pytest.raises(TypeMismatchError, match="bare has no argument name"):
        bare(twinoar.ones([1]), name="n")


def test_method_and_variant_in_place_follow(removed: None) -> None:
    @function(method="tripled thrice", inplace=True)
    def tripled(x: Value) -> Value:
        """3 x."""
        return x * 3

    x = twinoar.ones([1])
    assert (x.tripled().item(), x.thrice(name="t").name) == (3.0, "t")
    assert x.tripled_() is x
    assert x.item() == 3.0


def test_keywords_of_others_and_near_names_are_known() -> None:
    assert doubled(input=twinoar.ones([1])).item() == 2.0
    with pytest.raises(TypeMismatchError, match="no argument tims") as caught:
        doubled(twinoar.ones([1]), tims=2)
    assert caught.value.cure == "times may be meant: call it as doubled(x, times=1, name=None)"


def test_one_argument_too_many_shows_how_to_call() -> None:
    with pytest.raises(TypeMismatchError, match="do not fit"):
        doubled(twinoar.ones([1]), 1, "name", "more")
