"""The parameters of a saved model come without its program being run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from twinoar.errors import FileError
from twinoar.formats.paddle import info, pdparams, schema, tensors
from twinoar.formats.paddle.info import VariableInfo
from twinoar.formats.paddle.saved_state import state_of_folder, state_of_prefix

ARRAYS = {"fc_0.w_0": np.ones([2, 3], "f4"), "fc_0.b_0": np.zeros(3, "f4")}
DETAILS = {
    "fc_0.w_0": VariableInfo("fc.weight", False, True),
    "fc_0.b_0": VariableInfo("fc.bias", False, True),
}


def program() -> bytes:
    """A program with the parameters, a feed and a value that is not persistable."""
    desc = schema.ProgramDesc()
    block = desc.blocks.add(idx=0, parent_idx=-1)
    for name in ARRAYS:
        block.vars.add(name=name, persistable=True).type.type = schema.CODE_OF_KIND["DENSE_TENSOR"]
    block.vars.add(name="x").type.type = schema.CODE_OF_KIND["DENSE_TENSOR"]
    feed = block.vars.add(name="feed", persistable=True)
    feed.type.type = schema.CODE_OF_KIND["FEED_MINIBATCH"]
    return schema.serialize(desc)


def json_program() -> bytes:
    """The same, with a parameter that is not persistable."""
    operators = [{"#": "p", "A": [0, 1, 1, name], "OA": [1, 0, 1]} for name in ARRAYS]
    operators += [{"#": "p", "A": [0, 1, 1, "state"], "OA": []}, {"#": "1.data"}]
    return json.dumps({"program": {"regions": [{"blocks": [{"ops": operators}]}]}}).encode()


@pytest.mark.parametrize(("ending", "data"), [(".pdmodel", program()), (".json", json_program())])
def test_a_prefix_gives_arrays_by_variable_name(tmp_path: Path, ending: str, data: bytes) -> None:
    (tmp_path / f"net{ending}").write_bytes(data)
    (tmp_path / "net.pdiparams").write_bytes(tensors.dump(ARRAYS))
    state = state_of_prefix(str(tmp_path / "net"))
    assert sorted(state) == ["fc_0.b_0", "fc_0.w_0"]
    np.testing.assert_array_equal(state["fc_0.w_0"], ARRAYS["fc_0.w_0"])


def test_a_prefix_with_details_gives_structured_names(tmp_path: Path) -> None:
    (tmp_path / "net.pdmodel").write_bytes(program())
    (tmp_path / "net.pdiparams").write_bytes(tensors.dump(ARRAYS))
    (tmp_path / "net.pdiparams.info").write_bytes(info.dump(DETAILS))
    assert sorted(state_of_prefix(str(tmp_path / "net"))) == ["fc.bias", "fc.weight"]


def test_details_that_miss_a_variable_are_a_file_error(tmp_path: Path) -> None:
    (tmp_path / "net.pdmodel").write_bytes(program())
    (tmp_path / "net.pdiparams").write_bytes(tensors.dump(ARRAYS))
    (tmp_path / "net.pdiparams.info").write_bytes(info.dump({}))
    with pytest.raises(FileError, match="does not know the variable"):
        state_of_prefix(str(tmp_path / "net"))


def test_no_model_of_the_prefix_gives_none(tmp_path: Path) -> None:
    assert state_of_prefix(str(tmp_path / "net")) is None


def test_a_program_without_parameters_is_a_file_error(tmp_path: Path) -> None:
    (tmp_path / "net.pdmodel").write_bytes(program())
    with pytest.raises(FileError, match="has no parameters beside it"):
        state_of_prefix(str(tmp_path / "net"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"[" * 10000,
        b'{"program": 3}',
        json_program().replace(b'"fc_0.w_0"', b"3"),
    ],
)
def test_other_json_is_a_file_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "net.json").write_bytes(data)
    (tmp_path / "net.pdiparams").write_bytes(tensors.dump(ARRAYS))
    with pytest.raises(FileError, match=r"net\.json: expected"):
        state_of_prefix(str(tmp_path / "net"))


@pytest.mark.parametrize("with_program", [True, False])
def test_a_folder_has_a_file_for_each_parameter(tmp_path: Path, with_program: bool) -> None:
    for name, array in ARRAYS.items():
        (tmp_path / name).write_bytes(tensors.dump_tensor(array))
    if with_program:
        (tmp_path / "__model__").write_bytes(program())
    state = state_of_folder(str(tmp_path))
    assert sorted(state) == ["fc_0.b_0", "fc_0.w_0"]
    np.testing.assert_array_equal(state["fc_0.w_0"], ARRAYS["fc_0.w_0"])


def test_a_folder_may_have_one_file_for_all_parameters(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(program())
    (tmp_path / "params").write_bytes(tensors.dump(ARRAYS))
    assert sorted(state_of_folder(str(tmp_path), "model", "params")) == ["fc_0.b_0", "fc_0.w_0"]


def test_a_parameter_that_is_missing_in_a_folder_is_a_file_error(tmp_path: Path) -> None:
    (tmp_path / "__model__").write_bytes(program())
    with pytest.raises(FileError, match=r"fc_0\.w_0 does not exist"):
        state_of_folder(str(tmp_path))


@pytest.mark.parametrize("name", ["../secret", "a/../../secret", "{folder}/secret"])
def test_a_parameter_outside_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    desc = schema.ProgramDesc()
    desc.blocks.add(idx=0, parent_idx=-1).vars.add(
        name=name.format(folder=tmp_path), persistable=True
    ).type.type = schema.CODE_OF_KIND["DENSE_TENSOR"]
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "__model__").write_bytes(schema.serialize(desc))
    (tmp_path / "secret").write_bytes(tensors.dump_tensor(ARRAYS["fc_0.b_0"]))
    with pytest.raises(FileError, match="is outside the folder"):
        state_of_folder(str(tmp_path / "net"))


def test_a_program_that_is_named_and_missing_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="give model_filename the name"):
        state_of_folder(str(tmp_path), "model")


def test_an_empty_folder_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a directory without parameters"):
        state_of_folder(str(tmp_path))


def test_a_model_of_paddle_has_the_parameters_that_were_trained(paddle_fixtures: Path) -> None:
    folder = paddle_fixtures / "paddle-2.6.2" / "lenet"
    trained = pdparams.load((folder / "model.pdparams").read_bytes(), "x")
    saved = state_of_prefix(str(folder / "inference"))
    assert set(saved) == set(trained) - {pdparams.NAME_TABLE}
    for name, array in saved.items():
        np.testing.assert_array_equal(array, trained[name])
