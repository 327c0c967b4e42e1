"""Files that are downloaded once and kept: weights, and what `twinoar.hub` loads."""

from __future__ import annotations

import hashlib
import logging
import shutil
import tarfile
import tempfile
import urllib.parse
import zipfile
from collections.abc import Iterable
from os import PathLike
from pathlib import Path, PurePosixPath

from twinoar import config
from twinoar.errors import ArgumentError, FileError
from twinoar.formats.atomic import write_atomically
from twinoar.formats.fetch import fetch

logger = logging.getLogger(__name__)
URLS = ("http://", "https://")


def is_url(path: str) -> bool:
    """True for what is found in the network.

    >>> is_url("https://host/file"), is_url("file:///file")
    (True, False)
    """
    return path.startswith(URLS)


def get_weights_path_from_url(url: str, md5sum: str | None = None) -> str:
    """The path of a file of weights, downloaded to `<data home>/weights` if it is not there.

    See `get_path_from_url`.
    """
    return get_path_from_url(url, config.data_home / "weights", md5sum)


def get_path_from_url(
    url: str,
    root_dir: str | PathLike[str],
    md5sum: str | None = None,
    check_exist: bool = True,
    decompress: bool = True,
    method: str = "get",
) -> str:
    """The path of a file, downloaded to `root_dir` if it is not there.

    url: of a file; a path of this machine is taken where it lies. md5sum: of its content.
    check_exist: False downloads it in any case. decompress: an archive, tar or zip, is unpacked,
    and the path is that of the folder or the only file in it. method: "get" or "wget", there is one
    way. Raises FileError where it cannot be had, or is another, ArgumentError for what is no URL.
    """
    path = _local(url, md5sum) or cached(url, Path(root_dir), md5=md5sum, again=not check_exist)
    is_archive = decompress and (tarfile.is_tarfile(path) or zipfile.is_zipfile(path))
    return str(unpacked(path, again=not check_exist) if is_archive else path)


def _local(url: str, md5: str | None) -> Path | None:
    """The file whose path `url` is; None where it is none."""
    path = Path(url)
    if "://" in url or not path.is_file():
        return None
    wrong = _difference(path.read_bytes(), md5, None)
    if wrong:
        raise FileError(f"{path} is not what it should be: {wrong}", cure="get the file anew")
    return path


def _decompress(fname: str) -> str:
    """The path of what an archive has, unpacked beside it."""
    return str(unpacked(Path(fname)))


def _get_unique_endpoints(trainer_endpoints: Iterable[str]) -> set[str]:
    """The first of the endpoints "host:port" of each host.

    >>> sorted(_get_unique_endpoints(["a:1", "a:2", "b:1"]))
    ['a:1', 'b:1']
    """
    first: dict[str, str] = {}
    for endpoint in trainer_endpoints:
        first.setdefault(endpoint.partition(":")[0], endpoint)
    return set(first.values())


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


def unpacked(archive: Path, name: str | None = None, again: bool = False) -> Path:
    """What an archive has, beside it, where it is unpacked to if it is not there.

    name: of the folder; None means that of the only folder or file in the archive, and of the
    archive itself where it has several. Raises FileError for a damaged archive, and for one whose
    files would lie elsewhere.
    """
    try:
        tops = _tops(archive)
        only = name or (tops.pop() if len(tops) == 1 else None)
        target = archive.parent / (only or archive.stem)
        if target.exists() and not again:
            return target
        with tempfile.TemporaryDirectory(dir=archive.parent) as temporary:
            inside = Path(temporary) / "inside"
            _extract(archive, inside)
            found = list(inside.iterdir())
            if target.is_dir():
                shutil.rmtree(target)
            (found[0] if len(found) == 1 else inside).replace(target)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise FileError(f"cannot unpack {archive}: {error}", cure="remove it") from error
    return target


def _tops(archive: Path) -> set[str]:
    """The folders and files at the top of an archive."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as file:
            names = file.namelist()
    else:
        with tarfile.open(archive) as tar:
            names = tar.getnames()
    found = {parts[0] for parts in (PurePosixPath(name).parts for name in names) if parts}
    if found & {"..", "/"}:
        raise FileError(f"{archive} has files that would lie elsewhere", cure="remove it")
    return found


def _extract(archive: Path, folder: Path) -> None:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as file:
            file.extractall(folder)  # which leaves out .. and roots
        return
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")


def _difference(content: bytes, md5: str | None, sha256: str | None) -> str | None:
    """What is wrong with content, or None."""
    for name, expected in (("md5", md5), ("sha256", sha256)):
        received = hashlib.new(name, content).hexdigest()
        if expected is not None and not received.startswith(expected):
            return f"expected {name} {expected}, received {received}"
    return None


__all__ = ["get_path_from_url", "get_weights_path_from_url", "is_url"]
