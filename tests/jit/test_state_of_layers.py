"""Layers that change between calls: their parameters, parts, hooks, settings and modes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.jit import to_static


class Several(nn.Layer):
    """Converted methods that share a parameter."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.drop = nn.Dropout(0.5)
        self.calls = 0

    @to_static
    def forward(self, x):
        self.calls += 1
        return self.drop(self.fc(x))

    @to_static
    def twice(self, x):
        return self.fc(self.fc(x))


def test_several_converted_methods_of_one_layer_share_its_state():
    net = Several()
    net.eval()
    x = paddle.ones([1, 2])
    np.testing.assert_allclose(net.twice(x).numpy(), net(net(x)).numpy(), rtol=1e-6)
    assert net.calls == 2
    net.fc.weight.set_value(paddle.zeros([2, 2]))
    np.testing.assert_allclose(net(x).numpy(), net.fc.bias.numpy()[None])
    np.testing.assert_allclose(net.twice(x).numpy(), net.fc.bias.numpy()[None])


def test_a_parameter_that_is_replaced_is_seen():
    net = to_static(nn.Linear(2, 2))
    x = paddle.ones([1, 2])
    net(x)
    net.weight = paddle.create_parameter([2, 2], "float32")
    np.testing.assert_allclose(net(x).numpy(), (x @ net.weight + net.bias).numpy(), rtol=1e-6)


def test_training_and_evaluation_have_their_programs():
    net = Several()
    x = paddle.ones([8, 2])
    for _ in range(3):
        net.train()
        assert (net(x).numpy() == 0).any()
        net.eval()
        np.testing.assert_allclose(net(x).numpy(), net.fc(x).numpy(), rtol=1e-6)


def test_the_setting_of_a_librarys_layer_is_seen():
    drop = nn.Dropout(0.999999)
    static = to_static(lambda_free(drop))
    x = paddle.ones([64])
    assert (static(x).numpy() == 0).all()
    drop.p = 0.0
    assert (static(x).numpy() == 1).all()


def lambda_free(layer):
    def call(x):
        return layer(x)

    return call


def test_layers_and_hooks_that_are_added_are_seen():
    net = nn.Sequential(nn.Linear(2, 2))
    static = to_static(lambda_free(net))
    x = paddle.ones([1, 2])
    plain_result = static(x)
    handle = net.register_forward_post_hook(lambda layer, inputs, out: out * 0)
    assert not static(x).numpy().any()
    handle.remove()
    np.testing.assert_array_equal(static(x).numpy(), plain_result.numpy())
    net.append(nn.ReLU())
    np.testing.assert_array_equal(static(x).numpy(), np.maximum(plain_result.numpy(), 0))


def test_a_parameter_that_is_frozen_gets_no_gradient():
    net = to_static(nn.Linear(2, 2))
    x = paddle.ones([1, 2])
    net(x).sum().backward()
    assert net.weight.grad is not None
    net.clear_gradients()
    net.weight.clear_gradient(set_to_zero=False)
    net.weight.stop_gradient = True
    net(x).sum().backward()
    assert net.weight.grad is None and net.bias.grad is not None


def test_an_optimizer_that_is_replaced_is_seen():
    net = nn.Linear(1, 1, bias_attr=False)
    holder = SimpleNamespace(optimizer=paddle.optimizer.SGD(0.1, parameters=net.parameters()))

    @to_static
    def step(x):
        loss = net(x).sum()
        loss.backward()
        holder.optimizer.step()
        holder.optimizer.clear_grad()
        return loss

    start = net.weight.item()
    step(paddle.ones([1, 1]))
    assert net.weight.item() == pytest.approx(start - 0.1)
    holder.optimizer = paddle.optimizer.SGD(10.0, parameters=net.parameters())
    step(paddle.ones([1, 1]))
    assert net.weight.item() == pytest.approx(start - 10.1)


def test_layers_share_a_parameter():
    a, b = nn.Linear(2, 2, bias_attr=False), nn.Linear(2, 2, bias_attr=False)
    b.weight = a.weight
    static = to_static(lambda_free(nn.Sequential(a, b)))
    x = paddle.ones([1, 2])
    static(x).sum().backward()
    found = a.weight.grad.numpy()
    a.clear_gradients()
    b(a(x)).sum().backward()
    np.testing.assert_allclose(found, a.weight.grad.numpy(), rtol=1e-6)
