"""Layers that change between calls: their parameters, parts, hooks, settings and modes."""

import copy
from types import SimpleNamespace

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ConversionError
from twinoar.jit import load, not_to_static, save, to_static
from twinoar.jit.warning import LostChangeWarning


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


def test_a_hook_keeps_what_it_sees_at_each_call():
    net, seen = nn.Linear(2, 2), {}

    def keep(layer, inputs, out):
        seen["out"] = out
        return out * 2

    net.register_forward_post_hook(keep)
    static = to_static(lambda_free(net))
    for value in (1.0, 2.0):
        found = static(paddle.full([1, 2], value))
        np.testing.assert_allclose(seen["out"].numpy() * 2, found.numpy())


def test_a_symbol_that_code_left_as_it_is_puts_into_an_object_is_refused():
    net, seen = nn.Linear(2, 2), {}

    @not_to_static
    def keep(out):
        seen["out"] = out

    net.register_forward_post_hook(lambda layer, inputs, out: keep(out))
    static = to_static(lambda_free(net))
    with pytest.raises(ConversionError, match="not converted has put the tensor"):
        static(paddle.ones([1, 2]))


def test_a_copy_of_a_layer_is_traced_for_itself():
    net = Several()
    net.eval()
    x = paddle.ones([1, 2])
    net(x)
    other = copy.deepcopy(net)
    other.fc.weight.set_value(paddle.zeros([2, 2]))
    np.testing.assert_allclose(other(x).numpy(), other.fc.bias.numpy()[None])
    assert other.calls == 2 and net.calls == 1


def test_a_buffer_that_a_saved_model_would_leave_as_it_is_is_told(tmp_path):
    class Total(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", paddle.ones([2]))

        def forward(self, x):
            self.total = self.total + x
            return self.total * 2

    net = Total()
    with pytest.warns(LostChangeWarning, match=r"Total.total at .*self.total = self.total \+ x"):
        save(net, str(tmp_path / "model"), input_spec=[paddle.ones([2])])
    assert load(str(tmp_path / "model"))(paddle.ones([2])).tolist() == [4.0, 4.0]
    assert net.total.tolist() == [1.0, 1.0]
