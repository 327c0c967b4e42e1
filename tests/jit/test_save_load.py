"""Models saved by jit.save run again without their class, and can be trained on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import ArgumentError, DTypeError, FileError, ShapeError, UnknownNameError
from twinoar.static import InputSpec


class Net(nn.Layer):
    """A small network with every kind of state."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2D(1, 3, 3, padding=1)
        self.norm = nn.BatchNorm2D(3)
        self.pool = nn.MaxPool2D(2, 2)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(3 * 4 * 4, 5)

    def forward(self, x):
        y = self.pool(nn.functional.relu(self.norm(self.conv(x))))
        y = self.fc(self.drop(paddle.flatten(y, 1)))
        if y.sum() > 1e6:
            y = y * 0.5
        return y


SPEC = [InputSpec([None, 1, 8, 8], "float32", "image")]


def images(n, seed=0):
    return paddle.to_tensor(np.random.default_rng(seed).random((n, 1, 8, 8), dtype=np.float32))


@pytest.fixture
def saved(tmp_path):
    paddle.seed(3)
    net = Net()
    net(images(8))  # running statistics move
    net.eval()
    prefix = str(tmp_path / "folder" / "net")
    paddle.jit.save(net, prefix, input_spec=SPEC)
    return net, prefix


def close(found, wanted):
    """Compiled sums come in another order: a few units in the last place of their largest term."""
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5, atol=1e-6)


def test_loaded_model_computes_the_same(saved):
    net, prefix = saved
    loaded = paddle.jit.load(prefix)
    for n in (1, 5):
        close(loaded(images(n)), net(images(n)))
    assert sorted(file.name for file in Path(prefix).parent.iterdir()) == [
        "net.pdiparams",
        "net.pdiparams.info",
        "net.pdmodel",
    ]


def test_saving_twice_gives_the_same_bytes(saved, tmp_path):
    net, prefix = saved
    again = str(tmp_path / "again")
    paddle.jit.save(net, again, input_spec=SPEC)
    for suffix in (".pdmodel", ".pdiparams", ".pdiparams.info"):
        assert Path(prefix + suffix).read_bytes() == Path(again + suffix).read_bytes()


def test_files_hold_no_source_and_no_path(saved):
    _, prefix = saved
    data = Path(prefix + ".pdmodel").read_bytes()
    for word in (b".py", b"test_save_load", b"self.", str(Path.cwd()).encode()):
        assert word not in data


def test_training_mode_is_not_saved(tmp_path):
    net = Net()  # in training mode: dropout on, statistics of the batch
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, input_spec=SPEC)
    assert net.training
    loaded = paddle.jit.load(prefix)
    net.eval()
    x = images(4)
    close(loaded(x), net(x))
    np.testing.assert_array_equal(loaded(x).numpy(), loaded(x).numpy())


def test_loaded_model_can_be_fine_tuned_and_saved_again(saved, tmp_path):
    _, prefix = saved
    loaded = paddle.jit.load(prefix)
    x, labels = images(16), paddle.to_tensor(np.arange(16) % 5)
    optimizer = paddle.optimizer.Adam(0.01, parameters=loaded.parameters())
    loaded.train()
    statistics = {k: v.numpy() for k, v in loaded.state_dict().items() if "_mean" in k}
    losses = []
    for _ in range(15):
        loss = nn.functional.cross_entropy(loaded(x), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    assert np.mean(losses[-3:]) < np.mean(losses[:3])
    for name, before in statistics.items():
        assert (loaded.state_dict()[name].numpy() != before).any()
    loaded.eval()
    second = str(tmp_path / "second")
    paddle.jit.save(loaded, second, input_spec=SPEC)
    close(paddle.jit.load(second)(x), loaded(x))


def test_loaded_model_is_part_of_a_network(saved):
    _, prefix = saved
    net = nn.Sequential(paddle.jit.load(prefix), nn.Linear(5, 2))
    assert net(images(2)).shape == [2, 2]
    assert len(net.parameters()) > 6 and any(k.startswith("0.") for k in net.state_dict())


def test_names_are_those_of_the_layer(saved):
    net, prefix = saved
    loaded = paddle.jit.load(prefix)
    assert set(loaded.state_dict()) == set(net.state_dict())
    missing, unexpected = loaded.set_state_dict(net.state_dict())
    assert missing == [] and unexpected == []


def test_loading_needs_no_layers(saved):
    _, prefix = saved
    program = (
        "import sys, numpy as np, twinoar as paddle\n"
        f"model = paddle.jit.load({prefix!r})\n"
        "print(model(np.ones((2, 1, 8, 8), 'float32')).shape, 'twinoar.nn' in sys.modules)"
    )
    command = [sys.executable, "-c", program]
    out = subprocess.run(command, check=True, capture_output=True, text=True)
    assert out.stdout.strip() == "[2, 5] False"


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda m: m(), ArgumentError, "takes 1 inputs"),
        (lambda m: m(images(1), images(1)), ArgumentError, "received 2"),
        (lambda m: m(picture=images(1)), UnknownNameError, "no input ['picture']"),
        (lambda m: m(paddle.ones([2, 1, 8, 9])), ShapeError, "dimension 3 is 9"),
        (lambda m: m(paddle.ones([2, 8, 8])), ShapeError, "3 dimensions"),
        (lambda m: m(paddle.ones([2, 1, 8, 8], "float64")), DTypeError, "must be f32"),
        (lambda m: m.set_state_dict({"fc.bias": np.zeros(7)}), ShapeError, "received [7]"),
    ],
)
def test_wrong_calls_are_refused(saved, call, error, match):
    model = paddle.jit.load(saved[1])
    with pytest.raises(error) as caught:
        call(model)
    assert match in str(caught.value) and "test_save_load.py" in str(caught.value)


def test_missing_model_is_named(tmp_path):
    with pytest.raises(FileError, match="there is no model"):
        paddle.jit.load(str(tmp_path / "nothing"))


def test_inputs_must_be_known(tmp_path):
    with pytest.raises(ArgumentError, match="not known"):
        paddle.jit.save(Net(), str(tmp_path / "net"))


def test_called_function_needs_no_spec(tmp_path):
    @paddle.jit.to_static
    def double(x):
        return x * 2

    double(paddle.ones([3]))
    paddle.jit.save(double, str(tmp_path / "double"))
    assert paddle.jit.load(str(tmp_path / "double"))(paddle.ones([3])).tolist() == [2, 2, 2]


def test_unknown_config_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="does not know"):
        paddle.jit.save(Net(), str(tmp_path / "net"), input_spec=SPEC, outputspec=None)
