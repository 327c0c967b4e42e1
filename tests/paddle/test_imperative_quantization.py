"""ImperativeQuantAware beside Paddle's: layers trained to equal numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar
from twinoar.quantization import ImperativeQuantAware
from twinoar.vision.models import LeNet

STEPS = 3

TRAIN = """
from paddle.quantization import ImperativeQuantAware
known = np.load(given["file"])
net = paddle.vision.models.LeNet()
net.set_state_dict({k[5:]: known[k] for k in known.files if k.startswith("net: ")})
ImperativeQuantAware(weight_quantize_type=given["kind"]).quantize(net)
rule = paddle.optimizer.SGD(0.005, parameters=net.parameters())
x, label = paddle.to_tensor(known["x"]), paddle.to_tensor(known["label"])
for _ in range(given["steps"]):
    loss = paddle.nn.functional.cross_entropy(net(x), label)
    loss.backward()
    rule.step()
    rule.clear_grad()
state = {"net: " + k: v.numpy().copy() for k, v in net.state_dict().items()}
net.eval()
np.savez(given["to"], y=net(x).numpy(), **state)
answer(True)
"""


@pytest.mark.parametrize("kind", ["abs_max", "channel_wise_abs_max"])
@pytest.mark.parametrize("version", ["paddle_2", "paddle_3"])
def test_layers_are_trained_to_the_numbers_of_paddle(
    version: str, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    paddle: Callable[..., object] = request.getfixturevalue(version)
    twinoar.seed(3)
    net = LeNet()
    random = np.random.default_rng(0)
    x = random.standard_normal((8, 1, 28, 28)).astype("f4")
    label = random.integers(0, 10, (8, 1))
    values = {f"net: {name}": value.numpy() for name, value in net.state_dict().items()}
    np.savez(tmp_path / "start.npz", x=x, label=label, **values)
    to = tmp_path / "found.npz"
    paddle(TRAIN, file=tmp_path / "start.npz", steps=STEPS, to=to, kind=kind)
    found = np.load(to)
    ImperativeQuantAware(weight_quantize_type=kind).quantize(net)
    rule = twinoar.optimizer.SGD(0.005, parameters=net.parameters())
    for _ in range(STEPS):
        given = net(twinoar.to_tensor(x))
        twinoar.nn.functional.cross_entropy(given, twinoar.to_tensor(label)).backward()
        rule.step()
        rule.clear_grad()
    state = {f"net: {name}": value.numpy() for name, value in net.state_dict().items()}
    assert state.keys() == {*found.files} - {"y"}
    for name, value in state.items():
        np.testing.assert_allclose(value, found[name], rtol=1e-5, atol=1e-5, err_msg=name)
    spread = np.ptp(found["y"])
    np.testing.assert_allclose(net.eval()(twinoar.to_tensor(x)), found["y"], atol=1e-5 * spread)
