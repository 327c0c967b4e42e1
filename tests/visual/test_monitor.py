"""What a Monitor writes of a training: lengths of changes and gradients, dead units, speed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.callbacks import TrainingMonitor
from twinoar.errors import ArgumentError
from twinoar.visual import LogWriter, Monitor
from twinoar.visual.curves import Curves, read_curves

RATE = 0.5


def trained(folder: Path, every: int, steps: int, converted: bool = False) -> nn.Layer:
    paddle.seed(1)
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    opt = paddle.optimizer.SGD(RATE, parameters=net.parameters())
    run = paddle.jit.to_static(net.forward) if converted else net
    x = paddle.to_tensor(np.random.default_rng(0).normal(size=(5, 3)).astype("float32"))
    with LogWriter(str(folder)) as writer, Monitor(net, writer, every) as monitor:
        for _ in range(steps):
            loss = (run(x) - 1.0).square().mean()
            loss.backward()
            opt.step()
            monitor.step(loss)
            opt.clear_grad()
    assert not net[1]._forward_post_hooks
    return net


def test_a_change_is_the_rate_times_the_gradient(tmp_path: Path) -> None:
    trained(tmp_path, every=1, steps=3)
    curves = read_curves(tmp_path)
    assert [s for s, _ in curves["loss"]] == [1, 2, 3]
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    for name, _ in net.named_parameters():
        assert len(curves[f"moved/{name}"]) == len(curves[f"gradient/{name}"]) == 3
    paddle.seed(1)
    first = nn.Linear(3, 4).weight
    moved, gradient = curves["moved/0.weight"][0][1], curves["gradient/0.weight"][0][1]
    length = float(np.linalg.norm(first.numpy()))
    assert moved == pytest.approx(RATE * gradient / length, rel=1e-4)


def test_the_norm_of_all_gradients_is_that_of_one_long_one(tmp_path: Path) -> None:
    trained(tmp_path, every=1, steps=2)
    curves = read_curves(tmp_path)
    parts = [points[1][1] for tag, points in curves.items() if tag.startswith("gradient/")]
    assert len(parts) == 4
    assert curves["gradient norm"][1][1] == pytest.approx(float(np.linalg.norm(parts)), rel=1e-6)


def test_some_steps_alone_are_measured(tmp_path: Path) -> None:
    trained(tmp_path, every=3, steps=10)
    curves = read_curves(tmp_path)
    assert [s for s, _ in curves["moved/2.bias"]] == [3, 6, 9]
    assert [s for s, _ in curves["steps per second"]] == [6, 9]
    assert all(rate > 0 for _, rate in curves["steps per second"])


def test_units_that_no_example_opens_are_dead(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Linear(2, 4), nn.ReLU())
    net[0].weight.set_value(np.zeros((2, 4), "float32"))
    net[0].bias.set_value(np.array([1, -1, 2, -2], "float32"))
    with LogWriter(str(tmp_path)) as writer, Monitor(net, writer, every=1) as monitor:
        net(paddle.ones([3, 2]))
        monitor.step()
        net(paddle.ones([3, 2]))
        net[0].bias.set_value(np.array([1, 1, 2, -2], "float32"))
        net(paddle.ones([3, 2]))  # a unit is dead where all batches of a step leave it shut
        monitor.step()
    assert [v for _, v in read_curves(tmp_path)["dead/1"]] == [0.5, 0.25]


def test_a_converted_network_is_watched_without_its_units(tmp_path: Path) -> None:
    trained(tmp_path, every=1, steps=2, converted=True)
    curves = read_curves(tmp_path)
    assert "moved/0.weight" in curves and "gradient/0.weight" in curves


def test_a_training_is_the_same_with_a_monitor(tmp_path: Path) -> None:
    watched = trained(tmp_path / "a", every=1, steps=4)
    not_watched = trained(tmp_path / "b", every=100, steps=4)
    for one, other in zip(watched.parameters(), not_watched.parameters(), strict=True):
        assert (one.numpy() == other.numpy()).all()


def test_every_counts_from_one(tmp_path: Path) -> None:
    with LogWriter(str(tmp_path)) as writer, pytest.raises(ArgumentError, match="every counts"):
        Monitor(nn.Linear(1, 1), writer, every=0)


def test_a_model_is_watched_by_a_callback(tmp_path: Path) -> None:
    from tests.hapi.test_model import Points, prepared

    prepared().fit(
        Points(16), batch_size=4, epochs=2, verbose=0, callbacks=TrainingMonitor(str(tmp_path), 2)
    )
    curves: Curves = read_curves(tmp_path)
    moved = [tag for tag in curves if tag.startswith("moved/")]
    assert moved and [s for s, _ in curves[moved[0]]] == [2, 4, 6, 8]
    assert [s for s, _ in curves["loss"]] == [2, 4, 6, 8]
