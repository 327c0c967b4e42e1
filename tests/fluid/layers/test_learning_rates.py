"""Schedules in a Program give, run by run, the rates that Paddle 1.8.5 gives."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar import fluid, static
from twinoar.errors import ArgumentError
from twinoar.fluid import layers

# Eight runs each, recorded with Paddle 1.8.5.
RATES = {
    "exponential_decay(0.1, 3, 0.5)": "0.1 0.07937 0.062996 0.05 0.039685 0.031498 0.025 0.019843",
    "exponential_decay(0.1, 3, 0.5, True)": "0.1 0.1 0.1 0.05 0.05 0.05 0.025 0.025",
    "natural_exp_decay(0.1, 3, 0.5)": "0.1 0.084648 0.071653 0.060653 0.051342 0.04346 0.036788 "
    "0.03114",
    "inverse_time_decay(0.1, 3, 0.5, True)": "0.1 0.1 0.1 0.066667 0.066667 0.066667 0.05 0.05",
    "polynomial_decay(0.1, 4)": "0.1 0.075025 0.05005 0.025075 0.0001 0.0001 0.0001 0.0001",
    "polynomial_decay(0.1, 4, 0.01, 2.0, True)": "0.1 0.060625 0.0325 0.015625 0.01 0.022656 "
    "0.015625 0.011406",
    "piecewise_decay([2, 5], [1.0, 0.5, 0.1])": "1 1 0.5 0.5 0.5 0.1 0.1 0.1",
    "noam_decay(64, 4)": "0.015625 0.03125 0.046875 0.0625 0.055902 0.051031 0.047246 0.044194",
    "cosine_decay(0.1, 2, 4)": "0.1 0.1 0.085355 0.085355 0.05 0.05 0.014645 0.014645",
    "linear_lr_warmup(0.5, 3, 0.1, 0.4)": "0.1 0.2 0.3 0.5 0.5 0.5 0.5 0.5",
    "linear_lr_warmup(layers.piecewise_decay([2, 5], [1.0, 0.5, 0.1]), 3, 0.1, 0.4)": "0.1 0.2 0.3 "
    "0.5 0.5 0.1 0.1 0.1",
}


@pytest.mark.parametrize("call", RATES)
def test_rates_are_those_of_paddle(call: str) -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        rate = eval(f"layers.{call}")
    executor = static.Executor()
    executor.run(startup)
    found = [executor.run(main, fetch_list=[rate])[0].item() for _ in range(8)]
    assert found == pytest.approx([float(x) for x in RATES[call].split()], abs=1e-6)


def test_an_optimizer_follows_a_schedule_of_the_program() -> None:
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        weight = layers.create_parameter(
            [1], "float32", default_initializer=fluid.initializer.Constant(0.0)
        )
        rate = layers.piecewise_decay([1, 2], [1.0, 0.5, 0.25])
        fluid.optimizer.SGD(rate).minimize(layers.mean(weight))
    executor = static.Executor()
    executor.run(startup)
    found = []
    for _ in range(4):
        executor.run(main)
        found.append(np.array(fluid.global_scope().find_var(weight.name).get_tensor()).item())
    assert found == [-1.0, -1.5, -1.75, -2.0]


def test_at_once_they_are_the_schedules_of_dygraph() -> None:
    with fluid.dygraph.guard():
        assert isinstance(layers.noam_decay(64, 4), fluid.dygraph.NoamDecay)
        assert isinstance(layers.cosine_decay(0.1, 2, 4), fluid.dygraph.CosineDecay)


def test_boundaries_part_one_value_more() -> None:
    with static.program_guard(static.Program()), pytest.raises(ArgumentError, match="3 values"):
        layers.piecewise_decay([1, 2], [1.0, 0.5])
