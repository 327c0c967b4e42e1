"""Loops over time run natively, iteration after iteration, and give what NumPy's kernel gives."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn
from twinoar.backends.choice import make_executable
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.errors import AxisError
from twinoar.inspection.code import irs_of, loops_of
from twinoar.jit import to_static
from twinoar.ops.control.through_time import through_time

N = 3
X = np.random.default_rng(0).standard_normal((5, N, 4)).astype(np.float32)
WEIGHT = np.random.default_rng(1).standard_normal((4, 4)).astype(np.float32)


def product(now, state, weight):
    new = paddle.tanh(now[0] @ weight + state[0])
    return [new, new * now[0]], (new,)


def two_states_that_change_places(now, state, weight):
    a, b = state
    return [a], (b, a + now[0])


def what_every_iteration_gives_alike(now, state, weight):
    return [weight, now[0], weight[0] * 2.0], (state[0] + now[0].sum(),)


def the_same_twice(now, state, weight):
    new = state[0] * 0.5 + now[0]
    return [new, new, new * 2.0, new * 2.0], (new,)


def counts(now, state, weight):
    return [state[1] * 2], (state[0] + now[0], state[1] + 1)


def a_loop_in_a_loop(now, state, weight):
    def inner(row, sums):
        return [row[0] * sums[0]], (sums[0] + row[0] @ weight,)

    (out,), (end,) = through_time(inner, [now[0]], (state[0][0],))
    return [out], (state[0] + end,)


def on_numpy(now, state, weight):
    new = paddle.sort(state[0] + now[0], axis=-1)
    return [new], (new,)


def with_a_branch(now, state, weight):
    new = now[0] @ weight if now[0].sum() > 0 else now[0] - state[0]
    return [new], (new,)


STEPS = {
    product: 1,
    two_states_that_change_places: 2,
    what_every_iteration_gives_alike: 1,
    the_same_twice: 1,
    counts: "a count",
    a_loop_in_a_loop: 1,
    on_numpy: 1,
    with_a_branch: 1,
}


def run(step, states, backward, x, weight):
    start = tuple(
        paddle.ones([N, 4]) * (n + 1) for n in range(1 if states == "a count" else states)
    )
    if states == "a count":
        start = (*start, paddle.zeros([], "int64"))
    outs, end = through_time(lambda *given: step(*given, weight), [x], start, backward)
    return *outs, *end


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_iterations_give_what_python_gives(step, backward):
    def results(function):
        x, weight = paddle.to_tensor(X, stop_gradient=False), paddle.to_tensor(WEIGHT)
        weight.stop_gradient = False
        found = function(step, STEPS[step], backward, x, weight)
        sum((y.astype("float32") ** 2).sum() for y in found).backward()
        gradients = [v.grad.numpy() for v in (x, weight) if v.grad is not None]
        return [*(y.numpy() for y in found), *gradients]

    expected = results(run)
    for backend in ("native", "numpy"):
        with config.override(backend=backend):
            found = results(to_static(run))
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_no_python_runs_between_iterations():
    def states(x, weight):
        return through_time(lambda now, s: product(now, s, weight), [x], (x[0],))[0][0]

    program = trace(states, Spec(X.shape), Spec(WEIGHT.shape))
    executable = make_executable(program)
    executable.execute([X, WEIGHT], [])
    text = executable.explain()
    assert "5 times (" in text and "NumPy" not in text
    (form,) = executable.forms.values()
    loops = [text for batch in form.compiled.batches for text in loops_of(batch)]
    assert "5 times, one after the other:" in loops
    assert any("tanh" in loop for loop in loops)
    assert len([ir for batch in form.compiled.batches for ir in irs_of(batch)]) > 1


@pytest.mark.parametrize("times", [0, 1, 7])
def test_any_number_of_times_in_one_program(times):
    net = nn.LSTM(4, 3, direction="bidirect", time_major=True)
    static = to_static(net, input_spec=[paddle.static.InputSpec([None, N, 4], "float32")])
    x = paddle.randn([times, N, 4])
    out, (h, _) = static(x)
    assert out.shape == [times, N, 6]
    if times:
        np.testing.assert_allclose(out.numpy(), net(x)[0].numpy(), rtol=1e-5, atol=1e-6)
    else:
        assert not h.numpy().any()


class Strange(nn.RNNCellBase):
    """Drops out, and keeps running statistics, at each time."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1D(4)

    state_shape = (4,)

    def forward(self, x, states):
        new = self.norm(x) + states
        return nn.functional.dropout(paddle.ones_like(x)), new


def test_a_step_that_draws_and_keeps_statistics_does_so_at_each_time():
    x = paddle.to_tensor(X.transpose(1, 0, 2))
    plain, converted = nn.RNN(Strange()), nn.RNN(Strange())
    expected = plain(x)[1].numpy()
    drawn, found = to_static(converted)(x)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-4, atol=1e-5)
    means = [net.cell.norm._mean.numpy() for net in (plain, converted)]
    np.testing.assert_allclose(*means, rtol=1e-5, atol=1e-6)
    rows = drawn.numpy().transpose(1, 0, 2).reshape(5, -1)
    assert len({row.tobytes() for row in rows}) == 5


def test_an_index_outside_is_told_and_no_state_has_changed():
    table = paddle.to_tensor(X[0], stop_gradient=False)
    total = paddle.zeros([4])

    def step(now, state):
        row = nn.functional.embedding(now[0], table)
        return [row], (state[0] + row,)

    @to_static
    def looked_up(ids):
        out = through_time(step, [ids], (paddle.zeros([4]),))[0][0]
        total.add_(out.sum(axis=0))
        return out

    good = looked_up(paddle.to_tensor([0, 2, 1]))
    np.testing.assert_array_equal(good.numpy(), X[0][[0, 2, 1]])
    before = total.numpy().copy()
    with pytest.raises(AxisError):
        looked_up(paddle.to_tensor([0, 7, 1]))
    np.testing.assert_array_equal(total.numpy(), before)
    np.testing.assert_array_equal(looked_up(paddle.to_tensor([0, 2, 1])).numpy(), good.numpy())
