"""Programs whose values are clipped to learnt bounds before they are rounded: PACT."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.errors import ArgumentError, ProgramError
from twinoar.static.quantization import convert, quant_aware

pytestmark = pytest.mark.usefixtures("static_mode")
PACT = {"activation_preprocess_type": "PACT"}


class Given:
    """A Program of two layers, its scope, and the mean of the squares that it gives."""

    def __init__(self) -> None:
        self.main, startup = static.Program(), static.Program()
        self.scope, self.executor = static.Scope(), static.Executor()
        with paddle.utils.unique_name.guard(), static.program_guard(self.main, startup):
            y = static.nn.fc(static.data("x", [None, 4]), 3, activation="relu")
            self.out = static.nn.fc(y, 2)
            self.loss = (self.out**2).mean()
        self.main.random_seed = startup.random_seed = 3
        self.executor.run(startup, scope=self.scope)

    def bound(self) -> float:
        return float(np.array(self.scope.find_var("x_pact")).item())

    def run(self, program: Any, x: np.ndarray, name: str) -> np.ndarray:
        return self.executor.run(program, {"x": x}, [name], scope=self.scope)[0]


def trained(given: Given, first: float | None = None, steps: int = 3) -> Any:
    """The Program to train, after some steps; first: where the bound of x begins."""
    program = quant_aware(given.main, config=PACT, scope=given.scope)
    if first is not None:
        given.scope.var("x_pact").set(np.array([first], "f4"))
    startup = static.Program()
    with static.program_guard(program, startup):
        loss = program.variable(given.loss.name)
        paddle.optimizer.SGD(0.05).minimize(loss)
    given.executor.run(startup, scope=given.scope)
    for seed in range(steps):
        given.run(program, numbers(seed), given.loss.name)
    return program


def numbers(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((8, 4)).astype("f4")


def test_bounds_are_parameters_that_are_learnt() -> None:
    given = Given()
    program = trained(given, first=0.5)
    assert "x_pact" in [p.name for p in program.all_parameters()]
    assert given.bound() != 0.5


def test_bounds_that_clip_nothing_come_closer() -> None:
    given = Given()
    trained(given)
    # Of the decay alone: 1 - 0.05 * 1e-4 in each step.
    assert given.bound() == pytest.approx(20.0 * (1 - 0.05e-4) ** 3, rel=1e-6)


def test_what_is_converted_clips_where_training_did() -> None:
    given = Given()
    trained(given, first=0.5)
    test = quant_aware(
        given.main.clone(for_test=True), config=PACT, scope=given.scope, for_test=True
    )
    converted = convert(test, scope=given.scope)
    x = numbers(9)
    found = given.run(converted, x, given.out.name)
    np.testing.assert_allclose(found, given.run(test, x, given.out.name), atol=1e-5)
    bound = given.bound()
    inside = given.run(converted, np.clip(x, -bound, bound), given.out.name)
    np.testing.assert_allclose(found, inside, atol=1e-5)


def test_bounds_need_gradients_that_are_yet_to_come() -> None:
    given = Given()
    with static.program_guard(given.main, static.Program()):
        paddle.optimizer.SGD(0.1).minimize(given.loss)
    with pytest.raises(ProgramError, match="bounds have no gradients"):
        quant_aware(given.main, config=PACT, scope=given.scope)


def test_no_other_way_to_clip_is_known() -> None:
    with pytest.raises(ArgumentError, match="None or 'PACT'"):
        quant_aware(Given().main, config={"activation_preprocess_type": "LSQ"})
