"""Memory that processes of one machine share: a file that they map."""

from __future__ import annotations

import mmap
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

IN_MEMORY = Path("/dev/shm")  # where Linux keeps files that no disk has
PREFIX = "twinoar-ranks-"


class SharedFile:
    """A file of zeros, mapped into memory: a new one, or one that another process has made.

    bytes: [size], None where that could not be.
    """

    def __init__(self, size: int, path: str | None = None):
        self.path, self.bytes = path or "", None
        with suppress(OSError, ValueError):
            self.bytes = self._made(size) if path is None else _mapped(path, size)

    bytes: np.ndarray | None

    def _made(self, size: int) -> np.ndarray:
        folder = str(IN_MEMORY) if os.access(IN_MEMORY, os.W_OK) else None
        descriptor, self.path = tempfile.mkstemp(prefix=PREFIX, dir=folder)
        with os.fdopen(descriptor, "r+b") as opened:
            opened.write(bytes(size))  # where there is no room it fails here, and no access later
        return _mapped(self.path, size)

    def unlink(self) -> None:
        """Take its name away: it lasts as long as somebody has it mapped."""
        if self.path:
            with suppress(OSError):
                Path(self.path).unlink()


def _mapped(path: str, size: int) -> np.ndarray:
    """Raises OSError, and ValueError for a file of another size."""
    with Path(path).open("r+b") as opened:
        return np.frombuffer(mmap.mmap(opened.fileno(), size), np.uint8)
