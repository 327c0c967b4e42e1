"""`save` and `load`: state dicts, tensors and nested objects, in Paddle's files."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from twinoar.core.ir.program import Program
from twinoar.eager.tensor import NUMPY_TYPES, Tensor
from twinoar.errors import ArgumentError, FileError, TypeMismatchError, UnsupportedError
from twinoar.formats import safetensors, torch
from twinoar.formats.atomic import StrPath, path_text, write_atomically
from twinoar.formats.paddle import pdparams, tensors
from twinoar.formats.paddle.program_read import read_program
from twinoar.formats.paddle.program_write import write_program
from twinoar.formats.paddle.saved_state import state_of_folder, state_of_prefix
from twinoar.formats.unfinished import settle
from twinoar.ops.index.selected_rows import SelectedRows
from twinoar.static import program as static_program

PICKLE_HEAD = b"\x80"
TENSOR_HEAD = bytes(4)
PROGRAM_HEAD = b"\n"  # the tag of a ProgramDesc's first block

SAVE_CONFIGS = {"use_binary_format": bool, "pickle_protocol": int, "safetensors": bool}
LOAD_CONFIGS = {
    "return_numpy": bool,
    "keep_name_table": bool,
    "model_filename": str,
    "params_filename": str,
    "safetensors": bool,
}


# Any: a user's object, of any kind that a file can hold.
def save(obj: Any, path: StrPath | io.BytesIO, protocol: int = 4, **configs: Any) -> None:
    """Write `obj` to the file `path`: a state dict, a Tensor, a nested object or a static Program.

    obj: tensors, arrays, numbers, text and None, or dicts, lists, tuples and sets of them; or a
    Program, whose file is named `.pdmodel`.
    path: a file, whose folder is made if there is none, or a BytesIO. protocol: of pickle, 2, 3 or
    4. configs: `use_binary_format=True` writes one Tensor in the form of `.pdiparams`;
    `safetensors=True`, or a path that ends so, a dict of tensors in that form. The file appears
    whole or not at all; equal objects give equal bytes, and Paddle loads them. Raises
    TypeMismatchError for objects that a file cannot hold, such as a Layer; FileError if the file
    cannot be written.

    >>> import tempfile, twinoar
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     twinoar.save({"w": twinoar.to_tensor([1.0])}, f"{folder}/x.pdparams")
    ...     twinoar.load(f"{folder}/x.pdparams")["w"].tolist()
    [1.0]
    """
    options = _options("save", configs, SAVE_CONFIGS)
    if options.get("safetensors") or str(path).endswith(safetensors.ENDING):
        data = _safetensors(obj)
    elif options.get("use_binary_format"):
        data = _binary(obj)
    else:
        data = _contents(obj, options.get("pickle_protocol", protocol))
    if isinstance(path, io.BytesIO):
        path.write(data)
    else:
        write_atomically(path, data)


def load(path: StrPath | io.BytesIO, **configs: Any) -> Any:
    """The object in the file `path`, which `save` or Paddle has written; its arrays are Tensors.

    A `.pdmodel` gives a static Program. What torch has saved as a zip, such as a state dict in a
    `.pth`, and `.safetensors` files are read too; their weights lie as their framework has them.

    path: a file or BytesIO; the prefix of a saved inference model, or a folder of Paddle 1, gives
    the state dict as arrays. configs: `return_numpy=True` gives arrays for tensors;
    `keep_name_table=True` keeps the table of parameter names in a state dict; `model_filename` and
    `params_filename` are the files in a folder of Paddle 1; `safetensors=True` reads a file in that
    form, whatever its name. As in Paddle, a tuple of a text and an
    array is a Tensor with that name. Raises FileError if the file is missing or damaged,
    UnsafeFileError if it asks for code to be run: nothing in it is ever run.
    """
    options = _options("load", configs, LOAD_CONFIGS)
    if isinstance(path, io.BytesIO):
        if options.get("safetensors"):
            return _of_safetensors(safetensors.Tensors(path.read(), "the BytesIO"), options)
        return _object(path.read(), "the BytesIO", options)
    name = path_text(path)
    settle(name)
    if options.get("safetensors") or name.endswith(safetensors.ENDING):
        return _of_safetensors(safetensors.opened(name), options)
    if Path(name).is_file():
        return _object(_bytes(name), name, options)
    if Path(name).is_dir():
        return state_of_folder(name, options.get("model_filename"), options.get("params_filename"))
    state = state_of_prefix(name)
    if state is None:
        raise FileError(f"{name} does not exist", cure=_cure(name))
    return state


def _contents(obj: Any, protocol: int) -> bytes:
    """The bytes of the file for `obj`, by what it is."""
    if isinstance(obj, Program):
        return write_program(obj)
    if _is_state_dict(obj):
        obj = _stored_state(obj)
    return pdparams.dump(obj, protocol, encode=_named_array)


def _object(data: bytes, path: str, options: Mapping[str, Any]) -> Any:
    """The object in the bytes of a file, by how they begin."""
    as_numpy = options.get("return_numpy", False)
    if data.startswith(PICKLE_HEAD):
        return _from_pickle(data, path, as_numpy, options.get("keep_name_table", False))
    if data.startswith(TENSOR_HEAD):
        array = tensors.load_tensor(data, path)
        return array if as_numpy else _tensor(array)
    if data.startswith(torch.HEAD):
        return _Conversion(False, as_numpy).convert(torch.read_archive(data, path))
    if data.startswith(PROGRAM_HEAD):
        return read_program(data, path, factory=static_program.Program)
    raise FileError(
        f"{path}: expected parameters, a tensor or a program, "
        f"received bytes {data[:4].hex() or 'none'}",
        cure="load a model of two files with twinoar.jit.load or static.load_inference_model",
    )


def _options(function: str, configs: dict[str, Any], known: dict[str, type]) -> dict[str, Any]:
    """The configs that are set, checked."""
    given = {name: value for name, value in configs.items() if value is not None}
    for name, value in given.items():
        if name not in known:
            raise ArgumentError(
                f"{function} has no config {name!r}; expected {', '.join(known)}",
                cure="leave it out",
            )
        if type(value) is not known[name]:
            raise TypeMismatchError(
                f"{name}: expected a {known[name].__name__}, received {value!r}"
            )
    return given


def _is_state_dict(obj: Any) -> bool:
    """Paddle's rule: all values are tensors, or dicts without any, such as a scheduler's."""
    return isinstance(obj, dict) and all(
        isinstance(value, Tensor) or (isinstance(value, dict) and not _holds_tensor(value))
        for value in obj.values()
    )


def _holds_tensor(obj: Any) -> bool:
    parts = obj.values() if isinstance(obj, dict) else obj
    if isinstance(obj, dict | list | tuple | set):
        return any(_holds_tensor(part) for part in parts)
    return isinstance(obj, Tensor)


def _stored_state(state: Mapping[str, Any]) -> dict[str, object]:
    tables = {key: value.name for key, value in state.items() if isinstance(value, Tensor)}
    arrays = {key: _elements(value) if key in tables else value for key, value in state.items()}
    return pdparams.state_dict_payload(arrays, tables)


def _binary(obj: Any) -> bytes:
    if not isinstance(obj, Tensor):
        raise TypeMismatchError(
            f"use_binary_format: expected a Tensor, received a {type(obj).__name__}",
            cure="save other objects without use_binary_format",
        )
    return tensors.dump_tensor(_elements(obj))


def _safetensors(obj: Any) -> bytes:
    if not isinstance(obj, Mapping) or not all(
        isinstance(key, str) and isinstance(x, (Tensor, np.ndarray)) for key, x in obj.items()
    ):
        raise TypeMismatchError(
            "a safetensors file holds a dict of tensors by name alone",
            cure="save what state_dict() returns, or in another form: .pdparams",
        )
    return safetensors.dump({key: _elements(x) for key, x in obj.items()})


def _of_safetensors(found: safetensors.Tensors, options: Mapping[str, Any]) -> dict[str, Any]:
    """The tensors of a file, each copied when it is its turn."""
    copies = ((name, np.array(array)) for name, array in found.items())
    if options.get("return_numpy"):
        return dict(copies)
    return {name: _tensor(array, name) for name, array in copies}


def _named_array(value: object) -> tuple[str, np.ndarray] | None:
    """Name and elements of a Tensor, None for other values; a Layer is refused."""
    if isinstance(value, Tensor):
        return value.name, _elements(value)
    if callable(getattr(value, "state_dict", None)):
        kind = type(value).__name__
        raise TypeMismatchError(
            f"a {kind} cannot be saved as an object", cure="save what its state_dict() returns"
        )
    return None


def _elements(value: Any) -> np.ndarray:
    """The elements of a Tensor or array. Raises UnsupportedError where these are of some rows."""
    if isinstance(value, SelectedRows):
        raise UnsupportedError(
            f"files hold tensors, received a row-sparse gradient of {value.spec}",
            cure="save g.rows() and g.numpy(), or g.to_dense()",
        )
    return np.asarray(value)


def _bytes(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as failure:
        raise FileError(
            f"cannot read {name}: {failure.strerror}", cure="check its permissions"
        ) from failure


def _cure(name: str) -> str:
    """How to find the file that the user meant."""
    for ending in (".pdparams", ".pdopt", ".pdiparams"):
        if Path(name + ending).is_file():
            return f"give the whole name, {name + ending!r}"
    return f"check the path; the working directory is {Path.cwd()}"


def _from_pickle(data: bytes, path: str, as_numpy: bool, keep_name_table: bool) -> Any:
    obj: Any = pdparams.load(data, path)
    table = pdparams.name_table(obj, path)
    if table is None:
        return _Conversion(_holds_named_array(obj, set()), as_numpy).convert(obj)
    state = {
        key: value for key, value in obj.items() if keep_name_table or key != pdparams.NAME_TABLE
    }
    if not as_numpy:
        for key, name in table.items():
            if isinstance(state[key], np.ndarray):
                state[key] = _tensor(state[key], name)
    return state


def _tensor(array: np.ndarray, name: str | None = None) -> Tensor | np.ndarray:
    """A Tensor of that name; arrays of types that no Tensor has, such as text, stay arrays."""
    if array.dtype not in NUMPY_TYPES:
        return array
    tensor = Tensor(array)
    if name is not None:
        tensor.name = name
    return tensor


def _is_named_array(value: object) -> bool:
    return (
        type(value) is tuple
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], np.ndarray)
    )


def _holds_named_array(value: Any, seen: set[int]) -> bool:
    """Whether a tensor with its name is anywhere in `value`; shared parts are visited once."""
    if _is_named_array(value):
        return True
    if not isinstance(value, dict | list | tuple) or id(value) in seen:
        return False
    seen.add(id(value))
    parts = value.values() if isinstance(value, dict) else value
    return any(_holds_named_array(part, seen) for part in parts)


class _Conversion:
    """Arrays to Tensors by Paddle's rule: those that have a name, or all of them if none has."""

    def __init__(self, only_named: bool, as_numpy: bool):
        self.only_named, self.as_numpy = only_named, as_numpy
        self.done: dict[int, Any] = {}  # by id: parts that were shared stay shared

    def convert(self, value: Any) -> Any:
        """`value` with Tensors in place of arrays."""
        if id(value) not in self.done:
            self.done[id(value)] = self._convert(value)
        return self.done[id(value)]

    def _convert(self, value: Any) -> Any:
        if _is_named_array(value):
            name, array = value
            return array if self.as_numpy else _tensor(array, name)
        if isinstance(value, np.ndarray):
            return value if self.only_named or self.as_numpy else _tensor(value)
        if isinstance(value, dict):
            kind = OrderedDict if isinstance(value, OrderedDict) else dict
            return kind((key, self.convert(part)) for key, part in value.items())
        if isinstance(value, list | tuple):
            return type(value)(self.convert(part) for part in value)
        return value
