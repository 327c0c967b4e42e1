"""The file of names and roles beside the parameters."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from twinoar.errors import FileError, UnsafeFileError
from twinoar.formats.paddle import info
from twinoar.formats.paddle.info import VariableInfo

VARIABLES = {
    "linear_0.w_0": VariableInfo("fc.weight", stop_gradient=False, trainable=True),
    "batch_norm_0.w_1": VariableInfo("bn._mean", stop_gradient=True),
}


def test_variables_are_stored_as_paddle_stores_them() -> None:
    assert pickle.loads(info.dump(VARIABLES)) == {
        "linear_0.w_0": {
            "structured_name": "fc.weight",
            "stop_gradient": False,
            "trainable": True,
        },
        "batch_norm_0.w_1": {"structured_name": "bn._mean", "stop_gradient": True},
    }


def test_the_pickle_has_protocol_2() -> None:
    assert info.dump(VARIABLES)[:2] == b"\x80\x02"


def test_variables_are_read_back() -> None:
    assert info.load(info.dump(VARIABLES), "x") == VARIABLES


@pytest.mark.parametrize(
    "table",
    [[], {1: {}}, {"w": 1}, {"w": {"structured_name": 1, "stop_gradient": True}}, {"w": {}}],
)
def test_other_objects_are_file_errors(table: object) -> None:
    with pytest.raises(FileError, match=r"x\.info: expected"):
        info.load(pickle.dumps(table, 2), "x.info")


def test_code_is_refused() -> None:
    with pytest.raises(UnsafeFileError, match="system"):
        info.load(pickle.dumps({"w": os.system}, 2), "x.info")


def test_files_of_paddle_are_read_and_written_with_equal_values(paddle_fixtures: Path) -> None:
    paths = list(paddle_fixtures.rglob("*.info"))
    assert paths
    for path in paths:
        variables = info.load(path.read_bytes(), str(path))
        assert pickle.loads(info.dump(variables)) == pickle.loads(path.read_bytes())
