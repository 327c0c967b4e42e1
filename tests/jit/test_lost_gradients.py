"""A saved model whose file has not the gradients of the Python code says so when they are asked."""

import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import GradientError
from twinoar.jit import load, save, to_static
from twinoar.static import InputSpec

SPEC = [InputSpec([2, 2], "float32")]


class Hundredfold(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 100


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)


class WithPyLayer(Net):
    def forward(self, x):
        return Hundredfold.apply(self.linear(x))


class WrittenUnrecorded(Net):
    def forward(self, x):
        y = self.linear(x) * 1
        with paddle.no_grad():
            y[0] = y[0] * 3
        return y * self.linear(x)


class WrittenOnOneSide(Net):
    def forward(self, x):
        y = self.linear(x) * 1
        if y.sum() > -100:
            with paddle.no_grad():
                y.add_(paddle.ones([2]))
        return y * self.linear(x)


class Plain(Net):
    def forward(self, x):
        y = self.linear(x)
        with paddle.no_grad():
            z = y * 2
        return z + y


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (WithPyLayer, "the PyLayer Hundredfold has gradients of its own at .*test_lost"),
        (WrittenUnrecorded, "changed in place under no_grad at .*test_lost"),
        (WrittenOnOneSide, "changed in place under no_grad at .*test_lost"),
    ],
)
@pytest.mark.parametrize("inlined", [False, True])
def test_a_gradient_that_a_file_has_not_is_an_error(kind, told, inlined, tmp_path):
    model = to_static(kind())
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    expected = model(x)
    save(model, str(tmp_path / "m"), input_spec=SPEC)
    loaded = load(str(tmp_path / "m"))
    run = to_static(lambda x: loaded(x) * 1) if inlined else loaded
    assert run(x).tolist() == expected.tolist()
    with pytest.raises(GradientError, match=told) as caught:
        run(x).sum().backward()
    assert "train the model in Python" in caught.value.cure


def test_other_models_train_after_loading(tmp_path):
    model = to_static(Plain())
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    model(x).sum().backward()
    save(model, str(tmp_path / "m"), input_spec=SPEC)
    loaded = load(str(tmp_path / "m"))
    loaded(x).sum().backward()
    expected = {p.name: p.grad.tolist() for p in model.parameters()}
    assert {p.name: p.grad.tolist() for p in loaded.parameters()} == expected
