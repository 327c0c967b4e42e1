"""Wrong Programs and wrong runs: each is refused with what was expected, and changes nothing."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import static
from twinoar.errors import (
    ArgumentError,
    AxisError,
    DTypeError,
    FileError,
    ProgramError,
    ShapeError,
    TwinoarError,
    TypeMismatchError,
    UnknownNameError,
    UnsupportedError,
)

X = np.ones((2, 3), np.float32)


@pytest.fixture
def relu(programs):
    """A Program that computes out = relu(x)."""
    main, _ = programs
    x = static.data("x", [None, 3])
    out = main.global_block().create_var(name="out", shape=[-1, 3])
    main.global_block().append_op("relu", inputs={"X": x}, outputs={"Out": out})
    return main


def run(program, fetch=("out",), feed=None):
    return static.Executor().run(program, {"x": X} if feed is None else feed, list(fetch))


def test_an_operator_that_reads_what_nothing_defines_is_refused(relu):
    undefined = relu.global_block().create_var(name="ghost", shape=[3])
    relu.global_block().append_op(
        "tanh", inputs={"X": undefined}, outputs={"Out": relu.global_block().create_var(name="y")}
    )
    with pytest.raises(ProgramError, match=r"tanh reads ghost \(f32\[3\]\), which nothing"):
        run(relu)
    with pytest.raises(ProgramError, match="tanh reads %ghost"):
        relu.clone()
    with pytest.raises(ProgramError, match="tanh reads %ghost"):
        relu.desc.serialize_to_string()


def test_an_operator_whose_operand_was_removed_is_refused(relu):
    block = relu.global_block()
    block.append_op("tanh", inputs={"X": "out"}, outputs={"Out": block.create_var(name="y")})
    block._remove_op(0)
    with pytest.raises(ProgramError, match="tanh reads out") as caught:
        run(relu, ["y"])
    assert "test_errors.py" in str(caught.value)


def test_operators_in_a_circle_are_refused(relu):
    block = relu.global_block()
    block.append_op("tanh", inputs={"X": "out"}, outputs={"Out": block.create_var(name="y")})
    first, second = block.ops
    first.operands = second.results
    with pytest.raises(ProgramError, match="relu reads y"):
        run(relu, ["y"])


def test_an_operator_without_its_operands_is_refused(relu):
    relu.global_block().ops[0].operands = ()
    with pytest.raises(ProgramError, match="relu takes x, received 0 operands"):
        run(relu)


def test_operators_of_another_program_are_refused(relu):
    other = static.Program()
    with (
        static.program_guard(other),
        pytest.raises(ProgramError, match="%x belongs to another program"),
    ):
        paddle.tanh(relu.global_block().var("x"))


def test_gradients_across_programs_are_refused(relu):
    x = relu.global_block().var("x")
    with static.program_guard(static.Program()):
        y = static.data("y", [2])
    with pytest.raises(ArgumentError, match="belong to two programs"):
        static.gradients([y], [x])


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"type": "rellu", "inputs": {"X": "x"}}, UnknownNameError, "no operator of type 'rellu'"),
        ({"type": "relu_grad", "inputs": {"X": "x"}}, UnknownNameError, "static.gradients"),
        ({"type": "fetch", "inputs": {"X": "x"}}, UnknownNameError, "fetch_list"),
        ({"type": "relu", "inputs": {"Y": "x"}}, UnknownNameError, "no input 'Y'"),
        ({"type": "relu", "inputs": {"X": ["x", "x"]}}, ArgumentError, "one variable in slot X"),
        ({"type": "relu", "inputs": {"X": 3}}, TypeMismatchError, "reads Variables, received 3"),
        ({"type": "relu", "inputs": {"X": "z"}}, UnknownNameError, "no variable 'z'"),
        ({"type": "relu", "inputs": {}}, ArgumentError, "expected a variable in slot X"),
        ({"type": "sum"}, ArgumentError, "at least one tensor"),
        ({"type": "while", "inputs": {"X": "x"}}, UnsupportedError, "has blocks"),
        (
            {"type": "relu", "inputs": {"X": "x"}, "attrs": {"op_role": "x"}},
            TypeMismatchError,
            "op_role must be an int",
        ),
        ({"inputs": {"X": "x"}}, TypeMismatchError, "type of an operator must be a string"),
        (
            {"type": "relu", "inputs": {"X": "x"}, "outputs": {"Oot": "out"}},
            UnknownNameError,
            "no output 'Oot'",
        ),
        (
            {"type": "relu", "inputs": {"X": "x"}, "outputs": {"Out": 3}},
            TypeMismatchError,
            "outputs takes Variables",
        ),
        (
            {"type": "softmax", "inputs": {"X": "x"}, "attrs": {"axes": 1}},
            UnknownNameError,
            "no attribute 'axes'",
        ),
        (
            {"type": "transpose2", "inputs": {"X": "x"}},
            ArgumentError,
            "expected an attribute for perm",
        ),
        (
            {"type": "softmax", "inputs": {"X": "x"}, "attrs": {"axis": 5}},
            AxisError,
            "5",
        ),
    ],
)
def test_wrong_operators_are_refused_and_not_appended(relu, arguments, error, match):
    with pytest.raises(error) as caught:
        relu.global_block().append_op(**arguments)
    assert match in str(caught.value)
    assert np.array_equal(run(relu)[0], X)


@pytest.mark.parametrize(
    ("feed", "error", "match"),
    [
        ({"x": np.ones((2, 4), np.float32)}, ShapeError, "dimension 1 is 4"),
        ({"x": np.ones(3, np.float32)}, ShapeError, "1 dimensions"),
        ({"x": np.ones((2, 3))}, DTypeError, "must be float32, received float64"),
        ({"x": [[1.0, 2.0, 3.0], [1.0]]}, TypeMismatchError, "must be an array"),
        ({"x": "text"}, TypeMismatchError, "must be an array"),
        ({}, ProgramError, "the feed lacks x"),
        ({"z": X}, UnknownNameError, "no input ['z']"),
        ([{"x": X}, {"x": X}], ProgramError, "expected one feed, received 2"),
        (3, TypeMismatchError, "feed must be a dict"),
    ],
)
def test_wrong_feeds_are_refused(relu, feed, error, match):
    with pytest.raises(error) as caught:
        run(relu, feed=feed)
    assert match in str(caught.value)


def test_a_feed_too_many_is_warned_of(relu):
    with pytest.warns(UserWarning, match="no input \\['label'\\]"):
        assert np.array_equal(run(relu, feed={"x": X, "label": X})[0], X)


@pytest.mark.parametrize(
    ("fetch", "error", "match"),
    [
        (["nothing"], UnknownNameError, "no variable 'nothing'"),
        ([3], TypeMismatchError, "received int"),
    ],
)
def test_wrong_fetches_are_refused(relu, fetch, error, match):
    with pytest.raises(error, match=match):
        run(relu, fetch)


@pytest.mark.parametrize("what", [3, "main", X, static.Scope()])
def test_what_is_no_program_does_not_run(what):
    with pytest.raises(TypeMismatchError, match="expected a Program to run"):
        static.Executor().run(what)


def test_a_closed_executor_does_not_run(relu):
    executor = static.Executor()
    executor.close()
    executor.close()
    with pytest.raises(ProgramError, match="closed"):
        executor.run(relu, {"x": X}, ["out"])


def test_parameters_that_the_scope_lacks_are_named(programs):
    main, startup = programs
    out = static.nn.fc(static.data("x", [None, 3]), 2, weight_attr="w", bias_attr="b")
    exe = static.Executor()
    with pytest.raises(ProgramError, match=r"the state w \(f32\[3,2\]\) is not initialized"):
        exe.run(main, {"x": X}, [out])
    exe.run(startup)
    static.global_scope().erase(["b"])
    with pytest.raises(ProgramError, match="the state b"):
        exe.run(main, {"x": X}, [out])
    with pytest.raises(ProgramError, match="the state b"):
        main.state_dict()


@pytest.mark.parametrize(
    ("value", "error", "match"),
    [
        (np.zeros((3, 3), np.float32), ShapeError, "the state w is f32"),
        (np.zeros((3, 2)), DTypeError, "received float64"),
    ],
)
def test_values_in_the_scope_that_do_not_fit_are_refused(programs, value, error, match):
    main, startup = programs
    out = static.nn.fc(static.data("x", [None, 3]), 2, weight_attr="w")
    exe = static.Executor()
    exe.run(startup)
    static.global_scope().find_var("w").set(value)
    with pytest.raises(error, match=match):
        exe.run(main, {"x": X}, [out])


def test_a_run_that_fails_changes_no_state(programs):
    main, startup = programs
    counter = static.create_global_var([1], 0, "int64", persistable=True, name="counter")
    paddle.increment(counter)
    x = static.data("x", [None], "int64")
    out = paddle.gather(static.data("table", [3]), x)
    exe = static.Executor()
    exe.run(startup)
    with pytest.raises(TwinoarError):
        exe.run(main, {"x": np.array([7]), "table": X[0]}, [out])
    assert counter.get_value().tolist() == [0]
    exe.run(main, {"x": np.array([2]), "table": X[0]}, [out])
    assert counter.get_value().tolist() == [1]


def test_values_belong_to_states(relu):
    out = relu.global_block().var("out")
    with pytest.raises(ProgramError, match="it is no state"):
        out.get_value()
    with pytest.raises(ProgramError, match="computed by each run"):
        out.set_value(X)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: static.cuda_places(), ArgumentError, "no device CUDAPlace"),
        (lambda: static.xpu_places([0]), ArgumentError, "no device XPUPlace"),
        (lambda: static.cpu_places(0), ArgumentError, "at least one place"),
        (lambda: static.Executor("gpu:0"), ArgumentError, "no device"),
        (lambda: static.Program().block(1), ArgumentError, "has 1 blocks"),
        (lambda: static.Program().global_block().var(3), TypeMismatchError, "must be a string"),
        (lambda: static.Program.parse_from_string(b"nonsense"), FileError, "the program"),
        (lambda: static.Program.parse_from_string("text"), TypeMismatchError, "expected bytes"),
        (lambda: static.gradients([], []), ArgumentError, "targets is empty"),
        (lambda: static.append_backward(3), TypeMismatchError, "must be a Variable"),
        (lambda: static.Executor().train_from_dataset(), ArgumentError, "dataset is missing"),
        (
            lambda: static.Executor().train_from_dataset(static.Program(), 3),
            TypeMismatchError,
            "must give batches",
        ),
        (lambda: static.Executor().run(scope=3), TypeMismatchError, "scope must be a Scope"),
        (lambda: static.program_guard(3).__enter__(), TypeMismatchError, "expects Programs"),
        (lambda: static.scope_guard(3).__enter__(), TypeMismatchError, "expected a Scope"),
        (lambda: static.name_scope(3).__enter__(), TypeMismatchError, "must be a string"),
        (lambda: static.device_guard("gppu").__enter__(), ArgumentError, "must be one of"),
    ],
)
def test_wrong_calls_are_refused(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_random_seed_must_be_a_number_from_0():
    program = static.Program()
    with pytest.raises(TypeMismatchError, match="must be an int"):
        program.random_seed = "1"
    with pytest.raises(ArgumentError, match="negative"):
        program.random_seed = -1
