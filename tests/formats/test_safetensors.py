"""safetensors files: written, read, and refused where they are damaged."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import twinoar as paddle
from twinoar import nn
from twinoar.errors import DTypeError, FileError, TwinoarError, TypeMismatchError
from twinoar.formats.safetensors import DTYPES, Tensors, dump, opened

ARRAYS = {name: np.arange(6).reshape(2, 3).astype(dtype) for name, dtype in DTYPES.items()} | {
    "empty": np.zeros((0, 3), np.float32),
    "number": np.float64(3.5).reshape(()),
}


def file_of(header: object, data: bytes = b"", length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def test_arrays_of_all_types_come_back() -> None:
    found = Tensors(dump(ARRAYS, {"format": "np"}), "x")
    assert found.metadata == {"format": "np"}
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()


def test_the_bytes_are_those_of_the_description() -> None:
    """Eight bytes of a length, a header of JSON that ends at a multiple of eight, the elements."""
    data = dump({"b": np.array([1, 2], np.int8), "a": np.array([0.5], "<f4")})
    (length,) = struct.unpack("<Q", data[:8])
    assert length % 8 == 0
    assert json.loads(data[8 : 8 + length]) == {
        "a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
        "b": {"dtype": "I8", "shape": [2], "data_offsets": [4, 6]},
    }
    assert data[8 + length :] == struct.pack("<fbb", 0.5, 1, 2)


def test_orders_of_bytes_and_of_axes_do_not_matter() -> None:
    array = np.asfortranarray(np.arange(6, dtype=">i4").reshape(2, 3))
    found = Tensors(dump({"x": array}), "x")["x"]
    np.testing.assert_array_equal(found, array)


def test_a_file_is_mapped_and_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(dump({"x": np.ones(3)}))
    found = opened(str(path))["x"]
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 2


def test_a_layer_is_saved_and_loaded(tmp_path: Path) -> None:
    path = str(tmp_path / "net.safetensors")
    net, other = (nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1D(4)) for _ in range(2))
    paddle.save(net.state_dict(), path)
    other.set_state_dict(paddle.load(path))
    for a, b in zip(net.state_dict().values(), other.state_dict().values(), strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    arrays = paddle.load(path, return_numpy=True)
    assert all(isinstance(x, np.ndarray) for x in arrays.values())


def test_bfloat16_and_float8_keep_their_bits(tmp_path: Path) -> None:
    path = str(tmp_path / "net.safetensors")
    paddle.save({d: paddle.full([2], 1.5, d) for d in ("bfloat16", "float8_e4m3fn")}, path)
    found = paddle.load(path)
    assert [(k, v.dtype.name, v.tolist()) for k, v in found.items()] == [
        ("bfloat16", "bfloat16", [1.5, 1.5]),
        ("float8_e4m3fn", "float8_e4m3fn", [1.5, 1.5]),
    ]


def test_what_is_no_dict_of_tensors_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    for obj in ([1], {"a": 1}, {1: np.ones(1)}):
        with pytest.raises(TypeMismatchError, match="dict of tensors"):
            paddle.save(obj, str(path))
    with pytest.raises(DTypeError, match="elements of type <U1"):
        paddle.save({"a": np.array(["x"])}, str(path))
    assert not path.exists()


PLACE = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "received 0 bytes"),
        (b"\0" * 7, "received 7 bytes"),
        (file_of({}, length=99), "does not fit"),
        (file_of({}, length=2**63), "does not fit"),
        (file_of(b"[]"), "tensors by name"),
        (file_of(b"{"), "no JSON"),
        (file_of(b"\xff\xff"), "no JSON"),
        (file_of(b"[" * 100_000), "no JSON"),
        (file_of({"a": PLACE}), "does not fit"),
        (file_of({"a": {**PLACE, "dtype": "F7"}}, bytes(4)), "must have a dtype"),
        (file_of({"a": {**PLACE, "shape": [-1]}}, bytes(4)), "not negative"),
        (file_of({"a": {**PLACE, "shape": [2**61, 2**61]}}, bytes(4)), "does not fit"),
        (file_of({"a": {**PLACE, "shape": [True]}}, bytes(4)), "not negative"),
        (file_of({"a": {**PLACE, "data_offsets": [0]}}, bytes(4)), "must have a dtype"),
        (file_of({"a": PLACE, "b": PLACE}, bytes(4)), "overlap"),
        (file_of({"a": {**PLACE, "data_offsets": [4, 8]}}, bytes(8)), "leave a gap"),
        (file_of({"a": PLACE}, bytes(5)), "1 bytes are left"),
        (file_of({"a": 3}), "must have a dtype"),
    ],
)
def test_damaged_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(FileError, match=message):
        Tensors(data, "x.safetensors")


def test_changed_bytes_end_in_errors_of_ours() -> None:
    data, chance = dump(ARRAYS), random.Random(0)
    for _ in range(1000):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(900)] = chance.randrange(256)
        try:
            dict(Tensors(bytes(damaged), "x"))
        except TwinoarError:
            continue


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"cannot read .*no\.safetensors"):
        paddle.load(str(tmp_path / "no.safetensors"))


def test_elements_are_those_of_ml_dtypes() -> None:
    assert Tensors(dump({"x": np.ones(1, ml_dtypes.bfloat16)}), "x")["x"].dtype.name == "bfloat16"
