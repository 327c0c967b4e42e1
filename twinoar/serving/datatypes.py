"""The protocol's names of element types, and tensors as the bytes that it sends.

Numbers are little-endian, in C order. An element of BYTES is its length in 4 bytes, then the bytes.

Source: https://github.com/kserve/open-inference-protocol/blob/main/specification/protocol/inference_rest.md
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

import ml_dtypes
import numpy as np

from twinoar.core.near import near_names
from twinoar.errors import ServingError
from twinoar.serving.status import invalid

BYTES = "BYTES"
DTYPES: dict[str, np.dtype] = {
    "BOOL": np.dtype(bool),
    "UINT8": np.dtype("<u1"),
    "UINT16": np.dtype("<u2"),
    "UINT32": np.dtype("<u4"),
    "UINT64": np.dtype("<u8"),
    "INT8": np.dtype("<i1"),
    "INT16": np.dtype("<i2"),
    "INT32": np.dtype("<i4"),
    "INT64": np.dtype("<i8"),
    "FP16": np.dtype("<f2"),
    "FP32": np.dtype("<f4"),
    "FP64": np.dtype("<f8"),
    "BF16": np.dtype(ml_dtypes.bfloat16),
    BYTES: np.dtype(object),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
LENGTH = struct.Struct("<I")


def dtype_of(datatype: str) -> np.dtype:
    """The element type in NumPy. Raises ServingError for a name that the protocol has not.

    >>> dtype_of("FP32")
    dtype('float32')
    """
    found = DTYPES.get(datatype)
    if found is None:
        raise invalid(f"there is no datatype {datatype!r}", cure=near_names(datatype, DTYPES))
    return found


def datatype_of(dtype: np.dtype) -> str:
    """The protocol's name. Raises ServingError for complex numbers and others that it has not.

    >>> datatype_of(np.dtype("int64"))
    'INT64'
    """
    found = NAMES.get(dtype)
    if found is None:
        raise ServingError(
            f"the protocol has no datatype for {dtype}", cure="let the model return real numbers"
        )
    return found


def decoded(data: bytes | memoryview, datatype: str, shape: Sequence[int], name: str) -> np.ndarray:
    """The array in bytes; it is a view of them where that is possible, and not to be written.

    Raises ServingError where the bytes are not as many as the shape says.

    >>> decoded(b"\\x01\\x00\\x02\\x00", "INT16", [2], "x")
    array([1, 2], dtype=int16)
    """
    dtype, count = dtype_of(datatype), math.prod(shape)
    if datatype == BYTES:
        return _strings(data, count, name).reshape(tuple(shape))
    if len(data) != count * dtype.itemsize:
        raise invalid(
            f"input {name!r} has {len(data)} bytes, {datatype} of shape {list(shape)} takes "
            f"{count * dtype.itemsize}"
        )
    if datatype == "BOOL" and np.frombuffer(data, np.uint8).max(initial=0) > 1:
        raise invalid(f"input {name!r} is BOOL and has bytes other than 0 and 1")
    array = np.frombuffer(data, dtype)
    # Behind a header of any length numbers may lie at odd addresses, which kernels do not expect.
    return (array if array.flags.aligned else array.copy()).reshape(tuple(shape))


def encoded(array: np.ndarray) -> bytes:
    """The bytes of an array.

    >>> encoded(np.array([b"ab", b""], object))
    b'\\x02\\x00\\x00\\x00ab\\x00\\x00\\x00\\x00'
    """
    if array.dtype != object:
        return array.tobytes()
    parts = [as_bytes(x) for x in array.reshape(-1)]
    return b"".join(piece for x in parts for piece in (LENGTH.pack(len(x)), x))


def as_bytes(element: object) -> bytes:
    """An element of a BYTES tensor; text is written as UTF-8."""
    if isinstance(element, bytes):
        return element
    if isinstance(element, str):
        return element.encode()
    raise ServingError(
        f"an element of BYTES is bytes or str, the model gave {type(element).__name__}"
    )


def _strings(data: bytes | memoryview, count: int, name: str) -> np.ndarray:
    if count * LENGTH.size > len(data):  # before an array of so many elements is made
        raise invalid(f"input {name!r} has {len(data)} bytes, too few for {count} elements")
    found, at = np.empty(count, object), 0
    for index in range(count):
        if at + LENGTH.size > len(data):
            raise invalid(f"input {name!r} ends after {index} of {count} elements")
        (length,) = LENGTH.unpack_from(data, at)
        at += LENGTH.size
        if at + length > len(data):
            raise invalid(
                f"input {name!r}: element {index} says {length} bytes, which are not there"
            )
        found[index] = bytes(data[at : at + length])
        at += length
    if at != len(data):
        raise invalid(f"input {name!r} has {len(data) - at} bytes after its last element")
    return found
