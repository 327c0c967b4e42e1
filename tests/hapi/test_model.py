"""Model: its loops do what the same steps by hand do, in both modes, and go on after a stop."""

from contextlib import suppress

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.callbacks import Callback
from twinoar.core import unique_name
from twinoar.core.interpreter import eager, using
from twinoar.errors import ArgumentError, FileError, ProgramError, TypeMismatchError
from twinoar.io import DataLoader, Dataset
from twinoar.metric import Accuracy
from twinoar.static import InputSpec

SPECS = {
    "inputs": [InputSpec([None, 4], "float32", "x")],
    "labels": [InputSpec([None, 1], "int64", "y")],
}


class Points(Dataset):
    """The place of the largest of four numbers."""

    def __init__(self, count):
        self.x = np.random.RandomState(1).randn(count, 4).astype("float32")
        self.y = self.x.argmax(1)[:, None]

    def __getitem__(self, i):
        return self.x[i], self.y[i]

    def __len__(self):
        return len(self.x)


class Losses(Callback):
    """Keeps the loss of each step."""

    def __init__(self):
        super().__init__()
        self.found = []

    def on_train_batch_end(self, step, logs=None):
        self.found.append(logs["loss"][0])


def network(dropout=0.0):
    paddle.seed(3)
    return nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(dropout), nn.Linear(16, 4))


def prepared(dropout=0.0, rate=0.05, **specs):
    net = network(dropout)
    model = paddle.Model(net, **specs)
    optimizer = paddle.optimizer.Adam(rate, parameters=net.parameters())
    model.prepare(optimizer, nn.CrossEntropyLoss(), Accuracy())
    return model


def by_hand(epochs, accumulate=1):
    """The losses of the same training without a Model."""
    net, loss = network(), nn.CrossEntropyLoss()
    optimizer = paddle.optimizer.Adam(0.05, parameters=net.parameters())
    loader, found = DataLoader(Points(20), batch_size=8), []
    for _ in range(epochs):
        for step, (x, y) in enumerate(loader):
            value = loss(net(x), y)
            value.backward()
            found.append(float(value))
            if (step + 1) % accumulate == 0 or step + 1 == len(loader):
                optimizer.step()
                optimizer.clear_grad()
    return found


def fitted(model, epochs, **kwargs):
    losses = Losses()
    model.fit(
        Points(20), batch_size=8, epochs=epochs, shuffle=False, verbose=0,
        callbacks=losses, **kwargs,
    )  # fmt: skip
    return losses.found


@pytest.fixture
def static_mode():
    """Static mode, with default Programs of its own."""
    with (
        static.program_guard(static.Program(), static.Program()),
        static.scope_guard(static.Scope()),
    ):
        yield


@pytest.mark.parametrize("accumulate", [1, 2])
def test_fit_takes_the_steps_of_a_loop_by_hand(accumulate):
    found = fitted(prepared(), 3, accumulate_grad_batches=accumulate)
    assert found == by_hand(3, accumulate)


def test_static_mode_takes_the_same_steps(static_mode):
    np.testing.assert_allclose(fitted(prepared(**SPECS), 3), by_hand_eagerly(), rtol=1e-5)


def by_hand_eagerly():
    with using(eager()):
        return by_hand(3)


@pytest.mark.parametrize("mode", ["eager", "static"])
def test_learning_evaluating_and_predicting(mode, request):
    if mode == "static":
        request.getfixturevalue("static_mode")
    model = prepared(**SPECS)
    data = Points(64)
    before = model.evaluate(data, batch_size=32, verbose=0)
    model.fit(data, batch_size=16, epochs=30, verbose=0)
    after = model.evaluate(data, batch_size=32, verbose=0)
    assert after["acc"] > 0.9 > before["acc"] and after["loss"] < before["loss"]
    (stacked,) = model.predict(data, batch_size=48, stack_outputs=True, verbose=0)
    (parts,) = model.predict(data, batch_size=48, verbose=0)
    assert stacked.shape == (64, 4) and [len(p) for p in parts] == [48, 16]
    np.testing.assert_array_equal(stacked, np.concatenate(parts))
    assert (stacked.argmax(1) == data.y[:, 0]).mean() == after["acc"]


@pytest.mark.parametrize("mode", ["eager", "static"])
def test_a_saved_model_answers_the_same(mode, request, tmp_path):
    if mode == "static":
        request.getfixturevalue("static_mode")
    model, x = prepared(**SPECS), Points(5).x
    fitted(model, 2)
    (expected,) = model.predict_batch(x)
    model.save(str(tmp_path / "a" / "model"))
    model.save(str(tmp_path / "infer"), training=False)
    fitted(model, 1)
    assert not np.array_equal(model.predict_batch(x)[0], expected)
    model.load(str(tmp_path / "a" / "model"))
    np.testing.assert_array_equal(model.predict_batch(x)[0], expected)
    with using(eager()):
        loaded = paddle.jit.load(str(tmp_path / "infer"))
        np.testing.assert_allclose(loaded(paddle.to_tensor(x)).numpy(), expected, rtol=1e-6)


def test_training_goes_on_after_an_interruption_with_the_same_losses(tmp_path):
    class Stop(Callback):
        def on_epoch_begin(self, epoch, logs=None):
            if epoch == 3:
                raise KeyboardInterrupt

    def run(epochs, *callbacks, **kwargs):
        losses = Losses()
        with unique_name.guard():  # layers are called as those of a new process
            model = prepared(dropout=0.3)
        np.random.seed(kwargs.pop("seed", 0))
        schedule = paddle.optimizer.lr.ExponentialDecay(0.05, 0.9)
        model.optimizer.set_lr_scheduler(schedule)
        with suppress(KeyboardInterrupt):
            model.fit(
                Points(20), batch_size=8, epochs=epochs, verbose=0, callbacks=[losses, *callbacks],
                **kwargs,
            )  # fmt: skip
        return losses.found

    whole = run(5)
    first = run(5, Stop(), save_dir=str(tmp_path))
    rest = run(5, seed=99, resume=str(tmp_path / "2"))
    assert first + rest == whole


def test_a_training_that_was_finished_has_nothing_left(tmp_path):
    assert len(fitted(prepared(), 1, save_dir=str(tmp_path / "first"))) == 3
    with unique_name.guard():
        model = prepared()
        fitted(model, 1, save_dir=str(tmp_path / "own"))
        found = fitted(model, 1, save_dir=str(tmp_path), resume=str(tmp_path / "own" / "final"))
    assert found == [] and (tmp_path / "final.pdprogress").exists()


def test_hooks_fire_in_order():
    fired = []

    class Every(Callback):
        def __getattribute__(self, name):
            if name.startswith("on_"):
                return lambda *args: fired.append(name.removeprefix("on_"))
            return super().__getattribute__(name)

    model = prepared()
    model.fit(Points(8), Points(4), batch_size=8, epochs=1, verbose=0, callbacks=Every())
    assert fired == [
        "train_begin", "epoch_begin", "train_batch_begin", "train_batch_end", "epoch_end",
        "eval_begin", "eval_batch_begin", "eval_batch_end", "eval_end", "train_end",
    ]  # fmt: skip
    fired.clear()
    model.predict(Points(4), verbose=0, batch_size=4, callbacks=Every())
    assert fired == ["predict_begin", "predict_batch_begin", "predict_batch_end", "predict_end"]


def test_num_iters_is_the_most_steps():
    assert len(fitted(prepared(), 9, num_iters=2)) == 2
    assert len(fitted(prepared(), 9, num_iters=5)) == 5


def test_what_cannot_be_is_refused(tmp_path):
    model = prepared()
    with pytest.raises(TypeMismatchError, match="a Model is made of a Layer"):
        paddle.Model(lambda x: x)
    with pytest.raises(ProgramError, match="no optimizer and loss"):
        paddle.Model(network()).fit(Points(4), verbose=0)
    with pytest.raises(TypeMismatchError, match="metrics must be Metrics"):
        model.prepare(metrics="accuracy")
    with pytest.raises(TypeMismatchError, match="expected a Dataset or a DataLoader"):
        model.evaluate(5, verbose=0)
    with pytest.raises(ProgramError, match="needs the specs of its inputs"):
        model.save(str(tmp_path / "m"), training=False)
    with pytest.raises(FileError, match="to go on from"):
        model.save(str(tmp_path / "m"))
        model.fit(Points(4), verbose=0, resume=str(tmp_path / "m"))
    other = paddle.Model(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.ReLU(), nn.Linear(8, 4)))
    with pytest.raises(ArgumentError, match=r"0.weight has shape \[4, 16\] there, \[4, 8\] here"):
        other.load(str(tmp_path / "m"))
    with pytest.warns(UserWarning) as warned:
        other.load(str(tmp_path / "m"), skip_mismatch=True)
    names = [str(w.message).split()[0] for w in warned]
    assert len(set(names)) == len(names), "a parameter is told of once"
    assert {w.filename for w in warned} == {__file__}


def test_static_mode_needs_specs(static_mode):
    with pytest.raises(ArgumentError, match="needs the specs of its inputs"):
        paddle.Model(network())


def test_a_static_step_is_one_executable(static_mode):
    model = prepared(**SPECS)
    fitted(model, 1)
    steps = [p for p in static.default_main_program().executables().values()]
    assert len(steps) == 1


class Seen(nn.Layer):
    """Remembers its inputs."""

    def __init__(self):
        super().__init__()
        self.weight, self.order = self.create_parameter([1]), []

    def forward(self, x):
        self.order += [int(v) for v in x.numpy()[:, 0]]
        return x * self.weight


@pytest.mark.parametrize("seed", [0, 5])
def test_the_number_of_the_epoch_decides_the_order_of_samples(seed):
    np.random.seed(seed)
    rows = [(np.array([i], "float32"), np.array([0.0], "float32")) for i in range(7)]
    network = Seen()
    model = paddle.Model(network)
    model.prepare(paddle.optimizer.SGD(0.0, parameters=network.parameters()), nn.MSELoss())
    model.fit(rows, batch_size=3, epochs=2, verbose=0)
    first, second = [6, 2, 1, 3, 0, 5, 4], [6, 2, 1, 0, 4, 3, 5]
    assert network.order == first + second
    model.fit(rows, batch_size=3, epochs=1, verbose=0)
    assert network.order[14:] == first
