"""Archives of torch.export: they compute what torch computed, train, and run nothing they hold.

The archives are made by exported/write.py, of the models in exported/models.py.
"""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar.cli import main
from twinoar.errors import FileError, TwinoarError, UnsupportedError
from twinoar.formats.torch.exported import read_exported

MODELS = zipfile.ZipFile(Path(__file__).parent / "exported" / "models.zip")
ARCHIVES = [name for name in MODELS.namelist() if name.endswith(".pt2")]
WITHOUT_FILE_FORM = (
    "unary",
    "binary",
    "images",
    "matrices",
    "others",
)  # for some operators in them
STEM = re.compile(r"(.*)\.(?:code|core)\.pt2")


def arrays(name: str) -> list[np.ndarray]:
    return list(np.load(io.BytesIO(MODELS.read(name))).values())


def inputs_of(archive: str) -> list[np.ndarray]:
    return arrays(STEM.sub(r"\1.in.npz", archive))


def results_of(archive: str) -> list[np.ndarray]:
    return arrays(STEM.sub(r"\1.out.npz", archive))


@pytest.fixture
def load(tmp_path: Path) -> Callable:
    def load(data: bytes) -> paddle.jit.TranslatedLayer:
        path = tmp_path / "model.pt2"
        path.write_bytes(data)
        return paddle.jit.load(str(path))

    return load


def called(layer: paddle.nn.Layer, inputs: list[np.ndarray]) -> list[np.ndarray]:
    found = layer(*map(paddle.to_tensor, inputs))
    return [x.numpy() for x in (found if isinstance(found, (list, tuple)) else [found])]


def check_same(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    assert len(found) == len(wanted)
    for x, y in zip(found, wanted, strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5, equal_nan=True)


@pytest.mark.parametrize("archive", ARCHIVES)
def test_what_torch_computed_is_computed(archive: str, load: Callable, tmp_path: Path) -> None:
    layers = [load(MODELS.read(archive))]
    if STEM.fullmatch(archive)[1] not in WITHOUT_FILE_FORM:
        paddle.jit.save(layers[0], str(tmp_path / "again"))
        layers.append(paddle.jit.load(str(tmp_path / "again")))
    for layer in layers:
        check_same(called(layer, inputs_of(archive)), results_of(archive))


def test_the_file_of_another_torch(paddle_fixtures: Path) -> None:
    folder = paddle_fixtures / "torch"
    known = np.load(folder / "torch_cnn_io.npz")
    layer = paddle.jit.load(str(folder / "torch_cnn.pt2"))
    (found,) = called(layer, [known["x"]])
    np.testing.assert_allclose(found, known["y"], atol=1e-5)


@pytest.mark.parametrize(
    "archive", ["gpt.code.pt2", "convolutions.core.pt2", "open_sizes.code.pt2"]
)
def test_an_open_batch_takes_any_number(archive: str, load: Callable) -> None:
    layer = load(MODELS.read(archive))
    inputs, results = inputs_of(archive), results_of(archive)
    for count in (3, 7):
        doubled = [np.concatenate([x] * count) for x in inputs]
        first = called(layer, doubled)[0]
        assert first.shape == (count * len(results[0]), *results[0].shape[1:])
        np.testing.assert_allclose(first[: len(results[0])], results[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("form", ["code", "core"])
def test_gradients_are_those_of_torch(form: str, load: Callable) -> None:
    layer = load(MODELS.read(f"training.{form}.pt2"))
    layer.train()
    loss = layer(*map(paddle.to_tensor, inputs_of(f"training.{form}.pt2")))[0]
    loss.backward()
    wanted = np.load(io.BytesIO(MODELS.read("training.gradients.npz")))
    own = {name: p.grad.numpy() for name, p in layer.named_parameters()}
    assert own.keys() == set(wanted)
    for name, gradient in own.items():
        np.testing.assert_allclose(gradient, wanted[name], rtol=1e-4, atol=1e-6)


def test_a_loaded_model_trains(load: Callable) -> None:
    layer = load(MODELS.read("training.code.pt2"))
    layer.train()
    inputs = [*map(paddle.to_tensor, inputs_of("training.code.pt2"))]
    adam = paddle.optimizer.Adam(0.05, parameters=layer.parameters())
    losses = []
    for _ in range(30):
        loss = layer(*inputs)[0]
        loss.backward()
        adam.step()
        adam.clear_grad()
        losses.append(float(loss))
    assert losses[-1] < 0.5 * losses[0]


def test_buffers_remember(load: Callable) -> None:
    layer = load(MODELS.read("in_place.code.pt2"))
    inputs = inputs_of("in_place.code.pt2")
    counts = [called(layer, inputs)[-1].tolist() for _ in range(3)]
    assert counts == [[1, 1], [2, 2], [3, 3]]


def test_tied_weights_stay_one(load: Callable) -> None:
    layer = load(MODELS.read("gpt.code.pt2"))
    names = [name for name, _ in layer.named_parameters()]
    assert ("words.weight" in names) != ("head.weight" in names)


def test_the_command_writes_a_program_and_python(tmp_path: Path) -> None:
    (tmp_path / "gpt.pt2").write_bytes(MODELS.read("gpt.code.pt2"))
    prefix = tmp_path / "out" / "gpt"
    assert main(["import", str(tmp_path / "gpt.pt2"), "-o", str(prefix)]) == 0
    inputs, results = inputs_of("gpt.code.pt2"), results_of("gpt.code.pt2")
    check_same(called(paddle.jit.load(str(prefix)), inputs), results)
    assert "def " in prefix.with_suffix(".py").read_text()


# Files that are not as they should be.


def changed(archive: str, edit: Callable, where: str = "models/model.json") -> bytes:
    """The archive with one of its JSON files edited."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(MODELS.read(archive))) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith(where):
                told = json.loads(data)
                edit(told)
                data = json.dumps(told).encode()
            new.writestr(name, data)
    return out.getvalue()


def test_an_unknown_operator_is_named_with_its_line(load: Callable) -> None:
    def edit(model: dict) -> None:
        node = model["graph_module"]["graph"]["nodes"][0]
        node["target"] = "torch.ops.aten.of_the_moon.default"

    with pytest.raises(UnsupportedError, match=r"aten\.of_the_moon.*models\.py:\d+"):
        load(changed("unary.code.pt2", edit))


def test_a_newer_schema_is_refused(load: Callable) -> None:
    with pytest.raises(UnsupportedError, match="schema 9"):
        load(changed("unary.code.pt2", lambda model: model["schema_version"].update(major=9)))


def test_a_pickled_weight_is_refused(load: Callable) -> None:
    def edit(weights: dict) -> None:
        next(iter(weights["config"].values()))["use_pickle"] = True

    with pytest.raises(UnsupportedError, match="pickled"):
        load(changed("encoder.code.pt2", edit, "model_weights_config.json"))


def test_a_weight_that_is_too_short_is_refused(load: Callable) -> None:
    def edit(weights: dict) -> None:
        meta = next(iter(weights["config"].values()))["tensor_meta"]
        meta["sizes"] = [{"as_int": 1 << 40}]
        meta["strides"] = [{"as_int": 1}]

    with pytest.raises(FileError, match=r"model\.pt2"):
        load(changed("encoder.code.pt2", edit, "model_weights_config.json"))


def test_a_result_of_another_size_than_it_says_is_refused(load: Callable) -> None:
    def edit(model: dict) -> None:
        graph = model["graph_module"]["graph"]
        name = graph["nodes"][0]["outputs"][0]["as_tensor"]["name"]
        graph["tensor_values"][name]["sizes"] = [{"as_int": 7}]

    with pytest.raises(FileError, match="the archive says"):
        load(changed("unary.code.pt2", edit))


def test_archives_of_weights_are_told_from_models(load: Callable) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("net/data.pkl", b"\x80\x02N.")
    with pytest.raises(FileError, match=r"archive of torch\.export") as raised:
        load(out.getvalue())
    assert "load" in raised.value.cure


def test_damaged_archives_end_in_errors_of_ours() -> None:
    chance = random.Random(0)
    for archive in ("branches.code.pt2", "in_place.code.pt2"):
        data = MODELS.read(archive)
        for _ in range(150):
            damaged = bytearray(data)
            for _ in range(chance.randint(1, 4)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            try:
                read_exported(bytes(damaged), "x.pt2")
            except TwinoarError:
                continue


def test_graphs_that_were_tampered_with_end_in_errors_of_ours() -> None:
    chance = random.Random(1)
    values = (None, -1, 0, 1 << 62, "", "x", [], {}, [{}], {"as_int": -5}, 1.5, True)

    def tamper(model: dict) -> None:
        for _ in range(chance.randint(1, 3)):
            place, last = model["graph_module"], None
            while isinstance(place, (dict, list)) and place and chance.random() < 0.93:
                key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
                last, place = (place, key), place[key]
            if last is not None:
                last[0][last[1]] = chance.choice(values)

    for archive in ("in_place.core.pt2", "branches.code.pt2", "gpt.code.pt2"):
        for _ in range(60):
            try:
                read_exported(changed(archive, tamper), "x.pt2")
            except TwinoarError:
                continue
