"""A loaded model in eval mode answers as a Predictor does, and is a Layer all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import nn
from twinoar.export.translated import MOST, TranslatedLayer
from twinoar.quantization import PTQ, QuantConfig
from twinoar.quantization.observers import AbsMaxChannelWiseWeightObserver, AbsmaxObserver

SHAPE = (2, 3, 8, 8)


def network() -> nn.Layer:
    paddle.seed(0)
    net = nn.Sequential(
        nn.Conv2D(3, 8, 3), nn.BatchNorm2D(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 5)
    )
    net.train()
    net(paddle.randn(SHAPE))  # so that batch norms have seen something
    net.eval()
    return net


def rounded() -> nn.Layer:
    config = QuantConfig(activation=None, weight=None)
    observers = AbsmaxObserver(), AbsMaxChannelWiseWeightObserver()
    config.add_type_config([nn.Conv2D, nn.Linear], *observers)
    ptq = PTQ(config)
    net = ptq.quantize(network())
    net(image())
    return ptq.convert(net)


def image(seed: int = 0) -> Any:
    values = np.random.default_rng(seed).standard_normal(SHAPE, dtype="float32")
    return paddle.to_tensor(values)


def loaded(folder: Path, net: nn.Layer) -> TranslatedLayer:
    net.eval()
    spec = [paddle.static.InputSpec([None, *SHAPE[1:]], "float32", "x")]
    paddle.jit.save(net, str(folder / "net"), spec)
    return paddle.jit.load(str(folder / "net"))


def predicted(folder: Path, x: Any) -> np.ndarray:
    config = paddle.inference.Config(f"{folder}/net.pdmodel", f"{folder}/net.pdiparams")
    return paddle.inference.create_predictor(config).run([x.numpy()])[0]


def close(a: Any, b: Any) -> None:
    wanted = b.numpy()
    scale = max(np.abs(wanted).max(), 1e-3)
    np.testing.assert_allclose(a.numpy(), wanted, rtol=1e-5, atol=1e-5 * scale)


@pytest.mark.parametrize("make", [network, rounded])
@pytest.mark.parametrize("records", [False, True])
def test_it_gives_the_bits_of_a_predictor(tmp_path: Path, make, records: bool) -> None:
    layer = loaded(tmp_path, make())
    with paddle.set_grad_enabled(records):
        found = layer(image())
    assert (found.numpy() == predicted(tmp_path, image())).all()
    assert found.stop_gradient != records


def test_rounded_values_are_multiplied_as_integers(tmp_path: Path) -> None:
    layer = loaded(tmp_path, rounded())
    layer(image())
    assert "integer_conv2d" in layer.explain()
    layer.train()
    assert "integer_conv2d" not in layer.explain()


def test_gradients_are_those_of_the_network(tmp_path: Path) -> None:
    net = network()
    layer = loaded(tmp_path, net)
    for model in (net, layer):
        model(image()).square().sum().backward()
    known = dict(net.named_parameters())
    learn = {name: p for name, p in layer.named_parameters() if not p.stop_gradient}
    assert len(learn) == 6
    for name, parameter in learn.items():
        close(parameter.grad, known[name].grad)


def test_gradients_of_gradients(tmp_path: Path) -> None:
    net = network()
    found = []
    for model in (net, loaded(tmp_path, net)):
        (weight,) = [p for p in model.parameters() if p.ndim == 4]
        (first,) = paddle.grad(model(image()).tanh().sum(), weight, create_graph=True)
        found.append(paddle.grad(first.square().sum(), weight)[0])
    largest = np.abs(found[0].numpy()).max()
    np.testing.assert_allclose(found[1].numpy(), found[0].numpy(), atol=1e-5 * largest)


def test_weights_that_change_are_seen(tmp_path: Path) -> None:
    layer = loaded(tmp_path, network())
    before = layer(image())
    (weight,) = [p for p in layer.parameters() if p.ndim == 4]
    with paddle.no_grad():
        weight.set_value(weight * 2.0)
        after = layer(image())
        assert np.abs(after.numpy() - before.numpy()).max() > 1e-3
        weight.set_value(weight * 0.5)
        close(layer(image()), before)
        weight[0] = 0.0  # in place
        assert np.abs(layer(image()).numpy() - before.numpy()).max() > 1e-3


def test_it_trains_in_eval_mode_as_the_network_does(tmp_path: Path) -> None:
    net = network()
    layer = loaded(tmp_path, net)
    losses = []
    for model in (net, layer):
        optimizer = paddle.optimizer.SGD(0.01, parameters=model.parameters())
        for step in range(MOST + 3):
            loss = model(image(step)).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            losses.append(loss.item())
    np.testing.assert_allclose(losses[MOST + 3 :], losses[: MOST + 3], rtol=1e-5)
    assert layer._prepared == {}  # it is trained: nothing is prepared any more


def test_training_and_eval_in_turns(tmp_path: Path) -> None:
    net = network()
    layer = loaded(tmp_path, net)
    close(layer(image()), net(image()))
    for model in (net, layer):
        model.train()
    close(layer(image()), net(image()))  # which changes the statistics of both
    for model in (net, layer):
        model.eval()
    close(layer(image()), net(image()))


def test_threads_get_the_same_bits(tmp_path: Path) -> None:
    layer = loaded(tmp_path, network())
    wanted = predicted(tmp_path, image())

    def call() -> None:
        assert (layer(image()).numpy() == wanted).all()

    in_threads([call] * 6)


def test_what_passes_are_applied_to_is_what_runs(tmp_path: Path) -> None:
    layer = loaded(tmp_path, network())
    before = layer(image())
    layer.apply_passes("fold_conv_bn")
    close(layer(image()), before)
