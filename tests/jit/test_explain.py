"""explain() of functions, loaded models and static Programs."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static

pytestmark = pytest.mark.usefixtures("native")


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


def doubled(x):
    return static.py_func(lambda a: a * 2.0, x, static.InputSpec([3, 3]))


def of_several(x):
    values = paddle.linalg.eig(x)[0].real().sum()
    return doubled(doubled(x)) + values


def of_a_loop(x, n):
    while n > 0:
        x = doubled(x) * 0.5
        n = n - 1
    return x


def of_what_data_decides(x):
    return doubled(x) + x[x > 0.0].sum()


EIG = "eig (general eigenvalues: iterations that LAPACK has)"


@pytest.mark.parametrize(
    ("function", "more", "line"),
    [
        (lambda x: nn.functional.relu(x * 2.0), (), "host commands: 0"),
        (doubled, (), "host commands: 1: py_func (Python)"),
        (of_several, (), f"host commands: 3: {EIG}, py_func*2 (Python)"),
        (of_a_loop, (2,), "host commands: 1: py_func (Python)"),
    ],
)
def test_host_commands_are_counted_with_reasons(function, more, line):
    static_function = paddle.jit.to_static(function)
    with paddle.no_grad():
        static_function(paddle.ones([3, 3]), *map(paddle.to_tensor, more))
    assert static_function.explain().splitlines()[-1] == line


def test_host_commands_of_all_stages_are_counted():
    function = paddle.jit.to_static(of_what_data_decides)
    with paddle.no_grad():
        function(paddle.ones([3, 3]))
    lines = [t for t in function.explain().splitlines() if t.startswith("host commands")]
    assert len(lines) == 1 and "py_func (Python)" in lines[0]
