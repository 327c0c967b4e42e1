"""Models that we have quantized run in the real Paddle 2.6.2, and compute what they do here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar
from twinoar import inference, jit, nn, static
from twinoar.quantization import QAT, ImperativeQuantAware, QuantConfig
from twinoar.quantization.quanters import FakeQuanterWithAbsMaxObserver
from twinoar.slim.quant import quant_post_dynamic, quant_post_static
from twinoar.static.quantization import convert, quant_aware
from twinoar.vision.models import LeNet

# Of the spread of what is computed. A sum of floats in another order that falls to the other side
# of a half would be a quantum away; on these images and seeds none does.
BOUND = 1e-5

RUN = """
known, found = np.load(given["file"]), {}
for name in given["models"]:
    prefix = given["folder"] + "/" + name
    config = paddle.inference.Config(prefix + ".pdmodel", prefix + ".pdiparams")
    predictor = paddle.inference.create_predictor(config)
    (input,) = predictor.get_input_names()
    predictor.get_input_handle(input).copy_from_cpu(known["x"])
    predictor.run()
    (output,) = predictor.get_output_names()
    found[name + " served"] = predictor.get_output_handle(output).copy_to_cpu()
paddle.enable_static()
executor = paddle.static.Executor()
for name in given["models"]:
    prefix = given["folder"] + "/" + name
    program, (feed,), fetches = paddle.static.load_inference_model(prefix, executor)
    found[name + " run"] = executor.run(program, feed={feed: known["x"]}, fetch_list=fetches)[0]
np.savez(given["to"], **found)
answer(True)
"""


class Residual(nn.Layer):
    """Two convolutions with normalization around which the values go too."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2D(1, 8, 3, stride=2, padding=1, bias_attr=False)
        self.second = nn.Conv2D(8, 8, 3, padding=1, bias_attr=False)
        self.third = nn.Conv2D(8, 8, 3, padding=1, groups=8)
        self.norms = nn.LayerList([nn.BatchNorm2D(8), nn.BatchNorm2D(8)])
        self.relu = nn.ReLU()
        self.last = nn.Linear(8, 10)

    def forward(self, x: Any) -> Any:
        x = self.relu(self.norms[0](self.first(x)))
        x = self.relu(self.norms[1](self.second(x)) + x)
        x = self.relu(self.third(x) + x)
        return self.last(x.mean([2, 3]))


NETWORKS: dict[str, Callable[[], nn.Layer]] = {"lenet": LeNet, "residual": Residual}
SPEC = [static.InputSpec([None, 1, 28, 28], "float32", "x")]


def images(seed: int = 0) -> np.ndarray:
    found = np.random.default_rng(seed).standard_normal((8, 1, 28, 28)).clip(-2, 2)
    return found.astype("f4")


def train(net: nn.Layer) -> nn.Layer:
    rule = twinoar.optimizer.SGD(0.01, parameters=net.parameters())
    for seed in range(5):
        label = twinoar.to_tensor(np.random.default_rng(seed).integers(0, 10, (8, 1)))
        twinoar.nn.functional.cross_entropy(net(twinoar.to_tensor(images(seed))), label).backward()
        rule.step()
        rule.clear_grad()
    return net.eval()


def by_layers(make: Callable[[], nn.Layer], folder: Path) -> list[str]:
    """QAT: the network that rounds, and the one of integers."""
    quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
    qat = QAT(QuantConfig(activation=quanter, weight=quanter))
    net = train(qat.quantize(make()))
    jit.save(net, str(folder / "rounding"), input_spec=SPEC)
    jit.save(qat.convert(net), str(folder / "integers"), input_spec=SPEC)
    return ["rounding", "integers"]


def by_older_layers(make: Callable[[], nn.Layer], folder: Path) -> list[str]:
    """ImperativeQuantAware, with scales for channels."""
    aware = ImperativeQuantAware(weight_quantize_type="channel_wise_abs_max")
    net = aware.quantize(make())
    aware.save_quantized_model(train(net), str(folder / "older"), SPEC)
    return ["older"]


def by_program(make: Callable[[], nn.Layer], folder: Path) -> list[str]:
    """quant_aware: the Program to test, and the one to serve."""
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    with static.program_guard(main, startup), static.scope_guard(scope):
        x = static.data("x", [None, 1, 28, 28])
        label = static.data("label", [None, 1], "int64")
        y = make()(x)
        loss = twinoar.nn.functional.cross_entropy(y, label)
        test = main.clone(for_test=True)
        twinoar.optimizer.SGD(0.01).minimize(loss)
        executor = static.Executor()
        executor.run(startup)
        test = quant_aware(test, for_test=True)
        main = quant_aware(main)
        for seed in range(5):
            labels = np.random.default_rng(seed).integers(0, 10, (8, 1))
            executor.run(main, {"x": images(seed), "label": labels}, [loss])
        for name, program in (("program", test), ("served", convert(test))):
            static.save_inference_model(folder / name, [x], [y], program=program)
    return ["program", "served"]


def by_data(make: Callable[[], nn.Layer], folder: Path) -> list[str]:
    """quant_post_static and quant_post_dynamic of a saved network."""
    jit.save(train(make()), str(folder / "floats"), input_spec=SPEC)
    given = {"data_loader": [[images(seed)] for seed in range(3)], "algo": "abs_max"}
    floats = str(folder / "floats")
    quant_post_static(static.Executor(), floats, str(folder / "by_data"), **given)
    quant_post_dynamic(floats, str(folder / "weights"))
    return ["by_data/model", "weights/model"]


def run(model: str) -> dict[str, np.ndarray]:
    """What a model computes here, as a Program and served."""
    with static.scope_guard(static.Scope()):
        program, (feed,), fetches = static.load_inference_model(model)
        (found,) = static.Executor().run(program, {feed: images(9)}, fetches)
    config = inference.Config(f"{model}.pdmodel", f"{model}.pdiparams")
    (served,) = inference.create_predictor(config).run([images(9)])
    return {"run": np.asarray(found), "served": np.asarray(served)}


@pytest.mark.parametrize("way", [by_layers, by_older_layers, by_program, by_data])
@pytest.mark.parametrize("network", NETWORKS)
def test_paddle_runs_what_we_quantize(
    network: str,
    way: Callable[[Callable[[], nn.Layer], Path], list[str]],
    paddle_2: Callable[..., Any],
    tmp_path: Path,
) -> None:
    twinoar.seed(3)
    models = way(NETWORKS[network], tmp_path)
    np.savez(tmp_path / "x.npz", x=images(9))
    paddle_2(RUN, file=tmp_path / "x.npz", folder=tmp_path, models=models, to=tmp_path / "y.npz")
    expected = np.load(tmp_path / "y.npz")
    for name in models:
        for kind, found in run(str(tmp_path / name)).items():
            y = expected[f"{name} {kind}"]
            told = f"{name} {kind}"
            np.testing.assert_allclose(found, y, rtol=0, atol=BOUND * np.ptp(y), err_msg=told)
