"""Chains of thousands of operators: compiled in kernels of bounded size, at any depth."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config
from twinoar.compile.group import DEEPEST, NODES
from twinoar.compile.pipeline import KernelStep, lower, plan
from twinoar.compile.stages import Stages
from twinoar.core.loop.expression import walk
from twinoar.static import InputSpec

OPERATORS = 2000  # twice as deep as Python calls functions
# Relative to the largest element; each step of a chain rounds, ours and NumPy's otherwise.
TOLERANCE = OPERATORS * np.finfo(np.float32).eps


def scaled(x, iterations=OPERATORS // 2):
    for n in range(iterations):
        x = x * 1.0001 + 1e-4 * (n % 7)
    return x


def saturated(x, iterations=OPERATORS // 10):
    for _ in range(iterations):
        x = x + paddle.tanh(x) * 0.001
    return x


def centered(x):
    for _ in range(OPERATORS // 3):
        x = x - x.mean(-1, keepdim=True) * 0.001
    return x


def multiplied(x):
    weight = paddle.eye(x.shape[-1]) * 0.9999
    for _ in range(OPERATORS):
        x = paddle.matmul(x, weight)
    return x


def doubled(x):
    """Read twice at each step: 2 ** 100 paths lead to the operand."""
    for _ in range(100):
        x = x * 0.5 + x * 0.25 + x * 0.25
    return x


def turned(x):
    for _ in range(OPERATORS):
        x = x.t()
    return x


def looked_up(x):
    indices = paddle.to_tensor([7, 0, 1, 2, 3, 4, 5, 6])
    places = indices
    for _ in range(OPERATORS // 10):
        places = paddle.gather(indices, places)
    return paddle.gather(x, places)


def rows():
    return paddle.to_tensor(np.linspace(-1, 1, 128, dtype=np.float32).reshape(8, 16))


def agree(found, wanted):
    found, wanted = found.numpy(), wanted.numpy()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=TOLERANCE * np.abs(wanted).max())


@pytest.fixture(autouse=True)
def native(monkeypatch):
    monkeypatch.setattr(config, "backend", "native")
    monkeypatch.setattr(config, "strict", True)


@pytest.mark.parametrize(
    "function", [scaled, saturated, centered, multiplied, doubled, turned, looked_up]
)
def test_a_long_chain_is_compiled(function):
    agree(paddle.jit.to_static(function)(rows()), function(rows()))


@pytest.mark.parametrize("function", [scaled, saturated, multiplied])
def test_gradients_flow_through_a_long_chain(function):
    gradients = []
    for run in (paddle.jit.to_static(function), function):
        x = rows()
        x.stop_gradient = False
        run(x).sum().backward()
        gradients.append(x.grad)
    agree(*gradients)


def test_a_step_of_training_through_a_long_chain_is_one_program():
    weights = []
    for is_static in (True, False):
        paddle.seed(1)
        layer = paddle.nn.Linear(16, 16)
        rule = paddle.optimizer.SGD(learning_rate=0.1, parameters=layer.parameters())

        def step(x, layer=layer, rule=rule):
            loss = scaled(layer(x)).mean()
            loss.backward()
            rule.step()
            rule.clear_grad()
            return loss

        run = paddle.jit.to_static(step) if is_static else step
        for _ in range(2):
            run(rows())
        weights.append(layer.weight)
    agree(*weights)


def test_a_size_that_is_cut_again_and_again_stays_short():
    def last(x):
        for _ in range(OPERATORS // 10):
            x = x[1:]
        return x

    x = paddle.arange(OPERATORS // 10 + 3).reshape([-1, 1])
    found = paddle.jit.to_static(last, input_spec=[InputSpec([None, 1], "int64")])(x)
    assert found.numpy().tolist() == last(x).numpy().tolist()


@pytest.mark.parametrize("function", [scaled, saturated, centered, doubled])
def test_kernels_are_cut(function):
    static = paddle.jit.to_static(function, input_spec=[InputSpec([8, 16])])
    program = lower(static.concrete_program.main_program.clone())
    steps = plan(program, lambda o: None, 1, Stages()).steps
    kernels = [s.kernel for s in steps if isinstance(s, KernelStep)]
    assert len(kernels) >= len(program.main.ops) / NODES
    for kernel in kernels:
        assert sum(1 for _ in walk(*kernel.expressions)) <= NODES + 4 * DEEPEST
