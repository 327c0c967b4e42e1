"""What is fed to an input of a Program, as the array that it takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from twinoar.core.device import Buffer
from twinoar.core.dtype import BY_NUMPY
from twinoar.core.ir.program import Variable
from twinoar.eager.tensor import Tensor
from twinoar.errors import DTypeError, TypeMismatchError


def feed_array(v: Variable, value: Any) -> np.ndarray:
    """`value` as the array that input `v` takes.

    Python numbers and lists take its dtype, arrays must have it.
    """
    if isinstance(value, Tensor):
        value = value._data
    if not isinstance(value, (np.ndarray, np.generic, Buffer)):
        try:
            return np.asarray(value, v.spec.dtype.numpy)
        except (TypeError, ValueError):
            raise TypeMismatchError(
                f"input {v.name} must be an array of {v.spec}, received {type(value).__name__}",
                cure="feed an ndarray, or nested lists of equal lengths",
            ) from None
    array: Any = value if isinstance(value, Buffer) else np.asarray(value)
    if array.dtype != v.spec.dtype.numpy:
        named = BY_NUMPY.get(array.dtype, array.dtype)
        raise DTypeError(
            f"input {v.name} must be {v.spec.dtype.name}, received {named.name}",
            cure=f"convert it with .astype('{v.spec.dtype.name}')",
        )
    return array
