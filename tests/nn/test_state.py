"""state_dict and set_state_dict."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar.eager.tensor import to_tensor
from twinoar.errors import DTypeError, TypeMismatchError
from twinoar.nn import BatchNorm1D, Layer, Linear, ReLU, Sequential

KEYS = ["0.weight", "0.bias", "1.weight", "1.bias", "1._mean", "1._variance"]


@pytest.fixture
def net() -> Sequential:
    return Sequential(Linear(2, 3), BatchNorm1D(3), ReLU())


def ones_of(net: Layer) -> dict[str, np.ndarray]:
    return {key: np.ones(value.shape, "float32") for key, value in net.state_dict().items()}


def test_keys_and_their_order_are_those_of_paddle(net: Sequential) -> None:
    assert list(net.state_dict()) == KEYS


def test_own_parameters_come_before_own_buffers_before_sublayers() -> None:
    layer = Layer()
    layer.fc = Linear(1, 1)
    layer.register_buffer("buffer", to_tensor([1.0]))
    layer.w = layer.create_parameter([1])
    assert list(layer.state_dict()) == ["w", "buffer", "fc.weight", "fc.bias"]


def test_values_are_the_live_ones(net: Sequential) -> None:
    assert net.state_dict()["0.weight"] is net[0].weight


def test_values_without_gradients_on_request(net: Sequential) -> None:
    assert net.state_dict(keep_vars=False)["0.weight"].stop_gradient


def test_a_shared_layer_stands_under_each_name() -> None:
    fc = Linear(1, 1, bias_attr=False)
    assert list(Sequential(fc, fc).state_dict()) == ["0.weight", "1.weight"]


def test_prefix_and_destination(net: Sequential) -> None:
    found: dict = {}
    assert net.state_dict(found, structured_name_prefix="net.") is found
    assert next(iter(found)) == "net.0.weight"
    assert net.state_dict(include_sublayers=False) == {}


def test_buffers_that_are_not_kept_are_in_the_static_state_only() -> None:
    layer = Layer()
    layer.register_buffer("passing", to_tensor([1.0]), persistable=False)
    assert list(layer.state_dict()) == []
    assert list(layer.to_static_state_dict()) == ["passing"]


def test_a_state_dict_hook_may_replace_the_state(net: Sequential) -> None:
    handle = net.register_state_dict_hook(lambda state: {"only": state["0.bias"]})
    assert list(net.state_dict()) == ["only"]
    assert list(net.state_dict(use_hook=False)) == KEYS
    handle.remove()
    assert list(net.state_dict()) == KEYS


def test_values_are_taken_over(net: Sequential, recwarn) -> None:
    assert net.set_state_dict(ones_of(net)) == ([], [])
    assert all(np.all(value.numpy() == 1) for value in net.state_dict().values())
    assert not recwarn.list


def test_a_parameter_that_takes_a_value_stays_the_same_object(net: Sequential) -> None:
    weight = net[0].weight
    net.set_state_dict(ones_of(net))
    assert net[0].weight is weight
    assert not weight.stop_gradient


def test_later_changes_to_the_state_do_not_reach_the_layer(net: Sequential) -> None:
    state = ones_of(net)
    net.set_state_dict(state)
    state["0.bias"][:] = 7
    assert net[0].bias.tolist() == [1.0, 1.0, 1.0]


def test_missing_and_unexpected_names_are_returned_and_warned_of(net: Sequential) -> None:
    state = ones_of(net)
    del state["0.bias"]
    state["foo"] = np.zeros(1, "float32")
    with pytest.warns(UserWarning) as warned:
        assert net.set_state_dict(state) == (["0.bias"], ["foo"])
    assert [str(w.message).split(";")[0] for w in warned] == [
        "the state has no 0.bias",
        "the layer has no foo",
    ]


def test_a_value_of_another_shape_is_left_out_and_the_rest_is_taken(net: Sequential) -> None:
    state = {**ones_of(net), "0.bias": np.ones(9, "float32")}
    before = net[0].bias.tolist()
    with pytest.warns(UserWarning) as warned:
        assert net.set_state_dict(state) == (["0.bias"], ["0.bias"])
    assert [str(w.message) for w in warned] == [
        "0.bias has shape [3] in the layer and [9] in the state; it stays as it is"
    ]
    assert net[0].bias.tolist() == before
    assert np.all(net[0].weight.numpy() == 1)


def test_names_of_parameters_serve_as_well(net: Sequential) -> None:
    state = {value.name: np.ones(value.shape, "float32") for value in net.state_dict().values()}
    assert net.set_state_dict(state, use_structured_name=False) == ([], [])
    assert net[0].bias.tolist() == [1.0, 1.0, 1.0]


def test_the_name_table_of_paddles_files_is_no_value(net: Sequential, recwarn) -> None:
    assert net.set_state_dict({**ones_of(net), "StructuredToParameterName@@": {}}) == ([], [])
    assert not recwarn.list


@pytest.mark.parametrize(
    ("wrong", "error", "match"),
    [
        (np.ones(3, "float64"), DTypeError, "1.weight is float32 in the layer and float64"),
        (
            [1.0, 2.0, 3.0],
            TypeMismatchError,
            "1.weight must be a Tensor or an ndarray, received list",
        ),
    ],
)
def test_one_wrong_value_leaves_the_layer_as_it_was(net: Sequential, wrong, error, match) -> None:
    before = {key: value.numpy() for key, value in net.state_dict().items()}
    with pytest.raises(error, match=match):
        net.set_state_dict({**ones_of(net), "1.weight": wrong})
    assert all(np.array_equal(before[k], v.numpy()) for k, v in net.state_dict().items())


def test_a_state_is_a_dictionary(net: Sequential) -> None:
    with pytest.raises(TypeMismatchError, match="must be a dictionary of names and tensors"):
        net.set_state_dict(5)


def test_bfloat16_comes_back_from_the_uint16_of_paddles_files() -> None:
    layer = Linear(1, 1).bfloat16()
    bits = np.array([[0x3F80]], np.uint16)  # 1.0
    layer.set_state_dict({"weight": bits, "bias": np.array([0x4000], np.uint16)})
    assert (float(layer.weight), float(layer.bias)) == (1.0, 2.0)


@pytest.mark.parametrize("name", ["set_dict", "load_dict"])
def test_older_names_do_the_same(net: Sequential, name: str) -> None:
    getattr(net, name)(ones_of(net))
    assert net[0].bias.tolist() == [1.0, 1.0, 1.0]
