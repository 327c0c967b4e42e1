"""States under native Programs: who may see them change, and that failing runs leave them alone."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import twinoar as paddle
from tests.threads import in_threads
from twinoar import nn, static
from twinoar.backends.native import NativeExecutable, host
from twinoar.core.dtype import float32, int64
from twinoar.core.interpreter import using
from twinoar.core.ir.builder import Builder
from twinoar.core.ir.program import Program
from twinoar.core.spec import Spec
from twinoar.errors import ArgumentError, AxisError, DTypeError, ShapeError

pytestmark = pytest.mark.usefixtures("native")

F = nn.functional


def training(make=lambda: nn.Linear(4, 3), loss=None):
    """A network, its optimizer, and its whole training step as one Program."""
    paddle.seed(0)
    net = make()
    optimizer = paddle.optimizer.Adam(0.1, parameters=net.parameters())
    loss = loss or (lambda out, y: F.cross_entropy(out, y))

    @paddle.jit.to_static
    def step(x, y):
        value = loss(net(x), y)
        value.backward()
        optimizer.step()
        optimizer.clear_grad()
        return value

    return net, optimizer, step


def batch(count=6, seed=0):
    numbers = np.random.default_rng(seed)
    x = numbers.standard_normal((count, 4)).astype(np.float32)
    return paddle.to_tensor(x), paddle.to_tensor(numbers.integers(0, 3, count))


def state_of(net, optimizer):
    moments = [t for t in optimizer.state_dict().values() if isinstance(t, paddle.Tensor)]
    return [t.numpy() for t in [*net.state_dict().values(), *moments]]


# In place, where nobody sees it.


def test_parameters_are_written_in_place_once_they_are_ours():
    net, _, step = training()
    step(*batch())
    memory = net.weight._data
    before = memory.copy()
    del memory
    address = net.weight._data.ctypes.data
    step(*batch())
    assert net.weight._data.ctypes.data == address
    assert (net.weight.numpy() != before).any()


@pytest.mark.parametrize(
    "hold",
    [
        lambda p: paddle.assign(p).detach(),
        lambda p: p._data,
        lambda p: p._data[1:],
        lambda p: memoryview(p._data),
    ],
    ids=["copy", "array", "part", "buffer"],
)
def test_what_somebody_holds_does_not_change(hold):
    net, _, step = training()
    for _ in range(3):
        step(*batch())
        held = hold(net.weight)
        before = np.array(held)
        step(*batch())
        np.testing.assert_array_equal(np.array(held), before)
        assert (net.weight.numpy().ravel()[: before.size] != before.ravel()).any()


@pytest.mark.parametrize(
    "show", [lambda p: p.detach(), lambda p: p.detach().reshape([-1])], ids=["detached", "reshaped"]
)
def test_what_shows_a_parameter_follows_it(show):
    net, _, step = training()
    shown = show(net.weight)
    for _ in range(3):
        before = shown.numpy()
        step(*batch())
        np.testing.assert_array_equal(shown.numpy(), show(net.weight).numpy())
        assert (shown.numpy() != before).any()


def test_a_state_that_is_part_of_another_array_is_not_written():
    net, _, step = training()
    whole = np.random.default_rng(0).standard_normal((2, 4, 3)).astype(np.float32)
    net.weight._data = whole[1]
    before = whole.copy()
    step(*batch())
    np.testing.assert_array_equal(whole, before)
    assert (net.weight.numpy() != before[1]).any()


def test_a_parameter_may_be_fed():
    net, _, step = training(lambda: nn.Linear(3, 3))
    step(paddle.ones([3, 3]), paddle.to_tensor([0, 1, 2]))
    expected, _, eager = training(lambda: nn.Linear(3, 3))
    eager(paddle.ones([3, 3]), paddle.to_tensor([0, 1, 2]))
    fed = paddle.assign(net.weight).detach()
    step(fed, paddle.to_tensor([0, 1, 2]))
    eager(paddle.to_tensor(expected.weight.numpy()), paddle.to_tensor([0, 1, 2]))
    np.testing.assert_array_equal(net.weight.numpy(), expected.weight.numpy())


def test_two_programs_share_parameters():
    net, _, step = training()
    forward = paddle.jit.to_static(lambda x: net(x))
    x, y = batch()
    for _ in range(3):
        step(x, y)
        with paddle.no_grad():
            np.testing.assert_allclose(
                forward(x).numpy(), x.numpy() @ net.weight.numpy() + net.bias.numpy(), rtol=1e-4,
                atol=1e-6,
            )  # fmt: skip


def test_eager_steps_between_runs_are_seen():
    net, optimizer, _ = training()
    forward = paddle.jit.to_static(lambda x: net(x))
    x, _ = batch()
    for _ in range(3):
        with paddle.no_grad():
            found = forward(x).numpy()
            np.testing.assert_allclose(found, net(x).numpy(), rtol=1e-4, atol=1e-6)
        net(x).sum().backward()
        optimizer.step()
        optimizer.clear_grad()


def test_results_stay_when_the_program_runs_again():
    forward = paddle.jit.to_static(lambda x: paddle.tanh(x) * 2)
    first = forward(paddle.ones([5]))
    before = first.numpy()
    forward(paddle.zeros([5]))
    np.testing.assert_array_equal(first.numpy(), before)


def exchange() -> tuple[Program, list[np.ndarray]]:
    """A Program that returns a state, updates it, and gives its old value to another."""
    program = Program("main")
    x = program.main.add_input(Spec((4,), float32))
    a, b = (program.add_state(Spec((4,), float32), n) for n in "ab")
    with using(Builder(program)):
        program.update(a, a + x)
        program.update(b, a)
        program.main.outputs = [a, b, a * 2.0]
    return program, [np.full(4, n, np.float32) for n in (1, 2, 3)]


def test_old_values_are_returned_and_given_to_other_states():
    program, (x, a, b) = exchange()
    executable = NativeExecutable(program, host())
    assert executable.state_names == ["a", "b"]
    outputs, following = executable.execute([x], [a.copy(), b.copy()])
    for found, wanted in zip([*outputs, *following], [a, b, 2 * a, a + x, a], strict=True):
        np.testing.assert_array_equal(found, wanted)


# Runs that fail.


class Embedded(nn.Layer):
    def __init__(self):
        super().__init__()
        self.norm, self.table = nn.BatchNorm1D(4), nn.Embedding(5, 4)
        self.out = nn.Linear(4, 3)

    def forward(self, ids):
        rows = self.norm(self.table(ids).reshape([-1, 4]))
        return self.out(rows)


@pytest.mark.parametrize(
    ("ids", "labels", "said"),
    [([1, 7], [0, 2], "7"), ([1, -1], [0, 2], "-1"), ([1, 2], [0, 9], "9")],
    ids=["id", "negative id", "label"],
)
def test_an_index_outside_is_an_error_and_no_state_changes(ids, labels, said):
    net, optimizer, step = training(Embedded)
    good = paddle.to_tensor([1, 2]), paddle.to_tensor([0, 2])
    for _ in range(2):  # so that the states are our own, and are written in place
        step(*good)
    before = state_of(net, optimizer)
    with pytest.raises(AxisError, match=said):
        step(paddle.to_tensor(ids), paddle.to_tensor(labels))
    for a, b in zip(state_of(net, optimizer), before, strict=True):
        np.testing.assert_array_equal(a, b)
    step(*good)
    assert all(np.isfinite(a).all() for a in state_of(net, optimizer))


def test_the_error_of_an_index_is_the_eager_one():
    def look_up(table, ids):
        return F.embedding(ids, table)

    table, ids = paddle.ones([5, 2]), paddle.to_tensor([1, 9])
    with pytest.raises(AxisError) as native:
        paddle.jit.to_static(look_up)(table, ids)
    with pytest.raises(AxisError) as eager:
        look_up(table, ids)
    assert str(native.value).splitlines()[0] == str(eager.value).splitlines()[0]


def test_a_function_of_python_that_fails_leaves_the_states():
    program = static.Program()
    with static.program_guard(program, static.Program()):
        x = static.data("x", [2], "float32")
        total = static.create_global_var([2], 0.0, "float32", persistable=True, name="total")
        out = program.global_block().create_var(name="out", shape=[2], dtype="float32")
        static.py_func(refuse, x, out)
        paddle.assign(total + out, total)
    scope = static.Scope()
    with static.scope_guard(scope):
        scope.var("total").set(np.ones(2, np.float32))
        for value, wanted in ((1, [2, 2]), (-1, [2, 2]), (2, [4, 4])):
            feed = {"x": np.full(2, value, np.float32)}
            if value < 0:
                with pytest.raises((ArgumentError, ValueError), match="too small"):
                    static.Executor().run(program, feed=feed)
            else:
                static.Executor().run(program, feed=feed)
            np.testing.assert_array_equal(scope.find_var("total"), np.float32(wanted))


def refuse(x):
    if np.asarray(x).min() < 0:
        raise ValueError("too small")
    return x


# What is fed.


def doubled(*shape, dtype=float32):
    program = Program("main")
    x = program.main.add_input(Spec(shape, dtype))
    with using(Builder(program)):
        program.main.outputs = [x * 2]
    return NativeExecutable(program, host())


def test_feeds_lie_in_memory_in_any_way():
    executable = doubled(4, 6)
    x = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)
    wide = np.zeros((4, 12), np.float32)
    wide[:, ::2] = x
    backwards = np.ascontiguousarray(x[::-1])
    for fed in (x, np.asfortranarray(x), wide[:, ::2], backwards[::-1]):
        ((found,), _) = executable.execute([fed], [])
        np.testing.assert_array_equal(found, x * 2)
    one = np.broadcast_to(np.float32(3), (4, 6))
    np.testing.assert_array_equal(executable.execute([one], [])[0][0], np.full((4, 6), 6))


@pytest.mark.parametrize("runs_before", [0, 1])
def test_feeds_of_another_dtype_or_shape_are_refused_at_every_run(runs_before):
    executable = doubled(4)
    for _ in range(runs_before):
        executable.execute([np.ones(4, np.float32)], [])
    with pytest.raises(DTypeError, match="received float64"):
        executable.execute([np.ones(4)], [])
    with pytest.raises(DTypeError, match="received >f4"):
        executable.execute([np.ones(4, ">f4")], [])
    with pytest.raises(ShapeError, match="dimension 0 is 5"):
        executable.execute([np.ones(5, np.float32)], [])


def test_a_state_of_another_dtype_or_shape_is_refused():
    program, (x, a, b) = exchange()
    executable = NativeExecutable(program, host())
    executable.execute([x], [a.copy(), b.copy()])
    with pytest.raises(DTypeError, match="state a must be"):
        executable.execute([x], [a.astype(np.float64), b])
    with pytest.raises(ShapeError, match="state b must be"):
        executable.execute([x], [a, b[:2].copy()])


def test_any_number_of_rows_and_none():
    spec = [static.InputSpec([None, 4], "float32")]
    layer = nn.Linear(4, 3)
    forward = paddle.jit.to_static(lambda x: F.relu(layer(x)).sum(), input_spec=spec)
    for count in (8, 3, 1, 0, 8):
        x, _ = batch(count)
        with paddle.no_grad():
            wanted = np.maximum(x.numpy() @ layer.weight.numpy() + layer.bias.numpy(), 0).sum()
            np.testing.assert_allclose(forward(x).numpy(), wanted, rtol=1e-5, atol=1e-6)
    assert len(forward.program_cache) == 1


def test_integers_are_exact():
    ((found,), _) = doubled(3, dtype=int64).execute([np.array([1, -5, 1 << 61])], [])
    np.testing.assert_array_equal(found, [2, -10, 1 << 62])


# Threads.


def test_threads_run_one_executable_at_once():
    executable = doubled(1000)
    failed = []

    def work(number):
        for n in range(50):
            x = np.full(1000, number * 100 + n, np.float32)
            ((found,), _) = executable.execute([x], [])
            if (found != 2 * x).any():
                failed.append(number)

    in_threads(partial(work, n) for n in range(8))
    assert failed == []
