"""Training steps with branches and loops on tensors leave what eager mode leaves."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn, optimizer
from twinoar.core import unique_name
from twinoar.jit import to_static
from twinoar.nn import functional as F

CALLS = 5


class Branches(nn.Layer):
    """Parameters and statistics that only one side of a branch uses."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)
        self.norm = nn.BatchNorm1D(4)

    def forward(self, x):
        if x.mean() > 0:
            x = self.norm(self.a(x))
        else:
            x = F.tanh(self.b(x))
            if x.max() > 0.5:
                x = self.norm(x) * 2
        return x


class Loops(nn.Layer):
    """Parameters, statistics and random numbers that each iteration uses."""

    def __init__(self):
        super().__init__()
        self.cell, self.norm, self.dropout = nn.Linear(4, 4), nn.BatchNorm1D(4), nn.Dropout(0.3)
        self.register_buffer("iterations", paddle.zeros([1]))

    def forward(self, x):
        i = paddle.zeros([], "int64")
        while i < 3:
            x = self.dropout(self.norm(F.tanh(self.cell(x))))
            self.iterations.add_(paddle.ones([1]))
            i = i + 1
        return x


class LoopsAndBranches(nn.Layer):
    """A branch in a loop in a branch, with drawing on one side alone."""

    def __init__(self):
        super().__init__()
        self.cell, self.norm = nn.Linear(4, 4), nn.BatchNorm1D(4)

    def forward(self, x):
        if x.mean() > -10:
            i = paddle.zeros([], "int64")
            while i < 4:
                if i % 2 == 0:
                    x = F.dropout(self.cell(x), 0.5) - 0.1
                else:
                    x = self.norm(x) + self.cell.bias
                i = i + 1
        return x


class InPlace(nn.Layer):
    """Values changed in place on both sides, and in a loop, also by another name."""

    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(4, 4)

    def forward(self, x):
        y = self.cell(x)
        other = y
        if x.mean() > 0:
            other.add_(paddle.ones([4]))
        else:
            y.scale_(0.5)
        i = paddle.zeros([], "int64")
        while i < 2:
            other.scale_(1.5)
            y[0] = y[0] * 2.0
            i = i + 1
        return y + other


def trained(make, convert, step_in_branch=False):
    """Losses, states, gradients and the next random number after a few steps."""
    paddle.seed(11)
    with unique_name.guard():
        net = make()
    opt = optimizer.Momentum(0.05, parameters=net.parameters())

    def step(x):
        loss = (net(x) ** 2).mean()
        loss.backward()
        if not step_in_branch or loss > 0.3:
            opt.step()
        opt.clear_grad()
        return loss.detach()

    step = to_static(step) if convert else step
    numbers = np.random.default_rng(0)
    found = []
    for n in range(CALLS):
        x = numbers.standard_normal((6, 4)) + (-1) ** n
        found.append(step(paddle.to_tensor(x.astype("float32"))).numpy())
    found += [t.numpy() for t in net.state_dict().values()]
    return [*found, paddle.rand([2]).numpy()]


@pytest.mark.parametrize("backend", ["numpy", "native"])
@pytest.mark.parametrize("make", [Branches, Loops, LoopsAndBranches, InPlace])
def test_a_training_step_is_that_of_eager_mode(make, backend):
    expected = trained(make, convert=False)
    with config.override(backend=backend):
        found = trained(make, convert=True)
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)


def test_the_loss_decides_whether_the_optimizer_steps():
    expected, found = (trained(Branches, convert, True) for convert in (False, True))
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)


def test_each_iteration_draws_anew():
    @to_static
    def masks(n):
        found = paddle.ones([1, 64])
        while paddle.shape(found)[0] < n:
            found = paddle.concat([found, F.dropout(paddle.ones([1, 64]), 0.5)])
        return found

    drawn = masks(paddle.to_tensor(4)).numpy()
    assert len({row.tobytes() for row in drawn}) == 4
