"""The data of an exported model: one piece of memory that nobody writes, so files may be mapped.

It begins with a head that says what it is: 8 bytes of magic, its size, and a digest by which code
knows its own weights. Then come weights, what is derived of them, tables, and the verification.
"""

from __future__ import annotations

import hashlib
import struct

import numpy as np

MAGIC = b"TWINOAR1"
HEAD = "<8sQ16s"
ALIGNMENT = 64  # of each array: that of the widest vectors


class Data:
    """Pieces, each at an offset that is known when it is added; equal ones lie there once."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = [bytes(ALIGNMENT)]
        self._offsets: dict[bytes, int] = {}
        self.size = ALIGNMENT

    def add(self, array: np.ndarray) -> int:
        """Where the elements of an array lie, in row-major order."""
        content = np.ascontiguousarray(array).tobytes()
        key = hashlib.blake2b(content, digest_size=16).digest()
        if key not in self._offsets:
            self._offsets[key] = self.size
            self._pieces.append(content + bytes(-len(content) % ALIGNMENT))
            self.size += len(self._pieces[-1])
        return self._offsets[key]

    def content(self) -> tuple[bytes, bytes]:
        """All of it, and the digest."""
        body = b"".join(self._pieces[1:])
        digest = hashlib.blake2b(body, digest_size=16).digest()
        head = struct.pack(HEAD, MAGIC, self.size, digest)
        return head + bytes(ALIGNMENT - len(head)) + body, digest
