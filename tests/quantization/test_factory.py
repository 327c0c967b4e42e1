"""Factories of quanters."""

from __future__ import annotations

import copy

import pytest

from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.quantization import BaseQuanter, quanter
from twinoar.quantization.factory import QuanterFactory

__all__: list[str] = []


class Recorded(BaseQuanter):
    def forward(self, x):
        return x

    def scales(self):
        return None

    zero_points = quant_axis = scales

    def bit_length(self):
        return self.bits


@quanter("First")
class FirstLayer(Recorded):
    def __init__(self, layer, bits=8, rate=0.5):
        super().__init__()
        self.layer, self.bits, self.rate = layer, bits, rate


@quanter("Second")
class SecondLayer(Recorded):
    def __init__(self, bits, owner):
        super().__init__()
        self.layer, self.bits = owner, bits


def test_the_factory_stands_beside_the_class_and_in_all() -> None:
    assert issubclass(First, QuanterFactory)  # noqa: F821  # the decorator made it
    assert "First" in __all__ and First.__module__ == __name__  # noqa: F821


def test_a_quanter_gets_its_layer_where_it_names_it_whatever_comes_by_position() -> None:
    made = First(4, rate=0.25)._instance("the layer")  # noqa: F821
    assert (made.layer, made.bits, made.rate) == ("the layer", 4, 0.25)


def test_a_quanter_that_names_no_layer_gets_it_last() -> None:
    made = Second(4)._instance("the layer")  # noqa: F821
    assert (made.layer, made.bits) == ("the layer", 4)


def test_each_call_makes_another_quanter_and_copies_of_factories_make_the_same_kind() -> None:
    factory = copy.deepcopy(First(bits=4))  # noqa: F821
    assert factory._instance(None) is not factory._instance(None)
    assert str(factory) == repr(factory) == "First(bits=4)"


def test_names_that_are_taken_are_refused() -> None:
    with pytest.raises(ArgumentError, match="'copy' of a factory is taken"):
        quanter("copy")(FirstLayer)
    with pytest.raises(TypeMismatchError, match="class of quanters"):
        quanter("Third")(3)  # type: ignore[arg-type]


def test_an_abstract_quanter_is_not_made() -> None:
    with pytest.raises(TypeError, match="abstract"):
        BaseQuanter()  # type: ignore[abstract]
