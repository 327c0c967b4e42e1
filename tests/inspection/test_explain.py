"""explain(): what it names, what it counts, and that it leaves all data as it was."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.backends.choice import make_executable
from twinoar.compile.work import operations
from twinoar.core.dtype import float32
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program, State
from twinoar.core.spec import Spec
from twinoar.inspection.machine import Machine
from twinoar.inspection.origin import batches_of_operators, operators_of_batches
from twinoar.ops.activation.rectifier import relu
from twinoar.ops.activation.softmax import softmax
from twinoar.ops.math.arithmetic import add, multiply
from twinoar.ops.math.exponential import exp

pytestmark = pytest.mark.usefixtures("native")


def program_of(function, *shapes):
    program = Program("main")
    inputs = [program.main.add_input(Spec(shape, float32)) for shape in shapes]
    with using(Builder(program)):
        out = function(*inputs)
    program.main.outputs = [out]
    return program


def form_of(function, *shapes):
    """The compiled form of a function, after a run."""
    executable = make_executable(program_of(function, *shapes))
    executable.execute([np.ones(shape, np.float32) for shape in shapes], [])
    (form,) = executable.forms.values()
    return form


def training_step():
    paddle.seed(0)
    model = nn.Linear(4, 3)
    optimizer = paddle.optimizer.Adam(0.1, parameters=model.parameters())

    @paddle.jit.to_static
    def step(x):
        loss = (nn.functional.dropout(model(x), 0.5) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step


def test_explaining_changes_no_state_feed_or_result():
    step = training_step()
    x = paddle.ones([2, 4])
    loss = step(x)
    concrete = step.concrete_program
    states = [s for s in concrete.program.states.values() if isinstance(s, State)]
    live = [s.data._data for s in states if s.data is not None and not s.is_constant]
    before = [np.array(a) for a in (*live, x._data, loss._data)]
    concrete.explain()
    for a, b in zip((*live, x._data, loss._data), before, strict=True):
        np.testing.assert_array_equal(a, b)


def test_runs_after_explaining_continue_where_they_were():
    x = paddle.ones([2, 4])
    step = training_step()
    wanted = [float(step(x)) for _ in range(3)]
    step = training_step()
    found = []
    for _ in range(3):
        found.append(float(step(x)))
        step.concrete_program.explain()
    assert found == wanted


def test_each_operator_is_computed_somewhere():
    form = form_of(lambda x, y: relu(add(multiply(x, 2.0), y)), (64, 8), (8,))
    homes = batches_of_operators(form.compiled)
    assert all(homes.values())
    assert {o for batch in operators_of_batches(form.compiled) for o in batch} == set(homes)


def test_a_line_names_result_and_operators():
    form = form_of(lambda x: relu(multiply(x, 2.0)), (8,))
    (row,) = form.explanation().rows
    assert row.computes.endswith("= multiply, relu")
    assert row.runs_as.startswith("loops") and row.kind == "loops"


def test_many_operators_are_counted_and_the_rest_summed_up():
    def function(x):
        for _ in range(3):
            x = add(exp(relu(multiply(x, 2.0))), softmax(x))
        return x

    form = form_of(function, (4, 8))
    assert any("*" in row.computes or "others" in row.computes for row in form.explanation().rows)


def test_bytes_and_operations_of_an_elementwise_kernel():
    form = form_of(lambda x, y: add(multiply(x, y), 1.0), (1000,), (1000,))
    (row,) = form.explanation().rows
    assert row.bytes == 3 * 1000 * 4
    assert row.operations == 2 * 1000
    assert operations(form.compiled.parts[0].step.nest) == 2 * 1000


def test_sorting_by_time_puts_the_slowest_first():
    form = form_of(lambda x: add(softmax(exp(x)), multiply(x, 3.0)), (300, 300))
    lines = form.explain("time").splitlines()
    count = len(form.compiled.batches)
    times = [float(line.split()[0]) for line in lines[1 : count + 1]]
    assert times == sorted(times, reverse=True)


def test_totals_name_memory_machine_and_stages():
    text = form_of(lambda x: add(x, 1.0), (8,)).explain()
    for part in ("arena", "needed at once", "GFLOP/s", "grouping", "LLVM"):
        assert part in text


def test_a_floor_is_the_larger_of_moving_and_computing():
    machine = Machine({100: 10.0, 1000: 5.0}, {"float32": 4.0, "bfloat16": 8.0})
    assert machine.floor(100, 0, "float32") == 10.0
    assert machine.floor(500, 0, "float32") == 50.0
    assert machine.floor(5000, 0, "float32") == 1000.0
    assert machine.floor(0, 8, "float32") == 2.0
    assert machine.floor(0, 8, "bfloat16") == 1.0
    assert machine.floor(0, 8, "float64") == 2.0


def test_nothing_is_explained_before_the_first_run():
    executable = make_executable(program_of(lambda x: add(x, 1.0), (8,)))
    assert executable.explain().startswith("not compiled yet")


def test_numbers_that_an_operator_refuses_are_no_hindrance():
    function = paddle.jit.to_static(lambda x, i: paddle.linalg.cholesky(x)[i] + 1.0)
    given = paddle.eye(3) * 4.0, paddle.to_tensor([2, 0])
    before = function(*given).tolist()
    assert "cholesky" in function.explain()
    assert function(*given).tolist() == before
    with pytest.raises(ValueError, match="not positive definite"):
        function(-given[0], given[1])
    assert "cholesky" in function.explain()
    with pytest.raises(IndexError, match="out of range"):
        function(given[0], given[1] + 1)
