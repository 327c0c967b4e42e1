"""Small networks: gradients, and the same layers eagerly, traced and in a static graph."""

from __future__ import annotations

import numpy as np
import pytest

from twinoar import nn, static
from twinoar.backends.numpy import compile_numpy
from twinoar.core.ir.builder import trace
from twinoar.core.spec import Spec
from twinoar.core.unique_name import guard
from twinoar.eager.tensor import to_tensor
from twinoar.passes.pipeline import lower

rng = np.random.default_rng(5)
STEP = 1e-4  # of the central difference, in float64
NETWORKS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3)), (6, 4)),
    "convolution": (
        lambda: nn.Sequential(
            nn.Conv2D(2, 3, 3, padding=1),
            nn.BatchNorm2D(3),
            nn.Sigmoid(),
            nn.AvgPool2D(2),
            nn.Flatten(),
            nn.Linear(12, 3),
        ),
        (3, 2, 4, 4),
    ),
    "normalized": (
        lambda: nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.GELU(), nn.Linear(4, 3)),
        (5, 4),
    ),
    "transposed": (
        lambda: nn.Sequential(
            nn.Conv2DTranspose(2, 2, 2, stride=2), nn.InstanceNorm2D(2), nn.Softplus(), nn.Flatten()
        ),
        (2, 2, 2, 2),
    ),
    "groups": (
        lambda: nn.Sequential(nn.Conv1D(2, 4, 2), nn.GroupNorm(2, 4), nn.Silu(), nn.Flatten()),
        (2, 2, 4),
    ),
}


def network(name: str) -> tuple[nn.Layer, np.ndarray]:
    make, shape = NETWORKS[name]
    return make().to(dtype="float64"), rng.standard_normal(shape)


def loss_of(net: nn.Layer, x: np.ndarray):
    out = net(to_tensor(x))
    return (out * out).mean()


@pytest.mark.parametrize("name", NETWORKS)
def test_gradients_of_all_parameters_match_finite_differences(name: str) -> None:
    net, x = network(name)
    loss_of(net, x).backward()
    for parameter in net.parameters():
        if parameter.stop_gradient:
            continue
        start, direction = parameter.numpy(), rng.standard_normal(parameter.shape)
        values = []
        for sign in (1, -1):
            parameter.set_value(start + sign * STEP * direction)
            values.append(loss_of(net, x).item())
        parameter.set_value(start)
        slope = (values[0] - values[1]) / (2 * STEP)
        assert np.sum(parameter.grad.numpy() * direction) == pytest.approx(
            slope, rel=1e-4, abs=1e-8
        )


@pytest.mark.parametrize("name", NETWORKS)
def test_a_traced_network_computes_the_same(name: str) -> None:
    net, x = network(name)
    net.eval()
    program = trace(lambda x: net(x), Spec(x.shape, to_tensor(x).dtype))
    states = {name: np.asarray(state.data) for name, state in program.states.items()}
    (found,), _ = compile_numpy(lower(program)).run({"x": x}, states)
    np.testing.assert_allclose(found, net(to_tensor(x)).numpy(), rtol=1e-12)


def test_steps_against_the_gradient_lower_the_loss() -> None:
    net, x = network("mlp")
    losses = []
    for _ in range(20):
        loss = loss_of(net, x)
        loss.backward()
        losses.append(loss.item())
        for p in net.parameters():
            p.set_value(p.numpy() - 0.5 * p.grad.numpy())
        net.clear_gradients()
    assert losses[-1] < 0.2 * losses[0]


def test_a_frozen_parameter_gets_no_gradient() -> None:
    net, x = network("mlp")
    net[0].weight.trainable = False
    loss_of(net, x).backward()
    assert net[0].weight.grad is None
    assert net[2].weight.grad is not None


class Static:
    """A network in a static graph of its own, and its state set to that of an eager one."""

    def __init__(self, make, shape: tuple[int, ...], training: bool) -> None:
        self.main, self.startup, self.scope = static.Program(), static.Program(), static.Scope()
        with guard(), static.program_guard(self.main, self.startup):
            x = static.data("x", [None, *shape[1:]], "float32")
            self.net = make()
            self.net.train(training)
            self.out = self.net(x)
        self.executor = static.Executor()
        with static.scope_guard(self.scope):
            self.executor.run(self.startup)

    def run(self, x: np.ndarray, *fetch) -> list[np.ndarray]:
        with static.scope_guard(self.scope):
            return self.executor.run(self.main, feed={"x": x}, fetch_list=[self.out, *fetch])


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("name", NETWORKS)
def test_a_static_network_computes_the_same(name: str, training: bool) -> None:
    make, shape = NETWORKS[name]
    x = rng.standard_normal(shape).astype("float32")
    with guard():
        net = make()
    net.train(training)
    built = Static(make, shape, training)
    with static.scope_guard(built.scope):
        assert built.net.set_state_dict(net.state_dict()) == ([], [])
    (found,) = built.run(x)
    np.testing.assert_allclose(found, net(to_tensor(x)).numpy(), rtol=1e-4, atol=1e-5)


def test_a_static_network_has_the_names_of_an_eager_one() -> None:
    make, shape = NETWORKS["convolution"]
    with guard():
        names = [p.name for p in make().parameters()]
    built = Static(make, shape, training=True)
    assert [p.name for p in built.net.parameters()] == names
    assert [p.trainable for p in built.net.parameters()] == [
        not name.endswith(("w_1", "w_2")) for name in names
    ]
    assert list(built.net.state_dict()) == list(make().state_dict())


def test_the_startup_program_initializes_as_the_layers_say() -> None:
    built = Static(*NETWORKS["convolution"], training=True)
    weight, scale, mean = built.net[0].weight, built.net[1].weight, built.net[1]._mean
    _, w, s, m = built.run(np.zeros((1, 2, 4, 4), "float32"), weight, scale, mean)
    assert w.std() == pytest.approx(1 / 3, rel=0.3)  # sqrt(2 / (3 * 3 * 2))
    assert s.tolist() == [1.0, 1.0, 1.0]
    assert m.tolist() == [0.0, 0.0, 0.0]


def test_a_static_batch_norm_moves_its_statistics() -> None:
    built = Static(lambda: nn.BatchNorm2D(2), (2, 2, 2, 2), training=True)
    x = np.arange(16, dtype="float32").reshape(2, 2, 2, 2)
    built.run(x)
    mean = np.asarray(built.scope.find_var("batch_norm2d_0.w_1").get_tensor())
    np.testing.assert_allclose(mean, [0.55, 0.95], rtol=1e-5)
