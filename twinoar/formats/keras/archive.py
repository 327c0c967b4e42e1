"""Reading files of Keras: what they say of a model as JSON, and arrays by path.

A `.keras` file is a zip of `config.json`, `metadata.json` and `model.weights.h5`; older `.h5` files
hold the same JSON as an attribute. Nothing in them is run: layers that are code (Lambda) are left
to whoever reads the JSON.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from typing import Any

import numpy as np

from twinoar.errors import FileError, TwinoarError
from twinoar.formats.keras.hdf5 import HEAD as HDF5_HEAD
from twinoar.formats.keras.hdf5 import File, Thing
from twinoar.late import dataclass

HEAD = b"PK\x03\x04"
CONFIG, METADATA, WEIGHTS = "config.json", "metadata.json", "model.weights.h5"
LARGEST_TEXT = 1 << 28  # bytes of JSON
MOST_TIMES = 1100  # that anything in a zip may grow: deflate can do no more than 1032
# What the module zipfile raises where a zip is damaged.
DAMAGE = (
    EOFError, NotImplementedError, OSError, OverflowError, RuntimeError, ValueError, zlib.error,
)  # fmt: skip
PLAIN = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


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

    path: for messages. Raises FileError for what is damaged or none of these.
    """
    if data[:4] == HEAD:
        return _read_archive(data, path)
    if data[:8] == HDF5_HEAD:
        root = File(data, path).root
        told = root.attributes()
        if "model_config" in told or "layer_names" in told:
            return _read_old(root, told, path)
        return Saved(None, "3", None, _groups(root, path))
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
    place = f"{path}, {WEIGHTS}"
    groups = _groups(File(weights, place).root, place)
    return Saved(config, str(metadata.get("keras_version", "")), None, groups)


def _file_in(archive: zipfile.ZipFile, name: str, path: str) -> bytes:
    try:
        told = archive.getinfo(name)
    except KeyError:
        raise FileError(f"{path}: the archive has no {name}") from None
    if told.compress_type not in PLAIN:
        raise FileError(f"{path}: {name} is pressed in a way that Keras does not use")
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


def _groups(root: Thing, path: str) -> dict[str, list[np.ndarray]]:
    """The arrays of each group `vars`, by the path of the group above it."""
    found: dict[str, list[np.ndarray]] = {}
    pending = [("", root)]
    while pending:
        place, group = pending.pop()
        for name, inner in group.members().items():
            if name == "vars" and inner.is_group:
                arrays = inner.members()
                if not all(number.isdecimal() for number in arrays):
                    raise FileError(f"{path}: {place[:80]}/vars must hold arrays by number")
                found[place] = [arrays[number].array() for number in sorted(arrays, key=int)]
            elif inner.is_group:
                pending.append((f"{place}/{name}" if place else name, inner))
    return found


def _read_old(root: Thing, told: dict[str, Any], path: str) -> Saved:
    """A whole model, or its weights, as Keras 2 wrote and Keras 3 still can."""
    config = None
    if "model_config" in told:
        config = parsed(_text(told["model_config"], path), f"{path}, model_config")
        members = root.members()
        if "model_weights" not in members:
            raise FileError(f"{path} has no model_weights")
        root = members["model_weights"]
    flat: dict[str, list[np.ndarray]] = {}
    layers = root.members()
    for layer in _names(root.attributes(), "layer_names", path):
        if layer not in layers or layer in flat:
            raise FileError(f"{path} has not one group {layer[:80]}")
        arrays = dict(_arrays(layers[layer], ""))
        wanted = _names(layers[layer].attributes(), "weight_names", path)
        if not set(wanted) <= arrays.keys():
            raise FileError(f"{path} lacks arrays of {layer[:80]}")
        flat[layer] = [arrays[name].array() for name in wanted]
    return Saved(config, _text(told.get("keras_version", "2"), path), flat, None)


def _arrays(group: Thing, place: str) -> list[tuple[str, Thing]]:
    """What lies below a group, by path."""
    found, pending = [], [(place, group)]
    while pending:
        above, one = pending.pop()
        for name, inner in one.members().items():
            if inner.is_group:
                pending.append((f"{above}{name}/", inner))
            else:
                found.append((f"{above}{name}", inner))
    return found


def _names(told: dict[str, Any], attribute: str, path: str) -> list[str]:
    """Names in an attribute, or in several where there are many."""
    found = told.get(attribute)
    if found is None:
        count = sum(1 for name in told if name.startswith(attribute))
        parts = [told.get(f"{attribute}{n}") for n in range(count)]
        found = [name for part in parts for name in (part if isinstance(part, list) else [])]
    if not isinstance(found, list):
        raise FileError(f"{path}: {attribute} must be names")
    return [_text(name, path) for name in found]


def _text(told: Any, path: str) -> str:
    try:
        return told.decode() if isinstance(told, bytes) else str(told)
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: a text is no UTF-8") from error
