"""Whole steps as libraries of this machine: what they train is what plain Python trains."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import here
from tests.export.native.trainings import NEAR, TRAININGS, Training, assert_trained, mlp
from twinoar.backends.llvm.target import processor
from twinoar.export.native import export_training, load_state
from twinoar.export.native.loaded import LoadedTraining
from twinoar.export.native.targets import MACHINES

X86 = [n for n, m in MACHINES.items() if n.startswith("x86") and not m.levels]


def runs_here(target: str) -> None:
    """Skip where this machine has not the instructions of a target."""
    machine = MACHINES[target]
    if machine.target.triple.split("-")[0] != processor().triple.split("-")[0]:
        pytest.skip(f"this machine is no {target}")
    if not all(map(processor().has, machine.features)):
        pytest.skip(f"this machine has not all of {target}")


@pytest.mark.parametrize("target", X86)
@pytest.mark.parametrize("make", TRAININGS)
def test_a_library_trains_as_plain_python_does(
    target: str, make: Callable[[], Training], tmp_path: Path
) -> None:
    runs_here(target)
    given = make()
    device = given.library(tmp_path, target)
    device.verify()
    losses = [device.step(*batch)[0] for batch in given.batches]
    prediction = device.run(given.batches[0][0])[0]
    assert_trained(losses, device.state, prediction, given)


RULES = ("Adagrad", "RMSProp", "AdamW", "Lamb", "Adamax", "Adadelta", "NAdam", "RAdam", "Rprop")


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_of_learning_leaves(rule: str, tmp_path: Path) -> None:
    kind = getattr(paddle.optimizer, rule)
    given = mlp(lambda parameters: kind(learning_rate=0.01, parameters=parameters))
    device = given.library(tmp_path)
    device.verify()
    losses = [device.step(*batch)[0] for batch in given.batches]
    np.testing.assert_allclose(losses, given.eager(), rtol=NEAR)


def test_a_schedule_is_the_callers(tmp_path: Path) -> None:
    schedules = []

    def scheduled(parameters: Any) -> Any:
        schedules.append(paddle.optimizer.lr.StepDecay(0.02, 3))
        return paddle.optimizer.Momentum(schedules[-1], parameters=parameters)

    given, again = mlp(scheduled), mlp(scheduled)
    device = given.library(tmp_path)
    found, wanted = [], []
    for batch in given.batches:
        wanted.append(given.step(*map(paddle.to_tensor, batch)).numpy())
        device.learning_rate = schedules[1].get_lr()
        found.append(device.step(*batch)[0])
        schedules[0].step()
        schedules[1].step()
    np.testing.assert_allclose(found, wanted, rtol=NEAR)
    device.save(tmp_path / "state")
    load_state(tmp_path / "state", again.net, again.optimizer)
    assert again.optimizer.get_lr() == schedules[1].get_lr()


def test_several_optimizers_have_a_rate_each(tmp_path: Path) -> None:
    first, second = paddle.nn.Linear(4, 4), paddle.nn.Linear(4, 2)
    slow = paddle.optimizer.SGD(0.1, parameters=first.parameters())
    fast = paddle.optimizer.Adam(0.01, parameters=second.parameters())

    def step(x: Any) -> Any:
        loss = second(first(x)).square().mean()
        loss.backward()
        for optimizer in (slow, fast):
            optimizer.step()
            optimizer.clear_grad()
        return loss

    spec = [paddle.static.InputSpec([3, 4], "float32", "x")]
    device = LoadedTraining(
        export_training(step, str(tmp_path), target=here(), name="net", input_spec=spec)[0]
    )
    assert device.description["learning_rates"] == ["learning_rate", "learning_rate_1"]
    x = np.ones((3, 4), np.float32)
    losses = [float(device.step(x)[0]) for _ in range(5)]
    wanted = [step(paddle.to_tensor(x)).item() for _ in range(5)]
    np.testing.assert_allclose(losses, wanted, rtol=1e-4, atol=1e-7)
    device.save(tmp_path / "state")
    load_state(tmp_path / "state", first, second, slow, fast)
    assert (slow.get_lr(), fast.get_lr()) == (pytest.approx(0.1), pytest.approx(0.01))
