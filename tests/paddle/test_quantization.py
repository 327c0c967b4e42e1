"""Quantized networks beside Paddle's: trained to equal numbers, and exchanged as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import inference, jit, static
from twinoar.quantization import PTQ, QAT, QuantConfig
from twinoar.quantization.observers import AbsmaxObserver
from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver
from twinoar.vision.models import LeNet

STEPS = 3

TRAIN = """
from paddle.quantization import QAT, QuantConfig
from paddle.quantization.quanters import FakeQuanterWithAbsMaxObserver
known = np.load(given["file"])
net = paddle.vision.models.LeNet()
net.set_state_dict({k[5:]: known[k] for k in known.files if k.startswith("net: ")})
quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
qat = QAT(QuantConfig(activation=quanter, weight=quanter))
net = qat.quantize(net)
rule = paddle.optimizer.SGD(0.005, parameters=net.parameters())
x, label = paddle.to_tensor(known["x"]), paddle.to_tensor(known["label"])
losses = []
for _ in range(given["steps"]):
    loss = paddle.nn.functional.cross_entropy(net(x), label)
    loss.backward()
    rule.step()
    rule.clear_grad()
    losses.append(float(loss))
net.eval()
np.savez(given["to"], y=net(x).numpy(), losses=losses,
         **{"net: " + k: v.numpy() for k, v in net.state_dict().items()})
if given["model"]:
    spec = paddle.static.InputSpec([None, 1, 28, 28], "float32", "x")
    paddle.jit.save(qat.convert(net), given["model"], input_spec=[spec])
answer(True)
"""

RUN = """
known = np.load(given["file"])
x, found = known["x"], {}
for name in given["models"]:
    prefix = given["folder"] + "/" + name
    config = paddle.inference.Config(prefix + ".pdmodel", prefix + ".pdiparams")
    predictor = paddle.inference.create_predictor(config)
    (input,) = predictor.get_input_names()
    predictor.get_input_handle(input).copy_from_cpu(x)
    predictor.run()
    (output,) = predictor.get_output_names()
    served = predictor.get_output_handle(output).copy_to_cpu()
    found[name] = [paddle.jit.load(prefix)(paddle.to_tensor(x)).numpy().tolist(), served.tolist()]
paddle.enable_static()
executor = paddle.static.Executor()
for name in given["models"]:
    prefix = given["folder"] + "/" + name
    program, (feed,), fetches = paddle.static.load_inference_model(prefix, executor)
    found[name].append(executor.run(program, feed={feed: x}, fetch_list=fetches)[0].tolist())
answer(found)
"""


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A LeNet and a batch; the file that has both."""
    twinoar.seed(3)
    net = LeNet()
    random = np.random.default_rng(0)
    x = random.standard_normal((8, 1, 28, 28)).astype("f4")
    label = random.integers(0, 10, (8, 1))
    file = tmp_path_factory.mktemp("quantization") / "start.npz"
    values = {f"net: {name}": value.numpy() for name, value in net.state_dict().items()}
    np.savez(file, x=x, label=label, **values)
    return {"net": net, "x": twinoar.to_tensor(x), "label": twinoar.to_tensor(label), "file": file}


@pytest.fixture(scope="module")
def trained(start: dict[str, Any]) -> tuple[QAT, Any, list[float]]:
    quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
    qat = QAT(QuantConfig(activation=quanter, weight=quanter))
    net = qat.quantize(start["net"])
    rule = twinoar.optimizer.SGD(0.005, parameters=net.parameters())
    losses = []
    for _ in range(STEPS):
        loss = twinoar.nn.functional.cross_entropy(net(start["x"]), start["label"])
        loss.backward()
        rule.step()
        rule.clear_grad()
        losses.append(loss.item())
    return qat, net.eval(), losses


@pytest.mark.parametrize("version", ["paddle_2", "paddle_3"])
def test_training_and_its_scales_are_those_of_paddle(
    version: str, start: dict[str, Any], trained: Any, tmp_path: Path, request: Any
) -> None:
    paddle: Callable[..., object] = request.getfixturevalue(version)
    to = tmp_path / "found.npz"
    paddle(TRAIN, file=start["file"], steps=STEPS, to=to, model="")
    found = np.load(to)
    _, net, losses = trained
    # where a sum of floats in another order falls to the other side of a half, a value moves by a
    # 127th of the largest
    np.testing.assert_allclose(losses, found["losses"], rtol=1e-4)
    state = {f"net: {name}": value.numpy() for name, value in net.state_dict().items()}
    assert state.keys() == {*found.files} - {"y", "losses"}
    for name, value in state.items():
        np.testing.assert_allclose(value, found[name], rtol=1e-3, atol=1e-4, err_msg=name)
    np.testing.assert_allclose(net(start["x"]), found["y"], atol=0.05)


def test_paddle_runs_what_we_quantize(
    paddle_2: Callable[..., Any], start: dict[str, Any], trained: Any, tmp_path: Path
) -> None:
    qat, net, _ = trained
    ptq = PTQ(QuantConfig(AbsmaxObserver(), AbsmaxObserver()))
    observed = ptq.quantize(start["net"].eval())
    observed(start["x"])
    spec = [static.InputSpec([None, 1, 28, 28], "float32", "x")]
    nets = {
        "qat": qat.convert(net),
        "ptq": ptq.convert(observed),
        "floats": ptq.convert(observed, remain_weight=True),
        "quanters": net,
    }
    for name, made in nets.items():
        jit.save(made, str(tmp_path / name), input_spec=spec)
    found = paddle_2(RUN, file=start["file"], folder=tmp_path, models=list(nets))
    for name, made in nets.items():
        for ways in found[name]:
            np.testing.assert_allclose(ways, made(start["x"]), atol=1e-4, err_msg=name)


def test_we_run_what_paddle_quantizes(
    paddle_2: Callable[..., Any], start: dict[str, Any], tmp_path: Path
) -> None:
    to, model = tmp_path / "found.npz", tmp_path / "net"
    paddle_2(TRAIN, file=start["file"], steps=STEPS, to=to, model=model)
    expected = paddle_2(RUN, file=start["file"], folder=tmp_path, models=["net"])["net"][0]
    loaded = jit.load(str(model))
    with twinoar.no_grad():
        np.testing.assert_allclose(loaded(start["x"]), expected, atol=1e-5)
    with static.scope_guard(static.Scope()):
        program, (feed,), fetches = static.load_inference_model(str(model))
        given = {feed: start["x"].numpy()}
        (found,) = static.Executor().run(program, given, fetches)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    config = inference.Config(f"{model}.pdmodel", f"{model}.pdiparams")
    (served,) = inference.create_predictor(config).run([start["x"].numpy()])
    np.testing.assert_allclose(np.asarray(served), expected, atol=1e-5)
