"""Checkpoints in a folder: `<rank>_<number>.distcp` has what a rank writes, each part once.

The tensor files are Paddle's: those of one rank are read in both directions by `paddle.load`. What
Paddle keeps beside them, a pickle of its own classes, is neither read nor written; where a tensor
is divided, `<number>.parts` says where each part lies. So a checkpoint loads on other ranks than
have written it.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.values import Value as Tensor
from twinoar.distributed.checkpoint_files import CheckpointFiles
from twinoar.distributed.group import Group, communicator_of, member
from twinoar.distributed.sharded_weight import ShardedWeight, part_on_mesh, whole_weight
from twinoar.eager.tensor import to_tensor
from twinoar.errors import (
    ArgumentError,
    FileError,
    ShapeError,
    TypeMismatchError,
    UnknownNameError,
)
from twinoar.errors import UnsupportedError as Unsupported
from twinoar.export.objects import load, save
from twinoar.formats import unfinished

Placed = dict[str, tuple[str, tuple[int, ...], tuple[int, ...]]]  # dtype, whole shape, offset
FILE = re.compile(r"(\d+)_(\d+)\.distcp")


def save_state_dict(
    state_dict: Mapping[str, Any],
    path: str,
    process_group: Group | None = None,
    coordinator_rank: int = 0,
    unique_id: int | None = None,
    async_save: bool = False,
    safetensors: bool = False,
    save_replicas: bool = False,
) -> None:
    """Save tensors, and dicts of them, in the folder `path`.

    All processes of the group call it. A tensor that all have is written once; one that they divide
    is given as a ShardedWeight (see `build_sharded_state_dict`). unique_id: the checkpoint's
    number, by default the highest that there is, or 0. async_save: what is saved is complete on
    return all the same. The files appear together: after a process has died at any moment, and
    where the disk of one is full, a FileError on all that names it, the old ones are there or the
    new ones. Raises TypeMismatchError for what is no tensor, ArgumentError for a part of a
    tensor-parallel layer that is given as if it were whole.
    """
    there = communicator_of(process_group)
    _refuse_safetensors(safetensors)
    own = {name: _as_part(name, value) for name, value in _flat(state_dict)}
    folder = Path(path)
    with CheckpointFiles(folder, there, coordinator_rank) as together:
        known = max(_numbers(folder), default=0) if unique_id is None else unique_id
        placed = {
            n: (p.local_tensor.dtype.name, p.global_shape, p.global_offset) for n, p in own.items()
        }
        table = there.all_gather_object((known, placed))
        number, everywhere = table[0][0], [parts for _, parts in table]
        mine = {
            n: p.local_tensor
            for n, p in own.items()
            if _writer(everywhere, n, placed[n]) == there.rank
        }
        shapes = there.all_gather_object({n: list(t.shape) for n, t in mine.items()})
        index = _Index(folder, number, everywhere, shapes)

        def files() -> list[tuple[str, bytes]]:
            data = io.BytesIO()
            save(mine, data)
            written = [(f"{there.rank}_{number}.distcp", data.getvalue())]
            return [*written, *index.files()] if there.rank == coordinator_rank else written

        together.written(files)
        together.appear(index.remove_others)


def _as_part(name: str, value: Any) -> ShardedWeight:
    if isinstance(value, ShardedWeight):
        return value
    if value.is_dist() and value._local_value() is not value:
        return part_on_mesh(name, value)
    if getattr(value, "is_distributed", False):
        raise ArgumentError(
            f"state_dict[{name!r}] is a part, of a weight that several processes divide",
            cure="pass build_sharded_state_dict(state_dict, {name: axis, ...})",
        )
    return whole_weight(name, value)


def _writer(everywhere: list[Placed], name: str, place: Any) -> int:
    """The first rank that has a part of a tensor."""
    return next(rank for rank, parts in enumerate(everywhere) if parts.get(name) == place)


class _Index:
    """What a checkpoint holds, and where parts lie. shapes: of what each rank writes, by name."""

    def __init__(
        self,
        folder: Path,
        number: int,
        everywhere: list[Placed],
        shapes: list[dict[str, list[int]]],
    ):
        self._folder, self._number, self._size = folder, number, len(shapes)
        self._whole: dict[str, list[Any]] = {}
        self._parts: dict[str, list[Any]] = {}
        for rank, written in enumerate(shapes):
            for name, shape in written.items():
                dtype, global_shape, offset = everywhere[rank][name]
                self._whole[name] = [dtype, *global_shape]
                self._parts.setdefault(name, []).append([rank, list(offset), shape])
        self._is_divided = any(len(found) > 1 for found in self._parts.values())

    def files(self) -> list[tuple[str, bytes]]:
        """Their names and contents.

        Where files of an earlier checkpoint lie, the parts say which belong to this one, until
        those are removed.
        """
        found = [(f"{self._number}.metadata", json.dumps(self._whole).encode())]
        parts = self._folder / f"{self._number}.parts"
        if self._is_divided or parts.exists() or self._others():
            found.append((parts.name, json.dumps(self._parts).encode()))
        return found

    def remove_others(self) -> None:
        """Remove the files of an earlier checkpoint of more ranks."""
        for file in self._others():
            file.unlink()
        if not self._is_divided:
            (self._folder / f"{self._number}.parts").unlink(missing_ok=True)

    def _others(self) -> list[Path]:
        files = self._folder.glob(f"*_{self._number}.distcp")
        return [f for f in files if int(f.name.partition("_")[0]) >= self._size]


def load_state_dict(
    state_dict: Mapping[str, Any],
    path: str,
    process_group: Group | None = None,
    coordinator_rank: int = 0,
    unique_id: int | None = None,
    offload: bool = False,
    mw_name_compatibility: bool = True,
    aoa_config: Any = None,
    safetensors: bool = False,
    worker_groups: Any = None,
    comm_method: str = "broadcast",
) -> None:
    """Give the tensors of a dict the values that `save_state_dict` has saved under their names.

    Raises FileError for a folder without a checkpoint, UnknownNameError for a tensor that is not in
    it, ShapeError; then nothing is set.
    """
    member(process_group)
    _refuse_safetensors(safetensors)
    if aoa_config:
        raise Unsupported("aoa_config renames and cuts tensors", cure="change the dict instead")
    wanted = {name: _as_part(name, value) for name, value in _flat(state_dict)}
    found = _read(path, unique_id)
    for name, part in wanted.items():
        if name not in found:
            raise UnknownNameError(f"{path} has no {name!r}", cure=f"it has {', '.join(found)}")
        if found[name].shape != list(part.global_shape):
            shape = list(part.global_shape)
            raise ShapeError(f"{name} has shape {shape}, in {path} {found[name].shape}")
    for name, part in wanted.items():
        place = zip(part.global_offset, part.local_shape, strict=True)
        own = (
            found[name][tuple(slice(o, o + n) for o, n in place)]
            if part.local_shape
            else found[name]
        )
        part.write(own.astype(part.local_tensor.dtype))


def load_merged_state_dict(
    path: str,
    prefix: str | None = None,
    unique_id: int | None = None,
    offload: bool = False,
    aoa_config: Any = None,
    safetensors: bool = False,
) -> dict[str, Tensor]:
    """All tensors of a checkpoint, by their names. prefix: those whose names begin with it."""
    _refuse_safetensors(safetensors)
    found = _read(path, unique_id)
    return {name: t for name, t in found.items() if prefix is None or name.startswith(prefix)}


def _flat(state: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The tensors of a dict of dicts, by the names of their places, joined by dots."""
    if not isinstance(state, Mapping):
        raise TypeMismatchError(f"state_dict: expected a dict, received {type(state).__name__}")
    for name, value in state.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, ShardedWeight | Tensor):
            yield prefix + name, value
        else:
            raise TypeMismatchError(
                f"state_dict[{prefix + name!r}]: expected a Tensor or a dict, received "
                f"{type(value).__name__}"
            )


def _numbers(folder: Path) -> set[int]:
    """The numbers of the checkpoints in a folder."""
    names = [p.name for p in folder.iterdir()] if folder.is_dir() else []
    return {int(m[2]) for m in map(FILE.fullmatch, names) if m}


def _read(path: str, unique_id: int | None) -> dict[str, Tensor]:
    folder = Path(path)
    unfinished.settle(folder / "file")
    numbers = _numbers(folder)
    number = max(numbers, default=0) if unique_id is None else unique_id
    if number not in numbers:
        raise FileError(
            f"{path} has no checkpoint {number}", cure="name a folder that save_state_dict wrote"
        )
    if (folder / f"{number}.parts").exists():
        return _joined(folder, number)
    found: dict[str, Tensor] = {}
    for file in sorted(folder.glob(f"*_{number}.distcp")):
        part = load(str(file))
        twice = sorted(found.keys() & part.keys())
        if twice:
            raise Unsupported(
                f"{path}: several processes have divided {twice[0]!r}",
                cure="save it with one process",
            )
        found |= part
    return found


def _joined(folder: Path, number: int) -> dict[str, Tensor]:
    """The whole tensors of a checkpoint that several processes have divided."""
    parts = json.loads((folder / f"{number}.parts").read_text())
    whole = json.loads((folder / f"{number}.metadata").read_text())
    files = {rank: load(str(folder / f"{rank}_{number}.distcp")) for rank in _ranks(parts)}
    found: dict[str, Tensor] = {}
    for name, places in parts.items():
        _, *shape = whole[name]
        pieces = [(offset, files[rank][name].numpy()) for rank, offset, _ in places]
        array = np.empty(shape, pieces[0][1].dtype)
        for offset, piece in pieces:
            place = zip(offset, piece.shape, strict=True)
            array[tuple(slice(o, o + n) for o, n in place)] = piece
        found[name] = to_tensor(array)
    return found


def _ranks(parts: Mapping[str, Any]) -> set[int]:
    return {rank for places in parts.values() for rank, _, _ in places}


def _refuse_safetensors(asked: bool) -> None:
    if asked:
        raise Unsupported("safetensors=True: that form is not served", cure="leave it out")


__all__ = ["load_merged_state_dict", "load_state_dict", "save_state_dict"]
