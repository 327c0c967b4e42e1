"""Tensor files have Paddle's bytes, and every length in them is checked."""

from __future__ import annotations

import struct
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from twinoar.errors import DTypeError, FileError
from twinoar.formats.paddle import tensors
from twinoar.formats.paddle.saved_state import names_in_program

NAMES_OF_DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "bfloat16", "float8_e4m3fn", "float8_e5m2"),
    *("complex64", "complex128"),
]

# The record of float32 [2] = 1, 2, by the table of the format: three zeros, size, desc, elements.
RECORD = bytes(16) + b"\x04\0\0\0" + b"\x08\x05\x10\x02" + struct.pack("<2f", 1, 2)


def record(desc: bytes, elements: bytes = b"", size: int | None = None) -> bytes:
    return bytes(16) + struct.pack("<i", len(desc) if size is None else size) + desc + elements


def dims(*sizes: int) -> bytes:
    """A float32 TensorDesc; each size as a varint of ten bytes."""
    varints = [
        [(size >> 7 * i) & 127 | 128 for i in range(9)] + [(size >> 63) & 1] for size in sizes
    ]
    return b"\x08\x05" + b"".join(b"\x10" + bytes(varint) for varint in varints)


def test_a_record_has_the_bytes_of_the_format() -> None:
    assert tensors.dump_tensor(np.array([1, 2], "f4")) == RECORD


def test_a_tensor_without_dimensions_has_none_in_its_record() -> None:
    expected = bytes(16) + b"\x02\0\0\0" + b"\x08\x05" + struct.pack("<f", 2)
    assert tensors.dump_tensor(np.array(2, "f4")) == expected


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
@pytest.mark.parametrize("name", NAMES_OF_DTYPES)
def test_tensors_of_every_type_and_shape_are_read_back(name: str, shape: tuple[int, ...]) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    found = tensors.load_tensor(tensors.dump_tensor(array), "x")
    assert (found.dtype, found.shape) == (dtype, shape)
    assert found.tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "array",
    [np.arange(6, dtype="f4").reshape(2, 3).T, np.arange(3, dtype=">i4"), np.arange(9)[::-2]],
    ids=["transposed", "big-endian", "strided"],
)
def test_layout_and_byte_order_do_not_show(array: np.ndarray) -> None:
    found = tensors.load_tensor(tensors.dump_tensor(array), "x")
    np.testing.assert_array_equal(found, array)
    assert found.dtype.isnative


def test_records_follow_in_byte_order_of_the_names() -> None:
    names = ["b", "a_10", "a_2", "\U0001f600", "\uffff", "\ud800", "B"]
    arrays = {name: np.array([index], "i4") for index, name in enumerate(names)}
    ordered = ["B", "a_10", "a_2", "b", "\ud800", "\uffff", "\U0001f600"]
    assert list(tensors.load(tensors.dump(arrays), reversed(names), "x")) == ordered
    assert tensors.dump(arrays) == b"".join(tensors.dump_tensor(arrays[name]) for name in ordered)


def test_an_element_type_that_paddle_does_not_have_is_refused() -> None:
    with pytest.raises(DTypeError, match="w: a tensor file cannot hold elements of type <U1"):
        tensors.dump({"w": np.array(["a"])})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "at byte 0: the version of w of 4 bytes does not fit: 0 bytes are left"),
        (RECORD[:10], "at byte 4: the number of levels of detail of w of 8 bytes does not fit"),
        (RECORD[:-1], "at byte 24: w of shape .2. and type float32, of 8 bytes does not fit: 7"),
        (b"\1" + RECORD[1:], "at byte 0: expected the version of w to be 0, received 1"),
        (RECORD[:4] + b"\1" + RECORD[5:], "at byte 4: expected the number of levels of detail"),
        (RECORD[:12] + b"\1" + RECORD[13:], "at byte 12: expected the tensor version of w to be 0"),
        (record(b"", size=-1), "the description of w cannot have -1 bytes"),
        (record(b"", size=2**31 - 1), "the description of w cannot have 2147483647 bytes"),
        (record(b"\xff\xff"), "at byte 20, w: expected a TensorDesc in protobuf form"),
        (record(b"\x10\x02"), "at byte 20, w: required fields are missing or unknown: data_type"),
        (record(b"\x08\x63"), "required fields are missing or unknown: data_type"),
        (record(b"\x08\x07"), "at byte 20, w: type 7 is not an element type"),
        (record(dims(-1 % 2**64)), "has a negative dimension"),
        (record(dims(2**40), b"x"), "of 4398046511104 bytes does not fit: 1 bytes are left"),
        (record(dims(2**62, 2**62), b"x"), "does not fit"),
        (record(dims(0, 2**62)), "too large for any memory"),
        (record(dims(*[1] * 40), bytes(4)), "at most 32 dimensions, received 40"),
        (RECORD + b"x", "at byte 32: 1 bytes follow the last of 1 tensors"),
    ],
)
def test_damage_is_a_file_error_that_says_where(data: bytes, message: str) -> None:
    with pytest.raises(FileError, match=message):
        tensors.load(data, ["w"], "x.pdiparams")


def test_a_single_tensor_with_bytes_after_it_is_refused() -> None:
    with pytest.raises(FileError, match="x, at byte 32: 32 bytes follow the tensor"):
        tensors.load_tensor(RECORD * 2, "x")


def test_fewer_tensors_than_names_are_a_file_error() -> None:
    with pytest.raises(FileError, match="the version of b of 4 bytes does not fit"):
        tensors.load(RECORD, ["a", "b"], "x")


def test_files_of_paddle_are_written_back_byte_by_byte(paddle_fixtures: Path) -> None:
    paths = list(paddle_fixtures.rglob("*.pdiparams"))
    assert paths
    for path in paths:
        program = next(p for p in path.parent.iterdir() if p.suffix in (".pdmodel", ".json"))
        data = path.read_bytes()
        arrays = tensors.load(data, names_in_program(program), str(path))
        assert tensors.dump(arrays) == data
