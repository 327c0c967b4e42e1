"""Checkpoints in a folder: `<rank>_<number>.distcp` has the tensors of a rank, here of rank 0.

The tensor files are Paddle's: those of one rank are read in both directions by `paddle.load`. What
Paddle keeps beside them, a pickle of its own classes, is neither read nor written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from twinoar.core.values import Value as Tensor
from twinoar.distributed.group import Group, member
from twinoar.distributed.sharded_weight import ShardedWeight
from twinoar.errors import FileError, ShapeError, TypeMismatchError, UnknownNameError
from twinoar.errors import UnsupportedError as Unsupported
from twinoar.export.objects import load, save
from twinoar.formats.atomic import write_atomically

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

    unique_id: the checkpoint's number, by default the highest that there is, or 0. async_save: what
    is saved is complete on return all the same. Raises TypeMismatchError for what is no tensor.
    """
    member(process_group)
    _refuse_safetensors(safetensors)
    tensors = dict(_flat(state_dict))
    numbers = _numbers(Path(path))
    number = max(numbers, default=0) if unique_id is None else unique_id
    save(tensors, str(Path(path) / f"0_{number}.distcp"))
    shapes = {name: [t.dtype.name, *t.shape] for name, t in tensors.items()}
    write_atomically(Path(path) / f"{number}.metadata", json.dumps(shapes).encode())


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
    wanted, found = dict(_flat(state_dict)), _read(path, unique_id)
    for name, tensor in wanted.items():
        if name not in found:
            raise UnknownNameError(f"{path} has no {name!r}", cure=f"it has {', '.join(found)}")
        if found[name].shape != tensor.shape:
            raise ShapeError(f"{name} has shape {tensor.shape}, in {path} {found[name].shape}")
    for name, tensor in wanted.items():
        tensor.set_value(found[name].astype(tensor.dtype))


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


def _flat(state: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Tensor]]:
    """The tensors of a dict of dicts, by the names of their places, joined by dots."""
    if not isinstance(state, Mapping):
        raise TypeMismatchError(f"state_dict: expected a dict, received {type(state).__name__}")
    for name, value in state.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, ShardedWeight):
            yield prefix + name, value.local_tensor
        elif isinstance(value, Tensor):
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
    numbers = _numbers(folder)
    number = max(numbers, default=0) if unique_id is None else unique_id
    if number not in numbers:
        raise FileError(
            f"{path} has no checkpoint {number}", cure="name a folder that save_state_dict wrote"
        )
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


def _refuse_safetensors(asked: bool) -> None:
    if asked:
        raise Unsupported("safetensors=True: that form is not served", cure="leave it out")


__all__ = ["load_merged_state_dict", "load_state_dict", "save_state_dict"]
