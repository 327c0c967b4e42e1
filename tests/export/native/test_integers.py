"""Quantized models as libraries: small, and what a Predictor computes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import Network, here, lenet, numbers, small_convolutions
from twinoar import inference, nn
from twinoar.export.native import export
from twinoar.export.native.loaded import LoadedLibrary
from twinoar.quantization import PTQ, QuantConfig
from twinoar.quantization.observers import AbsmaxObserver

SIZE = 0.3  # of quantized weights, of those in float32


def strided() -> Network:
    """Convolutions with strides, borders, and residuals."""
    paddle.seed(4)

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Sequential(nn.Conv2D(3, 8, 3, stride=2, padding=1), nn.ReLU())
            self.second = nn.Conv2D(8, 8, 3, padding=1)
            self.third = nn.Conv2D(8, 8, 1)
            self.last = nn.Linear(8, 5)

        def forward(self, x: Any) -> Any:
            x = self.first(x)
            x = nn.functional.relu(self.second(x) + x)
            return self.last(self.third(x).mean([2, 3]))

    return Network(Net(), (numbers(2, 3, 13, 11),))


def quantized(net: Network, folder: Path) -> str:
    """The prefix of the network's Program in integers of 8 bits."""
    observers = [AbsmaxObserver(quant_bits=8) for _ in range(2)]
    ptq = PTQ(QuantConfig(activation=observers[0], weight=observers[1]))
    net.layer.eval()
    prepared = ptq.quantize(net.layer)
    prepared(*map(paddle.to_tensor, net.inputs))
    layer = ptq.convert(prepared)
    layer.eval()
    prefix = str(folder / "saved" / "net")
    paddle.jit.save(layer, prefix, input_spec=net.spec)
    return prefix


def predicted(prefix: str, x: np.ndarray) -> np.ndarray:
    predictor = inference.create_predictor(
        inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams")
    )
    predictor.get_input_handle(predictor.get_input_names()[0]).copy_from_cpu(x)
    predictor.run()
    return predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()


@pytest.mark.parametrize("network", [lenet, strided, small_convolutions])
def test_a_library_computes_what_a_predictor_does(network, tmp_path):
    net = network()
    prefix = quantized(net, tmp_path)
    library = LoadedLibrary(export(prefix, str(tmp_path), target=here(), name="net")[0])
    library.verify()
    found = library.run(*net.inputs)[0]
    np.testing.assert_allclose(found, predicted(prefix, net.inputs[0]), rtol=1e-5, atol=1e-5)


def test_its_weights_take_less_than_a_third(tmp_path):
    net = lenet()
    prefix = quantized(net, tmp_path)
    options = {"target": here(), "name": "net", "weights": "beside"}
    small = export(prefix, str(tmp_path / "small"), **options)[2]
    large = export(net.layer, str(tmp_path / "large"), input_spec=net.spec, **options)[2]
    assert Path(small).stat().st_size <= SIZE * Path(large).stat().st_size
