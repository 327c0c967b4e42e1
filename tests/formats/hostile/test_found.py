"""What mutants found, each as a test that failed before it was mended."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from twinoar import inference, nn, static
from twinoar.errors import FileError
from twinoar.formats import safetensors
from twinoar.formats.paddle import tensors
from twinoar.pretrained import keras


@pytest.fixture
def net(tmp_path: Path) -> str:
    """A saved layer, with an array whose elements are of a type that its Program does not name."""
    layer, prefix = nn.Linear(2, 3), str(tmp_path / "net")
    paddle.jit.save(layer, prefix, input_spec=[static.InputSpec([None, 2], "float32", "x")])
    program = paddle.jit.load(prefix).program()
    arrays = {name: np.ones(state.spec.shape, "uint32") for name, state in program.states.items()}
    Path(f"{prefix}.pdiparams").write_bytes(tensors.dump(arrays))
    return prefix


def test_parameters_of_another_type_are_an_error_of_jit_load(net: str) -> None:
    with pytest.raises(FileError, match="elements of type uint32, the model says f32"):
        paddle.jit.load(net)


def test_parameters_of_another_type_are_an_error_of_a_predictor(net: str) -> None:
    config = inference.Config(f"{net}.pdmodel", f"{net}.pdiparams")
    with pytest.raises(FileError, match="elements of type uint32, the model says f32"):
        inference.create_predictor(config)


def test_a_keras_file_whose_pressed_bytes_are_damaged(tmp_path: Path) -> None:
    path = tmp_path / "net.keras"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("config.json", b"{}" * 100)
    data = bytearray(path.read_bytes())
    start = data.index(b"config.json") + len(b"config.json")
    data[start] = 0xFF  # a block of a kind that there is not
    path.write_bytes(data)
    with pytest.raises(FileError, match="damaged archive"):
        keras.load(str(path))


def test_a_zero_byte_in_the_name_of_a_file() -> None:
    with pytest.raises(FileError, match="cannot read"):
        safetensors.opened("a\0b")
