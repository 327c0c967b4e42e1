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

    bytes: [size], None where that could not be. path: "" then.
    """

    def __init__(self, size: int, path: str | None = None):
        self.path, self.bytes = "", None
        with suppress(OSError, ValueError):
            self.bytes = _made(self, size) if path is None else _mapped(path, size)
            self.path = path or self.path

    bytes: np.ndarray | None

    def unlink(self) -> None:
        """Take its name away: it lasts as long as somebody has it mapped."""
        if self.path:
            with suppress(OSError):
                os.unlink(self.path)


def _made(file: SharedFile, size: int) -> np.ndarray:
    folder = str(IN_MEMORY) if os.access(IN_MEMORY, os.W_OK) else None
    descriptor, file.path = tempfile.mkstemp(prefix=PREFIX, dir=folder)
    with os.fdopen(descriptor, "r+b") as opened:
        opened.truncate(size)
    return _mapped(file.path, size)


def _mapped(path: str, size: int) -> np.ndarray:
    """Raises OSError, and ValueError for a file of another size."""
    with open(path, "r+b") as opened:
        return np.frombuffer(mmap.mmap(opened.fileno(), size), np.uint8)
