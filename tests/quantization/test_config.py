"""Which layers are quantized: by type, by name, one by one, and what goes before what."""

from __future__ import annotations

import pytest

from tests.quantization.networks import images, network
from twinoar import nn
from twinoar.errors import ArgumentError, TypeMismatchError
from twinoar.nn.quant import Stub
from twinoar.nn.quant.qat import QuantedConv2D, QuantedLinear
from twinoar.nn.quant.stub import QuanterStub
from twinoar.quantization import PTQ, QuantConfig
from twinoar.quantization.observers import AbsmaxObserver
from twinoar.quantization.wrapper import ObserveWrapper


def bits(layer: nn.Layer) -> tuple[int | None, int | None]:
    """Bits of the quanters of the input and the weight of a layer."""
    names = ("activation_quanter", "weight_quanter")
    found = [getattr(layer, name, None) for name in names]
    return tuple(None if q is None else q.bit_length() for q in found)  # type: ignore[return-value]


def quantized(config: QuantConfig, net: nn.Layer) -> nn.Layer:
    return PTQ(config).quantize(net.eval())


def observer(bits: int) -> AbsmaxObserver:
    return AbsmaxObserver(quant_bits=bits)


def test_a_config_of_all_quantizes_layers_and_observes_leaves() -> None:
    net = quantized(QuantConfig(observer(8), observer(4)), network())
    kinds = [type(layer) for layer in net]
    assert kinds == [QuantedConv2D, ObserveWrapper, ObserveWrapper, ObserveWrapper, QuantedLinear]
    assert bits(net[0]) == (8, 4)


def test_a_config_of_weights_alone_observes_nothing() -> None:
    net = quantized(QuantConfig(activation=None, weight=observer(4)), network())
    assert [type(layer) for layer in net][1:4] == [nn.ReLU, nn.MaxPool2D, nn.Flatten]
    assert bits(net[4]) == (None, 4)


def test_types_go_before_all_and_names_before_types_and_layers_as_names() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2), nn.Conv2D(1, 1, 1))
    config = QuantConfig(activation=None, weight=observer(8))
    config.add_type_config(nn.Linear, weight=observer(7))
    config.add_name_config(net[1].full_name(), weight=observer(6))
    config.add_layer_config([net[2]], activation=observer(5))
    found = quantized(config, net)
    assert [bits(layer) for layer in found] == [(None, 7), (None, 6), (5, None), (None, 8)]


def test_what_is_said_of_a_layer_holds_for_its_parts() -> None:
    net = nn.Sequential(nn.Sequential(nn.Linear(2, 2)), nn.Linear(2, 2))
    config = QuantConfig(activation=None, weight=None)
    config.add_layer_config(net[0], weight=observer(4))
    found = quantized(config, net)
    assert bits(found[0][0]) == (None, 4) and type(found[1]) is nn.Linear


def test_leaves_that_users_declare_are_observed_as_one() -> None:
    class Block(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Linear(2, 2)

        def forward(self, x):
            return self.inner(x)

    config = QuantConfig(activation=observer(8), weight=None)
    config.add_customized_leaf(Block)
    assert isinstance(quantized(config, nn.Sequential(Block()))[0], ObserveWrapper)
    assert config.customized_leaves == [Block]


def test_layers_become_what_users_map_them_to() -> None:
    class Mine(QuantedLinear):
        pass

    config = QuantConfig(activation=observer(8), weight=None)
    config.add_qat_layer_mapping(nn.Linear, Mine)
    assert type(quantized(config, nn.Sequential(nn.Linear(2, 2)))[0]) is Mine
    assert config.default_qat_layer_mapping[nn.Linear] is QuantedLinear


def test_a_stub_takes_its_own_quanter_or_that_of_the_config() -> None:
    net = nn.Sequential(Stub(observer(4)), Stub())
    found = quantized(QuantConfig(activation=observer(8), weight=None), net)
    assert [type(layer) for layer in found] == [QuanterStub, QuanterStub]
    assert [layer._observer.bit_length() for layer in found] == [4, 8]


def test_a_layer_in_two_places_is_one_quantized_layer_in_both() -> None:
    layer = nn.Linear(3, 3)
    found = quantized(QuantConfig(None, observer(8)), nn.Sequential(layer, nn.ReLU(), layer))
    assert found[0] is found[2] and isinstance(found[0], QuantedLinear)


def test_positions_are_no_quantities() -> None:
    net = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 2))
    found = quantized(QuantConfig(observer(8), observer(8)), net)
    assert isinstance(found[0], nn.Embedding)


def test_the_copy_is_quantized_unless_it_is_to_be_the_network_itself() -> None:
    net = network().eval()
    PTQ(QuantConfig(None, observer(8))).quantize(net)
    assert type(net[0]) is nn.Conv2D
    assert PTQ(QuantConfig(None, observer(8))).quantize(net, inplace=True) is net
    assert type(net[0]) is QuantedConv2D


def test_a_layer_alone_becomes_a_quantized_layer() -> None:
    assert isinstance(quantized(QuantConfig(None, observer(8)), nn.Linear(2, 2)), QuantedLinear)


def test_details_tell_what_holds_for_each_layer() -> None:
    ptq = PTQ(QuantConfig(None, observer(4)))
    ptq.quantize(network().eval())(images())
    assert "(4): QuantedLinear(), activation: None" in str(ptq)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: QuantConfig(observer(8), 3), TypeMismatchError, "weight must be a factory"),
        (lambda: QuantConfig(None, None).add_layer_config(3), TypeMismatchError, "a Layer"),
        (lambda: QuantConfig(None, None).add_name_config(3), TypeMismatchError, "name of a layer"),
        (lambda: QuantConfig(None, None).add_type_config(3), TypeMismatchError, "class of layers"),
        (lambda: PTQ(None), TypeMismatchError, "expected a QuantConfig"),
        (lambda: observer(1)._instance(None), ArgumentError, "quant_bits must be from 2 to 16"),
        (
            lambda: quantized(QuantConfig(None, None), network()),
            ArgumentError,
            "quantizes no layer",
        ),
    ],
)
def test_what_is_wrong_is_told(call, error, text) -> None:
    with pytest.raises(error, match=text):
        call()


def test_a_layer_that_the_network_does_not_have_is_told() -> None:
    config = QuantConfig(None, None)
    config.add_layer_config(nn.Linear(2, 2), weight=observer(8))
    with pytest.raises(ArgumentError, match="the network has no layer 'linear_"):
        quantized(config, network())
