"""Reading a file's bytes with every length checked: the cursor, and arrays made from raw bytes.

The bytes are hostile until proven otherwise: nothing is allocated for a length that the file only
claims to have.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Literal

import numpy as np

from twinoar.errors import FileError

MAX_DIMENSIONS = 32  # the most that every supported NumPy takes
MAX_ARRAY_BYTES = 2**62  # above this NumPy cannot count the elements, even of an array of size 0

Bytes = bytes | bytearray | memoryview


class Cursor:
    """A place in the bytes of a file, which moves on as they are taken; it changes with each call.

    >>> cursor = Cursor(bytes([1, 0, 0, 0]), "x.pdiparams")
    >>> cursor.unsigned(4, "a version")
    1
    >>> cursor.left
    0
    """

    def __init__(self, data: Bytes, path: str):
        self.data, self.path, self.offset = memoryview(data), path, 0

    @property
    def left(self) -> int:
        """The number of bytes that were not taken yet."""
        return len(self.data) - self.offset

    def take(self, size: int, what: str) -> memoryview:
        """The next `size` bytes, which are `what`; FileError if the file has fewer."""
        if not 0 <= size <= self.left:
            raise self.error(f"{what} of {size} bytes does not fit: {self.left} bytes are left")
        start = self.offset
        self.offset += size
        return self.data[start : self.offset]

    def byte(self, what: str) -> int:
        """The next byte."""
        return self.take(1, what)[0]

    def unsigned(self, size: int, what: str) -> int:
        """The next unsigned little-endian integer of `size` bytes."""
        return int.from_bytes(self.take(size, what), "little")

    def signed(self, size: int, what: str) -> int:
        """The next signed little-endian integer of `size` bytes."""
        return int.from_bytes(self.take(size, what), "little", signed=True)

    def double(self, what: str) -> float:
        """The next big-endian float64, as pickles have them."""
        return struct.unpack(">d", self.take(8, what))[0]

    def line(self, what: str) -> bytes:
        """The bytes up to the next line feed, which is skipped."""
        end = bytes(self.data[self.offset : self.offset + 1024]).find(b"\n")
        if end < 0:
            raise self.error(f"{what} does not end with a line feed")
        return bytes(self.take(end + 1, what)[:-1])

    def error(self, message: str, *, cure: str | None = None, at: int | None = None) -> FileError:
        """The error that says where in which file; `at` is an offset other than the present one."""
        offset = self.offset if at is None else at
        return FileError(f"{self.path}, at byte {offset}: {message}", cure=cure)


def array_from_bytes(
    data: Bytes, dtype: np.dtype, shape: Sequence[int], *, column_major: bool = False
) -> np.ndarray:
    """A new array that owns its elements; ValueError if `data` has not exactly its size.

    >>> array_from_bytes(bytes([1, 2]), np.dtype("uint8"), [2]).tolist()
    [1, 2]
    """
    if len(shape) > MAX_DIMENSIONS:
        raise ValueError(f"expected at most {MAX_DIMENSIONS} dimensions, received {len(shape)}")
    if any(type(dim) is not int or not 0 <= dim <= MAX_ARRAY_BYTES for dim in shape):
        raise ValueError("expected dimensions that are integers of 0 or more, below 2**62")
    if math.prod(dim for dim in shape if dim) * dtype.itemsize > MAX_ARRAY_BYTES:
        raise ValueError("the array is too large for any memory")
    size = math.prod(shape) * dtype.itemsize
    if size != len(data):
        raise ValueError(f"expected {size} bytes of elements, received {len(data)}")
    elements = np.frombuffer(data, dtype) if size else np.empty(0, dtype)
    order: Literal["F", "C"] = "F" if column_major else "C"
    return elements.reshape(tuple(shape), order=order).astype(dtype.newbyteorder("="), copy=True)
