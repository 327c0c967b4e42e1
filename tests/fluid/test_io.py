"""Model folders, parameters in files, and loaders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from twinoar import fluid
from twinoar.errors import (
    ArgumentError,
    FileError,
    MissingNameError,
    ProgramError,
    ShapeError,
    TwinoarError,
    TypeMismatchError,
    UnsupportedError,
)
from twinoar.io import TensorDataset
from twinoar.static import Program, Scope

FEED = {"x": np.arange(6, dtype="float32").reshape(2, 3)}


class Trained:
    """A Program with trained parameters, what it computes, and an Executor."""

    def __init__(self, main: Program, startup: Program):
        self.out = fluid.layers.fc(fluid.data("x", [None, 3]), 2)
        self.main, self.test = main, main.clone(for_test=True)
        fluid.optimizer.Momentum(0.1, 0.9).minimize(fluid.layers.mean(self.out))
        self.exe = fluid.Executor(fluid.CPUPlace())
        self.exe.run(startup)
        self.exe.run(main, feed=FEED)
        self.result = self.computed()

    def computed(self) -> np.ndarray:
        return self.exe.run(self.test, feed=FEED, fetch_list=[self.out])[0]


@pytest.fixture
def trained(static: tuple[Program, Program]) -> Trained:
    return Trained(*static)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("combined", [None, "params"])
def test_a_model_folder_is_written_and_read(
    trained: Trained, tmp_path: Path, combined: str | None
) -> None:
    targets = fluid.io.save_inference_model(
        tmp_path, ["x"], [trained.out], trained.exe, trained.main, params_filename=combined
    )
    assert targets == [trained.out.name]
    parameters = ["fc_0.b_0", "fc_0.w_0"] if combined is None else [combined]
    assert names(tmp_path) == ["__model__", *parameters]
    with fluid.scope_guard(Scope()):
        program, feeds, fetches = fluid.io.load_inference_model(
            tmp_path, trained.exe, params_filename=combined
        )
        (found,) = trained.exe.run(program, FEED, fetches)
    assert feeds == ["x"]
    np.testing.assert_allclose(found, trained.result, rtol=1e-6)


def test_a_model_without_parameters(trained: Trained, tmp_path: Path) -> None:
    fluid.io.save_inference_model(
        tmp_path, "x", trained.out, trained.exe, model_filename="m", program_only=True
    )
    assert names(tmp_path) == ["m"]


@pytest.mark.parametrize("filename", [None, "all"])
@pytest.mark.parametrize("kind", ["params", "persistables"])
def test_parameters_are_written_and_read(
    trained: Trained, tmp_path: Path, kind: str, filename: str | None
) -> None:
    save, load = getattr(fluid.io, f"save_{kind}"), getattr(fluid.io, f"load_{kind}")
    save(trained.exe, tmp_path, trained.main, filename)
    if filename is None:
        held = {"fc_0.b_0", "fc_0.w_0"}
        assert held <= set(names(tmp_path))
        assert (held == set(names(tmp_path))) == (kind == "params")
    trained.exe.run(fluid.default_startup_program())
    assert (trained.computed() != trained.result).any()
    load(trained.exe, tmp_path, trained.main, filename)
    np.testing.assert_array_equal(trained.computed(), trained.result)


def test_chosen_variables_are_written(trained: Trained, tmp_path: Path) -> None:
    fluid.io.save_vars(trained.exe, tmp_path, vars=["fc_0.b_0"])
    assert names(tmp_path) == ["fc_0.b_0"]
    chosen = lambda v: v.name.endswith(".w_0")  # noqa: E731  # as users write it
    fluid.io.save_vars(trained.exe, tmp_path / "w", predicate=chosen)
    assert names(tmp_path / "w") == ["fc_0.w_0"]


def test_lists_of_what_lives_on(trained: Trained) -> None:
    parameters = fluid.io.get_program_parameter(trained.main)
    assert [p.name for p in parameters] == ["fc_0.w_0", "fc_0.b_0"]
    assert len(fluid.io.get_program_persistable_vars(trained.main)) > 2


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda t: fluid.io.load_params(t.exe, "no_such_folder", t.main), FileError),
        (lambda t: fluid.io.save_params(t.exe, None, t.main), ArgumentError),
        (lambda t: fluid.io.save_params(t.exe, "f", "main"), TypeMismatchError),
        (
            lambda t: fluid.io.save_inference_model(
                "f", ["x"], [t.out], t.exe, export_for_deployment=False
            ),
            UnsupportedError,
        ),
        (
            lambda t: fluid.io.load_inference_model("f", t.exe, pserver_endpoints=1),
            UnsupportedError,
        ),
        (lambda t: fluid.io.prepend_feed_ops, MissingNameError),
        (lambda t: fluid.io.DataLoader.from_dataset(None, None), UnsupportedError),
        (lambda t: iter(fluid.io.DataLoader.from_generator()()).__next__(), ProgramError),
        (lambda t: fluid.io.DataLoader.from_generator(iterable=False), ArgumentError),
        (lambda t: fluid.io.DataLoader.from_generator().start(), ProgramError),
    ],
)
def test_what_is_wrong_is_refused(
    trained: Trained, call: Callable[[Trained], Any], error: type[TwinoarError]
) -> None:
    with pytest.raises(error):
        call(trained)


def samples() -> Iterator[tuple[list[float], int]]:
    for i in range(5):
        yield [float(i), 0.0], i


def inputs() -> list[Any]:
    return [fluid.data("x", [None, 2]), fluid.data("label", [None, 1], "int64")]


@pytest.mark.parametrize("ahead", [True, False])
def test_a_loader_of_samples_gives_feeds(static: Any, ahead: bool) -> None:
    loader = fluid.io.DataLoader.from_generator(inputs(), capacity=4, use_double_buffer=ahead)
    loader.set_sample_generator(samples, batch_size=2, drop_last=False)
    batches = [feed for (feed,) in loader()]
    assert [b["label"].ravel().tolist() for b in batches] == [[0, 1], [2, 3], [4]]
    assert batches[0]["x"].shape == (2, 2)
    assert batches[0]["label"].shape == (2, 1)


def test_a_loader_of_batches_gives_lists(static: Any) -> None:
    loader = fluid.io.DataLoader.from_generator(inputs(), return_list=True)
    loader.set_batch_generator(lambda: iter([(np.ones((3, 2)), [[1], [2], [3]])]))
    ((x, label),) = list(loader())
    assert (x.shape, label.dtype) == ([3, 2], "int64")


def test_a_loader_in_dynamic_mode_gives_tensors() -> None:
    with fluid.dygraph.guard():
        reader = fluid.io.PyReader(capacity=2)
        reader.decorate_sample_list_generator(fluid.io.batch(samples, 5))
        ((x, label),) = list(reader())
        assert (x.shape, label.tolist()) == ([5, 2], [0, 1, 2, 3, 4])


def test_runs_without_a_feed_take_the_batches_of_a_started_loader(static: Any) -> None:
    main, _ = static
    x, label = inputs()
    loader = fluid.io.PyReader([x, label], capacity=2, iterable=False)
    loader.decorate_sample_generator(samples, batch_size=2)
    total = fluid.layers.reduce_sum(x)
    exe = fluid.Executor()
    for _ in range(2):
        loader.start()
        found = []
        try:
            while True:
                found.append(exe.run(main, fetch_list=[total])[0].item())
        except fluid.core.EOFException:
            loader.reset()
        assert found == [1.0, 5.0]


def test_a_loader_of_a_dataset_gives_feeds(static: Any) -> None:
    data = TensorDataset([np.arange(4, dtype="float32").reshape(4, 1)])
    loader = fluid.io.DataLoader(data, feed_list=[fluid.data("x", [None, 1])], batch_size=2)
    assert [batch[0]["x"].numpy().ravel().tolist() for batch in loader] == [[0, 1], [2, 3]]


def test_a_feeder_makes_arrays_of_samples(static: Any) -> None:
    image = fluid.data("image", [None, 1, 2, 2])
    fluid.data("label", [None, 1], "int64")
    feeder = fluid.DataFeeder(["label", image], fluid.CPUPlace())
    fed = feeder.feed([(3, np.arange(4)), (4, np.arange(4))])
    assert fed["label"].tolist() == [[3], [4]]
    assert (fed["image"].shape, fed["image"].dtype) == ((2, 1, 2, 2), np.float32)
    assert len(list(feeder.feed_parallel([[(3, np.arange(4))]]))) == 1
    decorated = feeder.decorate_reader(lambda: iter([[(3, np.arange(4))]]), multi_devices=True)
    assert isinstance(next(iter(decorated())), list)


def test_a_feeder_refuses_what_does_not_fit(static: Any) -> None:
    feeder = fluid.DataFeeder(inputs(), fluid.CPUPlace())
    with pytest.raises(ShapeError, match="2 fields"):
        feeder.feed([([1.0, 2.0],)])
    with pytest.raises(ShapeError, match="different shapes"):
        feeder.feed([([1.0, 2.0], 0), ([1.0], 0)])
    with pytest.raises(TypeMismatchError):
        fluid.DataFeeder([3], fluid.CPUPlace())
