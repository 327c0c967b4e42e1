"""The IDX format, in which MNIST is kept: a big-endian header, then bytes.

Source: http://yann.lecun.com/exdb/mnist, "file formats for the MNIST database".
"""

from __future__ import annotations

import math
import struct

import numpy as np

from twinoar.errors import FileError

MAGIC_OF_BYTES = 0x0800  # the type code of unsigned bytes; the number of axes is added


def parse(content: bytes, axes: int, name: str) -> np.ndarray:
    """The array of unsigned bytes in `content`, with `axes` axes; a read-only view of it.

    name: of the file, for messages. Raises FileError for another format, and for a size that
    does not fit the header.
    """
    header = struct.Struct(f">{1 + axes}I")
    if len(content) < header.size:
        raise FileError(
            f"{name} is truncated: expected a header of {header.size} bytes, "
            f"received {len(content)} bytes"
        )
    magic, *shape = header.unpack_from(content)
    if magic != MAGIC_OF_BYTES + axes:
        raise FileError(
            f"{name} is no IDX file with {axes} axes: expected magic number "
            f"{MAGIC_OF_BYTES + axes}, received {magic}",
            cure="image_path takes the file of images, label_path that of labels",
        )
    expected, received = math.prod(shape), len(content) - header.size
    if received != expected:
        state = "truncated" if received < expected else "too long"
        raise FileError(
            f"{name} is {state}: its header says {shape}, that is {expected:,} bytes of data, "
            f"it has {received:,}"
        )
    return np.frombuffer(content, np.uint8, offset=header.size).reshape(shape)
