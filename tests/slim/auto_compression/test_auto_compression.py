"""Saved models become smaller ones by the strategies of a configuration, with a report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.errors import ArgumentError, FileError, UnknownNameError, UnsupportedError
from twinoar.slim.auto_compression import (
    AutoCompression,
    ChannelPrune,
    Distillation,
    QuantPost,
    TrainConfig,
    analysis_prune,
)
from twinoar.slim.common import load_inference_model, save_config

IMAGE = [None, 1, 8, 8]
ADAM = {"optimizer": {"type": "Adam"}}
TRAIN = {"epochs": 2, "learning_rate": 0.005, "eval_iter": 4, "optimizer_builder": ADAM}
STRATEGIES = {
    "channels": {"ChannelPrune": {"pruned_ratio": 0.5}},
    "neighbors": {"ASPPrune": {}},
    "weights": {"UnstructurePrune": {"ratio": 0.6, "prune_params_type": None}},
    "gmp": {"UnstructurePrune": {"prune_strategy": "gmp", "prune_params_type": None}},
    "aware": {"QuantAware": None},
    "clipped": {"QuantAware": {"use_pact": True}},
    "post": {"QuantPost": {"algo": "mse"}},
    "search": {"QuantPost": {}, "HyperParameterOptimization": {"max_quant_count": 3}},
    "taught": {"Distillation": {"loss": "soft_label", "alpha": 2.0}},
    "both": {"Prune": {"pruned_ratio": 0.25}, "QuantAware": {}, "Distillation": {}},
}


def images(seed: int = 0, count: int = 16) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, 1, 8, 8)).astype("f4")


class Given:
    """A saved network of convolutions and norms, data, and a score: how often its class stays."""

    def __init__(self, folder: Path) -> None:
        paddle.seed(5)
        net = nn.Sequential(
            nn.Conv2D(1, 8, 3, padding=1), nn.BatchNorm2D(8), nn.ReLU(), nn.Conv2D(8, 8, 3),
            nn.ReLU(), nn.MaxPool2D(2), nn.Flatten(), nn.Linear(72, 32), nn.ReLU(),
            nn.Linear(32, 4),
        )  # fmt: skip
        net.eval()
        self.folder, self.out = str(folder / "floats"), str(folder / "small")
        spec = [static.InputSpec(IMAGE, "float32", "image")]
        paddle.jit.save(net, f"{self.folder}/model", input_spec=spec)
        self.data = [{"image": images(n)} for n in range(4)]
        self.test = images(9, 64)
        self.wanted = net(paddle.to_tensor(self.test)).numpy()

    def score(self, executor: Any, program: Any, feeds: Any, fetches: Any) -> float:
        (found,) = executor.run(program, feed={feeds[0]: self.test}, fetch_list=fetches)
        return float((found.argmax(1) == self.wanted.argmax(1)).mean())

    def compression(self, config: Any, **given: Any) -> AutoCompression:
        settings = {"save_dir": self.out, "config": config, "eval_callback": self.score, **given}
        return AutoCompression(self.folder, self.data, **settings)

    def result(self) -> np.ndarray:
        return paddle.jit.load(f"{self.out}/model")(paddle.to_tensor(self.test)).numpy()


@pytest.fixture
def given(tmp_path: Path) -> Given:
    return Given(tmp_path)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_each_strategy_gives_a_model_that_computes_nearly_the_same(name: str, given: Given) -> None:
    config = {**STRATEGIES[name], "TrainConfig": TRAIN}
    before = {f.name: f.read_bytes() for f in Path(given.folder).iterdir()}
    report = given.compression(config).compress()
    assert report.rows[0].score == 1.0
    last = report.rows[-1]
    assert last.score is not None
    assert last.score > 0.5  # of 4 classes, of a network whose classes are no classes of the data
    found = given.result()
    assert float((found.argmax(1) == given.wanted.argmax(1)).mean()) == last.score
    assert {f.name: f.read_bytes() for f in Path(given.folder).iterdir()} == before
    kept = json.loads(Path(given.out, "report.json").read_text())
    assert kept == report.to_list()


@pytest.mark.parametrize(
    ("name", "is_less"),
    [
        ("channels", lambda a, b: b.flops < 0.6 * a.flops and b.parameters < 0.7 * a.parameters),
        ("neighbors", lambda a, b: b.packed < 0.75 * a.packed),
        ("weights", lambda a, b: b.packed < 0.65 * a.packed),
        ("aware", lambda a, b: b.size < 0.5 * a.size),
        ("post", lambda a, b: b.size < 0.5 * a.size),
        ("both", lambda a, b: b.size < 0.4 * a.size and b.flops < 0.9 * a.flops),
    ],
)
def test_models_cost_less(name: str, is_less: Callable[[Any, Any], bool], given: Given) -> None:
    report = given.compression({**STRATEGIES[name], "TrainConfig": TRAIN}).compress()
    assert is_less(report.rows[0], report.rows[-1]), str(report)


def test_quantizing_comes_last_and_trains_a_tenth(given: Given) -> None:
    config = {"QuantAware": {}, "ChannelPrune": {"pruned_ratio": 0.25}, "TrainConfig": TRAIN}
    report = given.compression(config).compress()
    assert [row.step for row in report.rows] == ["given", "ChannelPrune", "QuantAware"]
    later = TrainConfig(epochs=30, learning_rate=0.1).for_quantization()
    assert (later.epochs, later.learning_rate) == (3, pytest.approx(0.01))


def test_without_a_configuration_ways_to_calibrate_are_searched(given: Given) -> None:
    report = given.compression(None, eval_callback=None).compress()
    assert [row.step for row in report.rows] == ["given", "QuantPost"]
    assert report.rows[-1].score is None
    assert np.abs(given.result() - given.wanted).max() < 0.1 * np.abs(given.wanted).max()


def test_batches_are_lists_loaders_and_functions(given: Given) -> None:
    class Set(paddle.io.Dataset):
        def __len__(self) -> int:
            return 32

        def __getitem__(self, index: int) -> Any:
            return images(index, 1)[0], np.int64(0)

    arrays = [[images(0), np.zeros(16)]]
    for data in (arrays, lambda: iter(arrays), paddle.io.DataLoader(Set(), batch_size=8)):
        given.data = data  # type: ignore[assignment]  # other forms of it
        assert given.compression({"QuantPost": None}).compress().rows[-1].score > 0.7


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_settings_are_read_from_files(ending: str, given: Given, tmp_path: Path) -> None:
    file = str(tmp_path / f"config.{ending}")
    save_config({"Global": {"batch": 4}, "QuantPost": {"algo": "avg", "weight_bits": 8}}, file)
    report = given.compression(file).compress()
    assert [row.step for row in report.rows] == ["given", "QuantPost"]


def test_settings_are_objects_too(given: Given) -> None:
    config = {"Distillation": Distillation(), "QuantPost": QuantPost(), "ChannelPrune":
              ChannelPrune(0.25), "TrainConfig": TrainConfig(train_iter=2)}  # fmt: skip
    report = given.compression(config).compress()
    assert [row.step for row in report.rows] == ["given", "ChannelPrune", "QuantPost"]


def test_the_best_values_are_kept(given: Given) -> None:
    """A rate that ruins the model ends with values from before it did."""
    scores = iter([1.0, 0.9, 0.1, 0.1, 0.1])
    seen = []

    def score(*args: Any) -> float:
        seen.append(given.score(*args))
        return next(scores)

    train = {**TRAIN, "epochs": 2, "learning_rate": 0.5}
    config = {"Distillation": {}, "TrainConfig": train}
    given.compression(config, eval_callback=score).compress()
    assert seen[1] == seen[-1]  # the first score of training is that of the result


def test_training_ends_at_the_wanted_score(given: Given) -> None:
    asked = []

    def score(*args: Any) -> float:
        asked.append(1)
        return given.score(*args)

    train = {**TRAIN, "epochs": 50, "eval_iter": 1, "learning_rate": 1e-5, "target_metric": 0.5}
    config = {"Distillation": {}, "TrainConfig": train}
    given.compression(config, eval_callback=score).compress()
    assert len(asked) == 3  # before, after the first batch, at the end


def test_several_teachers(given: Given) -> None:
    several = {"teacher_model_dir": [given.folder] * 2, "loss": ["l2", "soft_label"]}
    config = {"MultiTeacherDistillation": {**several, "alpha": [1.0, 0.5]}, "TrainConfig": TRAIN}
    assert given.compression(config).compress().rows[-1].score > 0.7


def test_sensitivities_of_a_saved_model_give_ratios(given: Given, tmp_path: Path) -> None:
    file = str(tmp_path / "sen.json")

    def score(program: Any, *args: Any) -> float:
        executor, feeds, fetches = args
        return given.score(executor, program, feeds, [v.name for v in fetches])

    found = analysis_prune(score, given.folder, None, None, file, [0.25, 0.5], target_loss=0.5)
    assert len(found) == 2
    assert all(0 <= ratio <= 0.5 for ratio in found.values())


@pytest.mark.parametrize(
    ("config", "error", "told"),
    [
        ({"QuantPots": {}}, UnknownNameError, "QuantPost"),
        ({"QuantPost": {"algorithm": "KL"}}, UnknownNameError, "algo"),
        ({"QuantPost": 8}, ArgumentError, "by name"),
        ({}, ArgumentError, "no strategy"),
        ({"ChannelPrune": {}}, ArgumentError, "pruned_ratio"),
        ({"QuantPost": {}, "QuantAware": {}}, ArgumentError, "exclude"),
        ({"TransformerPrune": {"pruned_ratio": 1.0}}, ArgumentError, "below 1"),
        ({"QuantPost": {"recon_level": "layer-wise"}}, UnsupportedError, "GPTQ"),
        ({"Distillation": {}, "TrainConfig": {"amp_config": {}}}, UnsupportedError, "amp_config"),
        ({"UnstructurePrune": {"prune_strategy": "all"}}, ArgumentError, "gmp"),
    ],
)
def test_bad_settings_are_refused_before_anything_is_done(
    config: Any, error: type[Exception], told: str, given: Given
) -> None:
    with pytest.raises(error, match=told):
        given.compression(config)
    assert not Path(given.out).exists()


@pytest.mark.parametrize(
    ("config", "error", "told"),
    [
        ({"Distillation": {"loss": "l3"}}, UnknownNameError, "l2"),
        ({"Distillation": {"node": ["none"]}}, UnknownNameError, "none"),
        ({"Distillation": {"teacher_model_dir": "nowhere"}}, FileError, "nowhere"),
        ({"ChannelPrune": {"pruned_ratio": 1.5}}, ArgumentError, "below 1"),
        ({"Distillation": {}, "TrainConfig": {**TRAIN, "optimizer_builder": {"optimizer":
          {"type": "Adem"}}}}, UnknownNameError, "Adam"),
        ({"Distillation": {}, "TrainConfig": {"origin_metric": 0.3}}, ArgumentError, "0.3"),
        ({"HyperParameterOptimization": {"bias_correct": [True]}}, UnsupportedError, "correct"),
    ],
)  # fmt: skip
def test_what_fails_on_the_way_writes_nothing(
    config: Any, error: type[Exception], told: str, given: Given
) -> None:
    with pytest.raises(error, match=told):
        given.compression({"TrainConfig": TRAIN, **config}).compress()
    assert not Path(given.out, "model.pdmodel").exists()


def test_bad_models_and_data_are_refused(given: Given, tmp_path: Path) -> None:
    with pytest.raises(FileError):
        AutoCompression(str(tmp_path / "none"), given.data)
    with pytest.raises(UnsupportedError, match="target_speedup"):
        given.compression({"QuantPost": None}, target_speedup=2.0)
    with pytest.raises(ArgumentError, match="image"):
        given.data = [{"picture": images()}]
        given.compression({"QuantPost": None}).compress()
    with pytest.raises(ArgumentError, match="no batch"):
        given.data = []
        given.compression({"QuantPost": None}).compress()
    paddle.jit.save(
        nn.Linear(4, 2), str(tmp_path / "one" / "model"), input_spec=[static.InputSpec([None, 4])]
    )
    one = AutoCompression(
        str(tmp_path / "one"),
        [[np.ones([2, 4], "f4")]],
        config={"TransformerPrune": {"pruned_ratio": 0.5}},
    )
    with pytest.raises(ArgumentError, match="no product of the model"):
        one.compress()


def test_inner_layers_of_transformers_become_narrower(tmp_path: Path) -> None:
    paddle.seed(3)
    net = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 64, dropout=0.0), 2).eval()
    spec = [static.InputSpec([None, 5, 16], "float32", "x")]
    paddle.jit.save(net, str(tmp_path / "wide" / "model"), input_spec=spec)
    data = [
        {"x": np.random.default_rng(n).standard_normal((4, 5, 16)).astype("f4")} for n in (0, 1)
    ]
    report = AutoCompression(
        str(tmp_path / "wide"),
        data,
        save_dir=str(tmp_path / "narrow"),
        config={"TransformerPrune": {"pruned_ratio": 0.5}, "TrainConfig": {**TRAIN, "epochs": 1}},
    ).compress()
    given, last = report.rows[0], report.rows[-1]
    assert given.parameters - last.parameters == 2 * 32 * (16 + 16 + 1)
    assert last.flops < 0.8 * given.flops
    loaded = paddle.jit.load(str(tmp_path / "narrow" / "model"))
    assert loaded(paddle.to_tensor(data[0]["x"][:3])).shape == [3, 5, 16]


def test_open_sizes_are_given(tmp_path: Path) -> None:
    net = nn.Sequential(nn.Conv2D(1, 8, 5), nn.Conv2D(8, 2, 5), nn.AdaptiveAvgPool2D(1))
    spec = [static.InputSpec([None, 1, None, None], "float32", "image")]
    paddle.jit.save(net.eval(), str(tmp_path / "open" / "model"), input_spec=spec)
    compression = AutoCompression(
        str(tmp_path / "open"),
        [{"image": np.ones([2, 1, 16, 16], "f4")}],
        save_dir=str(tmp_path / "small"),
        input_shapes=[-1, 1, 16, 16],
        config={"QuantPost": {"algo": "avg"}},
    )
    assert compression.compress().rows[-1].size < compression.report.rows[0].size
    with pytest.raises(ArgumentError, match="image"):
        AutoCompression(str(tmp_path / "open"), [], input_shapes={"x": [1, 1, 8, 8]})


def test_models_are_loaded_by_folder_or_prefix(given: Given) -> None:
    with static.scope_guard(static.Scope()):
        by_folder = load_inference_model(given.folder)
        by_prefix = load_inference_model(f"{given.folder}/model")
        by_name = load_inference_model(given.folder, None, "model.pdmodel", "model.pdiparams")
    assert by_folder[1] == by_prefix[1] == by_name[1] == ["image"]
