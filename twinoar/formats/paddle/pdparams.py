"""Parameter and optimizer files, `.pdparams` and `.pdopt`: Paddle's conventions for pickles.

A state dict is a dict of arrays and one more key, which maps each key to the name of its parameter.
Protocols 2 and 3 split arrays of 1 GiB and more into slices. bfloat16 is stored as uint16;
`pickle_forms` says how it is told apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from twinoar.errors import FileError
from twinoar.formats.cursor import MAX_DIMENSIONS, Bytes
from twinoar.formats.paddle.pickling import Encode, write_pickle
from twinoar.formats.paddle.unpickling import read_pickle

NAME_TABLE = "StructuredToParameterName@@"
SLICE_TABLE = "UnpackBigParamInfor@@"
SLICE_BYTES = 2**30 - 1  # Paddle's, below the limit of 4 GiB that protocols 2 and 3 have


def dump(
    obj: object,
    protocol: int = 4,
    *,
    encode: Encode | None = None,
    slice_bytes: int = SLICE_BYTES,
) -> bytes:
    """The bytes of a parameter file that holds `obj`; equal objects give equal bytes.

    obj: nested dict, list, tuple, set of arrays, numbers, text and None, and of tensors that
    `encode` turns into their name and elements. protocol: 2, 3 or 4; with 2 and 3 the arrays of a
    dict that are larger than `slice_bytes` are stored in slices. Raises TypeMismatchError for
    objects that cannot be stored.

    >>> import numpy as np
    >>> load(dump({"w": np.zeros([2], "float32")}), "x.pdparams")
    {'w': array([0., 0.], dtype=float32)}
    """
    if type(obj) is dict and protocol in (2, 3):
        obj = _sliced(obj, slice_bytes)
    return write_pickle(obj, protocol, encode=encode)


def load(data: Bytes, path: str) -> object:
    """The object in the bytes of a parameter file; `path` is for the messages.

    A tensor outside a state dict is the tuple of its name and its array. Raises UnsafeFileError if
    the file asks for code to be run, FileError if it is damaged. Nothing in the file is ever run.

    >>> load(dump([1, "two", None]), "x.pdparams")
    [1, 'two', None]
    """
    obj = read_pickle(data, path)
    return _joined(obj, path) if isinstance(obj, dict) and SLICE_TABLE in obj else obj


def state_dict_payload(arrays: Mapping[str, object], names: Mapping[str, str]) -> dict[str, object]:
    """What Paddle stores for a state dict: its values, and the table from keys to parameter names.

    arrays: an array a key; values that are not arrays (a scheduler's dict) are stored as they are.
    names: the parameter name of each key that is a tensor.

    >>> state_dict_payload({"fc.bias": 0}, {"fc.bias": "linear_0.b_0"})
    {'fc.bias': 0, 'StructuredToParameterName@@': {'fc.bias': 'linear_0.b_0'}}
    """
    return {**arrays, NAME_TABLE: dict(names)}


def name_table(obj: Any, path: str) -> dict[object, str] | None:
    """The table from keys to parameter names if `obj` is a state dict that has one, else None."""
    table = obj.get(NAME_TABLE) if isinstance(obj, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict) or any(type(name) is not str for name in table.values()):
        raise FileError(f"{path}: expected {NAME_TABLE} to map keys to names")
    missing = next((key for key in table if key not in obj), None)
    if missing is not None:
        raise FileError(f"{path}: {NAME_TABLE} names {missing!r}, which the file does not hold")
    return table


def _sliced(obj: dict, slice_bytes: int) -> dict:
    """A dict in which large arrays are replaced by slices, which follow the other keys."""
    kept: dict = {}
    slices: dict = {}
    table: dict = {}
    for key, value in obj.items():
        if not isinstance(value, np.ndarray) or value.size <= slice_bytes // value.itemsize:
            kept[key] = value
            continue
        count = slice_bytes // value.itemsize
        flat = value.reshape(-1)
        parts = {
            f"{key}@@.{index}": flat[index * count : (index + 1) * count]
            for index in range(math.ceil(flat.size / count))
        }
        slices |= parts
        table[key] = {"OriginShape": value.shape, "slices": list(parts)}
    return {**kept, **slices, SLICE_TABLE: table} if table else obj


def _joined(obj: dict, path: str) -> dict:
    """The dict with arrays in place of their slices."""
    table = obj[SLICE_TABLE]
    if not isinstance(table, dict):
        raise FileError(f"{path}: expected {SLICE_TABLE} to map keys to slices")
    joined = {key: value for key, value in obj.items() if key != SLICE_TABLE}
    for key, entry in table.items():
        parts, shape = _slices(obj, key, entry, path)
        joined[key] = np.concatenate(parts).reshape(shape)
    used = {name for entry in table.values() for name in entry["slices"]}
    return {key: value for key, value in joined.items() if key not in used}


def _slices(obj: dict, key: object, entry: object, path: str) -> tuple[list[np.ndarray], tuple]:
    """The slices of one array and its shape, checked against each other."""
    names = entry.get("slices") if isinstance(entry, dict) else None
    shape = entry.get("OriginShape") if isinstance(entry, dict) else None
    if not isinstance(names, list | tuple) or not isinstance(shape, list | tuple) or not names:
        raise FileError(f"{path}: expected OriginShape and slices for {key!r} in {SLICE_TABLE}")
    known = all(type(name) is str and isinstance(obj.get(name), np.ndarray) for name in names)
    if not known or len(set(names)) != len(names):
        raise FileError(f"{path}: a slice of {key!r} is missing or occurs twice")
    parts = [obj[name].reshape(-1) for name in names]
    dims = (
        all(type(dim) is int and 0 <= dim < 2**62 for dim in shape) and len(shape) <= MAX_DIMENSIONS
    )
    if not dims or math.prod(shape) != sum(part.size for part in parts):
        raise FileError(f"{path}: the slices of {key!r} do not fill its shape")
    if len({part.dtype for part in parts}) > 1:
        raise FileError(f"{path}: the slices of {key!r} have different element types")
    return parts, tuple(shape)
