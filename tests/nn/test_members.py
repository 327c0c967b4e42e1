"""What a layer is made of, and how assignments sort it."""

from __future__ import annotations

import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import ArgumentError, ProgramError, TypeMismatchError
from twinoar.nn import Layer, LayerList, Linear, ReLU, Sequential


class Net(Layer):
    """One of each: sublayer, shared one, parameter, both kinds of buffers, empty buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = Linear(2, 2)
        self.register_buffer("kept", to_tensor([1.0]))
        self.register_buffer("passing", to_tensor([2.0]), persistable=False)
        self.register_buffer("empty", None)
        self.scale = self.create_parameter([2])
        self.act = ReLU()
        self.shared = self.fc
        self.note = "text"


@pytest.fixture
def net() -> Net:
    return Net()


def names(pairs) -> list[str]:
    return [name for name, _ in pairs]


def test_assignments_are_sorted_by_what_is_assigned(net: Net) -> None:
    assert list(net._sub_layers) == ["fc", "act", "shared"]
    assert list(net._parameters) == ["scale"]
    assert list(net._buffers) == ["kept", "passing", "empty"]
    assert net.__dict__["note"] == "text"


def test_a_tensor_that_was_assigned_is_kept_once_it_is_registered() -> None:
    layer = Layer()
    layer.index = to_tensor([1.0])
    assert list(layer.state_dict()) == []
    layer.register_buffer("index", layer.index)
    assert list(layer.state_dict()) == ["index"]
    layer.register_buffer("index", layer.index, persistable=False)
    assert list(layer.state_dict()) == []


def test_walks_give_what_is_shared_once(net: Net) -> None:
    assert names(net.named_sublayers()) == ["fc", "act"]
    assert names(net.named_children()) == ["fc", "act"]
    assert names(net.named_parameters()) == ["scale", "fc.weight", "fc.bias"]
    assert len(net.parameters()) == 3


def test_walks_begin_names_with_the_prefix(net: Net) -> None:
    assert names(net.named_parameters("top")) == ["top.scale", "top.fc.weight", "top.fc.bias"]
    assert names(net.named_sublayers("top", include_self=True)) == ["top", "top.fc", "top.act"]


def test_parameters_without_sublayers_are_the_own(net: Net) -> None:
    assert names(net.named_parameters(include_sublayers=False)) == ["scale"]


def test_layers_in_layers_set_are_left_out(net: Net) -> None:
    assert names(net.named_sublayers(layers_set={net.fc})) == ["act"]


def test_parents_come_before_children() -> None:
    inner = Sequential(ReLU())
    outer = Sequential(inner, Linear(1, 1))
    assert outer.sublayers(include_self=True) == [outer, inner, inner[0], outer[1]]


def test_buffers_that_are_empty_are_left_out(net: Net) -> None:
    assert names(net.named_buffers()) == ["kept", "passing"]
    assert net.empty is None


def test_a_buffer_is_persistable_where_registered_so(net: Net) -> None:
    assert (net.kept.persistable, net.passing.persistable) == (True, False)


def test_a_tensor_assigned_to_a_new_name_is_a_buffer_that_is_not_saved(net: Net) -> None:
    net.extra = to_tensor([1.0])
    assert "extra" in net._buffers
    assert "extra" not in net.state_dict()


def test_a_tensor_assigned_to_a_buffer_takes_its_place(net: Net) -> None:
    net.kept = to_tensor([5.0, 6.0])
    assert net.kept.tolist() == [5.0, 6.0]
    assert net.kept.persistable
    assert "kept" in net.state_dict()


@pytest.mark.parametrize("name", ["fc", "scale", "kept"])
def test_none_empties_a_member_and_keeps_its_place(net: Net, name: str) -> None:
    setattr(net, name, None)
    assert getattr(net, name) is None
    assert name in [*net._sub_layers, *net._parameters, *net._buffers]
    assert not any(key == name or key.startswith(f"{name}.") for key in net.state_dict())


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("fc", 5, "must be a Layer or None, received int"),
        ("scale", 5, "must be a Parameter or None, received int"),
        ("scale", to_tensor([1.0, 2.0]), "must be a Parameter or None, received Tensor"),
        ("kept", 5, "must be a Tensor or None, received int"),
    ],
)
def test_a_member_is_not_replaced_by_something_else(net: Net, name, value, expected) -> None:
    before = getattr(net, name)
    with pytest.raises(TypeMismatchError, match=f"'{name}' of Net {expected}"):
        setattr(net, name, value)
    assert getattr(net, name) is before


def test_a_parameter_takes_the_name_of_a_layer(net: Net) -> None:
    net.act = net.create_parameter([1])
    assert "act" in net._parameters
    assert "act" not in net._sub_layers


def test_a_layer_takes_the_name_of_an_ordinary_attribute(net: Net) -> None:
    net.note = ReLU()
    assert "note" in net._sub_layers
    assert "note" not in net.__dict__


def test_deleting_a_member_removes_it(net: Net) -> None:
    del net.scale, net.shared, net.kept, net.note
    assert not hasattr(net, "scale")
    assert list(net.state_dict()) == ["fc.weight", "fc.bias"]


def test_dir_lists_members(net: Net) -> None:
    assert {"fc", "scale", "kept", "forward", "note"} <= set(dir(net))


def test_an_unknown_attribute_is_named() -> None:
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'weight'"):
        _ = Net().weight


def test_a_layer_that_is_not_initialized_says_so() -> None:
    class Forgetful(Layer):
        def __init__(self) -> None:
            self.fc = Linear(1, 1)

    with pytest.raises(ProgramError, match=r"call super\(\).__init__\(\) first in Forgetful"):
        Forgetful()


def test_a_property_is_set_as_a_property() -> None:
    class Halved(Layer):
        @property
        def part(self) -> Layer:
            return self.inner

        @part.setter
        def part(self, layer: Layer) -> None:
            self.inner = layer

    layer = Halved()
    layer.part = ReLU()
    assert list(layer._sub_layers) == ["inner"]


@pytest.mark.parametrize("name", ["", "a.b", "fc", "forward"])
@pytest.mark.parametrize("add", ["add_parameter", "register_buffer"])
def test_a_new_member_needs_a_free_plain_name(net: Net, add: str, name: str) -> None:
    with pytest.raises(ArgumentError, match=r"must not be empty or have a dot|has an attribute"):
        getattr(net, add)(name, None)


def test_a_sublayer_may_have_a_dot_in_its_name(net: Net) -> None:
    net.add_sublayer("a.b", Linear(1, 1))
    assert "a.b.weight" in net.state_dict()


@pytest.mark.parametrize(
    ("add", "value", "expected"),
    [
        ("add_sublayer", 5, "sublayer 'x' must be a Layer, received int"),
        ("add_parameter", to_tensor([1.0]), "parameter 'x' must be a Parameter, received Tensor"),
        ("register_buffer", 5, "buffer 'x' must be a Tensor, received int"),
    ],
)
def test_a_new_member_is_of_its_kind(net: Net, add: str, value, expected: str) -> None:
    with pytest.raises(TypeMismatchError, match=expected):
        getattr(net, add)("x", value)


def test_adding_returns_what_was_added(net: Net) -> None:
    layer, parameter = ReLU(), net.create_parameter([1])
    assert net.add_sublayer("x", layer) is layer
    assert net.add_parameter("y", parameter) is parameter


def test_an_empty_sublayer_is_passed_over() -> None:
    layers = LayerList([ReLU(), ReLU()])
    layers._sub_layers["0"] = None
    assert len(layers.sublayers()) == 1
