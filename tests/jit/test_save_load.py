"""Models saved by jit.save run again without their class, and can be trained on."""

import linecache
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import (
    ArgumentError,
    ConversionError,
    DTypeError,
    FileError,
    ShapeError,
    UnknownNameError,
)
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
        "net.verify.npz",
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


def test_loaded_model_is_a_layer_that_trains(saved):
    net, prefix = saved
    loaded = paddle.jit.load(prefix)
    assert isinstance(loaded, nn.Layer) and isinstance(loaded, paddle.jit.TranslatedLayer)
    assert not loaded.training and loaded.train().training
    before = {name: p.numpy() for name, p in loaded.named_parameters()}
    assert before.keys() == dict(net.named_parameters()).keys()
    optimizer = paddle.optimizer.SGD(0.1, parameters=loaded.parameters())
    loaded(images(2)).sum().backward()
    optimizer.step()
    assert all((p.numpy() != before[name]).any() for name, p in loaded.named_parameters())


def test_loaded_model_has_hooks(saved):
    loaded = paddle.jit.load(saved[1])
    plain = loaded(images(1))
    loaded.register_forward_post_hook(lambda layer, inputs, output: output * 2)
    close(loaded(images(1)), plain * 2)


def test_what_runs_a_loaded_model_needs_no_layers(saved):
    _, prefix = saved
    program = (
        "import sys, numpy as np, twinoar as paddle\n"
        "from twinoar.export.loaded import LoadedModel\n"
        "from twinoar.export.save import read_model\n"
        f"model = LoadedModel(read_model({prefix!r})[0])\n"
        "out = model.forward(np.ones((2, 1, 8, 8), 'float32'))\n"
        "print(out.shape, 'twinoar.nn' in sys.modules)"
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


class Pair(nn.Layer):
    """Two entry points that share a part, and one without parameters."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 2), nn.Linear(3, 1)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 3], name="x")])
    def forward(self, x):
        return self.a(x)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 3], name="x")])
    def other(self, x):
        return self.b(x) + self.a(x)

    @paddle.jit.to_static(input_spec=[InputSpec([None, 3], name="x")])
    def negated(self, x):
        return -x


def vectors(n=4):
    return paddle.to_tensor(np.random.default_rng(1).random((n, 3), dtype=np.float32))


def test_every_method_under_to_static_is_saved(tmp_path):
    pair, x = Pair(), vectors()
    paddle.jit.save(pair, str(tmp_path / "m"))
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "m.negated.pdmodel",
        "m.other.pdiparams",
        "m.other.pdmodel",
        "m.pdiparams",
        "m.pdiparams.info",
        "m.pdmodel",
        "m.verify.npz",
    ]  # as Paddle 3.3.1 names them, and the proof
    loaded = paddle.jit.load(str(tmp_path / "m"))
    for name in ("forward", "other", "negated"):
        close(getattr(loaded, name)(x), getattr(pair, name)(x))


def test_methods_of_a_loaded_model_share_parameters(tmp_path):
    paddle.jit.save(Pair(), str(tmp_path / "m"))
    loaded, x = paddle.jit.load(str(tmp_path / "m")), vectors()
    assert set(loaded.state_dict()) == {"a.weight", "a.bias", "b.weight", "b.bias"}
    before = loaded.other(x)
    bias = loaded.state_dict()["a.bias"]
    bias.set_value(bias + 10)
    close(loaded.other(x), before + 10)
    second = str(tmp_path / "second")
    paddle.jit.save(loaded, second)
    close(paddle.jit.load(second).other(x), loaded.other(x))


def test_forward_may_be_given_a_spec_beside_other_methods(tmp_path):
    class Net(nn.Layer):
        def forward(self, x):
            return x + 1

        @paddle.jit.to_static
        def other(self, x):
            return x + 2

    net, spec = Net(), [InputSpec([None, 3])]
    with pytest.raises(ArgumentError, match=r"save other for(?s:.*)call it once"):
        paddle.jit.save(net, str(tmp_path / "m"), spec)
    net.other(vectors())
    paddle.jit.save(net, str(tmp_path / "m"), spec)
    close(paddle.jit.load(str(tmp_path / "m")).other(vectors()), vectors() + 2)


def test_methods_of_an_earlier_save_go_and_other_models_stay(tmp_path):
    paddle.jit.save(Pair(), str(tmp_path / "m"))
    paddle.jit.save(nn.Linear(3, 2), str(tmp_path / "m.v2"), [InputSpec([None, 3])])
    paddle.jit.save(nn.Linear(3, 2), str(tmp_path / "m"), [InputSpec([None, 3])])
    assert sorted(file.name for file in tmp_path.glob("*.pdmodel")) == ["m.pdmodel", "m.v2.pdmodel"]
    assert list(paddle.jit.load(str(tmp_path / "m")).methods) == ["forward"]


def test_a_method_that_a_loaded_model_has_is_refused(tmp_path):
    class Net(nn.Layer):
        def forward(self, x):
            return x

        @paddle.jit.to_static(input_spec=[InputSpec([3])])
        def explain(self, x):
            return x

    with pytest.raises(ArgumentError, match="explain cannot be saved"):
        paddle.jit.save(Net(), str(tmp_path / "m"), [InputSpec([3])])


def test_one_method_alone_can_be_saved(tmp_path):
    pair = Pair()
    paddle.jit.save(pair.other, str(tmp_path / "m"))
    close(paddle.jit.load(str(tmp_path / "m"))(vectors()), pair.other(vectors()))


def test_an_assigned_forward_is_what_is_saved(tmp_path):
    net = nn.Linear(3, 2)
    net.forward = lambda x: nn.Linear.forward(net, x) * 100
    paddle.jit.save(net, str(tmp_path / "m"), [InputSpec([None, 3])])
    close(paddle.jit.load(str(tmp_path / "m"))(vectors()), net(vectors()))
    net.forward = Pair().other
    paddle.jit.save(net, str(tmp_path / "other"))
    close(paddle.jit.load(str(tmp_path / "other"))(vectors()), net(vectors()))


def test_hooks_are_part_of_what_is_saved(tmp_path):
    net = nn.Linear(3, 2)
    net.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 3,))
    net.register_forward_post_hook(lambda layer, inputs, out: out + 7)
    paddle.jit.save(net, str(tmp_path / "m"), [InputSpec([None, 3])])
    close(paddle.jit.load(str(tmp_path / "m"))(vectors()), net(vectors()))


class ByMode(nn.Layer):
    """Its Python asks for the mode."""

    def forward(self, x):
        if self.training:
            return x * 100
        return x


@pytest.mark.parametrize("compile_first", [False, True])
def test_code_that_asks_for_the_mode_is_saved_for_inference(tmp_path, compile_first):
    net = nn.Sequential(ByMode())
    if compile_first:
        net = paddle.jit.to_static(net)
        assert net(vectors()).max().item() > 2
    paddle.jit.save(net, str(tmp_path / "m"), [InputSpec([None, 3])])
    assert net.training and net[0].training
    close(paddle.jit.load(str(tmp_path / "m"))(vectors()), vectors())


def test_a_function_that_finds_its_layer_is_saved_for_inference(tmp_path):
    net = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.9), ByMode())
    paddle.jit.save(lambda x: net(x), str(tmp_path / "m"), [InputSpec([None, 3])])
    assert net.training and net[2].training
    loaded = paddle.jit.load(str(tmp_path / "m"))
    net.eval()
    close(loaded(vectors()), net(vectors()))


def test_weights_that_changed_are_saved_anew(tmp_path):
    net = paddle.jit.to_static(nn.Linear(3, 2), input_spec=[InputSpec([None, 3])])
    for _ in range(2):
        net.weight.set_value(net.weight * 2)
        net(vectors())
        paddle.jit.save(net, str(tmp_path / "m"))
        close(paddle.jit.load(str(tmp_path / "m"))(vectors()), net(vectors()))


def test_tied_parameters_are_one_and_stay_tied(tmp_path):
    class Tied(nn.Layer):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 3)
            self.second.weight = self.first.weight

        def forward(self, x):
            return self.second(self.first(x))

    net = Tied()
    paddle.jit.save(net, str(tmp_path / "m"), [InputSpec([None, 3])])
    loaded = paddle.jit.load(str(tmp_path / "m"))
    assert len(loaded.parameters()) == 3
    shared = next(p for p in loaded.parameters() if p.name == net.first.weight.name)
    for weight in (shared, net.first.weight):
        weight.set_value(np.eye(3, dtype=np.float32) * 2)
    close(loaded(vectors()), net(vectors()))


def test_frozen_parameters_stay_frozen_and_can_be_thawed(tmp_path):
    net = nn.Linear(3, 2)
    net.weight.stop_gradient = True
    paddle.jit.save(net, str(tmp_path / "m"), [InputSpec([None, 3])])
    loaded = paddle.jit.load(str(tmp_path / "m"))
    loaded(vectors()).sum().backward()
    weight = loaded.state_dict()["weight"]
    assert isinstance(weight, type(net.weight)) and weight.stop_gradient and weight.grad is None
    assert loaded.state_dict()["bias"].grad is not None
    weight.stop_gradient = False
    loaded(vectors()).sum().backward()
    assert weight.grad is not None
    loaded.clear_gradients()
    loaded.state_dict()["bias"].stop_gradient = True
    loaded(vectors()).sum().backward()
    assert loaded.state_dict()["bias"].grad.tolist() == [0, 0]


def test_loaded_model_inside_a_layer_and_to_static_learns(saved, tmp_path):
    net = nn.Sequential(paddle.jit.load(saved[1]), nn.Linear(5, 2))
    plain = nn.Sequential(paddle.jit.load(saved[1]), nn.Linear(5, 2))
    plain.set_state_dict(net.state_dict())
    paddle.jit.to_static(net)
    for layer in (net, plain):
        layer.train()
        optimizer = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
        paddle.seed(9)
        for _ in range(2):
            layer(images(4)).mean().backward()
            optimizer.step()
            optimizer.clear_grad()
        layer.eval()
    close(net(images(3)), plain(images(3)))
    paddle.jit.save(net, str(tmp_path / "both"), input_spec=SPEC)
    close(paddle.jit.load(str(tmp_path / "both"))(images(3)), plain(images(3)))


class Counting(nn.Layer):
    """Its forward updates a buffer, in any mode."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", paddle.zeros([1]))

    def forward(self, x):
        self.count.set_value(self.count + 1)
        return x * self.count


def test_a_buffer_that_forward_updates_goes_on_counting(tmp_path):
    net, x = Counting(), vectors()
    net(x)
    paddle.jit.save(net, str(tmp_path / "m"), [InputSpec([None, 3])])
    assert net.count.item() == 1
    loaded = paddle.jit.load(str(tmp_path / "m"))
    for _ in range(3):
        close(loaded(x), net(x))


def test_a_random_model_draws_anew_at_each_call(tmp_path):
    paddle.jit.save(lambda x: x + paddle.rand([3]), str(tmp_path / "m"), [InputSpec([None, 3])])
    loaded, x = paddle.jit.load(str(tmp_path / "m")), vectors()
    assert (loaded(x).numpy() != loaded(x).numpy()).any()


def test_a_function_without_source_is_refused_with_a_cure(tmp_path):
    space = {}
    exec("def f(x):\n    return x + 1 if x.sum() > 0 else x", space)
    with pytest.raises(ConversionError, match=r"(?s)source.*cure"):
        paddle.jit.save(space["f"], str(tmp_path / "m"), [InputSpec([None, 3])])


def test_specs_hold_at_each_call(tmp_path):
    spec = [InputSpec(["N", 3], name="a"), InputSpec(["N", 3], name="b")]
    function = paddle.jit.to_static(lambda a, b: a + b, input_spec=spec)
    with pytest.raises(ShapeError, match="the size N is 2"):
        function(paddle.ones([2, 3]), paddle.ones([1, 3]))
    with pytest.raises(DTypeError, match="must be float32"):
        function(paddle.ones([2, 3], "float64"), paddle.ones([2, 3]))


def test_inputs_in_lists_and_dicts_are_inputs_of_the_model(tmp_path):
    def f(pair, named, scale=2):
        return (pair[0] + pair[1] * named["c"]) * scale

    one = InputSpec([None, 3])
    paddle.jit.save(f, str(tmp_path / "m"), [[one, one], {"c": one}, 5])
    loaded, x = paddle.jit.load(str(tmp_path / "m")), vectors()
    close(loaded(x, x, x), f([x, x], {"c": x}, 5))


def test_a_function_of_a_notebook_cell_is_saved(tmp_path):
    source = "def cell(x):\n    if x.sum() > 1:\n        x = x * 2\n    return x\n"
    file = "<ipython-input-7-abcdef>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    space = {}
    exec(compile(source, file, "exec"), space)
    paddle.jit.save(space["cell"], str(tmp_path / "m"), [InputSpec([None, 3])])
    close(paddle.jit.load(str(tmp_path / "m"))(vectors()), space["cell"](vectors()))


def test_saving_in_the_middle_of_a_step_changes_no_step(tmp_path):
    def train(saves):
        paddle.seed(4)
        net = Net()
        optimizer = paddle.optimizer.Momentum(0.1, parameters=net.parameters())
        for _ in range(3):
            net(images(4)).mean().backward()
            if saves:
                paddle.jit.save(net, str(tmp_path / "net"), SPEC)
            optimizer.step()
            optimizer.clear_grad()
        return net.state_dict()

    wanted = train(saves=False)
    for name, tensor in train(saves=True).items():
        np.testing.assert_array_equal(tensor.numpy(), wanted[name].numpy())


@pytest.mark.parametrize("factor", [2**40, 2**24 + 1, 3 * 2**30])
def test_a_whole_number_that_float32_tells_otherwise_is_saved_as_it_is(tmp_path, factor):
    def function(x):
        return x * (int(x.max()) * factor % 97)

    paddle.jit.save(function, str(tmp_path / "m"), input_spec=[InputSpec([2], "float32")])
    x = paddle.to_tensor([1.0, 2.0])
    loaded = paddle.jit.load(str(tmp_path / "m"))
    assert loaded(x).tolist() == function(x).tolist()


def test_a_loaded_model_of_open_sizes_is_part_of_a_program_of_other_open_sizes(tmp_path):
    class Numbered(paddle.nn.Layer):
        def forward(self, x):
            numbers = paddle.arange(x.shape[0]).astype("float32").reshape([-1, 1])
            return paddle.ones([x.shape[0], 2]) * x.sum() + numbers

    given = [InputSpec([None, 3], "float32")]
    paddle.jit.save(Numbered(), str(tmp_path / "numbered"), input_spec=given)
    loaded = paddle.jit.load(str(tmp_path / "numbered"))

    def of_both(a, b):
        return loaded(paddle.concat([a, b]))

    converted = paddle.jit.to_static(of_both, input_spec=given * 2)
    for rows in (1, 4):
        a, b = paddle.ones([2, 3]), paddle.ones([rows, 3])
        np.testing.assert_array_equal(converted(a, b).numpy(), of_both(a, b).numpy())
