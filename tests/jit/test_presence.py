"""A gradient that no operator that ran leads to is None, and its parameter is not updated."""

import numpy as np
import pytest

import twinoar as paddle
from twinoar import config, nn, optimizer
from twinoar.core import unique_name
from twinoar.jit import to_static
from twinoar.jit.warning import ZeroGradientWarning


class OneSide(nn.Layer):
    """Each side has a parameter of its own."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)
        self.shift = self.create_parameter([3], is_bias=True)

    def forward(self, x):
        return self.a(x) if x.sum() > 0 else self.b(x)


class Nested(OneSide):
    """A branch in a branch, by what is computed in that one, and both before a third."""

    def forward(self, x):
        x = x + 0.0
        if x.sum() > 0:
            y = x * 2
            if y.max() > 1:
                y = self.a(y)
            x = x + y
        if x.mean() > 0:
            x = self.b(x)
        return x


class Unused(OneSide):
    """A branch gives two values, and one of them is not used."""

    def forward(self, x):
        if x.sum() > 0:
            y, z = self.a(x), self.b(x)
        else:
            y, z = x * 1, self.a(x)
        return y + x + z.detach()


class Often(OneSide):
    """A loop that may have no iteration, which hands on what it computes."""

    def forward(self, x):
        i = paddle.zeros([])
        total = x.sum()
        while i < x.sum():
            x = paddle.tanh(self.a(x))
            total = total + x.sum()
            i = i + 1.5
        return self.b(x) * total if x.max() > 3 else x * total


class Rebound(OneSide):
    """A parameter that is used with another weight on each side, and once by all."""

    def forward(self, x):
        x = self.a(x * 0.1)
        if x.sum() > 0:
            x = x + self.b.weight.sum()
        else:
            x = x - self.a.bias
        return x


BATCHES = [np.float32(n) * np.ones((2, 3), "float32") for n in (-1, -2, 1, 0.2, -1, 1)]
RULES = {
    "adamw": lambda ps: optimizer.AdamW(0.01, parameters=ps, weight_decay=0.1),
    "momentum": lambda ps: optimizer.Momentum(0.01, parameters=ps, weight_decay=0.1),
}


def trained(make, convert, set_to_zero, rule):
    """Losses, parameters and gradients after each of a few steps."""
    paddle.seed(3)
    with unique_name.guard():
        net = make()
    opt = RULES[rule](net.parameters())
    found = []

    def step(x):
        loss = (net(x + net.shift) ** 2).mean()
        loss.backward()
        opt.step()
        opt.clear_grad(set_to_zero)
        return loss

    def forward(x):
        return net(x)

    if convert == "step":
        step = to_static(step)
    net_forward = to_static(forward) if convert == "forward" else forward

    def outside(x):
        loss = (net_forward(x + net.shift) ** 2).mean()
        loss.backward()
        found.extend(gradients())
        opt.step()
        opt.clear_grad(set_to_zero)
        return loss

    def gradients():
        return [None if p.grad is None else p.grad.numpy() for p in net.parameters()]

    for x in BATCHES:
        loss = (step if convert in ("step", "never") else outside)(paddle.to_tensor(x))
        found += [loss.numpy(), *gradients(), *(p.numpy().copy() for p in net.parameters())]
    return found


def assert_same(found, expected):
    assert [x is None for x in found] == [x is None for x in expected]
    for a, b in zip(found, expected, strict=True):
        if a is not None:
            np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)


NETWORKS = [OneSide, Nested, Unused, Often, Rebound]


@pytest.mark.filterwarnings("error::twinoar.jit.warning.ZeroGradientWarning")
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("set_to_zero", [True, False])
@pytest.mark.parametrize("make", NETWORKS)
def test_a_step_updates_what_eager_mode_updates(make, set_to_zero, rule):
    with config.override(backend="numpy"):
        found = trained(make, "step", set_to_zero, rule)
    assert_same(found, trained(make, "never", set_to_zero, rule))


@pytest.mark.filterwarnings("error::twinoar.jit.warning.ZeroGradientWarning")
@pytest.mark.parametrize("set_to_zero", [True, False])
@pytest.mark.parametrize("make", NETWORKS)
def test_a_forward_leaves_the_gradients_of_eager_mode(make, set_to_zero):
    with config.override(backend="numpy"):
        found = trained(make, "forward", set_to_zero, "adamw")
    assert_same(found, trained(make, "outside", set_to_zero, "adamw"))


def test_compiled_steps_do_the_same():
    expected = trained(Nested, "never", False, "adamw")
    with config.override(backend="native"):
        assert_same(trained(Nested, "step", False, "adamw"), expected)
        expected = trained(Nested, "outside", False, "adamw")
        assert_same(trained(Nested, "forward", False, "adamw"), expected)


def test_gradients_of_arguments_are_none_too():
    def chosen(x, a, b):
        return (a if x > 0 else b) * 2.0

    def learned(x, a, b):
        chosen(x, a, b).backward()

    for function in (learned, to_static(learned)):
        a, b = (paddle.to_tensor(1.0, stop_gradient=False) for _ in range(2))
        function(paddle.to_tensor(-1.0), a, b)
        assert a.grad is None
        assert b.grad.item() == 2.0
        function(paddle.to_tensor(1.0), a, b)
        assert (a.grad.item(), b.grad.item()) == (2.0, 2.0)


def test_a_gradient_from_before_stays():
    a, b = (paddle.to_tensor(1.0, stop_gradient=False) for _ in range(2))
    (a * 3.0 + b * 4.0).backward()

    @to_static
    def learned(x):
        (a * 2.0 if x > 0 else b * 2.0).backward()

    learned(paddle.to_tensor(1.0))
    assert (a.grad.item(), b.grad.item()) == (5.0, 4.0)


@pytest.mark.parametrize("inside", [True, False])
def test_a_branch_in_a_loop_warns_of_zeros(inside):
    weight = paddle.to_tensor(2.0, stop_gradient=False)

    def looped(x):
        i = paddle.zeros([])
        while i < 2:
            if x > 5:
                x = x * weight
            i = i + 1
        return x

    def learned(x):
        looped(x).backward()

    x = paddle.to_tensor(1.0, stop_gradient=False)
    with pytest.warns(ZeroGradientWarning, match=r"(?s)gradient of .* at .*while i < 2"):
        if inside:
            to_static(learned)(x)
        else:
            to_static(looped)(x).backward()
    assert weight.grad.item() == 0.0
    assert x.grad.item() == 1.0


@pytest.mark.filterwarnings("ignore::twinoar.jit.warning.ZeroGradientWarning")
def test_a_value_that_iterations_replace_has_its_gradient_where_there_are_none():
    weight = paddle.to_tensor(2.0, stop_gradient=False)

    @to_static
    def replaced(x, limit):
        i = paddle.zeros([])
        while i < limit:
            x = weight * 3.0
            if x > 100:
                x = x * 2.0
            i = i + 1
        return x

    x = paddle.to_tensor(1.0, stop_gradient=False)
    replaced(x, paddle.zeros([])).backward()
    assert x.grad.item() == 1.0
    replaced(x, paddle.ones([])).backward()
    assert (x.grad.item(), weight.grad.item()) == (1.0, 3.0)
