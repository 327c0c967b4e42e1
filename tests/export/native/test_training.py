"""Whole steps as libraries of this machine: what they train is what plain Python trains."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.export.native.trainings import TRAININGS, Training, assert_trained
from twinoar.backends.llvm.target import processor
from twinoar.export.native.targets import MACHINES

X86 = [n for n in MACHINES if n.startswith("x86")]


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
