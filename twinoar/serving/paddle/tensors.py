"""Arrays as the tensors of Paddle Serving's messages, and back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twinoar.errors import ServingError
from twinoar.formats.paddle_serving import Tensor
from twinoar.serving.status import invalid

# The numbers of element types, and the field that holds them; None for `tensor_content`.
TYPES: dict[int, tuple[np.dtype, str | None]] = {
    0: (np.dtype("int64"), "int64_data"),
    1: (np.dtype("float32"), "float_data"),
    2: (np.dtype("int32"), "int_data"),
    3: (np.dtype("float64"), "float64_data"),
    4: (np.dtype("int16"), None),
    5: (np.dtype("float16"), None),
    7: (np.dtype("uint8"), None),
    8: (np.dtype("int8"), None),
    9: (np.dtype("bool"), "bool_data"),
}
NUMBERS = {dtype: number for number, (dtype, _) in TYPES.items()}


def number_of(dtype: np.dtype) -> int:
    """The number of an element type. Raises ServingError for one that has none.

    >>> number_of(np.dtype("float32"))
    1
    """
    if dtype not in NUMBERS:
        raise ServingError(f"Paddle Serving has no element type for {dtype}", "INVALID_ARGUMENT")
    return NUMBERS[dtype]


def array_of(tensor: Any) -> np.ndarray:
    """The array in a tensor. Raises ServingError where elements and shape do not agree."""
    name = tensor.alias_name or tensor.name
    if tensor.lod:
        raise invalid(f"{name!r} has levels of detail", cure="pad the sequences")
    if tensor.elem_type not in TYPES:
        raise invalid(f"{name!r} has the element type {tensor.elem_type}, which is not served")
    dtype, field = TYPES[tensor.elem_type]
    shape = list(tensor.shape)
    if any(n < 0 for n in shape) or len(shape) > 32:
        raise invalid(f"{name!r} has the shape {shape}")
    if field is None or tensor.tensor_content:
        if len(tensor.tensor_content) % dtype.itemsize:
            raise invalid(f"{name!r} has {len(tensor.tensor_content)} bytes of {dtype}")
        array = np.frombuffer(tensor.tensor_content, dtype)
    else:
        array = np.array(getattr(tensor, field), dtype)
    if array.size != math.prod(shape):
        raise invalid(f"{name!r} has {array.size} elements, its shape is {shape}")
    return array.reshape(shape)


def tensor_of(array: np.ndarray, name: str, alias: str) -> Any:
    """The tensor with an array."""
    number = number_of(array.dtype)
    field = TYPES[number][1]
    tensor = Tensor(name=name, alias_name=alias, elem_type=number)
    tensor.shape.extend(array.shape)
    if field is None:
        tensor.tensor_content = array.tobytes()
    else:
        getattr(tensor, field).extend(array.reshape(-1).tolist())
    return tensor
