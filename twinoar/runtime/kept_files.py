"""Files that a later process relies on: sealed under a key, in a folder that is the user's own.

What is kept is run, or chosen by. So an entry begins with the digest of its key and of the rest:
one that was cut short, changed, or lies under the name of another is as good as none. And nothing
is read from, or written to, a folder in which somebody else could have put it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import warnings
from pathlib import Path

DIGEST_BYTES = hashlib.sha256().digest_size
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
OF_THE_USER = 0o700


def sealed(key: str, data: bytes) -> bytes:
    """The entry that keeps `data` under `key`."""
    return _digest(key, data) + data


def opened(key: str, entry: bytes) -> bytes | None:
    """The data of an entry, or None where it is not sound, or of another key."""
    data = entry[DIGEST_BYTES:]
    return data if entry[:DIGEST_BYTES] == _digest(key, data) else None


def _digest(key: str, data: bytes) -> bytes:
    name = key.encode()
    return hashlib.sha256(len(name).to_bytes(8, "little") + name + data).digest()


def distrusted(status: os.stat_result) -> str | None:
    """Why what a file or folder of this status holds may be somebody else's; None if it is not."""
    if not hasattr(os, "geteuid"):
        return None
    if status.st_uid not in (os.geteuid(), 0):
        return f"it belongs to user {status.st_uid}"
    if status.st_mode & WRITABLE_BY_OTHERS:
        return "others may write to it"
    return None


def refusal(*folders: Path) -> str | None:
    """Why these folders keep nothing, in a sentence's end; None where they do, or are not there."""
    for folder in folders:
        try:
            reason = distrusted(folder.stat())
        except OSError:
            continue
        if reason is not None:
            return f"{folder} is not safe, {reason}"
    return None


def make(folder: Path, *inner: Path) -> None:
    """Make the folder, and those inside it, for the user alone. Raises OSError."""
    for each in (folder, *inner):
        each.mkdir(mode=OF_THE_USER, parents=True, exist_ok=True)


def replace(path: Path, entry: bytes) -> None:
    """Write the file as a whole, for the user alone: who reads it meanwhile sees one or the other.

    Raises OSError.
    """
    beside = path.with_name(f"{os.urandom(8).hex()}.tmp")
    try:
        with open(beside, "xb", opener=functools.partial(os.open, mode=0o600)) as file:
            file.write(entry)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


@functools.cache
def warn(what: str, reason: str) -> None:
    """Warn once that something is not kept."""
    warnings.warn(
        f"{what} is not kept: {reason}; name another folder in TWINOAR_CACHE_DIR, or take the "
        "permission from others",
        stacklevel=3,
    )
