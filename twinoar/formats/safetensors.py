"""The safetensors format: the size of a header, a header of JSON, and the bytes of the tensors.

https://github.com/huggingface/safetensors describes it. Nothing in such a file can be run. Files
are mapped into memory, so that a tensor is read when it is looked at.
"""

from __future__ import annotations

import json
import mmap
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from twinoar.errors import DTypeError, FileError
from twinoar.formats.cursor import Bytes

ENDING = ".safetensors"
METADATA = "__metadata__"
LENGTH = struct.Struct("<Q")
MAX_HEADER = 100_000_000
ALIGNED = 8  # bytes: the header ends at a multiple of so many
DTYPES: dict[str, Any] = {
    "F64": np.float64,
    "F32": np.float32,
    "F16": np.float16,
    "BF16": ml_dtypes.bfloat16,
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
    "I64": np.int64,
    "I32": np.int32,
    "I16": np.int16,
    "I8": np.int8,
    "U64": np.uint64,
    "U32": np.uint32,
    "U16": np.uint16,
    "U8": np.uint8,
    "BOOL": np.bool_,
    "C64": np.complex64,
}
NAME_OF = {np.dtype(dtype): name for name, dtype in DTYPES.items()}


class Tensors(Mapping[str, np.ndarray]):
    """The tensors of a file by name, as arrays that show its bytes and cannot be written to.

    metadata: the texts beside them.
    """

    def __init__(self, data: Bytes, path: str):
        """data: the bytes of the file. path: for messages. Raises FileError.

        >>> found = Tensors(dump({"w": np.ones([2, 1], np.float32)}), "net.safetensors")
        >>> {name: array.shape for name, array in found.items()}
        {'w': (2, 1)}
        """
        self.path = path
        view = memoryview(data)
        if len(view) < LENGTH.size:
            raise FileError(f"{path}: expected a safetensors file, received {len(view)} bytes")
        (length,) = LENGTH.unpack(view[: LENGTH.size])
        if length > min(MAX_HEADER, len(view) - LENGTH.size):
            raise FileError(f"{path}: the header of {length} bytes does not fit into the file")
        start = LENGTH.size + length
        self._data = view[start:]
        header = self._header(bytes(view[LENGTH.size : start]))
        self.metadata: dict[str, str] = header.pop(METADATA, {})
        self._places = {name: self._place(name, told) for name, told in header.items()}
        self._check_whole()

    def _header(self, text: bytes) -> dict[str, Any]:
        try:
            header = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FileError(f"{self.path}: its header is no JSON ({str(error)[:80]})") from error
        if not isinstance(header, dict):
            raise FileError(f"{self.path}: its header must be tensors by name")
        return header

    def _place(self, name: str, told: Any) -> tuple[np.dtype, tuple[int, ...], int, int]:
        """Element type, shape, begin and end of a tensor."""
        try:
            dtype = np.dtype(DTYPES[told["dtype"]])
            shape, (begin, end) = tuple(told["shape"]), told["data_offsets"]
            numbers = (*shape, begin, end)
        except (KeyError, TypeError, ValueError) as error:
            raise FileError(
                f"{self.path}: {name[:80]} must have a dtype, a shape and data_offsets, "
                f"received {str(told)[:80]}"
            ) from error
        if not all(type(n) is int and 0 <= n < 1 << 62 for n in numbers):
            raise FileError(f"{self.path}: {name[:80]}: expected numbers that are not negative")
        count = 1
        for n in shape:
            count *= n
        if end - begin != count * dtype.itemsize or end > len(self._data):
            raise FileError(
                f"{self.path}: {name[:80]} of shape {list(shape)} does not fit {begin} to {end}"
            )
        return dtype, shape, begin, end

    def _check_whole(self) -> None:
        """The tensors must cover the file without gaps, so that no bytes are hidden in it."""
        at = 0
        for _, _, begin, end in sorted(self._places.values(), key=lambda place: place[2:]):
            if begin != at:
                raise FileError(f"{self.path}: its tensors overlap, or leave a gap at {at}")
            at = end
        if at != len(self._data):
            raise FileError(f"{self.path}: {len(self._data) - at} bytes are left at its end")

    def __getitem__(self, name: str) -> np.ndarray:
        dtype, shape, begin, end = self._places[name]
        return np.frombuffer(self._data[begin:end], dtype).reshape(shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def opened(path: str) -> Tensors:
    """The tensors of the file at `path`, which is mapped into memory. Raises FileError."""
    try:
        with Path(path).open("rb") as file:
            size = Path(path).stat().st_size
            data: Bytes | mmap.mmap = (
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
            )
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:  # a zero byte in the name
        raise FileError(f"cannot read {path!r}: {error}") from error
    return Tensors(data, path)  # type: ignore[arg-type]  # a map is bytes, too


def dump(arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a file with these arrays: larger elements first, then by name.

    Raises DTypeError for elements that the format does not have.
    """
    order = sorted(arrays, key=lambda name: (-arrays[name].dtype.itemsize, name))
    header: dict[str, Any] = {METADATA: dict(metadata)} if metadata else {}
    parts, at = [], 0
    for name in order:
        array = arrays[name]
        dtype = array.dtype.newbyteorder("=")
        if dtype not in NAME_OF:
            raise DTypeError(
                f"{name}: a safetensors file cannot hold elements of type {array.dtype}",
                cure=f"cast it to one of {', '.join(str(d) for d in NAME_OF)}",
            )
        part = np.ascontiguousarray(array, dtype.newbyteorder("<")).tobytes()
        header[name] = {
            "dtype": NAME_OF[dtype],
            "shape": list(array.shape),
            "data_offsets": [at, at + len(part)],
        }
        parts.append(part)
        at += len(part)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % ALIGNED)
    return b"".join([LENGTH.pack(len(text)), text, *parts])
