"""Reading files of Keras: what they say of a model as JSON, and arrays by path.

A `.keras` file is a zip of `config.json`, `metadata.json` and `model.weights.h5`; older `.h5` files
hold the same JSON as an attribute. Nothing in them is run: layers that are code (Lambda) are left
to whoever reads the JSON. HDF5 is read by h5py, of which no filter, no link to other files and no
data outside the file are followed.
"""

from __future__ import annotations

import importlib
import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from twinoar.errors import FileError, MissingModuleError, TwinoarError

HEAD, HDF5_HEAD = b"PK\x03\x04", b"\x89HDF\r\n\x1a\n"
CONFIG, METADATA, WEIGHTS = "config.json", "metadata.json", "model.weights.h5"
LARGEST_TEXT = 1 << 28  # bytes of JSON
MOST_TIMES = 1100  # that anything in a zip may grow: deflate can do no more than 1032
DAMAGE = (EOFError, NotImplementedError, OSError, OverflowError, RuntimeError, ValueError,
          KeyError, TypeError, AttributeError)  # fmt: skip # of zipfile and h5py
DTYPES = {"float16", "float32", "float64", "int32", "int64", "uint32", "uint64", "bool"}


@dataclass(frozen=True)
class Saved:
    """A file of Keras.

    config: what it says of the model, None in a file of weights alone. version: of Keras. flat:
    arrays of each of the outermost layers, in order, as `.h5` has them. groups: arrays by the path
    of their group, as others have them.
    """

    config: dict[str, Any] | None
    version: str
    flat: dict[str, list[np.ndarray]] | None
    groups: dict[str, list[np.ndarray]] | None


def read_saved(data: bytes, path: str) -> Saved:
    """What the bytes of a `.keras`, `.h5` or `.weights.h5` file hold.

    path: for messages. Raises FileError for what is damaged or none of these, MissingModuleError
    without h5py.
    """
    if data[:4] == HEAD:
        return _read_archive(data, path)
    if data[:8] == HDF5_HEAD:
        with _opened(data, path) as file:
            if "model_config" in file.attrs or "layer_names" in file.attrs:
                return _read_old(file, path)
            return Saved(None, "3", None, _groups(file, path))
    raise FileError(
        f"{path}: expected a .keras or .h5 file of Keras, received bytes {data[:8].hex()}",
        cure="save it by model.save('net.keras')",
    )


def _read_archive(data: bytes, path: str) -> Saved:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            config = parsed(_file_in(archive, CONFIG, path), f"{path}, {CONFIG}")
            metadata = parsed(_file_in(archive, METADATA, path), f"{path}, {METADATA}")
            weights = _file_in(archive, WEIGHTS, path)
    except TwinoarError:
        raise
    except (zipfile.BadZipFile, *DAMAGE) as error:
        raise FileError(f"{path}: damaged archive: {str(error)[:80]}") from error
    with _opened(weights, f"{path}, {WEIGHTS}") as file:
        return Saved(config, str(metadata.get("keras_version", "")), None, _groups(file, path))


def _file_in(archive: zipfile.ZipFile, name: str, path: str) -> bytes:
    try:
        told = archive.getinfo(name)
    except KeyError:
        raise FileError(f"{path}: the archive has no {name}") from None
    if told.file_size > MOST_TIMES * max(1, told.compress_size) or (
        name != WEIGHTS and told.file_size > LARGEST_TEXT
    ):
        raise FileError(f"{path}: {name} says that it has {told.file_size} bytes")
    return archive.read(told)


def parsed(text: bytes | str, path: str) -> dict[str, Any]:
    """The values by name that JSON says. Raises FileError."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is no JSON: {str(error)[:80]}") from error
    if not isinstance(found, dict):
        raise FileError(f"{path} must hold values by name")
    return found


@contextmanager
def _opened(data: bytes, path: str) -> Iterator[Any]:
    """A file of HDF5, whose damage is a FileError."""
    try:
        h5py = importlib.import_module("h5py")
    except ModuleNotFoundError as error:
        raise MissingModuleError(
            "files of Keras hold their weights as HDF5, which h5py reads",
            cure="pip install twinoar[keras]",
        ) from error
    try:
        with h5py.File(io.BytesIO(data), "r") as file:
            yield file
    except TwinoarError:
        raise
    except (RecursionError, MemoryError, *DAMAGE) as error:
        raise FileError(f"{path}: damaged HDF5: {str(error)[:80]}") from error


def _groups(file: Any, path: str) -> dict[str, list[np.ndarray]]:
    """The arrays of each group `vars`, by the path of the group above it."""
    found: dict[str, list[np.ndarray]] = {}
    pending = [("", file)]
    while pending:
        place, group = pending.pop()
        if place.count("/") > 100:
            raise FileError(f"{path}: groups lie too deep in one another")
        for name in group:
            inner = _inside(group, name, path)
            if name == "vars":
                numbered = sorted(inner, key=int)
                found[place] = [_array(_inside(inner, n, path), path) for n in numbered]
            elif not hasattr(inner, "shape"):
                pending.append((f"{place}/{name}" if place else name, inner))
    return found


def _inside(group: Any, name: str, path: str) -> Any:
    """What a group has under a name, in this file."""
    link = group.get(name, getlink=True)
    if type(link).__name__ != "HardLink":
        raise FileError(f"{path}: {name[:80]} is a link, which is not followed")
    return group[name]


def _array(told: Any, path: str) -> np.ndarray:
    """The elements of a data set, which lie in the file as they are."""
    if not hasattr(told, "shape") or told.dtype.name not in DTYPES:
        raise FileError(f"{path}: expected an array of numbers, received {str(told)[:80]}")
    is_plain = told.id.get_create_plist().get_nfilters() == 0 and not told.is_virtual
    if not is_plain or told.external is not None or told.nbytes > told.id.get_storage_size():
        raise FileError(f"{path}: the elements of {str(told.name)[:80]} are not in the file")
    return np.asarray(told[()])


def _read_old(file: Any, path: str) -> Saved:
    """A whole model, or its weights, as Keras 2 wrote and Keras 3 still can."""
    config = None
    if "model_config" in file.attrs:
        config = parsed(_text(file.attrs["model_config"]), f"{path}, model_config")
    root = _inside(file, "model_weights", path) if "model_weights" in file else file
    flat = {}
    for layer in _names(root, "layer_names"):
        group = _inside(root, layer, path)
        flat[layer] = [_at(group, name, path) for name in _names(group, "weight_names")]
    return Saved(config, _text(file.attrs.get("keras_version", "2")), flat, None)


def _at(group: Any, name: str, path: str) -> np.ndarray:
    for part in name.split("/"):
        group = _inside(group, part, path)
    return _array(group, path)


def _names(group: Any, attribute: str) -> list[str]:
    """Names in an attribute, or in several where there are many."""
    found = group.attrs.get(attribute)
    if found is None:
        count = sum(1 for name in group.attrs if name.startswith(attribute))
        found = [name for n in range(count) for name in group.attrs[f"{attribute}{n}"]]
    return [_text(name) for name in found]


def _text(told: Any) -> str:
    return told.decode() if isinstance(told, bytes) else str(told)
