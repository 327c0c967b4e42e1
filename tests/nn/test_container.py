"""Sequential, LayerList, LayerDict, ParameterList, ParameterDict."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, AxisError, TypeMismatchError, UnknownNameError
from twinoar.nn import (
    ELU,
    GELU,
    Identity,
    Layer,
    LayerDict,
    LayerList,
    Linear,
    ParameterDict,
    ParameterList,
    ReLU,
    Sequential,
    Sigmoid,
    Tanh,
)


class Plus(Layer):
    def __init__(self, amount: float) -> None:
        super().__init__()
        self.amount = amount

    def forward(self, x):
        return x + self.amount


def kinds(layers) -> list[str]:
    return [type(layer).__name__ for layer in layers]


def test_a_sequential_calls_its_layers_in_order() -> None:
    class Double(Layer):
        def forward(self, x):
            return x * 2.0

    assert Sequential(Plus(1.0), Double())(to_tensor(1.0)).item() == 4.0
    assert Sequential(Double(), Plus(1.0))(to_tensor(1.0)).item() == 3.0


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (lambda a, b: (a, b), ["0", "1"]),
        (lambda a, b: (("x", a), ("y", b)), ["x", "y"]),
        (lambda a, b: (["x", a], ["y", b]), ["x", "y"]),
        (lambda a, b: ([("x", a), ("y", b)],), ["x", "y"]),
        (lambda a, b: ([a, b],), ["0", "1"]),
        (lambda a, b: (OrderedDict(x=a, y=b),), ["x", "y"]),
        (lambda a, b: (("x", a), b), ["x", "1"]),
    ],
)
def test_ways_to_give_layers_to_a_sequential(given, names: list[str]) -> None:
    net = Sequential(*given(ReLU(), Tanh()))
    assert list(net._sub_layers) == names
    assert kinds(net) == ["ReLU", "Tanh"]


def test_a_single_pair_is_one_layer() -> None:
    assert list(Sequential(("x", ReLU()))._sub_layers) == ["x"]


def test_indexing_a_sequential() -> None:
    net = Sequential(ReLU(), Tanh(), Sigmoid())
    assert net[0] is net["0"]
    assert net[-1] is net[2]
    assert kinds(net[1:]) == ["Tanh", "Sigmoid"]
    assert isinstance(net[1:], Sequential)
    assert len(net) == 3


def test_changing_a_sequential() -> None:
    net = Sequential(ReLU(), Tanh())
    net[0] = GELU()
    net["x"] = ELU()
    assert list(net._sub_layers) == ["0", "1", "x"]
    del net[0]
    assert list(net._sub_layers) == ["1", "x"]
    net = Sequential(ReLU()).append(Tanh()).extend([Sigmoid()]).insert(0, ELU())
    assert kinds(net) == ["ELU", "ReLU", "Tanh", "Sigmoid"]
    assert list(net._sub_layers) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("index", [2, -3])
def test_an_index_out_of_range_is_refused(index: int) -> None:
    for container in (Sequential(ReLU(), Tanh()), LayerList([ReLU(), Tanh()])):
        with pytest.raises(AxisError, match=rf"index {index} is out of range"):
            container[index]


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no sublayer 'y'"):
        Sequential(("x", ReLU()))["y"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Sequential(5),
        lambda: LayerList([5]),
        lambda: LayerDict({"a": 5}),
        lambda: LayerList().append(5),
        lambda: LayerDict(5),
        lambda: ParameterList([5]),
        lambda: ParameterList([to_tensor([1.0])]),
    ],
)
def test_containers_hold_layers_or_parameters_only(make) -> None:
    with pytest.raises(TypeMismatchError):
        make()


def test_a_layer_list_behaves_as_a_list() -> None:
    layers = LayerList([ReLU(), Tanh()])
    layers.append(ELU()).extend([Sigmoid()])
    layers.insert(0, GELU())
    layers.insert(-1, Identity())
    assert kinds(layers) == ["GELU", "ReLU", "Tanh", "ELU", "Identity", "Sigmoid"]
    del layers[1:3]
    assert kinds(layers) == ["GELU", "ELU", "Identity", "Sigmoid"]
    del layers[-1]
    assert list(layers._sub_layers) == ["0", "1", "2"]
    layers[-1] = Tanh()
    assert kinds(layers) == ["GELU", "ELU", "Tanh"]
    assert kinds(layers[:2]) == ["GELU", "ELU"]


def test_a_layer_list_refuses_to_insert_out_of_range() -> None:
    with pytest.raises(AxisError, match=r"index must be in \[-1, 1\], received 9"):
        LayerList([ReLU()]).insert(9, ReLU())


def test_the_parameters_of_held_layers_are_the_containers() -> None:
    assert list(LayerList([Linear(1, 1)]).state_dict()) == ["0.weight", "0.bias"]
    assert list(LayerDict({"a": Linear(1, 1)}).state_dict()) == ["a.weight", "a.bias"]


def test_a_layer_dict_behaves_as_a_dict() -> None:
    layers = LayerDict([("a", ReLU()), ("b", Tanh())])
    layers["c"] = ELU()
    assert list(layers.keys()) == list(layers) == ["a", "b", "c"]
    assert kinds(layers.values()) == ["ReLU", "Tanh", "ELU"]
    assert isinstance(layers.pop("a"), ReLU)
    assert "a" not in layers
    layers.update(LayerDict({"b": GELU(), "d": Sigmoid()}))
    assert [(k, type(v).__name__) for k, v in layers.items()] == [
        ("b", "GELU"),
        ("c", "ELU"),
        ("d", "Sigmoid"),
    ]
    del layers["b"]
    assert len(layers) == 2
    layers.clear()
    assert len(layers) == 0


def test_a_layer_dict_names_what_it_lacks() -> None:
    with pytest.raises(KeyError, match="no sublayer 'q'"):
        LayerDict({"a": ReLU()})["q"]
    with pytest.raises(ArgumentError, match="expected pairs"):
        LayerDict([1, 2])


def test_a_parameter_list_behaves_as_a_list() -> None:
    weights = [Linear(1, n).weight for n in (1, 2)]
    held = ParameterList(weights)
    held.append(Linear(1, 3).weight)
    assert [p.shape for p in held] == [[1, 1], [1, 2], [1, 3]]
    assert held[-1] is held[2]
    held[0] = weights[1]
    assert held[0] is weights[1]
    assert list(held.state_dict()) == ["0", "1", "2"]
    with pytest.raises(AxisError, match="index 3 is out of range"):
        held[3]


def test_a_parameter_dict_holds_parameters_by_name() -> None:
    w, b = Linear(2, 3).parameters()
    held = ParameterDict({"w": w})
    held.update([("b", b)])
    held.update(ParameterDict({"w": b}))
    assert list(held) == ["w", "b"] and len(held) == 2 and "b" in held
    assert held["w"] is b and [name for name, _ in held.named_parameters()] == ["w"]
    with pytest.raises(UnknownNameError, match="no parameter 'c'"):
        held["c"]
    with pytest.raises(TypeMismatchError, match="must be a Parameter"):
        held["c"] = 3
    with pytest.raises(ArgumentError, match="pairs of a name and a parameter"):
        held.update([w])
