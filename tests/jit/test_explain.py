"""explain() of functions, loaded models and static Programs."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn, static


@pytest.fixture(autouse=True)
def native():
    with config.override(backend="native"):
        yield


def test_a_function_names_its_operators():
    function = paddle.jit.to_static(lambda x: nn.functional.relu(x * 2.0))
    function(paddle.ones([3]))
    assert "multiply, relu" in function.explain()


def test_a_function_with_an_input_spec_explains_what_ran():
    spec = [static.InputSpec([None, 3], "float32")]
    function = paddle.jit.to_static(lambda x: nn.functional.relu(x * 2.0), input_spec=spec)
    function(paddle.ones([2, 3]))
    assert "multiply, relu" in function.explain()


def test_where_gradients_flow_forward_and_backward_are_explained():
    layer = nn.Linear(4, 3)
    function = paddle.jit.to_static(lambda x: nn.functional.relu(layer(x)))
    function(paddle.ones([2, 4])).sum().backward()
    text = function.explain("time")
    assert text.startswith("forward:\n") and "\nbackward:\n" in text
    assert text.count("floor us") == 2


def test_a_loaded_model_is_explained(tmp_path):
    layer = nn.Linear(4, 3)
    spec = static.InputSpec([None, 4], name="x")
    paddle.jit.save(layer, str(tmp_path / "model"), input_spec=[spec])
    model = paddle.jit.load(str(tmp_path / "model"))
    assert "not compiled yet" in model.explain()
    with paddle.no_grad():
        model(paddle.ones([2, 4]))
    assert "matmul" in model.explain()


def test_a_static_program_is_explained_after_a_run():
    program = static.Program()
    with static.program_guard(program):
        y = static.data("x", [None, 4]) * 2.0
    assert program.explain().startswith("not compiled yet")
    static.Executor().run(program, feed={"x": np.ones((2, 4), np.float32)}, fetch_list=[y])
    assert "multiply" in program.explain()
