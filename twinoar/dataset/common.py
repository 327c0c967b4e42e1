"""Where the files of data sets are, and readers that keep their samples in files.

A file is looked for in `<data home>/<module>` (TWINOAR_DATA_HOME), then in the cache
`~/.cache/twinoar/dataset/<module>`, and is downloaded there; its md5 is checked.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import io
import pickle
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from os import PathLike
from pathlib import Path
from typing import IO, Any

from twinoar import config
from twinoar.errors import ArgumentError, FileError
from twinoar.reader import Reader
from twinoar.vision.datasets.download import RemoteFile, cache_folder, contents, load

DATA_HOME = str(cache_folder())

_own: ContextVar[tuple[Mapping[str, str | PathLike[str]], bool]] = ContextVar(
    "twinoar_own_files", default=({}, True)
)


@contextlib.contextmanager
def own_files(files: Mapping[str, str | PathLike[str]], download: bool = True) -> Iterator[None]:
    """In this block readers take the files that are named from these paths, unchecked.

    download: whether other files may be downloaded.
    """
    token = _own.set((files, download))
    try:
        yield
    finally:
        _own.reset(token)


def content(url: str, module_name: str, md5sum: str, save_name: str | None = None) -> bytes:
    """The content of a file, decompressed if it is gzip: its own, or from the cache or `url`.

    Raises FileError, which names the file and the folders, where it cannot be had.
    """
    mirror, _, name = url.rpartition("/")
    file = RemoteFile(save_name or name, archive_md5=md5sum)
    own, allowed = _own.get()
    if file.name in own:
        return contents(own[file.name])
    try:
        return load(module_name, file, [f"{mirror}/"], allowed)
    except FileError as error:
        if (config.data_home / module_name / file.name).exists():
            raise
        cure = f"set TWINOAR_DATA_HOME to a folder that has {module_name}/{file.name}"
        raise FileError(error.message, cure=cure) from error


def archive(
    url: str, module_name: str, md5sum: str, save_name: str | None = None
) -> tarfile.TarFile:
    """The tar archive in a file; see `content`."""
    data = content(url, module_name, md5sum, save_name)
    return tarfile.open(fileobj=io.BytesIO(data))


def package(url: str, module_name: str, md5sum: str) -> zipfile.ZipFile:
    """The zip archive in a file; see `content`."""
    return zipfile.ZipFile(io.BytesIO(content(url, module_name, md5sum)))


def member(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    """A file in an archive. Raises ArgumentError where there is none."""
    found = tar.extractfile(name) if name in tar.getnames() else None
    if found is None:
        raise ArgumentError(f"the archive has no file {name}")
    return found


def download(url: str, module_name: str, md5sum: str, save_name: str | None = None) -> str:
    """The path of a file, downloaded if it is not there. Raises FileError."""
    content(url, module_name, md5sum, save_name)
    name = save_name or url.rpartition("/")[2]
    own = config.data_home / module_name / name
    return str(own if own.exists() else cache_folder() / module_name / name)


def md5file(fname: str) -> str:
    """The md5 of a file."""
    return hashlib.md5(Path(fname).read_bytes()).hexdigest()


def split(
    reader: Reader,
    line_count: int,
    suffix: str = "%05d.pickle",
    dumper: Callable[[Any, IO[bytes]], Any] = pickle.dump,
) -> None:
    """Write the samples of a reader to files of `line_count` samples each, named by `suffix`."""
    if "%" not in suffix:
        raise ArgumentError(f"suffix must have a place for the number, received {suffix!r}")
    samples: list[Any] = []
    number = 0
    for sample in reader():
        samples.append(sample)
        if len(samples) == line_count:
            _dump(samples, suffix % number, dumper)
            samples, number = [], number + 1
    if samples:
        _dump(samples, suffix % number, dumper)


def cluster_files_reader(
    files_pattern: str,
    trainer_count: int,
    trainer_id: int,
    loader: Callable[[IO[bytes]], Any] = pickle.load,
) -> Reader:
    """A reader of the samples in every `trainer_count`-th of the files that match a pattern.

    The files must be your own: what pickle reads may run code.
    """

    def read() -> Iterator[Any]:
        # glob, as Path.glob takes no absolute patterns.
        for path in sorted(glob.glob(files_pattern))[trainer_id::trainer_count]:  # noqa: PTH207
            with Path(path).open("rb") as file:
                yield from loader(file)

    return read


def _dump(samples: Sequence[Any], path: str, dumper: Callable[[Any, IO[bytes]], Any]) -> None:
    with Path(path).open("wb") as file:
        dumper(samples, file)


__all__ = ["DATA_HOME", "cluster_files_reader", "download", "md5file", "split"]
