"""A script for Paddle 1 begins in static mode, one for Paddle 2 stays in dynamic mode."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import twinoar as paddle
from twinoar import fluid
from twinoar.errors import ArgumentError
from twinoar.static.builder import Defaults


@pytest.fixture(autouse=True)
def nothing_is_chosen(mode: None) -> None:
    paddle.disable_static()
    Defaults.mode_is_chosen = False


def test_importing_fluid_changes_nothing() -> None:
    code = (
        "from twinoar import compat; compat.install()\n"
        "import paddle, paddle.fluid as fluid\n"
        "from paddle.fluid.dygraph import Layer\n"
        "from paddle.fluid.layers import relu\n"
        "print(paddle.in_dynamic_mode(), paddle.zeros([1]).numpy())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True [0.]\n"


@pytest.mark.parametrize(
    "build",
    [
        lambda: fluid.data("x", [None, 3]),
        lambda: fluid.layers.data("x", [3]),
        lambda: fluid.layers.fill_constant([1], "float32", 0.0),
        lambda: fluid.optimizer.SGD(0.1),
        lambda: fluid.in_dygraph_mode(),
    ],
    ids=["data", "layers.data", "fill_constant", "optimizer", "in_dygraph_mode"],
)
def test_what_first_builds_a_graph_begins_static_mode(build) -> None:
    build()
    assert not paddle.in_dynamic_mode()


def test_a_call_with_a_tensor_computes_at_once() -> None:
    assert fluid.layers.relu(paddle.to_tensor([-1.0, 2.0])).tolist() == [0.0, 2.0]
    assert paddle.in_dynamic_mode()


@pytest.mark.parametrize("choose", [paddle.disable_static, fluid.enable_dygraph])
def test_a_mode_that_was_chosen_stays(choose) -> None:
    choose()
    assert fluid.layers.fill_constant([1], "float32", 2.0).tolist() == [2.0]
    assert fluid.in_dygraph_mode()


def test_the_guard_runs_operators_at_once_and_leaves_the_mode_open() -> None:
    with fluid.dygraph.guard():
        assert fluid.layers.fill_constant([1], "float32", 2.0).tolist() == [2.0]
        assert fluid.in_dygraph_mode()
    assert not fluid.in_dygraph_mode()


def test_the_guard_numbers_names_from_zero_each_time() -> None:
    names = []
    for _ in range(2):
        with fluid.dygraph.guard(fluid.CPUPlace()):
            names.append(fluid.dygraph.Linear(1, 1).weight.name)
    assert names == ["linear_0.w_0"] * 2


def test_enable_and_disable_switch() -> None:
    fluid.enable_imperative()
    assert fluid.in_dygraph_mode()
    fluid.disable_imperative()
    assert not fluid.in_dygraph_mode()


def test_a_guard_for_a_device_that_is_missing_is_refused() -> None:
    with pytest.raises(ArgumentError, match="only device"), fluid.dygraph.guard("gpu:0"):
        pass


def test_four_lines_grow_two_programs() -> None:
    def operators() -> tuple[list[str], list[str]]:
        programs = fluid.default_startup_program(), fluid.default_main_program()
        startup, main = ([o.type for o in p.global_block().ops] for p in programs)
        return startup, main

    x = fluid.data("X", [8, 1])
    assert operators() == ([], [])
    hidden = fluid.layers.fc(x, size=10)
    assert operators() == (["fill_constant", "uniform_random"], ["mul", "elementwise_add"])
    loss = fluid.layers.mean(hidden)
    assert operators()[1] == ["mul", "elementwise_add", "mean"]
    fluid.optimizer.SGD(0.01).minimize(loss)
    startup, main = operators()
    assert sorted(startup) == ["fill_constant", "fill_constant", "uniform_random"]
    assert main[3:] == [
        "fill_constant", "mean_grad", "elementwise_add_grad", "mul_grad", "sgd", "sgd",
    ]  # fmt: skip
    assert {"fc_0.w_0", "fc_0.b_0", "learning_rate_0"} <= set(
        fluid.default_startup_program().global_block().vars
    )


def test_a_script_trains_without_enable_static() -> None:
    x, y = fluid.data("x", [None, 2]), fluid.data("y", [None, 1])
    loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(x, 1), y))
    fluid.optimizer.SGD(0.1).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    feed = {"x": np.eye(2, dtype="float32"), "y": np.ones((2, 1), "float32")}
    losses = [exe.run(feed=feed, fetch_list=[loss])[0] for _ in range(5)]
    assert losses[0].shape == (1,)
    assert losses[-1].item() < losses[0].item()
