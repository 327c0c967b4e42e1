"""Parameter and optimizer files follow Paddle's conventions."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from twinoar.errors import FileError
from twinoar.formats.paddle import pdparams

STATE = {"fc.weight": np.arange(6, dtype="f4").reshape(2, 3), "fc.bias": np.zeros(3, "f4")}
NAMES = {"fc.weight": "linear_0.w_0", "fc.bias": "linear_0.b_0"}


def assert_equal(found: object, expected: object) -> None:
    """The same containers, keys in the same order, and arrays; uint16 of NumPy is our bfloat16."""
    assert type(found) is type(expected)
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        assert_equal(list(found.values()), list(expected.values()))
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_equal(one, other)
    elif isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(found, expected, strict=True)
    else:
        assert found == expected


def test_a_state_dict_ends_with_the_table_of_names() -> None:
    payload = pdparams.state_dict_payload(STATE, NAMES)
    assert list(payload) == ["fc.weight", "fc.bias", "StructuredToParameterName@@"]
    assert payload["StructuredToParameterName@@"] == NAMES


def test_the_table_of_names_is_found_again() -> None:
    payload = pdparams.state_dict_payload(STATE, NAMES)
    assert pdparams.name_table(pdparams.load(pdparams.dump(payload), "x"), "x") == NAMES


@pytest.mark.parametrize("obj", [None, [1], {"a": 1}])
def test_an_object_without_a_table_has_none(obj: object) -> None:
    assert pdparams.name_table(obj, "x") is None


@pytest.mark.parametrize(
    ("table", "message"),
    [(3, "to map keys to names"), ({"w": 1}, "to map keys to names"), ({"v": "x"}, "names 'v'")],
)
def test_a_damaged_table_of_names_is_a_file_error(table: object, message: str) -> None:
    with pytest.raises(FileError, match=message):
        pdparams.name_table({"w": np.zeros(1), pdparams.NAME_TABLE: table}, "x")


@pytest.mark.parametrize("protocol", [2, 3])
def test_large_arrays_are_stored_in_slices(protocol: int) -> None:
    stored = pickle.loads(pdparams.dump(STATE, protocol, slice_bytes=16))
    assert list(stored) == [
        "fc.bias",
        "fc.weight@@.0",
        "fc.weight@@.1",
        "UnpackBigParamInfor@@",
    ]
    assert stored["UnpackBigParamInfor@@"] == {
        "fc.weight": {"OriginShape": (2, 3), "slices": ["fc.weight@@.0", "fc.weight@@.1"]}
    }


@pytest.mark.parametrize("protocol", [2, 3])
def test_slices_are_joined_on_reading(protocol: int) -> None:
    loaded = pdparams.load(pdparams.dump(STATE, protocol, slice_bytes=16), "x")
    assert_equal(loaded, {"fc.bias": STATE["fc.bias"], "fc.weight": STATE["fc.weight"]})


def test_protocol_4_has_no_slices() -> None:
    assert pdparams.dump(STATE, 4, slice_bytes=16) == pdparams.dump(STATE, 4)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (3, "to map keys to slices"),
        ({"w": 3}, "expected OriginShape and slices"),
        ({"w": {"OriginShape": (2,), "slices": []}}, "expected OriginShape and slices"),
        ({"w": {"OriginShape": (2,), "slices": ["gone"]}}, "a slice of 'w' is missing"),
        ({"w": {"OriginShape": (4,), "slices": ["p", "p"]}}, "occurs twice"),
        ({"w": {"OriginShape": (3,), "slices": ["p"]}}, "do not fill its shape"),
        ({"w": {"OriginShape": ("2",), "slices": ["p"]}}, "do not fill its shape"),
        ({"w": {"OriginShape": (-1, -2), "slices": ["p"]}}, "do not fill its shape"),
        ({"w": {"OriginShape": (3,), "slices": ["p", "q"]}}, "different element types"),
    ],
)
def test_a_damaged_table_of_slices_is_a_file_error(table: object, message: str) -> None:
    obj = {"p": np.zeros(2, "f4"), "q": np.zeros(1, "i4"), pdparams.SLICE_TABLE: table}
    with pytest.raises(FileError, match=message):
        pdparams.load(pickle.dumps(obj, 4), "x")


def test_every_parameter_file_of_paddle_is_read(paddle_fixtures: Path) -> None:
    paths = [*paddle_fixtures.rglob("*.pdparams"), *paddle_fixtures.rglob("*.pdopt")]
    assert paths
    for path in paths:
        data = path.read_bytes()
        assert_equal(pdparams.load(data, str(path)), pickle.loads(data))


def test_every_parameter_file_of_paddle_is_written_with_equal_values(paddle_fixtures: Path) -> None:
    paths = [*paddle_fixtures.rglob("*.pdparams"), *paddle_fixtures.rglob("*.pdopt")]
    assert paths
    for path in paths:
        expected = pickle.loads(path.read_bytes())
        assert_equal(pickle.loads(pdparams.dump(expected)), expected)
