"""Arrays in MATLAB's files of version 5, in which the labels of Flowers are kept.

Source: MathWorks, "MAT-File Format", chapter 1.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

from twinoar.errors import FileError

HEADER_BYTES = 128
MATRIX, COMPRESSED = 14, 15
TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}


def arrays(content: bytes, name: str) -> dict[str, np.ndarray]:
    """The arrays of numbers in a file, by name. Raises FileError for another format."""
    if content[126:128] != b"IM":
        raise FileError(f"{name} is no MATLAB file of version 5 with the low byte first")
    found = {}
    try:
        for kind, data in _elements(content[HEADER_BYTES:]):
            if kind == COMPRESSED:
                ((kind, data),) = _elements(zlib.decompress(data))
            if kind == MATRIX:
                _, (_, sizes), (_, label), (code, numbers), *_ = _elements(data)
                shape = np.frombuffer(sizes, "<i4")
                array = np.frombuffer(numbers, f"<{TYPES[code]}").reshape(shape, order="F")
                found[label.decode()] = array
    except (ValueError, KeyError, struct.error, zlib.error) as error:
        raise FileError(f"{name} is damaged, or has more than arrays of numbers") from error
    return found


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Types and contents, each padded to eight bytes unless compressed."""
    start = 0
    while start < len(data):
        kind, size = struct.unpack_from("<II", data, start)
        if kind >> 16:  # up to four bytes, in the place of the size
            yield kind & 0xFFFF, data[start + 4 : start + 4 + (kind >> 16)]
            start += 8
            continue
        yield kind, data[start + 8 : start + 8 + size]
        start += 8 + (size if kind == COMPRESSED else -(-size // 8) * 8)
