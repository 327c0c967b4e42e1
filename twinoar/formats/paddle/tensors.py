"""Tensor files: `.pdiparams`, all parameters of a program in one stream, and single tensors.

The stream has no header, no count and no names: the records follow each other in ascending byte
order of the names, which the program knows. A record is a version, the levels of detail (unused), a
version, a TensorDesc and the elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import ml_dtypes
import numpy as np

from twinoar.errors import DTypeError, FileError
from twinoar.formats.cursor import Bytes, Cursor, array_from_bytes
from twinoar.formats.paddle.schema import CODE_OF_DTYPE, DTYPE_OF_CODE, TensorDesc, parse, serialize

MAX_DESC_BYTES = 1024  # a TensorDesc of 32 dimensions takes at most 354


def dump(arrays: Mapping[str, np.ndarray]) -> bytes:
    """The bytes of a `.pdiparams` file: the arrays in ascending byte order of their names.

    Raises DTypeError for element types that Paddle does not have.

    >>> import numpy as np
    >>> load(dump({"w": np.zeros([1], "int8")}), ["w"], "x.pdiparams")
    {'w': array([0], dtype=int8)}
    """
    return b"".join(part for name in _ordered(arrays) for part in _record(arrays[name], name))


def load(data: Bytes, names: Iterable[str], path: str) -> dict[str, np.ndarray]:
    """The arrays in the bytes of a `.pdiparams` file, by name, in the order of the file.

    names: of all arrays in the file, in any order. Raises FileError, with the place in the file
    `path`, if the bytes are damaged, or hold fewer or more arrays than there are names.
    """
    cursor = Cursor(data, path)
    ordered = _ordered(names)
    arrays = {name: _read(cursor, name) for name in ordered}
    if cursor.left:
        raise cursor.error(
            f"{cursor.left} bytes follow the last of {len(ordered)} tensors",
            cure="use the program that was saved with these parameters",
        )
    return arrays


def dump_tensor(array: np.ndarray) -> bytes:
    """The record of one tensor, as `save(..., use_binary_format=True)` writes it."""
    return b"".join(_record(array, "the tensor"))


def load_tensor(data: Bytes, path: str) -> np.ndarray:
    """The array in the record of one tensor; FileError if the bytes are anything else.

    >>> load_tensor(dump_tensor(np.float32(2)), "x.pdtensor")
    array(2., dtype=float32)
    """
    cursor = Cursor(data, path)
    array = _read(cursor, "the tensor")
    if cursor.left:
        raise cursor.error(f"{cursor.left} bytes follow the tensor")
    return array


def _ordered(names: Iterable[str]) -> list[str]:
    return sorted(set(names), key=lambda name: name.encode("utf-8", "surrogatepass"))


def _record(array: np.ndarray, name: str) -> list[bytes | memoryview]:
    code = CODE_OF_DTYPE.get(array.dtype.name)
    if code is None:
        raise DTypeError(
            f"{name}: a tensor file cannot hold elements of type {array.dtype}",
            cure="convert them to numbers first",
        )
    desc = serialize(TensorDesc(data_type=code, dims=array.shape))
    little = array.dtype if array.dtype.kind == "V" else array.dtype.newbyteorder("<")
    stored = np.asarray(array, little, order="C")
    elements = stored.reshape(-1).view(np.uint8).data if stored.size else b""
    # Versions and the number of levels of detail are 0.
    return [bytes(4 + 8 + 4), len(desc).to_bytes(4, "little"), desc, elements]


def _read(cursor: Cursor, name: str) -> np.ndarray:
    """The next record, which holds `name`."""
    start = cursor.offset
    _expect_zero(cursor, 4, f"the version of {name}")
    _expect_zero(cursor, 8, f"the number of levels of detail of {name}")
    _expect_zero(cursor, 4, f"the tensor version of {name}")
    size = cursor.signed(4, f"the size of the description of {name}")
    if not 0 < size <= MAX_DESC_BYTES:
        raise cursor.error(f"the description of {name} cannot have {size} bytes", at=start)
    place = f"{cursor.path}, at byte {cursor.offset}, {name}"
    desc = parse(TensorDesc, cursor.take(size, f"the description of {name}"), place)
    dtype = _dtype(desc.data_type, place)
    shape = list(desc.dims)
    needed = _size(shape, dtype, place)
    data = cursor.take(needed, f"{name} of shape {shape} and type {dtype},")
    try:
        return array_from_bytes(data, dtype, shape)
    except ValueError as failure:
        raise FileError(f"{place}: {failure}") from failure


def _expect_zero(cursor: Cursor, size: int, what: str) -> None:
    start = cursor.offset
    found = cursor.unsigned(size, what)
    if found:
        raise cursor.error(
            f"expected {what} to be 0, received {found}",
            at=start,
            cure="check that the file holds tensors, and just those that were asked for",
        )


def _dtype(code: int, place: str) -> np.dtype:
    name = DTYPE_OF_CODE.get(code)
    if name is None:
        raise FileError(f"{place}: type {code} is not an element type")
    return np.dtype(getattr(ml_dtypes, name, name))


def _size(shape: list[int], dtype: np.dtype, place: str) -> int:
    """Bytes of the elements, counted without overflow."""
    size = dtype.itemsize
    for dim in shape:
        if dim < 0:
            raise FileError(f"{place}: the shape {shape} has a negative dimension")
        size *= dim
    return size
