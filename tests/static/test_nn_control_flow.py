"""Choices, functions with a backward of their own, and networks over time in Programs."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, static
from twinoar.errors import ArgumentError, ProgramError, ShapeError, TwinoarError, TypeMismatchError

nn = static.nn
random = np.random.default_rng(2)


@pytest.fixture
def programs():
    paddle.seed(8)
    main, startup = static.Program(), static.Program()
    scope = static.scope_guard(static.Scope())
    with paddle.utils.unique_name.guard(), scope, static.program_guard(main, startup):
        yield main, startup


def number(name="n", dtype="int64"):
    return static.data(name, [1], dtype)


def value(v):
    return paddle.full([2], float(v))


@pytest.mark.parametrize(("n", "expected"), [(0, 1), (1, 2), (5, 3)])
def test_case_takes_the_first_that_holds(programs, n, expected):
    x = number()
    out = nn.case([(x < 1, lambda: value(1)), (x < 3, lambda: value(2))], lambda: value(3))
    (found,) = static.Executor().run(programs[0], {"n": np.array([n])}, [out])
    assert found.tolist() == [expected] * 2


def test_the_last_case_is_the_default(programs):
    x = number()
    out = nn.case([(x < 1, lambda: value(1)), (x < 3, lambda: value(2))])
    (found,) = static.Executor().run(programs[0], {"n": np.array([9])}, [out])
    assert found[0] == 2


BRANCHES = {
    "functions": [lambda: value(0), lambda: value(1), lambda: value(2)],
    "pairs": [(2, lambda: value(2)), (0, lambda: value(0)), (1, lambda: value(1))],
    "dictionary": {1: lambda: value(1), 2: lambda: value(2), 0: lambda: value(0)},
}


@pytest.mark.parametrize("kind", BRANCHES)
@pytest.mark.parametrize(("n", "default", "expected"), [(1, True, 1), (7, True, -1), (7, False, 2)])
def test_switch_case_takes_the_function_of_the_number(programs, kind, n, default, expected):
    otherwise = (lambda: value(-1)) if default else None
    out = nn.switch_case(number(), BRANCHES[kind], otherwise)
    (found,) = static.Executor().run(programs[0], {"n": np.array([n])}, [out])
    assert found[0] == expected


def test_branches_are_trained_where_they_are_taken(programs):
    main, startup = programs
    x, n = static.data("x", [2, 3]), number()
    out = nn.switch_case(n, {i: lambda i=i: nn.fc(x, 2, name=f"branch{i}") for i in range(3)})
    paddle.optimizer.SGD(0.1).minimize(paddle.mean(out * out))
    executor = static.Executor()
    executor.run(startup)
    before = {k: v.copy() for k, v in main.state_dict("param").items()}
    executor.run(main, {"x": np.ones((2, 3), "float32"), "n": np.array([1])}, [out])
    changed = {k for k, v in main.state_dict("param").items() if (v != before[k]).any()}
    assert changed == {"branch1.w_0", "branch1.b_0"}


@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_a_backward_of_its_own_is_used(programs, backend):
    x = static.data("x", [3])
    x.stop_gradient = False
    out = nn.static_pylayer(lambda x: paddle.tanh(x), [x], lambda g: g * 7.0)
    (gradient,) = static.gradients([paddle.sum(out)], [x])
    feed = {"x": np.array([-1, 0, 2], "float32")}
    with config.override(backend=backend):
        found = static.Executor().run(programs[0], feed, [out, gradient])
    np.testing.assert_allclose(found[0], np.tanh(feed["x"]), rtol=1e-6)
    assert found[1].tolist() == [7, 7, 7]


def test_without_a_backward_no_gradient_passes(programs):
    x = static.data("x", [3])
    x.stop_gradient = False
    out = nn.static_pylayer(lambda x: x * 2.0, [x])
    assert out.stop_gradient


def test_several_inputs_and_results_have_gradients(programs):
    x, y = static.data("x", [2]), static.data("y", [2])
    x.stop_gradient = y.stop_gradient = False
    a, b = nn.static_pylayer(
        lambda x, y: (x + y, x * y), [x, y], lambda da, db: (da * 2.0, db * 3.0)
    )
    gradients = static.gradients([paddle.sum(a) + paddle.sum(b)], [x, y])
    feed = {k: np.ones(2, "float32") for k in "xy"}
    found = static.Executor().run(programs[0], feed, [a, b, *gradients])
    assert [f.tolist() for f in found] == [[2, 2], [1, 1], [2, 2], [3, 3]]


def recurrent(x, **memory):
    """A plain recurrent network; its outputs, and the memories after each step."""
    rnn = nn.StaticRNN()
    with rnn.step():
        now = rnn.step_input(x)
        before = rnn.memory(**(memory or {"shape": [-1, 4], "batch_ref": now}))
        after = nn.fc([now, before], 4, activation="tanh", name="cell")
        rnn.update_memory(before, after)
        rnn.output(after * 2.0, after)
    return rnn()


def by_hand(x, state, start=0.0):
    h, outputs = np.full((x.shape[1], 4), start, "float32"), []
    for step in x:
        h = np.tanh(step @ state["cell.w_0"] + h @ state["cell.w_1"] + state["cell.b_0"])
        outputs.append(h)
    return np.stack(outputs)


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("time", [5, None])
def test_a_network_over_time_is_a_loop_and_learns(programs, time, backend):
    main, startup = programs
    out, hidden = recurrent(static.data("x", [time, None, 3]))
    test = main.clone(for_test=True)
    loss = paddle.mean((out[-1] - 1.0) ** 2)
    paddle.optimizer.Adam(0.05).minimize(loss)
    x = random.standard_normal((5, 2, 3)).astype("float32")
    executor = static.Executor()
    with config.override(backend=backend):
        executor.run(startup)
        losses = [executor.run(main, {"x": x}, [loss])[0] for _ in range(15)]
        found = executor.run(test, {"x": x}, [out.name, hidden.name])
    assert losses[-1] < 0.5 * losses[0]
    expected = by_hand(x, main.state_dict())
    np.testing.assert_allclose(found[1], expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found[0], 2 * expected, rtol=1e-4, atol=1e-5)


def test_a_memory_starts_where_it_is_told_to(programs):
    main, startup = programs
    _, hidden = recurrent(static.data("x", [3, 2, 3]), init=paddle.full([2, 4], 0.5))
    x = random.standard_normal((3, 2, 3)).astype("float32")
    executor = static.Executor()
    executor.run(startup)
    (found,) = executor.run(main, {"x": x}, [hidden])
    expected = by_hand(x, main.state_dict(), 0.5)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def unfinished(*, update=True, output=True, normal=False):
    rnn = nn.StaticRNN()
    with rnn.step():
        now = rnn.step_input(static.data("s", [3, 2, 4]))
        before = rnn.memory(shape=[-1, 4], batch_ref=now)
        if update:
            rnn.update_memory(before, nn.batch_norm(before + now) if normal else before + now)
        if output:
            rnn.output(now)


def lengths_differ():
    rnn = nn.StaticRNN()
    with rnn.step():
        rnn.step_input(static.data("a", [3, 2]))
        rnn.step_input(static.data("b", [4, 2]))


def memory_of_nothing():
    rnn = nn.StaticRNN()
    with rnn.step():
        rnn.memory()


WRONG = {
    "no cases": (lambda: nn.case([]), TypeMismatchError, "at least one"),
    "a case without function": (lambda: nn.case([(number() < 1, 3)]), TypeMismatchError, "pair"),
    "a default that is no function": (
        lambda: nn.case([(number() < 1, lambda: 1)], 3), TypeMismatchError, "default",
    ),
    "an index that is no integer": (
        lambda: nn.switch_case(number(dtype="float32"), BRANCHES["functions"]),
        TypeMismatchError, "one integer",
    ),
    "an index that is a number": (
        lambda: nn.switch_case(1, BRANCHES["functions"]), TypeMismatchError, "Variables",
    ),
    "branches of another kind": (
        lambda: nn.switch_case(number(), [1, 2]), TypeMismatchError, "pairs",
    ),
    "a number twice": (
        lambda: nn.switch_case(number(), [(1, lambda: 1), (1, lambda: 2)]), ArgumentError, "twice",
    ),
    "forward": (lambda: nn.static_pylayer(3, [number()]), TypeMismatchError, "forward_fn"),
    "inputs": (
        lambda: nn.static_pylayer(lambda x: x, number()), TypeMismatchError, "list of Variables",
    ),
    "memory that is not updated": (lambda: unfinished(update=False), ArgumentError, "updated"),
    "no output": (lambda: unfinished(output=False), ArgumentError, "output"),
    "statistics in a step": (lambda: unfinished(normal=True), ProgramError, "in place"),
    "sequences of other lengths": (lengths_differ, ShapeError, "same number of steps"),
    "memory of nothing": (memory_of_nothing, ArgumentError, "init"),
    "outside of the block": (
        lambda: nn.StaticRNN().step_input(number()), ProgramError, "step block",
    ),
    "called too early": (lambda: nn.StaticRNN()(), ProgramError, "after its step block"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_choices_and_networks_are_refused(programs, name):
    call, error, text = WRONG[name]
    with pytest.raises(TwinoarError) as raised:
        call()
    assert type(raised.value) is error
    assert text in str(raised.value)
