"""Writing files so that a reader finds either the old or the new content, never half of one.

The data go into a file beside the target, reach the disk, and then take the target's name in one
step.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from twinoar.errors import FileError, TypeMismatchError
from twinoar.formats import unfinished

StrPath = str | os.PathLike[str]

# The content, or a function that writes it into the file it is given.
Data = bytes | bytearray | memoryview | Callable[[BinaryIO], object]


def path_text(path: object) -> str:
    """A path as text. Raises TypeMismatchError for what is neither text nor a path."""
    name = os.fspath(path) if isinstance(path, (str, os.PathLike)) else path
    if not isinstance(name, str):
        raise TypeMismatchError(
            f"expected a path, received {path!r} ({type(path).__name__})",
            cure="give a string or a pathlib.Path",
        )
    return name


def write_atomically(path: StrPath, data: Data) -> None:
    """Write `data` to the file `path`, whose folder is made if there is none.

    If anything fails the old file stays as it was and nothing else is left. Raises FileError if the
    file cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(f"{folder}/new/x.bin", b"content")
    ...     open(f"{folder}/new/x.bin", "rb").read()
    b'content'
    """
    with AtomicFiles() as files:
        files.write(path, data)


class AtomicFiles:
    """Several files that belong together, which appear when the `with` block ends without an error.

    It changes with each `write`. Should a rename fail, the files before it get their old content
    again. Should the process die while it renames, who comes next ends that: see `unfinished`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, AtomicFiles() as files:
    ...     files.write(f"{folder}/model", b"model")
    ...     files.write(f"{folder}/params", b"params")
    ...     os.path.exists(f"{folder}/params")
    False
    """

    def __init__(self) -> None:
        self._written: list[tuple[Path, Path]] = []  # (beside, target)
        self._open: list[int] = []  # what tells other processes that this one lives
        self._folders: list[Path] = []  # made here, outermost first

    def write(self, path: StrPath, data: Data) -> None:
        """Write `data` beside `path`; FileError if that fails."""
        name = path_text(path)
        if not name or name.endswith(("/", os.sep)) or "\0" in name:
            raise FileError(
                f"expected the path of a file, received {name!r}", cure="add a file name"
            )
        try:
            self._write(Path(os.path.realpath(name)), data, name)
        except OSError as failure:
            if isinstance(failure, FileError):
                raise
            raise file_error(name, failure) from failure

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        outer = _outer.get()
        try:
            if kind is None and outer is not None and outer is not self:
                outer._take_over(self)
            elif kind is None:
                self._commit()
                self._folders.clear()
        finally:
            self._discard()

    def _take_over(self, inner: AtomicFiles) -> None:
        self._written += inner._written
        self._open += inner._open
        self._folders += inner._folders
        inner._written, inner._open, inner._folders = [], [], []

    def _write(self, target: Path, data: Data, name: str) -> None:
        mode = mode_of(target, name)
        self._make_folders(target.parent)
        if all(target.parent != other.parent for _, other in self._written):
            unfinished.settle(target)
        beside, descriptor = unfinished.made(target.parent, "tmp")
        self._written.append((beside, target))
        self._open.append(os.dup(descriptor))
        with os.fdopen(descriptor, "wb") as file:
            if callable(data):
                data(file)
            else:
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            beside.chmod(mode)

    def _make_folders(self, folder: Path) -> None:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        for place in reversed(missing):
            place.mkdir(exist_ok=True)
            self._folders.append(place)

    def _commit(self) -> None:
        """Rename all files; where one cannot be, put back those that were replaced before it."""
        renamed: list[tuple[Path, Path | None]] = []  # (target, another name of its old content)
        lists = self._lists()
        for beside, target in self._written:
            try:
                old = _second_name(target, beside) if len(self._written) > 1 else None
                renamed.append((target, old))
                beside.replace(target)
            except BaseException as failure:
                _remove(lists)
                _put_back(renamed, still_there=target)
                if isinstance(failure, OSError):
                    raise file_error(target, failure) from failure
                raise
        for target, old in renamed:
            if old is not None:
                old.unlink(missing_ok=True)
            sync_folder(target.parent)
        _remove(lists)

    def _lists(self) -> list[Path]:
        """Say in each folder what is about to be renamed, where that is more than one file."""
        folders: dict[Path, list[tuple[Path, Path]]] = {}
        for beside, target in self._written:
            folders.setdefault(target.parent, []).append((beside, target))
        lists = []
        for folder, renames in folders.items():
            if len(renames) > 1:
                path, descriptor = unfinished.write_list(renames)
                lists.append(path)
                self._open.append(descriptor)
                sync_folder(folder)
        return lists

    def _discard(self) -> None:
        """Remove what was written and made, unless it was renamed or is in use."""
        for beside, _ in self._written:
            beside.unlink(missing_ok=True)
        for folder in reversed(self._folders):
            if not any(folder.iterdir()):
                folder.rmdir()
        for descriptor in self._open:
            os.close(descriptor)
        self._written, self._folders, self._open = [], [], []


_outer: ContextVar[AtomicFiles | None] = ContextVar("files that appear together", default=None)


@contextmanager
def together() -> Iterator[None]:
    """All files that are written inside the `with` block appear when it ends without an error."""
    with AtomicFiles() as files:
        before = _outer.set(files)
        try:
            yield
        except BaseException:
            _outer.reset(before)
            raise
        _outer.reset(before)


def _remove(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _second_name(target: Path, beside: Path) -> Path | None:
    """Another name for the file that is about to be replaced, or None if there is none."""
    if not target.exists():
        return None
    name = beside.with_suffix(".old")
    try:
        name.hardlink_to(target)
    except OSError:  # file systems without links
        import shutil

        shutil.copy2(target, name)
    return name


def _put_back(renamed: list[tuple[Path, Path | None]], still_there: Path) -> None:
    """The old files under their names; `still_there` has not been replaced."""
    for target, old in reversed(renamed):
        if target == still_there:
            if old is not None:
                old.unlink()
        elif old is not None:
            old.replace(target)
        else:
            target.unlink()


def mode_of(target: Path, name: str) -> int | None:
    """The permissions of the file that is replaced, or None if there is none."""
    if not target.exists():
        return None
    status = target.stat()
    if stat.S_ISDIR(status.st_mode):
        raise FileError(f"{name} is a directory", cure="give the path of a file in it")
    if not stat.S_ISREG(status.st_mode):
        raise FileError(f"{name} is not a regular file", cure="give the path of a regular file")
    if not os.access(target, os.W_OK):
        raise FileError(f"{name} is write-protected", cure="make it writable, or give another path")
    return stat.S_IMODE(status.st_mode)


def sync_folder(folder: Path) -> None:
    """Make the new name durable, where the system can: Windows cannot open folders."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def file_error(path: StrPath, failure: OSError) -> FileError:
    """The error of a file that the system does not let one write."""
    reason = failure.strerror or str(failure)
    return FileError(
        f"cannot write {os.fspath(path)}: {reason}",
        cure="check the folder, its permissions and the free space, or give another path",
    )
