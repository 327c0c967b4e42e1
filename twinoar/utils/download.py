"""Files that are downloaded once and kept: weights, and what `twinoar.hub` loads."""

from __future__ import annotations

import hashlib
import urllib.parse
from pathlib import Path

from twinoar import config
from twinoar.errors import ArgumentError, FileError
from twinoar.formats.atomic import write_atomically
from twinoar.formats.fetch import fetch

ARCHIVES = (".tar", ".gz", ".tgz", ".zip")


def get_weights_path_from_url(url: str, md5sum: str | None = None) -> str:
    """The path of a file of weights, downloaded to `<data home>/weights` if it is not there.

    md5sum: of its content. Raises FileError where it cannot be had, or is another, ArgumentError
    for what is no URL, and for archives: only files that `twinoar.load` reads are kept.
    """
    if url.endswith(ARCHIVES):
        raise ArgumentError(
            f"{url} is an archive, and archives are not unpacked",
            cure="unpack it yourself, and load the file in it",
        )
    return str(cached(url, config.data_home / "weights", md5=md5sum))


def cached(
    url: str,
    folder: Path,
    name: str | None = None,
    *,
    md5: str | None = None,
    sha256: str | None = None,
    again: bool = False,
) -> Path:
    """The path of what `url` has, in `folder`, where it is downloaded to if it is not there.

    md5, sha256: what the digest of its content begins with. again: download it in any case.
    """
    parts = urllib.parse.urlsplit(url)
    name = name or Path(parts.path).name
    if not parts.scheme or not name:
        raise ArgumentError(
            f"expected the URL of a file, received {url!r}", cure="write https://host/path/name"
        )
    path = folder / name
    if path.exists() and not again and not _difference(path.read_bytes(), md5, sha256):
        return path
    try:
        content = fetch(url)
    except OSError as error:
        raise FileError(
            f"cannot download {url}: {getattr(error, 'reason', None) or error}",
            cure=f"put the file at {path}",
        ) from error
    wrong = _difference(content, md5, sha256)
    if wrong:
        raise FileError(
            f"{url} is not what it should be: {wrong}", cure="ask whoever gave you the digest"
        )
    write_atomically(path, content)
    return path


def _difference(content: bytes, md5: str | None, sha256: str | None) -> str | None:
    """What is wrong with content, or None."""
    for name, expected in (("md5", md5), ("sha256", sha256)):
        received = hashlib.new(name, content).hexdigest()
        if expected is not None and not received.startswith(expected):
            return f"expected {name} {expected}, received {received}"
    return None


__all__ = ["get_weights_path_from_url"]
