"""Tables in files: one file for each server, and a manifest that says which belong together.

Files of a checkpoint are new ones; the manifest takes its name last, so what was saved before is
whole until the moment in which the new is.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from twinoar.distributed.ps.rows import server_of
from twinoar.distributed.ps.table import Arrays, Parameter, Sparse, Table
from twinoar.errors import FileError
from twinoar.formats.atomic import write_atomically

MANIFEST, FORMAT = "manifest.json", "twinoar tables 1"
META = "meta"
Kept = Mapping[str, Any]  # Parameters and Sparses by the name of the table
BY_ROW = ("ids", "rows", "sights", "is_in", "weights", "memory")


def write_shard(file: Path, kept: Kept, meta: Mapping[str, Any]) -> int:
    """Write what one server keeps into a file; its bytes. Raises FileError."""
    names = list(kept)
    arrays: Arrays = {
        f"{n}/{field}": a
        for n, name in enumerate(names)
        for field, a in kept[name].arrays().items()
    }
    text = json.dumps({**meta, "format": FORMAT, "tables": names})

    def write(stream: BinaryIO) -> None:
        np.savez(stream, **{META: np.frombuffer(text.encode(), np.uint8)}, **arrays)  # type: ignore[arg-type]

    write_atomically(file, write)
    return file.stat().st_size


def read_shard(file: Path) -> tuple[dict[str, Any], dict[str, Arrays]]:
    """What `write_shard` wrote: the meta data, and arrays by table. Raises FileError."""
    try:
        with np.load(file, allow_pickle=False) as found:
            meta = json.loads(found[META].tobytes())
            names = meta["tables"]
            tables: dict[str, Arrays] = {name: {} for name in names}
            for key in found.files:
                number, _, field = key.partition("/")
                if key != META:
                    tables[names[int(number)]][field] = found[key]
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror or error}") from error
    except (ValueError, KeyError, IndexError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise FileError(
            f"{file} is no shard of tables, or damaged: {error}", cure="load another checkpoint"
        ) from None
    if meta.get("format") != FORMAT:
        raise FileError(f"{file} is of the format {meta.get('format')!r}, expected {FORMAT!r}")
    return meta, tables


def write_manifest(
    folder: Path, generation: str, tables: Sequence[Table], files: Sequence[Mapping[str, Any]]
) -> None:
    """Let a checkpoint be those files from now on, and delete the files of older ones."""
    content = {
        "format": FORMAT,
        "generation": generation,
        "tables": [
            {"name": t.name, "kind": t.kind, "shape": list(t.shape), "dtype": t.dtype}
            for t in tables
        ],
        "files": list(files),
    }
    write_atomically(folder / MANIFEST, json.dumps(content, indent=1).encode())
    current = {f["file"] for f in files}
    for old in folder.glob("shard-*.npz"):
        if old.name not in current:
            old.unlink(missing_ok=True)


def shard_name(generation: str, server: int, servers: int) -> str:
    """The file of one server.

    >>> shard_name("7f", 0, 2)
    'shard-0-of-2-7f.npz'
    """
    return f"shard-{server}-of-{servers}-{generation}.npz"


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a checkpoint. Raises FileError where there is none, or a file is missing."""
    file = folder / MANIFEST
    try:
        found: dict[str, Any] = json.loads(file.read_text())
        files = [(f["file"], f["bytes"]) for f in found["files"]]
        tables = [(t["name"], t["kind"], t["shape"], t["dtype"]) for t in found["tables"]]
    except OSError as error:
        raise FileError(
            f"{folder} has no checkpoint of tables: {error.strerror}",
            cure="name a folder in which fleet.save_persistables has saved",
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(f"{file} is no manifest of tables, or damaged: {error}") from None
    for name, size in files:
        there = folder / name
        if Path(name).name != name or not there.is_file() or there.stat().st_size != size:
            raise FileError(f"{file} names {name} of {size} bytes, which is not there")
    if found.get("format") != FORMAT or len(tables) == 0:
        raise FileError(f"{file} is of the format {found.get('format')!r}, expected {FORMAT!r}")
    return found


def load_checkpoint(folder: Path, kept: Kept, server: int, servers: int) -> int:
    """Fill what a server keeps from a checkpoint of any number of servers; how many rows.

    Nothing is changed where a file is damaged, or does not fit. Raises FileError.
    """
    manifest = read_manifest(folder)
    _check(manifest, kept, folder)
    files = [f["file"] for f in manifest["files"]]
    parts = [read_shard(folder / file)[1] for file in _first_own(files, server, servers)]
    for table in kept.values():
        if isinstance(table, Sparse):
            table.clear()
    for name, arrays in _fields(parts):
        table = kept.get(name)
        if isinstance(table, Parameter) and "value" in arrays:
            table.load(arrays)
        elif isinstance(table, Sparse):
            own = server_of(arrays["ids"], servers) == server
            table.load(_rows_of(arrays, own))
    return sum(len(table) for table in kept.values() if isinstance(table, Sparse))


def _first_own(files: list[str], server: int, servers: int) -> list[str]:
    """All files in which rows of a server can be; its own alone where there are as many."""
    return [files[server]] if len(files) == servers else files


def _fields(parts: Sequence[Mapping[str, Arrays]]) -> Iterator[tuple[str, Arrays]]:
    for part in parts:
        yield from part.items()


def _rows_of(arrays: Arrays, own: np.ndarray) -> Arrays:
    """The lines of some rows, with what is remembered of the table as a whole."""
    return {f: a[own] if f.startswith(BY_ROW) else a for f, a in arrays.items()}


def _check(manifest: Mapping[str, Any], kept: Kept, folder: Path) -> None:
    saved = {t["name"]: t for t in manifest["tables"]}
    for name, own in kept.items():
        table = own.table
        if name not in saved:
            raise FileError(
                f"the checkpoint {folder} has no table {name!r}: it has {', '.join(saved)}",
                cure="build the network as it was when the tables were saved",
            )
        found = saved[name]
        if (found["kind"], tuple(found["shape"])) != (table.kind, tuple(table.shape)):
            raise FileError(
                f"{name} is {found['kind']}{found['shape']} in {folder}, and "
                f"{table.kind}{list(table.shape)} here"
            )
