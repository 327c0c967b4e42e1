"""What h5py writes is read as h5py reads it; what is forged is an error, and ends."""

from __future__ import annotations

import io
import random
import struct
import time
from collections.abc import Callable
from typing import Any

import h5py
import numpy as np
import pytest

from twinoar.errors import FileError
from twinoar.formats.keras.hdf5 import File, Thing

DTYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


def written(fill: Callable[[Any], Any], **settings: Any) -> bytes:
    data = io.BytesIO()
    with h5py.File(data, "w", **settings) as file:
        fill(file)
    return data.getvalue()


def at(root: Thing, path: str) -> Thing:
    for part in path.split("/"):
        root = root.members()[part]
    return root


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (0,), (3, 0, 2), (2, 3, 4)], ids=str)
def test_arrays_of_each_type_and_shape(dtype: str, shape: tuple[int, ...]) -> None:
    array = np.arange(24)[: int(np.prod(shape))].reshape(shape).astype(dtype)
    data = written(lambda file: file.create_dataset("a/b/x", data=array))
    found = at(File(data, "x").root, "a/b/x").array()
    assert found.shape == shape and (found == array).all()
    assert found.dtype == (np.dtype("i1") if dtype == "?" else array.dtype)


def test_a_group_of_many_arrays() -> None:
    data = written(lambda f: [f.create_dataset(f"layer_{n}", data=[n]) for n in range(1000)])
    members = File(data, "x").root.members()
    assert {name: int(one.array()[0]) for name, one in members.items()} == {
        f"layer_{n}": n for n in range(1000)
    }


def test_groups_in_groups_and_many_attributes() -> None:
    def fill(file: Any) -> None:
        group = file.create_group("/".join("abcdefgh"))
        for n in range(50):
            group.attrs[f"name_{n}"] = f"text {n}"

    found = at(File(written(fill), "x").root, "a/b/c/d/e/f/g/h").attributes()
    assert found == {f"name_{n}": f"text {n}".encode() for n in range(50)}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a text", b"a text"),
        ("größer", "größer".encode()),
        (np.bytes_(b"fixed"), b"fixed"),
        (["one", "two", "three"], [b"one", b"two", b"three"]),
        (np.array([b"a", b"bcd"]), [b"a", b"bcd"]),
        (np.array([], "f8"), []),
        (7, 7),
        ("x" * 60_000, b"x" * 60_000),
    ],
)
def test_attributes(value: object, expected: object) -> None:
    data = written(lambda file: file.attrs.__setitem__("told", value))
    assert File(data, "x").root.attributes()["told"] == expected


REFUSED: dict[str, Callable[[Any], Any]] = {
    "chunks": lambda f: f.create_dataset("x", data=np.zeros(9), chunks=(3,)),
    "a filter": lambda f: f.create_dataset("x", data=np.zeros(9), compression="gzip"),
    "nothing written": lambda f: f.create_dataset("x", (1 << 40,), "f4"),
    "elements in another file": lambda f: f.create_dataset(
        "x", (4,), "f4", external=[("a", 0, 16)]
    ),
    "texts": lambda f: f.create_dataset("x", data=["text"]),
    "big-endian numbers": lambda f: f.create_dataset("x", data=np.zeros(3, ">f4")),
    "records": lambda f: f.create_dataset("x", data=np.zeros(2, [("a", "f4"), ("b", "i4")])),
    "a soft link": lambda f: f.__setitem__("x", h5py.SoftLink("/y")),
    "a link to a file": lambda f: f.__setitem__("x", h5py.ExternalLink("/etc/passwd", "y")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_an_error(name: str) -> None:
    data = written(REFUSED[name])
    with pytest.raises(FileError):
        File(data, "x").root.members()["x"].array()


def test_a_newer_layout_is_an_error() -> None:
    data = written(lambda file: file.create_group("a"), libver="latest")
    with pytest.raises(FileError, match=r"newer than HDF5 1\.6"):
        File(data, "x").root.members()


def test_a_group_that_holds_itself_is_an_error() -> None:
    def fill(file: Any) -> None:
        file.create_group("a")["again"] = file["/"]

    with pytest.raises(FileError, match="is named twice"):
        at(File(written(fill), "x").root, "a/again")


def test_arrays_have_no_more_bytes_than_the_file() -> None:
    data = written(lambda file: file.create_dataset("x", data=np.arange(8)))
    size = data.index(struct.pack("<QQ", 8, 8), 800)  # its shape, and how large it may become
    forged = data[:size] + struct.pack("<QQ", 1 << 60, 1 << 60) + data[size + 16 :]
    with pytest.raises(FileError):
        File(forged, "x").root.members()["x"].array()


def everything(thing: Thing) -> None:
    thing.attributes()
    for inner in thing.members().values():
        everything(inner) if inner.is_group else inner.array()


def test_damaged_files_end_in_an_error_or_arrays() -> None:
    def fill(file: Any) -> None:
        for n in range(20):
            group = file.create_group(f"layers/dense_{n}/vars")
            group.attrs["name"] = f"dense_{n}"
            group.create_dataset("0", data=np.ones((3, 2), "f4"))
        file["layers"].attrs["weight_names"] = ["a", "b"]

    data, chance, refused = written(fill), random.Random(0), 0
    begin = time.perf_counter()
    for _ in range(1500):
        changed = bytearray(data)
        for _ in range(chance.choice((1, 2, 8))):
            place = chance.randrange(len(changed))
            if chance.random() < 0.5:
                changed[place] = chance.randrange(256)
            else:
                size = chance.choice((2, 4, 8))
                number = chance.choice((0, 1, 8, 96, 2**31, 2**64 - 1)) % (1 << 8 * size)
                changed[place : place + size] = number.to_bytes(size, "little")
        try:
            everything(File(bytes(changed[: len(data)]), "x").root)
        except FileError:
            refused += 1
    assert 100 < refused < 1500
    assert time.perf_counter() - begin < 60
