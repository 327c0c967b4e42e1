"""ParamAttr and what stands for one."""

from __future__ import annotations

import pytest

from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn import Linear
from twinoar.nn.initializer import Constant
from twinoar.nn.param_attr import ParamAttr

DEFAULTS = {
    "name": None,
    "initializer": None,
    "learning_rate": 1.0,
    "regularizer": None,
    "trainable": True,
    "do_model_average": True,
    "need_clip": True,
}
HALF = Constant(0.5)


@pytest.mark.parametrize(
    ("given", "changed"),
    [(None, {}), (True, {}), ("w", {"name": "w"}), (HALF, {"initializer": HALF})],
)
def test_what_stands_for_an_attr(given, changed: dict) -> None:
    assert vars(ParamAttr._to_attr(given)) == DEFAULTS | changed


def test_an_attr_and_false_stay_as_they_are() -> None:
    attr = ParamAttr()
    assert ParamAttr._to_attr(attr) is attr
    assert ParamAttr._to_attr(False) is False


def test_a_list_is_converted_one_by_one() -> None:
    first, second = ParamAttr._to_attr(["w", False])
    assert (first.name, second) == ("w", False)


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"name": 5}, TypeMismatchError, "name must be a string, received int"),
        ({"name": ""}, ArgumentError, "name must not be empty"),
        ({"initializer": 5}, TypeMismatchError, "initializer must be an initializer"),
        ({"learning_rate": "a"}, TypeMismatchError, "learning_rate must be a number"),
    ],
)
def test_an_attr_checks_its_arguments(arguments: dict, error, match: str) -> None:
    with pytest.raises(error, match=match):
        ParamAttr(**arguments)


def test_a_layer_refuses_what_stands_for_none() -> None:
    with pytest.raises(TypeMismatchError, match="expected a ParamAttr, a name, an initializer"):
        Linear(2, 2, weight_attr=5)


def test_repr_shows_what_is_not_default() -> None:
    assert repr(ParamAttr("w", trainable=False)) == "ParamAttr(name='w', trainable=False)"
