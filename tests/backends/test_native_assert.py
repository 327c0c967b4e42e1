"""An assertion that holds costs a look at a byte; one that fails is told as everywhere else."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.test_native_branches import form_of, kinds
from twinoar import config
from twinoar.backends.host import host
from twinoar.backends.llvm.driver import Routine, unless
from twinoar.backends.native.executable import NativeExecutable
from twinoar.compile.commands import Host, Unless
from twinoar.compile.commands_text import parsed, printed
from twinoar.core.dtype import float32, int64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.policy import UNRECORDED
from twinoar.core.spec import Spec
from twinoar.errors import AxisError, FailedAssertion
from twinoar.jit import to_static
from twinoar.ops.control.assertion import assert_op, check

HOLDS, FAILS = np.float32([1, 2]), np.float32([-3, 1])


def plain(x):
    assert x.sum() > 0, f"the sum is {x.sum():.2f}"
    return x * 2


def without_a_message(x):
    assert x.sum() > 0
    return x * 2


def in_a_loop(x):
    total = x * 0
    while total.sum() < 9:
        total = total + x * x
        assert (x > 0).any() and x.min() > -2, f"after {total}"
    return total


def in_a_branch_in_a_loop(x):
    n = paddle.zeros([], "int64")
    while n < 4:
        if n > 2:
            assert x.sum() > 0, f"at {n}"
        n = n + 1
    return x + n


def raised(x):
    if x.sum() < 0:
        raise ValueError(f"negative: {float(x.sum())}")
    return x + 1


FUNCTIONS = [plain, without_a_message, in_a_loop, in_a_branch_in_a_loop, raised]


@pytest.fixture
def told(monkeypatch) -> list[bool]:
    """The conditions that Python has looked at."""
    found: list[bool] = []
    kernel = assert_op.kernel_rule

    def noted(condition, *xs, **attrs):
        found.append(bool(condition))
        return kernel(condition, *xs, **attrs)

    monkeypatch.setitem(vars(assert_op), "kernel_rule", noted)
    return found


@pytest.mark.parametrize("function", FUNCTIONS)
def test_python_runs_only_where_an_assertion_fails(function, told):
    with config.override(backend="native", strict=True):
        converted, form = form_of(function, HOLDS)
        np.testing.assert_array_equal(converted(paddle.to_tensor(HOLDS)), function(tensor(HOLDS)))
        assert told == []
        assert Unless in kinds(form.commands) and Host not in kinds(form.commands)
        assert not form.commands.is_hosted and form.host_commands() == []
        assert converted.explain().endswith("host commands: 0")
        assert told == []  # although it would fail for the zeros that are run then
        with pytest.raises((AssertionError, ValueError)):
            converted(paddle.to_tensor(FAILS))
        assert told == [False]
        np.testing.assert_array_equal(converted(paddle.to_tensor(HOLDS)), function(tensor(HOLDS)))
    assert parsed(printed(form.commands)) == form.commands


def tensor(array) -> paddle.Tensor:
    return paddle.to_tensor(array)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_back_end_tells_the_same_of_it(function):
    texts = []
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            texts.append(error_of(to_static(function)))
    assert texts[0] == texts[1]
    if function is not without_a_message:  # pytest writes one
        assert error_of(function).splitlines()[0] in texts[0].splitlines()[0]


def error_of(function) -> str:
    with pytest.raises((AssertionError, ValueError)) as caught:
        function(tensor(FAILS))
    return str(caught.value)


def test_effects_keep_their_order_around_it(capsys):
    def function(x):
        print("before", x.sum())
        assert x.sum() > 0
        print("after", x.sum())
        return x

    converted = to_static(function)
    with config.override(backend="native"):
        converted(tensor(HOLDS))
        assert capsys.readouterr().out.count("after") == 1
        with pytest.raises(FailedAssertion):
            converted(tensor(FAILS))
    printed_text = capsys.readouterr().out
    assert printed_text.startswith("before") and "after" not in printed_text


def checked_program(make, *specs) -> Program:
    """A Program of what `make` appends; it counts its runs."""
    program = Program("checked")
    given = [program.main.add_input(s, f"x{n}") for n, s in enumerate(specs)]
    runs = program.add_state(Spec((), float32), "runs")
    with using(Builder(program, policy=UNRECORDED)):
        program.main.outputs = [make(*given)]
        program.update(runs, runs + 1)
    return program


def run(program: Program, *feeds) -> list[np.ndarray]:
    executable = NativeExecutable(program, host())
    states = [np.zeros((), np.float32) for _ in executable.state_names]
    try:
        return executable.execute(list(feeds), states)[0]
    except Exception:
        assert states[0] == 0  # a run that fails changes nobody's array
        raise


@pytest.mark.parametrize(("condition", "fails"), [(True, False), (False, True)])
def test_a_condition_that_is_no_tensor_is_known_before(condition, fails):
    def make(x):
        check(condition, "ValueError", "known")
        return x + 1

    with config.override(strict=True):
        program = checked_program(make, Spec((2,), float32))
        if fails:
            with pytest.raises(ValueError, match="known"):
                run(program, HOLDS)
        else:
            np.testing.assert_array_equal(run(program, HOLDS)[0], HOLDS + 1)


def test_a_condition_may_be_an_element_of_what_was_computed():
    def make(x):
        wide = paddle.cumsum(x, 0) > 2
        check(wide[1:2].reshape([1, 1]), "ValueError", "the second")
        return wide

    program = checked_program(make, Spec((3,), float32))
    assert run(program, np.float32([1, 2, 0]))[0].tolist() == [False, True, True]
    with pytest.raises(ValueError, match="the second"):
        run(program, np.float32([1, 1, 9]))


def test_a_wrong_index_before_it_is_what_is_told():
    def make(x, i):
        check(paddle.gather(x, i).sum() > 2, "ValueError", "never")
        return x

    program = checked_program(make, Spec((2,), float32), Spec((1,), int64))
    run(program, HOLDS * 3, np.int64([0]))
    with pytest.raises(AxisError, match="lies outside"):
        run(program, HOLDS, np.int64([7]))


def test_the_driver_calls_where_the_byte_is_zero():
    byte, called = np.ones(1, np.uint8), []
    words = np.array([byte.ctypes.data], np.int64)
    routine = Routine([unless(words.ctypes.data, lambda: called.append(True))])
    routine.run()
    byte[0] = 0
    with routine.watched():
        routine.run()
    assert called == []
    routine.run()
    assert called == [True]
