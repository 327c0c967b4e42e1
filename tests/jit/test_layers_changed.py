"""What `forward` does to its own layer by twinoar's methods: buffers, sublayers, modes."""

import pytest

import twinoar as paddle
from tests.jit.parity import tensor
from twinoar.errors import ConversionError
from twinoar.jit import to_static
from twinoar.nn import Layer, LayerList, Linear, functional

VALUES = [(1.0, 2.0), (-3.0, 1.0), (1.0, 2.0)]


def registers(self, x):
    self.register_buffer("seen", x * 2)
    return self.seen + 1


def registers_what_is_not_saved(self, x):
    self.register_buffer("seen", x * 2, persistable=False)
    return self.seen


def registers_once(self, x):
    if not hasattr(self, "total"):
        self.register_buffer("total", paddle.zeros([2]))
    self.total = self.total + x
    return self.total


def adds_a_sublayer(self, x):
    self.add_sublayer("again", self.part)
    return self.again(x)


def adds_the_parameter_of_another(self, x):
    if "mine" not in self._parameters:
        self.add_parameter("mine", self.part.bias)
    return x + self.mine


def appends_layers(self, x):
    if not hasattr(self, "parts"):
        self.parts = LayerList()
    self.parts.append(self.part)
    return x * len(self.parts)


def turns_itself_off(self, x):
    self.eval()
    return functional.dropout(x, 0.5, training=self.training)


def turns_off_as_a_tensor_decides(self, x):
    if x.sum() > 0:
        self.eval()
    else:
        self.train()
    return x


def applies(self, x):
    self.apply(lambda layer: setattr(layer, "size", len(layer.state_dict())))
    return x * self.size


FORWARDS = [
    registers, registers_what_is_not_saved, registers_once, adds_a_sublayer,
    adds_the_parameter_of_another, appends_layers, turns_itself_off,
    turns_off_as_a_tensor_decides, applies,
]  # fmt: skip


def seen(layer):
    """What a layer is made of, in plain values."""
    buffers = sorted((k, v.tolist()) for k, v in layer.named_buffers())
    names = sorted(layer.state_dict()), sorted(k for k, _ in layer.named_sublayers())
    return buffers, names, [x.training for x in layer.sublayers(include_self=True)]


@pytest.mark.parametrize("forward", FORWARDS)
def test_each_call_changes_the_layer_as_eager_code_does(forward):
    found = []
    for convert in (lambda layer: layer, to_static):
        net_type = type("Net", (Layer,), {"forward": forward})
        layer = net_type()
        layer.part = Linear(2, 2)
        layer.part.weight.set_value(paddle.ones([2, 2]))
        net, results = convert(layer), []
        for values in VALUES:
            results.append((net(tensor(*values)).tolist(), seen(layer)))
            layer.train()
        found.append(results)
    assert found[1] == found[0]


def test_a_buffer_that_one_side_of_a_branch_registers_is_refused_and_not_left():
    class Net(Layer):
        def forward(self, x):
            if x.sum() > 0:
                self.register_buffer("seen", x * 2)
            return x

    net = Net()
    with pytest.raises(ConversionError, match=r"Net\.seen may be undefined"):
        to_static(net)(tensor(1.0))
    assert not hasattr(net, "seen")


def test_a_hook_that_forward_registers_is_refused():
    class Net(Layer):
        def forward(self, x):
            self.register_forward_post_hook(lambda layer, inputs, output: output + 1)
            return x

    with pytest.raises(ConversionError, match="register_forward_post_hook of a Net"):
        to_static(Net())(tensor(1.0))
