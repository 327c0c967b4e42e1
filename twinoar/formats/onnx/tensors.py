"""Arrays as the tensors of ONNX files, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from twinoar.errors import FileError, UnsupportedError
from twinoar.formats.onnx.schema import CODE_OF_DTYPE, DTYPE_OF_CODE

OUTSIDE = 1  # a tensor's data_location: its elements lie in another file
# The field that holds elements which are not raw, by dtype; the others are in `int32_data`.
FIELDS = {
    "float32": "float_data",
    "complex64": "float_data",
    "float64": "double_data",
    "complex128": "double_data",
    "int64": "int64_data",
    "uint32": "uint64_data",
    "uint64": "uint64_data",
}


def fill_tensor(tensor: Any, name: str, array: np.ndarray) -> None:
    """Put an array into a Tensor message."""
    tensor.name, tensor.data_type = name, CODE_OF_DTYPE[array.dtype.name]
    tensor.dims.extend(array.shape)
    tensor.raw_data = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"))).tobytes()


def dtype_of(code: int) -> np.dtype:
    """The element type with this number. Raises UnsupportedError for those that NumPy lacks."""
    if code not in DTYPE_OF_CODE:
        raise UnsupportedError(
            f"elements of ONNX type {code} cannot be held",
            cure=f"use one of {', '.join(CODE_OF_DTYPE)}",
        )
    name = DTYPE_OF_CODE[code]
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def array_of(tensor: Any, folder: str | None = None) -> np.ndarray:
    """The array in a Tensor message.

    folder: where files of elements outside the message lie. Raises FileError for elements that are
    fewer or more than the shape says.
    """
    dtype = dtype_of(tensor.data_type)
    shape = tuple(tensor.dims)
    if any(d < 0 for d in shape):
        raise FileError(f"the tensor {tensor.name!r} has the shape {list(shape)}")
    if tensor.data_location == OUTSIDE:
        found = _outside(tensor, folder, dtype)
    elif tensor.raw_data:
        found = _elements(tensor, tensor.raw_data, dtype)
    else:
        found = _listed(tensor, dtype)
    if found.size != np.prod(shape, dtype=object):
        raise FileError(
            f"the tensor {tensor.name!r} of shape {list(shape)} has {found.size} elements",
            cure="write the file again",
        )
    return found.reshape(shape)


def _elements(tensor: Any, raw: Any, dtype: np.dtype) -> np.ndarray:
    if len(raw) % dtype.itemsize:
        raise FileError(f"the tensor {tensor.name!r} has {len(raw)} bytes of {dtype.name}")
    return np.frombuffer(raw, dtype.newbyteorder("<")).astype(dtype)


def _listed(tensor: Any, dtype: np.dtype) -> np.ndarray:
    values = getattr(tensor, FIELDS.get(dtype.name, "int32_data"))
    if dtype.kind == "c":
        return np.asarray(values, f"f{dtype.itemsize // 2}").view(dtype)
    if dtype.itemsize < 4 and dtype.kind not in "iub":  # the bits, as whole numbers
        return np.asarray(values, "int64").astype(f"u{dtype.itemsize}").view(dtype)
    return np.asarray(values, "uint64" if dtype.kind == "u" else None).astype(dtype)


def _outside(tensor: Any, folder: str | None, dtype: np.dtype) -> np.ndarray:
    told = {entry.key: entry.value for entry in tensor.external_data}
    location = told.get("location", "")
    if folder is None:
        raise FileError(
            f"the elements of {tensor.name!r} lie in another file, {location!r}",
            cure="read the model by its path",
        )
    path = (Path(folder) / location).resolve()
    if not path.is_relative_to(Path(folder).resolve()):
        raise FileError(
            f"the elements of {tensor.name!r} lie outside the model's folder, in {location!r}",
            cure="put the file beside the model",
        )
    count = int(np.prod(tuple(tensor.dims), dtype=object))
    offset = int(told.get("offset", 0))
    try:
        return np.fromfile(path, dtype.newbyteorder("<"), count, offset=offset).astype(dtype)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read the elements of {tensor.name!r}: {error}") from None
