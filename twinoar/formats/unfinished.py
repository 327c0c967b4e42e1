"""What a process leaves that dies while it writes files, and how the next one ends its work.

Files that belong together are written beside their targets. When all have reached the disk, a list
of them is written, `.twinoar-*.list`; then each is renamed, and the list removed. A process that
dies before the list is there has changed nothing: its files are litter. One that dies later has
decided: whoever comes next, to read or to write in that folder, renames what is left, so that all
files are of one save. A process holds a lock on its files as long as it lives: so others know.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from twinoar.errors import FileError

try:
    import fcntl
except ImportError:  # Windows, where the system says whether a file is in use
    fcntl = None  # type: ignore[assignment]

OWN = re.compile(r"\.twinoar-[0-9a-f]{16}\.(tmp|old|list)")
DOTS = ("", ".", "..")
WAITING_SECONDS = 60.0  # for another process, which renames what it has written
PAUSE_SECONDS = 0.01


def held(descriptor: int) -> bool:
    """Lock an open file, as long as the descriptor is open; False if another process has."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: nothing is known of others
        return True
    return True


def made(folder: Path, ending: str) -> tuple[Path, int]:
    """Make a file of our own in a folder; returns it, open and locked."""
    while True:
        path = folder / f".twinoar-{os.urandom(8).hex()}.{ending}"
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        # Until it is locked, another process may take the file for litter, lock it and remove it.
        # Once it is locked under its name, none does.
        if held(descriptor) and _has_name(descriptor, path):
            return path, descriptor
        os.close(descriptor)


def _has_name(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def write_list(renames: Sequence[tuple[Path, Path]]) -> tuple[Path, int]:
    """Write the list of what is about to be renamed in one folder; returns it, open and locked."""
    path, descriptor = made(renames[0][0].parent, "list")
    names = [[source.name, target.name] for source, target in renames]
    os.write(descriptor, json.dumps(names).encode())
    os.fsync(descriptor)
    return path, descriptor


def settle(path: str | os.PathLike[str]) -> None:
    """End what processes that died have left in the folder of `path`, so that its files agree.

    Raises FileError where another process renames files there and does not come to an end.
    """
    folder = Path(os.path.realpath(path)).parent
    left = _left(folder)
    if not left:
        return
    lists = [name for name in left if name.endswith(".list")]
    for name in lists:
        _end(folder / name)
    for name in left:
        if not name.endswith(".list"):
            _remove_litter(folder / name)


def _left(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return [entry.name for entry in found if OWN.fullmatch(entry.name)]
    except OSError:
        return []


def _end(path: Path) -> None:
    """Rename what is left of a list, once its process is gone."""
    deadline = time.monotonic() + WAITING_SECONDS
    while True:
        with _opened(path) as descriptor:
            if descriptor is None:
                return
            if held(descriptor):
                _rename(path, descriptor)
                return
        if time.monotonic() > deadline:
            raise FileError(
                f"another process has been writing in {path.parent} for a minute",
                cure="wait for its end, or end it",
            )
        time.sleep(PAUSE_SECONDS)


def _rename(path: Path, descriptor: int) -> None:
    for source, target in _read(descriptor):
        with contextlib.suppress(FileNotFoundError):  # it has been
            (path.parent / source).replace(path.parent / target)
    with contextlib.suppress(FileNotFoundError):
        path.unlink()


def _read(descriptor: int) -> list[tuple[str, str]]:
    """The renames that a list names: none where it was cut short, for then none has begun.

    A list of other files than our own, or in other folders, has come with files of somebody else.
    """
    with os.fdopen(os.dup(descriptor), "rb") as file:
        try:
            found = [(str(source), str(target)) for source, target in json.loads(file.read())]
        except (ValueError, TypeError):
            return []
    is_own = all(OWN.fullmatch(a) and b == Path(b).name and b not in DOTS for a, b in found)
    return found if is_own else []


def _remove_litter(path: Path) -> None:
    """Remove a file that was to be renamed, unless the process that writes it lives."""
    with _opened(path) as descriptor:
        if descriptor is not None and held(descriptor):
            with contextlib.suppress(OSError):
                path.unlink()


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int | None]:
    """The descriptor of a file; None where it is gone, or is not ours to touch."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)
