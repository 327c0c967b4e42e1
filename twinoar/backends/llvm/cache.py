"""Machine code on disk, so that what one process has compiled no other compiles again.

An entry is a file that is named by its key, and sealed under it. Any number of processes may read
and write at the same time; the folder may be emptied at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from pathlib import Path

from twinoar import config
from twinoar.runtime import kept_files

FOLDER = "code"
WHAT = "compiled code"
LIMIT_BYTES = 512 << 20
DAY_SECONDS = 24 * 60 * 60
# Writing one entry in 256 makes room: the keys, digests in hexadecimal, are evenly spread.
PRUNING_KEYS = "00"


def key_of(*parts: str) -> str:
    """The key of what depends on these texts: a digest, different for all that differ."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def get(key: str) -> bytes | None:
    """What was put under the key, or None if nothing was or it is not sound any more."""
    if _is_refused():
        return None
    path = _folder() / key
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if kept_files.distrusted(status) is not None:
                return None
            entry = file.read()
    except OSError:
        return None
    data = kept_files.opened(key, entry)
    if data is not None and time.time() - status.st_mtime > DAY_SECONDS:
        with contextlib.suppress(OSError):  # another process made room, or we may only read
            os.utime(path)
    return data


def put(key: str, data: bytes) -> None:
    """Keep the data under the key. A warning says, once, where that is not possible or safe."""
    if _is_refused():
        return
    folder = _folder()
    try:
        kept_files.make(config.cache_dir, folder)
        kept_files.replace(folder / key, kept_files.sealed(key, data))
    except OSError as failure:
        kept_files.warn(WHAT, f"{folder} cannot be written: {failure.strerror}")
        return
    if key.startswith(PRUNING_KEYS):
        prune(LIMIT_BYTES)


def prune(limit_bytes: int) -> None:
    """Delete the entries that were used least recently, by the day, until a limit is kept."""
    entries = []
    with contextlib.suppress(OSError), os.scandir(_folder()) as found:
        for entry in found:
            with contextlib.suppress(OSError):  # another process is faster
                status = entry.stat()
                entries.append((status.st_mtime, status.st_size, entry.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= limit_bytes:
            return
        total -= size
        with contextlib.suppress(OSError):
            Path(path).unlink()


def _folder() -> Path:
    return config.cache_dir / FOLDER


def _is_refused() -> bool:
    """If others could have put something into the folder; a warning says so, once."""
    reason = kept_files.refusal(config.cache_dir, _folder())
    if reason is not None:
        kept_files.warn(WHAT, reason)
    return reason is not None
