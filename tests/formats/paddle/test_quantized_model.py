"""A quantized LeNet that Paddle 2.6.2 has trained and saved: read, and run in all ways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar
from twinoar import inference, jit, static
from twinoar.quantization import QAT, QuantConfig
from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver
from twinoar.vision.models import LeNet

BOUND = 1e-5  # of the spread of what is computed: sums of floats in another order


@pytest.fixture(scope="module")
def folder(paddle_fixtures: Path) -> Path:
    found = paddle_fixtures / "paddle-2.6.2-quant"
    if not found.is_dir():
        pytest.skip(f"{found} does not exist")
    return found


@pytest.fixture(scope="module")
def known(folder: Path) -> dict[str, np.ndarray]:
    """x, y of the network in evaluation, yc of the converted one, and the states of the network."""
    return dict(np.load(folder / "qat_lenet_26.npz"))


def same(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=BOUND * np.ptp(expected))


def by_layer(model: str, x: np.ndarray) -> np.ndarray:
    with twinoar.no_grad():
        return jit.load(model)(twinoar.to_tensor(x)).numpy()


def by_executor(model: str, x: np.ndarray) -> np.ndarray:
    with static.scope_guard(static.Scope()):
        program, (feed,), fetches = static.load_inference_model(model)
        (found,) = static.Executor().run(program, {feed: x}, fetches)
    return np.asarray(found)


def by_predictor(model: str, x: np.ndarray) -> np.ndarray:
    config = inference.Config(f"{model}.pdmodel", f"{model}.pdiparams")
    (found,) = inference.create_predictor(config).run([x])
    return np.asarray(found)


@pytest.mark.parametrize("run", [by_layer, by_executor, by_predictor])
def test_the_model_computes_what_paddle_did(
    run: Callable[[str, np.ndarray], np.ndarray], folder: Path, known: dict[str, np.ndarray]
) -> None:
    same(run(str(folder / "qat_lenet_26"), known["x"]), known["yc"])


@pytest.fixture(scope="module")
def network(known: dict[str, np.ndarray]) -> tuple[QAT, twinoar.nn.Layer]:
    """Our network with the parameters and scales of Paddle's."""
    quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
    config = QuantConfig(activation=None, weight=None)
    config.add_type_config([twinoar.nn.Conv2D, twinoar.nn.Linear], quanter, quanter)
    qat = QAT(config)
    net = qat.quantize(LeNet()).eval()
    states = {name[2:]: value for name, value in known.items() if name.startswith("p_")}
    assert net.state_dict().keys() == states.keys()
    net.set_state_dict(states)
    return qat, net


def test_our_network_with_its_states_computes_the_same(
    network: tuple[QAT, twinoar.nn.Layer], known: dict[str, np.ndarray]
) -> None:
    same(network[1](twinoar.to_tensor(known["x"])).numpy(), known["y"])


def test_our_conversion_is_that_of_paddle(
    network: tuple[QAT, twinoar.nn.Layer], known: dict[str, np.ndarray]
) -> None:
    qat, net = network
    same(qat.convert(net)(twinoar.to_tensor(known["x"])).numpy(), known["yc"])
