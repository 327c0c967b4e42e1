"""The repository of models: layout, configs, versions, loading and reloading under load."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.serving.models import python, rows, saved, scaling
from twinoar import nn
from twinoar.errors import FileError, ServingError
from twinoar.formats.protobuf import plain
from twinoar.serving.repository import Repository
from twinoar.serving.request import Request


def answer(repository: Repository, name: str, *values: float, version: str = "") -> np.ndarray:
    request = rows(*values)
    repository.submit(name, version, request)
    (found,) = request.result(20).values()
    return found[:, 0]


class Centering(nn.Layer):
    """Its rows depend on each other, which its shapes do not show."""

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        return x - x.mean(axis=0, keepdim=True)


def test_a_saved_model_without_a_config_is_served_in_batches(tmp_path: Path) -> None:
    scaling(tmp_path, "double", 2.0)
    repository = Repository(tmp_path)
    repository.load("double")
    assert answer(repository, "double", 1, 2, 3).tolist() == [2, 4, 6]
    config = plain(repository.model("double").config)
    assert config["max_batch_size"] == 8
    assert config["input"] == [{"name": "x", "data_type": "TYPE_FP32", "dims": [4]}]
    assert config["version_policy"] == {"latest": {"num_versions": 1}}
    repository.close()


def test_a_model_whose_rows_depend_on_each_other_is_not_batched(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    saved(tmp_path, "center", Centering())
    repository = Repository(tmp_path)
    repository.load("center")
    assert repository.model("center").config.max_batch_size == 0
    assert "depend on each other" in caplog.text
    assert answer(repository, "center", 1, 3).tolist() == [-1, 1]
    repository.close()


def test_a_model_of_fixed_shape_is_served_without_a_batch_axis(tmp_path: Path) -> None:
    saved(tmp_path, "fixed", nn.ReLU(), shape=(2, 4))
    repository = Repository(tmp_path)
    repository.load("fixed")
    assert answer(repository, "fixed", -1, 3).tolist() == [0, 3]
    with pytest.raises(ServingError, match=r"shape \[2, 4\], received \[1, 4\]"):
        answer(repository, "fixed", 1)
    repository.close()


def test_a_model_of_onnx_is_served_by_its_own_names(tmp_path: Path) -> None:
    place = tmp_path / "net" / "1"
    place.mkdir(parents=True)
    spec = [paddle.static.InputSpec([None, 4], "float32", "in.put")]
    layer = nn.Sequential(nn.Linear(4, 3), nn.ReLU())
    paddle.onnx.export(layer, str(place / "model"), spec, opset_version=17)
    repository = Repository(tmp_path)
    repository.load("net")
    x = np.random.default_rng(0).standard_normal((2, 4)).astype("float32")
    (port,) = repository.model("net").config.input
    request = Request({port.name: x})
    repository.submit("net", "", request)
    (found,) = request.result(20).values()
    np.testing.assert_allclose(found, layer(paddle.to_tensor(x)).numpy(), 1e-5, 1e-6)
    repository.close()


@pytest.mark.parametrize(("policy", "expected"), [
    ("", ["3"]),
    ("version_policy { latest { num_versions: 2 } }", ["2", "3"]),
    ("version_policy { all {} }", ["1", "2", "3"]),
    ("version_policy { specific { versions: [1, 3] } }", ["1", "3"]),
])  # fmt: skip
def test_the_version_policy_says_what_is_served(
    tmp_path: Path, policy: str, expected: list[str]
) -> None:
    for version in (1, 2, 3):
        scaling(tmp_path, "m", float(version), version, policy)
    repository = Repository(tmp_path)
    repository.load("m")
    assert repository.versions("m") == expected
    assert answer(repository, "m", 1, version=expected[0]).tolist() == [float(expected[0])]
    assert answer(repository, "m", 1).tolist() == [3]
    with pytest.raises(ServingError, match="no version '7'"):
        repository.model("m", "7")
    repository.close()


BAD_CONFIGS = {
    "nam: 3": "expected a ModelConfig",
    'name: "other"': "names the model 'other'",
    "instance_group [{ kind: KIND_GPU }]": "KIND_GPU is not served",
    'backend: "tensorrt"': "tensorrt are not served",
    "model_transaction_policy { decoupled: true }": "decoupled",
    "version_policy { specific { versions: [9] } }": "version 9",
    'max_batch_size: 8 input [{ name: "z" data_type: TYPE_FP32 dims: [4] }]': "the input 'z'",
    'max_batch_size: 8 input [{ name: "x" data_type: TYPE_INT8 dims: [4] }]': "INT8 in the config",
    'max_batch_size: 8 input [{ name: "x" data_type: TYPE_FP32 dims: [5] }]': r"\[-1, 5\] by the c",
    "max_batch_size: 4 dynamic_batching { preferred_batch_size: [8] }": "from 1 to 4",
    'max_batch_size: 4 parameters { key: "batch_sizes" value { string_value: "x" } }': "batch_size",
    'default_model_filename: "../../x.pdmodel"': "not below",
    'default_model_filename: "x.pdmodel"': "has no x.pdmodel",
}


@pytest.mark.parametrize("config", BAD_CONFIGS)
def test_a_config_that_is_not_served_is_refused_with_the_reason(
    tmp_path: Path, config: str
) -> None:
    scaling(tmp_path, "m", 2.0, config=config)
    repository = Repository(tmp_path)
    with pytest.raises(ServingError, match=BAD_CONFIGS[config]):
        repository.load("m")
    (entry,) = repository.index()
    assert entry.state == "UNAVAILABLE"
    assert entry.reason
    repository.close()


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no folder"):
        Repository(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    repository = Repository(tmp_path)
    with pytest.raises(ServingError, match="no version of the model"):
        repository.load("empty")
    with pytest.raises(ServingError, match="no model 'other'") as caught:
        repository.load("other")
    assert caught.value.status == "NOT_FOUND"
    with pytest.raises(ServingError, match="unknown model: 'other'"):
        repository.model("other")


def test_the_index_says_what_is_loaded(tmp_path: Path) -> None:
    scaling(tmp_path, "a", 1.0)
    scaling(tmp_path, "b", 1.0)
    repository = Repository(tmp_path)
    repository.load("a")
    assert [entry.plain() for entry in repository.index()] == [
        {"name": "a", "version": "1", "state": "READY"},
        {"name": "b"},
    ]
    assert [entry.name for entry in repository.index(ready=True)] == ["a"]
    repository.unload("a")
    assert repository.index()[0].plain() == {
        "name": "a", "state": "UNAVAILABLE", "reason": "unloaded",
    }  # fmt: skip
    with pytest.raises(ServingError, match="not loaded: unloaded"):
        answer(repository, "a", 1)
    repository.close()


def test_garbage_in_place_of_a_model_leaves_the_one_before_in_service(tmp_path: Path) -> None:
    folder = scaling(tmp_path, "m", 2.0)
    repository = Repository(tmp_path)
    repository.load("m")
    (folder / "1" / "model.pdmodel").write_bytes(b"\x00garbage" * 100)
    with pytest.raises(ServingError, match="cannot be loaded"):
        repository.load("m")
    assert answer(repository, "m", 1).tolist() == [2]
    (entry,) = repository.index()
    assert (entry.state, bool(entry.reason)) == ("READY", True)
    repository.close()


def test_no_request_is_lost_or_wrong_while_models_are_exchanged(tmp_path: Path) -> None:
    folder = scaling(tmp_path, "m", 1.0, version=1)
    repository = Repository(tmp_path)
    repository.load("m")
    stop, failures, seen = threading.Event(), [], set()

    def client() -> None:
        while not stop.is_set():
            try:
                seen.add(float(answer(repository, "m", 1)[0]))
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=client) for _ in range(4)]
    for thread in threads:
        thread.start()
    for version in (2, 3, 4):
        scaling(tmp_path, "m", float(version), version)
        repository.load("m")
        assert answer(repository, "m", 1).tolist() == [version]
        (folder / str(version) / "model.pdmodel").write_bytes(b"garbage")
        with pytest.raises(ServingError):
            repository.load("m")
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert {1.0} < seen <= {1.0, 2.0, 3.0, 4.0}
    assert repository.close(10)


def test_closing_finishes_what_waits(tmp_path: Path) -> None:
    delay = "max_batch_size: 64 dynamic_batching { max_queue_delay_microseconds: 60000000 }"
    scaling(tmp_path, "m", 2.0, config=delay)
    repository = Repository(tmp_path)
    repository.load("m")
    sent = [rows(n) for n in range(5)]
    for request in sent:
        repository.submit("m", "", request)
    assert repository.pending() == 5
    start = time.monotonic()
    assert repository.close(30)
    assert time.monotonic() - start < 30
    assert [request.result(0) is not None for request in sent] == [True] * 5
    with pytest.raises(ServingError) as caught:
        repository.submit("m", "", rows(1))
    assert caught.value.status == "UNAVAILABLE"


def test_several_instances_share_the_weights_and_all_answer(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 3.0, config="max_batch_size: 2 instance_group [{ count: 3 }]")
    repository = Repository(tmp_path)
    repository.load("m")
    sent = [rows(n) for n in range(50)]
    for request in sent:
        repository.submit("m", "", request)
    for n, request in enumerate(sent):
        assert next(iter(request.result(10).values()))[0, 0] == 3 * n
    repository.close()


WARM = """max_batch_size: 4 dynamic_batching {}
model_warmup [{{ name: "one" batch_size: 2 inputs {{ key: "x" value {{ data_type: TYPE_FP32
dims: [4] {0} }} }} }}]""".replace("{}", "{{}}")


@pytest.mark.parametrize("data", ["zero_data: true", "random_data: true", 'input_data_file: "x"'])
def test_a_config_may_say_how_a_model_is_warmed_up(tmp_path: Path, data: str) -> None:
    folder = scaling(tmp_path, "m", 2.0, config=WARM.format(data))
    (folder / "warmup").mkdir()
    (folder / "warmup" / "x").write_bytes(np.ones(4, "<f4").tobytes())
    repository = Repository(tmp_path)
    repository.load("m")
    assert answer(repository, "m", 1).tolist() == [2]
    repository.close()


def test_a_file_for_warming_up_that_does_not_fit_is_named(tmp_path: Path) -> None:
    scaling(tmp_path, "m", 2.0, config=WARM.format('input_data_file: "x"'))
    repository = Repository(tmp_path)
    with pytest.raises(ServingError, match="cannot read"):
        repository.load("m")


TEXT = """max_batch_size: 0
input [{ name: "text" data_type: TYPE_STRING dims: [-1] }]
output [{ name: "x" data_type: TYPE_FP32 dims: [-1, 4] }]"""
COUNTING = """
import numpy as np
class Model:
    def run(self, inputs):
        lengths = [len(t) for t in inputs["text"]]
        return {"x": np.array([[n] * 4 for n in lengths], "float32")}
"""


def test_python_runs_where_that_is_allowed(tmp_path: Path) -> None:
    python(tmp_path, "count", COUNTING, TEXT)
    with pytest.raises(ServingError, match="--allow-python"):
        Repository(tmp_path).load("count")
    repository = Repository(tmp_path, python=True)
    repository.load("count")
    request = Request({"text": np.array([b"ab", b"abc"], object)})
    repository.submit("count", "", request)
    assert request.result(5)["x"][:, 0].tolist() == [2, 3]
    repository.close()


ENSEMBLE = """max_batch_size: 0
input [{ name: "text" data_type: TYPE_STRING dims: [-1] }]
output [{ name: "scores" data_type: TYPE_FP32 dims: [-1, 4] }]
ensemble_scheduling { step [
  { model_name: "m" model_version: -1
    input_map { key: "x" value: "lengths" } output_map { key: "OUT" value: "scores" } },
  { model_name: "count" model_version: -1
    input_map { key: "text" value: "text" } output_map { key: "x" value: "lengths" } }
] }"""


def ensemble(folder: Path, config: str = ENSEMBLE) -> Repository:
    scaling(folder, "m", 10.0)
    python(folder, "count", COUNTING, TEXT)
    repository = Repository(folder, python=True)
    repository.load("m")
    repository.load("count")
    (output,) = repository.model("m").config.output
    (folder / "both").mkdir()
    (folder / "both" / "config.pbtxt").write_text(config.replace("OUT", output.name))
    return repository


def test_a_pipeline_runs_its_steps_in_the_order_of_what_they_need(tmp_path: Path) -> None:
    repository = ensemble(tmp_path)
    repository.load("both")
    request = Request({"text": np.array([b"ab", b"abc"], object)})
    repository.submit("both", "", request)
    assert request.result(5)["scores"][:, 0].tolist() == [20, 30]
    assert repository.model("m").statistics.success.count == 1
    assert repository.close(5)


def test_an_error_in_a_step_names_the_step(tmp_path: Path) -> None:
    repository = ensemble(tmp_path)
    repository.load("both")
    request = Request({"text": np.array([1, 2], object)})
    repository.submit("both", "", request)
    with pytest.raises(ServingError, match="the step 'count'"):
        request.result(5)
    repository.unload("m")
    request = Request({"text": np.array([b"ab"], object)})
    repository.submit("both", "", request)
    with pytest.raises(ServingError, match="the step 'm': Request for unknown model"):
        request.result(5)
    assert repository.close(5)


@pytest.mark.parametrize(("old", "new", "message"), [
    ('value: "lengths" } output_map { key: "OUT"', 'value: "l" } output_map { key: "OUT"', "'l'"),
    ('value: "scores"', 'value: "s"', "no step makes the output 'scores'"),
    ('value: "scores"', 'value: "text"', "made twice"),
    ('key: "text"', 'key: "txt"', "no input 'txt'"),
    ('"count"', '"cont"', "unknown model: 'cont'"),
])  # fmt: skip
def test_a_pipeline_that_does_not_fit_together_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    repository = ensemble(tmp_path, ENSEMBLE.replace(old, new))
    with pytest.raises(ServingError, match=message):
        repository.load("both")
    repository.close()


def test_two_folders_may_not_have_the_same_model(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        scaling(tmp_path / folder, "m", 1.0)
    with pytest.raises(FileError, match="are the model m"):
        Repository(tmp_path / "a", tmp_path / "b").names()
    shutil.rmtree(tmp_path / "b" / "m")
    assert Repository(tmp_path / "a", tmp_path / "b").names() == ["m"]


@pytest.mark.parametrize("array", [
    np.zeros((1, 4), "float64"), np.zeros((1, 5), "float32"), np.zeros(4, "float32"),
    np.zeros((0, 4), "float32"), np.zeros((9, 4), "float32"), np.zeros((), "float32"),
])  # fmt: skip
def test_a_request_that_does_not_fit_is_refused_before_it_waits(
    tmp_path: Path, array: np.ndarray
) -> None:
    scaling(tmp_path, "m", 1.0)
    repository = Repository(tmp_path)
    repository.load("m")
    for inputs in ({"x": array}, {}, {"x": np.zeros((1, 4), "float32"), "z": array}):
        with pytest.raises(ServingError) as caught:
            repository.submit("m", "", Request(inputs))
        assert caught.value.status == "INVALID_ARGUMENT"
    repository.close()
