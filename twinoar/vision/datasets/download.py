"""Files of data sets: found in a folder of the user's, in the cache, or fetched from a mirror.

A file is looked for in `<data home>/<folder>` (TWINOAR_DATA_HOME), then in
`~/.cache/twinoar/dataset/<folder>`; the second is filled by downloads.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from twinoar import config
from twinoar.errors import FileError
from twinoar.formats.atomic import write_atomically
from twinoar.formats.fetch import fetch

GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file that can be downloaded, and how to know that it is whole.

    content_md5: of the decompressed content, which does not depend on who compressed it;
    archive_md5: of the file as the mirrors have it, used where the other is not known.
    """

    name: str
    content_md5: str | None = None
    archive_md5: str | None = None

    def difference(self, archive: bytes, content: bytes) -> str | None:
        """What is wrong with the file, or None."""
        by_content = self.content_md5 is not None
        expected = self.content_md5 if by_content else self.archive_md5
        received = hashlib.md5(content if by_content else archive).hexdigest()
        if received == expected:
            return None
        what = "content" if by_content else "file"
        return f"expected md5 {expected} of the {what}, received {received}"


def load(folder: str, file: RemoteFile, mirrors: Sequence[str], download: bool) -> bytes:
    """The decompressed content of `file`, from the data home, the cache or a mirror.

    Raises FileError for a damaged file in the data home, and where there is none and no download.
    """
    own = config.data_home / folder / file.name
    if own.exists():
        return _verified(own, file)
    cached = cache_folder() / folder / file.name
    if cached.exists():
        with contextlib.suppress(FileError) if download else contextlib.nullcontext():
            return _verified(cached, file)
    if not download:
        raise FileError(
            f"{file.name} is neither in {own.parent} nor in {cached.parent}",
            cure=_cure(folder) + ", or download=True",
        )
    return _fetch(cached, file, mirrors)


def contents(path: str | os.PathLike[str]) -> bytes:
    """The content of a file, decompressed if it is gzip. Raises FileError."""
    try:
        return decompressed(Path(path).read_bytes(), str(path))
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"cannot read {path}: {error.strerror}") from error


def decompressed(archive: bytes, name: str) -> bytes:
    """`archive` decompressed if it is gzip. Raises FileError where it is damaged."""
    if not archive.startswith(GZIP_MAGIC):
        return archive
    try:
        return gzip.decompress(archive)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FileError(f"{name} is truncated or damaged: {error}") from error


def cache_folder() -> Path:
    """Where downloads are kept."""
    return Path("~/.cache/twinoar/dataset").expanduser()


def _verified(path: Path, file: RemoteFile) -> bytes:
    archive = path.read_bytes()
    content = decompressed(archive, str(path))
    difference = file.difference(archive, content)
    if difference is not None:
        raise FileError(
            f"{path} is not what it should be: {difference}",
            cure="remove it, or pass its path as an argument to read it as it is",
        )
    return content


def _fetch(path: Path, file: RemoteFile, mirrors: Sequence[str]) -> bytes:
    """Download to `path` from the first mirror that serves the file whole."""
    failures = []
    for mirror in mirrors:
        try:
            archive = fetch(mirror + file.name)
            content = decompressed(archive, mirror + file.name)
        except OSError as error:  # of the network, and a damaged archive
            failures.append(f"{mirror}: {getattr(error, 'reason', None) or error}")
            continue
        difference = file.difference(archive, content)
        if difference is None:
            write_atomically(path, archive)
            return content
        failures.append(f"{mirror}: {difference}")
    raise FileError(
        f"cannot download {file.name}: {'; '.join(failures)}", cure=_cure(path.parent.name)
    )


def _cure(folder: str) -> str:
    return (
        f"set TWINOAR_DATA_HOME to a folder that has {folder}/ with the files, "
        "or give their paths as arguments"
    )
