"""Quantization by Paddle's older names is what the newer ones do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from tests.quantization.networks import images, network
from twinoar import jit, nn, quantization, static
from twinoar.errors import ArgumentError, TypeMismatchError, UnsupportedError
from twinoar.nn.quant import quant_layers
from twinoar.quantization import imperative, observers

SPEC = [static.InputSpec([None, 1, 8, 8], "float32")]


def test_the_names_are_at_both_places() -> None:
    assert quantization.ImperativePTQ is imperative.ImperativePTQ
    assert quantization.ImperativeQuantAware is imperative.ImperativeQuantAware


PAIRS = [
    (imperative.AbsmaxQuantizer(4), observers.AbsmaxObserver(4)),
    (imperative.HistQuantizer(bins=256), observers.HistObserver(bins_count=256, percent=0.99999)),
    (imperative.KLQuantizer(bins=512), observers.KLObserver(bins_count=512, least_share=0.5)),
]


@pytest.mark.parametrize(("quantizer", "observer"), PAIRS, ids=lambda x: type(x).__name__)
def test_after_training_it_is_what_ptq_does(quantizer: Any, observer: Any, tmp_path: Path) -> None:
    of_weights = observers.AbsMaxChannelWiseWeightObserver(quant_bits=4)
    config = quantization.QuantConfig(None, None)
    config.add_type_config([nn.Conv2D, nn.Linear], observer, of_weights)
    expected = quantization.PTQ(config).quantize(network().eval())
    expected(images())
    expected = quantization.PTQ(config).convert(expected)
    weights = imperative.PerChannelAbsmaxQuantizer(4)
    old = imperative.ImperativePTQ(imperative.PTQConfig(quantizer, weights))
    net = old.quantize(network())
    net(images())
    old.save_quantized_model(net, str(tmp_path / "net"), SPEC)
    loaded = jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(loaded(images(8, 1)), expected(images(8, 1)), atol=1e-6)


def test_saving_before_data_has_passed_is_refused_and_loses_nothing(tmp_path: Path) -> None:
    ptq = imperative.ImperativePTQ()
    net = ptq.quantize(network())
    with pytest.raises(ArgumentError, match="no scales"):
        ptq.save_quantized_model(net, str(tmp_path / "net"), SPEC)
    assert not list(tmp_path.iterdir())
    net(images())
    ptq.save_quantized_model(net, str(tmp_path / "net"), SPEC)


def test_a_network_in_training_stays_so_where_a_copy_is_quantized() -> None:
    net = network()
    assert not imperative.ImperativePTQ().quantize(net).training
    assert net.training


def kinds(net: nn.Layer) -> list[str]:
    return [type(layer).__name__ for layer in net.sublayers()]


def test_layers_become_layers_of_rounded_values_in_place() -> None:
    net = network()
    assert imperative.ImperativeQuantAware().quantize(net) is net
    assert kinds(net).count("QuantizedConv2D") == kinds(net).count("QuantizedLinear") == 1
    assert kinds(net).count("MAOutputScaleLayer") == len(net)


def test_what_is_not_wanted_is_left_alone() -> None:
    net = network()
    net[0].skip_quant = True
    net.append(nn.Linear(5, 5))
    imperative.ImperativeQuantAware([nn.Conv2D, "Linear"]).quantize(net)
    assert [type(part._layer).__name__ for part in net] == [
        "Conv2D",
        "ReLU",
        "MaxPool2D",
        "Flatten",
        "QuantizedLinear",
        "QuantizedLinear",
    ]


def test_a_layer_that_is_in_two_places_stays_one() -> None:
    layer = nn.Linear(3, 3)
    net = imperative.ImperativeQuantAware().quantize(nn.Sequential(layer, layer))
    assert net[0] is net[1]


def test_functions_that_are_layers_have_their_results_rounded() -> None:
    class Sum(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.add = nn.quant.add()

        def forward(self, x: Any) -> Any:
            return self.add(x, x)

    net = imperative.ImperativeQuantAware(activation_bits=4, moving_rate=0.0).quantize(Sum())
    assert net(twinoar.to_tensor([0.1, 3.5])).tolist() == [0.0, 7.0]


def test_trained_networks_are_saved_as_they_compute(tmp_path: Path) -> None:
    net = network()
    aware = imperative.ImperativeQuantAware(weight_quantize_type="channel_wise_abs_max")
    aware.quantize(net)
    rule = twinoar.optimizer.SGD(0.1, parameters=net.parameters())
    before = net[0]._layer.weight.numpy().copy()
    for seed in range(3):
        net(images(seed=seed)).square().mean().backward()
        rule.step()
        rule.clear_grad()
    assert not np.array_equal(net[0]._layer.weight, before)
    aware.save_quantized_model(net, str(tmp_path / "net"), SPEC)
    loaded = jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(loaded(images(8, 1)), net(images(8, 1)), atol=1e-5)


def _quantized() -> nn.Layer:
    return imperative.ImperativeQuantAware().quantize(network())


@pytest.mark.parametrize(
    ("make", "error", "told"),
    [
        (lambda: imperative.ImperativeQuantAware(fuse_conv_bn=True), UnsupportedError, "fold_"),
        (lambda: imperative.ImperativeQuantAware(onnx_format=True), UnsupportedError, "QAT"),
        (lambda: imperative.ImperativeQuantAware(["LSTM"]), ArgumentError, "Conv2DTranspose"),
        (lambda: imperative.ImperativeQuantAware().quantize(3), TypeMismatchError, "Layer"),
        (
            lambda: imperative.ImperativeQuantAware().quantize(_quantized()),
            ArgumentError,
            "already",
        ),
        (lambda: imperative.ImperativePTQ(3), TypeMismatchError, "PTQConfig"),
        (lambda: imperative.ImperativePTQ().quantize(3), TypeMismatchError, "Layer"),
        (
            lambda: imperative.ImperativePTQ().quantize(network(), fuse=True),
            UnsupportedError,
            "fold_batch_norms",
        ),
        (
            lambda: imperative.PTQConfig(imperative.PerChannelAbsmaxQuantizer(), None),
            TypeMismatchError,
            "KLQuantizer",
        ),
        (lambda: imperative.AbsmaxQuantizer().cal_thresholds(), ArgumentError, "sample_data"),
        (lambda: imperative.AbsmaxQuantizer(1), ArgumentError, "2 to 16"),
    ],
)
def test_what_cannot_be_done_is_refused(
    make: Callable[[], object], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        make()


def test_a_network_refused_as_quantized_is_as_it_was() -> None:
    net = _quantized()
    before = kinds(net)
    with pytest.raises(ArgumentError, match="already"):
        imperative.ImperativeQuantAware().quantize(net)
    assert kinds(net) == before
    assert isinstance(net[0]._layer, quant_layers.QuantizedConv2D)
