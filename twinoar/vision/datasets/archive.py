"""Files in a tar archive, read as they are asked for."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.errors import FileError
from twinoar.vision.image import opened


class Archive:
    """The files of a tar archive.

    source: the content of one, or the path of one that is not compressed, which is read in parts.
    name: for messages. Can be sent to other processes. Raises FileError for what is no archive.
    """

    def __init__(self, source: bytes | Path, name: str) -> None:
        self._source, self._name = source, name
        try:
            with tarfile.open(fileobj=self._stream(), mode="r:") as archive:
                self._places = {m.name: (m.offset_data, m.size) for m in archive if m.isfile()}
        except (OSError, tarfile.TarError) as error:
            raise FileError(f"cannot read the archive {name}: {error}") from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def read(self, name: str) -> bytes:
        """The content of a file. Raises FileError if there is none of that name."""
        if name not in self._places:
            raise FileError(f"there is no {name} in the archive {self._name}")
        start, size = self._places[name]
        with self._stream() as stream:
            stream.seek(start)
            return stream.read(size)

    def image(self, name: str, backend: str) -> Any:
        """An image, as a Pillow image or as float32 [H,W] or [H,W,3] for "cv2"."""
        image = opened(io.BytesIO(self.read(name)), f"{name} in {self._name}")
        return image if backend == "pil" else np.asarray(image).astype(np.float32)

    def _stream(self) -> Any:
        return (
            self._source.open("rb") if isinstance(self._source, Path) else io.BytesIO(self._source)
        )
