"""Models of Keras compute and learn here what they do there, as recorded by it."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn, static
from twinoar.errors import ArgumentError, FileError, UnsupportedError
from twinoar.pretrained import keras

ARCHIVE = Path(__file__).parent / "written" / "keras.zip"
NAMES = ("attending", "images", "signals", "texts", "upwards", "volumes")
CLOSE = {"rtol": 1e-4, "atol": 1e-5}  # float32 in another order, after a few layers


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("keras")
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(place)
    return place


def recorded(folder: Path, prefix: str) -> list[np.ndarray]:
    with np.load(folder / "io.npz") as kept:
        return [kept[name] for name in sorted(kept) if name.startswith(prefix)]


def answers(model: Any, folder: Path) -> list[np.ndarray]:
    found = model(*map(paddle.to_tensor, recorded(folder, "in")))
    return [x.numpy() for x in (found if isinstance(found, list) else [found])]


def agree(found: list[np.ndarray], expected: list[np.ndarray]) -> None:
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, **CLOSE)


@pytest.mark.parametrize("file", ["net.keras", "net.h5"])
@pytest.mark.parametrize("name", NAMES)
def test_a_model_computes_what_keras_does(models: Path, name: str, file: str) -> None:
    if not (models / name / file).exists():
        pytest.skip("a model in a model is recorded as .keras alone")
    model = keras.load(str(models / name / file))
    agree(answers(model, models / name), recorded(models / name, "out"))


@pytest.mark.parametrize("name", NAMES)
def test_other_weights_are_loaded_into_a_model(models: Path, name: str) -> None:
    model = keras.load(str(models / name / "net.keras"))
    keras.load_weights(model, str(models / name / "other.weights.h5"))
    agree(answers(model, models / name), recorded(models / name, "other"))
    keras.load_weights(model, str(models / name / "net.keras"))
    agree(answers(model, models / name), recorded(models / name, "out"))


@pytest.mark.parametrize("name", ["images", "texts", "attending"])
def test_a_model_learns(models: Path, name: str) -> None:
    paddle.seed(0)
    model = keras.load(str(models / name / "net.keras"))
    model.train()
    given = list(map(paddle.to_tensor, recorded(models / name, "in")))
    optimizer = paddle.optimizer.Adam(0.01, parameters=model.parameters())
    losses = []
    for _ in range(8):
        loss = ((model(*given) - 0.3) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    assert min(losses[4:]) < losses[0]


def test_statistics_are_no_parameters_and_move_in_training(models: Path) -> None:
    model = keras.load(str(models / "images" / "net.keras"))
    norm = model.layers["batch_normalization"]
    names = {name for name, _ in norm.named_parameters()}
    assert names == {"gamma", "beta"}
    before = norm.moving_mean.numpy().copy()
    model.train()
    answers(model, models / "images")
    assert (norm.moving_mean.numpy() != before).any()


@pytest.mark.parametrize("name", ["images", "texts"])
def test_a_model_is_saved_as_a_program(models: Path, tmp_path: Path, name: str) -> None:
    model = keras.load(str(models / name / "net.keras"))
    given = recorded(models / name, "in")
    spec = [
        static.InputSpec([None, *x.shape[1:]], x.dtype.name, f"x{n}") for n, x in enumerate(given)
    ]
    paddle.jit.save(model, str(tmp_path / "net"), input_spec=spec)
    found = paddle.jit.load(str(tmp_path / "net"))(*map(paddle.to_tensor, given))
    np.testing.assert_allclose(found.numpy(), recorded(models / name, "out")[0], **CLOSE)


def rewritten(models: Path, name: str, change: Callable[[dict], Any], tmp_path: Path) -> str:
    """The path of a model whose JSON was changed."""
    path = tmp_path / "changed.keras"
    with zipfile.ZipFile(models / name / "net.keras") as old, zipfile.ZipFile(path, "w") as new:
        for file in old.namelist():
            data = old.read(file)
            if file == "config.json":
                told = json.loads(data)
                change(told)
                data = json.dumps(told).encode()
            new.writestr(file, data)
    return str(path)


def layer_of(told: dict, kind: str) -> dict:
    return next(x for x in told["config"]["layers"] if x["class_name"] == kind)


REFUSED: list[tuple[str, str, dict, str]] = [
    ("images", "Conv2D", {"odd": 1}, "Conv2D 'conv2d' has settings that are not known: odd=1"),
    ("images", "Conv2D", {"padding": "full"}, "padding=full is not read"),
    ("images", "Dense", {"activation": "own"}, "no activation own"),
    ("images", "Dense", {"dtype": "float16"}, "computes in float16"),
    ("images", "ReLU", {"threshold": 1.0}, "threshold=1.0"),
    ("texts", "Embedding", {"mask_zero": True}, "mask_zero=True"),
    ("texts", "GRU", {"reset_after": False}, "reset_after=False"),
    ("texts", "GRU", {"activation": "relu"}, "activation=relu"),
    ("texts", "SimpleRNN", {"stateful": True}, "stateful=True"),
    ("attending", "MultiHeadAttention", {"sliding_window": 3}, "sliding_window=3"),
]


@pytest.mark.parametrize(("name", "kind", "config", "said"), REFUSED)
def test_a_setting_that_is_not_served_is_named(
    models: Path, tmp_path: Path, name: str, kind: str, config: dict, said: str
) -> None:
    path = rewritten(models, name, lambda t: layer_of(t, kind)["config"].update(config), tmp_path)
    with pytest.raises(UnsupportedError, match=said):
        keras.load(path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"class_name": "Lambda"}, "a layer of the kind Lambda is not read"),
        ({"class_name": "Own", "module": "mine"}, "one's own is not read: Own of mine"),
    ],
)
def test_layers_that_are_code_are_refused_by_name(
    models: Path, tmp_path: Path, changes: dict, said: str
) -> None:
    path = rewritten(models, "images", lambda t: layer_of(t, "ReLU").update(changes), tmp_path)
    with pytest.raises(UnsupportedError, match=said):
        keras.load(path)


def test_a_model_in_code_is_refused(models: Path, tmp_path: Path) -> None:
    path = rewritten(models, "images", lambda t: t.update(class_name="MyModel"), tmp_path)
    with pytest.raises(UnsupportedError, match="MyModel is a model in code"):
        keras.load(path)


def test_a_call_with_a_mask_is_refused(models: Path, tmp_path: Path) -> None:
    def change(told: dict) -> None:
        layer_of(told, "MultiHeadAttention")["inbound_nodes"][0]["kwargs"]["attention_mask"] = 1

    with pytest.raises(UnsupportedError, match="is called with attention_mask=1"):
        keras.load(rewritten(models, "attending", change, tmp_path))


def test_arrays_of_other_sizes_are_an_error(models: Path, tmp_path: Path) -> None:
    def change(told: dict) -> None:
        layer_of(told, "Dense")["config"]["units"] = 4

    with pytest.raises(FileError, match=r"expects arrays of \[\(None, 4\), \(4,\)\]"):
        keras.load(rewritten(models, "images", change, tmp_path))


def test_weights_of_another_model_change_nothing(models: Path) -> None:
    model = keras.load(str(models / "images" / "net.keras"))
    with pytest.raises(FileError, match="arrays"):
        keras.load_weights(model, str(models / "texts" / "other.weights.h5"))
    agree(answers(model, models / "images"), recorded(models / "images", "out"))


def test_weights_alone_are_no_model(models: Path) -> None:
    with pytest.raises(FileError, match="has weights alone"):
        keras.load(str(models / "images" / "other.weights.h5"))


def test_weights_go_into_models_of_keras(models: Path) -> None:
    with pytest.raises(ArgumentError, match="received Linear"):
        keras.load_weights(nn.Linear(1, 1), str(models / "images" / "net.keras"))  # type: ignore[arg-type]


def test_as_many_inputs_as_the_model_has(models: Path) -> None:
    with pytest.raises(ArgumentError, match="the model has 2 inputs, received 1"):
        keras.load(str(models / "texts" / "net.keras"))(paddle.zeros([1, 7], "int32"))


def test_dropout_inside_of_steps_is_refused_in_training(models: Path, tmp_path: Path) -> None:
    def change(told: dict) -> None:
        layer_of(told, "GRU")["config"]["dropout"] = 0.5

    model = keras.load(rewritten(models, "texts", change, tmp_path))
    answers(model, models / "texts")
    model.train()
    with pytest.raises(UnsupportedError, match="drops out inside of its steps"):
        answers(model, models / "texts")


def test_a_frozen_layer_stays_frozen(models: Path, tmp_path: Path) -> None:
    def change(told: dict) -> None:
        layer_of(told, "Dense")["config"]["trainable"] = False

    model = keras.load(rewritten(models, "images", change, tmp_path))
    assert all(p.stop_gradient for p in model.layers["dense"].parameters())
    assert not model.layers["separable_conv2d"].kernel.stop_gradient


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x89HDF\r\n\x1a\n" + bytes(99), b"text"])
def test_what_is_no_file_of_keras(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "net.keras").write_bytes(content)
    with pytest.raises(FileError):
        keras.load(str(tmp_path / "net.keras"))


def linked(change: Callable[[Any], Any]) -> bytes:
    data = io.BytesIO()
    with h5py.File(data, "w") as file:
        change(file.create_group("layers/dense/vars"))
    return data.getvalue()


@pytest.mark.parametrize(
    "change",
    [
        lambda group: group.__setitem__("0", h5py.ExternalLink("/etc/passwd", "x")),
        lambda group: group.__setitem__("0", h5py.SoftLink("/layers")),
        lambda group: group.create_dataset("0", (1 << 12,), "f4"),  # of which nothing is there
        lambda group: group.create_dataset("0", data=np.zeros(9), compression="gzip"),
        lambda group: group.create_dataset("0", (4,), "f4", external=[("/etc/passwd", 0, 16)]),
        lambda group: group.create_dataset("0", data=["text"]),
    ],
    ids=["another file", "a soft link", "nothing", "pressed", "outside", "text"],
)
def test_arrays_lie_in_the_file_as_they_are(
    models: Path, tmp_path: Path, change: Callable[[Any], Any]
) -> None:
    (tmp_path / "x.weights.h5").write_bytes(linked(change))
    model = keras.load(str(models / "images" / "net.keras"))
    with pytest.raises(FileError):
        keras.load_weights(model, str(tmp_path / "x.weights.h5"))


def test_the_library_of_hdf5_is_not_needed(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    keras.load(str(models / "images" / "net.keras"))
