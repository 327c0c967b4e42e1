"""What cannot be quantized is told, and what was there before stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from tests.quantization.networks import calibrated, images, in_training, network
from twinoar import nn, static
from twinoar.errors import ArgumentError, DTypeError, TypeMismatchError
from twinoar.quantization import (
    PTQ,
    QAT,
    ImperativePTQ,
    ImperativeQuantAware,
    QuantConfig,
    quanter,
)
from twinoar.quantization.base_quanter import BaseQuanter
from twinoar.quantization.observers import AbsmaxObserver
from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver

SPEC = [static.InputSpec([None, 1, 8, 8], "float32")]


def by_qat(net: nn.Layer) -> nn.Layer:
    return in_training(net.train())[1]


def by_ptq(net: nn.Layer) -> nn.Layer:
    return PTQ(QuantConfig(AbsmaxObserver(), AbsmaxObserver())).quantize(net.eval())


def by_older_qat(net: nn.Layer) -> nn.Layer:
    return ImperativeQuantAware().quantize(net)


def by_older_ptq(net: nn.Layer) -> nn.Layer:
    return ImperativePTQ().quantize(net)


WAYS = [by_qat, by_ptq, by_older_qat, by_older_ptq]


def states(net: nn.Layer) -> dict[str, np.ndarray]:
    return {name: value.numpy().copy() for name, value in net.state_dict().items()}


@pytest.mark.parametrize("second", WAYS)
@pytest.mark.parametrize("first", WAYS)
def test_no_way_quantizes_what_another_has(
    first: Callable[[nn.Layer], nn.Layer], second: Callable[[nn.Layer], nn.Layer]
) -> None:
    net = first(network())
    before, shown = states(net), str(net)
    with pytest.raises(ArgumentError, match="quantized already"):
        second(net)
    assert str(net) == shown
    for name, value in states(net).items():
        np.testing.assert_array_equal(value, before[name])


@pytest.mark.parametrize("way", WAYS)
def test_a_converted_network_is_not_quantized(way: Callable[[nn.Layer], nn.Layer]) -> None:
    ptq, net = calibrated()
    converted = ptq.convert(net)
    expected = converted(images())
    with pytest.raises(ArgumentError, match="quantized already"):
        way(converted)
    np.testing.assert_array_equal(converted(images()), expected)


@pytest.mark.parametrize("kind", [QAT, PTQ])
def test_what_is_no_layer_is_refused(kind: type) -> None:
    with pytest.raises(TypeMismatchError, match="expected a Layer"):
        kind(QuantConfig(AbsmaxObserver(), None)).quantize(3)


@quanter("FailsSecond")
class FailsSecondLayer(BaseQuanter):
    """Can be made once."""

    made = 0

    def __init__(self, layer: Any):
        super().__init__()
        FailsSecondLayer.made += 1
        if FailsSecondLayer.made > 1:
            raise ArgumentError("there is one")

    def forward(self, input: Any) -> Any:
        return input

    def scales(self) -> Any:
        return None

    zero_points = scales

    def quant_axis(self) -> int:
        return -1

    def bit_length(self) -> int:
        return 8


def test_a_network_is_not_left_half_quantized_in_place() -> None:
    FailsSecondLayer.made = 0
    net, shown = network(), str(network())
    qat = QAT(QuantConfig(None, FailsSecond()))  # noqa: F821  # `quanter` has made it
    with pytest.raises(ArgumentError, match="there is one"):
        qat.quantize(net, inplace=True)
    assert str(net) == shown
    in_training(net)[1](images())


def test_a_network_is_not_left_half_quantized_by_older_names() -> None:
    made: list[int] = []

    def once() -> nn.Layer:
        made.append(1)
        if len(made) > 1:
            raise ArgumentError("there is one")
        return nn.Identity()

    net, shown = network(), str(network())
    with pytest.raises(ArgumentError, match="there is one"):
        ImperativeQuantAware(weight_preprocess_layer=once).quantize(net)
    assert str(net) == shown


def test_a_layer_alone_cannot_change_in_place() -> None:
    with pytest.raises(ArgumentError, match="put it into a Sequential"):
        ImperativeQuantAware().quantize(nn.Linear(2, 2))


@pytest.mark.parametrize(
    "given",
    [
        {"weight_bits": 1},
        {"activation_bits": 17},
        {"moving_rate": 1.0},
        {"weight_quantize_type": "log"},
        {"activation_quantize_type": "channel_wise_abs_max"},
    ],
)
def test_settings_are_checked_before_a_network_is_changed(given: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        ImperativeQuantAware(**given)


@pytest.mark.parametrize("dtype", ["complex64", "bool"])
def test_values_that_are_no_real_numbers_are_not_observed(dtype: str) -> None:
    observer = AbsmaxObserver()._instance(None)
    with pytest.raises(DTypeError, match=f"must be real numbers, received {dtype}"):
        observer(twinoar.ones([3], dtype))
    assert observer.scales() is None


@pytest.mark.parametrize("way", [by_qat, by_older_qat])
def test_values_that_are_no_floats_are_not_rounded(way: Callable[[nn.Layer], nn.Layer]) -> None:
    net = way(network())
    before = states(net)
    with pytest.raises(DTypeError, match="expected a floating dtype, received int64"):
        net(twinoar.ones([2, 1, 8, 8], "int64"))
    for name, value in states(net).items():
        np.testing.assert_array_equal(value, before[name], err_msg=name)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
@pytest.mark.parametrize("way", [by_qat, by_ptq])
def test_other_floats_are_quantized_and_stay(
    dtype: str, way: Callable[[nn.Layer], nn.Layer]
) -> None:
    net = way(nn.Sequential(nn.Linear(4, 3)).to(dtype=dtype))
    x = twinoar.randn([5, 4]).astype(dtype)
    net(x)
    converted = QAT(QuantConfig(FakeQuanterWithAbsMaxObserver(), None)).convert(net.eval())
    assert converted(x).dtype == net(x).dtype == x.dtype
    assert converted[0].weight.dtype == twinoar.int8


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_the_weight_that_is_not_finite_is_named(value: float) -> None:
    net = network()
    net[4].weight.set_value(np.full((36, 5), value, "f4"))
    prepared = by_ptq(net)
    with pytest.raises(ArgumentError, match=r"weight linear.*must be finite"):
        prepared(images())


def test_weights_that_are_not_finite_are_not_saved(tmp_path: Path) -> None:
    aware = ImperativeQuantAware()
    net = aware.quantize(network())
    net(images())
    weight = net[4]._layer.weight
    kept = weight.numpy().copy()
    weight.set_value(np.full((36, 5), np.nan, "f4"))
    with pytest.raises(ArgumentError, match=r"4\._layer\.weight is not finite"):
        aware.save_quantized_model(net, str(tmp_path / "net"), SPEC)
    assert not list(tmp_path.iterdir()) and net.training
    weight.set_value(kept)
    aware.save_quantized_model(net, str(tmp_path / "net"), SPEC)


def test_saving_what_is_not_quantized_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="call quantize first"):
        ImperativeQuantAware().save_quantized_model(network(), str(tmp_path / "net"), SPEC)


def test_saving_what_has_not_been_trained_is_warned_of(tmp_path: Path) -> None:
    aware = ImperativeQuantAware()
    net = aware.quantize(network())
    with pytest.warns(UserWarning, match=r"no data has passed in training through 0\._layer"):
        aware.save_quantized_model(net, str(tmp_path / "net"), SPEC)


def test_older_networks_are_not_converted_by_newer_names() -> None:
    net = by_older_qat(network())
    with pytest.raises(ArgumentError, match="no quanters"):
        in_training()[0].convert(net)
