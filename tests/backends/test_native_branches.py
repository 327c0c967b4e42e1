"""`if` and `while` run without Python, and give what NumPy's kernels give, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.random_control import random_control
from twinoar.backends.host import host
from twinoar.backends.native.executable import NativeExecutable
from twinoar.backends.numpy import NumpyExecutable
from twinoar.compile.commands import Commands, If, While, bodies_of
from twinoar.compile.commands_text import parsed, printed
from twinoar.core.ir.program import copy_program
from twinoar.errors import AxisError
from twinoar.inspection.code import loops_of
from twinoar.jit import to_static
from twinoar.passes.pipeline import lower


@pytest.mark.parametrize("seed", range(25))
def test_random_branches_and_loops_give_what_numpy_gives(seed: int) -> None:
    made = random_control(seed)
    native = NativeExecutable(made.program, host())
    oracle = NumpyExecutable(lower(copy_program(made.program)[0]))
    states = [dict(made.states) for _ in range(2)]
    for _ in range(3):
        found, wanted = (
            run(one, made.feeds, now) for one, now in zip((native, oracle), states, strict=True)
        )
        for x, y in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(x, y, strict=True)
    (form,) = native.forms.values()
    assert not form.compiled.hosted
    assert parsed(printed(form.commands)) == form.commands


def run(executable, feeds, states) -> list[np.ndarray]:
    """The results and the next states, which `states` gets; or what is told."""
    given = [states[name].copy() for name in executable.state_names]
    try:
        found, following = executable.execute(feeds, given)
    except ValueError as error:
        return [np.array(str(error))]
    states.update(zip(executable.updated_names, following, strict=True))
    return [*found, *following]


def form_of(function, *given):
    """What a converted function has been compiled to."""
    converted = to_static(function)
    converted(*map(paddle.to_tensor, given))
    concrete, _ = converted.get_concrete_program(*map(paddle.to_tensor, given))
    (executable,) = concrete.executables().values()
    (form,) = executable.forms.values()
    return converted, form


def kinds(commands: Commands) -> list[type]:
    found = list(map(type, commands.walk()))
    return found + [k for c in commands.walk() for body in bodies_of(c) for k in kinds(body)]


X = np.float32([[1, 2, 3], [4, 5, 6]])


def recurrent(x, n):
    i = paddle.zeros([], "int64")
    while i < n:
        x = paddle.tanh(x) if x.sum() > 0 else x + 1.0
        i = i + 1
    return x


def test_no_python_runs_between_a_condition_and_what_follows() -> None:
    _, form = form_of(recurrent, X, 5)
    assert {If, While} <= set(kinds(form.commands))
    assert not form.compiled.hosted and not form.commands.is_hosted
    loops = [text for batch in form.compiled.batches for text in loops_of(batch)]
    assert {"test:", "body:", "then:", "orelse:"} <= set(loops)


def changing_places(x, n):
    a, b, c, d = x, x * 2, x * 3, x * 4
    while n > 0:
        a, b, c, d, n = b, c, a, d, n - 1
    return a, b, c, d


def both_from_one(x, n):
    a, b = x, x * 2
    while n > 0:
        new = a * 2 - b
        a, b, n = new, new, n - 1
    return a, b


def one_behind(x, n):
    a, b = x, x
    while n > 0:
        a, b, n = a + 1, a, n - 1
    return a, b


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("function", [changing_places, both_from_one, one_behind])
def test_what_is_carried_is_not_written_before_it_is_read(function, n: int) -> None:
    converted, _ = form_of(function, X, n)
    given = paddle.to_tensor(X), paddle.to_tensor(n)
    for found, wanted in zip(converted(*given), function(*given), strict=True):
        np.testing.assert_array_equal(found.numpy(), wanted.numpy())


def draws(x, n):
    while n > 0:
        x, n = x + paddle.nn.functional.dropout(paddle.ones([2, 3])), n - 1
    return x


def test_numbers_drawn_in_an_iteration_go_on_from_one_to_the_next() -> None:
    converted, form = form_of(draws, X, 3)
    assert While in kinds(form.commands) and not form.compiled.hosted
    paddle.seed(7)
    found = converted(paddle.to_tensor(X), paddle.to_tensor(5)).numpy()
    paddle.seed(7)
    np.testing.assert_array_equal(
        found, converted(paddle.to_tensor(X), paddle.to_tensor(5)).numpy()
    )
    assert not np.array_equal(found, converted(paddle.to_tensor(X), paddle.to_tensor(5)).numpy())


def test_numpy_runs_a_part_of_an_iteration_alone() -> None:
    def spectra(x, n):
        while n > 0:
            x, n = x + paddle.linalg.eigvals(x @ x.T).real().sum(), n - 1
        return x

    converted, form = form_of(spectra, X, 2)
    assert While in kinds(form.commands)
    assert form.compiled.hosted and not any(p.functions for p in form.compiled.hosted)
    want = X
    for _ in range(3):
        want = want + np.trace(want @ want.T)
    found = converted(paddle.to_tensor(X), paddle.to_tensor(3)).numpy()
    np.testing.assert_allclose(found, want, rtol=1e-5)


def test_explain_says_why_blocks_are_called_by_python() -> None:
    def chosen(x):
        return x[x > 2].sum() if x.sum() > 0 else x.sum()

    _, form = form_of(chosen, X)
    assert "by Python: %" in form.explain()
    assert "the data decides the shape of what" in form.explain()


def test_a_wrong_index_is_told_before_a_loop_that_it_would_keep_going() -> None:
    def until(x, n):
        step = paddle.gather(x, n.reshape([1])).sum()
        while x.sum() < 100.0:
            x = x + step
        return x

    x = np.float32([[0, 0, 0], [1, 1, 1]])
    converted, _ = form_of(until, x, 1)
    with pytest.raises(AxisError, match=r"test_native_branches\.py"):
        converted(paddle.to_tensor(x), paddle.to_tensor(2))
    assert converted(paddle.to_tensor(x), paddle.to_tensor(1)).sum() >= 100


def test_a_wrong_index_of_constants_in_a_branch_that_does_not_run_is_not_told() -> None:
    def looked_up(x, n):
        table = paddle.to_tensor(X)
        while n > 0:
            x, n = x + paddle.gather(table, paddle.to_tensor([7]) + 0 * n.reshape([1])), n - 1
        return x

    converted, _ = form_of(looked_up, X, 0)
    np.testing.assert_array_equal(converted(paddle.to_tensor(X), paddle.to_tensor(0)).numpy(), X)
    for _ in range(2):
        with pytest.raises(AxisError):
            converted(paddle.to_tensor(X), paddle.to_tensor(1))


def test_explain_ends_where_a_loop_does_not_for_the_zeros_that_it_runs_on() -> None:
    def doubled(x):
        while x.sum() < 100.0:
            x = x * 2.0
        return x

    converted, _ = form_of(doubled, X)
    assert "body of while" in converted.explain()
    found = converted(paddle.to_tensor(X)).numpy()
    np.testing.assert_array_equal(found, X * 8)
