"""QAT and PTQ by PaddleSlim's settings: what they put in, what they save, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.quantization.networks import images, network
from twinoar import jit, nn, static
from twinoar.errors import ArgumentError, TypeMismatchError, UnknownNameError, UnsupportedError
from twinoar.slim import PTQ, QAT
from twinoar.slim.quant.quanters import ActLSQplusQuanter, WeightLSQplusQuanter
from twinoar.slim.quant.quanters.pact import PACTQuanterLayer

SPEC = [static.InputSpec([None, 1, 8, 8], "float32", "x")]


def trained(qat: QAT) -> nn.Layer:
    net = qat.quantize(network())
    rule = paddle.optimizer.Adam(1e-4, parameters=net.parameters())
    for i in range(3):
        net(images(seed=i)).square().mean().backward()
        rule.step()
        rule.clear_grad()
    return net


def loaded(quantization: Any, net: nn.Layer, folder: Any) -> Any:
    quantization.save_quantized_model(net, str(folder / "net"), SPEC)
    return jit.load(str(folder / "net"))


@pytest.mark.parametrize(
    "config",
    [
        None,
        {"activation_preprocess_type": "PACT", "weight_preprocess_type": "PACT"},
        {"weight_quantize_type": "abs_max"},
        {"weight_quantize_type": "range_abs_max", "activation_quantize_type": "range_abs_max"},
    ],
    ids=str,
)
def test_what_is_saved_computes_what_was_trained(config: Any, tmp_path) -> None:
    qat = QAT(config)
    net, x = trained(qat), images(seed=9)
    served = loaded(qat, net, tmp_path)
    assert net.training  # and can be trained on
    with paddle.no_grad():
        np.testing.assert_allclose(served(x), net.eval()(x), atol=0.02)
    types = [o.type for o in served.program().main.ops]
    assert types.count("quantize_linear") == 2 and types.count("dequantize_linear") == 4


def test_pact_is_where_the_settings_have_it() -> None:
    net = QAT({"activation_preprocess_type": "PACT"}).quantize(network())
    assert isinstance(net[0].activation_quanter, PACTQuanterLayer)
    assert not isinstance(net[0].weight_quanter, PACTQuanterLayer)
    assert net[0].activation_quanter.alpha.item() == 100.0


def test_only_layers_of_the_types_are_quantized() -> None:
    net = QAT({"quantizable_layer_type": ["Linear"]}).quantize(network())
    assert isinstance(net[0], nn.Conv2D) and hasattr(net[4], "weight_quanter")


def test_the_network_stays_unless_it_is_in_place() -> None:
    net = network().eval()
    copied = QAT().quantize(net, inplace=False)
    assert isinstance(net[0], nn.Conv2D) and not copied.training
    assert QAT().quantize(net) is net


def test_quanters_of_ones_own_take_the_place_of_the_types(tmp_path) -> None:
    qat = QAT(act_quantize=ActLSQplusQuanter(), weight_quantize=WeightLSQplusQuanter())
    net, x = trained(qat), images(seed=9)
    with paddle.no_grad():
        np.testing.assert_allclose(loaded(qat, net, tmp_path)(x), net.eval()(x), atol=1e-4)


def test_layers_of_ones_own_are_called_before() -> None:
    net = QAT(act_preprocess=lambda: nn.Hardtanh(-0.5, 0.5)).quantize(network())
    net(images())
    assert net[0].activation_quanter.scales().item() < 1.0


@pytest.mark.parametrize("quantizer", ["KLQuantizer", "HistQuantizer", "AbsmaxQuantizer"])
def test_ptq_saves_integers(quantizer: str, tmp_path) -> None:
    ptq, net, x = PTQ(activation_quantizer=quantizer), network(), images()
    observed = ptq.quantize(net)
    observed(x)
    observed.train()
    served = loaded(ptq, observed, tmp_path)
    assert observed.training
    with paddle.no_grad():
        np.testing.assert_allclose(served(x), net.eval()(x), atol=0.3)


@pytest.mark.parametrize(
    ("error", "message", "make"),
    [
        (UnknownNameError, "no setting 'weight_bit'", lambda: QAT({"weight_bit": 8})),
        (ArgumentError, "activation_prep", lambda: QAT({"activation_preprocess_type": 1})),
        (ArgumentError, "dtype must be", lambda: QAT({"dtype": "uint8"})),
        (ArgumentError, "bit_length", lambda: QAT({"weight_bits": 1})),
        (ArgumentError, "Conv2D, Linear", lambda: QAT({"quantizable_layer_type": ["Conv1D"]})),
        (UnsupportedError, "fold", lambda: QAT({"fuse_conv_bn": True})),
        (UnsupportedError, "each batch", lambda: QAT({"activation_quantize_type": "abs_max"})),
        (TypeMismatchError, "factory", lambda: QAT(act_quantize=nn.ReLU)),
        (UnknownNameError, "KLQuantizer", lambda: PTQ("KL")),
        (ArgumentError, "quantized already", lambda: QAT().quantize(QAT().quantize(network()))),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(error: type[Exception], message: str, make: Any) -> None:
    with pytest.raises(error, match=message):
        make()


def test_scales_that_are_missing_are_told(tmp_path) -> None:
    ptq = PTQ()
    net = ptq.quantize(network())
    with pytest.raises(ArgumentError, match="has no scales"):
        ptq.save_quantized_model(net, str(tmp_path / "net"), SPEC)
    assert not list(tmp_path.iterdir())
