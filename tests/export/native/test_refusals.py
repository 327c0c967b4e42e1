"""What cannot be exported is refused by name with the user's line, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import twinoar as paddle
from tests.export.native.exported import Network, lenet, of_function
from twinoar.errors import (
    ArgumentError,
    FileError,
    TwinoarError,
    UnknownNameError,
    UnsupportedError,
)
from twinoar.export.native import export

SQUARE = np.eye(3, dtype=np.float32)


def eigenvalues(x):
    return paddle.linalg.eig(x)[0]


def places(x):
    return paddle.nonzero(x)


@pytest.mark.parametrize(
    ("function", "name", "line"),
    [(eigenvalues, "eig", "paddle.linalg.eig(x)"), (places, "nonzero", "paddle.nonzero(x)")],
)
def test_an_operator_without_a_native_form_is_named_with_its_line(function, name, line, tmp_path):
    with pytest.raises(UnsupportedError, match=f"{name} cannot be exported") as refusal:
        of_function(function, SQUARE).exported(tmp_path / "new", "aarch64")
    assert line in str(refusal.value)
    assert refusal.value.operator == name
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("target", "kind"), [("x86-64-v2", "shared"), ("wasm32", "wasm")])
def test_a_processor_that_lacks_instructions_is_named(target, kind, tmp_path):
    net = of_function(lambda x: paddle.exp(x), np.ones(4, np.float16))
    with pytest.raises(UnsupportedError, match=f"{target} has no instructions .* __extendhfsf2"):
        net.exported(tmp_path / "new", target, kind=kind)
    assert not (tmp_path / "new").exists()


def test_a_program_without_outputs_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="the Program returns nothing"):
        export(paddle.static.Program(), str(tmp_path / "new"), target="aarch64")


def test_a_dtype_that_c_has_not_is_refused(tmp_path):
    spec = [paddle.static.InputSpec([2], "float32", "x")]
    net = of_function(lambda x: x.astype("float8_e4m3fn"), np.ones(2, np.float32))
    with pytest.raises(UnsupportedError, match="C has no type"):
        export(net.layer, str(tmp_path / "new"), target="aarch64", input_spec=spec)


def test_a_state_that_runs_change_is_refused(tmp_path):
    class Counting(paddle.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", paddle.zeros([1]))

        def forward(self, x):
            self.count.set_value(self.count + 1)
            return x + self.count

    with pytest.raises(UnsupportedError, match="a run changes the state"):
        Network(Counting(), (SQUARE,)).exported(tmp_path, "aarch64")


def test_sizes_that_are_not_known_are_asked_for(tmp_path):
    spec = [paddle.static.InputSpec([None, 4], "float32", "x")]
    net = paddle.nn.Linear(4, 2)
    with pytest.raises(ArgumentError, match=r"the input x is f32\[N,4\]") as refusal:
        export(net, str(tmp_path / "new"), target="aarch64", input_spec=spec)
    assert "--shape x=" in str(refusal.value)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"y": [1, 4]}, "no input 'y'"),
        ({"x": [1, 5]}, r"received the shape \[1, 5\]"),
        ({"x": [4]}, r"received the shape \[4\]"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(shapes, message, tmp_path):
    spec = [paddle.static.InputSpec([None, 4], "float32", "x")]
    with pytest.raises(ArgumentError, match=message):
        export(
            paddle.nn.Linear(4, 2), str(tmp_path), target="aarch64", input_spec=spec, shapes=shapes
        )


def test_shapes_serve_what_the_model_leaves_open(tmp_path):
    spec = [paddle.static.InputSpec([None, 4], "float32", "x")]
    net = paddle.nn.Linear(4, 2)
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, input_spec=spec)
    export(prefix, str(tmp_path), target="aarch64", shapes={"x": [3, 4]}, kind="object")
    assert "inputs[0]: x, float [3,4]" in (tmp_path / "net.h").read_text()


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"target": "x86-64-v9"}, UnknownNameError, "no target 'x86-64-v9'"),
        ({"target": "wasm32"}, ArgumentError, "written as wasm, not as 'shared'"),
        ({"target": "aarch64", "kind": "wasm"}, ArgumentError, "not as 'wasm'"),
        ({"target": "aarch64", "name": "a b"}, ArgumentError, "cannot be called"),
        ({"target": "aarch64", "name": "été"}, ArgumentError, "cannot be called"),
        ({"target": "aarch64", "weights": "none"}, ArgumentError, "'inside' or 'beside'"),
    ],
)
def test_other_arguments_are_refused(options, kind, message, tmp_path):
    given = {"input_spec": lenet().spec, "name": "net", **options}
    with pytest.raises(kind, match=message) as refusal:
        export(lenet().layer, str(tmp_path / "new"), **given)
    assert isinstance(refusal.value, TwinoarError)
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_written_leaves_nothing(tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(FileError):
        lenet().exported(tmp_path / "taken", "aarch64")
    assert [p.name for p in tmp_path.iterdir()] == ["taken"]


def test_files_of_before_stay_where_a_model_is_refused(tmp_path):
    before = [Path(f).read_bytes() for f in lenet().exported(tmp_path, "aarch64")]
    with pytest.raises(UnsupportedError):
        of_function(eigenvalues, SQUARE).exported(tmp_path, "aarch64")
    assert [p.read_bytes() for p in (tmp_path / "libnet.so", tmp_path / "net.h")] == before
