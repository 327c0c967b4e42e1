"""Networks of layers with a branch and a loop become integers, whose products are in the blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, passes, static
from twinoar.quantization import PTQ, QAT, QuantConfig, observers, quanters
from twinoar.static.scope import Scope

STEPS = 6
PRODUCTS = 5  # two heads, two of the loop, and the last


class Detector(nn.Layer):
    """One of two heads, by the data, then a recurrent cell over the rows."""

    def __init__(self) -> None:
        super().__init__()
        self.bright, self.dark = nn.Linear(4, 4), nn.Linear(4, 4)
        self.of_row, self.of_state = nn.Linear(4, 8), nn.Linear(8, 8)
        self.last = nn.Linear(8, 3)

    def forward(self, x: Any) -> Any:
        x = self.bright(x) if x.mean() > 0 else self.dark(x)
        i, state = paddle.zeros([], "int64"), paddle.zeros([x.shape[0], 8])
        while i < x.shape[1]:
            state = paddle.tanh(self.of_row(x[:, i]) + self.of_state(state))
            i = i + 1
        return self.last(state)


def batch(bright: bool, seed: int = 0) -> paddle.Tensor:
    found = np.random.default_rng(seed).standard_normal((4, STEPS, 4)).clip(-2, 2)
    return paddle.to_tensor((found / 2 + (0.5 if bright else -0.5)).astype("f4"))


def ptq() -> tuple[Detector, nn.Layer]:
    """The network of floats, and that of integers."""
    paddle.seed(2)
    net = Detector()
    net.eval()
    config = QuantConfig(
        activation=observers.AbsmaxObserver(), weight=observers.AbsMaxChannelWiseWeightObserver()
    )
    whole = PTQ(config)
    observed = whole.quantize(net)
    for seed in range(4):
        observed(batch(seed % 2 == 0, seed))
    return net, whole.convert(observed)


def qat() -> tuple[Detector, nn.Layer]:
    """The same, trained on with rounded values."""
    paddle.seed(2)
    net = Detector()
    config = QuantConfig(
        activation=quanters.FakeQuanterWithAbsMaxObserver(moving_rate=0.9),
        weight=quanters.FakeQuanterWithAbsMaxObserver(moving_rate=0.9),
    )
    whole = QAT(config)
    net.train()
    rounded = whole.quantize(net)
    optimizer = paddle.optimizer.SGD(0.01, parameters=rounded.parameters())
    losses = []
    for step in range(40):
        x = batch(step % 2 == 0, step % 4)
        loss = (rounded(x) - x[:, -1, :3]).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    assert np.mean(losses[-4:]) < np.mean(losses[:4])
    rounded.eval()
    return rounded, whole.convert(rounded)  # type: ignore[return-value]  # of the same structure


# Of the largest result. The state goes through 8 bits six times; scales of training are averages.
@pytest.mark.parametrize(("ways", "least"), [(ptq, 0.03), (qat, 0.05)])
def test_integers_compute_nearly_the_same_in_both_branches(ways: Any, least: float) -> None:
    net, made = ways()
    for bright in (True, False):
        x = batch(bright, 1 if bright else 2)
        expected, found = net(x).numpy(), made(x).numpy()
        assert np.abs(found - expected).max() < least * np.abs(expected).max()


@pytest.mark.parametrize("ways", [ptq, qat])
def test_saved_networks_multiply_integers_within_blocks(ways: Any, tmp_path: Path) -> None:
    made = ways()[1]
    spec = [static.InputSpec([None, STEPS, 4], "float32", "x")]
    paddle.jit.save(made, str(tmp_path / "model"), input_spec=spec)
    loaded = paddle.jit.load(str(tmp_path / "model"))
    program = passes.for_inference(loaded.program())
    types = [o.op.name for o in program.main.walk()]
    assert types.count("integer_linear") == PRODUCTS
    assert not {"linear", "dequantize_linear", "quantize_linear"} & set(types)
    for bright in (True, False):
        x = batch(bright, 5)
        expected = made(x).numpy()
        difference = np.abs(loaded(x).numpy() - expected).max()
        assert difference < 0.01 * np.abs(expected).max()  # a sum between two integers


def test_programs_and_layers_have_the_same_integers(tmp_path: Path) -> None:
    """A saved network that is calibrated as a Program computes what its layers would."""
    net, made = ptq()
    spec = [static.InputSpec([None, STEPS, 4], "float32", "x")]
    paddle.jit.save(net, str(tmp_path / "model"), input_spec=spec)
    data = [{"x": batch(seed % 2 == 0, seed).numpy()} for seed in range(4)]
    ptq_of_files = static.quantization.PostTrainingQuantization(
        static.Executor(), str(tmp_path), Scope(), "model.pdmodel", "model.pdiparams",
        data_loader=data, algo="abs_max", quantizable_op_type=["matmul", "mul"],
    )  # fmt: skip
    ptq_of_files.quantize()
    ptq_of_files.save_quantized_model(str(tmp_path / "integers"))
    loaded = paddle.jit.load(str(tmp_path / "integers" / "model"))
    x = batch(True, 0)
    expected = made(x).numpy()
    assert np.abs(loaded(x).numpy() - expected).max() < 0.02 * np.abs(expected).max()
