"""The native back end gives what NumPy gives, on networks: outputs, gradients, three steps."""

import numpy as np
import pytest

import twinoar as paddle
from tests.backends.networks import WORKS, Start
from twinoar import config, static
from twinoar.core import unique_name

pytestmark = pytest.mark.usefixtures("one_pass_for_most")

STEPS = 3
# Sums come in another order, functions are rounded otherwise, and steps of training carry on what
# differs: relative to the largest element of each array. Weights of bfloat16 are 8 bits; what lies
# between two of them falls to either side.
TOLERANCES = {"float32": 2e-5, "float64": 1e-12, "bfloat16": 3e-2}


def agree(found, wanted, dtype):
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        a, b = a.astype(np.float64), b.astype(np.float64)
        assert np.isfinite(b).all()
        bound = TOLERANCES[dtype] * max(np.abs(b).max(initial=0.0), 1.0)
        np.testing.assert_allclose(a, b, rtol=0, atol=bound)


def as_one_program(name):
    """The whole training step as one Program: losses, then what it leaves."""
    start = Start(name)

    @paddle.jit.to_static
    def step(*batch):
        loss = start.loss(*batch)
        loss.backward()
        start.optimizer.step()
        start.optimizer.clear_grad()
        return loss

    return [step(*start.batch()).numpy() for _ in range(STEPS)] + start.state()


def as_two_programs(name):
    """The network as one Program and its gradient as another: outputs, losses, gradients."""
    start = Start(name)
    start.net = paddle.jit.to_static(start.net)
    found = []
    for _ in range(STEPS):
        loss = start.loss(*start.batch())
        loss.backward()
        found += [loss.numpy(), *(p.grad.numpy() for p in start.parameters)]
        start.optimizer.step()
        start.optimizer.clear_grad()
    return found + start.state()


def as_static_graph(name):
    """A static graph with `minimize`: losses, then parameters."""
    paddle.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        main.random_seed = startup.random_seed = 11
        with static.program_guard(main, startup), unique_name.guard():
            start = Start(name)
            arrays = start.arrays()
            inputs = [
                static.data(f"x{n}", [None, *a.shape[1:]], str(a.dtype))
                for n, a in enumerate(arrays)
            ]
            loss = start.loss(*inputs)
            start.optimizer.minimize(loss)
        found = []
        executor, scope = static.Executor(), static.Scope()
        with static.scope_guard(scope):
            executor.run(startup)
            for count in (4, 2, 4):
                feed = dict(zip([v.name for v in inputs], start.arrays(count), strict=True))
                found += executor.run(main, feed=feed, fetch_list=[loss])
            found += [np.array(scope.find_var(p.name)) for p in start.parameters]
        return found
    finally:
        paddle.disable_static()


def on(backend, run, name):
    with config.override(backend=backend):
        return run(name)


@pytest.mark.parametrize("name", WORKS)
@pytest.mark.parametrize("run", [as_one_program, as_two_programs])
def test_training_equals_that_on_numpy(run, name):
    agree(on("native", run, name), on("numpy", run, name), WORKS[name].dtype)


IN_FLOAT32 = [name for name, work in WORKS.items() if work.dtype == "float32"]


@pytest.mark.parametrize("name", IN_FLOAT32)
def test_a_static_graph_trains_as_on_numpy(name):
    found, wanted = on("native", as_static_graph, name), on("numpy", as_static_graph, name)
    agree(found, wanted, "float32")


@pytest.mark.parametrize("name", WORKS)
def test_two_runs_give_the_same_bits(name):
    first, second = (on("native", as_one_program, name) for _ in range(2))
    for a, b in zip(first, second, strict=True):
        assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("name", WORKS)
def test_no_network_needs_a_kernel_of_numpy(name):
    with config.override(strict=True):
        on("native", as_one_program, name)
