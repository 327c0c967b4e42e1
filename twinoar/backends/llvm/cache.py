"""Machine code on disk, so that what one process has compiled no other compiles again.

An entry is a file that is named by its key, and begins with the digest of the rest: one that was
cut short, or changed, is as good as none. Any number of processes may read and write at the same
time; the folder may be emptied at any time.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import secrets
import time
import warnings
from pathlib import Path

from twinoar import config

FOLDER = "code"
LIMIT_BYTES = 512 << 20
DIGEST_BYTES = hashlib.sha256().digest_size
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
    path = _folder() / key
    try:
        with path.open("rb") as file:
            entry = file.read()
            age_seconds = time.time() - os.fstat(file.fileno()).st_mtime
    except OSError:
        return None
    digest, data = entry[:DIGEST_BYTES], entry[DIGEST_BYTES:]
    if hashlib.sha256(data).digest() != digest:
        return None
    if age_seconds > DAY_SECONDS:
        with contextlib.suppress(OSError):  # another process made room, or we may only read
            os.utime(path)
    return data


def put(key: str, data: bytes) -> None:
    """Keep the data under the key. Where the folder cannot be written a warning says so, once."""
    folder = _folder()
    beside = folder / f"{secrets.token_hex(8)}.tmp"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside.write_bytes(hashlib.sha256(data).digest() + data)
        beside.replace(folder / key)
    except OSError as failure:
        with contextlib.suppress(OSError):
            beside.unlink()
        _warn(folder, failure.strerror)
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


@functools.cache
def _warn(folder: Path, reason: str | None) -> None:
    warnings.warn(
        f"compiled code is not kept: {folder} cannot be written: {reason}; "
        f"name another folder in TWINOAR_CACHE_DIR",
        stacklevel=2,
    )
