"""Files that are missing, cut off, hostile or damaged; objects and places that cannot be saved."""

from __future__ import annotations

import io
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.errors.wrong import Wrong, assert_helpful, ones, raised
from twinoar import jit, nn, static
from twinoar.errors import (
    ArgumentError,
    DTypeError,
    FileError,
    ProgramError,
    ShapeError,
    TwinoarError,
    TypeMismatchError,
    UnknownNameError,
    UnsafeFileError,
)
from twinoar.static import InputSpec

FLIPS = 100
SPEC = [InputSpec([None, 3], "float32", "x")]
READERS: dict[str, Callable[[str], object]] = {
    "load": lambda path: paddle.load(path),
    "jit.load": lambda path: jit.load(path),
    "load_inference_model": lambda path: static.load_inference_model(path),
    "load_program_state": lambda path: static.load_program_state(path),
}


class Hostile:
    """Pickled, it asks for a command to be run when it is loaded."""

    def __init__(self, mark: Path):
        self.mark = mark

    def __reduce__(self) -> tuple:
        return os.system, (f"touch {self.mark}",)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The bytes of a saved model and of its state dict, by the ending of the file."""
    folder = tmp_path_factory.mktemp("model")
    paddle.seed(1)
    layer = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    jit.save(layer, str(folder / "net"), input_spec=SPEC)
    paddle.save(layer.state_dict(), str(folder / "net.pdparams"))
    return {path.name.removeprefix("net"): path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program() -> static.Program:
    made = static.Program()
    with static.program_guard(made, static.Program()):
        static.data("x", [None, 3]) * 2
    return made


def save_inference_without_startup() -> None:
    made = static.Program()
    with static.program_guard(made, static.Program()):
        x = static.data("x", [None, 3])
        static.save_inference_model("net", [x], [static.nn.fc(x, 2)], program=made)


def save_inference_without_a_feed() -> None:
    made = static.Program()
    with static.program_guard(made, static.Program()):
        x, y = static.data("x", [None, 3]), static.data("y", [None, 3])
        static.save_inference_model("net", [x], [x + y], program=made)


def save_inference_of_arrays() -> None:
    static.save_inference_model("net", [np.ones(3)], [np.ones(3)], program=program())


def save_under_a_file() -> None:
    Path("file").write_bytes(b"")
    paddle.save({"a": ones(1)}, "file/x.pdparams")


def save_into_a_directory() -> None:
    Path("folder").mkdir()
    paddle.save({"a": ones(1)}, "folder")


def save_what_contains_itself() -> None:
    loop: list = []
    loop.append(loop)
    paddle.save(loop, "x.pdparams")


def load_a_model_of_paddle_3() -> None:
    Path("net.json").write_text("{}")
    jit.load("net")


def load_an_inference_model_of_paddle_3() -> None:
    Path("net.json").write_text("{}")
    static.load_inference_model("net")


def load_text() -> None:
    Path("x.pdparams").write_text("these are no parameters")
    paddle.load("x.pdparams")


def load_nothing() -> None:
    Path("x.pdparams").write_bytes(b"")
    paddle.load("x.pdparams")


def call_a_loaded_model(*inputs: object) -> object:
    jit.save(nn.Linear(3, 2), "net", input_spec=SPEC)
    return jit.load("net")(*inputs)


def name_an_input_of_a_loaded_model() -> None:
    jit.save(nn.Linear(3, 2), "net", input_spec=SPEC)
    jit.load("net")(y=ones(1, 3))


SAVING = {
    "a layer": Wrong(
        lambda: paddle.save(nn.Linear(2, 2), "x"), TypeMismatchError, "state_dict()", "Linear"
    ),
    "a function": Wrong(
        lambda: paddle.save({"f": print}, "x"), TypeMismatchError, "cannot", "builtin_function"
    ),
    "an array of objects": Wrong(
        lambda: paddle.save({"a": np.array([None])}, "x"), DTypeError, "cannot", "object"
    ),
    "what contains itself": Wrong(
        save_what_contains_itself, ArgumentError, "levels", "contains itself"
    ),
    "a protocol": Wrong(
        lambda: paddle.save({}, "x", protocol=1), ArgumentError, "2, 3 or 4", "received 1"
    ),
    "an option": Wrong(
        lambda: paddle.save({}, "x", compress=True), ArgumentError, "pickle_protocol", "'compress'"
    ),
    "a list in binary": Wrong(
        lambda: paddle.save([1], "x", use_binary_format=True), TypeMismatchError, "Tensor", "list"
    ),
    "safetensors": Wrong(
        lambda: paddle.save([], "x", safetensors=True), TypeMismatchError, "pdparams", "dict"
    ),
    "no path": Wrong(lambda: paddle.save({}, ""), FileError, "path of a file", "''"),
    "a path of a number": Wrong(lambda: paddle.save({}, 3), TypeMismatchError, "path", "int"),
    "a directory": Wrong(save_into_a_directory, FileError, "path of a file", "is a directory"),
    "under a file": Wrong(save_under_a_file, FileError, "folder", "file/x.pdparams"),
    "jit: no input_spec": Wrong(
        lambda: jit.save(nn.Linear(3, 2), "net"), ArgumentError, "input_spec=", "not known"
    ),
    "jit: a number": Wrong(
        lambda: jit.save(3, "net", input_spec=SPEC), TypeMismatchError, "Layer", "int"
    ),
    "jit: an option": Wrong(
        lambda: jit.save(nn.ReLU(), "net", input_spec=SPEC, format="onnx"),
        ArgumentError,
        "it knows",
        "format",
    ),
    "jit: a spec that does not fit": Wrong(
        lambda: jit.save(nn.Linear(4, 2), "net", input_spec=SPEC),
        ShapeError,
        "4 rows",
        "3 columns",
    ),
    "static: no startup": Wrong(
        save_inference_without_startup, ProgramError, "startup", "not initialized"
    ),
    "static: a feed too few": Wrong(
        save_inference_without_a_feed, ProgramError, "feed_vars", "need y"
    ),
    "static: arrays": Wrong(save_inference_of_arrays, TypeMismatchError, "Variables", "ndarray"),
    "static: no Program": Wrong(
        lambda: static.save("main", "net"), TypeMismatchError, "Program", "str"
    ),
    "static: bytes of text": Wrong(
        lambda: static.save_to_file("x", "text"), TypeMismatchError, "bytes", "str"
    ),
}

LOADING = {
    "load": Wrong(lambda: paddle.load("x.pdparams"), FileError, "path", "x.pdparams"),
    "a path of a number": Wrong(lambda: paddle.load(3), TypeMismatchError, "path", "int"),
    "an option": Wrong(
        lambda: paddle.load("x", numpy=True), ArgumentError, "return_numpy", "numpy"
    ),
    "an option of text": Wrong(
        lambda: paddle.load("x", return_numpy="yes"), TypeMismatchError, "bool", "'yes'"
    ),
    "text": Wrong(load_text, FileError, "parameters", "74686573"),
    "an empty file": Wrong(load_nothing, FileError, "parameters", "none"),
    "jit": Wrong(lambda: jit.load("net"), FileError, "jit.save", "net.pdmodel"),
    "jit: Paddle 3": Wrong(load_a_model_of_paddle_3, FileError, "right file", "net.json"),
    "static: Paddle 3": Wrong(
        load_an_inference_model_of_paddle_3, FileError, "right file", "net.json"
    ),
    "static": Wrong(
        lambda: static.load_inference_model("net"), FileError, "check the path", "net.pdmodel"
    ),
    "static: a state": Wrong(
        lambda: static.load(program(), "net"), FileError, "working directory", "net.pdparams"
    ),
    "static: bytes": Wrong(
        lambda: static.deserialize_program("text"), TypeMismatchError, "bytes", "str"
    ),
    "static: an option": Wrong(
        lambda: static.load_inference_model("net", file="x"),
        ArgumentError,
        "model_filename",
        "file",
    ),
    "a loaded model: too many inputs": Wrong(
        lambda: call_a_loaded_model(ones(1, 3), ones(1, 3)), ArgumentError, "1 inputs", "received 2"
    ),
    "a loaded model: a shape": Wrong(
        lambda: call_a_loaded_model(ones(1, 4)), ShapeError, "f32[N,3]", "[1, 4]"
    ),
    "a loaded model: a list": Wrong(
        lambda: call_a_loaded_model([[1.0]]), TypeMismatchError, "Tensor", "list"
    ),
    "a loaded model: a name": Wrong(
        name_an_input_of_a_loaded_model, UnknownNameError, "['x']", "['y']"
    ),
}

CASES = {
    **{f"saving-{name}": wrong for name, wrong in SAVING.items()},
    **{f"loading-{name}": wrong for name, wrong in LOADING.items()},
}


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("name", CASES)
def test_the_error_is_helpful(name: str) -> None:
    assert_helpful(CASES[name])


@pytest.mark.parametrize("reader", READERS)
def test_a_missing_file_is_a_file_error_that_names_it(reader: str, place: Path) -> None:
    error = raised(lambda: READERS[reader]("nowhere/net"))
    assert isinstance(error, FileError)
    assert isinstance(error, OSError)
    assert "nowhere/net" in str(error)
    assert "\n  cure: " in str(error)


CUT = {
    ".pdparams": "load",
    ".pdmodel": "jit.load",
    ".pdiparams": "jit.load",
    ".pdiparams.info": "jit.load",
}


def write(model: dict[str, bytes], folder: Path, ending: str, data: bytes) -> str:
    """The model in `folder`, with other bytes in one of its files; its prefix."""
    for name, own in model.items():
        (folder / f"net{name}").write_bytes(data if name == ending else own)
    return str(folder / "net")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("ending", CUT)
def test_a_file_that_is_cut_off_is_a_file_error_that_names_it(
    ending: str, part: float, model: dict[str, bytes], place: Path
) -> None:
    whole = model[ending]
    prefix = write(model, place, ending, whole[: int(part * len(whole))])
    path = f"{prefix}.pdparams" if ending == ".pdparams" else prefix
    error = raised(lambda: READERS[CUT[ending]](path))
    assert isinstance(error, FileError)
    assert f"net{ending}" in str(error)
    assert "\n  cure: " in str(error)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_that_would_run_code_is_refused_and_nothing_is_run(
    protocol: int, place: Path
) -> None:
    mark = place / "mark"
    (place / "x.pdparams").write_bytes(pickle.dumps({"w": Hostile(mark)}, protocol))
    error = raised(lambda: paddle.load("x.pdparams"))
    assert isinstance(error, FileError)
    assert protocol not in (2, 3, 4) or type(error) is UnsafeFileError
    assert protocol not in (2, 3, 4) or "system" in str(error)
    assert not mark.exists()


@pytest.mark.parametrize("ending", [".pdiparams.info", ".pdparams"])
def test_a_hostile_pickle_beside_a_model_is_refused(
    ending: str, model: dict[str, bytes], place: Path
) -> None:
    mark = place / "mark"
    prefix = write(model, place, ending, pickle.dumps(Hostile(mark), 4))
    reader = "jit.load" if ending == ".pdiparams.info" else "load_program_state"
    assert type(raised(lambda: READERS[reader](prefix))) is UnsafeFileError
    assert not mark.exists()


def test_a_hostile_pickle_in_memory_is_refused(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    error = raised(lambda: paddle.load(io.BytesIO(pickle.dumps(Hostile(mark), 4))))
    assert type(error) is UnsafeFileError
    assert not mark.exists()


@pytest.mark.parametrize("ending", [".pdmodel", ".pdiparams", ".pdiparams.info"])
def test_flipped_bits_of_a_model_give_an_error_of_ours_or_a_model_that_runs(
    ending: str, model: dict[str, bytes], place: Path
) -> None:
    source, refused = random.Random(7), 0
    x = ones(2, 3)
    for _ in range(FLIPS):
        data = bytearray(model[ending])
        data[source.randrange(len(data))] ^= 1 << source.randrange(8)
        prefix = write(model, place, ending, bytes(data))
        try:
            assert jit.load(prefix)(x).shape
        except TwinoarError as error:
            assert str(error)
            refused += 1
    assert refused > 0 or ending == ".pdiparams"


@pytest.mark.parametrize("ending", [".pdmodel", ".pdparams"])
def test_random_bytes_are_refused(ending: str, model: dict[str, bytes], place: Path) -> None:
    source = random.Random(3)
    for _ in range(FLIPS):
        prefix = write(model, place, ending, source.randbytes(200))
        path = prefix if ending == ".pdmodel" else f"{prefix}.pdparams"
        assert isinstance(raised(lambda p=path: READERS[CUT[ending]](p)), FileError)


SETTINGS = {
    "TWINOAR_DEBGU": ("1", "UnknownNameError", "the nearest is TWINOAR_DEBUG"),
    "TWINOAR_DEBUG": ("9", "ArgumentError", "a level from 0 to 6"),
    "TWINOAR_CHECK": ("maybe", "ArgumentError", "one of 0, 1, false, true, off, on"),
    "TWINOAR_PASSES": ("fold", "ArgumentError", "each with a leading '-'"),
}


@pytest.mark.parametrize("variable", SETTINGS)
def test_a_wrong_setting_stops_the_import_and_names_the_cure(variable: str) -> None:
    value, kind, expected = SETTINGS[variable]
    ended = subprocess.run(
        [sys.executable, "-c", "import twinoar"],
        env={**os.environ, variable: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert kind in ended.stderr
    assert variable in ended.stderr
    assert expected in ended.stderr
    assert "\n  cure: " in ended.stderr
